/**
 * Payments that left a run: taken out, refused or returned. The bank may pay all the same what was taken out too late;
 * its payee is then held out of every payment until a person has decided.
 */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { reversalDay } from '#modules/banking/banking.public.server.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { changeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postDisbursement } from '../disbursement/post-disbursement.server.ts';
import { isRoyalty } from './run-batch.server.ts';
import { auditRun, lockRun, runPayments, type Run } from './run-store.server.ts';

type Payment = Awaited<ReturnType<typeof runPayments>>[number];

/** Before its parts are released. The caller has locked the run. */
export async function keepExit(ctx: WorkContext, run: Run, paymentId: number, of: {
  outcome: 'rejected' | 'cancelled'; on: string; reason: string; doubted: boolean;
}): Promise<void> {
  await ctx.db.exec(sql`
    insert into payment_run_exits (payment_run_id, payment_id, amount_minor, payee_last4, part_ids, bank_reference,
      is_sent, outcome, outcome_on, reason, doubted, created_by_id)
    select ${run.id}, p.id, p.amount_minor, p.payee_last4, coalesce((select array_agg(x.id order by x.id)
        from payment_parts x where x.payment_id = p.id and x.state <> 'released'), '{}'), p.bank_reference,
      ${run.status === 'exported' || run.status === 'posted'}, ${of.outcome}, ${of.on}, ${of.reason}, ${of.doubted},
      ${ctx.actor.actor_id}
    from payments p where p.id = ${paymentId}`);
  await ctx.audit({ action: 'leave_run', entity: 'payment', entity_id: paymentId,
    after: { run: run.number, outcome: of.outcome, on: of.on, reason: of.reason } });
}

/** The bank paid what had been taken out: its payee is held out, and staff are told. false where that is known. */
export async function keepPaidAnyway(ctx: WorkContext, run: Run, payment: Payment, of: { on: string | null;
  file: string }): Promise<boolean> {
  const on = of.on ?? await ctx.today(run.division);
  const kept = await ctx.db.query(sql`
    update payment_run_exits set paid_on = ${on}, paid_named_in = ${of.file.slice(0, 200)}
    where id = ${payment.exit_id} and is_sent and paid_on is null returning id`);
  if (kept.length === 0) return false;
  await ctx.audit({ action: 'paid_although_out', entity: 'payment', entity_id: payment.id,
    after: { run: run.number, on, file: of.file } });
  await notifyStaff(ctx, { kind: 'payment.returned', title: `The bank paid ${payment.number} to ${payment.party_name}`,
    body: `It was taken out of ${run.number}. ${of.file} says that it was paid. Nobody pays ${payment.party_name} `
      + 'until it is decided.', href: `/admin/accounts-payable/payment-runs/${run.id}`,
    key: `payment.paid_although_out/${payment.exit_id}` });
  return true;
}

interface Exit { id: number; part_ids: number[]; bank_reference: string; paid_on: string }

/** The bank paid it: the payment stands again. It did not, or the money is back: the payee is payable again. */
export async function decideExit(ctx: WorkContext, runId: number, paymentId: number, body: {
  version: number; decision: 'paid' | 'not_paid'; reason: string;
}): Promise<void> {
  const run = await lockRun(ctx, runId, 'decide', body.version);
  const payment = (await runPayments(ctx, runId)).find((one) => one.id === paymentId);
  const exit = await ctx.db.maybeOne<Exit>(sql`
    select id, part_ids, bank_reference, paid_on from payment_run_exits
    where payment_run_id = ${runId} and payment_id = ${paymentId} and paid_on is not null and decision is null`);
  if (!payment || !exit) throw refuse('not_found');
  await ctx.db.exec(sql`
    update payment_run_exits set decision = ${body.decision}, decision_reason = ${body.reason},
      decided_by_id = ${ctx.actor.actor_id}, decided_at = ${ctx.now().toISOString()} where id = ${exit.id}`);
  if (body.decision === 'paid') await takeBackIn(ctx, run, payment, exit);
  await ctx.db.exec(sql`update payment_runs set version = version + 1 where id = ${runId}`);
  await auditRun(ctx, run, { action: 'decide_payment', after: { payment: payment.number, decision: body.decision,
    reason: body.reason } });
}

/** Reserves again what the payment settles; posted with its run, or now where the run is posted. */
async function takeBackIn(ctx: WorkContext, run: Run, payment: Payment, exit: Exit): Promise<void> {
  if (isRoyalty(payment)) {
    throw invalidField('decision', 'Its statement or advance is free. Close this, then pay it by a batch that was '
      + 'entered at the bank by hand');
  }
  await reserveAgain(ctx, payment, exit);
  await changeOutgoing(ctx, payment.id, { status: 'approved', outcome: 'settled', outcome_on: exit.paid_on,
    reversal_reason: null, payment_run_id: run.id, bank_reference: exit.bank_reference });
  if (run.status === 'void') {
    await ctx.db.exec(sql`update payment_runs set status = 'exported', void_reason = null where id = ${run.id}`);
  }
  if (run.status !== 'posted') return;
  const day = exit.paid_on < run.value_on ? run.value_on : exit.paid_on;
  await postDisbursement(ctx, payment.id, await reversalDay(ctx, run.division, day));
  await changeOutgoing(ctx, payment.id, { status: 'cleared' });
}

/** 409 where another payment has taken it meanwhile. */
async function reserveAgain(ctx: WorkContext, payment: Payment, exit: Exit): Promise<void> {
  const taken = (): Error => conflict('payment.item_taken', `Another payment to ${payment.party_name} has what this `
    + 'one paid. Withdraw that payment first, or record that it was paid twice.');
  await ctx.db.query(sql`select 1 from payments where id = ${payment.id} for update`);
  const own = await ctx.db.one<{ status: string; payment_run_id: number | null }>(sql`
    select status, payment_run_id from payments where id = ${payment.id}`);
  if (exit.part_ids.length === 0) {
    if (own.status !== 'approved' || own.payment_run_id !== null) throw taken();
    return;
  }
  await ctx.db.query(sql`select lock_payable_items(array(select open_item_id from payment_parts
    where id = any (${exit.part_ids}::bigint[])))`);
  const short = await ctx.db.query(sql`
    select 1 from payment_parts x left join payable_items i on i.id = x.open_item_id
    where x.id = any (${exit.part_ids}::bigint[])
      and abs(coalesce(i.free_minor, 0)) < abs(x.amount_minor) + x.discount_minor`);
  if (short.length > 0) throw taken();
  await ctx.db.exec(sql`
    update payment_parts set state = 'reserved' where id = any (${exit.part_ids}::bigint[]) and state = 'released'`);
}
