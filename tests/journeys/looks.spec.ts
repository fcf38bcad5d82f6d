/**
 * Screens look as they were recorded, in light and in dark: the gallery of the kit, and screens that hold nothing of
 * the season that depends on the day but the days themselves, which are replaced; one of each kind, and all of them in
 * the full suite. Compared only in the browser and with the faces of the recording, else not run. `LOOKS=record` writes
 * them anew. Runs before the other journeys.
 */
import type { Page } from '@playwright/test';
import { FULL } from '#tests/support/full.ts';
import { changed, fontsMark, lookOf, readRecorded, writeRecorded, type Recorded } from './looks.ts';
import { expect, paint, settled, test, type Person } from './visitor.ts';

const RECORD = process.env.LOOKS === 'record';
/** Of the 4,560 cells of a screen. */
const TOLERATED = 14;
const SIZE = { width: 1280, height: 912 };

/** Person, address of the screen, and the button that is pressed first: the part it opens is inspected. */
const ALL_SCREENS: readonly (readonly [Person | null, string, string?])[] = [
  ['admin', '/gallery'],
  [null, '/login'], [null, '/register'], [null, '/forgot-password'], [null, '/join/no-such-token-any-more'],
  ['admin', '/admin/venues/create'], ['admin', '/admin/vendors/create'],
  ['admin', '/admin/warehouses/create'],
  ['admin', '/admin/templates/bom/create'], ['admin', '/admin/materials/subcategories/create'],
  ['admin', '/admin/customers/add'], ['admin', '/admin/customers/customer-classifications/create'],
  ['admin', '/admin/materials/subcategories/libretto'], ['admin', '/admin/staff/permissions'],
  ['admin', '/admin/templates/bom/trash'], ['admin', '/admin/no-such-page'],
  ['admin', '/admin/venues'], ['admin', '/admin/vendors'], ['admin', '/admin/warehouses'],
  ['admin', '/admin/materials/subcategories'], ['admin', '/admin/customers/customer-classifications'],
  ['admin', '/admin/staff/groups'], ['admin', '/admin/staff/teams'], ['admin', '/admin/quotes/create'],
  ['admin', '/admin/accounting/chart-of-accounts/create'], ['admin', '/admin/accounting/headers'],
  ['admin', '/admin/accounting/headers/create'], ['admin', '/admin/accounting/transactions/create'],
  ['admin', '/admin/accounts-receivable/invoices/create'], ['admin', '/admin/royaltors/create'],
  ['system', '/select'], ['system', '/system/divisions'],
  ['customer', '/select-portal'],
  ['admin', '/admin/staff/groups', 'New group'],
  ['customer', '/customer/1/shows'], ['customer', '/customer/1/shop'], ['customer', '/customer/1/perusals'],
  ['customer', '/customer/1/information'], ['customer', '/customer/1/users'],
  ['customer', '/customer/1/account/profile'], ['customer', '/customer/1/account/notification'],
];

/** The kit, the sign-in, a list, a form, entries of the ledger, a matrix, a dialog, the system, and the portal. */
const KINDS = ['/gallery', '/login', '/admin/venues', '/admin/venues/create', '/admin/accounting/transactions/create',
  '/admin/staff/permissions', '/admin/staff/groups', '/system/divisions', '/customer/1/shop', '/customer/1/users'];
const SCREENS = FULL || RECORD ? ALL_SCREENS : ALL_SCREENS.filter(([, address, press]) =>
  KINDS.includes(address) && (address !== '/admin/staff/groups' || press));

/** The gallery is longer than a screen: it is looked at in parts, and drawn for longer. */
const PARTS: Readonly<Record<string, number>> = { '/gallery': 8 };
const STEP = 800;
const GALLERY_TIME = 240_000;

/** In an answer: a day, or a moment of a day. */
const DAYS_OF_ANSWERS = /"\d{4}-\d\d-\d\d(T[^"]*)?"/g;

/**
 * Days and hours of the season move with the day of the run: one day stands for all of them. It stands in the answers,
 * since columns are as wide as what is in them, and '9:05 AM' is not as wide as '10:22 AM'.
 */
async function answerOneDay(page: Page): Promise<void> {
  // Events arrive as a stream, which has no end to wait for.
  await page.route(/\/api\/(?!events$)/, async (route) => {
    const answer = await route.fetch();
    if (!answer.headers()['content-type']?.includes('json')) return route.fulfill({ response: answer });
    const body = (await answer.text()).replace(DAYS_OF_ANSWERS, (_, hour) =>
      (hour ? '"2027-01-12T15:30:00.000Z"' : '"2027-01-12"'));
    return route.fulfill({ response: answer, body });
  });
}

/** The days that the screen itself names: it knows today. */
function stopDays(page: Page): Promise<void> {
  return page.evaluate(() => {
    const day = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}, \d{4}(?:, \d{1,2}:\d{2} [AP]M)?/g;
    const still = (text: string): string => text.replace(day, (found) =>
      (found.includes(':') ? 'Jan 12, 2027, 10:30 AM' : 'Jan 12, 2027'));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const now = still(text.nodeValue ?? '');
      if (now !== text.nodeValue) text.nodeValue = now;
    }
    for (const field of document.querySelectorAll('input')) {
      if (/^\d\d\/\d\d\/\d{4}$/.test(field.value)) field.value = '01/12/2027';
    }
  });
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

  for (const [person, address, press] of SCREENS) {
    const name = press ? `${address}, ${press}` : address;
    test(name, async ({ visitor, context }, info) => {
      if (PARTS[address]) test.setTimeout(GALLERY_TIME);
      const page = await (await visitor(person)).context.newPage();
      const canvas = await context.newPage();
      await answerOneDay(page);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize(SIZE);
      await page.goto(address);
      await settled(page);
      if (press) {
        await page.getByRole('button', { name: press }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      }
      await page.mouse.move(0, 0);
      await stopDays(page);
      const compare = async (key: string): Promise<void> => {
        const look = await lookOf(page, canvas);
        if (RECORD) { recorded.looks[key] = look; return; }
        const difference = changed(recorded.looks[key] ?? { ...look, width: 0 }, look);
        if (!difference || difference.cells > TOLERATED) {
          await info.attach(`${key}.png`, { body: await page.screenshot(), contentType: 'image/png' });
        }
        expect.soft(difference?.cells ?? 'another size', `${key}, cells that changed, ${difference?.where ?? ''}`)
          .toBeLessThanOrEqual(TOLERATED);
      };
      for (const scheme of ['light', 'dark'] as const) {
        await paint(page, scheme);
        for (let part = 0; part < (PARTS[address] ?? 1); part += 1) {
          if (PARTS[address]) await page.evaluate((top) => window.scrollTo(0, top), part * STEP);
          await compare(`${name} ${scheme}${part === 0 ? '' : ` ${part}`}`);
        }
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.close();
      await canvas.close();
    });
  }
});
