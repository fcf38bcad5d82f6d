/** Recurring bills as lists and pages show them. */
import { refuse } from '#kit/errors.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import { dayWithin } from '#kernel/calendar/repetition.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import type { BillLineInput } from '../bill/bill.contract.ts';
import type { BillScheduleDay, BillScheduleDetail, billScheduleEndpoints, BillScheduleLine, BillScheduleRow }
  from './bill-schedule.contract.ts';

type Query = QueryOf<typeof billScheduleEndpoints.list>;
const DAYS_SHOWN = 100;
const DAYS_AHEAD = 12;

const nameOf = (id: Sql): Sql => sql`(
  select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = ${id})`;
const NET = sql`(select coalesce(sum(l.net_minor), 0)::bigint from bill_schedule_lines l
  where l.bill_schedule_id = t.id)`;
const COLUMNS = sql`t.id, t.name, t.vendor_id, v.name as vendor_name, t.division, t.currency, t.memo, t.every_count,
  t.every_unit, t.starts_on, t.ends_on, t.times, t.status, t.next_on, t.last_on, t.made_count, ${NET} as net_minor,
  t.failure, ${nameOf(sql`t.created_by_id`)} as created_by_name, t.version, t.created_at, t.updated_at`;
const JOINS = sql`join vendors v on v.id = t.vendor_id`;

export function schedulePage(ctx: Ctx, query: Query, path: string): Promise<Page<BillScheduleRow>> {
  const { search } = query;
  return listPage<BillScheduleRow>(ctx.db, {
    base: sql`bill_schedules t`, columns: COLUMNS, joins: JOINS, conditions: compact([
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.vendor_id !== undefined && sql`t.vendor_id = ${query.vendor_id}`,
      query.failed !== undefined && sql`(t.failure is not null) = ${query.failed}`,
      Boolean(search) && sql`(${matches(sql`t.search_text`, search ?? '')} or exists (select 1 from vendors s
        where s.id = t.vendor_id and ${matches(sql`s.search_text`, search ?? '')}))`]),
    sorts: { name: sql`t.name collate "und-x-icu"`, next_on: sql`t.next_on`, net_minor: NET,
      updated_at: sql`t.updated_at`,
      vendor: sql`(select s.name from vendors s where s.id = t.vendor_id) collate "und-x-icu"` },
    defaultSort: 'next_on', defaultDirection: 'asc',
  }, query, path);
}

type Head = Omit<BillScheduleDetail, 'lines' | 'days' | 'coming'> & { position: number };

export async function scheduleOf(ctx: WorkContext, id: number): Promise<BillScheduleDetail> {
  const head = await ctx.db.maybeOne<Head>(sql`
    select ${COLUMNS}, t.discount_ppm, t.discount_days, t.position,
      ${nameOf(sql`t.last_changed_by_id`)} as last_changed_by_name
    from bill_schedules t ${JOINS} where t.id = ${id}`);
  if (!head) throw refuse('not_found');
  const { position, ...row } = head;
  return { ...row, lines: await linesOf(ctx, id), days: await daysOf(ctx, id), coming: comingOf(row, position) };
}

/** The next days of a schedule that is not over; none while it is paused. */
function comingOf(row: Omit<Head, 'position'>, position: number): string[] {
  if (row.status !== 'active') return [];
  const days: string[] = [];
  for (let k = 0; k < DAYS_AHEAD; k += 1) {
    const day = dayWithin(row, position + k, { ...row, made: row.made_count + k });
    if (day === null) break;
    days.push(day);
  }
  return days;
}

function linesOf(ctx: WorkContext, id: number): Promise<BillScheduleLine[]> {
  return ctx.db.query<BillScheduleLine>(sql`
    select l.id, l.ledger_account_id, a.code || ' ' || a.name as account, l.description, l.net_minor, l.tax_code_id,
      c.name as tax_code, case c.kind when 'use_tax' then 'use_tax' when 'reverse_charge' then 'reverse_charge'
        when 'sales_tax' then 'cost' when 'standard' then 'recoverable' when 'reduced' then 'recoverable'
        when 'zero' then 'recoverable' else 'none' end as treatment,
      l.jurisdiction, l.rate_ppm, l.tax_minor, l.show_id, s.title as show_title,
      l.license_id, coalesce(n.license_number, n.number) as license_number, l.material_id, m.name as material_name,
      l.quantity
    from bill_schedule_lines l join ledger_accounts a on a.id = l.ledger_account_id
      left join tax_codes c on c.id = l.tax_code_id left join shows s on s.id = l.show_id
      left join licenses n on n.id = l.license_id left join materials m on m.id = l.material_id
    where l.bill_schedule_id = ${id} order by l.sort`);
}

function daysOf(ctx: WorkContext, id: number): Promise<BillScheduleDay[]> {
  return ctx.db.query<BillScheduleDay>(sql`
    select d.due_on as on, d.is_skipped, b.id as bill_id, b.number, b.state, b.total_minor
    from bill_schedule_days d left join bill_list b on b.id = d.bill_id
    where d.bill_schedule_id = ${id} order by d.due_on desc limit ${DAYS_SHOWN}`);
}

/** The lines as they are entered on a bill. */
export function scheduleLines(ctx: WorkContext, id: number): Promise<BillLineInput[]> {
  return ctx.db.query<BillLineInput>(sql`
    select ledger_account_id, description, net_minor, tax_code_id, jurisdiction, rate_ppm, tax_minor, show_id,
      license_id, material_id, quantity, null::bigint as goods_receipt_line_id
    from bill_schedule_lines where bill_schedule_id = ${id} order by sort`);
}
