/**
 * Money to vendors and customers (accounting.md 2.2, events 16b and 17): a draft reserves open items of accounts
 * payable, another person approves it, and its posting settles them. Nothing is posted before. What the bank returns or
 * a person withdraws is reversed, and its items are open again with their due dates.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMoney, type Currency } from '#kernel/money/money.ts';
import { payoutMethods, type PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import type { Division } from '#kernel/money/division.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { bankAccountFor, refuseTicked } from '#modules/banking/banking.public.server.ts';
import { currentVendor, vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import { approveRefund, changeOutgoing, insertOutgoing, voidRefund }
  from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockDisbursement, refuseStatus, releaseParts, type Disbursement } from './disbursement-store.server.ts';
import { royaltyBatchOf, voidRoyaltyPayment } from '../royalty-run/pay-royalties.server.ts';
import { refuseUnclaimed, reverseDisbursement } from './post-disbursement.server.ts';
import { refuseEndedDiscount, refuseExtraDiscount, refuseLaterDocument } from './settled-documents.server.ts';
import { refuseOtherWithholding, withheldFrom } from './withhold.server.ts';

export interface DisbursementPart {
  open_item_id: number;
  /** Above zero pays what is owed; below zero sets off a credit of the payee. */
  amount_minor: number;
  discount_minor?: number | undefined;
  /** Needed for more than the early-payment discount that is open on the day. */
  discount_reason?: string | undefined;
}

export interface DisbursementInput {
  division: Division;
  currency: Currency;
  /** null: the default of division and currency. */
  bank_account_id: number | null;
  method: string;
  party_type: 'vendor' | 'customer';
  party_id: number;
  on: string;
  memo: string;
  parts: readonly DisbursementPart[];
  payment_run_id?: number | null | undefined;
  /** Amount at a bank account in another currency. */
  bank?: { currency: Currency; amount_minor: number } | undefined;
}

/** Makes a draft that reserves its items. 409 where less is free on one than is paid; 422 at `parts.N` and its day. */
export async function makeDisbursement(ctx: WorkContext, of: DisbursementInput): Promise<{ payment_id: number }> {
  const input = { ...of, party_id: await ownerOfParts(ctx, of) };
  refuseMethod({ ...input, inRun: input.payment_run_id !== undefined && input.payment_run_id !== null });
  const gross_minor = await checkParts(ctx, input);
  const withheld_minor = await withheldFrom(ctx, { ...input, gross_minor });
  const amount_minor = gross_minor - withheld_minor;
  const payment_id = await insertOutgoing(ctx, { kind: input.party_type === 'vendor' ? 'vendor' : 'refund',
    party_type: input.party_type, party_id: input.party_id, division: input.division, currency: input.currency,
    bank_account_id: input.bank_account_id, method: input.method, on: input.on, amount_minor, withheld_minor,
    memo: input.memo, payment_run_id: input.payment_run_id ?? null, bank: input.bank });
  await insertParts(ctx, payment_id, input.parts);
  await refuseLaterDocument(ctx, { payment_ids: [payment_id], on: input.on,
    field: input.payment_run_id ? 'value_on' : 'on' });
  await refuseExtraDiscount(ctx, { payment_id, on: input.on });
  await ctx.audit({ action: 'create', entity: 'payment', entity_id: payment_id, after: { ...input, amount_minor,
    withheld_minor } });
  return { payment_id };
}

/** Documents of a merged vendor are paid under the vendor that they were posted under, those of one a payment. */
async function ownerOfParts(ctx: WorkContext, of: DisbursementInput): Promise<number> {
  if (of.party_type !== 'vendor') return of.party_id;
  const owners = await ctx.db.query<{ id: number }>(sql`
    select distinct party_id as id from open_items where party_type = 'vendor'
      and id = any (${of.parts.map((part) => part.open_item_id)}::bigint[])
      and party_id in ${vendorAndMerged(currentVendor(sql`${of.party_id}::bigint`))}`);
  if (owners.length > 1) {
    throw invalidField('parts', 'Documents from before the vendors were merged are paid by a payment of their own');
  }
  return owners[0]?.id ?? of.party_id;
}

export type DisbursementChange = Partial<Pick<DisbursementInput, 'bank_account_id' | 'method' | 'on' | 'memo'
  | 'parts'>>;

/** Changes a draft; an approved one becomes a draft again. */
export async function changeDisbursement(ctx: WorkContext, id: number, change: DisbursementChange): Promise<void> {
  const payment = await lockDisbursement(ctx, id);
  refuseStatus(payment, 'draft', 'approved');
  if (!payment.has_parts) throw conflict('payment.kind', 'A refund is changed where it was made: withdraw it there.');
  const { division, currency, party_type, party_id } = payment;
  const method = change.method ?? payment.method;
  refuseMethod({ division, currency, method, inRun: payment.payment_run_id !== null });
  let gross_minor = payment.amount_minor + payment.withheld_minor;
  if (change.parts) {
    await releaseParts(ctx, id);
    gross_minor = await checkParts(ctx, { division, currency, party_type, party_id, parts: change.parts });
    await insertParts(ctx, id, change.parts);
  }
  const on = change.on ?? payment.paid_on;
  await refuseLaterDocument(ctx, { payment_ids: [id], on, field: 'on' });
  await refuseExtraDiscount(ctx, { payment_id: id, on });
  const withheld_minor = await withheldFrom(ctx, { ...payment, method, on, gross_minor });
  const amount_minor = gross_minor - withheld_minor;
  const bank = change.bank_account_id === undefined ? undefined
    : (await bankAccountFor(ctx, { division, currency, bank_account_id: change.bank_account_id })).ledger_account_id;
  await changeOutgoing(ctx, id, { status: 'draft', approved_by_id: null, approved_at: null, amount_minor,
    withheld_minor, method, last_changed_by_id: ctx.actor.actor_id,
    ...(bank === undefined ? {} : { ledger_account_id: bank }),
    ...(change.on === undefined ? {} : { paid_on: change.on }),
    ...(change.memo === undefined ? {} : { memo: change.memo }) });
  await ctx.audit({ action: 'update', entity: 'payment', entity_id: id, before: { amount_minor: payment.amount_minor,
    withheld_minor: payment.withheld_minor }, after: { ...change, amount_minor, withheld_minor } });
}

/** Another person than made or changed it lets it go. Posts nothing. */
export async function approveDisbursement(ctx: WorkContext, id: number): Promise<void> {
  const payment = await lockDisbursement(ctx, id);
  if (!payment.has_parts && payment.kind === 'refund') return approveRefund(ctx, id);
  refuseStatus(payment, 'draft');
  refuseSamePerson(ctx, payment);
  await refuseLaterDocument(ctx, { payment_ids: [id], on: payment.paid_on, field: null });
  await refuseEndedDiscount(ctx, { payment_ids: [id], on: payment.paid_on });
  await refuseOtherWithholding(ctx, { ...payment, on: payment.paid_on });
  await changeOutgoing(ctx, id, { status: 'approved', approved_by_id: ctx.actor.actor_id,
    approved_at: ctx.now().toISOString() });
  await ctx.audit({ action: 'approve', entity: 'payment', entity_id: id });
}

/** Withdrawn before it leaves, or reversed on `on` where it is posted; never one that the bank has paid. */
export async function voidDisbursement(ctx: WorkContext, id: number, on: string, reason: string): Promise<void> {
  await refuseTicked(ctx, id, { name: 'The payment', next: 'then withdraw it' });
  const batch = await royaltyBatchOf(ctx, id);
  if (batch !== null) {
    await refuseUnclaimed(ctx, id);
    return voidRoyaltyPayment(ctx, batch, id, { on, reason });
  }
  const payment = await lockDisbursement(ctx, id);
  if (reason.trim() === '') throw invalidField('reason', 'Reason is required');
  if (payment.status === 'cleared') {
    throw conflict('payment.settled', `Payment ${payment.number} is settled by the bank. Record its return instead.`);
  }
  refuseStatus(payment, 'draft', 'approved', 'posted');
  if (payment.status === 'posted') return reverseDisbursement(ctx, payment, { on, reason, as: 'reversed' });
  if (!payment.has_parts && payment.kind === 'refund') return voidRefund(ctx, id, on, reason);
  await releaseParts(ctx, id);
  await changeOutgoing(ctx, id, { status: 'void', outcome: 'cancelled', outcome_on: on, reversal_reason: reason });
  await ctx.audit({ action: 'void', entity: 'payment', entity_id: id, after: { reason } });
}

/** The bank sent it back, or refused it: reversed on `on`, and its items are payable again. */
export async function returnDisbursement(ctx: WorkContext, id: number, on: string, reason: string): Promise<void> {
  const payment = await lockDisbursement(ctx, id);
  if (reason.trim() === '') throw invalidField('reason', 'Reason is required');
  refuseStatus(payment, 'posted', 'cleared');
  await reverseDisbursement(ctx, payment, { on, reason, as: 'returned' });
}

function refuseSamePerson(ctx: WorkContext, payment: Disbursement): void {
  const person = ctx.actor.actor_id;
  if (person !== null && [payment.created_by_id, payment.last_changed_by_id].includes(person)) {
    throw refuse('four_eyes', 'Somebody other than the person who made or changed the payment approves it.');
  }
}

/** Methods for paying one payee at once; a card is charged by the payee, never in a run. */
export const methodsOf = (division: Division, currency: Currency): ('card' | PayoutMethod)[] =>
  [...payoutMethods(division, currency), 'card'];

function refuseMethod(of: { division: Division; currency: Currency; method: string; inRun: boolean }): void {
  const methods: readonly string[] = of.inRun ? payoutMethods(of.division, of.currency)
    : methodsOf(of.division, of.currency);
  if (!methods.includes(of.method)) {
    throw invalidField('method', `Choose a way to pay ${of.currency} from division ${of.division}`);
  }
}

interface FreeItem { id: number; division: string; currency: string; party_type: string; party_id: number;
  free_minor: number; opened_on: string; hold_reason: string | null }

/** Locks the items, then reads what is free on them; answers their sum. */
export async function checkParts(ctx: WorkContext, of: Pick<DisbursementInput, 'division' | 'currency' | 'parts'>
  & { party_type: string; party_id: number }): Promise<number> {
  const ids = of.parts.map((part) => part.open_item_id);
  if (new Set(ids).size !== ids.length) throw invalidField('parts', 'Choose each document once');
  await ctx.db.query(sql`select lock_payable_items(${ids}::bigint[])`);
  const items = new Map((await ctx.db.query<FreeItem>(sql`
    select i.id, i.division, i.currency, i.party_type, i.party_id, i.free_minor, i.opened_on, b.hold_reason
    from payable_items i left join bills b on i.document_type = 'bill' and b.id = i.document_id
    where i.id = any (${ids}::bigint[])`)).map((row) => [row.id, row]));
  for (const [k, part] of of.parts.entries()) checkPart(of, items.get(part.open_item_id), part, `parts.${k}`);
  const total = of.parts.reduce((all, part) => all + part.amount_minor, 0);
  if (total <= 0) {
    throw invalidField('parts', 'Nothing is left to pay: the credits come to as much as what is owed, or more');
  }
  return total;
}

function checkPart(
  of: { division: string; currency: string; party_type: string; party_id: number }, item: FreeItem | undefined,
  part: DisbursementPart, field: string,
): void {
  if (!item) throw conflict('payment.item_taken', 'One of the documents has already been paid. Choose again.');
  if (item.division !== of.division || item.currency !== of.currency || item.party_type !== of.party_type
    || item.party_id !== of.party_id) {
    throw invalidField(field, 'Choose documents of one payee, division and currency');
  }
  if (item.hold_reason !== null) throw conflict('payment.on_hold', `A bill is on hold: ${item.hold_reason}`);
  const discount = part.discount_minor ?? 0;
  if (!Number.isSafeInteger(part.amount_minor) || part.amount_minor === 0 || discount < 0) {
    throw invalidField(field, 'Enter an amount above zero');
  }
  if (item.free_minor === 0) {
    throw conflict('payment.item_taken', 'One of the documents is already in another payment. Choose again.');
  }
  if (Math.sign(part.amount_minor) !== Math.sign(item.free_minor)) {
    throw invalidField(field, item.free_minor < 0 ? 'A credit is set off with an amount below zero'
      : 'Enter an amount above zero');
  }
  if (Math.abs(part.amount_minor) + discount > Math.abs(item.free_minor)) {
    throw conflict('payment.item_taken', `Only ${formatMoney(Math.abs(item.free_minor), of.currency as Currency)} is `
      + `free on the document of ${dateInWords(item.opened_on)}. Choose again.`,
    { open_item_id: item.id, free_minor: item.free_minor });
  }
}

export async function insertParts(ctx: WorkContext, id: number, parts: readonly DisbursementPart[]): Promise<void> {
  await ctx.db.exec(sql`
    insert into payment_parts (payment_id, open_item_id, amount_minor, discount_minor, discount_reason)
    select ${id}, u.item, u.amount, u.discount, case when u.discount > 0 then u.reason else '' end
    from unnest(${parts.map((part) => part.open_item_id)}::bigint[],
      ${parts.map((part) => part.amount_minor)}::bigint[], ${parts.map((part) => part.discount_minor ?? 0)}::bigint[],
      ${parts.map((part) => part.discount_reason ?? '')}::text[])
      with ordinality u (item, amount, discount, reason, n) order by u.n`);
}
