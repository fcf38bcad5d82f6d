/** Layout of a screen at widths of tablets and phones, and its shifts while it loads. */
import type { Page } from '@playwright/test';
import { FULL } from '#tests/support/full.ts';
import { expect, loading, nextFrame } from './visitor.ts';

export const TABLET = { width: 768, height: 1024 };
export const PHONE = { width: 390, height: 844 };
/** px: a phone and the least that must do (WCAG 1.4.10); in the full suite a tablet and 200% of 1280, too. */
const NARROW = FULL ? [TABLET.width, 640, PHONE.width, 320] : [PHONE.width, 320];

/** Elements that extend past the right edge at one of these widths (px); the page is left as wide as a phone. */
export async function widerThanScreen(page: Page, widths = NARROW): Promise<string[]> {
  const wider: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ ...PHONE, width });
    await expect(loading(page)).toHaveCount(0);
    // Styles for a width apply from the next frame on.
    await nextFrame(page);
    wider.push(...await page.evaluate((edge) => document.documentElement.scrollWidth <= edge ? []
      : [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > edge + 1)
        .slice(0, 5).map((one) => `at ${edge}: ${one.tagName.toLowerCase()}.${one.className} ends at ${
          Math.round(one.getBoundingClientRect().right)}`), width));
  }
  await page.setViewportSize(PHONE);
  return wider;
}

/** Touch targets of customers on a phone lower or narrower than 44 px; links inside a sentence count as text (U29). */
export function smallTouchTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const place = (one: Element): DOMRect => (one.matches('input')
      ? one.closest('label') ?? one.parentElement! : one).getBoundingClientRect();
    const inSentence = (one: Element): boolean => getComputedStyle(one).display === 'inline'
      && [...one.parentElement!.childNodes].some((near) => near.nodeType === 3 && near.textContent!.trim() !== '');
    return [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')].filter((one) => {
      if (!one.checkVisibility({ visibilityProperty: true })) return false;
      if (one.closest('.gr-hidden, .gr-skip, thead')) return false;
      const { width, height } = place(one);
      return (width < least || height < least) && !inSentence(one);
    }).map((one) => `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.textContent} ${
      Math.round(place(one).width)} by ${Math.round(place(one).height)}`).slice(0, 8);
  }, 43.5);
}

/** Fields into which a phone zooms when they are touched: their text is below 16 px. */
export function zoomingFields(page: Page): Promise<string[]> {
  return page.evaluate(() => [...document.querySelectorAll<HTMLElement>('input, textarea, select')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.gr-hidden')
      && !one.matches('[type="checkbox"], [type="radio"], [type="file"]')
      && Number.parseFloat(getComputedStyle(one).fontSize) < 16)
    .map((one) => `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.getAttribute('name')
      ?? one.id}`).slice(0, 8));
}

/** By how much the screen moved while it came, without a hand at it: Cumulative Layout Shift, and what moved most. */
export function shiftOf(page: Page): Promise<{ sum: number; most: string }> {
  return page.evaluate(() => new Promise((resolve) => {
    interface Shift extends PerformanceEntry { value: number; hadRecentInput: boolean; sources: { node?: Node }[] }
    const watcher = new PerformanceObserver((list) => {
      watcher.disconnect();
      const shifts = (list.getEntries() as Shift[]).filter((one) => !one.hadRecentInput);
      const worst = shifts.toSorted((a, b) => b.value - a.value)[0];
      const moved = worst?.sources.map(({ node }) => node instanceof Element
        ? `${node.tagName.toLowerCase()}.${node.className}` : node?.textContent?.slice(0, 40)).join(', ');
      resolve({ sum: shifts.reduce((all, one) => all + one.value, 0), most: moved ?? '' });
    });
    watcher.observe({ type: 'layout-shift', buffered: true });
    // Nothing moved: nobody calls.
    setTimeout(() => { watcher.disconnect(); resolve({ sum: 0, most: '' }); }, 100);
  }));
}
