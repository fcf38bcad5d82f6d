/** Statements with several columns over HTTP; every figure against the lines that its link shows. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cashFlows } from '#kernel/ledger/cash-flows.ts';
import type { Language } from '#kernel/money/division.ts';
import { readWorkbook } from '#server/workbook.ts';
import { sql } from '#server/sql.ts';
import { textOfPages } from '#server/pdf-pages.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { HLEDGER } from '#tests/support/hledger.ts';
import { allocate, openItem, postJournal } from '../accounting.public.server.ts';
import { statementPaper } from './statement-file.server.ts';
import { figureHref } from './statement-links.ts';
import type { StatementTable } from './statement-table.contract.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
let ann: SignedIn;
let show = 0;
let school = 0;

type Refs = { show_id?: number };
const post = (kind: string, on: string, lines: [account: string, minor: number, refs?: Refs][]) =>
  test.database.db.tx((db) => postJournal(db, { division: 'PROD', kind, transaction_at: on, description: kind,
    source: null, lines: lines.map(([account, minor, refs]) => ({ account, currency: 'USD', amount: BigInt(minor),
      base: BigInt(minor), ...(refs ? { refs } : {}) })) }));

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  ({ id: show } = await test.database.owner.one<{ id: number }>(sql`
    insert into shows (show_code, type, title, sort_title) values ('HAM', 'play', 'Hamlet', 'Hamlet') returning id`));
  ({ id: school } = await test.database.owner.one<{ id: number }>(sql`
    insert into customer_classifications (key, name) values ('reading_room', 'Reading room') returning id`));
  await post('bank_entry', '2025-03-10', [['1000', 80_000], ['4000', -80_000]]);
  await post('bank_entry', '2026-01-15', [['1000', 100_000], ['4000', -100_000, { show_id: show }]]);
  await post('bank_entry', '2026-01-31', [['6200', 20_000], ['1000', -20_000]]);
  await post('bank_entry', '2026-02-15', [['1000', 50_000], ['4010', -50_000]]);
  await post('bank_entry', '2026-03-05', [['5000', 30_000, { show_id: show }], ['1000', -30_000]]);
  await post('year_end_close', '2026-03-31', [['4000', 100_000], ['3100', -100_000]]);
});

async function read(query: string): Promise<StatementTable> {
  const { status, body } = await ann.get(`${BASE}/reports/statements?division=PROD&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
const amounts = (table: StatementTable, key: string) => table.rows.find((row) => row.key === key)?.amounts;

/** Each figure with a link equals what the ledger, the cash flows or the narrower statement shows there. */
async function followLinks(table: StatementTable, settings: Record<string, string> = {}): Promise<number> {
  let followed = 0;
  for (const row of table.rows) {
    for (const [index, column] of table.columns.entries()) {
      const href = figureHref(table, row, column, settings);
      if (href === null) continue;
      const { pathname, search } = new URL(href, 'http://x');
      const path = { '/admin/accounting/general-ledger': 'general_ledger', '/admin/finance/profit-loss':
        'reports/profit_loss', '/admin/finance/cash-flows/transactions': 'reports/cash_flows/transactions',
        '/admin/finance/profit-loss/payments': 'reports/profit_loss/payments',
        '/admin/finance/balance-sheet': 'reports/balance_sheet', '/admin/accounting/trial-balance': 'trial_balance' }[
        pathname]!;
      const parted = path === 'reports/profit_loss' && /show_id|customer_class_id/.test(search);
      const { status, body } = await ann.get(`${BASE}/${parted ? `reports/statements${search}&statement=profit_loss`
        : `${path}${search}`}`);
      expect(status, href).toBe(200);
      const { data } = body;
      const found = path === 'general_ledger' ? ledgerFigure(table, column.measure, data)
        : path === 'trial_balance' ? Math.abs(resultOf(data)) : path === 'reports/balance_sheet' ? cashOf(data)
        : parted ? Math.abs(data.rows.find((one: { key: string }) => one.key === PART_KEYS[column.key])
          ?.amounts[0] ?? 0)
          : Math.abs(data.amount_minor ?? data.net_profit_minor);
      expect(found, `${row.key} ${column.key} ${href}`).toBe(Math.abs(row.amounts[index]!));
      followed += 1;
    }
  }
  return followed;
}
const PART_KEYS: Record<string, string> = { revenue: 'sum:revenue', cost_of_sales: 'sum:cost_of_sales', gross: 'gross',
  operating: 'sum:operating', other: 'sum:other', net: 'net' };
type Ledger = { opening_minor: number; debit_minor: number; credit_minor: number; closing_minor: number };
function ledgerFigure(table: StatementTable, measure: string, data: Ledger): number {
  if (table.statement === 'profit_loss') return Math.abs(data.debit_minor - data.credit_minor);
  const balance = ['amount', 'opening'].includes(measure);
  return Math.abs(data[`${balance ? 'closing' : measure}_minor` as keyof Ledger]);
}
/** Income and expense of a trial balance. */
const resultOf = (of: { rows: { class: string; closing_minor: number }[] }): number => of.rows
  .filter((row) => ['income', 'expense'].includes(row.class)).reduce((sum, row) => sum + row.closing_minor, 0);
const cashOf = (of: { assets: { key: string; total_minor: number }[] }): number =>
  Math.abs(of.assets.find((one) => one.key === 'cash')?.total_minor ?? 0);

describe('statements beside each other', () => {
  it('compares a quarter with the same days of the year before, closing entries left out', async () => {
    const table = await read('from=2026-01-01&to=2026-03-31&compare=last_year');
    expect(table.columns.map((one) => [one.from, one.to]))
      .toEqual([['2026-01-01', '2026-03-31'], ['2025-01-01', '2025-03-31']]);
    expect(amounts(table, 'sum:revenue')).toEqual([150_000, 80_000]);
    expect(table.rows.find((row) => row.key === 'net')).toMatchObject({ amounts: [100_000, 80_000],
      change_minor: 20_000, change_permille: 250 });
    expect(table.checks.every((one) => one.ok)).toBe(true);
    expect(await followLinks(table)).toBe(8);
  });

  it('shows the months and their sum', async () => {
    const table = await read('from=2026-01-01&to=2026-03-31&compare=months');
    expect(table.columns.map((one) => one.title)).toEqual(['January 2026', 'February 2026', 'March 2026', 'Total']);
    expect(amounts(table, 'net')).toEqual([80_000, 50_000, -30_000, 100_000]);
    expect(await followLinks(table)).toBe(16);
  });

  it('the balance sheet, the cash flows and the trial balance of several periods lead to their figures', async () => {
    const sheet = await read('statement=balance_sheet&to=2026-03-31&compare=periods&periods=3');
    expect(sheet.columns.map((one) => one.to)).toEqual(['2026-03-31', '2026-02-28', '2026-01-31']);
    expect(amounts(sheet, 'assets')).toEqual([180_000, 210_000, 160_000]);
    expect(amounts(sheet, 'liabilities_equity')).toEqual([180_000, 210_000, 160_000]);
    const flows = await read('statement=cash_flows&from=2026-01-01&to=2026-01-31&compare=previous_period');
    expect(amounts(flows, 'cash:closing')).toEqual([160_000, 80_000]);
    // Both readings of the operations stand in one table, so files and comparisons have them too.
    expect(amounts(flows, 'cash:direct')).toEqual(amounts(flows, 'cash:operations'));
    expect(flows.rows.filter((row) => row.key.startsWith('direct:')).map((row) => row.amounts))
      .toEqual([[100_000, 0], [-20_000, 0]]);
    const trial = await read('statement=trial_balance&from=2026-01-01&to=2026-03-31&compare=previous_period');
    expect(trial.columns.map((one) => one.measure)).toEqual(['opening', 'debit', 'credit', 'closing', 'closing']);
    expect(amounts(trial, 'total')).toEqual([0, 300_000, 300_000, 0, 0]);
    for (const table of [sheet, flows, trial]) expect(await followLinks(table)).toBeGreaterThan(1);
  });

  it('a section among the assets and one of the same name among the liabilities keep their own sums', async () => {
    const { id } = await test.database.owner.one<{ id: number }>(sql`insert into tax_authorities (jurisdiction, name)
      values ('US-NY', 'New York') on conflict (jurisdiction) do update set name = excluded.name returning id`);
    const tax = { type: 'tax_authority' as const, id };
    await test.database.db.tx((db) => postJournal(db, { division: 'PROD', kind: 'bank_entry',
      transaction_at: '2024-12-31', description: 'Taxes', source: null, lines: [
        { account: '1300', currency: 'USD', amount: 900n, base: 900n, party: tax },
        { account: '2300', currency: 'USD', amount: -900n, base: -900n, party: tax }] }));
    const sheet = await read('statement=balance_sheet&to=2024-12-31&compare=periods&periods=2');
    expect([amounts(sheet, 'sum:tax'), amounts(sheet, 'sum:liability:tax')]).toEqual([[900, 0], [900, 0]]);
    expect(sheet.rows.map((row) => row.key)).toHaveLength(new Set(sheet.rows.map((row) => row.key)).size);
    await test.database.db.tx((db) => postJournal(db, { division: 'PROD', kind: 'bank_entry',
      transaction_at: '2024-12-31', description: 'Taxes', source: null, lines: [
        { account: '1300', currency: 'USD', amount: -900n, base: -900n, party: tax },
        { account: '2300', currency: 'USD', amount: 900n, base: 900n, party: tax }] }));
  });

  it('by show and by class of customer the rows sum to the net profit, and lead to it', async () => {
    const shows = await read('from=2026-01-01&to=2026-03-31&by=show');
    expect(shows.rows.map((row) => [row.part_id, row.amounts])).toEqual([
      [show, [100_000, 30_000, 70_000, 0, 0, 70_000]], [0, [50_000, 0, 50_000, 20_000, 0, 30_000]],
      [null, [150_000, 30_000, 120_000, 20_000, 0, 100_000]]]);
    expect(await followLinks(shows, { by: 'show' })).toBe(12);
    const one = await read(`from=2026-01-01&to=2026-03-31&show_id=${show}`);
    expect([amounts(one, 'net'), await followLinks(one, { show_id: String(show) })]).toEqual([[70_000], 2]);
    const classes = await read('from=2026-01-01&to=2026-03-31&by=customer_class');
    expect(classes.rows.map((row) => row.part_id)).toEqual([0, null]);
    expect(classes.checks.every((check) => check.ok)).toBe(true);
    expect(amounts(await read(`from=2026-01-01&to=2026-03-31&customer_class_id=${school}`), 'net')).toEqual([0]);
  });

  it('refuses what a statement cannot say, and the trial balance without its permission', async () => {
    const status = async (query: string, of = ann) => (await of.get(`${BASE}/reports/statements?${query}`)).status;
    expect(await status('statement=balance_sheet&by=show')).toBe(422);
    expect(await status('by=show&compare=months')).toBe(422);
    expect(await status('from=2000-01-01&to=2026-12-31&compare=months')).toBe(422);
    expect(await status('from=1900-01-01&compare=last_year')).toBe(422);
    const bob = await test.signedIn('staff_user', { permissions: ['ledger_account.list'] });
    expect([await status('statement=profit_loss', bob), await status('statement=trial_balance', bob)])
      .toEqual([200, 403]);
  });
});

it.skipIf(!HLEDGER)('hledger finds the same result of a month, account by account', async () => {
  const journal = (await ann.get(`${BASE}/journal_export?division=PROD`)).raw.toString();
  const folder = mkdtempSync(join(tmpdir(), 'statement-'));
  try {
    const file = join(folder, 'a.journal');
    writeFileSync(file, journal);
    const csv = execFileSync('hledger', ['-f', file, 'bal', '-B', '--flat', '-N', '-b', '2026-01-01', '-e',
      '2026-02-01', 'income', 'expense', '-O', 'csv']).toString();
    const found = Object.fromEntries([...csv.matchAll(/^"(?:income|expense):(\d+)[^"]*","(-?[\d.]+)/gm)]
      .map((match): [string, number] => [match[1]!, Math.round(Number(match[2]) * 100)]));
    const table = await read('from=2026-01-01&to=2026-01-31');
    expect(Object.fromEntries(table.rows.filter((row) => row.code !== null)
      .map((row) => [row.code, Math.abs(row.amounts[0]!)]))).toEqual(Object.fromEntries(Object.entries(found)
      .map(([code, minor]) => [code, Math.abs(minor)])));
    expect(amounts(table, 'net')).toEqual([-Object.values(found).reduce((sum, minor) => sum + minor, 0)]);
  } finally { rmSync(folder, { recursive: true }); }
});

describe('files of a statement', () => {
  it('the workbook has the figures of the screen as numbers', async () => {
    const { status, raw } = await ann.get(`${BASE}/reports/statements/file?division=PROD&from=2026-01-01`
      + '&to=2026-03-31&compare=last_year&format=xlsx');
    expect(status).toBe(200);
    const [sheet] = await readWorkbook(raw);
    expect(sheet!.rows.at(-1)).toEqual(['', 'Net profit', '1000', '800', '200', '25']);
  });

  it('the PDF names house, days and checks, twelve months on several pages', async () => {
    const { status, raw } = await ann.get(`${BASE}/reports/statements/file?division=PROD&from=2026-01-01`
      + '&to=2026-12-31&compare=months');
    expect(status).toBe(200);
    const pages = await textOfPages(raw);
    const text = pages.join('\n');
    expect(text).toContain('Profit and loss');
    expect(text).toContain('January 1, 2026 to December 31, 2026');
    expect(pages.filter((page) => page.includes('Net profit'))).toHaveLength(2);
    expect(text).toMatch(/Net profit\s+800\.00\s+500\.00\s+\(300\.00\)/);
    expect(text).toContain('Every check of the statement passed.');
  });
});

describe('profit and loss on the cash basis', () => {
  const BOTH = 'from=2026-05-01&to=2026-06-30&basis=cash&compare=months';

  beforeAll(async () => {
    const { db } = test.database;
    const vendor = { type: 'vendor' as const, id: 7 };
    const booked = (kind: string, on: string, minor: number, other: string) => postJournal(db, { division: 'PROD', kind,
      transaction_at: on, description: kind, source: null, lines: [{ account: '2000', currency: 'USD',
        amount: BigInt(minor), base: BigInt(minor), party: vendor }, { account: other, currency: 'USD',
        amount: BigInt(-minor), base: BigInt(-minor) }] });
    const item = async (id: number) => (await openItem(db, { transaction_id: id, account: '2000' })).id;
    const { transaction_id: bill } = await booked('bill', '2026-05-04', -40_000, '6200');
    for (const [on, minor] of [['2026-05-20', 10_000], ['2026-06-20', 30_000]] as const) {
      const { transaction_id: paid } = await booked('payment', on, minor, '1000');
      await allocate(db, { debit_item_id: await item(paid), credit_item_id: await item(bill),
        amount_minor: BigInt(minor), allocated_at: on, actor_id: null });
    }
    await post('bank_entry', '2026-06-30', [['6100', 500], ['1000', -500]]);
  });

  it('counts a bill in the months in which it is paid, and says what the accrual basis says', async () => {
    const table = await read(BOTH);
    expect(table).toMatchObject({ title: 'Profit and loss, cash basis', basis: 'cash' });
    expect(table.rows.filter((row) => row.code !== null).map((row) => [row.code, row.amounts]))
      .toEqual([['6100', [0, 500, 500]], ['6200', [10_000, 30_000, 40_000]]]);
    expect([amounts(table, 'net'), amounts(table, 'accrual')])
      .toEqual([[-10_000, -30_500, -40_500], [-40_000, -500, -40_500]]);
    expect(table.notes).toHaveLength(2);
    expect((await read('from=2026-05-01&to=2026-06-30&compare=months')).notes).toEqual([]);
  });

  it('leads from every figure to payments that sum to it, with the documents that they paid', async () => {
    expect(await followLinks(await read(BOTH), { basis: 'cash' })).toBe(6);
    const { data } = (await ann.get(`${BASE}/reports/profit_loss/payments?division=PROD&from=2026-05-01&to=2026-06-30`
      + '&account=6200')).body;
    expect(data.rows.map((row: { on: string; description: string; document: string; amount_minor: number }) =>
      [row.on, row.description, row.document, row.amount_minor]))
      .toEqual([['2026-06-20', 'payment', 'bill', 30_000], ['2026-05-20', 'payment', 'bill', 10_000]]);
    const status = async (account: string) => (await ann.get(`${BASE}/reports/profit_loss/payments?division=PROD`
      + `&account=${account}`)).status;
    expect([await status('1000'), await status('nothing')]).toEqual([404, 404]);
  });

  it('is refused of other statements', async () => {
    const status = async (query: string) => (await ann.get(`${BASE}/reports/statements?${query}`)).status;
    expect(await status('basis=cash&statement=balance_sheet')).toBe(422);
    expect(await status('basis=cash&by=show&compare=months')).toBe(422);
  });

  /** Own example: a bill of 100.00, of which 33.33 are Hamlet's and 66.67 nobody's; a third is paid in August. */
  it('by show spreads each payment over the lines of its bill, and leads to the payments of each', async () => {
    const { db } = test.database;
    const vendor = { type: 'vendor' as const, id: 8 };
    const item = async (id: number) => (await openItem(db, { transaction_id: id, account: '2000' })).id;
    const { transaction_id: bill } = await postJournal(db, { division: 'PROD', kind: 'bill', description: 'Scenery',
      transaction_at: '2026-07-06', source: null, lines: [
        { account: '2000', currency: 'USD', amount: -10_000n, base: -10_000n, party: vendor },
        { account: '6200', currency: 'USD', amount: 3_333n, base: 3_333n, refs: { show_id: show } },
        { account: '6200', currency: 'USD', amount: 6_667n, base: 6_667n }] });
    for (const [on, minor] of [['2026-08-07', 3_333n], ['2026-09-07', 6_667n]] as const) {
      const { transaction_id: paid } = await postJournal(db, { division: 'PROD', kind: 'payment', transaction_at: on,
        description: 'payment', source: null, lines: [
          { account: '2000', currency: 'USD', amount: minor, base: minor, party: vendor },
          { account: '1000', currency: 'USD', amount: -minor, base: -minor }] });
      await allocate(db, { debit_item_id: await item(paid), credit_item_id: await item(bill), amount_minor: minor,
        allocated_at: on, actor_id: null });
    }
    const AUGUST = 'from=2026-08-01&to=2026-08-31&basis=cash';
    const shows = await read(`${AUGUST}&by=show`);
    expect(shows.title).toBe('Profit and loss, cash basis');
    // 33.33% of 33.33 are 11.11, the rest of 33.33 belongs to no show.
    expect(shows.rows.map((row) => [row.title, row.amounts[3], row.amounts[5]])).toEqual([['Hamlet', 1_111, -1_111],
      ['Without a show', 2_222, -2_222], ['Total', 3_333, -3_333]]);
    expect(shows.checks).toMatchObject([{ name: 'parts_equal_net_profit', expected: -3_333, ok: true }]);
    expect(shows.notes[0]).toContain('spread over the lines');
    const { headers } = await ann.get(`${BASE}/reports/statements/file?division=PROD&${AUGUST}&by=show&format=xlsx`);
    expect(String(headers['content-disposition'])).toContain('profit-loss-cash-basis-by-show-prod-2026-08-01');
    expect(await followLinks(shows, { by: 'show', basis: 'cash' })).toBe(12);
    const one = await read(`${AUGUST}&show_id=${show}`);
    expect([one.part, amounts(one, 'net'), amounts(one, 'accrual')]).toEqual(['Hamlet', [-1_111], [0]]);
    expect(await followLinks(one, { show_id: String(show) })).toBe(1);
    const { data } = (await ann.get(`${BASE}/reports/profit_loss/payments?division=PROD&from=2026-08-01&to=2026-08-31`
      + `&account=6200&show_id=0`)).body;
    expect([data.part, data.amount_minor, data.rows.map((row: { document: string }) => row.document)])
      .toEqual(['Without a show', 2_222, ['Scenery']]);
    const classes = await read(`${AUGUST}&by=customer_class`);
    expect(classes.rows.map((row) => [row.part_id, row.amounts.at(-1)])).toEqual([[0, -3_333], [null, -3_333]]);
    expect(amounts(await read(`from=2026-07-01&to=2026-09-30&basis=cash&show_id=${show}`), 'net')).toEqual([-3_333]);
  });

  it('says in its files what does not count', async () => {
    const file = async (format: string) => (await ann.get(`${BASE}/reports/statements/file?division=PROD&${BOTH}`
      + `&format=${format}`)).raw;
    const [sheet] = await readWorkbook(await file('xlsx'));
    expect(sheet!.rows.at(-1)![1]).toMatch(/^Not counted: payments that are not applied/);
    const text = (await textOfPages(await file('pdf'))).join(' ').replace(/\s+/g, ' ');
    expect(text).toContain('Profit and loss, cash basis');
    expect(text).toContain('Not counted: payments that are not applied');
    const british = await ann.get(`${BASE}/reports/statements/file?division=UK&${BOTH}&format=pdf`);
    expect((await textOfPages(british.raw)).join(' ').replace(/\s+/g, ' '))
      .toContain('unrealised exchange differences');
  });
});

describe('the words of a statement', () => {
  it('an address that was changed by hand is answered in the words of the choices', async () => {
    const { status, body } = await ann.get(
      `${BASE}/reports/statements?division=PROD&compare=budget&basis=x&by=y&scope=z`);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject({ compare: [expect.stringContaining('The same days last year')],
      basis: ['Choose one of: Accrual; Cash'], by: ['Choose one of: Account; Show; Class of customer'],
      scope: ['Choose one of: This division; All, in USD'] });
    expect(JSON.stringify(body)).not.toMatch(/previous_period|customer_class/);
  });

  it('are in the English of the division, whoever reads them', () => {
    const unrealized = (language: Language) => cashFlows([], [{ key: 'unrealized_exchange', minor: 100n }], language)
      .indirect.rows.map((row) => row.title);
    expect([unrealized('en-US'), unrealized('en-GB')]).toEqual([['Unrealized exchange differences'],
      ['Unrealised exchange differences']]);
  });

  it('a paper names the checks that fail in words', async () => {
    const table = { ...await read('statement=cash_flows&from=2026-01-01&to=2026-01-31'), checks: [
      { name: 'unrealized_equals_account', ok: false, expected: 1, actual: 2 }] };
    const house = { language: 'en-GB' as const, name: 'Grand Rights UK', lines: [] };
    const said = JSON.stringify(statementPaper(table, house as never, new Date('2026-11-27T12:00:00Z')).blocks);
    expect(said).toContain('Unrealised gains and losses equal their account');
    expect(said).not.toContain('unrealized_equals_account');
  });
});
