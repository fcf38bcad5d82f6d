/**
 * The trial balance of all four divisions from balances by period against the sum over the same lines, all of them
 * folded, and with the last postings still waiting to be (performance.md 6). The lines are generated straight into the
 * tables; a check compares both answers.
 * Settings: ENTRIES (1000000), ROUNDS (5).
 */
import { trialBalance } from '#modules/accounting/report/trial-balance.server.ts';
import { DIVISIONS } from '#kernel/money/division.ts';
import { Sql, sql } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { load, median, say, table } from './support/measure.ts';

const ENTRIES = Number(process.env.ENTRIES ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Two years up to a million lines, five above; the last month stays open. */
const MONTHS = ENTRIES > 2_000_000 ? 60 : 24;
const LAST = '2026-10-01';
/** Postings that a minute of heavy work leaves for the job. */
const WAITING = 10_000;

/** Pairs of lines over every account of a division, evenly over the months; their balances folded. */
async function generate(database: BenchDatabase): Promise<void> {
  const run = (text: string) => database.root.query(new Sql([text], []));
  await run(`select ensure_periods(code, ('${LAST}'::date - interval '${MONTHS - 1} months')::date, '2026-12-31')
    from divisions`);
  await run(`do $$ begin perform set_config('session_replication_role', 'replica', true);
    create temporary table shape on commit drop as
      select d.code as division, d.functional_currency as currency, array_agg(a.id order by a.code) as accounts
      from divisions d join ledger_accounts a on a.division = d.code group by 1, 2;
    insert into transactions (id, division, kind, status, transaction_at, period, currency, posted_at) overriding
      system value
      select g, s.division, 'journal', 'posted', x.at, to_char(x.at, 'YYYYMM')::int, s.currency, now()
      from generate_series(1, ${ENTRIES / 2}) g
        join shape s on s.division = (array['US', 'EU', 'UK', 'PROD'])[1 + g % 4],
        lateral (select ('${LAST}'::date - (((g / 4) % ${MONTHS}) || ' months')::interval +
          ((g % 28) || ' days')::interval)::date as at) x;
    insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id,
      currency,
        amount_minor, base_amount_minor)
      select t.id, l.n, t.division, t.transaction_at, t.period,
        s.accounts[1 + ((t.id * (case l.n when 1 then 7 else 13 end)) % cardinality(s.accounts))::int], t.currency,
        l.sign * (100 + t.id % 90000), l.sign * (100 + t.id % 90000)
      from transactions t join shape s using (division), (values (1, 1), (2, -1)) l (n, sign);
    insert into ledger_balances_folded (division, ledger_account_id, currency, period, debit_minor, credit_minor,
        base_debit_minor, base_credit_minor, entries)
      select division, ledger_account_id, currency, period, sum(greatest(amount_minor, 0)),
        sum(greatest(-amount_minor, 0)), sum(greatest(amount_minor, 0)), sum(greatest(-amount_minor, 0)), count(*)
      from journal_entries group by 1, 2, 3, 4; end $$`);
  await run('vacuum analyze');
}

/** The last postings as they are before the job comes: in the queue, not in the folded rows. */
async function unfold(database: BenchDatabase): Promise<void> {
  const run = (text: string) => database.root.query(new Sql([text], []));
  await run(`insert into ledger_fold_queue select id from transactions order by id desc limit ${WAITING}`);
  await run(`update ledger_balances_folded b set debit_minor = b.debit_minor - w.d, credit_minor = b.credit_minor - w.c,
      base_debit_minor = b.base_debit_minor - w.d, base_credit_minor = b.base_credit_minor - w.c,
      entries = b.entries - w.n
    from (select ledger_account_id, currency, period, sum(greatest(amount_minor, 0)) as d,
      sum(greatest(-amount_minor, 0)) as c, count(*) as n from journal_entries e join ledger_fold_queue q
        using (transaction_id) group by 1, 2, 3) w
    where (b.ledger_account_id, b.currency, b.period) = (w.ledger_account_id, w.currency, w.period)`);
}

const report = (database: BenchDatabase, as_of?: string) =>
  Promise.all(DIVISIONS.map((division) => trialBalance(database.app, { division, as_of })));
const bareSum = (database: BenchDatabase, as_of?: string) => database.app.query<{ id: number; d: number; c: number
  }>(sql`
  select ledger_account_id as id, sum(greatest(base_amount_minor, 0))::bigint as d,
    sum(greatest(-base_amount_minor, 0))::bigint as c
  from journal_entries where transaction_at <= coalesce(${as_of ?? null}::date, '9999-12-31') group by 1`);

async function compare(database: BenchDatabase, as_of?: string): Promise<number> {
  const sums = new Map((await bareSum(database, as_of)).map((row) => [row.id, row]));
  const rows = (await report(database, as_of)).flatMap((one) => one.rows);
  return rows.filter((row) => row.debit_minor !== (sums.get(row.account_id)?.d ?? 0)
    || row.credit_minor !== (sums.get(row.account_id)?.c ?? 0)).length;
}

async function time(database: BenchDatabase, as_of?: string): Promise<[number, number]> {
  const took: { report: number[]; sum: number[] } = { report: [], sum: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, work] of [['report', report], ['sum', bareSum]] as const) {
      const started = performance.now();
      await work(database, as_of);
      if (round > 0) took[name].push(performance.now() - started);
    }
  }
  return [median(took.report), median(took.sum)];
}

const database = await benchDatabase({ max: 4 });
try {
  say(`PostgreSQL ${database.version}, ${ENTRIES} lines over ${MONTHS} months, load before ${load()}; `
    + `medians of ${ROUNDS} rounds in turn`);
  await generate(database);
  const rows: (string | number)[][] = [];
  let wrong = 0;
  const measure = async (what: string, as_of?: string) => {
    wrong += await compare(database, as_of);
    const [ours, sum] = await time(database, as_of);
    rows.push([what, ours.toFixed(1), sum.toFixed(1), (sum / ours).toFixed(1)]);
  };
  await measure('all time');
  await measure('at a month end', '2026-08-31');
  await measure('in the middle of a month', '2026-09-14');
  await unfold(database);
  await measure(`all time, ${WAITING} postings waiting`);
  say(table(['trial balance of four divisions', 'product, ms', 'sum of lines, ms', 'times faster'], rows));
  say(`load after ${load()}; ${wrong} accounts differ`);
  if (wrong > 0) process.exitCode = 1;
} finally {
  await database.stop();
}
