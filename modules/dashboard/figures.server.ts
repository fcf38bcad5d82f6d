/** The figures of the staff home, each computed in one statement. */
import type { Currency } from '#kernel/money/money.ts';
import { AGING_BUCKETS, customersOwing } from '#kernel/receivables/aging.ts';
import { addMonths, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { agingReport } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { PIPELINE_PHASES, type Dashboard } from './dashboard.contract.ts';

type Month = NonNullable<Dashboard['months']>[number];

/**
 * Revenue and royalty expense by month, from the ledger's balances less the entries that close a year: the same sums
 * as profit and loss, but per currency of the entry (accounting.md 3.3).
 *
 * @param today last day counted; its month is the twelfth
 */
export async function monthsOf(ctx: WorkContext, division: string, today: string): Promise<Month[]> {
  const first = addMonths(startOfMonth(today), -11);
  const rows = await ctx.db.query<{ month: string; currency: Currency; income: number; royalty: number }>(sql`
    with accounts as (
      select a.id, case when a.system_key = 'royalty_expense' then 'royalty' else 'income' end as measure
      from ledger_accounts a join ledger_headers h on h.id = a.ledger_header_id
      where a.division = ${division} and (a.system_key = 'royalty_expense' or h.section = 'revenue')),
    moved as (
      select date_trunc('month', p.starts)::date as month, b.currency, a.measure,
        b.debit_minor - b.credit_minor as minor
      from ledger_balances b join accounts a on a.id = b.ledger_account_id
        join periods p on p.division = b.division and p.period = b.period
      where b.division = ${division} and p.starts between ${addMonths(first, -12)} and ${endOfMonth(today)}
      union all
      select date_trunc('month', p.starts)::date, e.currency, a.measure, -e.amount_minor
      from transactions t join journal_entries e on e.transaction_id = t.id
        join accounts a on a.id = e.ledger_account_id
        join periods p on p.division = t.division and p.period = e.period
      where t.division = ${division} and t.kind = 'year_end_close' and t.status in ('posted', 'reversed')
        and t.transaction_at between ${addMonths(first, -12)} and ${endOfMonth(today)})
    select month, currency, -coalesce(sum(minor) filter (where measure = 'income'), 0)::bigint as income,
      coalesce(sum(minor) filter (where measure = 'royalty'), 0)::bigint as royalty
    from moved group by 1, 2 order by 2, 1`);
  const of = (currency: string, month: string) =>
    rows.find((row) => row.currency === currency && row.month === month) ?? { income: 0, royalty: 0 };
  return [...new Set(rows.map((row) => row.currency))].flatMap((currency) =>
    Array.from({ length: 12 }, (_, index) => {
      const month = addMonths(first, index);
      const now = of(currency, month);
      const before = of(currency, addMonths(month, -12));
      return { month, currency, income_minor: now.income, royalty_minor: now.royalty,
        income_before_minor: before.income, royalty_before_minor: before.royalty };
    }));
}

/** Receivables by age, from the report of receivables, so that both always show the same. */
export async function receivablesOf(
  ctx: WorkContext, division: string, today: string,
): Promise<NonNullable<Dashboard['receivables']>> {
  const report = await agingReport(ctx, division, today);
  const rows = report.totals.flatMap((total) => AGING_BUCKETS.map((bucket) => {
    const key = `${bucket}_minor` as const;
    const own = report.rows.filter((row) => row.currency === total.currency && row[key] > 0);
    const largest = own.toSorted((a, b) => b[key] - a[key])[0];
    return { currency: total.currency, bucket, customers: customersOwing(report.rows, total.currency, bucket),
      minor: total[key],
      largest_name: largest?.customer_name ?? null, largest_minor: largest?.[key] ?? 0 };
  }));
  const unapplied = report.totals.map((total) => ({ currency: total.currency, minor: total.unapplied_minor }));
  const customers = report.totals.map(({ currency }) =>
    ({ currency, count: customersOwing(report.rows, currency) }));
  return { rows, customers, unapplied };
}

/** Licences under way by phase, with what they are worth as quoted. */
export function pipelineOf(ctx: WorkContext, division: string): Promise<NonNullable<Dashboard['pipeline']>> {
  return ctx.db.query(sql`
    select phase, currency, count(*)::int as count, sum(grand_total_minor)::bigint as minor
    from licenses where division = ${division} and deleted_at is null and phase = any (${[...PIPELINE_PHASES]})
    group by 1, 2 order by 2, 1`);
}
