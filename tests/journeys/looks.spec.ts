/**
 * Screens look as they were recorded, in light and in dark: the gallery of the kit, and screens that hold nothing of
 * the season that depends on the day. Compared only in the browser and with the faces of the recording, else not run.
 * `LOOKS=record` writes them anew. Runs before the other journeys, which write.
 */
import type { Page } from '@playwright/test';
import { changed, fontsMark, lookOf, readRecorded, writeRecorded, type Recorded } from './looks.ts';
import { expect, settled, test, type Person } from './visitor.ts';

const RECORD = process.env.LOOKS === 'record';
/** Of the 4,560 cells of a screen. */
const TOLERATED = 14;
const SIZE = { width: 1280, height: 912 };

const SCREENS: readonly (readonly [Person | null, string])[] = [
  [null, '/login'], [null, '/register'], [null, '/forgot-password'], [null, '/join/no-such-token-any-more'],
  ['admin', '/gallery'], ['admin', '/admin/venues/create'], ['admin', '/admin/vendors/create'],
  ['admin', '/admin/warehouses/create'], ['admin', '/admin/sales-items/create'], ['admin', '/admin/materials/create'],
  ['admin', '/admin/templates/bom/create'], ['admin', '/admin/materials/subcategories/create'],
  ['admin', '/admin/customers/add'], ['admin', '/admin/customers/customer-classifications/create'],
  ['admin', '/admin/materials/subcategories/libretto'], ['admin', '/admin/staff/permissions'],
  ['admin', '/admin/templates/bom/trash'], ['admin', '/admin/no-such-page'],
  ['system', '/select'], ['customer', '/select-portal'],
];

/** The gallery is longer than a screen: it is looked at in parts. */
const PARTS: Readonly<Record<string, number>> = { '/gallery': 5 };

async function paint(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(async (wanted) => {
    document.documentElement.setAttribute('data-mantine-color-scheme', wanted);
    const frames = () => new Promise((next) => { requestAnimationFrame(() => requestAnimationFrame(next)); });
    do await frames(); while (document.getAnimations().some((one) => one instanceof CSSTransition));
  }, scheme);
}

const recorded: Recorded = RECORD ? { chromium: '', fonts: '', looks: {} } : readRecorded();

test.describe('looks', () => {
  test.beforeEach(({ browser }) => {
    const here = { chromium: browser.version(), fonts: fontsMark() };
    if (RECORD) Object.assign(recorded, here);
    const same = here.chromium === recorded.chromium && here.fonts === recorded.fonts;
    test.skip(!same, `NOT RUN: Chromium ${here.chromium}, fonts ${here.fonts}; recorded with ${recorded.chromium}, ${
      recorded.fonts}`);
  });
  test.afterAll(() => { if (RECORD) writeRecorded(recorded); });

  for (const [person, address] of SCREENS) {
    test(address, async ({ visitor, context }, info) => {
      const { page } = await visitor(person);
      const canvas = await context.newPage();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize(SIZE);
      await page.goto(address);
      await settled(page);
      await page.mouse.move(0, 0);
      for (const scheme of ['light', 'dark'] as const) {
        await paint(page, scheme);
        for (let part = 0; part < (PARTS[address] ?? 1); part += 1) {
          await page.evaluate((top) => window.scrollTo(0, top), part * 800);
          const name = `${address} ${scheme}${part === 0 ? '' : ` ${part}`}`;
          const look = await lookOf(page, canvas);
          if (RECORD) { recorded.looks[name] = look; continue; }
          const difference = changed(recorded.looks[name] ?? { ...look, width: 0 }, look);
          if (!difference || difference.cells > TOLERATED) {
            await info.attach(`${name}.png`, { body: await page.screenshot(), contentType: 'image/png' });
          }
          expect.soft(difference?.cells ?? 'another size', `${name}, cells that changed, ${difference?.where ?? ''}`)
            .toBeLessThanOrEqual(TOLERATED);
        }
        await page.evaluate(() => window.scrollTo(0, 0));
      }
      await paint(page, 'light');
      await canvas.close();
    });
  }
});
