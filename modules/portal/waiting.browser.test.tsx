/** What comes late stands behind bars of its size, under its title (U13). */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { CardWaiting, WAITING } from './portal-parts.web.tsx';

test('a card that waits has its title, is busy, and is as high as its lines', async () => {
  await staged(<CardWaiting {...WAITING.addresses} />);
  await expect.element(page.getByRole('heading', { name: 'Where we send things' })).toBeVisible();
  const busy = document.querySelector('[aria-busy="true"]')!;
  expect(busy.getBoundingClientRect().height).toBeGreaterThan(44 + 46);
});
