/** Tooltip timings on a controlled clock: states S99, S100, constants C52-C54. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { IconButton } from './button.tsx';
import { staged } from './stage.tsx';
import { TOOLTIP_OPEN_DELAY, TOOLTIP_SKIP_DELAY } from './tip.tsx';

const LONG = 'A sentence that is a good deal longer than one hundred and ninety-two pixels';

async function twoTargets() {
  await staged(
    <div style={{ padding: 80, display: 'flex', gap: 200 }}>
      <IconButton label={LONG} icon="x" /><IconButton label="Second" icon="y" />
      <div style={{ width: 40, height: 40 }}>away</div>
    </div>,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}
const tips = () => document.querySelectorAll('[data-radix-popper-content-wrapper]').length;
/** Out of the target and one step further: a tooltip may be walked into, so it waits for the second movement. */
async function leave() {
  await page.getByText('away').hover({ position: { x: 4, y: 4 } });
  await page.getByText('away').hover({ position: { x: 30, y: 30 } });
}
const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => { await userEvent.unhover(document.body); });
afterEach(() => { vi.useRealTimers(); });

test('[S99] [C52] [C54] opens after 700 ms, at most 192 px wide', async () => {
  await twoTargets();
  await page.getByRole('button', { name: LONG }).hover();
  await passes(TOOLTIP_OPEN_DELAY - 1);
  expect(tips()).toBe(0);
  await passes(1);
  await expect.poll(tips).toBe(1);
  const content = document.querySelector('[data-radix-popper-content-wrapper] > *')!;
  expect(content.getBoundingClientRect().width).toBeLessThanOrEqual(192);
  expect(TOOLTIP_OPEN_DELAY).toBe(700);
});

test('[S100] [C53] opens at once when another closed less than 300 ms ago, else after the delay', async () => {
  await twoTargets();
  const second = page.getByRole('button', { name: 'Second' });
  await page.getByRole('button', { name: LONG }).hover();
  await passes(TOOLTIP_OPEN_DELAY);
  await expect.poll(tips).toBe(1);
  await leave();
  await expect.poll(tips).toBe(0);
  await passes(TOOLTIP_SKIP_DELAY - 1);
  await second.hover();
  await expect.poll(tips).toBe(1);

  await leave();
  await expect.poll(tips).toBe(0);
  await passes(TOOLTIP_SKIP_DELAY);
  await second.hover();
  await passes(TOOLTIP_OPEN_DELAY - 1);
  expect(tips()).toBe(0);
  await passes(1);
  await expect.poll(tips).toBe(1);
  expect(TOOLTIP_SKIP_DELAY).toBe(300);
});
