import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JournalLine, PartyType } from '#kernel/ledger/journal.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { HLEDGER } from '#tests/support/hledger.ts';
import { allocate, openItem, postJournal, reverseTransaction } from '../accounting.public.server.ts';
import { journalExport } from './journal-export.server.ts';

const test = testApp();
const db = () => test.database.db;
const BASE = '/api/admin/staff/accounting';
let staff: Browser;

const on = (account: string, minor: number, party?: PartyType): JournalLine => ({ account, currency: 'USD',
  amount: BigInt(minor), base: BigInt(minor), ...(party ? { party: { type: party, id: 7 } } : {}) });
const euros = (account: string, minor: number, base: number, party?: PartyType): JournalLine =>
  ({ ...on(account, minor, party), currency: 'EUR', base: BigInt(base) });
const post = (kind: string, day: string, ...lines: JournalLine[]) => postJournal(db(), { division: 'US', kind,
  transaction_at: `2026-${day}`, description: kind, source: null, lines });
const item = async (id: number, account: string) => (await openItem(db(), { transaction_id: id, account })).id;

async function settle(debit: number, credit: number, account: string, minor: number, day: string) {
  await allocate(db(), { debit_item_id: await item(debit, account), credit_item_id: await item(credit, account),
    amount_minor: BigInt(minor), allocated_at: `2026-${day}`, actor_id: null });
}

/** The books of accounting.md 6.2 and beside them bills, royalties, tax, a machine, capital and bad debt. */
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  await test.database.owner.exec(sql`
    insert into ledger_headers (division, code, name, class, section, cash_flow_section, parent_id)
    select division, 'assets.fixed', 'Equipment', class, 'fixed', 'investing', id from ledger_headers
    where division = 'US' and code = 'assets'`);
  await test.database.owner.exec(sql`
    insert into ledger_accounts (division, ledger_header_id, code, name, class)
    select division, id, '1800', 'Equipment', class from ledger_headers where division = 'US'
      and code = 'assets.fixed'`);
  const invoice = (await post('invoice', '01-05', euros('1100', 100_000, 110_000, 'customer'),
    euros('2100', -100_000, -110_000, 'customer'))).transaction_id;
  await post('release', '01-06', euros('2100', 100_000, 110_000, 'customer'), euros('4000', -100_000, -110_000));
  const first = (await post('receipt', '01-20', euros('1001', 40_000, 44_800), euros('1100', -40_000, -44_800,
    'customer'))).transaction_id;
  await settle(invoice, first, '1100', 40_000, '01-20');
  const { transaction_id: revalued } = await post('revaluation', '01-31', euros('1100', 0, -1_200, 'customer'),
    on('7010', 1_200), euros('1001', 0, -1_600), on('7010', 1_600));
  await reverseTransaction(db(), { transaction_id: revalued, transaction_at: '2026-02-01', reason: 'next month',
    document: null, actor_id: null });
  const second = (await post('receipt', '02-10', euros('1001', 60_000, 64_200), euros('1100', -60_000, -64_200,
    'customer'))).transaction_id;
  await settle(invoice, second, '1100', 60_000, '02-10');
  await post('bank_entry', '01-02', on('1000', 500_000), on('3100', -500_000));
  const bill = (await post('bill', '01-15', on('1800', 90_000), on('6200', 30_000), on('2000', -120_000, 'vendor')))
    .transaction_id;
  const paid = (await post('payment', '02-03', on('2000', 80_000, 'vendor'), on('1000', -80_000))).transaction_id;
  await settle(paid, bill, '2000', 80_000, '02-03');
  await post('royalty_advance', '02-05', on('1150', 50_000, 'royaltor'), on('1000', -35_000),
    on('2320', -15_000, 'tax_authority'));
  await post('tax_payment', '03-15', on('2320', 15_000, 'tax_authority'), on('1000', -15_000));
  await post('deposit', '03-02', on('1000', 12_000), on('2160', -10_000, 'customer'), on('2310', -2_000,
    'tax_authority'));
  await post('bank_entry', '03-31', on('6100', 1_500), on('1000', -1_500));
  await post('write_off', '03-20', on('6000', 3_000), on('1100', -3_000, 'customer'));
  await post('journal', '03-25', on('5000', 7_000), on('1160', -7_000, 'royaltor'));
  await post('revaluation', '03-31', euros('1001', 0, -300), on('7010', 300));
  await post('year_end_close', '03-31', on('6100', -1_500), on('7000', -1_000), on('7010', -300), on('3100', 2_800));
}, 900_000);

const report = async (query: string) => (await staff.get(`${BASE}/reports/cash_flows?division=US&${query}`)).body.data;
interface Section { rows: { key: string; title: string; amount_minor: number }[]; total_minor: number }
const rows = (section: Section) => Object.fromEntries(section.rows.map((row) => [row.title, row.amount_minor]));

describe('[A98] cash flows', () => {
  it('of January are those of the worked example, beside capital and a machine that is not paid', async () => {
    const made = await report('from=2026-01-01&to=2026-01-31');
    expect(rows(made.indirect)).toEqual({ 'Net result': 78_000, 'Unrealized exchange differences': 2_800,
      'Accounts receivable': -66_000, 'Accounts payable': 120_000, 'Investing and financing without cash': -90_000 });
    expect(rows(made.direct)).toEqual({ 'Received from customers': 44_800 });
    expect([rows(made.investing), rows(made.financing)]).toEqual([{}, { 'Retained earnings': 500_000 }]);
    expect(made).toMatchObject({ opening_minor: 0, closing_minor: 543_200, exchange_minor: -1_600, unclassified: [] });
    expect(made.checks.map((one: { ok: boolean }) => one.ok)).toEqual([true, true, true, true]);
  });

  it('of February pay the machine by its share of the bill, and the royaltor what was not withheld', async () => {
    const made = await report('from=2026-02-01&to=2026-02-28');
    expect(rows(made.direct)).toEqual({ 'Received from customers': 64_200, 'Paid to vendors': -20_000,
      'Paid to royaltors': -35_000 });
    expect([rows(made.investing), made.exchange_minor]).toEqual([{ Equipment: -60_000 }, 1_600]);
    expect(made.checks.every((one: { ok: boolean }) => one.ok)).toBe(true);
  });

  it('of March add back bad debt and impairment, and know no closing entry', async () => {
    const made = await report('from=2026-03-01&to=2026-03-31');
    expect(rows(made.indirect)).toMatchObject({ 'Net result': -11_800, 'Bad debt': 3_000,
      'Impairment of advances': 7_000, 'Unrealized exchange differences': 300 });
    expect(rows(made.indirect)).not.toHaveProperty('Accounts receivable');
    expect(rows(made.direct)).toEqual({ 'Received from customers': 12_000, 'Taxes': -15_000, 'Bank fees': -1_500 });
    expect(made.checks.every((one: { ok: boolean }) => one.ok)).toBe(true);
  });

  it('lead from every figure to transactions that sum to it', async () => {
    const span = 'from=2026-01-01&to=2026-03-31';
    const made = await report(span);
    const figures = [made.indirect, made.direct, made.investing, made.financing].flatMap((one: Section) => one.rows);
    for (const { key, title, amount_minor } of [...figures, { key: 'exchange', title: 'Exchange differences on cash',
      amount_minor: made.exchange_minor }]) {
      const { data } = (await staff.get(`${BASE}/reports/cash_flows/transactions?division=US&${span}&row=${key}`)).body;
      const sum = data.rows.reduce((total: number, row: { amount_minor: number }) => total + row.amount_minor, 0);
      expect([data.title, data.amount_minor, sum]).toEqual([title, amount_minor, amount_minor]);
    }
    const answer = await staff.get(`${BASE}/reports/cash_flows/transactions?division=US&${span}&row=no`);
    expect(answer.status).toBe(404);
  });
});

describe('[A100] exchange gains and losses beside a closing entry', () => {
  it('are those of profit and loss: the entry is no gain, and its other accounts are not listed', async () => {
    const span = 'division=US&from=2026-01-01&to=2026-03-31';
    const made = (await staff.get(`${BASE}/reports/exchange_gains_losses?${span}`)).body.data;
    expect(made.realized.map((row: { gain_minor: number }) => row.gain_minor)).toEqual([-1_800, 800]);
    expect(made.unrealized.map((row: { account: string; gain_minor: number }) => [row.account, row.gain_minor]))
      .toEqual([['1001', -300]]);
    expect(made.checks.map((one: { ok: boolean }) => one.ok)).toEqual([true, true]);
    const profit = (await staff.get(`${BASE}/reports/profit_loss?${span}`)).body.data;
    const other = profit.sections.find((one: { key: string }) => one.key === 'other').rows
      .map((row: { code: string; amount_minor: number }) => [row.code, row.amount_minor]);
    expect(other).toEqual([['7000', -1_000], ['7010', -300]]);
    expect([made.realized_minor, made.unrealized_minor]).toEqual([-1_000, -300]);
  });
});

describe('the class of an account in the cash flows', () => {
  it('comes from its header, is changed by a person, and of equity, cash and the result is given', async () => {
    const accounts = (await staff.get(`${BASE}/ledger_accounts?division=US&per_page=100`)).body.data;
    const of = (code: string) => accounts.find((row: { code: string }) => row.code === code);
    expect(['1800', '1000', '3100', '6100', '1100'].map((code) => of(code).cash_flow_class))
      .toEqual(['investing', 'cash', 'financing', 'operating', 'operating']);
    const { id, version } = of('1800');
    const changed = await staff.put(`${BASE}/ledger_accounts/${id}`, { cash_flow_class: 'financing', version });
    expect(changed.body.data, JSON.stringify(changed.body)).toMatchObject({ cash_flow_class: 'financing' });
    const capital = of('3100');
    const kept = await staff.put(`${BASE}/ledger_accounts/${capital.id}`, { cash_flow_class: 'operating',
      version: capital.version });
    expect(kept.body.data).toMatchObject({ cash_flow_class: 'financing' });
    await staff.put(`${BASE}/ledger_accounts/${id}`, { cash_flow_class: 'investing',
      version: changed.body.data.version });
  });
});

describe('hledger', () => {
  it.skipIf(!HLEDGER)('finds the same change of every cash account in three months', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cash-'));
    try {
      const file = join(folder, 'us.journal');
      await pipeline(Readable.from(journalExport(db(), { division: 'US' })), createWriteStream(file));
      for (const [from, to, after] of [['2026-01-01', '2026-01-31', '2026-02-01'],
        ['2026-02-01', '2026-02-28', '2026-03-01'], ['2026-03-01', '2026-03-31', '2026-04-01']] as const) {
        const { stdout } = await promisify(execFile)('hledger', ['-f', file, 'bal', '-B', '--flat', '-O', 'json',
          '-b', from, '-e', after, 'asset:10']);
        type Amount = { aquantity: { decimalMantissa: number; decimalPlaces: number } };
        const [accounts] = JSON.parse(stdout) as [[string, string, number, Amount[]][]];
        const told = new Map(accounts.map(([name, , , amounts]) => [name.split(':')[1]!.split(' ')[0]!,
          amounts.reduce((total, { aquantity: q }) => total + Math.round(q.decimalMantissa
            * 10 ** (2 - q.decimalPlaces)), 0)]));
        const { data } = (await staff.get(`${BASE}/trial_balance?division=US&from=${from}&as_of=${to}`)).body;
        const cash = await db().query<{ code: string }>(sql`
          select code from ledger_accounts where division = 'US' and is_cash order by code`);
        let change = 0;
        for (const { code } of cash) {
          const row = data.rows.find((one: { code: string }) => one.code === code);
          expect([from, code, told.get(code) ?? 0]).toEqual([from, code, row.debit_minor - row.credit_minor]);
          change += told.get(code) ?? 0;
        }
        const made = await report(`from=${from}&to=${to}`);
        expect(made.closing_minor - made.opening_minor).toBe(change);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
