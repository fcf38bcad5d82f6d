/** All divisions in USD (accounting.md 3.11), over HTTP; rates and books by hand. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JournalLine } from '#kernel/ledger/journal.ts';
import { textOfPages } from '#server/pdf-pages.ts';
import { sql } from '#server/sql.ts';
import { readWorkbook } from '#server/workbook.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { allocate, openItem, postJournal, postJournals, reverseTransaction } from '../accounting.public.server.ts';
import { figureHref, ownAmount } from './statement-links.ts';
import type { StatementTable } from './statement-table.contract.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
let ann: SignedIn;
const db = () => test.database.db;

type Currency = 'USD' | 'GBP';
const line = (account: string, currency: Currency, minor: number, base = minor, other?: number): JournalLine => ({
  account, currency, amount: BigInt(minor), base: BigInt(base),
  ...(other === undefined ? {} : { party: { type: 'division', id: other } }) });
const post = (division: 'US' | 'UK', kind: string, on: string, lines: JournalLine[]) => postJournal(db(), { division,
  kind, transaction_at: on, description: kind, source: null, lines });

/**
 * UK as in accounting.md: GBP 1,000 on 31 December at 1.25, GBP 200 earned in January at 1.27, closing 1.30. The US is
 * owed USD 100.00 of a cost that the UK carries at GBP 80.00, and has USD 500.00 of its own.
 */
beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  await test.database.owner.exec(sql`
    insert into exchange_rates (base, quote, on_date, rate, source, kind)
    values ('GBP', 'USD', '2025-12-31', '1.25', 'manual', 'daily'),
      ('GBP', 'USD', '2026-01-30', '1.30', 'manual', 'daily'),
      ('GBP', 'USD', '2026-01-31', '1.27', 'hmrc', 'month_average')`);
  const ids = new Map((await db().query<{ id: number; code: string }>(sql`select id, code from divisions`))
    .map((row) => [row.code, row.id]));
  await post('UK', 'opening', '2025-12-31', [line('1000', 'GBP', 100_000), line('3999', 'GBP', -100_000)]);
  await post('UK', 'bank_entry', '2026-01-12', [line('1000', 'GBP', 28_000), line('4400', 'GBP', -28_000)]);
  await post('US', 'bank_entry', '2026-01-15', [line('1000', 'USD', 50_000), line('4400', 'USD', -50_000)]);
  const pair = { kind: 'intercompany', transaction_at: '2026-01-20', description: 'Hosting', source: null,
    intercompany_group_id: 900_001 };
  await postJournals(db(), [
    { ...pair, division: 'US', lines: [line('1500', 'USD', 10_000, 10_000, ids.get('UK')),
      line('1000', 'USD', -10_000)] },
    { ...pair, division: 'UK', lines: [line('2500', 'USD', -10_000, -8_000, ids.get('US')),
      line('6200', 'USD', 10_000, 8_000)] }]);
}, 900_000);

async function read(query: string): Promise<StatementTable> {
  const { status, body } = await ann.get(`${BASE}/reports/statements?scope=group&division=US&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
const amounts = (table: StatementTable, key: string) => table.rows.find((row) => row.key === key)?.amounts;
const coded = (table: StatementTable, code: string) => table.rows.find((row) => row.code === code)?.amounts;
const JANUARY = 'from=2026-01-01&to=2026-01-31';

describe('the balance sheet of all divisions', () => {
  it('has each division beside the others, eliminations, the group, and the translation difference', async () => {
    const table = await read(`statement=balance_sheet&${JANUARY}`);
    expect(table).toMatchObject({ title: 'Consolidated balance sheet', currency: 'USD', scope: 'group' });
    expect(table.columns.map((one) => [one.title, one.division])).toEqual([['US', 'US'], ['EU', 'EU'], ['UK', 'UK'],
      ['Production', 'PROD'], ['Eliminations', null], ['Group', null]]);
    // UK bank GBP 1,280.00 at 1.30
    expect(coded(table, '1000')).toEqual([40_000, 0, 166_400, 0, 0, 206_400]);
    expect(coded(table, '1500')).toEqual([10_000, 0, 0, 0, -10_000, 0]);
    expect(coded(table, '2500')).toEqual([0, 0, 10_400, 0, -10_400, 0]);
    expect([amounts(table, 'unmatched'), amounts(table, 'exchange')]).toEqual([[0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, -400, -400]]);
    // GBP 1,000.00 at 1.25; GBP 280.00 less 80.00 at 1.27; 156.00 - 125.00 - 25.40 is 5.60
    expect(coded(table, '3999')).toEqual([0, 0, 125_000, 0, 0, 125_000]);
    expect(amounts(table, 'current_result')).toEqual([50_000, 0, 25_400, 0, 0, 75_400]);
    expect(amounts(table, 'translation')).toEqual([0, 0, 5_600, 0, 0, 5_600]);
    expect(amounts(table, 'assets')).toEqual([50_000, 0, 166_400, 0, -10_400, 206_000]);
    expect(amounts(table, 'liabilities_equity')).toEqual(amounts(table, 'assets'));
    expect(['opening', 'net_assets', 'result', 'equity', 'rounding', 'closing'].map((key) =>
      amounts(table, `roll:${key}`)![2])).toEqual([0, 5_000, 600, 0, 0, 5_600]);
    expect(table.checks).toEqual([expect.objectContaining({ ok: true }), expect.objectContaining({ ok: true })]);
  });

  it('leads to the ledger of each division and to the balances that are eliminated', async () => {
    const table = await read(`statement=balance_sheet&${JANUARY}`);
    const href = (code: string, at: number) => figureHref(table, table.rows.find((row) => row.code === code)!,
      table.columns[at]!, { scope: 'group' });
    const found = new URL(href('1000', 2)!, 'http://x');
    const { data } = (await ann.get(`${BASE}/general_ledger${found.search}`)).body;
    expect([data.currency, data.closing_minor]).toEqual(['GBP', 128_000]);
    expect(href('1500', 4)).toBe('/admin/accounting/intercompany/balances?as_of=2026-01-31');
  });

  it('leads from the group to the divisions that add up to a figure, in their own currency', async () => {
    const table = await read(`statement=balance_sheet&${JANUARY}`);
    const group = table.columns.length - 1;
    const figures = table.rows.filter((row) => row.amounts[group] !== 0
      && (row.kind === 'line' || ['brought_forward', 'current_result'].includes(row.key)));
    expect(figures.length).toBeGreaterThan(5);
    for (const row of figures) {
      const found = new URL(figureHref(table, row, table.columns[group]!, { scope: 'group' })!, 'http://x');
      expect(found.pathname + found.searchParams.get('scope')).toBe('/admin/finance/balance-sheetgroup');
      expect(found.searchParams.get('figure')).toBe(row.key);
      expect(row.amounts.slice(0, group).reduce((sum, one) => sum + one, 0)).toBe(row.amounts[group]);
    }
    const bank = table.rows.find((row) => row.code === '1000')!;
    const own = (await ann.get(`${BASE}/reports/statements?statement=balance_sheet&division=UK&${JANUARY}`)).body.data;
    expect([ownAmount(own, bank), bank.amounts[2]]).toEqual([128_000, 166_400]);
    const trial = (await ann.get(`${BASE}/reports/statements?statement=trial_balance&division=UK&${JANUARY}`)).body;
    expect(ownAmount(trial.data, bank)).toBe(128_000);
    expect(figureHref(table, table.rows.find((row) => row.key === 'current_result')!, table.columns[2]!,
      { scope: 'group' })).toBe('/admin/finance/balance-sheet?division=UK&as_of=2026-01-31');
  });

  it('names what one set of books lacks as unmatched', async () => {
    await post('US', 'bank_entry', '2026-01-25', [line('1500', 'USD', 2_500, 2_500, (await db().one<{ id: number }>(sql`
      select id from divisions where code = 'UK'`)).id), line('1000', 'USD', -2_500)]);
    const table = await read(`statement=balance_sheet&${JANUARY}`);
    expect([amounts(table, 'unmatched')!.at(-1), amounts(table, 'exchange')!.at(-1), coded(table, '1500')!.at(-1)])
      .toEqual([2_500, -400, 0]);
    expect(table.checks.every((one) => one.ok)).toBe(true);
  });

  it('names currency and day of a rate that is missing, and guesses none', async () => {
    const refused = async (query: string) => (await ann.get(`${BASE}/reports/statements?scope=group&${query}`)).body;
    const answer = await refused('statement=balance_sheet&from=2026-01-01&to=2026-02-28');
    expect(answer).toMatchObject({ code: 'consolidation.rate_missing',
      missing: [{ currency: 'GBP', on: '2026-02-28' }] });
    expect(answer.message).toBe('Enter the exchange rate to USD of GBP for February 28, 2026.');
    await post('UK', 'bank_entry', '2026-03-10', [line('1000', 'GBP', 500), line('4400', 'GBP', -500)]);
    expect((await refused('from=2026-03-01&to=2026-03-31')).missing).toEqual([{ currency: 'GBP', on: '2026-03-31' }]);
    expect((await refused('statement=cash_flows&from=2026-03-01&to=2026-03-31')).code)
      .toBe('consolidation.rate_missing');
    expect(Object.keys((await refused('by=show')).errors)).toEqual(['scope']);
  });
});

describe('income of all divisions', () => {
  it('is at the average of its month, and the same as the balance sheet has', async () => {
    const table = await read(JANUARY);
    expect(coded(table, '4400')).toEqual([50_000, 0, 35_560, 0, 0, 85_560]);
    expect(amounts(table, 'net')).toEqual([50_000, 0, 25_400, 0, 0, 75_400]);
    // paid outside for the UK: a cost of the group
    expect(coded(table, '6200')).toEqual([0, 0, 10_160, 0, 0, 10_160]);
    expect(table.checks).toMatchObject([{ name: 'parts_equal_net_profit', ok: true }]);
  });

  it('without a published average is at the mean of the rates in force on the days of the month', async () => {
    await test.database.owner.exec(sql`
      insert into exchange_rates (base, quote, on_date, rate, source)
      values ('GBP', 'USD', '2026-04-01', '1.20', 'manual'), ('GBP', 'USD', '2026-04-03', '1.40', 'manual')`);
    await post('UK', 'bank_entry', '2026-04-02', [line('1000', 'GBP', 10_000), line('4400', 'GBP', -10_000)]);
    // 1.20 on the 1st and 2nd, 1.40 on the 3rd and 4th
    expect(coded(await read('from=2026-04-01&to=2026-04-04'), '4400')![2]).toBe(13_000);
  });

  it('is compared by the group alone', async () => {
    const table = await read(`${JANUARY}&compare=previous_period`);
    expect(table.columns.map((one) => one.title)).toEqual(['January 2026', 'December 2025']);
    expect(amounts(table, 'net')).toEqual([75_400, 0]);
    const row = table.rows.find((one) => one.code === '4400')!;
    expect(figureHref(table, row, table.columns[0]!, { scope: 'group', compare: 'previous_period' }))
      .toBe(`/admin/finance/profit-loss?scope=group&division=US&from=2026-01-01&to=2026-01-31&figure=${
        encodeURIComponent(row.key)}`);
  });
});

describe('income that one division charges another', () => {
  it('is eliminated with the expense; what rates leave is a row before net profit', async () => {
    // USD 60.00 at 1.26 in the books of the UK: GBP 47.62, at the average of 1.27 USD 60.48
    await test.database.owner.exec(sql`
      insert into exchange_rates (base, quote, on_date, rate, source, kind)
      values ('GBP', 'USD', '2026-07-31', '1.27', 'hmrc', 'month_average')`);
    const divisions = new Map((await db().query<{ id: number; code: string }>(sql`select id, code from divisions`))
      .map((row) => [row.code, row.id]));
    const pair = { kind: 'intercompany', transaction_at: '2026-07-20', description: 'Management', source: null,
      intercompany_group_id: 900_002 };
    const posted = await postJournals(db(), [
      { ...pair, division: 'US', lines: [line('1500', 'USD', 6_000, 6_000, divisions.get('UK')),
        line('4400', 'USD', -6_000)] },
      { ...pair, division: 'UK', lines: [line('2500', 'USD', -6_000, -4_762, divisions.get('US')),
        line('6200', 'USD', 6_000, 4_762)] }]);
    const july = 'from=2026-07-01&to=2026-07-31';
    const table = await read(july);
    expect(coded(table, '4400')).toEqual([6_000, 0, 0, 0, -6_000, 0]);
    expect(coded(table, '6200')).toEqual([0, 0, 6_048, 0, -6_048, 0]);
    expect(amounts(table, 'unmatched')).toEqual([0, 0, 0, 0, -48, -48]);
    const keys = table.rows.map((row) => row.key);
    expect(keys.indexOf('unmatched')).toBe(keys.indexOf('net') - 1);
    expect(amounts(table, 'net')).toEqual([6_000, 0, -6_048, 0, 0, -48]);
    expect(table.checks).toMatchObject([{ name: 'parts_equal_net_profit', ok: true }]);
    await test.database.owner.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
      values ('GBP', 'USD', '2026-03-31', '1.27', 'manual'), ('GBP', 'USD', '2026-07-31', '1.27', 'manual')`);
    const trial = await read('statement=trial_balance&from=2026-07-01&to=2026-07-31');
    // taken off the trial balance as well; what it had before stays
    expect(['4400', '6200'].map((code) => coded(trial, code)![4])).toEqual([6_000, -6_048]);
    expect([amounts(trial, 'charges'), amounts(trial, 'total')]).toEqual([[0, 0, 0, 0, 48, 48], [0, 0, 0, 0, 0, 0]]);
    expect(coded(trial, '6200')!.at(-1)).toBe(10_160);
    expect(trial.checks.every((one) => one.ok)).toBe(true);
    const net = (of: StatementTable) => -of.rows.filter((row) => /^(income|expense):/.test(row.key))
      .reduce((sum, row) => sum + row.amounts.at(-1)!, 0) - amounts(of, 'charges')!.at(-1)!;
    const sheet = await read('statement=balance_sheet&from=2026-07-01&to=2026-07-31');
    expect(net(trial)).toBe(amounts(sheet, 'brought_forward')!.at(-1)! + amounts(sheet, 'current_result')!.at(-1)!);
    for (const { transaction_id } of posted) {
      await reverseTransaction(db(), { transaction_id, transaction_at: '2026-07-25', reason: 'Twice', document: null,
        actor_id: null });
    }
    const after = await read(july);
    expect([coded(after, '4400'), amounts(after, 'unmatched'), amounts(after, 'net')]).toEqual([undefined, undefined,
      [0, 0, 0, 0, 0, 0]]);
    for (const [division, currency] of [['US', 'USD'], ['UK', 'GBP']] as const) {
      await post(division, 'bank_entry', '2026-07-28', [line('1000', currency, 100), line('7000', currency, -100)]);
    }
    const named = (await read(july)).rows.find((row) => row.code === '7000')!;
    expect([named.title, named.amounts]).toEqual(['FX gain or loss realized', [100, 0, 127, 0, 0, 227]]);
  });
});

describe('[A98] the cash flows of all divisions', () => {
  it('are tied to cash of the consolidated balance sheet and to the consolidated net result', async () => {
    const table = await read(`statement=cash_flows&${JANUARY}`);
    expect(table.title).toBe('Consolidated cash flows');
    // UK: GBP 1,000.00 at 1.25; 280.00 at 1.27; 1,280.00 at 1.30, so 50.00 and 8.40 are exchange
    expect(amounts(table, 'cash:opening')).toEqual([0, 0, 125_000, 0, 0, 125_000]);
    expect(amounts(table, 'cash:operations')).toEqual([37_500, 0, 35_560, 0, 0, 73_060]);
    expect(amounts(table, 'cash:direct')).toEqual(amounts(table, 'cash:operations'));
    expect(amounts(table, 'exchange')).toEqual([0, 0, 5_840, 0, 0, 5_840]);
    expect(amounts(table, 'cash:closing')).toEqual([37_500, 0, 166_400, 0, 0, 203_900]);
    const sheet = await read(`statement=balance_sheet&${JANUARY}`);
    expect(coded(sheet, '1000')!.at(-1)).toBe(203_900);
    expect(amounts(table, 'net_result')!.at(-1)).toBe(amounts(await read(JANUARY), 'net')!.at(-1));
    expect(table.checks.map((one) => [one.name, one.ok])).toEqual([['indirect_equals_change_of_cash', true],
      ['direct_equals_change_of_cash', true], ['exchange_on_cash_explained', true]]);
  });

  it('have nothing between divisions in the group but a row for the rest', async () => {
    const table = await read(`statement=cash_flows&${JANUARY}`);
    // USD 125.00 paid for the UK, whose books have GBP 80.00 of it, at 1.27
    expect(amounts(table, 'change:code:1500')).toEqual([-12_500, 0, 0, 0, 12_500, 0]);
    expect(amounts(table, 'change:code:2500')).toEqual([0, 0, 10_160, 0, -10_160, 0]);
    expect(amounts(table, 'indirect:unmatched')).toEqual([0, 0, 0, 0, -2_340, -2_340]);
    expect(amounts(table, 'direct:divisions')).toEqual([-12_500, 0, 0, 0, 12_500, 0]);
    expect(amounts(table, 'direct:unmatched')).toEqual([0, 0, 0, 0, -12_500, -12_500]);
  });

  it('lead to the transactions of each division, by the code of the account', async () => {
    const table = await read(`statement=cash_flows&${JANUARY}`);
    const href = (key: string, at: number) => figureHref(table, table.rows.find((row) => row.key === key)!,
      table.columns[at]!, { scope: 'group' });
    const found = new URL(href('change:code:2500', 2)!, 'http://x');
    expect(found.pathname).toBe('/admin/finance/cash-flows/transactions');
    const { data } = (await ann.get(`${BASE}/reports/cash_flows/transactions${found.search}`)).body;
    expect([data.currency, data.amount_minor]).toEqual(['GBP', 8_000]);
    expect(href('net_result', 0)).toContain('/admin/finance/profit-loss?division=US&');
    expect(href('indirect:unmatched', 0)).toBeNull();
    expect(href('net_result', 5)).toContain('figure=net_result');
  });

  it('are compared by the group alone', async () => {
    const table = await read(`statement=cash_flows&${JANUARY}&compare=previous_period`);
    expect(amounts(table, 'cash:closing')).toEqual([203_900, 125_000]);
    expect(figureHref(table, table.rows.find((row) => row.key === 'net_result')!, table.columns[0]!, {
      scope: 'group', compare: 'previous_period' }))
      .toBe('/admin/finance/cash-flows?scope=group&division=US&from=2026-01-01&to=2026-01-31&figure=net_result');
  });
});

describe('[A98] a payment that is applied in a later month', () => {
  it('is about the same in the group as in the division', async () => {
    await test.database.owner.exec(sql`
      insert into exchange_rates (base, quote, on_date, rate, source)
      values ('GBP', 'USD', '2026-04-30', '1.25', 'manual'), ('GBP', 'USD', '2026-06-30', '1.25', 'manual')`);
    await test.database.owner.exec(sql`
      insert into exchange_rates (base, quote, on_date, rate, source, kind)
      values ('GBP', 'USD', '2026-05-31', '1.25', 'hmrc', 'month_average'),
        ('GBP', 'USD', '2026-06-30', '1.25', 'hmrc', 'month_average')`);
    const vendor = (minor: number): JournalLine => ({ ...line('2000', 'GBP', minor),
      party: { type: 'vendor', id: 7 } });
    const made = await post('UK', 'bill', '2026-05-10', [line('3100', 'GBP', 90_000), vendor(-90_000)]);
    const paid = await post('UK', 'payment', '2026-05-20', [vendor(90_000), line('1000', 'GBP', -90_000)]);
    const item = async (id: number) => (await openItem(db(), { transaction_id: id, account: '2000' })).id;
    await allocate(db(), { debit_item_id: await item(paid.transaction_id), credit_item_id: await item(
      made.transaction_id), amount_minor: 90_000n, allocated_at: '2026-06-02', actor_id: null });
    // GBP 900.00 at 1.25: paid back to the owners, not to a vendor
    const table = await read('statement=cash_flows&from=2026-05-01&to=2026-06-30');
    expect(amounts(table, 'financing:code:3100')![2]).toBe(-112_500);
    expect(amounts(table, 'direct:vendors')).toBeUndefined();
    expect(table.checks.every((one) => one.ok)).toBe(true);
  });
});

describe('the trial balance of all divisions and its files', () => {
  it('comes to nothing in every column', async () => {
    const table = await read(`statement=trial_balance&${JANUARY}`);
    expect(amounts(table, 'total')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(amounts(table, 'translation')).toEqual([0, 0, -5_600, 0, 0, -5_600]);
    expect(coded(table, '4400')).toEqual([-50_000, 0, -35_560, 0, 0, -85_560]);
  });

  it('is handed out as PDF and workbook', async () => {
    const file = async (format: string) => (await ann.get(`${BASE}/reports/statements/file?scope=group&division=US&${
      JANUARY}&statement=balance_sheet&format=${format}`)).raw;
    const text = (await textOfPages(await file('pdf'))).join(' ');
    for (const words of ['Consolidated balance sheet', 'Eliminations', 'Translation difference', 'Group']) {
      expect(text).toContain(words);
    }
    const trial = await ann.get(`${BASE}/reports/statements/file?scope=group&division=US&${JANUARY
      }&statement=trial_balance`);
    expect((await textOfPages(trial.raw)).join(' ')).toContain('As of January 31, 2026');
    expect(String(trial.headers['content-disposition'])).toContain('trial-balance-all-2026-01-31.pdf');
    const [sheet] = await readWorkbook(await file('xlsx'));
    expect(sheet!.rows[0]).toEqual(['Account', 'Name', ...['US', 'EU', 'UK', 'Production', 'Eliminations', 'Group']
      .map((title) => `${title}, USD`)]);
  });
});
