/** Keyboard and one-finger checks of a screen (U16, U35), for journeys over some screens or all. */
import type { Page } from '@playwright/test';

/** More than any of these screens has, and fewer than each of them. */
export const STOPS = 260;
export const FEWEST = 10;

/** Goes once round the screen; what has the focus and nothing of it can be seen. */
export async function hiddenStops(page: Page): Promise<{ hidden: string[]; stops: number }> {
  const hidden = new Set<string>();
  let stops = 0;
  await page.evaluate(() => { (document.activeElement as HTMLElement | null)?.blur(); window.scrollTo(0, 0); });
  for (; stops < STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => new Promise<{ out?: true; over?: boolean; missed: string | null }>((tell) => {
      // Elements that scroll into view with the focus are still moving in the first frame, however short the way.
      requestAnimationFrame(() => requestAnimationFrame(() => {
        const one = document.activeElement;
        if (!one || one === document.body) { tell({ out: true, missed: null }); return; }
        const over = 'seen' in (one as HTMLElement).dataset;
        (one as HTMLElement).dataset.seen = '';
        // A hidden box is told by what stands around it.
        const shown = one.matches('input') ? one.closest('label') ?? one : one;
        const { left, right, top, bottom } = shown.getBoundingClientRect();
        const inset = 2;
        const points = [[left + inset, top + inset], [right - inset, top + inset], [left + inset, bottom - inset],
          [right - inset, bottom - inset], [(left + right) / 2, (top + bottom) / 2]] as const;
        const seen = points.some(([x, y]) => {
          const top = document.elementFromPoint(x, y);
          return top !== null && (shown.contains(top)
            || top.contains(shown) && !top.matches('header, [role="status"]'));
        });
        tell({ over, missed: seen ? null : one.outerHTML.slice(0, 120) });
      }));
    }));
    if (at.missed) hidden.add(at.missed);
    // Round, or out of the page's end; near the beginning a slow page has not moved yet, and a trap never gets on.
    if ((at.over || at.out) && stops > FEWEST) break;
  }
  return { hidden: [...hidden], stops };
}

/** Lower or narrower than 24 px, and another target is nearer than that (WCAG 2.5.8); words in a sentence are free. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const boxes = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.gr-hidden, .gr-skip'))
      .map((one) => ({ one, box: (one.matches('input') ? one.closest('label') ?? one : one).getBoundingClientRect() }));
    const inSentence = (one: Element): boolean => getComputedStyle(one).display === 'inline'
      && [...one.parentElement!.childNodes].some((near) => near.nodeType === 3 && near.textContent!.trim() !== '');
    const centre = ({ left, right, top, bottom }: DOMRect): [number, number] =>
      [(left + right) / 2, (top + bottom) / 2];
    return boxes.filter(({ one, box }) => {
      if (box.width >= least && box.height >= least || inSentence(one)) return false;
      const [x, y] = centre(box);
      return boxes.some((other) => {
        if (other.one === one || other.one.contains(one) || one.contains(other.one)) return false;
        const nearX = Math.max(other.box.left, Math.min(x, other.box.right));
        const nearY = Math.max(other.box.top, Math.min(y, other.box.bottom));
        return Math.hypot(nearX - x, nearY - y) < least / 2;
      });
    }).map(({ one, box }) => `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.textContent} ${
      Math.round(box.width)} by ${Math.round(box.height)}`).slice(0, 8);
  }, 23.5);
}
