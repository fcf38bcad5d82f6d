/**
 * System preferences of the reader (U34): forced colors, where focus and selection must still be visible and axe finds
 * nothing, and reduced motion, where nothing moves but spinners. A few screens that include every part of the kit.
 */
import type { Page } from '@playwright/test';
import { FULL } from '#tests/support/full.ts';
import { faultsOfAxe } from './axe.ts';
import { expect, settled, test, type Person } from './visitor.ts';

const ALL_SCREENS: readonly (readonly [Person | null, string])[] = [
  [null, '/login'], ['admin', '/gallery'], ['admin', '/admin'], ['admin', '/admin/productions'],
  ['customer', '/customer'],
];
/** In `npm test` the gallery, which has every component, and the frame of customers. */
const SCREENS = ALL_SCREENS.filter(([, address]) => FULL || ['/gallery', '/customer'].includes(address));
/** Number of Tab stops inspected. */
const STOPS = 30;

/** Stops of the Tab key at which nothing tells where one is. */
async function unseenFocus(page: Page): Promise<string[]> {
  const unseen: string[] = [];
  for (let stop = 0; stop < STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const missed = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return null;
      const outlined = (one: Element | null): boolean => {
        if (!one) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(one);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
      };
      // A field shows it on its frame, a hidden radio on the choice around it.
      return outlined(at) || outlined(at.parentElement) || outlined(at.closest('label')) ? null
        : at.outerHTML.slice(0, 140);
    });
    if (missed) unseen.push(missed);
  }
  return [...new Set(unseen)];
}

/** Current or selected items that look like a neighbor that is not. */
function unseenChoices(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const look = (one: Element): string => ['', '::before', '::after'].map((part) => {
      const style = getComputedStyle(one, part || null);
      return [style.content, style.backgroundColor, style.color, style.outlineStyle, style.borderTopStyle,
        style.borderBottomStyle, style.borderLeftStyle, style.fontWeight, style.textDecorationLine].join();
    }).join(';');
    const pairs: [string, string][] = [['[aria-current="page"]', 'a:not([aria-current])'],
      ['[aria-selected="true"]', '[aria-selected="false"]'], ['[aria-pressed="true"]', '[aria-pressed="false"]']];
    return pairs.flatMap(([chosen, other]) => [...document.querySelectorAll(chosen)].flatMap((one) => {
      const near = [...one.parentElement!.children].find((sibling) => sibling.matches(other))
        ?? [...one.parentElement?.parentElement?.querySelectorAll(other) ?? []][0];
      return near && one.checkVisibility() && look(near) === look(one) ? [one.outerHTML.slice(0, 140)] : [];
    }));
  });
}

/** From the first frame on: what comes in must not move either. */
async function watchMotion(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved = new Set<string>();
    Object.assign(window, { moved });
    const look = (): void => {
      for (const one of document.getAnimations()) {
        const target = (one.effect as KeyframeEffect | null)?.target;
        const moves = Number(one.effect?.getComputedTiming().duration) > 1 && one.playState === 'running';
        if (moves && !target?.matches('[data-spinner]')) moved.add(`${target?.tagName} ${target?.className}`);
      }
      // Not in every frame: a page of many parts would be looked at more than drawn.
      setTimeout(() => requestAnimationFrame(look), 50);
    };
    requestAnimationFrame(look);
  });
}

for (const [person, address] of SCREENS) {
  test(`${address} in forced colours, without motion`, async ({ visitor }) => {
    // A page of its own: what watches the motion stays in it, and would go on for the pages of other tests.
    const page = await (await visitor(person)).context.newPage();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await watchMotion(page);
    await page.goto(address);
    await settled(page);
    expect.soft(await unseenChoices(page), 'chosen and not to be told').toEqual([]);
    expect.soft(await unseenFocus(page), 'focused and not to be told').toEqual([]);
    expect.soft(await faultsOfAxe(page), 'axe').toEqual([]);
    expect(await page.evaluate(() => [...(window as unknown as { moved: Set<string> }).moved]), 'moves').toEqual([]);
    await page.close();
  });
}
