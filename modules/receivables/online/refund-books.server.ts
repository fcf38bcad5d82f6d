/** Postings of a refund through the card processor, beside its own. */
import { refundLines } from '#kernel/ledger/receivable-events.ts';
import { bankAccountFor } from '#modules/banking/banking.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { allocate, openedItem, post, reverse, unallocate } from '../ledger/post.server.ts';
import { creditItemOf, lockPayment } from '../payments/payment-store.server.ts';

/** Today in the division, or the day of what is paid where another clock has put that later. */
export async function dayOf(ctx: WorkContext, division: string, paymentId: number): Promise<string> {
  const today = await ctx.today(division);
  const { due } = await ctx.db.one<{ due: string | null }>(sql`
    select max(transaction_at) as due from transactions where source_type = 'payment' and source_id = ${paymentId}`);
  return due !== null && due > today ? due : today;
}

/**
 * The refund found at the processor uses up what its receipt has on account (event 7), and its payable is settled.
 * False while the receipt has less than that on account.
 */
export async function assignRefund(ctx: WorkContext, of: { payment_id: number; receipt_id: number }): Promise<boolean> {
  const receipt = await lockPayment(ctx, of.receipt_id);
  const refund = await lockPayment(ctx, of.payment_id);
  const usable = receipt.deposit_id === null && ['posted', 'cleared'].includes(receipt.status);
  if (!usable || refund.status !== 'posted' || refund.applied_minor > 0
    || receipt.unapplied_minor < refund.amount_minor) return false;
  const amount = BigInt(refund.amount_minor);
  const on = await dayOf(ctx, refund.division, refund.id);
  const due = await post(ctx, { division: refund.division, kind: 'refund', on, currency: refund.currency,
    rate: receipt.functional_rate, description: `Refund of receipt ${receipt.number}`, payment_id: refund.id,
    source: { type: 'payment', id: refund.id, event: 'refund_due' },
    lines: refundLines(refund.party_id, amount, on) });
  await allocate(ctx, await openedItem(ctx, due, '1100', amount), await creditItemOf(ctx, receipt), amount, on);
  await allocate(ctx, await openedItem(ctx, refund.transaction_id!, '2000', amount),
    await openedItem(ctx, due, '2000', -amount), amount, on);
  await ctx.db.exec(sql`update payments set applied_minor = applied_minor + ${refund.amount_minor},
    version = version + 1 where id = ${receipt.id}`);
  await ctx.db.exec(sql`update payments set applied_minor = amount_minor, version = version + 1
    where id = ${refund.id}`);
  await ctx.audit({ action: 'refund', entity: 'payment', entity_id: receipt.id,
    after: { amount_minor: refund.amount_minor, refundId: refund.id } });
  return true;
}

/** The card did not take it before anything was posted: the same refund waits again, as a bank transfer. */
export async function payOtherwise(ctx: WorkContext, paymentId: number, failure: string): Promise<void> {
  const refund = await lockPayment(ctx, paymentId);
  if (refund.status !== 'approved') return;
  const bank = await bankAccountFor(ctx, { division: refund.division, currency: refund.currency });
  await ctx.db.exec(sql`
    update payments set status = 'draft', approved_by_id = null, approved_at = null, method = 'wire', provider = null,
      ledger_account_id = ${bank.ledger_account_id}, memo = left(memo || ${`. The card did not take it: ${failure}`},
      1000), version = version + 1 where id = ${refund.id}`);
  await ctx.audit({ action: 'end', entity: 'payment', entity_id: refund.id, after: { failure } });
}

/** The card sent it back after it was paid: its posting is reversed, and the money is owed to the customer again. */
export async function takeBackRefund(ctx: WorkContext, paymentId: number, failure: string): Promise<void> {
  const refund = await lockPayment(ctx, paymentId);
  if (refund.status !== 'posted' && refund.status !== 'cleared') return;
  const made = await ctx.db.query<{ id: number }>(sql`
    select a.id from allocations a join open_items i on i.id = a.debit_item_id
    where i.transaction_id = ${refund.transaction_id} and a.reverses_id is null
      and not exists (select 1 from allocations b where b.reverses_id = a.id) order by a.id desc`);
  const on = await dayOf(ctx, refund.division, refund.id);
  for (const { id } of made) await unallocate(ctx, id, on);
  const mirror = await reverse(ctx, refund.transaction_id!, refund.id, on, failure);
  await ctx.db.exec(sql`
    update payments set status = 'returned', applied_minor = 0, returned_on = ${on},
      reversal_transaction_id = ${mirror}, reversal_reason = ${failure}, outcome = 'rejected', outcome_on = ${on},
      version = version + 1 where id = ${refund.id}`);
  await ctx.audit({ action: 'return', entity: 'payment', entity_id: refund.id, after: { on, failure } });
}
