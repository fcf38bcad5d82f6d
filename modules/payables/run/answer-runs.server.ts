/**
 * The bank's answer for the payments of any run: a file of returns or a notification holds those of all runs of an
 * account. Each payment is settled, refused or noted in its own run, behind a savepoint of its own. Prenotes come back
 * in the same files as payments by ACH.
 */
import { AppError, invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { prenotesOf, takePrenoteVerdict } from '../prenote/answer-prenotes.server.ts';
import { keepCorrection, type Notice } from '../prenote/bank-corrections.server.ts';
import { findSent } from './find-sent.server.ts';
import { OTHERS_NAMED, type ANSWER_OUTCOMES, type AnswerResult } from './payment-run.contract.ts';
import { readAnswer, verdictIn, type AnswerEntry, type BankAnswer, type Verdict } from './read-answer.server.ts';
import { keepPaidAnyway } from './run-exits.server.ts';
import { auditRun, lockRun, type Run } from './run-store.server.ts';
import { ALL_BACK, closeStep, paymentsOf, rejectPayment, settlePayment, tell, tellOfFile, type Payment }
  from './settle-run.server.ts';

/** Verdicts of a run by payment. */
type Verdicts = ReadonlyMap<number, Verdict>;
const nothing = (): AnswerResult => ({ settled: 0, rejected: 0, changed: 0, paid_anyway: 0, disputed: 0, known: 0,
  unknown: 0, payments: [], prenotes: [], failed: [], others: [] });

/** Uploaded at a run: the bank has its file. Entries of other runs are taken in theirs. */
export async function answerRun(ctx: WorkContext, id: number, file: Buffer, name = 'Its answer'):
Promise<AnswerResult> {
  await lockRun(ctx, id, 'answer');
  return readAnswers(ctx, file, name);
}

/** A second reading changes nothing. 422 at `file` where it is no answer, or one to a file that is not ours. */
export async function readAnswers(ctx: WorkContext, file: Buffer, name: string): Promise<AnswerResult> {
  const read = readAnswer(file);
  const answer = nothing();
  if (read.report) {
    await takeReport(ctx, read.report, { name, answer });
    return answer;
  }
  const runs = new Map<number, Map<number, Verdict>>();
  const asked = await prenotesOf(ctx, read.entries);
  for (const [place, id] of asked.entries()) {
    if (id) await takePrenote(ctx, id, { verdict: read.entries[place]!.verdict, answer });
  }
  const entries = read.entries.filter((_, place) => !asked[place]);
  const sent = await findSent(ctx, entries);
  for (const [place, entry] of entries.entries()) {
    const own = sent[place];
    if (!own) takeOther(answer, entry);
    else {
      const verdicts = runs.get(own.run_id) ?? new Map<number, Verdict>();
      runs.set(own.run_id, verdicts);
      if (verdicts.get(own.payment_id)?.outcome !== 'rejected') verdicts.set(own.payment_id, entry.verdict);
    }
  }
  for (const [id, verdicts] of [...runs].sort(([a], [b]) => a - b)) {
    const run = await lockRun(ctx, id, 'answer');
    await takeVerdicts(ctx, run, { payments: await paymentsOf(ctx, run), verdicts, name, answer });
  }
  return answer;
}

const PRENOTE_OUTCOMES = { settled: null, rejected: 'returned', notice: 'changed', dispute: 'disputed' } as const;
/** Nothing was paid with it: its bank details are in doubt, or corrected. */
async function takePrenote(ctx: WorkContext, id: number, { verdict, answer }: { verdict: Verdict;
  answer: AnswerResult }): Promise<void> {
  const { isNew, ...named } = await takePrenoteVerdict(ctx, id, verdict);
  const outcome = PRENOTE_OUTCOMES[verdict.outcome];
  if (outcome === null || (!isNew && outcome !== 'disputed')) answer.known += 1;
  else answer.prenotes.push({ ...named, outcome });
}

function takeOther(answer: AnswerResult, { verdict, name, trace, item_id, amount_minor, currency }: AnswerEntry): void {
  answer.unknown += 1;
  if (answer.others.length === OTHERS_NAMED) return;
  answer.others.push({ name, reference: item_id || trace, amount_minor, currency, outcome: verdict.outcome });
}

/** A report names the file that it answers; a payment without a line has the status of its block or of the file. */
async function takeReport(ctx: WorkContext, report: NonNullable<BankAnswer['report']>, of: { name: string;
  answer: AnswerResult }): Promise<void> {
  const [found] = await ctx.db.query<{ id: number }>(sql`
    select id from payment_runs where number = ${report.message_id} and file_id is not null`);
  if (!found) throw invalidField('file', `This answers ${report.message_id}, which is no file of a payment run`);
  const run = await lockRun(ctx, found.id, 'answer');
  const payments = await paymentsOf(ctx, run);
  const verdicts = new Map(payments.flatMap((one) => {
    const verdict = verdictIn(report, run.number, one.bank_reference);
    return verdict === null ? [] : [[one.id, verdict] as const];
  }));
  for (const reference of report.payments.keys()) {
    if (payments.some((one) => one.bank_reference === reference)) continue;
    const verdict = verdictIn(report, run.number, reference);
    if (verdict) takeOther(of.answer, { verdict, trace: '', item_id: reference, name: '', amount_minor: null,
      currency: null });
  }
  await takeVerdicts(ctx, run, { payments, verdicts, ...of });
}

/** The run is locked, and its payments are. */
async function takeVerdicts(ctx: WorkContext, run: Run, of: { payments: readonly Payment[]; verdicts: Verdicts;
  name: string; answer: AnswerResult }): Promise<void> {
  const { verdicts, name, answer } = of;
  const counts = { settled: 0, rejected: 0, changed: 0, paid_anyway: 0, disputed: 0, failed: 0 };
  for (const payment of of.payments) {
    const verdict = verdicts.get(payment.id);
    if (!verdict) continue;
    const named = { run_id: run.id, run: run.number, payment_id: payment.id, payment: payment.number,
      payee: payment.party_name };
    const { done: outcome, refusal } = await alone(ctx, () => takeVerdict(ctx, run, payment, { verdict, name }));
    if (refusal !== null) {
      answer.failed.push({ ...named, message: refusal });
      counts.failed += 1;
    } else if (outcome === null) answer.known += 1;
    else {
      answer.payments.push({ ...named, outcome });
      answer[outcome] += 1;
      counts[outcome] += 1;
    }
  }
  const whole = [...verdicts.values()].find((one) => one.outcome === 'rejected' && one.of === 'file');
  if (whole && counts.rejected > 0) await tellOfFile(ctx, run, counts.rejected, whole.reason);
  if (counts.settled + counts.rejected + counts.paid_anyway > 0) await closeStep(ctx, run, whole?.reason ?? ALL_BACK);
  await auditRun(ctx, run, { action: 'answer', after: { file: name, ...counts } });
}

type Outcome = typeof ANSWER_OUTCOMES[number];
/** Answers what it changed; null where that is known. */
async function takeVerdict(ctx: WorkContext, run: Run, payment: Payment, of: { verdict: Verdict; name: string }):
Promise<Outcome | null> {
  const { verdict } = of;
  const yes = async (outcome: Outcome, done: Promise<boolean>) => (await done ? outcome : null);
  switch (verdict.outcome) {
    case 'settled': return payment.status === 'void'
      ? yes('paid_anyway', keepPaidAnyway(ctx, run, payment, { on: verdict.on, file: of.name }))
      : yes('settled', settlePayment(ctx, run, payment, verdict.on));
    case 'rejected': return yes('rejected', rejectPayment(ctx, run, payment, verdict));
    case 'notice': return verdict.notice ? yes('changed', takeNotice(ctx, run, payment, verdict.notice)) : null;
    case 'dispute':
      await tell(ctx, run, payment, `The banks dispute the return of ${payment.number}`,
        `${verdict.reason}. Nothing was entered: ask the bank whether the money is yours.`);
      return 'disputed';
  }
}

async function takeNotice(ctx: WorkContext, run: Run, payment: Payment, notice: Notice): Promise<boolean> {
  const { version } = await ctx.db.one<{ version: number | null }>(sql`
    select payee_version as version from payments where id = ${payment.id}`);
  return keepCorrection(ctx, { party_type: payment.party_type, party_id: payment.party_id, payee: payment.party_name,
    division: run.division, version: version ?? 0, notice, payment_id: payment.id, ach_prenote_id: null,
    tell: run.created_by_id });
}

/** Behind a savepoint: what a rule refuses leaves nothing, and the other payments stay. */
async function alone<Done>(ctx: WorkContext, work: () => Promise<Done>):
Promise<{ done: Done; refusal: null } | { done: null; refusal: string }> {
  await ctx.db.exec(sql`savepoint bank_answer`);
  try {
    const done = await work();
    await ctx.db.exec(sql`release savepoint bank_answer`);
    return { done, refusal: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await ctx.db.exec(sql`rollback to savepoint bank_answer`);
    return { done: null, refusal: error.message };
  }
}
