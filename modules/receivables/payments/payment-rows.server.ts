/** The row of a receipt, before and after its posting. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { cashAccount, rateFor } from '../ledger/post.server.ts';
import type { InvoiceRecord } from '../invoices/invoice-store.server.ts';
import type { ReceiptInput } from '../receivables-types.ts';
import { lockPayment } from './payment-store.server.ts';

/** The receipt's row, not yet posted. */
export async function insertPayment(ctx: WorkContext, input: ReceiptInput, licenseId: number | null):
Promise<{ id: number }> {
  const account = await cashAccount(ctx, { ...input, currency: input.bank?.currency ?? input.currency });
  const rate = await rateFor(ctx, input.division, input.currency, input.received_on);
  const known = await ctx.db.maybeOne(sql`select 1 as one from customers where id = ${input.customer_id}`);
  if (!known) throw invalidField('customer_id', 'This customer does not exist');
  return ctx.db.one<{ id: number }>(sql`
    insert into payments (number, direction, kind, party_type, party_id, license_id, division, ledger_account_id,
      currency, amount_minor, method, paid_on, reference, provider, provider_id, functional_rate, functional_rate_on,
      memo, bank_currency, bank_amount_minor, created_by_id)
    values (next_number('receipt', ${input.division}, ${input.received_on}::date), 'in', 'receipt', 'customer',
      ${input.customer_id}, ${licenseId}, ${input.division}, ${account.id}, ${input.currency}, ${input.amount_minor},
      ${input.method}, ${input.received_on}, ${input.reference ?? ''}, ${input.provider ?? null},
      ${input.provider_id ?? null}, ${rate.rate}, ${rate.on}, ${input.memo ?? ''}, ${input.bank?.currency ?? null},
      ${input.bank?.amount_minor ?? null}, ${ctx.actor.actor_id})
    returning id`);
}

/** Inserts the rest of a credit note: money on account under the note's number, applied and refunded like a receipt. */
export async function insertCredit(ctx: WorkContext, invoice: InvoiceRecord, of: {
  note_id: number; number: string; transaction_id: number; on: string; amount_minor: bigint;
}): Promise<void> {
  await ctx.db.exec(sql`
    insert into payments (number, direction, kind, status, party_type, party_id, license_id, division,
      ledger_account_id, currency, amount_minor, method, paid_on, functional_rate, functional_rate_on, transaction_id,
      posted_at, credit_note_id, created_by_id)
    select ${of.number}, 'in', 'credit', 'posted', 'customer', customer_id, license_id, division,
      (select a.id from ledger_accounts a where a.division = invoices.division and a.system_key = 'ar'), currency,
      ${of.amount_minor}, 'set_off', ${of.on}, functional_rate, functional_rate_on, ${of.transaction_id},
      ${ctx.now().toISOString()}, ${of.note_id}, ${ctx.actor.actor_id}::bigint
    from invoices where id = ${invoice.id}`);
  await ctx.db.exec(sql`update invoices set paid_minor = ${of.amount_minor} where id = ${of.note_id}`);
}

/** The row of a posted payment. */
export async function markPosted(ctx: WorkContext, paymentId: number, transactionId: number): Promise<void> {
  await ctx.db.exec(sql`
    update payments set status = 'posted', posted_at = ${ctx.now().toISOString()}, transaction_id = ${transactionId}
    where id = ${paymentId}`);
}

/** Writes the note, which no posting depends on; without one nothing changes. */
export async function notePayment(ctx: WorkContext, id: number, version: number, memo: string | undefined):
Promise<void> {
  const before = await lockPayment(ctx, id);
  if (before.version !== version) throw refuse('stale');
  if (memo === undefined) return;
  await ctx.db.exec(sql`update payments set memo = ${memo}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'update', entity: 'payment', entity_id: id, after: { memo } });
}
