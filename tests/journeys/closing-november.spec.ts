/**
 * Story 8, closing November, in the browser: Maria works the close checklist of the British house. Three banks’ files
 * are uploaded and reconciled, rent and electricity accrued, hire released, balances revalued, the VAT return filed,
 * the sales tax of New York prepared; she reads the statements with last year beside them and of all divisions, and
 * downloads the auditor’s package. Theo confirms what takes two. The closed month refuses a journal. Figures are those
 * of tests/stories/closing-november.test.ts, which derives them. In a house of its own: nothing else is closed.
 */
import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { archiveDirectory, packedBytes } from '#server/archive-directory.ts';
import { FULL } from '#tests/support/full.ts';
import { bai2File, camtFile, csvFile, type StatementInput } from '#tests/support/statement-files.ts';
import { openHouse, type House } from './house.ts';
import { choose } from './select.ts';
import { expect, goWithin, settled, test } from './visitor.ts';
import { PHONE } from './widths.ts';

const [FIRST, LAST] = ['2026-11-01', '2026-11-30'];
const CHECKLIST = '/admin/accounting/close?division=UK&period=202611';

interface Bank { account: string; file: string; write: (of: StatementInput) => Buffer; statement: StatementInput;
  /** As the screen writes it; for a file without one, as Maria enters it. */
  closing: string }
const days = { from: FIRST, to: LAST };
const BANKS: readonly Bank[] = [
  { account: 'Bank', file: 'camt053.xml', write: camtFile, closing: '1,807.50', statement: { ...days,
    account: '12345678', currency: 'GBP', opening_minor: 62_000, lines: [
      { on: '2026-11-12', minor: 120_000, text: 'Leeds Players' },
      { on: '2026-11-27', minor: -1_250, text: 'Account fee' }] } },
  { account: 'Dollar account', file: 'november.bai', write: bai2File, closing: '385.00', statement: { ...days,
    account: '445566', currency: 'USD', opening_minor: 0, lines: [
      { on: '2026-11-18', minor: 40_000, text: 'HARBOR STAGE' }, { on: '2026-11-20', minor: -1_500, text: 'WIRE FEE' }],
  } },
  { account: 'Bank EUR', file: 'november.csv', write: csvFile, closing: '295.00', statement: { ...days,
    account: '778899', currency: 'EUR', opening_minor: 0, lines: [
      { on: '2026-11-10', minor: 30_000, text: 'Leeds Players' },
      { on: '2026-11-27', minor: -500, text: 'Account fee' }] } },
];

/** The close checklist in December, and the rent once its schedule has made the bill. */
const TO_DO = [
  'To do: Bank statements are imported: Bank: none yet · Bank EUR: none yet · Dollar account: none yet',
  'To do: Bank accounts are reconciled: Bank: through October 31, 2026 · Bank EUR: never · Dollar account: never',
  'To do: Deferred income is released: 1 release is due',
  'Look at it: Taxes are prepared: The VAT return through November 30, 2026 is not prepared',
  'To do: Accruals are complete: 1 recurring bill is not made',
  'To do: Foreign balances are revalued: Balances in other currencies are not revalued'];
/** The house closes November alone. */
const EARLIER: unknown = expect.stringMatching(new RegExp('^Look at it: Earlier months are closed: Still open: '
  + '.*October 2026\\. Closing November 2026 does not close earlier months, and a posting in them changes its '
  + 'opening balances$'));
const DRAFT = 'Look at it: Everything dated in the month is posted: 1 bill not posted yet';

async function open(page: Page, address: string): Promise<void> {
  await goWithin(page, address);
  await settled(page);
}

const pathOf = (page: Page): string => page.url().slice(new URL(page.url()).origin.length);

/** Checks of the list that are not done, each with what is left. */
async function left(page: Page): Promise<string[]> {
  await open(page, CHECKLIST);
  const rows = page.getByRole('table', { name: 'Checks before the close' }).getByRole('row');
  await expect(rows.filter({ hasText: 'The ledger passes its checks' })).toHaveCount(1);
  return (await rows.filter({ hasText: /To do|Look at it/ }).allInnerTexts()).map((text) =>
    text.split(/\s*[\t\n]+\s*/).slice(0, 3).join(': '));
}

async function upload(page: Page, { account, file, write, statement }: Bank): Promise<void> {
  await open(page, '/admin/banking/statements');
  await page.getByRole('button', { name: 'Import statement' }).first().click();
  const form = page.getByRole('dialog', { name: 'Import a bank statement' });
  await form.getByLabel(/^Bank account/).first().click();
  await page.getByRole('option', { name: account, exact: false }).filter({ hasText: `UK, ${statement.currency}` })
    .click();
  await form.locator('input[type=file]').setInputFiles({ name: file, mimeType: 'application/octet-stream',
    buffer: write(statement) });
  if (file.endsWith('.csv')) {
    await choose(page, form, 'Text', 'Text');
    await form.getByRole('button', { name: 'Read with these columns' }).click();
  }
  await expect(form.getByText(statement.lines[0]!.text).first()).toBeVisible();
  const imported = page.getByText(/^2 lines imported/);
  // The message about the bank before stands for some seconds.
  await expect(imported).toHaveCount(0);
  await form.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(imported).toBeVisible();
}

async function reconcile(page: Page, id: number, { file, closing }: Bank): Promise<void> {
  await open(page, `/admin/banking/reconciliation?bank_account_id=${id}`);
  if (!file.endsWith('.xml')) {
    if (await page.getByLabel(/^Statement/).count() > 0) await choose(page, page, 'Statement', 'Enter the closing');
    await page.getByLabel(/^Date of the closing balance/).fill(LAST);
    await page.getByLabel(/^Closing balance/).fill(closing);
  }
  await page.getByRole('button', { name: 'Start reconciliation' }).click();
  await expect(page.getByRole('button', { name: 'Finish' })).toBeVisible();
  const proposed = page.getByRole('button', { name: /^Match \d proposed$/ });
  if (await proposed.count() > 0) await proposed.click();
  await expect(page.getByText(/^Difference .*\b0\.00$/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('dialog', { name: /^Finish through/ }).getByRole('button', { name: 'Finish' }).click();
  await expect(page).toHaveURL(/\/reconciliation\/\d+$/);
  await expect(page.getByRole('main')).toContainText(closing);
}

/** By its schedule; Theo approves what Maria submits. */
async function enterRent(page: Page, second: Page): Promise<void> {
  await open(page, '/admin/accounting/bills?division=UK');
  await page.getByRole('row').filter({ hasText: 'Mill Lane Estates' }).first().click();
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page.getByRole('button', { name: /^Approve / })).toBeDisabled();
  await open(second, pathOf(page));
  await second.getByRole('button', { name: 'Approve GBP 720.00' }).click();
  await expect(second.getByRole('button', { name: /^Approve / })).toHaveCount(0);
}

/** A journal of two lines, saved as a draft. */
async function writeJournal(page: Page, of: { text: string; debit: string; credit: string; amount: string }):
Promise<void> {
  await open(page, '/admin/accounting/transactions/create?division=UK');
  await page.getByLabel(/^Description/).fill(of.text);
  await page.getByLabel(/^Date/).first().fill(LAST);
  for (const [at, side] of (['Debit', 'Credit'] as const).entries()) {
    const line = page.getByRole('group', { name: `Line ${at + 1}` });
    await choose(page, line, 'Account', at === 0 ? of.debit : of.credit);
    await line.getByLabel(side).fill(of.amount);
  }
  await page.getByRole('button', { name: 'Save draft' }).click();
}

async function accrueElectricity(page: Page): Promise<void> {
  await writeJournal(page, { text: 'Electricity of November', debit: '6200', credit: '2020', amount: '150.00' });
  await page.getByRole('button', { name: 'Post journal' }).click();
  await page.getByRole('button', { name: 'Reverse' }).click();
  const dialog = page.getByRole('dialog', { name: /^Reverse/ });
  await dialog.getByLabel(/^Reason/).fill('Accrual of November');
  await dialog.getByLabel(/^Dated/).fill('2026-12-01');
  await dialog.getByRole('button', { name: 'Post the reversal' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Of each line of foreign balances: account, balance, carried, gain or loss. */
const cells = async (page: Page, table: string): Promise<string[][]> => {
  const rows = await page.getByRole('table', { name: table }).locator('tbody tr').all();
  const all = await Promise.all(rows.map((row) => row.locator('td, th').allInnerTexts()));
  return all.filter(([account]) => /^\d/.test(account!)).map((row) => [0, 3, 4, 7].map((at) =>
    row[at]!.replace(/^minus\s*/, '')));
};

async function revalue(page: Page, second: Page): Promise<void> {
  await open(page, `/admin/accounting/revaluations/create?division=UK&on=${LAST}`);
  expect(await cells(page, 'Foreign balances')).toEqual([
    ['1001 Bank EUR', '295.00', '250.80', '(3.00)'], ['1003 Dollar account', '385.00', '308.00', '0.00'],
    ['1100 Accounts receivable', '300.00', '258.00', '(6.00)'],
    ['2500 Due to divisions', '(100.00)', '(80.00)', '0.00']]);
  await page.getByRole('button', { name: 'Request GBP (9.00)' }).click();
  await expect(page).toHaveURL(/\/revaluations\/\d+$/);
  await open(second, pathOf(page));
  await second.getByRole('button', { name: 'Post GBP (9.00)' }).click();
  await expect(second.getByText('Posted as')).toBeVisible();
}

async function fileVat(page: Page, second: Page): Promise<void> {
  await open(page, '/admin/finance/taxes-vat/uk-vat?division=UK');
  await expect(page.getByRole('heading', { name: 'To pay: GBP 166.00' })).toBeVisible();
  const boxes = await page.getByRole('table', { name: 'Boxes of the VAT return' }).getByRole('row').allInnerTexts();
  expect(boxes.map((row) => /^(\d)\D.*?([\d,.]+)$/s.exec(row)!.slice(1).join(' '))).toEqual(['1 286.00', '2 0.00',
    '3 286.00', '4 120.00', '5 166.00', '6 2,650.00', '7 600.00', '8 0.00', '9 0.00']);
  await page.getByRole('button', { name: 'Prepare return' }).click();
  await expect(page.getByRole('button', { name: 'File return' })).toBeDisabled();
  await open(second, pathOf(page));
  await second.getByRole('button', { name: 'File return' }).click();
  const dialog = second.getByRole('dialog', { name: 'File the VAT return' });
  await dialog.getByLabel('Receipt').fill('256660290587');
  await dialog.getByRole('button', { name: 'File return' }).click();
  await expect(second.getByText('256660290587').first()).toBeVisible();
}

async function prepareSalesTax(page: Page): Promise<void> {
  await open(page, '/admin/finance/taxes-vat/us-sales-use-tax?division=US');
  await page.getByRole('row').filter({ hasText: 'To prepare' }).click();
  await settled(page);
  await expect(page.getByRole('heading', { name: 'To pay: USD 84.31' })).toBeVisible();
  for (const [title, amount] of [['Sales tax due at the rates', '88.75'], ['Vendor discount', '(4.44)'],
    ['To pay', '84.31']] as const) {
    expect((await figures(page, title)).join(), title).toContain(amount);
  }
  await page.getByRole('button', { name: 'Prepare return' }).click();
  await expect(page.getByRole('button', { name: 'File return' })).toBeDisabled();
}

/** Figures of a line, as they are written. */
const figures = (page: Page, title: string): Promise<string[]> => page.getByRole('row')
  .filter({ has: page.getByRole('rowheader', { name: title, exact: true }) }).locator('td').allTextContents();

/** Amounts of the lines that a figure leads to, which sum to it. */
async function followed(page: Page, figure: string): Promise<string[]> {
  await page.getByRole('link', { name: figure }).first().click();
  await settled(page);
  const lines = page.getByRole('table', { name: 'Ledger lines' }).locator('tbody tr');
  await expect(lines.last()).toContainText(figure);
  return Promise.all((await lines.all()).map((line) => line.locator('td').nth(-3).innerText()));
}

async function readStatements(page: Page): Promise<void> {
  const report = '/admin/finance';
  const span = `division=UK&from=${FIRST}&to=${LAST}`;
  await open(page, `${report}/profit-loss?${span}&compare=last_year`);
  expect(await figures(page, 'Net profit')).toEqual(['1,132.78', '500.00', '632.78', '126.6%']);
  expect(await followed(page, '28.70')).toEqual(['12.00', '4.20', '12.50']);
  await open(page, `${report}/balance-sheet?division=UK&as_of=${LAST}&compare=last_year`);
  expect((await figures(page, 'Total cash and bank')).slice(0, 2)).toEqual(['2,323.30', '500.00']);
  expect((await figures(page, 'Net income, year to date')).slice(0, 2)).toEqual(['1,232.78', '500.00']);
  await open(page, `${report}/cash-flows?${span}&compare=last_year`);
  expect((await figures(page, 'Net result')).slice(0, 2)).toEqual(['1,132.78', '500.00']);
  expect((await figures(page, 'Cash at the end')).slice(0, 2)).toEqual(['2,323.30', '500.00']);
  await open(page, `${report}/balance-sheet?division=UK&as_of=${LAST}&scope=group`);
  // The pounds at 1.25; what the US paid for the UK is eliminated.
  expect(await figures(page, 'Total due to divisions')).toEqual(['0.00', '0.00', '100.00', '0.00', 'minus (100.00)',
    '0.00']);
  expect(await figures(page, 'Assets')).toEqual(['1,188.75', '0.00', '4,494.13', '0.00', 'minus (100.00)', '5,582.88']);
}

async function readPackage(page: Page): Promise<void> {
  await open(page, CHECKLIST);
  const [download] = await Promise.all([page.waitForEvent('download'),
    page.getByRole('link', { name: 'Auditor’s package' }).click()]);
  expect(download.suggestedFilename()).toBe('books-uk-202611.zip');
  const raw = await readFile(await download.path());
  const entries = archiveDirectory(raw, 100)!;
  const rows = (name: string): string[][] => parse(inflateRawSync(packedBytes(raw,
    entries.find((one) => one.name === name)!)!), { bom: true }).slice(1);
  const trial = rows('trial-balance.csv');
  expect(trial.filter(([code]) => ['1000', '1001', '1003', '2100', '7010', ''].includes(code!))
    .map((row) => [row[0], row.at(-1)])).toEqual([['1000', '1767.50'], ['1001', '247.80'], ['1003', '308.00'],
    ['2100', '-606.52'], ['7010', '9.00'], ['', '0.00']]);
  // Account by account as the screens above: balance at the bank, and in the ledger.
  expect(rows('reconciliations.csv').map((row) => [row[2], row[3], row[5], row[6]])).toEqual([
    ['GBP', LAST, '1807.50', '1767.50'], ['EUR', LAST, '295.00', '295.00'], ['USD', LAST, '385.00', '385.00']]);
  expect(rows('integrity.csv').filter((row) => row[1] !== 'passed')).toEqual([]);
}

async function close(page: Page, second: Page): Promise<void> {
  const turn = async (of: Page, link: string, button: string, done: string): Promise<void> => {
    await open(of, CHECKLIST);
    await of.getByRole('link', { name: `${link} November 2026` }).click();
    await settled(of);
    await of.getByRole('row').filter({ hasText: 'November 2026' }).getByRole('button', { name: button }).click();
    const dialog = of.getByRole('dialog', { name: 'Close November 2026 of UK?' });
    await dialog.getByRole('textbox').fill('November 2026');
    await dialog.getByRole('button', { name: button }).click();
    await expect(of.getByText(done)).toBeVisible();
  };
  await turn(page, 'Close', 'Close', 'Request sent: another person has to confirm it');
  const month = page.getByRole('row').filter({ hasText: 'November 2026' });
  await expect(month.getByRole('button', { name: 'Confirm: close' })).toBeDisabled();
  await turn(second, 'Confirm', 'Confirm: close', 'Period closed');
  await open(page, CHECKLIST);
  await expect(page.getByRole('main')).toContainText('Closed by Maria Hill, confirmed by Theo Marsh');
  await writeJournal(page, { text: 'Late', debit: '6200', credit: '2020', amount: '1.00' });
  await expect(page.getByText(/^November 2026 is closed\. /).first()).toBeVisible();
}

for (const [on, size] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test.describe(`on ${on}`, () => {
    test.skip(!FULL, 'In the full suite; tests/stories/closing-november.test.ts tells the story in every suite.');
    let house: House;
    test.beforeAll(async () => { house = await openHouse('november'); });
    test.afterAll(() => house.close());

    test('Maria closes November', async ({ browser }) => {
      const people = await Promise.all(['maria', 'theo'].map((name) =>
        house.enter(browser, name, { viewport: size })));
      const [page, second] = people.map((one) => one.page) as [Page, Page];
      expect(await left(page)).toEqual([...TO_DO, EARLIER]);
      for (const bank of BANKS) {
        await upload(page, bank);
        await reconcile(page, house.facts[bank.statement.currency]!, bank);
      }
      await house.ask({ ask: 'job', name: 'make-recurring-bills' });
      await house.ask({ ask: 'job', name: 'release-income' });
      expect(await left(page)).toEqual([TO_DO[3], DRAFT, TO_DO[5], EARLIER]);
      await enterRent(page, second);
      await accrueElectricity(page);
      await revalue(page, second);
      await fileVat(page, second);
      await prepareSalesTax(page);
      expect(await left(page)).toEqual([EARLIER]);
      await readStatements(page);
      await readPackage(page);
      await close(page, second);
    });
  });
}
