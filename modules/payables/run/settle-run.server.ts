/** Steps after the export: the posting on the value date, and what the bank did with each payment. */
import { codesOf, doubtsAccount } from '#kernel/payment-files/account-reasons.ts';
import type { Division } from '#kernel/money/division.ts';
import { AppError, invalidField, refuse } from '#kit/errors.ts';
import { reversalDay } from '#modules/banking/banking.public.server.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { changeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import { releasePayments, returnPayment } from '#modules/royalties/royalties.public.server.ts';
import { actorWhoAsked, SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { divisionDay } from '#server/division-day.ts';
import { sql } from '#server/sql.ts';
import { returnDisbursement, voidDisbursement } from '../disbursement/disbursement.server.ts';
import { postDisbursement } from '../disbursement/post-disbursement.server.ts';
import { doubtPayee } from '../payee/doubt-payee.server.ts';
import { isRoyalty } from './run-batch.server.ts';
import { payRoyalties } from '../royalty-run/pay-royalties.server.ts';
import type { Verdict } from './read-answer.server.ts';
import { keepExit } from './run-exits.server.ts';
import { auditRun, lockRun, readRun, runPayments, type Run } from './run-store.server.ts';

export type Payment = Awaited<ReturnType<typeof runPayments>>[number] & { bank_reference: string };

export async function paymentsOf(ctx: WorkContext, run: Run): Promise<Payment[]> {
  await ctx.db.query(sql`select 1 from payments where payment_run_id = ${run.id} or id in (select payment_id
    from payment_run_exits where payment_run_id = ${run.id}) order by id for update`);
  const references = new Map((await ctx.db.query<{ id: number; bank_reference: string }>(sql`
    select distinct on (x.payment_id) x.payment_id as id, x.bank_reference from payment_run_exits x
      join payments p on p.id = x.payment_id and (p.payment_run_id is distinct from ${run.id} or p.bank_reference = '')
    where x.payment_run_id = ${run.id} order by x.payment_id, x.id desc`))
    .concat(await ctx.db.query<{ id: number; bank_reference: string }>(sql`
      select id, bank_reference from payments where payment_run_id = ${run.id} and bank_reference <> ''`))
    .map((row) => [row.id, row.bank_reference]));
  return (await runPayments(ctx, run.id)).map((one) => ({ ...one, bank_reference: references.get(one.id) ?? '' }));
}

/** Posts what is exported and due: `post-payment-runs` of apps/server/src/jobs.ts. Answers how many runs it posted. */
export async function postPaymentRuns(ports: Ports): Promise<number> {
  const due = await ports.db.query<{ id: number; exported_by_id: number | null }>(sql`
    select t.id, coalesce(t.exported_by_id, t.approved_by_id) as exported_by_id from payment_runs t
    where (t.status = 'exported' and t.value_on <= ${divisionDay(ports.clock.now(), sql`t.division`)})
      or (t.status = 'approved' and t.method = 'check' and not exists (select 1 from payments p
        where p.payment_run_id = t.id and p.status in ('draft', 'approved')))
    order by t.value_on, t.id`);
  const { done } = await runEach(ports, { job: 'post-payment-runs', items: due,
    facts: ({ id }) => ({ payment_run: id }) }, async ({ id, exported_by_id }) => {
    try {
      return await ports.db.tx(async (tx) => postRun(workContext(ports, tx,
        await actorWhoAsked(tx, exported_by_id, { entity: 'payment_run', entity_id: id })), id)) ? 1 : 0;
    } catch (error) {
      const failure = error instanceof AppError ? error.message : 'Something went wrong. We try again every hour.';
      await ports.db.tx((tx) => keepFailure(workContext(ports, tx, SYSTEM_ACTOR), id, failure.slice(0, 1000)));
      throw error;
    }
  });
  return done;
}

/** The job tries again each hour; staff are told once a day for as long as it fails. */
async function keepFailure(ctx: WorkContext, id: number, failure: string): Promise<void> {
  const [run] = await ctx.db.query<{ number: string; division: Division; created_by_id: number | null;
    exported_by_id: number | null }>(sql`
    update payment_runs set failure = ${failure} where id = ${id} and status <> 'posted'
    returning number, division, created_by_id, exported_by_id`);
  if (!run) return;
  await notifyStaff(ctx, { kind: 'payment.not_posted', to: [run.created_by_id, run.exported_by_id], body: failure,
    title: `Payment run ${run.number} could not be posted`, href: `/admin/accounts-payable/payment-runs/${id}`,
    key: `payment.not_posted/${id}/${await ctx.today(run.division)}` });
}

/** All of its payments, or none; false where somebody else was faster. */
export async function postRun(ctx: WorkContext, id: number): Promise<boolean> {
  await ctx.db.query(sql`select 1 from payment_runs where id = ${id} for update`);
  const run = await readRun(ctx, id);
  if (run.status !== 'exported' && !(run.status === 'approved' && run.method === 'check')) return false;
  if (run.status === 'exported' && (await runPayments(ctx, id)).every((one) => one.status === 'void')) {
    await closeStep(ctx, run, 'Every payment was taken out');
    return false;
  }
  if (run.royalty_payment_batch_id !== null) await payRoyalties(ctx, run);
  for (const payment of await paymentsOf(ctx, run)) {
    if (!isRoyalty(payment) && payment.status !== 'approved') continue;
    if (!isRoyalty(payment)) await postDisbursement(ctx, payment.id, run.value_on);
    if (payment.outcome === 'settled') await changeOutgoing(ctx, payment.id, { status: 'cleared' });
  }
  await ctx.db.exec(sql`
    update payment_runs set status = 'posted', posted_at = ${ctx.now().toISOString()}, failure = null,
      version = version + 1 where id = ${id}`);
  await auditRun(ctx, run, { action: 'post', after: { on: run.value_on }, batch: 'pay' });
  return true;
}

/** Nothing is posted: the money has left, and the bank says so. */
export async function settlePayment(ctx: WorkContext, run: Run, payment: Payment, on: string | null): Promise<boolean> {
  if (payment.outcome !== null || !['approved', 'posted'].includes(payment.status)) return false;
  await changeOutgoing(ctx, payment.id, { outcome: 'settled', outcome_on: on ?? await ctx.today(run.division),
    ...(payment.status === 'posted' ? { status: 'cleared' } : {}) });
  return true;
}

/** Payable again, its bank details to be confirmed, and somebody is told. */
export async function rejectPayment(ctx: WorkContext, run: Run, payment: Payment, of: Omit<Verdict, 'outcome'>
  & { by_hand?: true }): Promise<boolean> {
  if (!['approved', 'posted', 'cleared'].includes(payment.status)) return false;
  const today = await ctx.today(run.division);
  const doubted = run.method !== 'check' && doubtsAccount(of.codes, of.of);
  await keepExit(ctx, run, payment.id, { outcome: 'rejected', on: of.on ?? today, reason: of.reason,
    doubted });
  const batch = isRoyalty(payment) ? run.royalty_payment_batch_id : null;
  if (payment.status === 'approved' && batch !== null) {
    await releasePayments(ctx, batch, { ids: [payment.id], on: today, reason: of.reason, outcome: 'rejected' });
  } else if (payment.status === 'approved') {
    const own = await ctx.db.query(sql`select 1 from payment_parts where payment_id = ${payment.id} limit 1`);
    if (own.length === 0) await changeOutgoing(ctx, payment.id, { payment_run_id: null, bank_reference: '' });
    else {
      await voidDisbursement(ctx, payment.id, today, of.reason);
      await changeOutgoing(ctx, payment.id, { outcome: 'rejected' });
    }
  } else {
    const day = of.on !== null && of.on <= today && of.on >= run.value_on ? of.on : today;
    // A person who chose a closed day is refused at the field; the bank cannot be asked for another one.
    const on = of.by_hand ? day : await reversalDay(ctx, run.division, day);
    if (batch === null) await returnDisbursement(ctx, payment.id, on, of.reason);
    else await returnPayment(ctx, batch, payment.id, { returned_on: on, reason: of.reason });
  }
  if (doubted) await doubtPayee(ctx, payment);
  if (of.of === 'payment') await tellReturn(ctx, run, payment, of.reason);
  return true;
}

/** Notifies the run's creator; no more payments to these bank details until a person has confirmed them. */
export async function doubtPayment(ctx: WorkContext, run: Run, payment: Payment, reason: string): Promise<void> {
  if (run.method !== 'check' && doubtsAccount(codesOf(reason), 'payment')) await doubtPayee(ctx, payment);
  await tellReturn(ctx, run, payment, reason);
}

const tellReturn = (ctx: WorkContext, run: Run, payment: Payment, reason: string): Promise<number> =>
  tell(ctx, run, payment, `Payment ${payment.number} to ${payment.party_name} came back`, reason);

/** One notice for all of them. */
export const tellOfFile = (ctx: WorkContext, run: Run, count: number, reason: string): Promise<number> =>
  notifyStaff(ctx, { kind: 'payment.returned', to: [run.created_by_id], title: `The bank rejected ${run.number}`,
    body: `${reason}. ${count === 1 ? '1 payment is' : `${count} payments are`} payable again.`,
    href: `/admin/accounts-payable/payment-runs/${run.id}`,
    key: `payment.file_refused/${run.id}/${reason.slice(0, 40)}` });

export const tell = (ctx: WorkContext, run: Run, payment: Payment, title: string, body: string): Promise<number> =>
  notifyStaff(ctx, { kind: 'payment.returned', to: [run.created_by_id], title, body,
    href: `/admin/accounts-payable/payment-runs/${run.id}`,
    key: `payment.returned/${payment.id}/${body.slice(0, 40)}` });

/** Records by hand a rejection that the bank reported on paper or on screen. */
export async function rejectByHand(ctx: WorkContext, id: number, paymentId: number, of: {
  version: number; on: string; reason: string;
}): Promise<void> {
  const run = await lockRun(ctx, id, 'reject', of.version);
  const payment = (await paymentsOf(ctx, run)).find((one) => one.id === paymentId);
  if (!payment) throw refuse('not_found');
  if (of.on > await ctx.today(run.division)) throw invalidField('on', 'Enter today or an earlier date');
  const verdict = { ...of, codes: codesOf(of.reason), of: 'payment', by_hand: true } as const;
  if (!await rejectPayment(ctx, run, payment, verdict)) {
    throw invalidField('on', 'This payment is not on its way: nothing can come back');
  }
  await closeStep(ctx, run, ALL_BACK);
}

/** One step for all that the bank has not settled; of the file, so no account is doubted without a reason for it. */
export async function refuseFile(ctx: WorkContext, id: number, of: { version: number; on: string; reason: string }):
Promise<void> {
  const run = await lockRun(ctx, id, 'refuse', of.version);
  if (of.on > await ctx.today(run.division)) throw invalidField('on', 'Enter today or an earlier date');
  const verdict = { on: of.on, reason: of.reason, codes: codesOf(of.reason), of: 'file', by_hand: true } as const;
  let count = 0;
  for (const payment of await paymentsOf(ctx, run)) {
    if (payment.outcome === 'settled') continue;
    if (await rejectPayment(ctx, run, payment, verdict)) count += 1;
  }
  if (count === 0) throw invalidField('reason', 'The bank has settled all of it, or nothing is left in it');
  await tellOfFile(ctx, run, count, of.reason);
  await closeStep(ctx, run, of.reason);
  await auditRun(ctx, run, { action: 'refuse_file', after: { on: of.on, reason: of.reason, count } });
}

export const ALL_BACK = 'The bank rejected every payment';

/** A run that the bank has and in which nothing is left pays nothing: it is never posted. */
export async function closeStep(ctx: WorkContext, run: Run, reason: string): Promise<void> {
  const isEmpty = run.status === 'exported' && (await runPayments(ctx, run.id)).every((one) => one.status === 'void');
  await ctx.db.exec(sql`
    update payment_runs set version = version + 1 ${isEmpty
      ? sql`, status = 'void', failure = null, void_reason = ${reason}` : sql``}
    where id = ${run.id}`);
}
