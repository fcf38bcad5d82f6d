/**
 * Tooltip timings on a controlled clock: states S99, S100, constants C52-C54. The pointer is moved by events and not
 * by the browser's driver, whose actions move the controlled clock along.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { IconButton } from '../button/button.tsx';
import { settled, staged } from '../stage.tsx';
import { TOOLTIP_OPEN_DELAY, TOOLTIP_SKIP_DELAY } from './tip.tsx';

const LONG = 'A sentence that is a good deal longer than one hundred and ninety-two pixels';

async function twoTargets() {
  await staged(
    <div style={{ padding: 80, display: 'flex', gap: 200 }}>
      <IconButton label={LONG} icon="x" /><IconButton label="Second" icon="y" />
      <div style={{ width: 40, height: 40 }}>away</div>
    </div>,
  );
  const first = page.getByRole('button', { name: LONG }).element();
  const second = page.getByRole('button', { name: 'Second' }).element();
  const away = page.getByText('away').element();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return { first, second, away };
}

/** The pointer goes from one element to another; the second movement ends the way a tooltip may be walked into. */
async function move(from: Element, to: Element) {
  const over = (element: Element) => {
    const spot = element.getBoundingClientRect();
    return { bubbles: true, pointerType: 'mouse', clientX: spot.right - 2, clientY: spot.bottom - 2 };
  };
  const at = over(to);
  from.dispatchEvent(new PointerEvent('pointerout', { ...over(from), relatedTarget: to }));
  from.dispatchEvent(new PointerEvent('pointerleave', { ...over(from), bubbles: false }));
  await settled();
  to.dispatchEvent(new PointerEvent('pointermove', at));
  await settled();
  to.dispatchEvent(new PointerEvent('pointermove', at));
  await settled();
}
async function passes(ms: number) {
  await vi.advanceTimersByTimeAsync(ms);
  await settled();
}
const tips = () => document.querySelectorAll('[data-radix-popper-content-wrapper]').length;

afterEach(() => { vi.useRealTimers(); });

test('[S99] [C52] [C54] opens after 700 ms, at most 192 px wide', async () => {
  const { first, away } = await twoTargets();
  await move(away, first);
  await passes(TOOLTIP_OPEN_DELAY - 1);
  expect(tips()).toBe(0);
  await passes(1);
  expect(tips()).toBe(1);
  const content = document.querySelector('[data-radix-popper-content-wrapper] > *')!;
  expect(content.getBoundingClientRect().width).toBeLessThanOrEqual(192);
  expect(getComputedStyle(content).maxWidth).toBe('192px');
  expect(TOOLTIP_OPEN_DELAY).toBe(700);
});

test('[S100] [C53] opens at once when another closed less than 300 ms ago, else after the delay', async () => {
  const { first, second, away } = await twoTargets();
  await move(away, first);
  await passes(TOOLTIP_OPEN_DELAY);
  expect(tips()).toBe(1);
  await move(first, away);
  expect(tips()).toBe(0);
  await passes(TOOLTIP_SKIP_DELAY - 1);
  await move(away, second);
  expect(tips()).toBe(1);

  await move(second, away);
  expect(tips()).toBe(0);
  await passes(TOOLTIP_SKIP_DELAY);
  await move(away, first);
  await passes(TOOLTIP_OPEN_DELAY - 1);
  expect(tips()).toBe(0);
  await passes(1);
  expect(tips()).toBe(1);
  expect(TOOLTIP_SKIP_DELAY).toBe(300);
});
