/** Popover of a button, lazy-loaded when the pointer or focus approaches: behaves as if it had been there. */
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LatePopover } from './late-popover.tsx';
import { settled, staged } from '../stage.tsx';

const gate = vi.hoisted(() => Promise.withResolvers<undefined>());
vi.mock('../select/popover-window.tsx', async (original) => { await gate.promise; return original(); });

function Tools() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <LatePopover open={open} onOpen={setOpen} label="Columns" position="bottom-start" width={228}
        className={undefined} opener="Tools" openerClass={undefined}>
        <button type="button" onClick={() => setOpen(false)}>Done</button>
      </LatePopover>
      <button type="button">After</button>
    </>
  );
}

const opener = () => page.getByRole('button', { name: 'Tools' });
const press = () => { (opener().element() as HTMLButtonElement).click(); };
const inside = () => page.getByRole('button', { name: 'Done' });

test('a press waits for it, leaving takes the press back, and the focus returns when it closes', async () => {
  await staged(<Tools />);
  press();
  await expect.element(opener()).toHaveAttribute('aria-busy', 'true');
  await userEvent.keyboard('{Tab}');
  await expect.element(opener()).not.toHaveAttribute('aria-busy');
  gate.resolve(undefined);
  await import('../select/popover-window.tsx');
  await settled();
  await expect.element(page.getByRole('button', { name: 'After' })).toHaveFocus();

  press();
  await expect.element(inside()).toHaveFocus();
  await expect.element(opener()).toHaveAttribute('aria-expanded', 'true');
  expect(document.getElementById(opener().element().getAttribute('aria-controls')!)).not.toBeNull();
  await userEvent.keyboard('{Escape}');
  await expect.element(inside()).not.toBeInTheDocument();
  await expect.element(opener()).toHaveFocus();
});

test('a second press closes it, and so does what stands in it', async () => {
  await staged(<Tools />);
  await opener().click();
  await expect.element(inside()).toBeVisible();
  await opener().click();
  await expect.element(inside()).not.toBeInTheDocument();
  await opener().click();
  await inside().click();
  await expect.element(inside()).not.toBeInTheDocument();
  await expect.element(opener()).toHaveFocus();
});
