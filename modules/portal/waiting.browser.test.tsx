/** Skeletons for late content: bars of its size, under its title (U13). */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { CardSkeleton, WAITING } from './portal-parts.web.tsx';

test('a card that waits has its title, is busy, and has a bar of the height of each line', async () => {
  await staged(<CardSkeleton {...WAITING.addresses} />);
  await expect.element(page.getByRole('heading', { name: 'Shipping addresses' })).toBeVisible();
  const bars = [...document.querySelectorAll('[aria-busy="true"] [aria-busy="true"] > *')];
  expect(bars.map((bar) => bar.getBoundingClientRect().height)).toEqual([...WAITING.addresses.lines]);
});
