/**
 * Ages of receivables as of any day (accounting.md 3.6): items opened by then, less what was applied by then, so that
 * the report of a past day says what it said. Its base ties to the control account of that day.
 */
import type { Currency } from '#kernel/money/money.ts';
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { statementDocument } from '../documents/statement-document.server.ts';
import { accountLines } from './account-moves.server.ts';
import { accountStatement, customerOf } from './account-statement.server.ts';
import { agingEndpoints, type AgingReport } from './aging.contract.ts';
import { customerFinance } from './customer-finance.server.ts';
import { openReceivables } from './open-items.server.ts';

type Row = AgingReport['rows'][number];
type Reader = Pick<WorkContext, 'db' | 'today'>;

/** Open items of 1100 on a day, by customer and currency. */
export async function agingReport(ctx: Reader, division: string, asOf: string): Promise<AgingReport> {
  const items = await openReceivables(ctx, { division }, asOf);
  const rows = new Map<string, Row>();
  for (const item of items) {
    const key = `${item.customer_id} ${item.currency}`;
    const row = rows.get(key) ?? { customer_id: item.customer_id, customer_name: item.customer_name,
      currency: item.currency, ...none(), total_base_minor: 0 };
    rows.set(key, row);
    const column = `${item.bucket}_minor` as const;
    row[column] += item.open_minor;
    row.total_minor += item.open_minor;
    row.total_base_minor += item.open_base_minor;
  }
  const data = [...rows.values()].sort((a, b) => b.total_base_minor - a.total_base_minor
    || a.customer_name.localeCompare(b.customer_name) || a.customer_id - b.customer_id);
  return withChecks(ctx, division, asOf, data);
}

function none() {
  return { current_minor: 0, days_1_30_minor: 0, days_31_60_minor: 0, days_61_90_minor: 0, days_91_minor: 0,
    unapplied_minor: 0, total_minor: 0 };
}

async function withChecks(ctx: Reader, division: string, asOf: string, rows: Row[]): Promise<AgingReport> {
  const control = await ctx.db.one<{ functional: Currency; balance: number }>(sql`
    select d.functional_currency as functional, coalesce((
      select sum(e.base_amount_minor) from posted_entries e join ledger_accounts l on l.id = e.ledger_account_id
      where l.division = d.code and l.system_key = 'ar' and e.transaction_at <= ${asOf} and not e.is_revaluation),
        0)::bigint
      as balance
    from divisions d where d.code = ${division}`);
  const totals = Map.groupBy(rows, (row) => row.currency);
  const items = rows.reduce((all, row) => all + row.total_base_minor, 0);
  return {
    division: division as AgingReport['division'], as_of: asOf, functional_currency: control.functional, rows,
    totals: [...totals].map(([currency, own]) => own.reduce((all, row) => ({
      currency, current_minor: all.current_minor + row.current_minor,
      days_1_30_minor: all.days_1_30_minor + row.days_1_30_minor,
      days_31_60_minor: all.days_31_60_minor + row.days_31_60_minor,
      days_61_90_minor: all.days_61_90_minor + row.days_61_90_minor,
      days_91_minor: all.days_91_minor + row.days_91_minor,
      unapplied_minor: all.unapplied_minor + row.unapplied_minor, total_minor: all.total_minor + row.total_minor,
    }), { currency, ...none() })),
    checks: [{ name: 'Open items equal the control account', expected_minor: control.balance, actual_minor: items,
      ok: control.balance === items }],
  };
}

export const agingRoutes: Route[] = serve(agingEndpoints, {
  aging: async (ctx, { query }) => ({
    data: await agingReport(ctx, query.division, query.as_of ?? await ctx.today(query.division)) }),
  finance: async (ctx, { params }) => ({ data: await customerFinance(ctx, params.id) }),
  async transactions(ctx, { params, query }) {
    await customerOf(ctx, params.id);
    return accountLines(ctx, params.id, query, `/api/admin/staff/customers/${params.id}/transactions`);
  },
  statement: async (ctx, { params, query }) => ({ data: await accountStatement(ctx, params.id, query) }),
  statementDocument: async (ctx, { params, query }) => {
    const known = await ctx.db.maybeOne(sql`select 1 as one from customers where id = ${params.id}`);
    if (!known) throw refuse('not_found');
    return statementDocument(ctx, params.id, query);
  },
});
