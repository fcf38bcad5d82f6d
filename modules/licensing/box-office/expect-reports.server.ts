/** Reports a license owes: a row per week, performance or run, due some days after it ends (domain.md 1.4). */
import { addDays, startOfWeek, type DayOfWeek } from '#kernel/calendar/calendar.ts';
import type { ReportScope } from '#kernel/pricing/report-scope.ts';
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { dealsOf } from './deal.server.ts';
import { reportsExpected } from './reports-expected.server.ts';
import { clearParts } from './store-report.server.ts';

interface ExpectedReport {
  venue_id: number;
  scope: ReportScope;
  performance_id: number | null;
  from: string;
  to: string;
}

/**
 * Makes the expected rows of a licence from its planned and held performances; rows that are there stay. Fees that no
 * taking changes owe none. Call it when a licence is executed and whenever its dates change; answers how many are new.
 */
export async function expectReports(ctx: WorkContext, licenseId: number): Promise<{ expected: number }> {
  const deal = (await dealsOf(ctx.db, [licenseId], true)).get(licenseId);
  if (!deal) throw refuse('not_found');
  const terms = await ctx.db.maybeOne<{ report_due_days: number }>(sql`
    select report_due_days from license_terms where license_id = ${licenseId}`);
  const scope = await reportsExpected(ctx.db, await findLicense(ctx.db, licenseId));
  if (scope === null) return { expected: 0 };
  const performances = await ctx.db.query<{ id: number; venue_id: number; local_date: string }>(sql`
    select id, license_venue_id as venue_id, local_date from performances
    where license_id = ${licenseId} and status in ('planned', 'performed') order by starts_at, id`);
  const owed = owedBy(performances, scope, deal.week_start);
  const days = terms?.report_due_days ?? 7;
  const made = await ctx.db.exec(sql`
    insert into box_office_reports (license_id, license_venue_id, division, currency, scope, performance_id,
      period_from,
      period_to, due_on, source)
    select ${licenseId}, venue_id, ${deal.division}, ${deal.currency}, scope, performance_id, period_from, period_to,
      due_on, 'schedule'
    from unnest(${owed.map((o) => o.venue_id)}::bigint[], ${owed.map((o) => o.scope)}::text[],
      ${owed.map((o) => o.performance_id)}::bigint[], ${owed.map((o) => o.from)}::date[],
      ${owed.map((o) => o.to)}::date[], ${owed.map((o) => addDays(o.to, days))}::date[])
      u (venue_id, scope, performance_id, period_from, period_to, due_on)
    where not exists (select 1 from box_office_reports b where b.license_id = ${licenseId} and b.status <> 'replaced'
      and b.license_venue_id is not distinct from u.venue_id and b.scope = u.scope and b.period_to = u.period_to
      and b.performance_id is not distinct from u.performance_id)
      -- What another return covers is not expected any more.
      and exists (select 1 from performances_of_return(${licenseId}::bigint, u.venue_id, u.performance_id,
        u.period_from, u.period_to) p where not exists (select 1 from box_office_performances c
          where c.performance_id = p))
    on conflict do nothing`);
  if (made > 0) {
    await ctx.audit({ action: 'expect_reports', entity: 'license', entity_id: licenseId, after: { expected: made } });
  }
  return { expected: made };
}

interface CoveredReport {
  id: number;
  period_from: string;
  period_to: string;
  gross_minor: number | null;
  files: number[];
}

/**
 * Drops expected returns whose performances are all in returns that count: nothing is owed. What somebody had typed in
 * a draft of one stays in the audit trail, with the files beside it.
 */
export async function dropCovered(ctx: WorkContext, licenseIds: readonly number[]): Promise<void> {
  const covered = await ctx.db.query<CoveredReport>(sql`
    select b.id, b.period_from, b.period_to, b.gross_minor,
      array(select a.file_id from box_office_attachments a where a.box_office_report_id = b.id order by 1) as files
    from box_office_reports b
    where b.license_id = any(${[...licenseIds]}::bigint[]) and b.status = 'expected' and b.covers_performances
      and not exists (select 1 from performances_of_return(b.license_id, b.license_venue_id, b.performance_id,
        b.period_from, b.period_to) p where not exists (select 1 from box_office_performances c
          where c.performance_id = p))`);
  if (covered.length === 0) return;
  const ids = covered.map((row) => row.id);
  for (const { id, ...draft } of covered.filter((row) => row.gross_minor !== null || row.files.length > 0)) {
    await ctx.audit({ action: 'drop_draft', entity: 'box_office_report', entity_id: id, before: draft });
  }
  await clearParts(ctx, ids);
  await ctx.db.exec(sql`delete from box_office_questions where box_office_report_id = any(${ids}::bigint[])`);
  await ctx.db.exec(sql`delete from box_office_attachments where box_office_report_id = any(${ids}::bigint[])`);
  await ctx.db.exec(sql`delete from box_office_reports where id = any(${ids}::bigint[])`);
}

function owedBy(
  performances: readonly { id: number; venue_id: number; local_date: string }[], frequency: ReportScope,
  weekStart: DayOfWeek,
): ExpectedReport[] {
  if (frequency === 'performance') {
    return performances.map((p) => ({ venue_id: p.venue_id, scope: frequency, performance_id: p.id, from: p.local_date,
      to: p.local_date }));
  }
  const groups = Map.groupBy(performances, (p) =>
    `${p.venue_id} ${frequency === 'week' ? startOfWeek(p.local_date, weekStart) : ''}`);
  return [...groups.values()].map((own) => {
    const first = own[0]!.local_date;
    const from = frequency === 'week' ? startOfWeek(first, weekStart) : first;
    return { venue_id: own[0]!.venue_id, scope: frequency, performance_id: null, from,
      to: frequency === 'week' ? addDays(from, 6) : own.at(-1)!.local_date };
  });
}
