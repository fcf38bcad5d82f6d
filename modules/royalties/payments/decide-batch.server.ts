/** Approve, pay, cancel, take back: a batch moves once, by two people (accounting.md 2.2, events 12, 14 and 14d). */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import { reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import { sumBatch } from './convert-payment.server.ts';
import { refuseHeldOut } from './make-batch.server.ts';
import { payEach, type Batch } from './pay-batch.server.ts';

/** What every state allows; the buttons read this. */
export const BATCH_EVENTS: Record<string, readonly string[]> = {
  draft: ['approve', 'cancel'], approved: ['pay', 'cancel'], scheduled: ['pay', 'cancel'], posted: ['return'], void: [],
};

async function lockBatch(ctx: WorkContext, id: number, event: string, version: number | null): Promise<Batch> {
  const batch = await ctx.db.maybeOne<Batch>(sql`
    select b.id, b.number, b.status, b.version, b.updated_at, b.created_by_id, b.division, b.currency, b.pay_on,
      b.method, d.home_country
    from royalty_payment_batches b join divisions d on d.code = b.division where b.id = ${id} for update of b`);
  if (!batch) throw refuse('not_found');
  const allowed = BATCH_EVENTS[batch.status] ?? [];
  if (!allowed.includes(event)) {
    const words: Record<string, string> = { approve: 'approved', pay: 'paid', cancel: 'cancelled', return: 'returned' };
    throw conflict('royalty_payment_batch.status_conflict',
      `Batch ${batch.number} is ${batch.status}, so it cannot be ${words[event] ?? event}.`, { allowed });
  }
  if (version !== null && batch.version !== version) throw stale(batch);
  return batch;
}

/** Another person than who made it: 409 four_eyes. */
export async function approveBatch(ctx: WorkContext, id: number, version: number): Promise<void> {
  const batch = await lockBatch(ctx, id, 'approve', version);
  if (batch.created_by_id !== null && batch.created_by_id === ctx.actor.actor_id) {
    throw refuse('four_eyes', 'Somebody other than the person who made the batch approves it.');
  }
  const now = ctx.now().toISOString();
  await ctx.db.exec(sql`
    update payments set status = 'approved', approved_by_id = ${ctx.actor.actor_id}, approved_at = ${now},
      version = version + 1 where royalty_payment_batch_id = ${id} and status = 'draft'`);
  await ctx.db.exec(sql`
    update royalty_payment_batches set status = 'approved', approved_by_id = ${ctx.actor.actor_id},
      approved_at = ${now}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'approve', entity: 'royalty_payment_batch', entity_id: id });
  await tellMaker(ctx, batch, 'approved', '');
}

/**
 * Paid and posted where its day of payment has come in the division; before that the batch is scheduled, nothing is
 * posted and nothing is paid. A second call finds the batch paid.
 */
export async function payBatch(ctx: WorkContext, id: number, version: number): Promise<void> {
  const batch = await lockBatch(ctx, id, 'pay', version);
  if (batch.pay_on <= await ctx.today(batch.division)) await post(ctx, batch);
  else await schedule(ctx, batch);
}

async function schedule(ctx: WorkContext, batch: Batch): Promise<void> {
  if (batch.status === 'scheduled') {
    throw conflict('royalty_payment_batch.status_conflict',
      `Batch ${batch.number} is scheduled for payment on ${dateInWords(batch.pay_on)}.`, { allowed: ['cancel'] });
  }
  await refuseHeldOut(ctx, batch.method, await payeeIds(ctx, batch));
  await ctx.db.exec(sql`
    update royalty_payment_batches set status = 'scheduled', scheduled_by_id = ${ctx.actor.actor_id},
      scheduled_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${batch.id}`);
  await ctx.audit({ action: 'schedule', entity: 'royalty_payment_batch', entity_id: batch.id,
    after: { pay_on: batch.pay_on } });
}

async function post(ctx: WorkContext, batch: Batch): Promise<void> {
  await refuseHeldOut(ctx, batch.method, await payeeIds(ctx, batch));
  const payments = await payEach(ctx, batch);
  await sumBatch(ctx.db, batch.id);
  await ctx.db.exec(sql`
    update royalty_payment_batches set status = 'posted', posted_at = ${ctx.now().toISOString()}, failure = null,
      version = version + 1 where id = ${batch.id}`);
  await ctx.audit({ action: 'pay', entity: 'royalty_payment_batch', entity_id: batch.id, after: { payments } });
}

async function payeeIds(ctx: WorkContext, batch: Batch): Promise<number[]> {
  const rows = await ctx.db.query<{ id: number }>(sql`
    select royaltor_id as id from payments where royalty_payment_batch_id = ${batch.id} and status = 'approved'`);
  return rows.map((row) => row.id);
}

/** Posts a scheduled batch whose day has come; false where somebody else did, cancelled it, or it is not due yet. */
export async function postScheduled(ctx: WorkContext, id: number): Promise<boolean> {
  await ctx.db.query(sql`select 1 from royalty_payment_batches where id = ${id} for update`);
  const { status, version } = await ctx.db.one<{ status: string; version: number }>(sql`
    select status, version from royalty_payment_batches where id = ${id}`);
  if (status !== 'scheduled') return false;
  const batch = await lockBatch(ctx, id, 'pay', version);
  if (batch.pay_on > await ctx.today(batch.division)) return false;
  await post(ctx, batch);
  return true;
}

/** Until paid; statements and advances are free for another batch. */
export async function cancelBatch(ctx: WorkContext, id: number, version: number, reason: string): Promise<void> {
  const batch = await lockBatch(ctx, id, 'cancel', version);
  await ctx.db.exec(sql`
    update royalty_advances set payment_id = null, version = version + 1 where status = 'scheduled' and payment_id in
      (select id from payments where royalty_payment_batch_id = ${id})`);
  await ctx.db.exec(sql`
    update payments set status = 'void', version = version + 1 where royalty_payment_batch_id = ${id}
      and status in ('draft', 'approved')`);
  await ctx.db.exec(sql`
    update royalty_payment_batches set status = 'void', version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'cancel', entity: 'royalty_payment_batch', entity_id: id, after: { reason } });
  await tellMaker(ctx, batch, batch.status === 'draft' ? 'declined' : 'cancelled', reason);
}

async function tellMaker(ctx: WorkContext, batch: Batch, decision: string, reason: string): Promise<void> {
  await notifyAsker(ctx, batch.created_by_id, { title: `Payment batch ${batch.number} ${decision}`, body: reason,
    href: `/admin/accounts-payable/royalty-payments/${batch.id}` });
}

/** Event 14d: the bank sent a payment back. The posting is mirrored, the statements are payable again. */
export async function returnPayment(
  ctx: WorkContext, batchId: number, paymentId: number, input: { returned_on: string; reason: string },
): Promise<void> {
  const batch = await lockBatch(ctx, batchId, 'return', null);
  const today = await ctx.today(batch.division);
  if (input.returned_on > today) {
    throw invalidField('returned_on', `Enter ${dateInWords(today)} or earlier`);
  }
  if (input.returned_on < batch.pay_on) {
    throw invalidField('returned_on', `Enter ${dateInWords(batch.pay_on)}, the payment date, or later`);
  }
  const payment = await ctx.db.maybeOne<{ id: number; status: string; transaction_id: number }>(sql`
    select id, status, transaction_id from payments
    where id = ${paymentId} and royalty_payment_batch_id = ${batchId} for update`);
  if (!payment) throw refuse('not_found');
  if (payment.status !== 'posted' && payment.status !== 'cleared') {
    throw conflict('royalty_payment.status_conflict', `This payment is ${payment.status}.`, { allowed: [] });
  }
  const recouped = await ctx.db.query(sql`
    select 1 from royalty_advances where payment_id = ${paymentId} and recouped_minor > 0`);
  if (recouped.length > 0) {
    throw conflict('royalty_advance.in_payment', 'Part of this advance has been recouped on a statement already.');
  }
  const reversal = await reversePostings(ctx, payment, input);
  await ctx.db.exec(sql`
    update payments set status = 'returned', returned_on = ${input.returned_on},
      reversal_transaction_id = ${reversal},
      reversal_reason = ${input.reason}, version = version + 1 where id = ${paymentId}`);
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
  await ctx.db.exec(sql`
    update royalty_advances set status = 'scheduled', paid_on = null, payment_id = null, paid_functional_minor = 0,
      version = version + 1
    where payment_id = ${paymentId}`);
  await ctx.audit({ action: 'return', entity: 'payment', entity_id: paymentId, after: input });
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
