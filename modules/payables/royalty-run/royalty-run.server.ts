/**
 * Batches of payments to royaltors are payment runs. A batch is what the royaltors' pages show of its run; the steps of
 * a batch are those of the run, which is locked first. The database keeps the state of both the same.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { changeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import { makeBatch, readBatch, refuseBatchEvent, refuseHeldOutOf, returnPayment, type Batch, type BatchInput }
  from '#modules/royalties/royalties.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { approveRun, voidRun } from '../run/make-run.server.ts';
import { settlesOn } from '../run/propose-run.server.ts';
import { exportByHand } from '../run/run-file.server.ts';
import { readRun } from '../run/run-store.server.ts';
import { doubtPayment, paymentsOf, postRun } from '../run/settle-run.server.ts';

/** A draft batch with the run that will pay it, for a settlement day of its rail; answers the id of the batch. */
export async function makeRoyaltyRun(ctx: WorkContext, input: BatchInput): Promise<{ batch_id: number }> {
  const { value_on, moved } = await settlesOn(ctx, input.method, input.pay_on, null);
  const { batch_id } = await makeBatch(ctx, { ...input, pay_on: value_on });
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into payment_runs (number, division, currency, bank_account_id, method, due_by, value_on, value_moved,
      created_by_id, royalty_payment_batch_id)
    select b.number, b.division, b.currency, a.id, b.method, b.pay_on, b.pay_on, ${moved},
      b.created_by_id, b.id
    from royalty_payment_batches b join bank_accounts a on a.division = b.division and a.currency = b.currency
      and a.ledger_account_id = (select p.ledger_account_id from payments p where p.royalty_payment_batch_id = b.id
        order by p.id limit 1)
    where b.id = ${batch_id} returning id`);
  const payments = await ctx.db.query<{ id: number }>(sql`
    select id from payments where royalty_payment_batch_id = ${batch_id} order by id`);
  for (const payment of payments) await changeOutgoing(ctx, payment.id, { payment_run_id: id });
  await ctx.audit({ action: 'create', entity: 'payment_run', entity_id: id, after: { batch_id } });
  return { batch_id };
}

/** The run is locked before the batch is read, in a state that allows the event. */
async function lockBatch(ctx: WorkContext, id: number, event: string, version: number | null):
Promise<Batch & { run_id: number }> {
  await ctx.db.query(sql`select 1 from payment_runs where royalty_payment_batch_id = ${id} for update`);
  const batch = await readBatch(ctx, id);
  refuseBatchEvent(batch, event, version);
  if (batch.run_id === null) throw refuse('not_found');
  return { ...batch, run_id: batch.run_id };
}

/** Another person than who made it, and than who changed bank details of its payees: 409 four_eyes. */
export async function approveBatch(ctx: WorkContext, id: number, version: number): Promise<void> {
  const { run_id } = await lockBatch(ctx, id, 'approve', version);
  await approveRun(ctx, run_id, version);
}

/**
 * The bank has the payments, by the file of the run or entered there by hand: paid and posted where the day of payment
 * has come in the division, scheduled before it. A second call finds the batch paid.
 */
export async function payBatch(ctx: WorkContext, id: number, version: number): Promise<void> {
  const batch = await lockBatch(ctx, id, 'pay', version);
  const isDue = batch.pay_on <= await ctx.today(batch.division);
  if (batch.status === 'scheduled' && !isDue) {
    throw conflict('royalty_payment_batch.status_conflict',
      `Batch ${batch.number} is scheduled for payment on ${dateInWords(batch.pay_on)}.`, { allowed: ['cancel'] });
  }
  if (batch.status === 'approved') {
    await refuseHeldOutOf(ctx, batch);
    await exportByHand(ctx, batch.run_id);
  }
  if (isDue) await postRun(ctx, batch.run_id);
}

/** Until it is paid, or the bank has its file; statements and advances are free for another batch. */
export async function cancelBatch(ctx: WorkContext, id: number, version: number, reason: string): Promise<void> {
  const { run_id } = await lockBatch(ctx, id, 'cancel', version);
  await voidRun(ctx, run_id, { version, reason });
}

/** Event 14d: payable again, the person who made the batch is told, and the bank details are confirmed first. */
export async function returnFromBatch(ctx: WorkContext, id: number, paymentId: number, of: { returned_on: string;
  reason: string }): Promise<void> {
  const { run_id } = await lockBatch(ctx, id, 'return', null);
  const run = await readRun(ctx, run_id);
  const payment = (await paymentsOf(ctx, run)).find((one) => one.id === paymentId);
  if (!payment) throw refuse('not_found');
  await returnPayment(ctx, id, paymentId, of);
  await doubtPayment(ctx, run, payment, of.reason);
}
