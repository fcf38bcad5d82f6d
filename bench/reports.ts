/**
 * Reports of one division beside ENTRIES lines of four. Reports from balances are measured against the trial balance of
 * the same days in the same round (aim: 3 times at most), reports that read lines against the bare statement that sums
 * the same lines (aim: 1.5 times at most). Every report is compared with its bare sum before it is measured.
 * Lines are sales as the product posts them, straight into the tables: invoice, release, royalty, receipt or write-off,
 * and a bill with its payment. Settings: ENTRIES (1000000), ROUNDS (7).
 */
import { cashFlows } from '#kernel/ledger/cash-flows.ts';
import { vatReturn } from '#kernel/tax/vat-return.ts';
import { cashBasis } from '#modules/accounting/report/cash-basis.server.ts';
import { balanceFlows, flowAccounts, plainFlows, specialFlows } from '#modules/accounting/report/cash-flows.server.ts';
import { generalLedger } from '#modules/accounting/report/general-ledger.server.ts';
import { resultsByPart } from '#modules/accounting/report/line-parts.server.ts';
import { balanceSheet, profitAndLoss } from '#modules/accounting/report/statements.server.ts';
import { trialBalance } from '#modules/accounting/report/trial-balance.server.ts';
import { openSums } from '#modules/taxation/returns/vat-items.server.ts';
import { Sql, sql } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { fill } from './support/fill.ts';
import { load, median, say, table } from './support/measure.ts';

const ENTRIES = Number(process.env.ENTRIES ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** Lines of one sale with its purchase. */
const PER_SALE = 14;
const SALES = Math.floor(ENTRIES / PER_SALE);
const DIVISION = 'UK';
/** Two years; one sale of 19 is not paid yet, one of 201 is written off. */
const DAY = `'2024-10-01'::date + ((g * 7919::bigint) % 700)::int`;
const NET = '10000 + (g * 104729::bigint) % 900 * 100';
const POSTINGS: readonly (readonly [n: number, kind: string, after: number])[] = [
  [1, 'invoice', 0], [2, 'release', 9], [3, 'royalty_cost', 9], [4, 'receipt', 21], [5, 'bill', 2], [6, 'payment', 18]];
/** Posting, line, account, part of the net amount, party. */
const LINES: readonly (readonly [n: number, line: number, code: string, part: number, party: string | null])[] = [
  [1, 1, '1100', 1.2, 'customer'], [1, 2, '2100', -1, 'customer'], [1, 3, '2300', -0.2, 'tax_authority'],
  [2, 1, '2100', 1, 'customer'], [2, 2, '4000', -1, null],
  [3, 1, '5000', 0.5, null], [3, 2, '2210', -0.5, 'royaltor'],
  [4, 1, '1000', 1.2, null], [4, 2, '1100', -1.2, 'customer'],
  [5, 1, '6200', 0.1, null], [5, 2, '1300', 0.02, 'tax_authority'], [5, 3, '2000', -0.12, 'vendor'],
  [6, 1, '2000', 0.12, 'vendor'], [6, 2, '1000', -0.12, null]];

const literal = (value: number | string | null): string =>
  (value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`);
const valuesOf = (rows: readonly (readonly (number | string | null)[])[]): string =>
  rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ');

async function generate({ root }: BenchDatabase): Promise<void> {
  const run = (text: string) => root.query(new Sql([text], []));
  await run(`select ensure_periods(code, '2024-10-01', '2026-12-31') from divisions`);
  await fill(root, 'shows', `insert into shows (show_code, type, title, sort_title)
    select 'S' || g, 'play', 'Show ' || g, 'Show ' || g from generate_series(1, 200) g`);
  await fill(root, 'customers', `insert into customers (name, status, divisions, default_division, default_currency)
    select 'House ' || g, 'active', '{UK}', 'UK', 'GBP' from generate_series(1, 2000) g`);
  await fill(root, 'licenses', `insert into licenses (number, customer_id, show_id, show_code, show_type, category,
      division, currency, title_on_license, execution_policy)
    select 'L-' || g, 1 + g % 2000, 1 + g % 200, 'S' || (1 + g % 200), 'play', 'Amateur', 'UK', 'GBP', 'Show',
      'paid_in_full' from generate_series(1, 10000) g`);
  await fill(root, 'transactions', `insert into transactions (id, division, kind, status, transaction_at, period,
      currency, total_minor, posted_at) overriding system value
    select (g - 1) * 6 + p.n, d.code, case when p.n = 4 and g % 201 = 6 then 'write_off' else p.kind end, 'posted',
      x.at, to_char(x.at, 'YYYYMM')::int, d.functional_currency, ${NET}, now()
    from generate_series(1, ${SALES}) g join divisions d on d.code = (array['US', 'EU', 'UK', 'PROD'])[1 + g % 4]
      cross join (values ${valuesOf(POSTINGS)}) p (n, kind, after), lateral (select ${DAY} + p.after as at) x
    where p.n <> 4 or g % 19 <> 3`);
  await fill(root, 'journal_entries', `insert into journal_entries (transaction_id, line_no, division, transaction_at,
      period, ledger_account_id, currency, amount_minor, base_amount_minor, party_type, party_id, license_id,
      tax_code_id, tax_base_minor)
    select t.id, l.line, t.division, t.transaction_at, t.period, a.id, t.currency, x.minor, x.minor, l.party,
      case when l.party is not null then 1 + t.id / 6 % 2000 end, 1 + t.id / 6 % 10000,
      case when l.party = 'tax_authority' then c.id end, case when l.party = 'tax_authority' then x.minor * 5 end
    from transactions t join (values ${valuesOf(LINES)}) l (n, line, code, part, party) on l.n = 1 + (t.id - 1) % 6
      join ledger_accounts a on a.division = t.division and a.code = case when t.kind = 'write_off' and l.line = 1
        then '6000' else l.code end
      left join lateral (select id from tax_codes c where c.division = t.division order by id limit 1) c on true,
      lateral (select (t.total_minor * l.part)::bigint as minor) x`);
  await fill(root, 'open_items', `insert into open_items (journal_entry_id, transaction_id, division,
      ledger_account_id, party_type, party_id, currency, opened_on, due_date, original_minor, original_base_minor,
      open_minor, open_base_minor)
    select e.id, e.transaction_id, e.division, e.ledger_account_id, e.party_type, e.party_id, e.currency,
      e.transaction_at, e.transaction_at, e.amount_minor, e.amount_minor, x.left, x.left
    from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.code in ('1100', '2000'),
      lateral (select case when a.code = '1100' and ((e.transaction_id - 1) / 6 + 1) % 19 = 3 then e.amount_minor
        else 0 end as left) x`);
  await fill(root, 'allocations', `insert into allocations (debit_item_id, credit_item_id, amount_minor,
      debit_base_minor, credit_base_minor, allocated_at)
    select d.id, c.id, d.original_minor, d.original_minor, d.original_minor, greatest(d.opened_on, c.opened_on)
    from open_items d join open_items c on c.ledger_account_id = d.ledger_account_id and c.original_minor < 0
      and (c.transaction_id - 1) / 6 = (d.transaction_id - 1) / 6 where d.original_minor > 0`);
  await fill(root, 'ledger_balances_folded', `insert into ledger_balances_folded (division, ledger_account_id, currency,
      period, debit_minor, credit_minor, base_debit_minor, base_credit_minor, entries)
    select division, ledger_account_id, currency, period, sum(greatest(amount_minor, 0)),
      sum(greatest(-amount_minor, 0)), sum(greatest(amount_minor, 0)), sum(greatest(-amount_minor, 0)), count(*)
    from journal_entries group by 1, 2, 3, 4`);
  await run('vacuum analyze');
}

interface Days { division: typeof DIVISION; from: string; to: string }
/** Report as one number, beside the sum of its lines. */
interface Report { name: string; aim: number; work: () => Promise<number>; bare: () => Promise<number> }

const posted = sql`join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')`;

function fromBalances(database: BenchDatabase, of: Days): Report[] {
  const { app } = database;
  const bare = async () => (await trialBalance(app, { division: of.division, from: of.from, as_of: of.to }))
    .rows.reduce((total, row) => total + (['income', 'expense'].includes(row.class) ? row.credit_minor - row.debit_minor
      : 0), 0);
  return [
    { name: 'profit and loss', aim: 3, bare, work: async () => (await profitAndLoss(app, of)).net_profit_minor },
    { name: 'balance sheet', aim: 3, bare, work: async () => (await balanceSheet(app, { division: of.division,
      as_of: of.to, from: of.from })).current_result_minor },
    { name: 'cash flow, indirect', aim: 3, bare, work: async () => {
      const { balances, special } = await balanceFlows(app, of);
      const made = cashFlows(balances, special.flatMap((one) => one.flows));
      return Number(made.indirect.rows.find((row) => row.key === 'net_result')?.minor ?? 0n);
    } },
  ];
}

function fromLines(database: BenchDatabase, of: Days): Report[] {
  const { app } = database;
  const sumOf = async (query: Sql): Promise<number> => (await app.query<{ minor: number }>(query))
    .reduce((total, row) => total + row.minor, 0);
  return [
    { name: 'general ledger of the bank', aim: 1.5,
      work: async () => { const made = (await generalLedger(app, { division: of.division, account: '1000',
        from: of.from, as_of: of.to }))!; return made.debit_minor - made.credit_minor; },
      bare: () => sumOf(sql`select sum(e.base_amount_minor)::bigint as minor from journal_entries e ${posted}
        join ledger_accounts a on a.id = e.ledger_account_id where a.division = ${of.division} and a.code = '1000'
        and e.transaction_at between ${of.from} and ${of.to}`) },
    { name: 'cash flow, direct', aim: 1.5,
      work: async () => {
        const accounts = await flowAccounts(app, of.division);
        const flows = [...await specialFlows(app, of, accounts), ...await plainFlows(app, of, accounts,
          { each: false })].flatMap((one) => one.flows).filter((one) => one.key.startsWith('direct:'));
        return Number(flows.reduce((total, one) => total + one.minor, 0n));
      },
      bare: () => sumOf(sql`select e.ledger_account_id, e.party_type, -sum(e.base_amount_minor)::bigint as minor
        from journal_entries c join ledger_accounts b on b.id = c.ledger_account_id and b.is_cash
          join journal_entries e on e.transaction_id = c.transaction_id and e.id <> c.id ${posted}
        where b.division = ${of.division} and c.transaction_at between ${of.from} and ${of.to} group by 1, 2`) },
    { name: 'VAT boxes', aim: 1.5,
      work: async () => Number(vatReturn(DIVISION, await openSums(app, { ...of, division: DIVISION })).net_minor),
      bare: () => sumOf(sql`select a.code, -sum(e.base_amount_minor)::bigint as minor, sum(e.tax_base_minor) as net
        from journal_entries e ${posted} and t.kind not in ('tax_return', 'opening', 'year_end_close')
          join ledger_accounts a on a.id = e.ledger_account_id
        where a.division = ${of.division} and a.system_key in ('vat_output', 'vat_input')
          and e.transaction_at between ${of.from} and ${of.to} and not exists (select 1 from tax_return_items x
            where x.source = 'entry' and x.source_id = e.id) group by 1`) },
    { name: 'profit and loss by show', aim: 1.5,
      work: async () => (await resultsByPart(app, of, 'show')).reduce((total, one) => total + one.minor, 0),
      bare: () => sumOf(sql`select l.show_id, a.class, -sum(e.base_amount_minor)::bigint as minor
        from journal_entries e ${posted} join ledger_accounts a on a.id = e.ledger_account_id
          left join licenses l on l.id = e.license_id
        where a.division = ${of.division} and a.class in ('income', 'expense')
          and e.transaction_at between ${of.from} and ${of.to} group by 1, 2`) },
  ];
}

/** The whole of it beside the sum of its lines; no aim is set for it. */
const onCash = ({ app }: BenchDatabase, of: Days): Report => ({ name: 'profit and loss, cash basis', aim: Infinity,
  work: async () => (await cashBasis(app, of, { each: false, parts: false })).length,
  bare: async () => (await app.query(sql`select a.code, sum(e.base_amount_minor) from journal_entries e ${posted}
    join ledger_accounts a on a.id = e.ledger_account_id where a.division = ${of.division}
      and a.class in ('income', 'expense') and e.transaction_at between ${of.from} and ${of.to} group by 1`)).length });

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/** Rounds before the measured ones: a prepared statement keeps its plan from the sixth execution on. */
const WARM = 6;

async function measure({ name, aim, work, bare }: Report): Promise<{ row: string[]; over: boolean; wrong: boolean }> {
  const wrong = aim !== Infinity && await work() !== await bare();
  const [ours, base, ratios]: [number[], number[], number[]] = [[], [], []];
  const [warm, rounds] = aim === Infinity ? [0, 2] : [WARM, ROUNDS];
  for (let round = 0; round < warm + rounds; round += 1) {
    const [one, other] = [await timed(work), await timed(bare)];
    if (round < warm) continue;
    ours.push(one);
    base.push(other);
    ratios.push(one / other);
  }
  const ratio = median(ratios);
  return { over: ratio > aim, wrong, row: [name, median(ours).toFixed(1), median(base).toFixed(1), ratio.toFixed(2),
    aim === Infinity ? '' : String(aim)] };
}

const database = await benchDatabase({ max: 2 });
try {
  const started = performance.now();
  await generate(database);
  const { n } = await database.root.one<{ n: number }>(sql`select count(*) as n from journal_entries`);
  say(`PostgreSQL ${database.version}, ${n} lines of four divisions over two years, made in ${
    ((performance.now() - started) / 1000).toFixed(0)} s; load before ${load()}; medians of ${ROUNDS} rounds in turn`);
  let failed = 0;
  const spans: [string, Days][] = [['a quarter', { division: DIVISION, from: '2026-04-01', to: '2026-06-30' }],
    ['a year, cut months', { division: DIVISION, from: '2025-07-15', to: '2026-07-14' }]];
  for (const [what, of] of spans) {
    for (const [head, reports] of [['trial balance', fromBalances(database, of)],
      ['bare sum', [...fromLines(database, of), onCash(database, of)]]] as const) {
      const rows: string[][] = [];
      for (const report of reports) {
        const { row, over, wrong } = await measure(report);
        if (over || wrong) failed += 1;
        rows.push(wrong ? [`${row[0]} (differs)`, ...row.slice(1)] : row);
      }
      say(`\n${table([`${DIVISION}, ${what}`, 'report, ms', `${head}, ms`, 'times', 'aim'], rows)}`);
    }
  }
  say(`\nload after ${load()}; ${failed} over the aim or different`);
  if (failed > 0) process.exitCode = 1;
} finally {
  await database.stop();
}
