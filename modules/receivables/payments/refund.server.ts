/**
 * Money back to a customer (events 7 and 16b): the credit becomes a payable, a payment waits for a second person and
 * then leaves the bank, or goes back to the card it came from.
 */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { refundLines, refundPaidLines } from '#kernel/ledger/receivable-events.ts';
import { bankAccountFor } from '#modules/banking/banking.public.server.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { allocate, openedItem, post, rateFor, reverse, unallocate } from '../ledger/post.server.ts';
import { paymentEndpoints } from './payment.contract.ts';
import { creditItemOf, lockPayment, type PaymentRecord } from './payment-store.server.ts';
import {
  askRefund, chargeToRefund, refuseDisputed, refuseWithProcessor, sendWhenApproved, withdrawFromProcessor, type Charge,
} from './refund-to-card.server.ts';

export interface RefundInput {
  payment_id: number;
  amount_minor: number;
  reason: string;
  on: string;
  /** Account it is paid from; the default of division and currency if absent. */
  bank_account_id?: number | null | undefined;
  /** Back to the card it came from; absent: where that takes all of it. */
  by_processor?: boolean | undefined;
}

/** Refunds what a receipt or a credit note has on account; answers the payment that waits for approval. */
export async function refundReceipt(ctx: WorkContext, input: RefundInput): Promise<{ payment_id: number }> {
  if (input.reason.trim() === '') throw invalidField('reason', 'Reason is required');
  const receipt = await lockPayment(ctx, input.payment_id);
  if (!['receipt', 'credit'].includes(receipt.kind) || !['posted', 'cleared'].includes(receipt.status)) {
    throw conflict('payment.not_posted', `Receipt ${receipt.number} is ${receipt.status}.`);
  }
  if (!Number.isSafeInteger(input.amount_minor) || input.amount_minor <= 0) {
    throw invalidField('amount_minor', 'Enter an amount above zero');
  }
  if (receipt.deposit_id !== null || input.amount_minor > receipt.unapplied_minor) {
    throw invalidField('amount_minor', `Only ${formatMinor(BigInt(receipt.deposit_id === null
      ? receipt.unapplied_minor : 0))} of this receipt is on account`);
  }
  await refuseDisputed(ctx, { receipt_id: receipt.id });
  const charge = await chargeToRefund(ctx, receipt.id, input);
  const refundId = await insertRefund(ctx, { charge,
    customer_id: receipt.party_id, license_id: receipt.license_id, division: receipt.division,
    currency: receipt.currency, amount_minor: input.amount_minor, on: input.on, method: receipt.method,
    bank_account_id: input.bank_account_id, received_on: receipt.ledger_account_id,
    memo: `Refund of ${receipt.number}: ${input.reason}` });
  const transactionId = await post(ctx, {
    division: receipt.division, kind: 'refund', on: input.on, currency: receipt.currency,
    rate: receipt.functional_rate, description: `Refund of receipt ${receipt.number}`, payment_id: refundId,
    source: { type: 'payment', id: refundId, event: 'refund_due' },
    lines: refundLines(receipt.party_id, BigInt(input.amount_minor), input.on),
  });
  const debit = await openedItem(ctx, transactionId, '1100', BigInt(input.amount_minor));
  await allocate(ctx, debit, await creditItemOf(ctx, receipt), BigInt(input.amount_minor), input.on);
  await ctx.db.exec(sql`update payments set applied_minor = applied_minor + ${input.amount_minor},
    version = version + 1 where id = ${receipt.id}`);
  await ctx.audit({ action: 'refund', entity: 'payment', entity_id: receipt.id, after: { ...input, refundId } });
  return { payment_id: refundId };
}

/** The row of money that will leave; its payable is posted by the caller under event `refund_due`. */
export async function insertRefund(ctx: WorkContext, of: {
  customer_id: number; license_id: number | null; division: string; currency: string; amount_minor: number; on: string;
  method: string; bank_account_id?: number | null | undefined;
  /** Ledger account of the money that is given back: its bank account pays, where none is named. */
  received_on: number; memo: string;
  /** The card payment that it goes back to; null: it leaves a bank account. */
  charge: Charge | null;
}): Promise<number> {
  const rate = await rateFor(ctx, of.division, of.currency, of.on);
  const { charge } = of;
  const from = charge ? of.received_on : await refundAccount(ctx, of);
  const method = !charge && ['check', 'cash', 'card', 'set_off'].includes(of.method) ? 'wire' : of.method;
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into payments (number, direction, kind, party_type, party_id, license_id, division, ledger_account_id,
      currency, amount_minor, method, provider, paid_on, functional_rate, functional_rate_on, memo, created_by_id)
    values (next_number('disbursement', ${of.division}, ${of.on}::date), 'out', 'refund', 'customer', ${of.customer_id},
      ${of.license_id}, ${of.division}, ${from}, ${of.currency}, ${of.amount_minor}, ${method},
      ${charge ? 'stripe' : null}, ${of.on}, ${rate.rate}, ${rate.on}, ${of.memo}, ${ctx.actor.actor_id})
    returning id`);
  if (charge) await askRefund(ctx, charge, { payment_id: id, amount_minor: of.amount_minor });
  await notifyApprovers(ctx, paymentEndpoints.status, { href: hrefOf(id), body: of.memo,
    title: `Refund of ${of.currency} ${formatMinor(BigInt(of.amount_minor))} awaits approval` });
  return id;
}

/** The named account, else the one that received the money while it is open, else the default. */
async function refundAccount(ctx: WorkContext, of: { division: string; currency: string; received_on: number;
  bank_account_id?: number | null | undefined }): Promise<number> {
  const own = of.bank_account_id ? null : await ctx.db.maybeOne<{ id: number }>(sql`
    select id from bank_accounts where ledger_account_id = ${of.received_on} and currency = ${of.currency}
      and closed_on is null and deleted_at is null`);
  return (await bankAccountFor(ctx, { ...of, bank_account_id: of.bank_account_id ?? own?.id })).ledger_account_id;
}

const hrefOf = (id: number): string => `/admin/accounts-receivable/payments/${id}`;

/** A second person lets the refund go. */
export async function approveRefund(ctx: WorkContext, paymentId: number): Promise<void> {
  const refund = await lockRefund(ctx, paymentId, ['draft']);
  if (refund.created_by_id !== null && refund.created_by_id === ctx.actor.actor_id) throw refuse('four_eyes');
  await refuseDisputed(ctx, { refund_id: refund.id });
  await ctx.db.exec(sql`
    update payments set status = 'approved', approved_by_id = ${ctx.actor.actor_id},
      approved_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${refund.id}`);
  await sendWhenApproved(ctx, refund.id);
  await ctx.audit({ action: 'approve', entity: 'payment', entity_id: refund.id });
  await notifyAsker(ctx, refund.created_by_id, { title: `Refund ${refund.number} approved`, href: hrefOf(refund.id) });
}

/** Event 16b: an approved refund leaves the bank. 409 where the card processor pays it. */
export async function payRefund(ctx: WorkContext, paymentId: number, on: string): Promise<{ transaction_id: number }> {
  await lockRefund(ctx, paymentId, ['approved']);
  await refuseWithProcessor(ctx, paymentId, 'posted');
  return postRefund(ctx, paymentId, on);
}

/** The posting of a refund that was paid, off the account it names; `providerId` is the processor's name for it. */
export async function postRefund(ctx: WorkContext, paymentId: number, on: string, providerId: string | null = null):
Promise<{ transaction_id: number }> {
  const refund = await lockRefund(ctx, paymentId, ['approved']);
  await refuseFutureMoney(ctx, { division: refund.division, on, field: 'on' });
  const due = await dueTransaction(ctx, refund.id);
  const transactionId = await post(ctx, {
    division: refund.division, kind: 'payment', on, currency: refund.currency, rate: refund.functional_rate,
    description: `Refund ${refund.number}`, source: { type: 'payment', id: refund.id, event: 'paid' },
    payment_id: refund.id, license_id: refund.license_id,
    lines: refundPaidLines(refund.party_id, BigInt(refund.amount_minor), refund.account_code, on),
  });
  const debit = await openedItem(ctx, transactionId, '2000', BigInt(refund.amount_minor));
  const credit = await openedItem(ctx, due, '2000', -BigInt(refund.amount_minor));
  await allocate(ctx, debit, credit, BigInt(refund.amount_minor), on);
  await ctx.db.exec(sql`
    update payments set status = 'posted', posted_at = ${ctx.now().toISOString()}, transaction_id = ${transactionId},
      value_on = ${on}, applied_minor = amount_minor, provider_id = ${providerId}, version = version + 1
    where id = ${refund.id}`);
  await ctx.audit({ action: 'post', entity: 'payment', entity_id: refund.id, after: { on, transactionId } });
  return { transaction_id: transactionId };
}

/** A refund that has not left yet is withdrawn: its credit is on account again. Not for refunds of deposits. */
export async function voidRefund(ctx: WorkContext, paymentId: number, on: string, reason: string): Promise<void> {
  if (reason.trim() === '') throw invalidField('reason', 'Reason is required');
  const refund = await lockRefund(ctx, paymentId, ['draft', 'approved']);
  await withdrawFromProcessor(ctx, paymentId);
  const due = await dueTransaction(ctx, refund.id);
  const link = await ctx.db.maybeOne<{ id: number; allocated_at: string; receipt_id: number }>(sql`
    select a.id, a.allocated_at, p.id as receipt_id from open_items d join allocations a on a.debit_item_id = d.id
      join open_items c on c.id = a.credit_item_id join payments p on p.transaction_id = c.transaction_id
    where d.transaction_id = ${due} and a.reverses_id is null`);
  if (!link) throw conflict('payment.of_deposit', 'The refund of a deposit cannot be withdrawn.');
  const day = on > link.allocated_at ? on : link.allocated_at;
  await unallocate(ctx, link.id, day);
  await reverse(ctx, due, refund.id, day, reason.slice(0, 500));
  await ctx.db.exec(sql`update payments set applied_minor = applied_minor - ${refund.amount_minor},
    version = version + 1 where id = ${link.receipt_id}`);
  await ctx.db.exec(sql`update payments set status = 'void', reversal_reason = ${reason}, version = version + 1
    where id = ${refund.id}`);
  await ctx.audit({ action: 'void', entity: 'payment', entity_id: refund.id, after: { reason } });
  await notifyAsker(ctx, refund.created_by_id, { body: reason, href: hrefOf(refund.id),
    title: `Refund ${refund.number} ${refund.status === 'draft' ? 'declined' : 'withdrawn'}` });
}

async function lockRefund(ctx: WorkContext, id: number, states: readonly string[]): Promise<PaymentRecord> {
  const refund = await lockPayment(ctx, id);
  if (refund.kind !== 'refund') throw refuse('not_found');
  if (!states.includes(refund.status)) {
    throw conflict('payment.status', `Refund ${refund.number} is ${refund.status}.`);
  }
  return refund;
}

async function dueTransaction(ctx: WorkContext, refundId: number): Promise<number> {
  return (await ctx.db.one<{ id: number }>(sql`
    select id from transactions where source_type = 'payment' and source_id = ${refundId}
      and source_event = 'refund_due'`)).id;
}
