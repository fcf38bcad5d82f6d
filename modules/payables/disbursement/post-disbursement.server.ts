/** The posting of a payment and its way back: once on the bank account, applied to the items that it names. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { applicationsOf, disbursementLines, type PaidPart } from '#kernel/ledger/disbursement-lines.ts';
import { convert } from '#kernel/ledger/journal.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { allocate, openItem, postJournal, reverseTransaction, unallocate }
  from '#modules/accounting/accounting.public.server.ts';
import { changeOutgoing, IN_TRANSIT, payRefund, postExchange, rateFor, reverseExchange }
  from '#modules/receivables/receivables.public.server.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { payRoyaltyCheck, royaltyBatchOf } from '../royalty-run/pay-royalties.server.ts';
import { lockDisbursement, paidParts, partsOf, refuseStatus, releaseParts, type Disbursement }
  from './disbursement-store.server.ts';
import { refuseEndedDiscount } from './settled-documents.server.ts';
import { refuseOtherWithholding } from './withhold.server.ts';

/**
 * Event 16b, with 14 for tax that is withheld, and 17 for a check that is printed. 409 where it, or its run, is not
 * approved; 422 at `on`.
 */
export async function postDisbursement(ctx: WorkContext, id: number, on: string): Promise<{ transaction_id: number }> {
  const batch = await royaltyBatchOf(ctx, id);
  if (batch !== null) return payRoyaltyCheck(ctx, batch, id, on);
  const payment = await lockDisbursement(ctx, id);
  refuseStatus(payment, 'approved');
  refuseRunThatWaits(payment);
  if (!payment.has_parts && payment.kind === 'refund') return payRefund(ctx, id, on);
  await refuseFutureMoney(ctx, { division: payment.division, on, field: 'on' });
  // The bank has the file of an exported run, and has paid what a posted one takes back in.
  if (payment.run_status !== 'exported' && payment.run_status !== 'posted') {
    await refuseOtherWithholding(ctx, { ...payment, on });
    await refuseEndedDiscount(ctx, { payment_ids: [id], on });
  }
  const stored = await partsOf(ctx, id, 'reserved');
  await ctx.db.query(sql`select lock_payable_items(${stored.map((part) => part.item_id)}::bigint[])`);
  const opened = stored.map((part) => part.opened_on).toSorted().at(-1) ?? on;
  if (on < opened) throw invalidField('on', `Enter ${dateInWords(opened)}, the day of what it pays, or later`);
  const parts = await paidParts(ctx, stored);
  const rate = await rateFor(ctx, payment.division, payment.currency, on);
  const lines = disbursementLines({ party: { type: payment.party_type, id: payment.party_id }, on, parts,
    bank: payment.bank_currency === null ? payment.account_code : IN_TRANSIT,
    withheld: payment.withheld_minor === 0 ? null : { amount_minor: BigInt(payment.withheld_minor),
      authority_id: await taxAuthority(ctx, 'US') } });
  const { transaction_id } = await postJournal(ctx.db, {
    division: payment.division, kind: 'payment', transaction_at: on,
    description: `Payment ${payment.number}: ${payment.party_name}`.slice(0, 500),
    source: { type: 'payment', id, event: 'paid', attempt: 1 },
    lines: convert(lines.map((line) => ({ account: line.account, currency: payment.currency,
      amount: line.amount_minor, refs: { payment_id: id,
        ...(line.bill_id === undefined ? {} : { bill_id: line.bill_id }) },
      ...(line.party ? { party: line.party } : {}),
      ...(line.due_on ? { due_date: line.due_on } : {}),
      ...(line.tax_code_id === undefined ? {} : { tax_code_id: line.tax_code_id,
        tax_base: line.tax_base_minor ?? 0n }) })),
    payment.division, rate.rate),
  }, ctx.actor.actor_id);
  await exchange(ctx, payment, on);
  await settleParts(ctx, id, { parts, transaction_id, on });
  await changeOutgoing(ctx, id, { status: 'posted', posted_at: ctx.now().toISOString(), transaction_id, value_on: on,
    applied_minor: payment.amount_minor, functional_rate: rate.rate, functional_rate_on: rate.on });
  await ctx.audit({ action: 'post', entity: 'payment', entity_id: id, after: { on, transaction_id } });
  return { transaction_id };
}

/** Applies the posting of the payment to the items that it reserves; an exchange difference is posted with them. */
export async function settleParts(ctx: WorkContext, id: number, of: { parts: readonly PaidPart[];
  transaction_id: number; on: string }): Promise<void> {
  const own = await openItem(ctx.db, { transaction_id: of.transaction_id, account: '2000' });
  for (const one of applicationsOf(of.parts)) {
    const { allocation_id } = await allocate(ctx.db, { debit_item_id: one.debit_item_id ?? own.id,
      credit_item_id: one.credit_item_id, amount_minor: one.amount_minor, allocated_at: of.on,
      actor_id: ctx.actor.actor_id });
    await ctx.db.exec(sql`
      insert into disbursement_allocations (allocation_id, payment_id) values (${allocation_id}, ${id})`);
  }
  await ctx.db.exec(sql`update payment_parts set state = 'paid' where payment_id = ${id} and state = 'reserved'`);
}

/** Amount that left a bank account in another currency; the payment itself stands on Transfers in transit. */
async function exchange(ctx: WorkContext, payment: Disbursement, on: string): Promise<void> {
  if (payment.bank_currency === null) return;
  await postExchange(ctx, { division: payment.division, on, source: { type: 'payment', id: payment.id },
    description: `Payment ${payment.number} in ${payment.bank_currency}`,
    document: { currency: payment.currency, amount_minor: -payment.amount_minor },
    bank: { account: payment.account_code, currency: payment.bank_currency,
      amount_minor: -payment.bank_amount_minor! } });
}

/**
 * A refund joins a run already approved by itself: it leaves with the run all the same. Checks have no file. In a
 * posted run only that waits which the bank paid although it was taken out.
 */
function refuseRunThatWaits({ number, payment_run, run_status, method }: Disbursement): void {
  if (payment_run === null || run_status === 'exported' || run_status === 'posted') return;
  if (run_status === 'approved' && method === 'check') return;
  throw conflict('payment.in_run', `Payment ${number} waits for payment run ${payment_run}.`);
}

/** 409 where the money of its check is unclaimed property. */
export async function refuseUnclaimed(ctx: WorkContext, id: number): Promise<void> {
  if (await ctx.db.maybeOne(sql`select 1 from checks where payment_id = ${id} and status = 'stale'`)) {
    throw conflict('check.state', 'The money of this check is unclaimed property already.');
  }
}

/** Takes the applications back and posts the mirror; what was paid is open again. */
export async function reverseDisbursement(ctx: WorkContext, payment: Disbursement, of: {
  on: string; reason: string; as: 'returned' | 'reversed';
}): Promise<void> {
  await refuseFutureMoney(ctx, { division: payment.division, on: of.on, field: 'on' });
  await refuseUnclaimed(ctx, payment.id);
  await unsettle(ctx, payment, of.on);
  await reverseExchange(ctx, payment, of.on, of.reason);
  const mirror = await reverseTransaction(ctx.db, { transaction_id: payment.transaction_id!, transaction_at: of.on,
    reason: of.reason.slice(0, 500), actor_id: ctx.actor.actor_id, document: { type: 'payment', id: payment.id } });
  await keepReversal(ctx, payment.id, { ...of, transaction_id: mirror.transaction_id });
}

/** Takes the applications of a posted payment back; 422 at `on` before they were made. */
export async function unsettle(ctx: WorkContext, payment: Pick<Disbursement, 'id' | 'transaction_id'>, on: string):
Promise<void> {
  const made = await ctx.db.query<{ id: number; allocated_at: string }>(sql`
    select a.id, a.allocated_at from allocations a
    where a.reverses_id is null and not exists (select 1 from allocations b where b.reverses_id = a.id)
      and (a.id in (select d.allocation_id from disbursement_allocations d where d.payment_id = ${payment.id})
        or a.debit_item_id in (select i.id from open_items i where i.transaction_id = ${payment.transaction_id}))
    order by a.id desc`);
  const since = made.map((one) => one.allocated_at).toSorted().at(-1) ?? on;
  if (on < since) throw invalidField('on', `Enter ${dateInWords(since)}, the day of the payment, or later`);
  for (const one of made) {
    await unallocate(ctx.db, { allocation_id: one.id, allocated_at: on, actor_id: ctx.actor.actor_id });
  }
}

/** The row of a payment whose posting is reversed. */
export async function keepReversal(ctx: WorkContext, id: number, of: { on: string; reason: string;
  as: 'returned' | 'reversed'; transaction_id: number }): Promise<void> {
  await releaseParts(ctx, id);
  await changeOutgoing(ctx, id, { status: of.as, applied_minor: 0, returned_on: of.on,
    reversal_transaction_id: of.transaction_id, reversal_reason: of.reason,
    outcome: of.as === 'returned' ? 'rejected' : 'cancelled', outcome_on: of.on });
  await ctx.audit({ action: of.as === 'returned' ? 'return' : 'void', entity: 'payment', entity_id: id,
    after: { on: of.on, reason: of.reason } });
}
