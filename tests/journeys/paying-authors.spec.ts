/**
 * Story 6, paying the authors, in the browser: Eleanor calculates the statements of a quarter, Theo approves and issues
 * them; ACH, BACS and SEPA files leave for next Monday and two checks are printed; the bank returns one payment. Before
 * and after, list, statement, its paper and the tie-out to the ledger say the same.
 */
import type { Page } from '@playwright/test';
import { addDays, startOfWeek, type IsoDate } from '#kernel/calendar/calendar.ts';
import { readBacs, readNacha, readPain, type BankFile } from '#tests/support/bank-files.ts';
import { FULL } from '#tests/support/full.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { HOUSES, type House } from '#tests/support/quarter-people.ts';
import { AUTHORS, DIVISIONS, setUp, type Desk } from './quarter.ts';
import { choose } from './select.ts';
import { cellsIn, cellsOf, rowOf } from './table.ts';
import { expect, settled, test, type Body, type Visitor } from './visitor.ts';
import { PHONE } from './widths.ts';

const STAFF = '/api/admin/staff';
const SALES = '/admin/sales-and-royalties';
const RUNS = '/admin/accounts-payable/payment-runs';
const money = (minor: number): string => (minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });

/** Minor units; earned and became due are the same here, since what is billed was played. */
interface Figures { earned: number; paid: number; owed: number; reserve: number; advance: number;
  /** Last figure of the statement, and those above it. */
  result: readonly [label: 'Payment' | 'Carried', minor: number]; strip?: Readonly<Record<string, number>> }

const plain = (minor: number): Figures => ({ earned: minor, paid: 0, owed: minor, reserve: 0, advance: 0,
  result: ['Payment', minor] });
/**
 * By hand: 300.00 each. Of Ada's 300.00 her agent is owed and paid 10%, 30.00. Of Rhea's 20% are kept, 60.00. Gus
 * earns 300.00 by each of two shows, and 500.00 of the 600.00 pay back his advance. Bo has no taxpayer number: 24%,
 * 72.00. Max is paid from 500.00 on.
 */
const ISSUED: Readonly<Record<string, Figures>> = {
  'Avery 10': plain(30_000), 'Cora Check': plain(30_000), 'Una Unverified': plain(30_000),
  'Ada Agented': { ...plain(30_000), owed: 27_000, result: ['Payment', 27_000], strip: { Agent: 3_000 } },
  'Rhea Reserve': { ...plain(30_000), owed: 24_000, reserve: 6_000, result: ['Payment', 24_000],
    strip: { 'Reserve taken': 6_000 } },
  'Gus Group': { ...plain(60_000), owed: 10_000, result: ['Payment', 10_000], strip: { 'Advance recouped': 50_000 } },
  'Bo Backup': { ...plain(30_000), result: ['Payment', 22_800], strip: { 'Tax withheld': 7_200 } },
  'Max Minimum': { ...plain(30_000), result: ['Carried', 30_000] },
};
/**
 * By hand. ACH: three of 300.00, Ada 270.00 and her agent 30.00, Rhea 240.00, Gus 100.00, Bo 228.00. BACS: three of
 * 200.00, one of them to the agent instead. SEPA: three of 250.00. Two checks of 300.00.
 */
const TOTALS = { ach: 'USD 1,768.00', bacs: 'GBP 600.00', sepa: 'EUR 750.00', check: 'USD 600.00' } as const;
const BY_ACH = ['Avery 10', 'Avery 11', 'Avery 12', 'Ada Agented', 'Rhea Reserve', 'Gus Group', 'Bo Backup'];
const BY_CHECK = ['Cora Check', 'Carl Check'];
const HELD = [['Una Unverified', 'Bank details not verified. A second person must verify them.'],
  ['Cora Check', 'Paid by check. Choose that method to pay them.']] as const;

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/** The calendar quarter of a day. */
function quarterOf(day: string): { from: string; to: string } {
  const first = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1;
  const from = `${day.slice(0, 5)}${String(first).padStart(2, '0')}-01`;
  const next = first === 10 ? `${Number(day.slice(0, 4)) + 1}-01-01` : `${day.slice(0, 5)}${
    String(first + 3).padStart(2, '0')}-01`;
  return { from, to: addDays(next as IsoDate, -1) };
}

const typed = (day: string): string => `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;

/** Eleanor's part; answers the address of the run. */
async function calculate(page: Page, desk: Desk, house: House, day: string): Promise<string> {
  await open(page, `${SALES}/statement-runs/create?division=${house}`);
  const quarter = quarterOf(day);
  const form = page.getByRole('form', { name: 'Statement run' });
  await form.getByRole('textbox', { name: /^From/ }).fill(typed(quarter.from));
  await form.getByRole('textbox', { name: /^To/ }).fill(typed(quarter.to));
  await form.getByLabel(/^Royaltors/).first().click();
  const list = page.getByRole('listbox').last();
  await expect(list.getByRole('option').first()).toBeVisible();
  await page.keyboard.type(desk.key.trim());
  for (const { name } of AUTHORS[house]) {
    await list.getByRole('option', { name: `${name}${desk.key}` }).first().click();
  }
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: 'Calculate statements' }).click();
  await expect(page).toHaveURL(/\/statement-runs\/\d+$/);
  return new URL(page.url()).pathname;
}

/** Approved and issued by the second person; the one who calculated cannot. */
async function decide(admin: Page, second: Page, address: string, count: number): Promise<void> {
  const approve = { name: /^Approve / };
  await expect(admin.getByRole('button', approve)).toBeDisabled();
  await open(second, address);
  await second.getByRole('button', approve).click();
  await second.getByRole('button', { name: `Issue ${count} statements` }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Issue all' }).click();
  await expect(second.getByRole('link', { name: 'Create payment batch' })).toBeVisible({ timeout: 60_000 });
}

/** The statement of an author in the run, by its API; the screens are read below. */
async function statementsOf({ get }: Visitor, desk: Desk): Promise<ReadonlyMap<string, Body>> {
  const found = new Map<string, Body>();
  for (const [name, id] of desk.ids) {
    const { data } = await get(`${STAFF}/royalty_statements?royaltor_id=${id}`);
    if (data.length > 0) found.set(name, data[0]);
  }
  return found;
}

/** Everything about an author on list, statement, paper and tie-out. */
async function readEverywhere(page: Page, of: { name: string; statement: Body; status: 'Issued' | 'Paid' },
  { earned, paid, owed, reserve, advance, result, strip = {} }: Figures): Promise<void> {
  await test.step(`${of.name} is read everywhere`, async () => {
    await open(page, `${SALES}/royalties?division=US&search=${encodeURIComponent(of.name)}`);
    expect(await cellsOf(page, 'Royalties by royaltor', of.name)).toMatchObject({ 'Earned': money(earned),
      'Became due': money(earned), 'Paid': money(paid), 'Owed now': money(owed), 'Reserve': money(reserve),
      'Advances open': money(advance) });

    await open(page, `${SALES}/statements/${of.statement.id}`);
    const main = page.getByRole('main');
    await expect(main.getByText(of.status, { exact: true }).first()).toBeVisible();
    const [label, minor] = result;
    const figures = { 'Became due': earned, ...strip, [label]: minor };
    for (const [part, each] of Object.entries(figures)) {
      const pair = page.locator('[aria-label="From opening balance to payment"]').getByText(part).locator('..');
      await expect(pair).toContainText(money(each));
    }
    const answer = await page.request.get(`${STAFF}/royalty_statements/${of.statement.id}/document`);
    const paper = await pdfText(await answer.body());
    for (const each of Object.values(figures)) expect(paper).toContain(money(each));

    await open(page, '/admin/accounts-payable/royalty-tie-out?division=US');
    const find = page.getByRole('searchbox');
    // Of many rows the table draws those in view.
    if (await find.count() > 0) await find.fill(of.name);
    for (const [account, each] of [['2200', owed], ['2205', reserve], ['1150', advance]] as const) {
      const row = rowOf(page, 'Royalties against the ledger', of.name)
        .filter({ has: page.locator('td[data-label="Account"]', { hasText: account }) });
      if (each === 0) await expect(row).toHaveCount(0);
      else expect(await cellsIn(row)).toMatchObject({ Royalties: money(each), Ledger: money(each) });
    }
  });
}

const METHODS = { ach: 'ACH', bacs: 'BACS', sepa: 'SEPA', check: 'Check' } as const;

async function chooseAccount(page: Page, desk: Desk, house: House, method: keyof typeof METHODS): Promise<void> {
  await open(page, `${RUNS}/create`);
  await choose(page, page, 'Bank account', desk.accounts[house].name);
  await settled(page);
  await choose(page, page, 'Method', METHODS[method]);
  await settled(page);
  await expect(page.getByText('Left afterwards')).toBeVisible();
}

/** Statements of this journey alone; what else is due stays. Answers the address of the run. */
async function makeRun(page: Page, of: { value_on: string; numbers: readonly string[]; total: string }):
Promise<string> {
  await page.getByRole('textbox', { name: /^Value date/ }).fill(typed(of.value_on));
  for (const all of await page.getByRole('checkbox', { name: /^All \d+$/ }).all()) {
    await all.check();
    await all.uncheck();
  }
  for (const number of of.numbers) await page.getByRole('checkbox', { name: new RegExp(`^${number},`) }).check();
  await page.getByRole('button', { name: `Create run, ${of.total}` }).click();
  await expect(page).toHaveURL(/\/payment-runs\/\d+$/);
  return new URL(page.url()).pathname;
}

async function approveRun(admin: Page, second: Page, address: string, total: string): Promise<void> {
  await expect(admin.getByRole('button', { name: `Approve ${total}` })).toBeDisabled();
  await open(second, address);
  await second.getByRole('button', { name: `Approve ${total}` }).click();
  await expect(second.getByRole('button', { name: /^Approve / })).toHaveCount(0);
}

/** Writes the file and reads it as the bank does. */
async function writeFile(page: Page, address: string, read: (text: string) => BankFile):
Promise<{ file: BankFile; text: string }> {
  await open(page, address);
  await page.getByRole('button', { name: 'Write the file' }).click();
  const link = page.getByRole('link', { name: 'Download' });
  await expect(link).toBeVisible();
  const answer = await page.request.get((await link.getAttribute('href'))!);
  const text = await answer.text();
  return { file: read(text), text };
}

/** Our file as the bank sends it back, with the reason behind the payment to one payee. */
function nachaReturn(file: string, payee: string): Buffer {
  return Buffer.from(file.split(/\r?\n/).filter((line) => /^[1568]/.test(line)).flatMap((line) => {
    if (!line.startsWith('6') || line.slice(54, 76).trim() !== payee.slice(0, 22).trim()) return [line];
    const trace = line.slice(79, 94);
    return [`${line.slice(0, 78)}1${line.slice(79)}`, `799R03${trace}      02100002`.padEnd(94)];
  }).filter((line) => !line.startsWith('705')).join('\n'));
}

async function printChecks(page: Page, desk: Desk): Promise<void> {
  await open(page, '/admin/checking');
  await page.getByRole('button', { name: 'Print checks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Print checks' });
  await choose(page, dialog, 'Bank account', desk.accounts.US.name);
  await dialog.getByLabel('Number on the first form').fill('2001');
  await dialog.getByRole('button', { name: 'Print 2' }).click();
  await expect(dialog.getByText(/^2001, 2002\./)).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
}

const payeeOf = (page: Page, name: string) => page.getByText(name, { exact: true }).locator('..').locator('..');
const idIn = (address: string): string => /\d+$/.exec(address)![0];
const namesOf = (house: House): string[] => AUTHORS[house].map((one) => one.name);

/** Held out with a task until the bank details are there anew and verified by the second person. */
async function isPayableAgain(page: Page, second: Visitor, desk: Desk, statement: Body): Promise<void> {
  const name = `Avery 11${desk.key}`;
  const { data: payments } = await second.get(`${STAFF}/accounting/accounts_payable/royalty_payments?royaltor_id=${
    desk.ids.get('Avery 11')}`);
  await open(page, '/admin?division=US');
  await expect(page.getByText(`Payment came back: ${payments[0].number}`)).toBeVisible();
  await chooseAccount(page, desk, 'US', 'ach');
  await expect(payeeOf(page, name)).toContainText(/came back|not verified/);
  const line = page.getByRole('checkbox', { name: new RegExp(`^${statement.number},`) });
  await expect(line).toBeDisabled();

  const royaltor = `/admin/royaltors/${desk.ids.get('Avery 11')}`;
  await open(page, royaltor);
  await page.getByRole('button', { name: 'Enter bank details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bank details' });
  await dialog.getByLabel(/^Account number or IBAN/).fill('400079999');
  await dialog.getByLabel(/^Routing number/).fill('021000021');
  await dialog.getByRole('button', { name: 'Store bank details' }).click();
  await expect(page.getByText('Not verified yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Verify', exact: true })).toBeDisabled();
  await open(second.page, royaltor);
  await second.page.getByRole('button', { name: 'Verify', exact: true }).click();
  const verify = second.page.getByRole('dialog', { name: 'Verify: Bank details' });
  await verify.getByLabel(/^Call-back note/).fill('Called the author');
  await verify.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(second.page.getByText('Not verified yet')).toHaveCount(0);

  await open(page, '/admin?division=US');
  await expect(page.getByText(`Payment came back: ${payments[0].number}`)).toHaveCount(0);
  await chooseAccount(page, desk, 'US', 'ach');
  await expect(line).toBeEnabled();
}

const READ = { US: readNacha, UK: readBacs, EU: readPain } as const;

for (const [on, size] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test(`the authors of a quarter are paid, and one payment comes back, on ${on}`, async ({ visitor }) => {
    test.skip(!FULL, 'In the full suite; tests/stories/paying-authors.test.ts tells the story in every suite.');
    test.setTimeout(480_000);
    const [admin, second] = [await visitor('admin'), await visitor('second')];
    const { page } = admin;
    for (const one of [page, second.page]) await one.setViewportSize(size);
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
    const monday = addDays(startOfWeek(day as IsoDate), 7);
    const desk = await setUp(admin, second, { key: ` ${Date.now()}`, day });

    for (const house of DIVISIONS) {
      const address = await calculate(page, desk, house, day);
      await decide(page, second.page, address, AUTHORS[house].length);
    }
    const statements = await statementsOf(admin, desk);
    const read = async (name: string, figures: Figures, status: 'Issued' | 'Paid' = 'Issued') =>
      readEverywhere(page, { name: `${name}${desk.key}`, statement: statements.get(name), status }, figures);
    for (const [name, figures] of Object.entries(ISSUED)) await read(name, figures);
    await open(page, `${SALES}/statements/${statements.get('Max Minimum').id}`);
    await expect(page.getByText('Nothing is paid, the balance is carried')).toBeVisible();
    await expect(page.getByRole('main')).toContainText('500.00');

    const numbers = (names: readonly string[]) => names.map((name) => String(statements.get(name).number));
    const pay = async (house: House, method: keyof typeof METHODS, names: readonly string[]) => {
      await chooseAccount(page, desk, house, method);
      if (method === 'ach') {
        for (const [name, why] of HELD) await expect(payeeOf(page, `${name}${desk.key}`)).toContainText(why);
        await expect(page.getByText(`Max Minimum${desk.key}`)).toHaveCount(0);
      }
      const address = await makeRun(page, { value_on: method === 'check' ? day : monday, numbers: numbers(names),
        total: TOTALS[method] });
      await approveRun(page, second.page, address, TOTALS[method]);
      return address;
    };
    const addresses = { US: await pay('US', 'ach', BY_ACH), UK: await pay('UK', 'bacs', namesOf('UK')),
      EU: await pay('EU', 'sepa', namesOf('EU')) };
    const texts = {} as Record<House, string>;
    for (const house of DIVISIONS) {
      const { file, text } = await writeFile(page, addresses[house], READ[house]);
      texts[house] = text;
      const { data: run } = await admin.get(`${STAFF}/accounting/payment_runs/${idIn(addresses[house])}`);
      expect(run.value_on >= monday, `${run.value_on} is not before Monday`).toBe(true);
      // BACS names the day of processing, a business day before.
      if (house === 'UK') expect(file.value_on < run.value_on).toBe(true);
      else expect(file.value_on).toBe(run.value_on);
      expect(file.payments.map((one) => one.minor).toSorted()).toEqual(
        run.payments.map((one: Body) => one.amount_minor).toSorted());
      expect(`${HOUSES[house].currency} ${money(file.payments.reduce((all, one) => all + one.minor, 0))}`)
        .toBe(TOTALS[HOUSES[house].method]);
      await expect(page.getByText('Nothing is posted before that day.')).toBeVisible();
    }
    for (const name of ['Avery 10', 'Bo Backup']) await read(name, ISSUED[name]!);

    await pay('US', 'check', BY_CHECK);
    await printChecks(page, desk);
    await read('Cora Check', { ...plain(30_000), paid: 30_000, owed: 0 }, 'Paid');

    await open(page, addresses.US);
    await page.getByRole('button', { name: 'Upload the bank’s answer' }).click();
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles({ name: 'returns.ach',
      mimeType: 'text/plain', buffer: nachaReturn(texts.US, `Avery 11${desk.key}`) });
    await expect(page.getByText('1 came back', { exact: true })).toBeVisible();
    await read('Avery 11', plain(30_000));
    await isPayableAgain(page, second, desk, statements.get('Avery 11'));
  });
}
