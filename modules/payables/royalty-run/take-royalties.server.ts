/** Royalties in a general run: a batch made with it, whose payments leave with those of the vendors and customers. */
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { changeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import { makeBatch, voidBatch } from '#modules/royalties/royalties.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { RunAccount } from '../run/propose-run.server.ts';

interface Chosen { value_on: string; statement_ids: readonly number[]; advance_ids: readonly number[] }

/** One payment for each payee. 409 where a statement or an advance is in another run or batch. */
export async function takeRoyalties(ctx: WorkContext, of: RunAccount & { run_id: number; batch_id: number | null;
  method: PayoutMethod }, { value_on, statement_ids, advance_ids }: Chosen): Promise<void> {
  if (statement_ids.length + advance_ids.length === 0) return leaveRoyalties(ctx, of);
  const { batch_id } = await makeBatch(ctx, { division: of.division, currency: of.currency, bank_account_id: of.id,
    method: of.method, pay_on: value_on, statement_ids, advance_ids }, { batch_id: of.batch_id });
  await ctx.db.exec(sql`update payment_runs set royalty_payment_batch_id = ${batch_id} where id = ${of.run_id}`);
  const payments = await ctx.db.query<{ id: number }>(sql`
    select id from payments where royalty_payment_batch_id = ${batch_id} and payment_run_id is null order by id`);
  for (const payment of payments) await changeOutgoing(ctx, payment.id, { payment_run_id: of.run_id });
}

/** A run that pays no royalties any more lets go of the batch that it had. */
async function leaveRoyalties(ctx: WorkContext, of: { run_id: number; batch_id: number | null }): Promise<void> {
  if (of.batch_id === null) return;
  const payments = await ctx.db.query<{ id: number }>(sql`
    select id from payments where royalty_payment_batch_id = ${of.batch_id} order by id`);
  for (const payment of payments) await changeOutgoing(ctx, payment.id, { payment_run_id: null });
  await ctx.db.exec(sql`update payment_runs set royalty_payment_batch_id = null where id = ${of.run_id}`);
  await voidBatch(ctx, of.batch_id);
}
