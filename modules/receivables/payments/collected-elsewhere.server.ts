/**
 * Money of a customer that another division took in (accounting.md 2.2, event 27): the intercompany entry is its
 * posting, so the row names 1500 Due from divisions instead of a bank account. It stands on account, and is applied to
 * the customer's documents like a receipt of our own.
 */
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import type { CollectedElsewhere, CollectionTakenBack } from '#server/money-events.ts';
import { sql } from '#server/sql.ts';
import { lockPayment } from './payment-store.server.ts';

export async function collectedElsewhere(ctx: WorkContext, of: CollectedElsewhere): Promise<void> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into payments (number, direction, kind, status, party_type, party_id, division, ledger_account_id, currency,
      amount_minor, method, paid_on, reference, functional_rate, functional_rate_on, memo, transaction_id, posted_at,
      created_by_id)
    values (next_number('receipt', ${of.division}, ${of.on}::date), 'in', 'receipt', 'posted', 'customer',
      ${of.customer_id}, ${of.division}, (select id from ledger_accounts where division = ${of.division}
        and system_key = 'due_from'), ${of.currency}, ${of.amount_minor}, 'set_off', ${of.on}, ${of.reference},
      ${of.rate}, ${of.on}, ${of.memo}, ${of.transaction_id}, ${ctx.now().toISOString()}, ${ctx.actor.actor_id})
    returning id`);
  await ctx.audit({ action: 'record', entity: 'payment', entity_id: id, after: { ...of } });
}

/** The receipt that the posting made, locked; 409 by its number where it pays a document or was refunded. */
export async function refuseAppliedCollection(ctx: WorkContext, transactionId: number): Promise<void> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    select id from payments where transaction_id = ${transactionId} and kind = 'receipt'`);
  const receipt = await lockPayment(ctx, id);
  if (receipt.applied_minor === 0 && receipt.deposit_id === null) return;
  throw conflict('intercompany.receipt_used', `Receipt ${receipt.number} of this entry is applied. Take it off its `
    + 'documents first.', { payment_id: id });
}

/** Its posting was reversed: the receipt goes with it. */
export async function collectionTakenBack(ctx: WorkContext, of: CollectionTakenBack): Promise<void> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    update payments set status = 'reversed', returned_on = ${of.on}, reversal_reason = ${of.reason},
      reversal_transaction_id = ${of.reversal_id}, version = version + 1
    where transaction_id = ${of.transaction_id} and kind = 'receipt' returning id`);
  await ctx.audit({ action: 'reverse', entity: 'payment', entity_id: id, after: { ...of } });
}
