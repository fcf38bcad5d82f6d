/**
 * Money that came by card or bank debit goes back the same way: the refund waits like any other for a second person,
 * and then for the processor, which alone says that it has been paid (online/processor-refunds.server.ts).
 */
import { conflict, invalidField } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { refundableMinor, type RefundState } from '#kernel/receivables/processor-refund.ts';
import type { WorkContext } from '#server/context.ts';
import { keyOf } from '#server/outside.ts';
import { sql } from '#server/sql.ts';
import { SETTLE_ONLINE_PAYMENTS } from '../online/job-names.ts';
import { takesOnline } from '../online/processor.server.ts';
import type { PaymentDetail, ProcessorRefund } from './payment.contract.ts';

export interface Charge {
  online_payment_id: number;
  division: string;
  customer_id: number;
  currency: string;
  charged_minor: number;
  /** Part of it that can still be refunded to the card. */
  refundable_minor: number;
}

/** The charge that a receipt came from; null: it came another way. */
export async function chargeOf(ctx: Pick<WorkContext, 'db'>, receiptId: number): Promise<Charge | null> {
  const row = await ctx.db.maybeOne<Omit<Charge, 'refundable_minor'>>(sql`
    select id as online_payment_id, division, customer_id, currency, charged_minor from online_payments
    where payment_id = ${receiptId}`);
  if (!row) return null;
  const refunds = await ctx.db.query<{ amount_minor: number; status: RefundState }>(sql`
    select amount_minor, status from processor_refunds where online_payment_id = ${row.online_payment_id}`);
  return { ...row, refundable_minor: Number(refundableMinor(BigInt(row.charged_minor), refunds.map((one) => ({
    amount_minor: BigInt(one.amount_minor), status: one.status })))) };
}

/**
 * The charge that a refund goes back to; null: it leaves a bank account. `by_processor` absent: back to the card where
 * that takes all of it. The receipt is locked by the caller. 422 at `amount_minor` and `by_processor`.
 */
export async function chargeToRefund(ctx: WorkContext, receiptId: number, of: {
  amount_minor: number; by_processor?: boolean | undefined; bank_account_id?: number | null | undefined;
}): Promise<Charge | null> {
  if (of.by_processor === false || (of.by_processor === undefined && of.bank_account_id)) return null;
  const charge = await chargeOf(ctx, receiptId);
  const asked = of.by_processor === true;
  if (!charge || !takesOnline(ctx.ports.settings, charge.division)) {
    if (asked) throw invalidField('by_processor', 'This money did not come by card. Choose the bank account');
    return null;
  }
  if (of.amount_minor <= charge.refundable_minor) return charge;
  if (!asked) return null;
  throw invalidField('amount_minor', `Only ${formatMinor(BigInt(charge.refundable_minor))} can go back to the card`);
}

/** While the bank decides about a disputed payment nobody gives it back: the same money would leave twice. */
export async function refuseDisputed(ctx: WorkContext, of: { receipt_id: number } | { refund_id: number }):
Promise<void> {
  const charge = 'receipt_id' in of ? sql`o.payment_id = ${of.receipt_id}`
    : sql`o.id in (select r.online_payment_id from processor_refunds r where r.payment_id = ${of.refund_id})`;
  const row = await ctx.db.maybeOne<{ dispute_id: string }>(sql`
    select d.dispute_id from processor_disputes d join online_payments o on o.id = d.online_payment_id
    where ${charge} and d.status in ('needs_response', 'under_review') limit 1`);
  if (!row) return;
  throw conflict('payment.disputed', 'The customer disputes this payment with their bank. Refund it after the bank has '
    + 'decided.', { dispute_id: row.dispute_id });
}

/** The newest dispute of a receipt by card. */
export function disputeOfReceipt(ctx: Pick<WorkContext, 'db'>, receiptId: number): Promise<PaymentDetail['dispute']> {
  return ctx.db.maybeOne<NonNullable<PaymentDetail['dispute']>>(sql`
    select d.dispute_id, d.status, d.amount_minor, d.due_at
    from processor_disputes d join online_payments o on o.id = d.online_payment_id
    where o.payment_id = ${receiptId} order by d.id desc limit 1`);
}

/** Status of a refund at the processor; null if it is not paid through it. */
export function refundAtProcessor(ctx: Pick<WorkContext, 'db'>, paymentId: number): Promise<ProcessorRefund | null> {
  return ctx.db.maybeOne<ProcessorRefund>(sql`
    select r.status, r.refund_id, r.origin, r.failure, r.attention, o.is_test, r.sent_at, r.settled_at,
      o.payment_id as receipt_id, p.number as receipt_number
    from processor_refunds r join online_payments o on o.id = r.online_payment_id
      left join payments p on p.id = o.payment_id where r.payment_id = ${paymentId}`);
}

/** The refund at the processor, which waits with its payment. */
export async function askRefund(ctx: WorkContext, charge: Charge, of: { payment_id: number; amount_minor: number }):
Promise<void> {
  const now = ctx.now().toISOString();
  await ctx.db.exec(sql`
    insert into processor_refunds (division, online_payment_id, customer_id, currency, amount_minor, origin, status,
      payment_id, idempotency_key, check_after)
    values (${charge.division}, ${charge.online_payment_id}, ${charge.customer_id}, ${charge.currency},
      ${of.amount_minor}, 'asked', 'waiting', ${of.payment_id},
      ${`gr_refund_${keyOf(charge.division, of.payment_id, charge.online_payment_id, now)}`}, ${now})`);
}

/** Approved: the processor is told as soon as the approval is committed. The payment is locked by the caller. */
export async function sendWhenApproved(ctx: WorkContext, paymentId: number): Promise<void> {
  const sent = await ctx.db.query(sql`
    update processor_refunds set status = 'approved', check_after = ${ctx.now().toISOString()}
    where payment_id = ${paymentId} and status = 'waiting' returning id`);
  if (sent.length > 0) ctx.afterCommit(() => ctx.ports.wake(SETTLE_ONLINE_PAYMENTS));
}

/**
 * A refund that is with the processor is decided there: nobody marks it as paid or as returned, and it is withdrawn
 * only while it has not been sent. The payment is locked by the caller.
 */
export async function refuseWithProcessor(ctx: WorkContext, paymentId: number, step: string): Promise<void> {
  const row = await ctx.db.maybeOne<{ status: RefundState }>(sql`
    select status from processor_refunds where payment_id = ${paymentId} and status not in ('failed', 'withdrawn')`);
  if (!row || step === 'approved') return;
  if (step === 'void' && (row.status === 'waiting' || row.status === 'approved')) return;
  throw conflict('payment.with_processor', row.status === 'succeeded'
    ? 'The card processor has paid this refund. If the card sends it back, it is taken back by itself.'
    : 'This refund goes back to the card. It is posted as soon as the card processor has paid it.');
}

/** Withdrawn before it was sent. */
export async function withdrawFromProcessor(ctx: WorkContext, paymentId: number): Promise<void> {
  await refuseWithProcessor(ctx, paymentId, 'void');
  await ctx.db.exec(sql`
    update processor_refunds set status = 'withdrawn', settled_at = ${ctx.now().toISOString()}
    where payment_id = ${paymentId} and status in ('waiting', 'approved')`);
}
