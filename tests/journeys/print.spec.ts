/**
 * What a screen is on paper (U22): its words without the frame and without what one presses, light, nothing cut at the
 * right on A4 and on Letter, every row, and in the file itself heads and page numbers on every sheet.
 */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Page } from '@playwright/test';
import { pageTable } from '#apps/web/src/page-table.ts';
import { addressOf } from './places.ts';
import { expect, nextFrame, paint, settled, test } from './visitor.ts';

const LICENCE = '/admin/customers/:customerId/productions/:productionId';
const PORTAL = '/customer/:customerId';
/** Lists, reports of the ledger, records, documents, the portal. */
const PAPERS: readonly (readonly [path: string, query?: string])[] = [
  ['/admin/venues', 'search=a'], ['/admin/accounting/trial-balance'], ['/admin/finance/balance-sheet'],
  ['/admin/accounting/general-ledger', 'account=1000'], ['/admin/finance/profit-loss'],
  ['/admin/accounts-receivable/aging'], ['/admin/accounts-receivable/invoices/:invoiceId'],
  [`${LICENCE}/information`], [`${LICENCE}/price`], ['/admin/sales-and-royalties/statements/:statementId'],
  ['/admin/sales-and-royalties/sales-orders/:salesOrderId'], [`${PORTAL}/productions/:productionId/overview`],
  [`${PORTAL}/statement`],
];
/** px between the margins of the sheet (print.css): 12 mm at each side of 210 mm, of 8.5 inches. */
const SHEETS = [703, 725];

/** On the screen, in dark, with its rows counted; then as the printer sees it. */
async function toPaper(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 980 });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  // What holds for a width holds from the next frame on.
  await nextFrame(page);
}

async function toScreen(page: Page): Promise<void> {
  await page.emulateMedia({ media: null, reducedMotion: 'reduce' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
}

/** What paper must not have. */
function faultsOfPaper(page: Page, edge: number): Promise<string[]> {
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

const rows = (page: Page): Promise<number> => page.locator('tbody tr:not([aria-hidden])').count();

for (const [path, query] of PAPERS) {
  test(`${path} on paper`, async ({ visitor }) => {
    const row = pageTable.find((one) => one.path === path)!;
    const address = await addressOf(await visitor('admin'), row);
    const { page } = await visitor(row.area === 'customer' ? 'customer' : 'admin');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(query ? `${address}?${query}` : address);
    await settled(page);
    const held = await rows(page);
    await paint(page, 'dark');
    for (const width of SHEETS) {
      await toPaper(page, width);
      expect.soft(await faultsOfPaper(page, width), `on a sheet of ${width} px`).toEqual([]);
      expect.soft(await rows(page), 'rows').toBe(held);
      await expect.soft(page.getByText(/^Printed \w{3} \d+, \d{4}, /)).toBeVisible();
      await expect.soft(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await toScreen(page);
    }
  });
}

test('paper says in words what narrows a list, which part it is and whose books they are', async ({ visitor }) => {
  const { page } = await visitor('admin');
  await page.goto('/admin/venues?search=a&per_page=10');
  await settled(page);
  const words = page.getByText(/^Search “a” · 1 to 10 of \d+$/);
  await expect(words).toBeHidden();
  await toPaper(page, SHEETS[0]!);
  await expect(words).toBeVisible();
  await toScreen(page);
  await page.goto('/admin/accounting/trial-balance?division=UK&as_of=2026-06-30');
  await settled(page);
  await toPaper(page, SHEETS[0]!);
  await expect(page.getByText('Division UK', { exact: true })).toBeVisible();
  await expect(page.getByText('As of Jun 30, 2026', { exact: true }).first()).toBeVisible();
  await toScreen(page);
});

test('a table of thousands has every row on paper, and only those in view on the screen', async ({ visitor }) => {
  const { page } = await visitor('admin');
  await page.goto('/gallery');
  await settled(page);
  await page.getByRole('button', { name: 'Show ten thousand rows' }).click();
  const many = page.locator('[data-many] tbody tr[data-index]');
  await expect(many.first()).toBeAttached();
  expect(await many.count()).toBeLessThan(200);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(many).toHaveCount(10_000);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
});

/** Words of each sheet of a file. */
async function sheetsOf(file: Buffer): Promise<string[]> {
  const pdf = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
  return Promise.all(Array.from({ length: pdf.numPages }, async (_, index) => {
    const { items } = await (await pdf.getPage(index + 1)).getTextContent();
    return items.map((item) => ('str' in item ? item.str : '')).join(' ').replaceAll(/\s+/g, ' ');
  }));
}

test('every sheet of a long report has the heads of its columns and its number', async ({ visitor }) => {
  const { page } = await visitor('admin');
  await page.goto('/admin/accounting/general-ledger?account=1100');
  await settled(page);
  for (const format of ['A4', 'Letter']) {
    const sheets = await sheetsOf(await page.pdf({ format }));
    expect(sheets.length, format).toBeGreaterThan(1);
    for (const [index, words] of sheets.entries()) {
      expect.soft(words).toContain(`${index + 1} of ${sheets.length}`);
      expect.soft(words).toMatch(/Date .*Debit Credit Balance/);
    }
    expect(sheets[0]).toMatch(/Grand Rights .*Printed .*General ledger .*1100/);
  }
});
