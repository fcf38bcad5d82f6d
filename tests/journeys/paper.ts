/** Checks of a screen in print (U22), for the journeys that check some screens or all. */
import type { Page } from '@playwright/test';
import { nextFrame } from './visitor.ts';

/** px between the margins of the sheet (print.css): 12 mm at each side of 210 mm, of 8.5 inches. */
export const SHEETS = [703, 725];

/** On the screen, in dark, with its rows counted; then as the printer sees it. */
export async function toPaper(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 980 });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  // Styles for a width apply from the next frame on.
  await nextFrame(page);
}

export async function toScreen(page: Page): Promise<void> {
  await page.emulateMedia({ media: null, reducedMotion: 'reduce' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
}

/** Faults in print. */
export function faultsOfPaper(page: Page, edge: number): Promise<string[]> {
  return page.evaluate((wide) => {
    const seen = (one: Element): boolean => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const named = (one: Element): string => `${one.tagName.toLowerCase()}.${one.className} ${
      (one.textContent ?? '').trim().slice(0, 40)}`;
    const all = [...document.querySelectorAll('body *')].filter((one) => seen(one) && !one.closest('.gr-hidden'));
    const faults = (what: string, those: Element[]): string[] =>
      those.slice(0, 4).map((one) => `${what}: ${named(one)}`);
    const styled = (fits: (style: CSSStyleDeclaration, one: Element) => boolean): Element[] =>
      all.filter((one) => fits(getComputedStyle(one), one));
    return [
      ...faults('of the frame', all.filter((one) => one.matches('nav, [role="tablist"], [role="tooltip"], .gr-skip'))),
      ...faults('to press', all.filter((one) => one.matches('button') && !one.matches('td *, th *'))),
      ...faults('box of a row', all.filter((one) => one.matches('td [type="checkbox"], th [type="checkbox"]'))),
      ...faults('stays in view', styled((style) => ['sticky', 'fixed'].includes(style.position))),
      ...faults('cut at the right', all.filter((one) => one.getBoundingClientRect().right > wide + 1)),
      ...faults('cut words', styled((style, one) => style.textOverflow === 'ellipsis' && style.overflowX !== 'visible'
        && one.scrollWidth > one.clientWidth + 1)),
      ...faults('underlined', styled((style, one) => one.matches('a') && style.textDecorationLine !== 'none')),
      ...faults('head only once', styled((style, one) => one.matches('thead')
        && style.display !== 'table-header-group')),
      ...faults('total on every sheet', styled((style, one) => one.matches('tfoot')
        && style.display !== 'table-row-group')),
      ...faults('row that breaks', styled((style, one) => one.matches('tr') && style.breakInside !== 'avoid')),
      ...faults('dark', styled((style, one) => one.matches('body, main, h1') && (style.color !== 'rgb(0, 0, 0)'
        || !/^(rgb\(255, 255, 255\)|rgba\(0, 0, 0, 0\))$/.test(style.backgroundColor)))),
    ];
  }, edge);
}
