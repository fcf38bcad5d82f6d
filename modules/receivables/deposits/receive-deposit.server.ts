/** Deposit money arrives (events 9 and 9b): a liability, or a prepayment whose tax is due at once. */
import { conflict, invalidField } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { depositReceivedLines } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { instalmentsPaid } from '../invoices/pro-forma.server.ts';
import { post } from '../ledger/post.server.ts';
import { tellMoney } from '../money-events.server.ts';
import { insertPayment, markPosted } from '../payments/payment-rows.server.ts';
import { lockPayment } from '../payments/payment-store.server.ts';
import type { ReceiptInput } from '../receivables-types.ts';
import { lockDeposits, partOf } from './deposit-parts.server.ts';

/** Records the receipt of a whole deposit; answers the payment's id. */
export async function receiveDeposit(ctx: WorkContext, input: ReceiptInput, depositId: number): Promise<number> {
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
  const { id } = await insertPayment(ctx, input, deposit.license_id);
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
  await ctx.db.exec(sql`
    update deposits set status = 'held', held_at = ${ctx.now().toISOString()}, payment_id = ${id},
      transaction_id = ${transactionId}, version = version + 1 where id = ${deposit.id}`);
  await ctx.audit({ action: 'receive', entity: 'deposit', entity_id: deposit.id,
    after: { payment_id: id, amount_minor: deposit.amount_minor } });
  await instalmentsPaid(ctx, deposit.license_id);
  await tellMoney('licensePaid', ctx, { license_id: deposit.license_id });
  return id;
}
