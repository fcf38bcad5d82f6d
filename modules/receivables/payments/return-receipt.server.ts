/**
 * A receipt that the bank takes back (event 8): its allocations are inverted first, so the invoices are open again with
 * their due dates; then the posting is mirrored, the bank's charge is booked and, where wanted, billed on.
 */
import { conflict, invalidField } from '#kit/errors.ts';
import { bounceFeeLines } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockDeposits } from '../deposits/deposit-parts.server.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { lockInvoice, refreshLicenseMoney, settleStatus } from '../invoices/invoice-store.server.ts';
import { post, reverse, unallocate } from '../ledger/post.server.ts';
import { takeOff } from './apply-receipt.server.ts';
import { lockPayment, type PaymentRecord } from './payment-store.server.ts';

export interface ReturnInput {
  payment_id: number;
  on: string;
  reason: string;
  /** What the bank charges; 0 for none. */
  fee_minor?: number;
  /** Bills the charge to the customer as an item of its own, untaxed. */
  recharge?: boolean;
}

/** Answers the mirror of the receipt's posting. 409 where it is returned already or a refund has used it. */
export async function returnReceipt(ctx: WorkContext, input: ReturnInput): Promise<{ transaction_id: number }> {
  if (input.reason.trim() === '') throw invalidField('reason', 'Reason is required');
  if ((input.fee_minor ?? 0) < 0) throw invalidField('fee_minor', 'The amount cannot be negative');
  const licenses = await ctx.db.query<{ id: number }>(sql`
    select distinct i.license_id as id from payment_allocations a join invoices i on i.id = a.invoice_id
    where a.payment_id = ${input.payment_id} and i.license_id is not null
    union select d.license_id from deposits d where d.payment_id = ${input.payment_id} order by id`);
  for (const { id } of licenses) await lockLicense(ctx, id);
  const payment = await lockPayment(ctx, input.payment_id);
  if (payment.kind !== 'receipt' || !['posted', 'cleared'].includes(payment.status)) {
    throw conflict('payment.not_posted', `Receipt ${payment.number} is ${payment.status}.`);
  }
  if (payment.deposit_id !== null) await reopenDeposit(ctx, payment.deposit_id);
  else await takeOffAll(ctx, payment, input.on);
  const mirror = await reverse(ctx, payment.transaction_id!, payment.id, input.on, input.reason.slice(0, 500));
  if (input.fee_minor) {
    await post(ctx, {
      division: payment.division, kind: 'bounce', on: input.on, currency: payment.currency,
      rate: payment.functional_rate, description: `Bank charge on receipt ${payment.number}`, payment_id: payment.id,
      source: { type: 'payment', id: payment.id, event: 'returned_fee' },
      lines: bounceFeeLines(payment.party_id, BigInt(input.fee_minor), input.recharge === true, payment.account_code,
        input.on),
    });
  }
  await ctx.db.exec(sql`
    update payments set status = 'returned', returned_on = ${input.on}, reversal_transaction_id = ${mirror},
      reversal_reason = ${input.reason}, applied_minor = 0, version = version + 1 where id = ${payment.id}`);
  await ctx.audit({ action: 'return', entity: 'payment', entity_id: payment.id, after: { ...input, mirror } });
  for (const { id } of licenses) await refreshLicenseMoney(ctx, id);
  return { transaction_id: mirror };
}

async function takeOffAll(ctx: WorkContext, payment: PaymentRecord, on: string): Promise<void> {
  const invoices = await ctx.db.query<{ invoice_id: number }>(sql`
    select invoice_id from payment_allocations where payment_id = ${payment.id}
    group by invoice_id having sum(amount_minor) > 0 order by invoice_id`);
  for (const { invoice_id } of invoices) await takeOff(ctx, payment, await lockInvoice(ctx, invoice_id), on);
  await takeBackRest(ctx, payment, on);
  const current = await lockPayment(ctx, payment.id);
  if (current.applied_minor > 0) {
    throw conflict('payment.refunded', `Part of receipt ${payment.number} was refunded; it cannot be returned whole.`);
  }
}

/** What settled without cash (withheld tax, a forgiven difference) is open again too. */
async function takeBackRest(ctx: WorkContext, payment: PaymentRecord, on: string): Promise<void> {
  const rest = await ctx.db.query<{ id: number; invoice_id: number; amount_minor: number; allocated_at: string }>(sql`
    select a.id, d.id as invoice_id, a.amount_minor, a.allocated_at
    from open_items c join allocations a on a.credit_item_id = c.id join invoices d on d.open_item_id = a.debit_item_id
    where c.transaction_id = ${payment.transaction_id} and c.original_minor <> ${-payment.amount_minor}
      and a.reverses_id is null and not exists (select 1 from allocations b where b.reverses_id = a.id) order by a.id`);
  for (const row of rest) {
    await unallocate(ctx, row.id, on > row.allocated_at ? on : row.allocated_at);
    await ctx.db.exec(sql`
      update invoices set written_off_minor = written_off_minor - ${row.amount_minor} where id = ${row.invoice_id}`);
    await settleStatus(ctx, row.invoice_id);
  }
}

async function reopenDeposit(ctx: WorkContext, depositId: number): Promise<void> {
  const deposit = (await lockDeposits(ctx, { id: depositId }))[0]!;
  if (deposit.remaining_minor !== deposit.amount_minor) {
    throw conflict('deposit.disposed', 'Part of this deposit was applied, refunded or kept already.');
  }
  await ctx.db.exec(sql`
    update deposits set status = 'requested', held_at = null, payment_id = null, transaction_id = null,
      version = version + 1 where id = ${depositId}`);
}
