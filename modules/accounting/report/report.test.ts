import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JournalDraft, JournalLine } from '#kernel/ledger/journal.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { HLEDGER } from '#tests/support/hledger.ts';
import { allocate, openItem, postJournal, postJournals, reverseTransaction } from '../accounting.public.server.ts';
import { generalLedger } from './general-ledger.server.ts';
import { INVARIANTS, ledgerIntegrity } from './integrity.server.ts';
import { journalExport } from './journal-export.server.ts';
import { balanceSheet, profitAndLoss } from './statements.server.ts';
import { trialBalance } from './trial-balance.server.ts';

const at = testDatabase();
const customer = { type: 'customer', id: 7 } as const;
const eur = (account: string, amount: bigint, base: bigint, party = false): JournalLine =>
  ({ account, currency: 'EUR', amount, base, ...(party ? { party: customer } : {}) });
const usd = (account: string, amount: bigint, party = false): JournalLine =>
  ({ account, currency: 'USD', amount, base: amount, ...(party ? { party: customer } : {}) });
const draft = (kind: string, day: string, lines: JournalLine[]): JournalDraft =>
  ({ division: 'US', kind, transaction_at: day, description: `${kind}; of | ${day}`, source: null, lines });

/** The worked example of accounting.md 6.2: EUR 1,000 @1.10, paid @1.12 and @1.07, revalued @1.08 in between. */
beforeAll(async () => {
  const post = (...args: Parameters<typeof draft>) => postJournal(at.db, draft(...args));
  const inv = await post('invoice', '2026-01-05', [eur('1100', 100_000n, 110_000n, true), eur('2100', -100_000n,
    -110_000n, true)]);
  await post('release', '2026-01-06', [eur('2100', 100_000n, 110_000n, true), eur('4000', -100_000n, -110_000n)]);
  const one = await post('receipt', '2026-01-20', [eur('1001', 40_000n, 44_800n), eur('1100', -40_000n, -44_800n,
    true)]);
  const item = async (id: number) => (await openItem(at.db, { transaction_id: id, account: '1100' })).id;
  await allocate(at.db, { debit_item_id: await item(inv.transaction_id),
    credit_item_id: await item(one.transaction_id),
    amount_minor: 40_000n, allocated_at: '2026-01-20', actor_id: null });
  const reval = await post('revaluation', '2026-01-31', [eur('1100', 0n, -1_200n, true), usd('7010', 1_200n),
    eur('1001', 0n, -1_600n), usd('7010', 1_600n)]);
  await reverseTransaction(at.db, { transaction_id: reval.transaction_id, transaction_at: '2026-02-01',
    reason: 'next month', document: null, actor_id: null });
  const two = await post('receipt', '2026-02-10', [eur('1001', 60_000n, 64_200n), eur('1100', -60_000n, -64_200n,
    true)]);
  await allocate(at.db, { debit_item_id: await item(inv.transaction_id),
    credit_item_id: await item(two.transaction_id),
    amount_minor: 60_000n, allocated_at: '2026-02-10', actor_id: null });
  await at.db.query(sql`select ledger_draft_save(null, null, 'US', 'journal', '2026-01-25', 'a draft', '', null,
    '{1000,6200}'::text[], '{USD,USD}'::text[], '{-99900,99900}'::bigint[], '{-99900,99900}'::bigint[])`);
  await postJournals(at.db, [draft('royalty_cost', '2026-02-15', [usd('5000', 1_499n),
    ...Array.from({ length: 1_499 }, (_, i): JournalLine =>
      ({ account: '2210', currency: 'USD', amount: -1n, base: -1n, party: { type: 'royaltor', id: i + 1 } }))])]);
});

describe('trial balance', () => {
  it('counts everything since the first posting without from, the day before as opening with it', async () => {
    const all = await trialBalance(at.db, { division: 'US' });
    const row = (code: string, of = all) => of.rows.find((r) => r.code === code)!;
    expect([row('1001').opening_minor, row('1001').closing_minor]).toEqual([0, 109_000]);
    expect([row('1100').debit_minor, row('1100').credit_minor, row('1100').closing_minor])
      .toEqual([112_000, 112_000, 0]);
    expect(all.checks.every((c) => c.ok)).toBe(true);
    const later = await trialBalance(at.db, { division: 'US', from: '2026-01-10', as_of: '2026-01-31' });
    expect(row('1100', later)).toMatchObject({
      opening_minor: 110_000, debit_minor: 800, credit_minor: 46_000, closing_minor: 64_800 });
    expect(row('4000', later)).toMatchObject({ opening_minor: -110_000, debit_minor: 0, credit_minor: 0,
      closing_minor: -110_000 });
    expect(row('1000', later)).toMatchObject({ debit_minor: 0, credit_minor: 0 });
  });

  it('has every account of every division, with no entries too', async () => {
    for (const division of ['EU', 'UK', 'PROD'] as const) {
      const empty = await trialBalance(at.db, { division, from: '2026-01-01', as_of: '2026-01-31' });
      expect(empty.rows.length).toBe(52);
      expect(empty.totals).toEqual({ opening_minor: 0, debit_minor: 0, credit_minor: 0, closing_minor: 0 });
    }
  });

  it('agrees with the sum of the lines at every day, folded periods included', async () => {
    await at.owner.exec(sql`insert into users (email, first_name, last_name, role) values
      ('a@x.test', 'A', 'A', 'staff_admin'), ('b@x.test', 'B', 'B', 'staff_admin')`);
    const people = await at.owner.query<{ id: number }>(sql`select id from users order by id desc limit 2`);
    await at.db.query(sql`
      select ledger_set_period('US', 202601, 'closed', ${people[0]!.id}::bigint, ${people[1]!.id}::bigint)`);
    for (const [from, to] of [['2026-01-01', '2026-01-05'], ['2026-01-06', '2026-02-01'],
      ['2026-01-31', '2026-02-10'],
      ['2026-02-01', '2026-12-31'], [undefined, '2026-01-20'], [undefined, undefined]] as const) {
      const report = await trialBalance(at.db, { division: 'US', from, as_of: to });
      const truth = await at.db.query<{ code: string; o: number; d: number; c: number }>(sql`
        select a.code, coalesce(sum(e.base_amount_minor) filter (where e.transaction_at < ${from ?? null}::date),
          0)::bigint as o,
          coalesce(sum(greatest(e.base_amount_minor, 0)) filter (where e.transaction_at >=
            coalesce(${from ?? null}::date, '0001-01-01')), 0)::bigint as d,
          coalesce(sum(greatest(-e.base_amount_minor, 0)) filter (where e.transaction_at >=
            coalesce(${from ?? null}::date, '0001-01-01')), 0)::bigint as c
        from ledger_accounts a left join posted_entries e on e.ledger_account_id = a.id
          and e.transaction_at <= coalesce(${to ?? null}::date, '9999-12-31')
        where a.division = 'US' group by a.code order by a.code`);
      expect(report.rows.map((r) => [r.code, r.opening_minor, r.debit_minor, r.credit_minor]))
        .toEqual(truth.map((r) => [r.code, r.o, r.d, r.c]));
    }
  });
});

it('gives the balance sheet and the result of accounting.md 6.2 at 31 January', async () => {
  const sheet = await balanceSheet(at.db, { division: 'US', as_of: '2026-01-31' });
  expect([sheet.total_assets_minor, sheet.total_liabilities_minor, sheet.current_result_minor])
    .toEqual([108_000, 0, 108_000]);
  expect(sheet.checks).toEqual([{ name: 'assets_equal_liabilities_and_equity', expected: 108_000, actual: 108_000,
    ok: true }]);
  const result = await profitAndLoss(at.db, { division: 'US', from: '2026-01-01', to: '2026-01-31' });
  expect([result.gross_profit_minor, result.operating_profit_minor, result.net_profit_minor])
    .toEqual([110_000, 110_000, 108_000]);
  expect(result.checks.every((c) => c.ok)).toBe(true);
  const nextYear = await balanceSheet(at.db, { division: 'US', as_of: '2027-01-15' });
  expect([nextYear.brought_forward_minor, nextYear.current_result_minor]).toEqual([109_000 - 1_499, 0]);
});

it('leaves closing entries out of the result, and in the balance sheet', async () => {
  const prod = (kind: string, day: string, lines: JournalLine[]) =>
    postJournal(at.db, { ...draft(kind, day, lines), division: 'PROD' });
  await prod('bank_entry', '2025-11-05', [usd('1000', 90_000n), usd('4000', -90_000n)]);
  await prod('year_end_close', '2025-12-31', [usd('4000', 90_000n), usd('3100', -90_000n)]);
  const year = await profitAndLoss(at.db, { division: 'PROD', from: '2025-01-01', to: '2025-12-31' });
  expect([year.net_profit_minor, year.checks[0]!.ok]).toEqual([90_000, true]);
  const sheet = await balanceSheet(at.db, { division: 'PROD', as_of: '2026-01-31' });
  expect([sheet.brought_forward_minor, sheet.total_equity_minor, sheet.checks[0]!.ok]).toEqual([0, 90_000, true]);
});

it('every account stands in a statement with its figure of the trial balance, whatever its header', async () => {
  const eu = (kind: string, lines: [string, bigint][]) => postJournal(at.db, { ...draft(kind, '2026-03-10',
    lines.map(([account, amount]) => ({ account, currency: 'EUR', amount, base: amount }))), division: 'EU' });
  await at.db.exec(sql`
    insert into ledger_headers (division, code, name, class, section, parent_id)
    select division, code || '.odd', 'Odd ' || name, class, 'odd', id from ledger_headers
    where division = 'EU' and parent_id is null`);
  // one account below each root, one below a header of a section that nobody knows
  await at.db.exec(sql`
    insert into ledger_accounts (division, ledger_header_id, code, name, class)
    select division, id, 'Z' || id, name, class from ledger_headers
    where division = 'EU' and (parent_id is null or section = 'odd')`);
  const odd = await at.db.query<{ code: string; class: string }>(sql`
    select code, class from ledger_accounts where division = 'EU' and code like 'Z%' order by id`);
  expect(odd).toHaveLength(10);
  const amounts = odd.map(({ code }, k): [string, bigint] => [code, BigInt((k + 1) * 100)]);
  await eu('bank_entry', [...amounts, ['1000', 50_000n], ['4000', -40_000n], ['5100', 900n], ['6200', 300n],
    ['1000', -amounts.reduce((sum, [, amount]) => sum + amount, 0n) - 11_200n]]);
  const [from, to] = ['2026-01-01', '2026-12-31'];
  const trial = await trialBalance(at.db, { division: 'EU', from, as_of: to });
  const result = await profitAndLoss(at.db, { division: 'EU', from, to });
  const sheet = await balanceSheet(at.db, { division: 'EU', as_of: to });
  const shown = new Map<string, number>();
  for (const { rows } of [...result.sections, ...sheet.assets, ...sheet.liabilities, ...sheet.equity]) {
    for (const row of rows) {
      expect(shown.has(row.code), row.code).toBe(false);
      shown.set(row.code, Math.abs(row.amount_minor));
    }
  }
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(trial.rows.filter((row) => row.closing_minor !== 0)
    .map((row) => [row.code, Math.abs(row.closing_minor)])));
  const earned = -trial.rows.filter((row) => ['income', 'expense'].includes(row.class))
    .reduce((sum, row) => sum + row.closing_minor, 0);
  expect([result.net_profit_minor, sheet.current_result_minor]).toEqual([earned, earned]);
  expect([...result.checks, ...sheet.checks].filter((one) => !one.ok)).toEqual([]);
  expect(result.sections.slice(4).map((one) => one.title))
    .toEqual(['Odd Income', 'Income', 'Odd Expenses', 'Expenses']);
});

it('lists the lines of an account with a running balance that ends at the trial balance', async () => {
  const book = await generalLedger(at.db, { division: 'US', account: '1100', from: '2026-01-10', per_page: 3,
    page: 2 });
  expect(book).toMatchObject({ opening_minor: 110_000, closing_minor: 0, total: 6 });
  expect(book!.rows.length).toBe(3);
  expect(book!.rows.at(-1)!.balance_minor).toBe(0);
  expect(book!.checks.every((c) => c.ok)).toBe(true);
  expect(await generalLedger(at.db, { division: 'US', account: '9999' })).toBeNull();
});

describe('journal export', () => {
  it.skipIf(!HLEDGER)('is read by hledger, which finds the same balance of every account', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
    try {
      for (const [from, to] of [[undefined, undefined], ['2026-01-21', undefined], [undefined, '2026-01-31']] as
        const) {
        const file = join(folder, `${from}-${to}.journal`);
        await pipeline(Readable.from(journalExport(at.db, { division: 'US', from, to })), createWriteStream(file));
        const run = async (...args: string[]) => (await promisify(execFile)('hledger', ['-f', file, ...args],
          { maxBuffer: 1e8 })).stdout;
        await run('check');
        type Amount = { aquantity: { decimalMantissa: number; decimalPlaces: number } };
        const [accounts] = JSON.parse(await run('bal', '-B', '--flat', '--empty', '-O', 'json')) as
          [[string, string, number, Amount[]][]];
        const truth = await trialBalance(at.db, { division: 'US', as_of: to });
        for (const row of truth.rows) {
          const amounts = accounts.find(([name]) => name.startsWith(`${row.class}:${row.code} `))?.[3] ?? [];
          const minor = amounts.reduce((total, { aquantity: q }) =>
            total + Math.round(q.decimalMantissa * 10 ** (2 - q.decimalPlaces)), 0);
          expect([row.code, minor]).toEqual([row.code, row.closing_minor]);
        }
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('integrity report', () => {
  it('finds nothing in a ledger that only its functions have written', async () => {
    await at.db.query(sql`select ledger_chain_extend()`);
    const report = await ledgerIntegrity(at.db);
    expect(report.filter((r) => !r.ok)).toEqual([]);
    expect(report.map((r) => r.key)).toEqual(INVARIANTS.map((i) => i.key));
  });
});
