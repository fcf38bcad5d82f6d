/** Lazy loading on approach: a press is not lost, leaving cancels it, a failure is reported. */
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Toasts } from '#web/data/toast.tsx';
import { AsyncSelect } from '../select/async-select.tsx';
import { late, useLateOpen } from './late.ts';
import { settled, staged } from '../stage.tsx';

const gate = vi.hoisted(() => Promise.withResolvers<undefined>());
vi.mock('../select/select-list.tsx', async (original) => { await gate.promise; return original(); });

const trigger = () => page.getByRole('combobox', { name: 'Show', exact: true });
const searchBox = () => page.getByRole('combobox', { name: 'Search Show' });
const press = () => { (trigger().element() as HTMLButtonElement).click(); };

// The list comes once in a program: these two go together.
test('a list that is not there yet waits, and is taken back by leaving; a press finds it', async () => {
  await staged(
    <>
      <AsyncSelect label="Show" value={null} onChange={() => {}} options={[{ value: 'M', label: 'The Mikado' }]} />
      <button type="button">After</button>
    </>,
  );
  press();
  await expect.element(trigger()).toHaveAttribute('aria-busy', 'true');
  await expect.element(trigger()).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{Escape}');
  await expect.element(trigger()).not.toHaveAttribute('aria-busy');
  press();
  await userEvent.keyboard('{Tab}');
  await expect.element(trigger()).not.toHaveAttribute('aria-busy');
  gate.resolve(undefined);
  await import('../select/select-list.tsx');
  await settled();
  await expect.element(page.getByRole('button', { name: 'After' })).toHaveFocus();

  press();
  await expect.element(searchBox()).toHaveFocus();
  const list = page.getByRole('listbox', { name: 'Show' }).element();
  await expect.element(trigger()).toHaveAttribute('aria-controls', list.id);
  await expect.element(searchBox()).toHaveAttribute('aria-controls', list.id);
  await userEvent.keyboard('{Escape}');
  await expect.element(searchBox()).not.toBeInTheDocument();
  await expect.element(trigger()).toHaveFocus();
});

test('a press outside closes the list, and the focus goes where it was pressed', async () => {
  await staged(
    <>
      <AsyncSelect label="Show" value={null} onChange={() => {}} options={[{ value: 'M', label: 'The Mikado' }]} />
      <div style={{ height: 400 }} />
      <button type="button">Elsewhere</button>
    </>,
  );
  await trigger().click();
  await expect.element(searchBox()).toHaveFocus();
  await trigger().click();
  await expect.element(searchBox()).not.toBeInTheDocument();
  await expect.element(trigger()).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(searchBox()).toHaveFocus();
  await page.getByRole('button', { name: 'Elsewhere' }).click();
  await expect.element(searchBox()).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
});

const fetched = vi.fn<() => Promise<{ words: string }>>();
const part = late(fetched);

function Opener() {
  const [open, setOpen] = useState(false);
  const found = useLateOpen(part, open, () => setOpen(false));
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>Open</button>
      {open && found && <p>{found.words}</p>}
      <Toasts />
    </>
  );
}

test('what cannot be loaded is said, and the next press asks for it anew', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue({ words: 'Here' });
  await staged(<Opener />);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect.element(page.getByText('This did not load. Open it again.')).toBeVisible();
  expect(page.getByText('Here').elements()).toHaveLength(0);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect.element(page.getByText('Here')).toBeVisible();
  expect(fetched).toHaveBeenCalledTimes(2);
});
