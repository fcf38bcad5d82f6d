/**
 * Every page of the page table, opened by someone who may see it: its heading is there, nothing fails, axe finds
 * nothing on a desktop, in the light on every other page and in the dark on those between; on customers' pages and a
 * quarter of those of staff what a narrower screen can break holds on a phone, and nothing is wider than 320 px. A
 * screen with two addresses is opened by one of them (frames.ts). In `npm run test:full` each is opened by its address,
 * in both schemes and on a phone, axe looks at the width of a tablet, too, two more widths are measured, and what opens
 * on a page of each kind is looked at (OPENED=1; OPENED=all: on each page).
 */
import { appendFileSync } from 'node:fs';
import type { ConsoleMessage, Page, Response, ViewportSize } from '@playwright/test';
import { pageTable } from '#apps/web/src/page-table.ts';
import type { PageRow } from '#kit/page.ts';
import { FULL } from '#tests/support/full.ts';
import { faultsOfAxe } from './axe.ts';
import { kindOf, oneOfEach, twinsOf } from './frames.ts';
import { isAddressOf, keepLinks } from './links.ts';
import { faultsOfOpened } from './openers.ts';
import { addressOf } from './places.ts';
import { expect, goWithin, nextFrame, paint, readerOf, settled, test } from './visitor.ts';
import { PHONE, shiftOf, smallTouchTargets, TABLET, widerThanScreen, zoomingFields } from './widths.ts';

const DESKTOP = { width: 1280, height: 900 };
/** More make a screen slow to lay out (frontend.md 4.3). */
const MOST_ELEMENTS = 3_000;
/** Every component in every state, which nobody works on. */
const MOST_IN_GALLERY = 4_000;

interface Watch { complaints: string[]; stop: () => void }

/** Watches for page errors: logging an error, throwing, or getting a refusal. */
function watch(page: Page, tolerated: (url: URL) => boolean): Watch {
  const complaints: string[] = [];
  const onConsole = (message: ConsoleMessage): void => {
    // The browser's own line about a failed request is judged with the request.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`);
    }
  };
  const onError = (error: Error): void => { complaints.push(`thrown: ${error.message}`); };
  const onResponse = (response: Response): void => {
    if (response.status() >= 400 && !tolerated(new URL(response.url()))) {
      complaints.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    }
  };
  page.on('console', onConsole).on('pageerror', onError).on('response', onResponse);
  return { complaints,
    stop: () => { page.off('console', onConsole).off('pageerror', onError).off('response', onResponse); } };
}

/** Nobody is signed in on public pages, and a token that has run out is what they explain. */
const isPublicAnswer = (url: URL): boolean => url.pathname === '/api/users/me' || url.pathname.startsWith('/api/auth/');

/** Links inside the application that lead to no page of the table; the frame's own, the same everywhere, once. */
async function deadLinks(page: Page, row: PageRow): Promise<string[]> {
  keepLinks(row, await page.locator('a[href^="/"]').evaluateAll((links) =>
    links.map((link) => new URL((link as HTMLAnchorElement).href).pathname)));
  const withFrame = ['/admin/bookings', '/customer/:customerId'].includes(row.path);
  const targets = await page.locator(withFrame ? 'a[href^="/"]' : 'main a[href^="/"]').evaluateAll((links) =>
    links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
  return [...new Set(targets)].filter((path) => !/^\/(api|health|assets)\//.test(path)
    && !pageTable.some((known) => isAddressOf(known, path)));
}

/** One address of each area and frame is opened as such by states.spec.ts; most are opened as by a link here. */
const byAddress = (row: PageRow): boolean => FULL || row.area === 'public' || process.env.SHIFTS !== undefined;

type Scheme = 'dark' | 'light';

/** Motion is off, so that axe sees colours at rest and not on their way. */
async function open(page: Page, address: string, row: PageRow, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize(DESKTOP);
  await (byAddress(row) ? page.goto(address) : goWithin(page, address));
  await paint(page, scheme);
  await settled(page);
  // Layout shift is only measured (docs/benchmarks/feel.md): a slower machine shows more skeletons.
  if (process.env.SHIFTS) {
    const { sum, most } = await shiftOf(page);
    appendFileSync(process.env.SHIFTS, `${sum.toFixed(4)} ${row.path} ${most}\n`);
  }
  await showWhole(page, DESKTOP);
}

/** As high as its content: a row half behind the bar at the foot is no small target, it is only not scrolled to. */
async function showWhole(page: Page, size: ViewportSize): Promise<void> {
  await page.setViewportSize(size);
  await nextFrame(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...size, height: Math.max(size.height, height) });
  await nextFrame(page);
}

/** Rules a narrower screen can break: text that folds away was a name, targets come near each other, boxes scroll. */
const RULES_OF_ROOM = ['target-size', 'scrollable-region-focusable', 'button-name', 'link-name', 'label', 'select-name',
  'aria-hidden-focus', 'aria-input-field-name', 'nested-interactive'];

/** Faults axe finds on narrow screens: bars wrap, columns fold into rows, menus replace tabs. */
async function faultsOnNarrow(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of FULL ? [TABLET, PHONE] : [PHONE]) {
    await showWhole(page, size);
    found.push(...(await faultsOfAxe(page, RULES_OF_ROOM)).map((fault) => `at ${size.width}: ${fault}`));
  }
  return found;
}

const twins = FULL ? new Set<PageRow>() : twinsOf<PageRow>(pageTable);
const opened: readonly PageRow[] = pageTable.filter((row) => !twins.has(row));
const rows = opened.filter((row) => !row.redirectTo);
const firstOfArea = new Set<PageRow>(oneOfEach(rows, (row) => row.area));
/** Whether the page, and the frame around it, is looked at in both schemes. */
const isInBoth = (row: PageRow): boolean => FULL || row.area === 'public' || firstOfArea.has(row);
/** Whether the page is narrowed, too: every page of customers and visitors, of staff one of four. */
const isNarrowed = (row: PageRow): boolean => FULL || ['public', 'customer'].includes(row.area)
  || rows.indexOf(row) % 4 === 0;
/** The first scheme of a page: every other page begins in the dark. Colours are the same tokens on all of them. */
const schemeOf = (row: PageRow): Scheme => !isInBoth(row) && rows.indexOf(row) % 2 === 1 ? 'dark' : 'light';

const withOpened = new Set<PageRow>(process.env.OPENED === 'all' ? rows : process.env.OPENED ? oneOfEach(rows, kindOf)
  : []);

test.describe('pages for those who may see them', () => {
  // Two thirds of the journeys' time: every worker takes its share of them.
  test.describe.configure({ mode: 'parallel' });
  for (const row of opened) {
    test(row.path, async ({ visitor }) => {
      const address = await addressOf(await visitor('admin'), row);
      const { page } = await visitor(readerOf(row));
      const seen = watch(page, row.area === 'public' ? isPublicAnswer : () => false);
      try {
        await open(page, address, row, schemeOf(row));
        const heading = page.getByRole('heading', { level: 1 });
        await expect(heading.first()).not.toHaveText(/^(Something went wrong\.|401 - Unauthorized)?$/);
        if (row.redirectTo) {
          // Its screen has a row of its own.
          await expect(page).not.toHaveURL(address);
          expect(seen.complaints, 'what the page complained of').toEqual([]);
          return;
        }
        expect.soft(await deadLinks(page, row), 'links that lead nowhere').toEqual([]);
        expect.soft(await page.locator('*').count(), 'elements of the screen')
          .toBeLessThanOrEqual(row.path === '/gallery' ? MOST_IN_GALLERY : MOST_ELEMENTS);
        expect.soft(await faultsOfAxe(page), `axe, ${schemeOf(row)}`).toEqual([]);
        if (isInBoth(row)) {
          await paint(page, 'dark');
          // Dark changes colours and nothing else.
          expect.soft(await faultsOfAxe(page, ['color-contrast']), 'axe, dark').toEqual([]);
        }
        if (isNarrowed(row)) {
          expect.soft(await faultsOnNarrow(page), 'axe, narrow').toEqual([]);
          expect.soft(await widerThanScreen(page), 'wider than the screen').toEqual([]);
          expect.soft(await zoomingFields(page), 'fields a phone zooms into').toEqual([]);
        }
        if (row.area === 'customer') expect.soft(await smallTouchTargets(page), 'too small to touch').toEqual([]);
        expect.soft(seen.complaints, 'what the page complained of').toEqual([]);
        // In the full suite only: it takes three times as long as all the rest (CONTRIBUTING.md).
        if (withOpened.has(row)) {
          seen.stop();
          await paint(page, 'light');
          expect.soft(await faultsOfOpened(page, address, row.path), 'what opens, on a phone').toEqual([]);
        }
      } finally {
        seen.stop();
      }
    });
  }
});
