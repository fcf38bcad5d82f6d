/** Settlements of a license before a report, and the reports its week still waits for. */
import { addDays, startOfWeek } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { settlementOf, type Deal } from './deal.server.ts';
import { loadReports, type LoadedReport } from './load-reports.server.ts';
import { HOLDS_MINIMUM } from './report-questions.server.ts';
import { guaranteesRun } from './run-total.server.ts';
import { partsOf } from './settle-report.server.ts';
import type { SettledBefore } from './takings.ts';

interface Row { id: number; license_id: number; percentage_minor: number; earned_minor: number;
  recouped_minor: number; minimum_waits: boolean; asked: boolean; replaced_by_id: number | null;
  weeks: { week_on: string; base_minor: number; performances: number; charged_minor: number }[] | null }

/** Weeks that are settled by themselves see no other week. */
const seesWholeRun = (deal: Deal): boolean => settlementOf(deal) !== 'weekly' || deal.gross_tiers.length > 0
  || guaranteesRun(deal);

/** Settlements of licenses, in the order of acceptance; reports of one call are added as they are settled. */
class History {
  private readonly deals: ReadonlyMap<number, Deal>;
  private readonly known = new Map<string, SettledBefore[]>();

  constructor(deals: ReadonlyMap<number, Deal>) {
    this.deals = deals;
  }

  private keysOf(licenseId: number, weeks: readonly { week_on: string }[]): string[] {
    const deal = this.deals.get(licenseId);
    return !deal || seesWholeRun(deal) ? [`${licenseId}`] : weeks.map((week) => `${licenseId} ${week.week_on}`);
  }

  add({ license_id }: { license_id: number }, settled: SettledBefore): void {
    for (const key of this.keysOf(license_id, settled.weeks)) {
      const list = this.known.get(key);
      if (list) list.push(settled);
      else this.known.set(key, [settled]);
    }
  }

  /** Earlier settlements that count in the settlement of this report. */
  before(report: LoadedReport): SettledBefore[] {
    const deal = this.deals.get(report.license_id);
    if (!deal) return [];
    const weeks = seesWholeRun(deal) ? [] : partsOf(deal, report.takings, false);
    return [...new Set(this.keysOf(report.license_id, weeks).flatMap((key) => this.known.get(key) ?? []))];
  }
}

/**
 * Accepted reports of these licences in the order of acceptance. A licence whose weeks are settled by themselves needs
 * those of the same weeks only.
 */
export async function historyOf(
  db: Queryable, reports: readonly LoadedReport[], deals: ReadonlyMap<number, Deal>,
): Promise<History> {
  const history = new History(deals);
  const whole = [...deals.values()].filter(seesWholeRun).map((deal) => deal.license_id);
  const weeks = reports.filter((report) => !whole.includes(report.license_id)).flatMap((report) =>
    partsOf(deals.get(report.license_id)!, report.takings, false)
      .map((part) => ({ license_id: report.license_id, week_on: part.week_on })));
  const rows = await db.query<Row>(sql`
    select b.id, b.license_id, b.percentage_minor, b.earned_minor, b.recouped_minor, b.replaced_by_id,
      b.minimum_pending as minimum_waits,
      b.open_questions > 0 and exists (select 1 from box_office_questions q where q.box_office_report_id = b.id
        and q.answered_at is null and q.kind = any(${[...HOLDS_MINIMUM]}::text[])) as asked,
      (select jsonb_agg(jsonb_build_object('week_on', w.week_on, 'base_minor', w.base_minor,
        'performances', w.performances_held, 'charged_minor', w.charged_minor) order by w.week_on)
        from box_office_weeks w where w.box_office_report_id = b.id) as weeks
    from box_office_reports b
    where (b.status = 'accepted' or (b.status = 'estimated' and not b.id = any(
      ${reports.map((report) => report.id)}::bigint[]))) and b.earned_minor is not null
      and (b.license_id = any(${whole}::bigint[]) or b.id in (select w.box_office_report_id
        from unnest(${weeks.map((week) => week.license_id)}::bigint[], ${weeks.map((week) => week.week_on)}::date[])
          u (license_id, week_on)
        join box_office_weeks w on w.license_id = u.license_id and w.week_on = u.week_on))
    order by b.computed_at, b.id`);
  const takings = new Map((await loadReports(db, rows.map((row) => row.id), false))
    .map((report) => [report.id, report.takings] as const));
  for (const row of rows) {
    history.add(row, { ...takings.get(row.id)!, percentage_minor: BigInt(row.percentage_minor),
      earned_minor: BigInt(row.earned_minor), recouped_minor: BigInt(row.recouped_minor), asked: row.asked,
      minimum_waits: row.minimum_waits, replaced_by_id: row.replaced_by_id,
      weeks: (row.weeks ?? []).map((week) => ({ week_on: week.week_on, performances: week.performances,
        base_minor: BigInt(week.base_minor), charged_minor: BigInt(week.charged_minor) })) });
  }
  return history;
}

/** Days after its due date for which the minimum of a week waits for another venue's return. */
export const WAIT_AFTER_DUE_DAYS = 7;

/**
 * Weeks of the licence in which another venue than the report's still owes a return; those that are settled in the
 * same call are not waited for.
 */
export async function awaitedVenues(
  ctx: WorkContext, reports: readonly LoadedReport[], deals: ReadonlyMap<number, Deal>,
): Promise<(report: LoadedReport) => ReadonlySet<string>> {
  const weekly = [...deals.values()].filter((deal) => settlementOf(deal) === 'weekly'
    && (deal.min_per_week_minor > 0n || deal.min_per_performance_minor > 0n));
  const days = new Map<string, string>();
  for (const { division } of weekly) {
    if (!days.has(division)) days.set(division, addDays(await ctx.today(division), -WAIT_AFTER_DUE_DAYS));
  }
  const open = weekly.length === 0 ? [] : await ctx.db.query<{ license_id: number; license_venue_id: number | null;
    division: string; period_to: string; due_on: string }>(sql`
    select license_id, license_venue_id, division, period_to,
      coalesce(due_on, period_to + ${WAIT_AFTER_DUE_DAYS}::int) as due_on from box_office_reports
    where license_id = any(${weekly.map((deal) => deal.license_id)}::bigint[])
      and status in ('expected', 'submitted', 'queried') and not added and replaces_report_id is null
      and earned_minor is null and not id = any(${reports.map((report) => report.id)}::bigint[])`);
  const awaited = open.filter((one) => one.due_on >= days.get(one.division)!)
    .map((one) => ({ ...one, week_on: startOfWeek(one.period_to, deals.get(one.license_id)!.week_start) }));
  const byLicense = Map.groupBy(awaited, (one) => one.license_id);
  return (report) => new Set((byLicense.get(report.license_id) ?? [])
    .filter((one) => one.license_venue_id !== report.license_venue_id).map((one) => one.week_on));
}
