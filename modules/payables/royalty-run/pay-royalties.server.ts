/** The posting of payments to royaltors: a whole run on its value date, or one check when it is printed. */
import { conflict } from '#kit/errors.ts';
import { payEach, readBatch, refuseHeldOutOf, returnPayment, sumBatch }
  from '#modules/royalties/royalties.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import type { Run } from '../run/run-store.server.ts';

/** Amounts are those of the file; without one they are converted at the rates of the day. */
export async function payRoyalties(ctx: WorkContext, run: Run): Promise<void> {
  const batch = await readBatch(ctx, run.royalty_payment_batch_id!);
  if (run.file_name === null) await refuseHeldOutOf(ctx, batch);
  await payEach(ctx, { ...batch, pay_on: run.value_on }, { isFixed: run.file_name !== null });
  await sumBatch(ctx.db, batch.id);
}

/** The batch that the payment belongs to; null for payments to others. */
export async function royaltyBatchOf(ctx: Pick<WorkContext, 'db'>, paymentId: number): Promise<number | null> {
  return (await ctx.db.maybeOne<{ id: number | null }>(sql`
    select royalty_payment_batch_id as id from payments where id = ${paymentId}`))?.id ?? null;
}

/** A check: posted with the day on it and the amount that it says. 409 where its run is not approved. */
export async function payRoyaltyCheck(ctx: WorkContext, batchId: number, paymentId: number, on: string):
Promise<{ transaction_id: number }> {
  await ctx.db.query(sql`select 1 from payment_runs where royalty_payment_batch_id = ${batchId} for update`);
  const batch = await readBatch(ctx, batchId);
  if (batch.status !== 'approved' || batch.method !== 'check') {
    throw conflict('payment.in_run', `The payment waits for batch ${batch.number}.`);
  }
  await refuseFutureMoney(ctx, { division: batch.division, on, field: 'on' });
  await payEach(ctx, { ...batch, pay_on: on }, { only: paymentId, isFixed: true });
  return ctx.db.one<{ transaction_id: number }>(sql`select transaction_id from payments where id = ${paymentId}`);
}

/** A check that is voided, or a payment that a person takes back. */
export function voidRoyaltyPayment(ctx: WorkContext, batchId: number, paymentId: number, of: { on: string;
  reason: string }): Promise<void> {
  return returnPayment(ctx, batchId, paymentId, { returned_on: of.on, reason: of.reason, as: 'reversed' });
}
