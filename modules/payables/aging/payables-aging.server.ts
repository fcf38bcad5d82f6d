/**
 * Ages of payables as of any day (accounting.md 3.6): items of 2000 opened by then, less what was applied by then, so
 * that the report of a past day says what it said. Its base ties to the control account of that day.
 */
import type { Currency } from '#kernel/money/money.ts';
import { agingBucket, type AgingBucket } from '#kernel/receivables/aging.ts';
import { outflowWeeks, weekIndex } from '#kernel/receivables/outflow.ts';
import type { WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { openPayables, type OpenPayable } from './open-payables.server.ts';
import { payablesAgingEndpoints, type PayablesAging } from './payables-aging.contract.ts';

type Reader = Pick<WorkContext, 'db' | 'today'>;
type Row = PayablesAging['rows'][number];
type Item = OpenPayable;

type Amounts = Pick<Row, `${AgingBucket | 'unapplied' | 'total'}_minor`>;
const KEYS = ['current_minor', 'days_1_30_minor', 'days_31_60_minor', 'days_61_90_minor', 'days_91_minor',
  'unapplied_minor', 'total_minor'] as const satisfies readonly (keyof Amounts)[];

function none(): Amounts {
  return { current_minor: 0, days_1_30_minor: 0, days_31_60_minor: 0, days_61_90_minor: 0, days_91_minor: 0,
    unapplied_minor: 0, total_minor: 0 };
}

export async function agingOfPayables(ctx: Reader, division: string, asOf: string): Promise<PayablesAging> {
  const items = await openPayables(ctx, sql`i.division = ${division}`, asOf);
  const rows = [...Map.groupBy(items, (item) => `${item.party_type} ${item.party_id} ${item.currency}`).values()]
    .map((own) => rowOf(own, asOf))
    .sort((a, b) => b.total_base_minor - a.total_base_minor || a.party_name.localeCompare(b.party_name)
      || a.party_id - b.party_id);
  const control = await ctx.db.one<{ functional: Currency; balance: number }>(sql`
    select d.functional_currency as functional, -coalesce((
      select sum(e.base_amount_minor) from posted_entries e join ledger_accounts l on l.id = e.ledger_account_id
      where l.division = d.code and l.system_key = 'ap' and e.transaction_at <= ${asOf} and not e.is_revaluation),
        0)::bigint as balance
    from divisions d where d.code = ${division}`);
  const base = items.reduce((all, item) => all + item.open_base_minor, 0);
  return {
    division: division as PayablesAging['division'], as_of: asOf, functional_currency: control.functional, rows,
    totals: [...Map.groupBy(rows, (row) => row.currency)].map(([currency, own]) => {
      const total = none();
      for (const row of own) for (const key of KEYS) total[key] += row[key];
      return { currency, ...total };
    }),
    outflow: outflowOf(items, asOf),
    checks: [{ name: 'Open items equal the control account', expected_minor: control.balance, actual_minor: base,
      ok: control.balance === base }],
  };
}

function rowOf(items: readonly Item[], asOf: string): Row {
  const { party_type, party_id, party_name, currency } = items[0]!;
  const row: Row = { party_type, party_id, party_name, currency, ...none(), total_base_minor: 0 };
  for (const item of items) {
    row[item.owed ? `${agingBucket(item.due_date, asOf)}_minor` as const : 'unapplied_minor'] += item.open_minor;
    row.total_minor += item.open_minor;
    row.total_base_minor += item.open_base_minor;
  }
  return row;
}

/** Debts alone: a credit leaves no money. Weeks without a debt are left out. */
function outflowOf(items: readonly Item[], asOf: string): PayablesAging['outflow'] {
  const weeks = outflowWeeks(asOf);
  return [...Map.groupBy(items.filter((item) => item.owed), (item) => item.currency)].flatMap(([currency, own]) =>
    weeks.flatMap((week, k) => {
      const due = own.filter((item) => weekIndex(weeks, item.due_date) === k);
      return due.length === 0 ? [] : [{ currency, ...week, items: due.length,
        minor: due.reduce((all, item) => all + item.open_minor, 0) }];
    }));
}

export const payablesAgingRoutes: Route[] = serve(payablesAgingEndpoints, {
  aging: async (ctx, { query }) => ({
    data: await agingOfPayables(ctx, query.division, query.as_of ?? await ctx.today(query.division)) }),
});
