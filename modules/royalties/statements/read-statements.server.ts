/** Lists and details of statements and runs. */
import { refuse } from '#kit/errors.ts';
import { allowedEvents } from '#kernel/licensing/machine.ts';
import { STATEMENT_MACHINE, type StatementStatus } from '#kernel/licensing/small-machines.ts';
import type { Ctx } from '#server/context.ts';
import { declineOf } from '#server/approval-source.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage, type ListSpec, type Page } from '#server/list.ts';
import { matches, sql } from '#server/sql.ts';
import type * as z from 'zod';
import type { runDetail, RunRow, statementEndpoints, StatementDetail, StatementRow } from './statement.contract.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import { paymentCurrency } from '../payments/convert-payment.server.ts';
import { agentOf, payeeOf } from './statement-agent.server.ts';
import { SECTION_OF } from './statement-lines.server.ts';

const PAY_CURRENCY = paymentCurrency(sql`t.division`, payeeOf(sql`t`));
const COLUMNS = sql`t.id, t.number, t.royalty_statement_run_id, t.royaltor_id, r.name as royaltor_name,
  t.show_royaltor_id, t.cross_collateral_group_id, coalesce(s.title, c.name) as subject, t.division, t.currency,
  t.period_from, t.period_to, t.status, t.opening_minor, t.earnings_minor, t.reserves_taken_minor,
  t.reserves_released_minor, t.adjustments_minor, t.available_minor, t.recouped_minor, t.top_up_minor, t.net_minor,
  t.vat_minor, t.agent_minor, t.expected_wht_minor, t.withheld_minor, t.payable_minor, t.paid_minor, t.closing_minor,
  t.closing_unrecouped_minor, t.closing_reserve_minor,
  ${PAY_CURRENCY} as pay_currency, t.carried_reason, t.document_id is not null as has_document,
  t.version, t.created_at, t.updated_at`;
const JOINS = sql`join royaltors r on r.id = t.royaltor_id left join show_royaltors g on g.id = t.show_royaltor_id
  left join shows s on s.id = g.show_id left join cross_collateral_groups c on c.id = t.cross_collateral_group_id`;
const SPEC: ListSpec = {
  base: sql`royalty_statements t`, columns: COLUMNS, joins: JOINS, conditions: [], defaultSort: 'period_to',
  defaultDirection: 'desc',
  sorts: { period_to: sql`t.period_to`, net_minor: sql`t.net_minor`, updated_at: sql`t.updated_at` },
};
const NAME_OF = (column: 'calculated_by_id' | 'approved_by_id') => (column === 'calculated_by_id'
  ? sql`(select concat_ws(' ', first_name, last_name) from users where id = t.calculated_by_id)`
  : sql`(select concat_ws(' ', first_name, last_name) from users where id = t.approved_by_id)`);
const RUN = sql`t.id, t.division, t.currency, t.period_from, t.period_to, t.status, t.statement_count, t.net_minor,
  t.pay_minor, ${NAME_OF('calculated_by_id')} as calculated_by_name, t.calculated_at,
  ${NAME_OF('approved_by_id')} as approved_by_name, t.approved_at, t.issued_at, t.calculated_by_id,
  ${declineOf('royalty_statement_run', sql`t.id`, sql`t.version`)} as declined,
  t.work, t.work_done, t.work_total, t.failure, t.version, t.created_at, t.updated_at`;
const RUNS: ListSpec = {
  base: sql`royalty_statement_runs t`, columns: RUN, conditions: [], defaultSort: 'period_to', defaultDirection: 'desc',
  sorts: { period_to: sql`t.period_to`, updated_at: sql`t.updated_at` },
};

export function listStatements(ctx: Ctx, query: QueryOf<typeof statementEndpoints.list>): Promise<Page<StatementRow>> {
  return listPage<StatementRow>(ctx.db, { ...SPEC, conditions: compact([
    query.royaltor_id !== undefined && sql`t.royaltor_id = ${query.royaltor_id}`,
    query.show_royaltor_id !== undefined && sql`t.show_royaltor_id = ${query.show_royaltor_id}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.currency !== undefined && sql`t.currency = ${query.currency}`,
    query.pay_currency !== undefined && sql`${PAY_CURRENCY} = ${query.pay_currency}`,
    query.period_from !== undefined && sql`t.period_from >= ${query.period_from}`,
    query.period_to !== undefined && sql`t.period_to <= ${query.period_to}`,
    Boolean(query.search) && sql`t.royaltor_id in (select id from royaltors
      where ${matches(sql`search_text`, query.search ?? '')})`,
  ]) }, query, '/api/admin/staff/royalty_statements');
}

export function listRuns(
  ctx: Ctx, query: { page: number; per_page: number; search?: string | undefined; division?: string | undefined;
    status?: string | undefined },
): Promise<Page<RunRow>> {
  return listPage<RunRow>(ctx.db, { ...RUNS, conditions: compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    Boolean(query.search) && sql`exists (select 1 from royalty_statements s join royaltors x on x.id = s.royaltor_id
      where s.royalty_statement_run_id = t.id and ${matches(sql`x.search_text`, query.search ?? '')})`,
  ]) }, query, '/api/admin/staff/royalty_statement_runs');
}

export async function findRun(db: Queryable, id: number): Promise<z.infer<typeof runDetail>> {
  const run = await db.maybeOne<RunRow>(sql`select ${RUN} from royalty_statement_runs t where t.id = ${id}`);
  if (!run) throw refuse('not_found');
  const statements = await db.query<StatementRow>(sql`
    select ${COLUMNS} from royalty_statements t ${JOINS} where t.royalty_statement_run_id = ${id}
    order by r.name collate "und-x-icu", t.id`);
  return { ...run, statements };
}

type Stored = StatementRow & Omit<StatementDetail, 'lines' | 'payments' | 'allowed_events'>;

const AGENT = sql`(select jsonb_build_object('name', a.name, 'email', nullif(a.email, '')) from royaltors a
  where a.id = ${agentOf(sql`t`)})`;

/** One statement whole; 404 where there is none. */
export async function findStatement(db: Queryable, id: number): Promise<StatementDetail> {
  const row = await db.maybeOne<Stored>(sql`
    select ${COLUMNS}, r.number as royaltor_number, t.self_billing_number, t.approved_at, t.issued_at, t.void_reason,
      t.transaction_id, coalesce(t.snapshot -> 'steps', '[]') as steps,
      (select p.name from royaltors p where p.id = ${payeeOf(sql`t`)}) as payee_name,
      ${NAME_OF('calculated_by_id')} as calculated_by_name, ${NAME_OF('approved_by_id')} as approved_by_name,
      ${AGENT} as agent
    from royalty_statements t ${JOINS} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  const lines = await db.query<StatementDetail['lines'][number]>(sql`
    select x.id, x.section, x.description, x.license_id,
      coalesce(l.license_number, l.number) as license_number, x.show_royaltor_id, x.period_from,
      x.period_to, x.performances, x.quantity, x.gross_minor, x.base_minor, x.rate_ppm, x.amount_minor,
      coalesce((select array_agg(a.id order by a.id) from royalty_accruals a where a.statement_id = ${id}
        and a.license_id is not distinct from x.license_id and a.show_royaltor_id = x.show_royaltor_id
        and a.rate_ppm = x.rate_ppm and ${SECTION_OF} = x.section), '{}') as accrual_ids
    from royalty_statement_lines x left join licenses l on l.id = x.license_id
    where x.royalty_statement_id = ${id}
    order by array_position(array['performances', 'sales_and_rentals', 'streaming', 'adjustments', 'reserves',
      'advances', 'payments', 'summary'], x.section), x.sort, x.id`);
  const payments = await db.query<StatementDetail['payments'][number]>(sql`
    select p.id as payment_id, p.number, p.paid_on, p.status, r.name as payee_name,
      p.royaltor_id <> ${payeeOf(sql`m`)} as is_commission, x.gross_minor, x.wht_minor, x.paid_minor
    from royalty_payment_statements x join payments p on p.id = x.payment_id join royaltors r on r.id = p.royaltor_id
      join royalty_statements m on m.id = x.royalty_statement_id
    where x.royalty_statement_id = ${id} order by p.id`);
  return { ...row, lines, payments, allowed_events: allowedEvents(STATEMENT_MACHINE, row.status as StatementStatus) };
}
