/** Events of a batch, and the reversal of its payments (accounting.md 2.2, event 14d). Its run changes its state. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import type { PayingAccount } from '#kernel/receivables/payout-methods.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import { reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import { changeOutgoing, voidOutgoing } from '#modules/receivables/receivables.public.server.ts';
import { sumBatch } from './convert-payment.server.ts';
import { refuseHeldOut } from './make-batch.server.ts';
import type { Batch } from './pay-batch.server.ts';
import { returnAdvances } from './return-advance.server.ts';

/** Events allowed in each state; the buttons read this. */
const EVENTS: Record<string, readonly string[]> = {
  draft: ['approve', 'cancel'], approved: ['pay', 'cancel'], scheduled: ['pay', 'cancel'], posted: ['return'], void: [],
};

type Stand = Pick<Batch, 'number' | 'status' | 'method' | 'file_name' | 'payment_run_number'>;
/** A run that pays bills as well has a number of its own. */
const isInGeneralRun = (batch: Stand): boolean =>
  batch.payment_run_number !== null && batch.payment_run_number !== batch.number;

/**
 * Checks are paid by printing them; what the bank has a file of is recalled there, payment by payment. A batch in a
 * general run is decided with the run.
 */
export function batchEvents(batch: Stand): readonly string[] {
  return (EVENTS[batch.status] ?? []).filter((event) => !(event !== 'return' && isInGeneralRun(batch))
    && !(event === 'pay' && batch.method === 'check' && batch.status === 'approved')
    && !(event === 'cancel' && batch.status === 'scheduled' && batch.file_name !== null));
}

/** A batch with its run, which the caller has locked. */
export async function readBatch(ctx: Pick<WorkContext, 'db'>, id: number): Promise<Batch> {
  const batch = await ctx.db.maybeOne<Batch>(sql`
    select b.id, b.number, b.status, b.version, b.updated_at, b.created_by_id, b.division, b.currency, b.pay_on,
      b.method, d.home_country, n.id as run_id, n.number as payment_run_number, n.file_name
    from royalty_payment_batches b join divisions d on d.code = b.division
      left join payment_runs n on n.royalty_payment_batch_id = b.id where b.id = ${id}`);
  if (!batch) throw refuse('not_found');
  return batch;
}

/** 409 where the state does not allow the event, or the batch is not the one that the person saw. */
export function refuseBatchEvent(batch: Batch, event: string, version: number | null): void {
  const allowed = batchEvents(batch);
  if (!allowed.includes(event)) {
    if (isInGeneralRun(batch) && event !== 'return') {
      throw conflict('royalty_payment_batch.status_conflict',
        `Batch ${batch.number} is part of payment run ${batch.payment_run_number}. Continue there.`, { allowed });
    }
    const words: Record<string, string> = { approve: 'approved', pay: 'paid', cancel: 'cancelled', return: 'returned' };
    throw conflict('royalty_payment_batch.status_conflict', event === 'pay' && batch.method === 'check'
      ? `Batch ${batch.number} is paid by printing its checks.`
      : `Batch ${batch.number} is ${batch.status}, so it cannot be ${words[event] ?? event}.`, { allowed });
  }
  if (version !== null && batch.version !== version) throw stale(batch);
}

/** 409 where one of the payees who wait cannot be paid. */
export async function refuseHeldOutOf(ctx: WorkContext, batch: PayingAccount & Pick<Batch, 'id' | 'method'>):
Promise<void> {
  const rows = await ctx.db.query<{ id: number }>(sql`
    select royaltor_id as id from payments where royalty_payment_batch_id = ${batch.id}
      and status in ('draft', 'approved')`);
  await refuseHeldOut(ctx, batch, rows.map((row) => row.id));
}

/** Payments that have not left, all of them or some; their statements and advances are free for another batch. */
export async function releasePayments(ctx: WorkContext, batchId: number, of: {
  ids: readonly number[] | null; on: string; reason: string; outcome: 'rejected' | 'cancelled';
}): Promise<void> {
  const chosen = sql`royalty_payment_batch_id = ${batchId} and status in ('draft', 'approved')
    and (${of.ids}::bigint[] is null or id = any (${of.ids}::bigint[]))`;
  const held = await ctx.db.query<{ id: number }>(sql`
    select id from payments where ${chosen} order by id for update`);
  await ctx.db.exec(sql`
    update royalty_advances set payment_id = null, version = version + 1
    where status = 'scheduled' and payment_id in (select id from payments where ${chosen})`);
  await voidOutgoing(ctx, held.map(({ id }) => id), of);
  await sumBatch(ctx.db, batchId);
}

/** Event 14d: the bank sent a payment back. The posting is mirrored, statements and advances are payable again. */
export async function returnPayment(
  ctx: WorkContext, batchId: number, paymentId: number,
  input: { returned_on: string; reason: string; as?: 'returned' | 'reversed' },
): Promise<void> {
  const as = input.as ?? 'returned';
  const batch = await readBatch(ctx, batchId);
  await ctx.db.query(sql`select 1 from payments where id = ${paymentId} for update`);
  const payment = await ctx.db.maybeOne<{ id: number; status: string; paid_on: string; transaction_id: number }>(sql`
    select id, status, paid_on, transaction_id from payments
    where id = ${paymentId} and royalty_payment_batch_id = ${batchId}`);
  if (!payment) throw refuse('not_found');
  await refuseReturnDay(ctx, batch, payment, input.returned_on);
  if (payment.status !== 'posted' && payment.status !== 'cleared') {
    throw conflict('royalty_payment.status_conflict', `This payment is ${payment.status}.`, { allowed: [] });
  }
  const reversal = await reversePostings(ctx, payment, input);
  await changeOutgoing(ctx, paymentId, { status: as, returned_on: input.returned_on,
    reversal_transaction_id: reversal, reversal_reason: input.reason,
    outcome: as === 'returned' ? 'rejected' : 'cancelled', outcome_on: input.returned_on });
  await ctx.db.exec(sql`
    update royalty_statements m set paid_minor = m.paid_minor - x.paid_minor,
      status = case when m.paid_minor > x.paid_minor then m.status else 'issued' end,
      withheld_minor = m.withheld_minor - x.wht_minor, version = m.version + 1
    from royalty_payment_statements x where x.payment_id = ${paymentId} and m.id = x.royalty_statement_id
      and m.status = 'paid' and x.wht_base_minor > 0`);
  await ctx.db.exec(sql`
    update royalty_statements m set
      carried_minor = m.carried_minor + case when x.wht_base_minor > 0 then c.carried_functional_minor else 0 end,
      agent_carried_minor = m.agent_carried_minor
        + case when x.wht_base_minor > 0 then 0 else c.carried_functional_minor end
    from royalty_payment_statements x join royalty_payment_conversions c on c.payment_id = x.payment_id
      and c.royalty_statement_id = x.royalty_statement_id
    where x.payment_id = ${paymentId} and m.id = x.royalty_statement_id`);
  await returnAdvances(ctx, paymentId, input.returned_on);
  await ctx.audit({ action: as === 'returned' ? 'return' : 'void', entity: 'payment', entity_id: paymentId,
    after: { returned_on: input.returned_on, reason: input.reason } });
}

async function refuseReturnDay(
  ctx: WorkContext, batch: Pick<Batch, 'division'>, { paid_on }: { paid_on: string }, on: string,
): Promise<void> {
  const today = await ctx.today(batch.division);
  if (on > today) throw invalidField('returned_on', `Enter ${dateInWords(today)} or earlier`);
  if (on < paid_on) throw invalidField('returned_on', `Enter ${dateInWords(paid_on)}, the payment date, or later`);
}

/** The payment and, where it was in another currency, the settlement that came with it. Answers the former's mirror. */
async function reversePostings(
  ctx: WorkContext, payment: { id: number; transaction_id: number }, input: { returned_on: string; reason: string },
): Promise<number> {
  const exchange = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from transactions where source_type = 'payment' and source_id = ${payment.id}
      and source_event = 'paid_exchange' and status = 'posted'`);
  const mirrored: number[] = [];
  for (const transaction_id of [payment.transaction_id, ...(exchange ? [exchange.id] : [])]) {
    const reversal = await reverseTransaction(ctx.db, { transaction_id, transaction_at: input.returned_on,
      reason: input.reason, actor_id: ctx.actor.actor_id, document: { type: 'payment', id: payment.id } });
    mirrored.push(reversal.transaction_id);
  }
  return mirrored[0]!;
}

/** A batch whose payments were all released, and which no run pays. */
export async function voidBatch(ctx: WorkContext, id: number): Promise<void> {
  await ctx.db.exec(sql`
    update royalty_payment_batches set status = 'void', version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'cancel', entity: 'royalty_payment_batch', entity_id: id });
}
