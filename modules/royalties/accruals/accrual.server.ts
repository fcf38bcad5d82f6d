/** Accruals, their drawer, and royalties by royaltor (X55, A284). */
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage, pageOf, type ListSpec } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, type Sql, sql, where } from '#server/sql.ts';
import { accrualEndpoints, type AccrualRow, type AccrualTraceAnswer, type RoyaltySummaryRow }
  from './accrual.contract.ts';

const COLUMNS = sql`t.id, g.royaltor_id, r.name as royaltor_name, t.show_royaltor_id, g.role, g.show_id,
  s.title as show_title, t.license_id,
  coalesce(l.license_number, l.number) as license_number, a.box_office_report_id, a.invoice_item_id,
  t.income_type, t.division, t.currency, t.base_minor, t.rate_ppm, t.share_points, t.amount_minor, t.matched_term_id,
  t.occurred_on, t.cost_on, t.due_on, t.statement_id, m.number as statement_number, t.reverses_accrual_id, a.part_of_id,
  t.cost_transaction_id, t.due_transaction_id`;
const JOINS = sql`join show_royaltors g on g.id = t.show_royaltor_id join royaltors r on r.id = g.royaltor_id
  join shows s on s.id = g.show_id join royalty_allocations a on a.id = t.royalty_allocation_id
  left join licenses l on l.id = t.license_id left join royalty_statements m on m.id = t.statement_id`;
const SPEC: ListSpec = {
  base: sql`royalty_accruals t`, columns: COLUMNS, joins: JOINS, conditions: [], defaultSort: 'occurred_on',
  defaultDirection: 'desc', sorts: { occurred_on: sql`t.occurred_on`, amount_minor: sql`t.amount_minor` },
};

const STATES: Record<string, Sql> = {
  shared: sql`t.cost_on is null and t.due_on is null and exists (select 1 from royalty_allocations x
    where x.id = t.royalty_allocation_id and x.role = 'line')`,
  cost: sql`t.cost_on is not null`, due: sql`t.due_on is not null and t.statement_id is null`,
  statemented: sql`t.statement_id is not null`,
};

interface StoredTrace {
  weight_total: string | null; house_weight: string | null; house_minor: number;
  lines: { id: number; base: string; share: string; exact: string; weight: string; total: string; of: [number, number];
    fields?: AccrualTraceAnswer['matched']['fields']; lost?: AccrualTraceAnswer['lost'] }[];
}

async function traceOf(ctx: Ctx, id: number): Promise<AccrualTraceAnswer> {
  const accrual = await ctx.db.maybeOne<AccrualRow & { allocation_id: number }>(sql`
    select ${COLUMNS}, coalesce(a.part_of_id, a.id) as allocation_id from royalty_accruals t ${JOINS}
    where t.id = ${id}`);
  if (!accrual) throw refuse('not_found');
  const { allocation_id, ...row } = accrual;
  const line = await ctx.db.one<{ amount_minor: number; house_minor: number; trace: StoredTrace | null;
    method: AccrualTraceAnswer['method'] }>(sql`
    select amount_minor, house_minor, trace, method from royalty_allocations where id = ${allocation_id}`);
  const paid = await ctx.db.query<{ show_royaltor_id: number; name: string; amount_minor: number }>(sql`
    select x.show_royaltor_id, r.name, x.amount_minor from royalty_accruals x
      join show_royaltors g on g.id = x.show_royaltor_id join royaltors r on r.id = g.royaltor_id
    where x.royalty_allocation_id = ${allocation_id} order by x.show_royaltor_id, x.id`);
  const stored = line.trace?.lines ?? [];
  const own = stored.find((one) => one.id === row.show_royaltor_id);
  const house = line.trace?.house_weight ?? null;
  return {
    accrual: row, amount_minor: line.amount_minor, house_minor: line.house_minor, method: line.method,
    base_formula: own?.base ?? '', share_formula: own?.share ?? '',
    matched: { term_id: row.matched_term_id, matched: own?.of[0] ?? 0, of: own?.of[1] ?? 0, fields: own?.fields ?? [] },
    lost: own?.lost ?? [],
    allocation: [...paid.map((party) => {
      const line = stored.find((one) => one.id === party.show_royaltor_id);
      return { show_royaltor_id: party.show_royaltor_id as number | null, name: party.name,
        weight: line?.weight ?? '0', weight_total: line?.total ?? '0', exact_share: line?.exact ?? '',
        paid_minor: party.amount_minor };
    }), { show_royaltor_id: null, name: 'House', weight: house ?? '0', weight_total: line.trace?.weight_total ?? '0',
      exact_share: '', paid_minor: line.house_minor }],
  };
}

/** Ledger and accruals per royaltor: small numbers of groups, counted as they stand. */
async function royalties(ctx: Ctx, query: { page: number; per_page: number; search?: string | undefined;
  division?: string | undefined; currency?: string | undefined; sort_by?: string | undefined;
  sort_direction?: 'asc' | 'desc' | undefined }) {
  const of = (division: Sql, currency: Sql): Sql => where(compact([
    query.division !== undefined && sql`${division} = ${query.division}`,
    query.currency !== undefined && sql`${currency} = ${query.currency}`,
  ]));
  const sort = query.sort_by === 'earned_minor' ? sql`earned_minor` : query.sort_by === 'payable_minor'
    ? sql`payable_minor` : sql`r.name collate "und-x-icu"`;
  const order = query.sort_direction === 'desc' ? sql`${sort} desc, k.royaltor_id, k.division, k.currency`
    : sql`${sort}, k.royaltor_id, k.division, k.currency`;
  // Agents and balances of the former books are owed without an accrual.
  const rows = await ctx.db.query<RoyaltySummaryRow & { n: number }>(sql`
    with earned as (
      select g.royaltor_id, t.division, t.currency, count(distinct t.show_royaltor_id)::int as agreements,
        coalesce(sum(t.amount_minor) filter (where t.cost_on is not null), 0)::bigint as earned_minor,
        coalesce(sum(t.amount_minor) filter (where t.due_on is not null), 0)::bigint as due_minor
      from royalty_accruals t join show_royaltors g on g.id = t.show_royaltor_id
      ${of(sql`t.division`, sql`t.currency`)} group by 1, 2, 3),
    balances as (
      select x.party_id as royaltor_id, c.division, x.currency,
        coalesce(sum(x.debit_minor - x.credit_minor) filter (where c.code = '2200'), 0)::bigint as payable,
        coalesce(sum(x.debit_minor - x.credit_minor) filter (where c.code = '2210'), 0)::bigint as not_due,
        coalesce(sum(x.debit_minor - x.credit_minor) filter (where c.code = '1150'), 0)::bigint as advances,
        coalesce(sum(x.debit_minor - x.credit_minor) filter (where c.code = '2205'), 0)::bigint as reserve
      from (select * from party_balances where party_type = 'royaltor') x
        join ledger_accounts c on c.id = x.ledger_account_id and c.code in ('2200', '2210', '1150', '2205')
      ${of(sql`c.division`, sql`x.currency`)} group by 1, 2, 3)
    select k.royaltor_id || '-' || k.division || '-' || k.currency as id, k.royaltor_id, r.number,
      r.name as royaltor_name, k.division, k.currency, coalesce(e.agreements, 0) as agreements,
      coalesce(e.earned_minor, 0) as earned_minor, coalesce(e.due_minor, 0) as due_minor,
      coalesce((select sum(p.gross_minor) from royalty_payment_statements p
        join royalty_statements m on m.id = p.royalty_statement_id join payments y on y.id = p.payment_id
        where m.royaltor_id = k.royaltor_id and m.division = k.division and m.currency = k.currency
          and y.status in ('posted', 'cleared')), 0)::bigint as paid_minor,
      -coalesce(b.payable, 0) as payable_minor, -coalesce(b.not_due, 0) as not_due_minor,
      coalesce(b.advances, 0) as unrecouped_minor, -coalesce(b.reserve, 0) as reserve_minor, count(*) over () as n
    from (select royaltor_id, division, currency from earned
        union select royaltor_id, division, currency from balances
          where payable <> 0 or not_due <> 0 or advances <> 0 or reserve <> 0) k
      left join earned e using (royaltor_id, division, currency)
      left join balances b using (royaltor_id, division, currency) join royaltors r on r.id = k.royaltor_id
    ${where(compact([Boolean(query.search) && matches(sql`r.search_text`, query.search ?? '')]))}
    order by ${order} limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`);
  return pageOf<RoyaltySummaryRow>(rows, rows[0]?.n ?? 0, query,
    '/api/admin/staff/sales_and_royalties/royalties');
}

export const accrualRoutes: readonly Route[] = serve(accrualEndpoints, {
  list: (ctx, { query }) => listPage<AccrualRow>(ctx.db, { ...SPEC, conditions: compact([
    query.royaltor_id !== undefined && sql`t.show_royaltor_id in (select id from show_royaltors
      where royaltor_id = ${query.royaltor_id})`,
    query.show_royaltor_id !== undefined && sql`t.show_royaltor_id = ${query.show_royaltor_id}`,
    query.show_id !== undefined && sql`t.show_royaltor_id in (select id from show_royaltors
      where show_id = ${query.show_id})`,
    query.license_id !== undefined && sql`t.license_id = ${query.license_id}`,
    query.from !== undefined && sql`t.occurred_on >= ${query.from}`,
    query.to !== undefined && sql`t.occurred_on <= ${query.to}`,
    query.statement_id !== undefined && sql`t.statement_id = ${query.statement_id}`,
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.currency !== undefined && sql`t.currency = ${query.currency}`,
    query.income_type !== undefined && sql`t.income_type = ${query.income_type}`,
    query.state !== undefined && STATES[query.state],
    Boolean(query.search) && sql`t.show_royaltor_id in (select g.id from show_royaltors g
      join royaltors r on r.id = g.royaltor_id join shows s on s.id = g.show_id
      where ${matches(sql`r.search_text`, query.search ?? '')}
        or ${matches(sql`s.search_text`, query.search ?? '')})`,
  ]) }, query, '/api/admin/staff/royalty_accruals'),
  trace: async (ctx, { params }) => ({ data: await traceOf(ctx, params.id) }),
  royalties: (ctx, { query }) => royalties(ctx, query),
});
