/** Answers to questions: what waited for them is computed now and posted as a difference (domain.md 1.4; X35). */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { auditAll, billOf, computeReports, storeComputed } from './accept-report.server.ts';
import { billReports } from './bill-reports.server.ts';
import { dealsOf } from './deal.server.ts';
import { dropCovered, expectReports } from './expect-reports.server.ts';
import { loadReports } from './load-reports.server.ts';
import { releaseReport } from './release-report.server.ts';
import { HOLD_KINDS } from './report-questions.server.ts';
import type { AnswerInput, QuestionKind } from './report-types.ts';

interface Question { id: number; kind: QuestionKind; answered_at: string | null }

/** Answers one question. 409 where it is answered already. */
export async function answerQuestion(ctx: WorkContext, input: AnswerInput): Promise<void> {
  const report = await ctx.db.maybeOne<{ license_id: number }>(sql`
    select license_id from box_office_reports where id = ${input.report_id}`);
  if (!report) throw refuse('not_found');
  const deal = (await dealsOf(ctx.db, [report.license_id], true)).get(report.license_id);
  const question = await ctx.db.maybeOne<Question>(sql`
    select id, kind, answered_at from box_office_questions
    where id = ${input.question_id} and box_office_report_id = ${input.report_id} for update`);
  if (!question || !deal) throw refuse('not_found');
  if (question.answered_at !== null) {
    throw conflict('box_office_report.question_answered', 'This question has been answered already.');
  }
  refuseWrongAnswer(question, input);
  if (HOLD_KINDS.includes(question.kind)) await releaseReport(ctx, deal, question.kind, input);
  await answerAll(ctx, [question.id], input);
  if (HOLD_KINDS.includes(question.kind)) {
    await dropCovered(ctx, [deal.license_id]);
    await expectReports(ctx, deal.license_id);
  }
  await ctx.audit({ action: 'answer', entity: 'box_office_report', entity_id: input.report_id,
    after: { kind: question.kind, answer: input.answer, performances: input.performances ?? null } });
}

/** A held return is replaced into place or counted with a reason; a question is answered as reported or corrected. */
function refuseWrongAnswer({ kind }: Question, input: AnswerInput): void {
  const allowed = kind === 'overlap' ? ['replace', 'add'] : HOLD_KINDS.includes(kind) ? ['add']
    : ['as_reported', 'corrected'];
  if (!allowed.includes(input.answer)) throw invalidField('answer', 'Choose one of the answers offered');
  if (input.answer === 'corrected' && kind === 'no_performances' && input.performances === undefined) {
    throw invalidField('performances', 'Enter the number of performances');
  }
  if (input.answer === 'add' && !input.note?.trim()) throw invalidField('note', 'Enter a reason');
}

/**
 * Answers every open question of these reports "as reported": an import of checked figures. What holds a return is
 * left to a person. Answers their number.
 */
export async function answerAsReported(
  ctx: WorkContext, input: { report_ids: readonly number[]; note?: string; on?: string },
): Promise<{ answered: number }> {
  const open = await ctx.db.query<{ id: number }>(sql`
    select id from box_office_questions where box_office_report_id = any(${[...input.report_ids]}::bigint[])
      and answered_at is null and not kind = any(${[...HOLD_KINDS]}::text[]) order by id for update`);
  await answerAll(ctx, open.map((row) => row.id), { answer: 'as_reported', ...input });
  return { answered: open.length };
}

type Answer = Pick<AnswerInput, 'answer' | 'performances' | 'note' | 'on'>;

async function answerAll(ctx: WorkContext, questionIds: readonly number[], answer: Answer): Promise<void> {
  if (questionIds.length === 0) return;
  const reports = await ctx.db.query<{ id: number }>(sql`
    update box_office_questions set answer = ${answer.answer}, performances = ${answer.performances ?? null},
      note = ${answer.note ?? null}, answered_at = ${ctx.now().toISOString()}, answered_by_id = ${ctx.actor.actor_id}
    where id = any(${[...questionIds]}::bigint[]) returning box_office_report_id as id`);
  const ids = [...new Set(reports.map((row) => row.id))];
  await ctx.db.exec(sql`
    update box_office_reports b set version = version + 1,
      performances_held = coalesce(${answer.answer === 'corrected' ? answer.performances ?? null : null}::int,
        performances_held),
      open_questions = (select count(*) from box_office_questions q where q.box_office_report_id = b.id
        and q.answered_at is null),
      held = exists (select 1 from box_office_questions q where q.box_office_report_id = b.id
        and q.answered_at is null and q.kind = any(${[...HOLD_KINDS]}::text[]))
    where b.id = any(${ids}::bigint[])`);
  await settleWaiting(ctx, ids, answer.on);
}

/** Accepted reports whose minimum waited and need not wait any more; answers how many were settled. */
export async function settleWaiting(
  ctx: WorkContext, ids: readonly number[], on: string | undefined,
): Promise<number> {
  const waiting = await ctx.db.query<{ id: number }>(sql`
    select id from box_office_reports where id = any(${[...ids]}::bigint[]) and status = 'accepted'
      and minimum_pending and replaced_by_id is null`);
  const ready = (await loadReports(ctx.db, waiting.map((row) => row.id))).filter((report) => !report.minimum_waits);
  if (ready.length === 0) return 0;
  const computed = (await computeReports(ctx, ready)).filter((one) => !one.waits);
  const invoices = await billReports(ctx, computed.map((one) => ({ ...billOf(one), about: 'Minimum royalty' })), on);
  await storeComputed(ctx, computed, 'accepted', invoices);
  if (computed.length > 0) await auditAll(ctx, computed, 'settle');
  return computed.length;
}
