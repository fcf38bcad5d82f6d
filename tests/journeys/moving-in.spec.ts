/**
 * Story 10, moving in, in the browser: Maria imports the lists of a house in Cologne one by one, then posts its former
 * books set by set; each preview counts what comes of it, 3999 ends at zero, and the office reads the old house's own
 * figures: aging, royaltors, bank, stock. Theo's lists answer while an import works. The files are those of
 * tests/stories/moving-in.test.ts, with Excel's letters, dates, commas, lost zeros and duplicates.
 */
// cspell:ignore Druckerei UHRWERK
import type { Locator, Page } from '@playwright/test';
import { FULL } from '#tests/support/full.ts';
import { AUTHORS, BANK, DEFERRED, DEPOSITS, oldBooks, oldLists, OWED, OWED_TO_VENDOR, type OldBooks, type OldList }
  from '#tests/support/old-house.ts';
import { openHouse, type House } from './house.ts';
import { choose } from './select.ts';
import { cellsIn, type Cells } from './table.ts';
import { expect, goWithin, settled, test } from './visitor.ts';
import { PHONE } from './widths.ts';

const CUSTOMERS = 10;
/** ms that work may take on a busy machine; nothing is measured. */
const PATIENCE = { timeout: 120_000 };
const TEMPLATES: Readonly<Record<OldList['model'], string>> = { shows: 'Shows and writers', venues: 'Venues',
  royaltors: 'Royaltors', agreements: 'Agreements and shares', customers: 'Customers', vendors: 'Vendors',
  materials: 'Materials', stock_counts: 'Stock count' };

async function open(page: Page, address: string): Promise<void> {
  await goWithin(page, address);
  await settled(page);
}

const main = (page: Page): Locator => page.getByRole('main');

/** Figures by the names that stand over or beside them. */
async function facts(within: Locator): Promise<Record<string, string>> {
  const pairs = await within.locator('dl > div').evaluateAll((found) => found.map((one) =>
    [one.querySelector('dt')?.textContent.trim() ?? '', one.querySelector('dd')?.textContent.trim() ?? ''] as const));
  return Object.fromEntries(pairs);
}

async function give(dialog: Locator, { name, content }: { name: string; content: Buffer }): Promise<void> {
  await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream',
    buffer: content });
}

/** `1.200` seats can be read in two ways: nothing is ready before a person says which it is. */
async function sayDecimals(page: Page): Promise<void> {
  await expect(main(page).getByText('Not ready yet')).toBeVisible(PATIENCE);
  await main(page).getByText('1.234,50', { exact: true }).locator('..')
    .getByRole('button', { name: 'Use this format' }).click();
  await main(page).getByRole('button', { name: 'Save and check again' }).click();
}

/** From the file to its last row, while the other person's list answers. */
async function bring(house: House, page: Page, other: Page, list: OldList): Promise<void> {
  await open(page, '/admin/imports/history');
  await page.getByRole('button', { name: 'Import a file' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Import a file' });
  await choose(page, dialog, 'Template', TEMPLATES[list.model]);
  await give(dialog, list);
  await expect(page).toHaveURL(/\/history\/\d+$/, PATIENCE);
  if (list.asks) await sayDecimals(page);

  const { ready, duplicate, refused } = list;
  const start = main(page).or(page.getByRole('complementary')).getByRole('button', {
    name: `Import ${ready} row${ready === 1 ? '' : 's'}` }).first();
  await expect(start).toBeEnabled(PATIENCE);
  const counts = { 'Already there': String(duplicate), 'Left out': String(refused) };
  const rows = String(ready + duplicate + refused);
  expect(await facts(page.locator('body')), list.model).toMatchObject({ ...counts, 'Rows in the file': rows,
    'Would be imported': String(ready) });
  await start.click();
  await expect(main(page).getByText(/^Working/)).toBeVisible(PATIENCE);
  await Promise.all([house.ask({ ask: 'job', name: 'work-imports' }), open(other, '/admin/customers')]);
  const results = page.getByRole('group', { name: 'Results by row' });
  await expect(results).toBeVisible(PATIENCE);
  expect(await facts(results), list.model).toMatchObject({ ...counts, 'Rows': rows, 'Imported': String(ready) });
}

/** A licence of Clockwork that somebody paid deposits for; answers its number. */
async function startQuote(page: Page): Promise<string> {
  await open(page, '/admin/quotes/create?division=EU');
  await choose(page, page, 'Customer', 'O’Neill Players');
  await choose(page, page, 'Show', 'Clockwork');
  await page.getByRole('button', { name: 'Create quote' }).first().click();
  await expect(page).toHaveURL(/\/quotes\/\d+\/venues$/, PATIENCE);
  await settled(page);
  return /\bQ-EU-\d+-\d+/.exec(await main(page).innerText())![0];
}

/** As the screens write minor units. */
function money(minor: number): string {
  const text = (Math.abs(minor) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return minor < 0 ? `(${text})` : text;
}

/** Rows of a table, of each the columns that are asked for, in an order of their own. */
async function listed(page: Page, table: string, columns: readonly string[]): Promise<string[]> {
  const rows = page.getByRole('table', { name: table, exact: true }).locator('tbody tr')
    .filter({ has: page.locator('td[data-label]') });
  await expect(rows.first()).toBeVisible(PATIENCE);
  const cells: Cells[] = await Promise.all((await rows.all()).map(cellsIn));
  return cells.map((row) => columns.map((column) => (row[column] ?? '').replace(/^minus\s*/, '')).join(' | ')).sort();
}

/** Uploads a set, reads what it will bring, posts it and reads what it brought. */
async function postSet(page: Page, set: OldBooks): Promise<void> {
  await open(page, '/admin/accounting/opening-balances?division=EU');
  await page.getByRole('button', { name: 'Upload a file' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Upload opening balances' });
  await choose(page, dialog, 'Contents', set.label);
  await expect(dialog.getByLabel(/^Division/).first()).toContainText('EU');
  await dialog.getByRole('textbox', { name: /^As of/ }).fill('10/31/2026');
  await dialog.getByRole('textbox', { name: /^As of/ }).blur();
  await give(dialog, set);
  await expect(page).toHaveURL(/\/opening-balances\/\d+$/, PATIENCE);
  await settled(page);
  const rows = (): Promise<string[]> => listed(page, 'Rows of the set', ['Row', 'Amount', 'In EUR']);
  const before = await rows();
  expect(before, set.label).toHaveLength(set.rows);
  const note = page.getByRole('note').filter({ hasText: 'Opening balances (3999)' });
  const after = `EUR ${money(set.after)}`;
  if (set.kind !== 'next_numbers') await expect(note).toContainText(`Once this set is posted: ${after}.`);
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(main(page).getByText('Posted', { exact: true }).first()).toBeVisible(PATIENCE);
  await settled(page);
  await expect(note).toContainText(`The account has ${after} in EU.`);
  expect(await rows(), set.label).toEqual(before);
}

const [ILE, PLAYERS, THIRD] = Object.keys(OWED) as [string, string, string];
/** The old house's own lists: where the office reads them, the columns, each line. */
const OLD: readonly (readonly [address: string, table: string, columns: readonly string[],
  lines: readonly (readonly string[])[]])[] = [
  ['/admin/accounts-receivable/aging?division=EU', 'Receivables by customer',
    ['Customer', 'Currency', 'Not due', '1 to 30', 'On account', 'Total'],
    [[ILE, 'EUR', '', '1,234.50', '(100.00)', '1,134.50'], [PLAYERS, 'EUR', '800.00', '', '', '800.00'],
      [PLAYERS, 'USD', '500.00', '', '', '500.00'], [THIRD, 'EUR', '', '610.05', '', '610.05']]],
  ['/admin/accounts-receivable/invoices?division=EU', 'Invoices',
    ['Number', 'Customer', 'Issued', 'Currency', 'Open'],
    [['00402-DEF', PLAYERS, 'Oct 31, 2026', 'EUR', '0.00'], ['00417', ILE, 'Sep 3, 2026', 'EUR', '1,234.50'],
      ['00418', PLAYERS, 'Oct 13, 2026', 'EUR', '800.00'],
      ['00419', PLAYERS, 'Oct 14, 2026', 'USD', '500.00'], ['00420', THIRD, 'Oct 15, 2026', 'EUR', '610.05']]],
  ['/admin/accounts-payable/aging?division=EU', 'Payables by payee', ['Owed to', '1 to 30 days', 'Credits', 'Total'],
    [['Druckerei Müller', '980.75', '(50.00)', money(OWED_TO_VENDOR)]]],
  ['/admin/sales-and-royalties/royalties?division=EU', 'Royalties by royaltor',
    ['Royaltor', 'Owed now', 'Reserve', 'Advances open'],
    Object.entries(AUTHORS).map(([name, { owed, reserve, advance }]) =>
      [name, money(owed), money(reserve), money(advance)])],
  ['/admin/banking/bank-accounts?division=EU&currency=EUR', 'Bank accounts', ['Name', 'Ledger balance'],
    [['Bank', money(BANK)]]],
];
/** Accounts that documents bring, and 3999, by their closing balances. */
const TRIAL: Readonly<Record<string, number>> = { 1000: BANK, 2100: -DEFERRED, 2150: -DEPOSITS.security,
  2160: -DEPOSITS.on_account, 3999: 0 };

async function readOffice(page: Page, warehouse: number): Promise<void> {
  for (const [address, table, columns, lines] of OLD) {
    await open(page, address);
    expect(await listed(page, table, columns), table).toEqual(lines.map((line) => line.join(' | ')).sort());
  }
  await open(page, '/admin/accounting/trial-balance?division=EU&as_of=2026-10-31&all=true');
  const trial = await listed(page, 'Trial balance', ['Account', 'Closing']);
  expect(trial.filter((row) => row.split(' | ')[0]! in TRIAL)).toEqual(Object.entries(TRIAL).map(([code, minor]) =>
    `${code} | ${money(minor)}`));
  await open(page, `/admin/warehouses/${warehouse}`);
  const stock = await listed(page, 'Stock', ['Item number', 'On the shelf']);
  expect(stock).toEqual(['UHRWERK-LIB | 24', 'UHRWERK-VOC | 130']);
}

for (const [on, viewport] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test(`a house moves in from spreadsheets on ${on}`, async ({ browser }) => {
    test.skip(!FULL, 'In the full suite; tests/stories/moving-in.test.ts tells the story in every suite.');
    test.setTimeout(900_000);
    const house = await openHouse('moving');
    try {
      const [{ page }, theo] = [await house.enter(browser, 'maria', { viewport }),
        await house.enter(browser, 'theo', { viewport })];
      for (const list of await oldLists(CUSTOMERS)) {
        await test.step(list.name, () => bring(house, page, theo.page, list));
      }
      for (const set of await oldBooks(await startQuote(page))) await test.step(set.name, () => postSet(page, set));
      await readOffice(page, house.facts.warehouse!);
    } finally {
      await house.close();
    }
  });
}
