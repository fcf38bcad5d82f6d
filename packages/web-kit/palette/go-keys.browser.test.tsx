/** `g` and a letter: leads to a section, never while someone types, and the letter alone does nothing. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { useGoKeys } from './use-go-keys.ts';

function Screen() {
  useGoKeys({ l: '/admin/productions', q: '/admin/quotes' });
  return <input aria-label="Name" />;
}

beforeEach(() => window.history.replaceState(null, '', '/admin/venues'));

test('g l leads to the licences; a letter alone, or one that nothing is behind, stays', async () => {
  await staged(<Screen />);
  await userEvent.keyboard('l');
  await userEvent.keyboard('gz');
  await userEvent.keyboard('l');
  expect(window.location.pathname).toBe('/admin/venues');
  await userEvent.keyboard('gl');
  expect(window.location.pathname).toBe('/admin/productions');
});

test('who types a name stays', async () => {
  await staged(<Screen />);
  await userEvent.click(page.getByRole('textbox', { name: 'Name' }));
  await userEvent.keyboard('gq');
  expect(window.location.pathname).toBe('/admin/venues');
});
