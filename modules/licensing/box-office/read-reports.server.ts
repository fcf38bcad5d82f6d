/** Lists and details of box-office reports, for staff and for the licensee. */
import { refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import { allowedEvents } from '#kernel/licensing/machine.ts';
import { BOX_OFFICE_MACHINE, type BoxOfficeStatus } from '#kernel/licensing/small-machines.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { divisionDay } from '#server/division-day.ts';
import { compact, listPage, type ListSpec, type Page } from '#server/list.ts';
import { matches, type Sql, sql } from '#server/sql.ts';
import type { ReportDetail, ReportRow } from './box-office.contract.ts';

/** Late on this day: expected or asked back, and its day has passed. */
const overdueOn = (today: Sql): Sql => sql`t.due_on < ${today} and t.status in ('expected', 'queried')`;

const columnsOn = (today: Sql): Sql => sql`t.id, t.license_id,
  coalesce(l.license_number, l.number) as license_number,
  l.title_on_license as title, l.customer_id,
  c.name as customer_name, t.division, t.currency, t.license_venue_id, v.name as venue_name, t.scope, t.performance_id,
  t.period_from, t.period_to, t.part, t.due_on, t.status,
  t.due_on is not null and ${overdueOn(today)} as overdue, t.estimated, t.held, t.added, t.add_reason,
  t.replaced_by_id, t.source, t.gross_minor, t.deductions_minor, t.running_costs_minor,
  t.scope = 'week' and shares_profit(t.license_id) as asks_running_costs,
  t.tax_included, t.vat_minor, t.net_minor, t.performances_held, t.paid_admissions, t.complimentary,
  t.capacity_available, t.capacity_ppm, t.certified_name, t.certified_at, t.submitted_at, t.decided_at, t.query_note,
  t.open_questions, t.rate_ppm, t.percentage_minor, t.minimum_minor, t.earned_minor, t.recouped_minor, t.due_minor,
  t.minimum_pending, t.replaces_report_id, t.import_id, t.invoice_id, i.invoice_number, t.version, t.created_at,
  t.updated_at`;
const JOINS = sql`join licenses l on l.id = t.license_id join customers c on c.id = l.customer_id
  left join license_venues v on v.id = t.license_venue_id left join invoices i on i.id = t.invoice_id`;

const SPEC: Omit<ListSpec, 'columns'> = {
  base: sql`box_office_reports t`, joins: JOINS, conditions: [], defaultSort: 'period_to',
  defaultDirection: 'desc',
  sorts: { period_to: sql`t.period_to`, due_on: sql`t.due_on`, updated_at: sql`t.updated_at`,
    gross_minor: sql`t.gross_minor` },
};

const flagsOn = (today: Sql): Record<string, Sql> => ({
  overdue: overdueOn(today), held: sql`t.held`, questions: sql`t.open_questions > 0`, estimated: sql`t.estimated`,
  minimum_pending: sql`t.minimum_pending`,
});

export interface ReportFilter extends ListArgs {
  status?: string | undefined;
  license_id?: number | undefined;
  division?: string | undefined;
  due_from?: string | undefined;
  due_to?: string | undefined;
  flag?: string | undefined;
  /** Those that wait for figures. */
  open?: boolean | undefined;
}

export function listReports(ctx: Ctx, query: ReportFilter, path: string): Promise<Page<ReportRow>> {
  const today = todayOf(ctx, query.division);
  const flag = query.flag === undefined ? undefined : flagsOn(today)[query.flag];
  return listPage<ReportRow>(ctx.db, { ...SPEC, columns: columnsOn(today), conditions: compact([
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.license_id !== undefined && sql`t.license_id = ${query.license_id}`,
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.due_from !== undefined && sql`t.due_on >= ${query.due_from}`,
    query.due_to !== undefined && sql`t.due_on <= ${query.due_to}`,
    flag, query.open === true && sql`t.status in ('expected', 'queried', 'estimated') and not t.held`,
    Boolean(query.search) && sql`t.license_id in (select id from licenses
      where ${matches(sql`search_text`, query.search ?? '')})`,
  ]) }, query, path);
}

/** One report with everything beneath it; where a licence is named, 404 unless it is a report of that licence. */
export async function findReport(ctx: WorkContext, licenseId: number | null, reportId: number): Promise<ReportDetail> {
  const { db } = ctx;
  const row = await db.maybeOne<ReportRow & { trace_json: ReportDetail['trace'] | null }>(sql`
    select ${columnsOn(todayOf(ctx))}, t.trace as trace_json from box_office_reports t ${JOINS}
    where t.id = ${reportId} and (${licenseId}::bigint is null or t.license_id = ${licenseId})
      and l.deleted_at is null`);
  if (!row) throw refuse('not_found');
  const { trace_json, ...report } = row;
  return {
    ...report, trace: trace_json ?? [], ...await partsOf(db, reportId),
    allowed_events: eventsOf(row),
  };
}

/** A held return waits for its answer or for other figures; it is not accepted. */
function eventsOf(row: ReportRow): string[] {
  if (row.status === 'replaced') return [];
  const events: string[] = allowedEvents(BOX_OFFICE_MACHINE, row.status as BoxOfficeStatus);
  const possible = events.filter((event) => event !== 'accept' || !(row.held || row.replaced_by_id !== null));
  return row.held ? ['submit', ...possible] : possible;
}

/** Of each report, the day in its division; the same for all where the list is of one. */
function todayOf(ctx: WorkContext, division?: string): Sql {
  return divisionDay(ctx.now(), division === undefined ? sql`t.division` : sql`${division}`);
}

type Parts = Pick<ReportDetail, 'deductions' | 'rows' | 'questions' | 'attachments'>;

async function partsOf(db: Queryable, reportId: number): Promise<Parts> {
  const deductions = await db.query<Parts['deductions'][number]>(sql`
    select id, type, amount_minor, allowed_minor, note from box_office_deductions
    where box_office_report_id = ${reportId} order by id`);
  const rows = await db.query<Parts['rows'][number]>(sql`
    select r.id, r.performance_id, p.local_date, to_char(p.local_time, 'HH24:MI') as local_time, r.seats_sold, r.comps,
      r.gross_minor, coalesce((select jsonb_agg(jsonb_build_object('label', b.label, 'price_minor', b.price_minor,
        'seats_sold', b.seats_sold) order by b.id) from box_office_price_bands b where b.box_office_row_id = r.id),
        '[]') as price_bands
    from box_office_rows r join performances p on p.id = r.performance_id
    where r.box_office_report_id = ${reportId} order by p.starts_at, r.id`);
  const questions = await db.query<Parts['questions'][number]>(sql`
    select q.id, q.kind, q.question, q.answer, q.performances, q.note, q.answered_at,
      nullif(concat_ws(' ', u.first_name, u.last_name), '') as answered_by_name
    from box_office_questions q left join users u on u.id = q.answered_by_id
    where q.box_office_report_id = ${reportId} order by q.id`);
  const attachments = await db.query<Parts['attachments'][number]>(sql`
    select a.file_id, f.original_name as name, a.description from box_office_attachments a
      join files f on f.id = a.file_id where a.box_office_report_id = ${reportId} order by a.id`);
  return { deductions, rows, questions, attachments };
}
