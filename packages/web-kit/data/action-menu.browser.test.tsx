/** A menu whose list is loaded when somebody comes near it behaves as if it had been there. */
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { ActionMenu } from './action-menu.tsx';

const menu = (
  <>
    <button type="button">Before</button>
    <ActionMenu label="Account" target={<button type="button">Account</button>}
      actions={[{ label: 'Security', onSelect: () => {} }, { label: 'Sign out', onSelect: () => {} }]} />
  </>
);

test('opens at the first click, before its list was ever loaded', async () => {
  const screen = await staged(menu);
  await screen.getByRole('button', { name: 'Account' }).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
});

test('has the focus in its first entry, and gives it back to the opener that asked for it', async () => {
  const screen = await staged(menu);
  const opener = screen.getByRole('button', { name: 'Account' });
  // A press alone, as a program or a finger makes it: nobody came near before.
  (opener.element() as HTMLButtonElement).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Security' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(opener).toHaveFocus();
});

test('keeps the focus of the keyboard while the list comes, and opens with Enter', async () => {
  const screen = await staged(menu);
  const opener = screen.getByRole('button', { name: 'Account' });
  (opener.element() as HTMLButtonElement).focus();
  await expect.element(opener).toHaveAttribute('aria-haspopup', 'menu');
  await expect.element(opener).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('menuitem', { name: 'Security' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(opener).toHaveFocus();
});

function MenuOfForms() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <ActionMenu label="More" actions={[{ label: 'Put on hold', onSelect: () => setOpen(true) }]} />
      <Modal open={open} onClose={() => setOpen(false)} title="Put on hold"><input aria-label="Reason" /></Modal>
    </>
  );
}

test('a form that an entry opened gives the focus back to the button of the menu', async () => {
  const screen = await staged(<MenuOfForms />);
  const opener = screen.getByRole('button', { name: 'More' });
  await opener.click();
  await screen.getByRole('menuitem', { name: 'Put on hold' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Put on hold' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog', { name: 'Put on hold' })).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('refused entries have the focus and say why; Escape closes a menu of nothing else', async () => {
  const chosen = vi.fn();
  const screen = await staged(<ActionMenu actions={[{ label: 'Cancel', reason: 'It is over.', onSelect: chosen },
    { label: 'Move', reason: 'It is over.', onSelect: chosen }]} />);
  const opener = screen.getByRole('button', { name: 'More actions' });
  await opener.click();
  const first = screen.getByRole('menuitem', { name: 'Cancel It is over.' });
  await expect.element(first).toHaveFocus();
  await userEvent.keyboard('{Enter}{ArrowDown}');
  await expect.element(screen.getByRole('menuitem', { name: 'Move It is over.' })).toHaveFocus();
  expect(chosen).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  await expect.element(first).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});
