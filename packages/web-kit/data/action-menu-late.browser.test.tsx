/** The list of a menu is loaded once for all: what happens while it comes is asked before any other test opened one. */
import { expect, test } from 'vitest';
import { staged } from '#web/controls/stage.tsx';
import { ActionMenu } from './action-menu.tsx';

test('its button stays the same one when the list comes: a press that has begun is not lost', async () => {
  const screen = await staged(<ActionMenu label="Account" target={<button type="button">Account</button>}
    actions={[{ label: 'Sign out', onSelect: () => {} }]} />);
  const opener = screen.getByRole('button', { name: 'Account' });
  const before = opener.element() as HTMLButtonElement;
  // A press alone: nobody came near, so the list is fetched now.
  before.click();
  await expect.element(screen.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  expect(before.isConnected).toBe(true);
  expect(before.getAttribute('aria-expanded')).toBe('true');
});
