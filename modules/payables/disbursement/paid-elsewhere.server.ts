/**
 * Bills that another division pays (accounting.md 2.2, event 27): the intercompany entry is the posting, so the payment
 * names 2500 Due to divisions instead of a bank account, and no file carries it. It settles its bill like any other
 * payment, from the same reservation and under the same lock.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMoney, type Currency } from '#kernel/money/money.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import { changeOutgoing, insertOutgoing } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { BillPaidElsewhere, BillToPayElsewhere, CollectionTakenBack, PayablesMoney }
  from '#server/money-events.ts';
import { sql } from '#server/sql.ts';
import { insertParts } from './disbursement.server.ts';
import { paidParts, partsOf } from './disbursement-store.server.ts';
import { keepReversal, settleParts, unsettle } from './post-disbursement.server.ts';
import { isWithheld } from './withhold.server.ts';

/** Method of a payment that leaves no bank account of its own division. */
export const PAID_ELSEWHERE = 'set_off';

interface OpenBill { number: string; vendor_id: number; vendor_name: string; party_id: number; open_item_id: number;
  opened_on: string; hold_reason: string | null; free_minor: number }

/** Approved bill of the division and currency; its item is locked before this is read, where that matters. */
function openBill(ctx: WorkContext, of: BillToPayElsewhere): Promise<OpenBill | null> {
  return ctx.db.maybeOne<OpenBill>(sql`
    select b.number, b.vendor_id, v.name as vendor_name, i.party_id, b.open_item_id, i.opened_on, b.hold_reason,
      coalesce(f.free_minor, 0)::bigint as free_minor
    from bills b join open_items i on i.id = b.open_item_id left join payable_items f on f.id = b.open_item_id
      join vendors v on v.id = ${currentVendor(sql`b.vendor_id`)}
    where b.id = ${of.bill_id} and b.kind = 'bill' and b.status = 'approved' and b.deleted_at is null
      and b.division = ${of.division} and b.currency = ${of.currency}`);
}

interface Fault { field: 'bill_id' | 'amount_minor' | 'dated_on'; what: string; next: string }

/** Why the bill cannot be paid with this amount on this day; null: it can. */
async function faultOf(ctx: WorkContext, of: BillToPayElsewhere, bill: OpenBill): Promise<Fault | null> {
  const { number, free_minor } = bill;
  if (bill.hold_reason !== null) {
    return { field: 'bill_id', what: `${number} is on hold: ${bill.hold_reason}`, next: 'Release it first' };
  }
  if (await isWithheld(ctx, { ...of, party_type: 'vendor', party_id: bill.party_id, method: PAID_ELSEWHERE })) {
    return { field: 'bill_id', what: `Tax is withheld from payments to ${bill.vendor_name}`,
      next: `Pay ${number} from a bank account of division ${of.division}` };
  }
  if (free_minor <= 0) {
    return { field: 'bill_id', what: `Nothing is open on ${number}`, next: 'Choose another bill' };
  }
  if (of.amount_minor > free_minor) {
    const open = formatMoney(free_minor, of.currency as Currency);
    return { field: 'amount_minor', what: `Only ${open} is open on ${number}`, next: 'Enter that or less' };
  }
  if (of.on >= bill.opened_on) return null;
  return { field: 'dated_on', what: `${number} is dated ${dateInWords(bill.opened_on)}`,
    next: 'Enter that day or later' };
}

/** Before anybody is asked to approve it: 422 at `bill_id`, `amount_minor` or `dated_on`. */
async function refuseNotPayable(ctx: WorkContext, of: BillToPayElsewhere): Promise<{ vendor_id: number }> {
  const bill = await openBill(ctx, of);
  if (!bill) {
    throw invalidField('bill_id', `Choose an approved bill of division ${of.division} in ${of.currency}`);
  }
  const fault = await faultOf(ctx, of, bill);
  if (fault) throw invalidField(fault.field, `${fault.what}. ${fault.next}`);
  return { vendor_id: bill.vendor_id };
}

/** Reserves the amount on the bill; 409 with its number where it cannot be paid any more. */
async function reserveBill(ctx: WorkContext, of: BillPaidElsewhere): Promise<{ payment_id: number;
  vendor_id: number }> {
  await ctx.db.query(sql`
    select lock_payable_items(array(select b.open_item_id from bills b where b.id = ${of.bill_id}))`);
  const bill = await openBill(ctx, of);
  const fault = bill ? await faultOf(ctx, of, bill) : null;
  if (!bill || fault) {
    throw conflict('intercompany.bill_not_payable', `${fault?.what ?? 'The bill is void'}. Decline the entry. `
      + 'Enter another one if part of the bill remains to be paid.', { bill_id: of.bill_id });
  }
  const payment_id = await insertOutgoing(ctx, { kind: 'vendor', party_type: 'vendor', party_id: bill.party_id,
    division: of.division, currency: of.currency, bank_account_id: null, method: PAID_ELSEWHERE, on: of.on,
    amount_minor: of.amount_minor, withheld_minor: 0, memo: of.memo, payment_run_id: null,
    elsewhere: { asked_by_id: of.asked_by_id, reference: of.reference } });
  await insertParts(ctx, payment_id, [{ open_item_id: bill.open_item_id, amount_minor: of.amount_minor }]);
  await ctx.audit({ action: 'create', entity: 'payment', entity_id: payment_id, after: { ...of } });
  return { payment_id, vendor_id: bill.party_id };
}

/** The entry is posted: the bill is settled, and the payment with it, since no bank of the division answers. */
async function billPaid(ctx: WorkContext, of: { payment_id: number; transaction_id: number; on: string;
  rate: string }): Promise<void> {
  const { payment_id: id, transaction_id, on, rate } = of;
  const parts = await paidParts(ctx, await partsOf(ctx, id, 'reserved'));
  await settleParts(ctx, id, { parts, transaction_id, on });
  const now = ctx.now().toISOString();
  await changeOutgoing(ctx, id, { status: 'cleared', posted_at: now, transaction_id, value_on: on,
    applied_minor: Number(parts[0]!.amount_minor), functional_rate: rate, functional_rate_on: on,
    approved_by_id: ctx.actor.actor_id, approved_at: now });
  await ctx.audit({ action: 'post', entity: 'payment', entity_id: id, after: { on, transaction_id } });
}

/** Before the posting is reversed: its payment comes off the bill, which is open again. */
async function takeOffBill(ctx: WorkContext, of: { transaction_id: number; on: string }): Promise<void> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    select id from payments where transaction_id = ${of.transaction_id} and direction = 'out' for update`);
  await unsettle(ctx, { id, transaction_id: of.transaction_id }, of.on);
}

async function billPaymentTakenBack(ctx: WorkContext, of: CollectionTakenBack): Promise<void> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    select id from payments where transaction_id = ${of.transaction_id} and direction = 'out'`);
  await keepReversal(ctx, id, { on: of.on, reason: of.reason, as: 'reversed', transaction_id: of.reversal_id });
}

/** 409 for the verbs of a payment of one's own: this one goes back with its entry alone. */
export function refusePaidElsewhere(payment: { number: string; method: string; reference: string }): void {
  if (payment.method !== PAID_ELSEWHERE) return;
  throw conflict('payment.paid_elsewhere', `Another division paid ${payment.number}. Reverse intercompany entry ${
    payment.reference} to take it back.`);
}

/** Payables as a subscriber to money events: what another division paid. */
export const payablesMoney: PayablesMoney<WorkContext> = { refuseNotPayable, reserveBill, billPaid, takeOffBill,
  billPaymentTakenBack };
