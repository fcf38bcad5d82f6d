/** Effect of the answer to a held report on the others: they are replaced by it, or it counts beside them. */
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { Deal } from './deal.server.ts';
import { ReturnJudge, type LiveReturn } from './judge-returns.server.ts';
import { loadReports } from './load-reports.server.ts';
import type { AnswerInput, QuestionKind, SubmitInput } from './report-types.ts';
import { readyReport } from './submit-report.server.ts';

/** Before the question is marked as answered; the licence is locked. Looks again: other returns came in meanwhile. */
export async function releaseReport(
  ctx: WorkContext, deal: Deal, kind: QuestionKind, input: AnswerInput,
): Promise<void> {
  const overlaps = await overlapsNow(ctx, deal, input.report_id);
  const certain = overlaps.filter((one) => one.status !== 'estimated');
  if (kind === 'overlap' && input.answer === 'add') {
    await ctx.db.exec(sql`update box_office_reports set added = true, add_reason = ${input.note ?? ''}
      where id = ${input.report_id}`);
    return;
  }
  if (kind === 'overlap') return replaceAll(ctx, input.report_id, overlaps);
  const asked = await ctx.db.query(sql`
    select 1 from box_office_questions where box_office_report_id = ${input.report_id} and kind = 'overlap'
      and answer is distinct from 'corrected'`);
  if (certain.length === 0 || asked.length > 0) {
    await replaceAll(ctx, input.report_id, overlaps.filter((one) => one.status === 'estimated'));
    return;
  }
  await ctx.db.exec(sql`
    insert into box_office_questions as q (box_office_report_id, license_id, kind, question)
    values (${input.report_id}, ${deal.license_id}, 'overlap', 'Another report for these dates came in since.')
    on conflict (box_office_report_id, kind) do update set question = excluded.question, answer = null,
      answered_at = null, answered_by_id = null, note = null`);
}

async function overlapsNow(ctx: WorkContext, deal: Deal, reportId: number): Promise<LiveReturn[]> {
  const [report] = await loadReports(ctx.db, [reportId]);
  const row = await ctx.db.one<{ performance_id: number | null; capacity_available: number | null;
    capacity_ppm: number | null; complimentary: number | null }>(sql`
    select performance_id, capacity_available, capacity_ppm, complimentary from box_office_reports
    where id = ${reportId}`);
  const { takings } = report!;
  const stored: SubmitInput = { ...row, license_id: deal.license_id, source: 'staff', scope: takings.scope,
    license_venue_id: takings.license_venue_id, period_from: takings.period_from, period_to: takings.period_to,
    gross_minor: Number(takings.gross_minor), currency: deal.currency as SubmitInput['currency'] };
  const judge = new ReturnJudge(ctx);
  await judge.learn(ctx.db, [deal]);
  return judge.judge(readyReport(stored, deal), reportId).overlaps;
}

/** They step back when the return is accepted; until then they count and it does not. */
async function replaceAll(ctx: WorkContext, reportId: number, overlaps: readonly LiveReturn[]): Promise<void> {
  if (overlaps.length === 0) return;
  const taken = overlaps.find((one) => one.replaced_by_id !== null);
  const waiting = overlaps.find((one) => one.replaces_report_id !== null && one.status !== 'accepted');
  if (taken || waiting) {
    throw conflict('box_office_report.status_conflict',
      'Another report for these dates is awaiting acceptance. Accept or correct that report first.',
      { allowed: [], report_id: taken?.replaced_by_id ?? waiting?.id ?? null });
  }
  const ids = overlaps.map((one) => one.id!);
  await ctx.db.exec(sql`update box_office_reports set replaced_by_id = ${reportId} where id = any(${ids}::bigint[])`);
  await ctx.db.exec(sql`
    update box_office_reports set replaces_report_id = coalesce(replaces_report_id, ${ids[0]!})
    where id = ${reportId}`);
}
