/** A menu that is loaded when somebody comes near it behaves as if it had been there. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { LateActionMenu } from './late-action-menu.tsx';

const menu = (
  <>
    <button type="button">Before</button>
    <LateActionMenu label="Account" target={<button type="button">Account</button>}
      actions={[{ label: 'Security', onSelect: () => {} }, { label: 'Sign out', onSelect: () => {} }]} />
  </>
);

test('opens at the first click, before its list was ever loaded', async () => {
  const screen = await staged(menu);
  await screen.getByRole('button', { name: 'Account' }).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
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
