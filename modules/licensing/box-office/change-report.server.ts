/** Changes before acceptance: figures typed again, asked back, estimated (X33, X34, X146). */
import { addDays } from '#kernel/calendar/calendar.ts';
import { invalid, invalidField, refuse } from '#kit/errors.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runBatch } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import { acceptReport, billOf, computeReports, refuseWrongState, storeComputed } from './accept-report.server.ts';
import { billReports } from './bill-reports.server.ts';
import { dealsOf } from './deal.server.ts';
import { loadReports } from './load-reports.server.ts';
import { dropCovered, expectReports } from './expect-reports.server.ts';
import { ReturnJudge } from './judge-returns.server.ts';
import { fillReports, markReplaced, writeParts } from './store-report.server.ts';
import { applyJudgement, problemsOf, readyReport, refuseForeignPerformances } from './submit-report.server.ts';
import { tellSubmitter } from './tell-of-report.server.ts';
import type { SubmitInput } from './report-types.ts';

interface Current { id: number; license_id: number; status: string; version: number; due_on: string | null;
  submitted_at: string | null; updated_at: string; added: boolean; add_reason: string | null }

async function locked(ctx: WorkContext, licenseId: number, reportId: number, version: number): Promise<Current> {
  const row = await ctx.db.maybeOne<Current>(sql`
    select id, license_id, status, version, due_on, submitted_at, updated_at, added, add_reason
    from box_office_reports
    where id = ${reportId} and license_id = ${licenseId} for update`);
  if (!row) throw refuse('not_found');
  if (row.version !== version) throw stale(row);
  return row;
}

/**
 * Types a report again as a whole and looks at it anew: what held it is answered, what holds it now is asked. 409 once
 * it is accepted: then a new one replaces it.
 */
export async function changeReport(
  ctx: WorkContext, reportId: number, version: number, input: SubmitInput,
): Promise<void> {
  const deal = (await dealsOf(ctx.db, [input.license_id], true)).get(input.license_id);
  if (!deal) throw refuse('not_found');
  const current = await locked(ctx, input.license_id, reportId, version);
  // A submitted one is corrected where it stands; in any other state the new figures are a submission.
  if (current.status !== 'submitted' && !(input.draft && current.status === 'expected')) {
    refuseWrongState(current, 'submit');
  }
  const errors = problemsOf(input, deal);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const kept = current.added ? { ...input, add: true, add_reason: current.add_reason } : input;
  const ready = readyReport(kept, deal);
  await refuseForeignPerformances(ctx, [ready], (found) => found);
  if (!input.draft) {
    const judge = new ReturnJudge(ctx);
    await judge.learn(ctx.db, [deal]);
    applyJudgement(ready, judge.judge(ready, reportId));
  }
  const stored = [{ report: ready, id: reportId }];
  ready.part = await partOf(ctx, reportId, input);
  await fillReports(ctx, stored);
  await writeParts(ctx, stored, true);
  await markReplaced(ctx.db, stored);
  await dropCovered(ctx, [input.license_id]);
  await expectReports(ctx, input.license_id);
  await ctx.audit({ action: input.draft ? 'draft' : 'submit', entity: 'box_office_report', entity_id: reportId,
    after: { gross_minor: input.gross_minor, period_to: input.period_to } });
}

/** A free part of the period that the report moves to; its own where it stays. */
async function partOf(ctx: WorkContext, reportId: number, input: SubmitInput): Promise<number> {
  const row = await ctx.db.one<{ part: number }>(sql`
    select coalesce(max(b.part) filter (where b.id = ${reportId}), max(b.part) + 1, 1) as part
    from box_office_reports b
    where b.license_id = ${input.license_id} and b.scope = ${input.scope} and b.status <> 'replaced'
      and b.period_from = ${input.period_from} and b.period_to = ${input.period_to}
      and b.license_venue_id is not distinct from ${input.license_venue_id ?? null}
      and b.performance_id is not distinct from ${input.performance_id ?? null}`);
  return row.part;
}

export interface ReviewInput {
  license_id: number;
  report_id: number;
  event: 'accept' | 'query' | 'estimate';
  version: number;
  note?: string | undefined;
}

/** The events of staff on a report, by the kernel's machine: 409 with what is possible. */
export async function reviewReport(ctx: WorkContext, input: ReviewInput): Promise<void> {
  const current = await locked(ctx, input.license_id, input.report_id, input.version);
  const note = input.note?.trim() ?? '';
  if (input.event === 'accept') {
    await acceptReport(ctx, { report_id: current.id });
    return tellSubmitter(ctx, current.id, 'accepted');
  }
  if (input.event === 'query') {
    if (current.status === 'submitted' && note === '') throw invalidField('note', 'Write what is to be checked');
    refuseWrongState(current, 'query', { note_given: note !== '' });
    await ctx.db.exec(sql`
      update box_office_reports set status = 'queried', query_note = ${note}, decided_by_id = ${ctx.actor.actor_id},
        decided_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${current.id}`);
    await ctx.audit({ action: 'query', entity: 'box_office_report', entity_id: current.id, after: { note } });
    return tellSubmitter(ctx, current.id, 'sent back', note);
  }
  await estimateReport(ctx, current.id);
}

/** Days after the due date from which staff and the scheduler may estimate (domain.md 1.4). */
const ESTIMATE_AFTER_DAYS = 30;

/**
 * Bills the full house of what nobody reported of the period, for a return that never came; a later return posts the
 * difference.
 */
export async function estimateReport(ctx: WorkContext, reportId: number): Promise<void> {
  const [report] = await loadReports(ctx.db, [reportId]);
  if (!report) throw refuse('not_found');
  const today = await ctx.today(report.division);
  refuseWrongState(report, 'estimate', {
    estimate_due: report.due_on !== null && addDays(report.due_on, ESTIMATE_AFTER_DAYS) <= today });
  const house = await ctx.db.one<{ gross: number; held: number }>(sql`
    select coalesce(sum(coalesce((select sum(k.number_of_seats * k.price_minor) from performance_bands k
      where k.performance_id = p.id), 0)), 0)::bigint as gross, count(*)::int as held
    from performances p where p.license_id = ${report.license_id} and p.status in ('planned', 'performed')
      and p.local_date between ${report.period_from} and ${report.period_to}
      and (${report.license_venue_id}::bigint is null or p.license_venue_id = ${report.license_venue_id})
      and not exists (select 1 from box_office_performances c where c.performance_id = p.id)`);
  await ctx.db.exec(sql`
    update box_office_reports set gross_minor = ${house.gross}, performances_held = ${house.held}, estimated = true
    where id = ${reportId}`);
  const estimated = { ...report, takings: { ...report.takings, gross_minor: BigInt(house.gross),
    performances_held: house.held } };
  const computed = await computeReports(ctx, [estimated]);
  // A royalty pool of the gross reads it when the bill is shared.
  await ctx.db.exec(sql`update box_office_reports set net_minor = ${Number(computed[0]!.settled.net_minor)}
    where id = ${reportId}`);
  const invoices = await billReports(ctx, computed.map((one) => ({ ...billOf(one),
    about: 'Royalty estimated at a full house' })));
  await storeComputed(ctx, computed, 'estimated', invoices);
  await ctx.audit({ action: 'estimate', entity: 'box_office_report', entity_id: reportId, after: house });
}

/** Estimates every return that is 30 days late, each in a transaction of its own; nightly. Answers how many. */
export async function estimateOverdue(ports: Ports): Promise<{ estimated: number }> {
  const clock = workContext(ports, ports.db, SYSTEM_ACTOR);
  const divisions = await ports.db.query<{ code: string }>(sql`select code from divisions order by code`);
  let estimated = 0;
  for (const { code } of divisions) {
    const due = await ports.db.query<{ id: number }>(sql`
      select b.id from box_office_reports b join licenses l on l.id = b.license_id
      where b.division = ${code} and b.status = 'expected' and b.submitted_at is null
        and b.due_on <= ${addDays(await clock.today(code), -ESTIMATE_AFTER_DAYS)}
        and l.phase in ('licensed', 'in_production', 'settlement') and l.deleted_at is null order by b.id`);
    const { done } = await runBatch(ports, { job: 'estimate-reports', items: due,
      facts: ({ id }) => ({ box_office_report_id: id }) }, (ctx, { id }) => estimateReport(ctx, id));
    estimated += done;
  }
  return { estimated };
}
