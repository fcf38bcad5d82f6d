/** Deposit money arrives (events 9 and 9b): a liability, or a prepayment whose tax is due at once. */
import { conflict, invalidField } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { depositHeldLines, depositReceivedLines } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { instalmentsPaid } from '../invoices/pro-forma.server.ts';
import { allocate, openedItem, post } from '../ledger/post.server.ts';
import { insertPayment, markPosted } from '../payments/payment-rows.server.ts';
import { creditItemOf, lockPayment } from '../payments/payment-store.server.ts';
import type { ReceiptInput } from '../receivables-types.ts';
import { tellOfReceipt } from '../tell.server.ts';
import { lockDeposits, partOf, type DepositRecord } from './deposit-parts.server.ts';

/** Records the receipt of a whole deposit, or posts the one that waits for its day; answers the payment's id. */
export async function receiveDeposit(
  ctx: WorkContext, input: ReceiptInput, depositId: number, waiting?: number,
): Promise<number> {
  const of = await ctx.db.maybeOne<{ license_id: number }>(sql`
    select license_id from deposits where id = ${depositId}`);
  if (!of) throw invalidField('deposit_id', 'This deposit does not exist');
  await lockLicense(ctx, of.license_id);
  const deposit = (await lockDeposits(ctx, { id: depositId }))[0]!;
  if (deposit.status !== 'requested') throw conflict('deposit.not_requested', `This deposit is ${deposit.status}.`);
  if (deposit.customer_id !== input.customer_id) throw invalidField('deposit_id', 'It belongs to another customer');
  if (deposit.division !== input.division || deposit.currency !== input.currency) {
    throw invalidField('currency', `The deposit is in ${deposit.division} ${deposit.currency}`);
  }
  if (input.amount_minor !== deposit.amount_minor) {
    throw invalidField('amount_minor', `A deposit is received whole: ${formatMinor(BigInt(deposit.amount_minor))}`);
  }
  const id = waiting ?? (await insertPayment(ctx, input, deposit.license_id)).id;
  const row = await lockPayment(ctx, id);
  const part = await partOf(ctx, deposit, BigInt(deposit.amount_minor));
  const transactionId = await post(ctx, {
    division: deposit.division, kind: 'deposit', on: input.received_on, currency: deposit.currency,
    rate: row.functional_rate, description: `Deposit ${row.number}`, payment_id: id, license_id: deposit.license_id,
    source: { type: 'payment', id, event: 'received' },
    lines: depositReceivedLines({
      customer_id: deposit.customer_id, kind: deposit.kind, on: input.received_on, net_minor: part.net_minor,
      tax: part.tax }, row.account_code),
  });
  await markPosted(ctx, id, transactionId);
  // The whole receipt belongs to its deposit: nothing of it is on account.
  await ctx.db.exec(sql`update payments set applied_minor = amount_minor where id = ${id}`);
  await holdDeposit(ctx, deposit, id, transactionId);
  await tellOfReceipt(ctx, input, id);
  return id;
}

/**
 * A receipt that stands on account, whole, becomes the deposit that was asked for: it leaves receivables for what is
 * held (event 9 or 9b on the day it is held).
 */
export async function holdReceiptAsDeposit(ctx: WorkContext, input: {
  payment_id: number; deposit_id: number; on: string;
}): Promise<void> {
  const of = await ctx.db.maybeOne<{ license_id: number }>(sql`
    select license_id from deposits where id = ${input.deposit_id}`);
  if (!of) throw invalidField('deposit_id', 'This deposit does not exist');
  await lockLicense(ctx, of.license_id);
  const deposit = (await lockDeposits(ctx, { id: input.deposit_id }))[0]!;
  const payment = await lockPayment(ctx, input.payment_id);
  if (deposit.status !== 'requested') throw conflict('deposit.not_requested', `This deposit is ${deposit.status}.`);
  if (payment.kind !== 'receipt' || !['posted', 'cleared'].includes(payment.status)) {
    throw conflict('payment.not_posted', `Receipt ${payment.number} is ${payment.status}.`);
  }
  if (deposit.customer_id !== payment.party_id || deposit.division !== payment.division
    || deposit.currency !== payment.currency) {
    throw invalidField('deposit_id', 'The deposit is of another customer, division or currency');
  }
  if (payment.unapplied_minor !== payment.amount_minor || payment.amount_minor !== deposit.amount_minor) {
    throw invalidField('deposit_id', `A deposit is received whole, by a receipt of ${
      formatMinor(BigInt(deposit.amount_minor))} that paid nothing else`);
  }
  const part = await partOf(ctx, deposit, BigInt(deposit.amount_minor));
  const { n } = await ctx.db.one<{ n: number }>(sql`
    select count(*) as n from transactions where source_type = 'payment' and source_id = ${payment.id}
      and source_event like 'held_%'`);
  const transactionId = await post(ctx, {
    division: deposit.division, kind: 'deposit', on: input.on, currency: deposit.currency,
    rate: payment.functional_rate, description: `Deposit ${payment.number}`, payment_id: payment.id,
    license_id: deposit.license_id, source: { type: 'payment', id: payment.id, event: `held_${n + 1}` },
    lines: depositHeldLines({ customer_id: deposit.customer_id, kind: deposit.kind, on: input.on,
      net_minor: part.net_minor, tax: part.tax }),
  });
  const amount = BigInt(deposit.amount_minor);
  await allocate(ctx, await openedItem(ctx, transactionId, '1100', amount), await creditItemOf(ctx, payment), amount,
    input.on);
  await ctx.db.exec(sql`
    update payments set applied_minor = amount_minor, version = version + 1 where id = ${payment.id}`);
  await holdDeposit(ctx, deposit, payment.id, transactionId);
}

async function holdDeposit(ctx: WorkContext, deposit: DepositRecord, paymentId: number, transactionId: number):
Promise<void> {
  await ctx.db.exec(sql`
    update deposits set status = 'held', held_at = ${ctx.now().toISOString()}, payment_id = ${paymentId},
      transaction_id = ${transactionId}, version = version + 1 where id = ${deposit.id}`);
  await ctx.audit({ action: 'receive', entity: 'deposit', entity_id: deposit.id,
    after: { payment_id: paymentId, amount_minor: deposit.amount_minor } });
  await instalmentsPaid(ctx, deposit.license_id);
  await ctx.ports.money.licensing.licensePaid(ctx, { license_id: deposit.license_id });
}
