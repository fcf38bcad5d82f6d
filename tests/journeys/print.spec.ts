/**
 * Screens in print (U22): their text without the frame and without controls, light, nothing cut at the right on A4 and
 * on Letter, every row, and in the file itself headers and page numbers on every sheet.
 */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Page } from '@playwright/test';
import { pageTable } from '#apps/web/src/page-table.ts';
import { FULL } from '#tests/support/full.ts';
import { faultsOfPaper, SHEETS, toPaper, toScreen } from './paper.ts';
import { addressOf } from './places.ts';
import { expect, paint, settled, test } from './visitor.ts';

const LICENCE = '/admin/customers/:customerId/productions/:productionId';
const PORTAL = '/customer/:customerId';
/** A list, reports of the ledger, a record, a document, the portal. */
const ONE_OF_EACH: readonly (readonly [path: string, query?: string])[] = [
  ['/admin/venues', 'search=a'], ['/admin/accounting/trial-balance'],
  ['/admin/accounting/general-ledger', 'account=1000'], ['/admin/accounts-receivable/invoices/:invoiceId'],
  [`${LICENCE}/price`], [`${PORTAL}/productions/:productionId/overview`],
];
/** More of the same kinds, in the full suite. */
const MORE: typeof ONE_OF_EACH = [
  ['/admin/finance/balance-sheet'], ['/admin/finance/profit-loss'], ['/admin/accounts-receivable/aging'],
  [`${LICENCE}/information`], ['/admin/sales-and-royalties/statements/:statementId'],
  ['/admin/sales-and-royalties/sales-orders/:salesOrderId'], [`${PORTAL}/statement`],
];
const PAPERS = FULL ? [...ONE_OF_EACH, ...MORE] : ONE_OF_EACH;
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
  test.skip(!FULL, 'In the full suite: drawing ten thousand rows takes half a minute.');
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
    // In which order the file draws them is the browser's.
    for (const word of ['Grand Rights', 'Printed ', 'General ledger', '1100 Accounts receivable']) {
      expect.soft(sheets[0], format).toContain(word);
    }
  }
});
