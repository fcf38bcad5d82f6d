/**
 * The way of a bill: submitted, approved by another person (events 16, 16c, 21, 23b), held, voided. The database holds
 * four eyes and what may follow what (tg_bills_guard).
 */
import { missingRate } from '#kernel/money/exchange.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { convert } from '#kernel/ledger/journal.ts';
import { billLines, type BillLinePosting, type TaxTreatment } from '#kernel/ledger/payable-events.ts';
import type { Division } from '#kernel/money/division.ts';
import { formatMoney, type Currency } from '#kernel/money/money.ts';
import {
  openItem, postJournal, rateOn, refuseClosedDay, reverseTransaction,
} from '#modules/accounting/accounting.public.server.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { exposureOf } from './approval-limit.server.ts';
import { billEndpoints } from './bill.contract.ts';
import { lockBill, refuseUnless, type BillRecord } from './bill-store.server.ts';
import { postingKind } from './save-bill.server.ts';

const hrefOf = (id: number): string => `/admin/accounting/bills/${id}`;
const nounOf = (bill: BillRecord): string => (bill.kind === 'credit' ? 'Vendor credit' : 'Bill');

export async function submitBill(ctx: WorkContext, id: number, version: number): Promise<void> {
  const bill = await lockBill(ctx, id, version);
  refuseUnless(bill, ['draft']);
  if (bill.total_minor <= 0) throw conflict('bill.empty', 'Enter at least one line with an amount first.');
  await askDay(ctx, bill);
  await ctx.db.exec(sql`
    update bills set status = 'submitted', submitted_by_id = ${ctx.actor.actor_id},
      submitted_at = ${ctx.now().toISOString()}, declined_by_id = null, declined_at = null, decline_reason = null,
      version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'submit', entity: 'bill', entity_id: id });
  await notifyApprovers(ctx, billEndpoints.approve, { href: hrefOf(id), body: bill.vendor_number,
    title: `${nounOf(bill)} of ${bill.vendor_name} over ${
      formatMoney(bill.total_minor, bill.currency)} awaits approval`,
  });
}

const askDay = (ctx: WorkContext, bill: BillRecord): Promise<void> => refuseClosedDay(ctx.db, {
  division: bill.division, kind: postingKind(bill.kind), on: bill.billed_on, field: 'billed_on',
  actor_id: ctx.actor.actor_id });

/** Back to a draft, by whoever may change bills. */
export async function recallBill(ctx: WorkContext, id: number, version: number): Promise<void> {
  const bill = await lockBill(ctx, id, version);
  refuseUnless(bill, ['submitted']);
  await ctx.db.exec(sql`
    update bills set status = 'draft', submitted_by_id = null, submitted_at = null, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'recall', entity: 'bill', entity_id: id });
}

export async function declineBill(ctx: WorkContext, id: number, input: { version: number; reason: string }):
Promise<void> {
  const bill = await lockBill(ctx, id, input.version);
  refuseUnless(bill, ['submitted']);
  refuseOwn(ctx, bill);
  await ctx.db.exec(sql`
    update bills set status = 'draft', submitted_by_id = null, submitted_at = null,
      declined_by_id = ${ctx.actor.actor_id}, declined_at = ${ctx.now().toISOString()},
      decline_reason = ${input.reason}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'decline', entity: 'bill', entity_id: id, after: { reason: input.reason } });
  await notifyAsker(ctx, bill.submitted_by_id, { title: `${nounOf(bill)} ${bill.number} declined`,
    body: input.reason, href: hrefOf(id) });
}

/** Four eyes: who entered, last changed or submitted a bill does not decide it, whatever the role. */
function refuseOwn(ctx: WorkContext, bill: BillRecord): void {
  const actor = ctx.actor.actor_id;
  if (actor === null || [bill.entered_by_id, bill.last_changed_by_id, bill.submitted_by_id].includes(actor)) {
    throw refuse('four_eyes', 'Another person approves this bill: not who entered, changed or submitted it.');
  }
}

/** Approves and posts in one step. */
export async function approveBill(ctx: Ctx, id: number, version: number): Promise<void> {
  const bill = await lockBill(ctx, id, version);
  refuseUnless(bill, ['submitted']);
  refuseOwn(ctx, bill);
  if (bill.hold_reason !== null) throw conflict('bill.on_hold', `${bill.number} is on hold: ${bill.hold_reason}.`);
  await refuseOverLimit(ctx, bill);
  const rate = await rateOf(ctx, bill);
  const transactionId = await postBill(ctx, bill, rate?.rate ?? '1');
  const item = await openItem(ctx.db, { transaction_id: transactionId, account: '2000' });
  await ctx.db.exec(sql`
    update bills set status = 'approved', approved_by_id = ${ctx.actor.actor_id},
      approved_at = ${ctx.now().toISOString()}, transaction_id = ${transactionId}, open_item_id = ${item.id},
      functional_rate = ${rate?.rate ?? null}, functional_rate_on = ${rate?.on_date ?? null}, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'approve', entity: 'bill', entity_id: id, after: { transaction_id: transactionId } });
  await notifyAsker(ctx, bill.submitted_by_id, { title: `${nounOf(bill)} ${bill.number} approved`, href: hrefOf(id) });
}

/** Above the limit of the division a staff administrator approves. */
async function refuseOverLimit(ctx: Ctx, bill: BillRecord): Promise<void> {
  if (bill.kind === 'credit' || ctx.user.role !== 'staff_user') return;
  // The unpaid total of a vendor is read by one person at a time.
  await ctx.db.exec(sql`select 1 from vendors where id = ${bill.vendor_id} for no key update`);
  const { unpaid_minor, limit_minor, functional_currency } = await exposureOf(ctx, { ...bill, on: bill.billed_on });
  if (unpaid_minor <= limit_minor) return;
  throw conflict('bill.over_limit', `The unpaid bills of ${bill.vendor_name} come to ${
    formatMoney(unpaid_minor, functional_currency)}. Above ${formatMoney(limit_minor, functional_currency)
  } an administrator approves.`, { unpaid_minor, limit_minor });
}

async function rateOf(ctx: WorkContext, bill: BillRecord) {
  const { functional } = await ctx.db.one<{ functional: Currency }>(sql`
    select functional_currency as functional from divisions where code = ${bill.division}`);
  if (functional === bill.currency) return null;
  const rate = await rateOn(ctx.db, bill.currency as Currency, functional, bill.billed_on);
  if (!rate) {
    throw conflict('fx.no_rate', missingRate(bill.currency, functional, bill.billed_on));
  }
  return rate;
}

interface StoredLine {
  account: string; party_types: string[] | null; net_minor: number; tax_minor: number; treatment: TaxTreatment;
  tax_code_id: number | null; jurisdiction: string | null; show_id: number | null; license_id: number | null;
  description: string; cleared_minor: number | null;
}

async function postBill(ctx: WorkContext, bill: BillRecord, rate: string): Promise<number> {
  const stored = await ctx.db.query<StoredLine>(sql`
    select a.code as account, a.party_types, l.net_minor, l.tax_minor, l.treatment, l.tax_code_id, l.jurisdiction,
      l.show_id, l.license_id, l.description, l.cleared_minor
    from bill_lines l join ledger_accounts a on a.id = l.ledger_account_id where l.bill_id = ${bill.id} order by sort`);
  const lines: BillLinePosting[] = [];
  for (const line of stored) {
    lines.push({
      account: line.account, net_minor: BigInt(line.net_minor), tax_minor: BigInt(line.tax_minor),
      treatment: line.treatment, tax_code_id: line.tax_code_id,
      authority_id: line.jurisdiction === null ? null : await taxAuthority(ctx, line.jurisdiction),
      takes_vendor: line.party_types?.includes('vendor') ?? false,
      takes_authority: line.party_types?.includes('tax_authority') ?? false, memo: line.description.slice(0, 500),
      cleared_minor: line.cleared_minor === null ? null : BigInt(line.cleared_minor),
      refs: { bill_id: bill.id, ...(line.show_id === null ? {} : { show_id: line.show_id }),
        ...(line.license_id === null ? {} : { license_id: line.license_id }) },
    });
  }
  const currency = bill.currency as Currency;
  const posted = await postJournal(ctx.db, {
    division: bill.division as Division, transaction_at: bill.billed_on,
    kind: lines.some((line) => line.takes_authority) ? 'tax_payment' : postingKind(bill.kind),
    description: [`${nounOf(bill)} ${bill.number}`, bill.vendor_name, bill.vendor_number]
      .filter((part) => part !== '').join(' · ').slice(0, 500),
    source: { type: 'bill', id: bill.id, event: 'approved', attempt: 1 },
    lines: convert(billLines({ kind: bill.kind, vendor_id: bill.vendor_id, due_on: bill.due_on, lines })
      .map(({ amount_minor, due_on, tax_base_minor, refs, ...line }) => ({ ...line, currency, amount: amount_minor,
        refs: refs ?? { bill_id: bill.id }, ...(due_on === undefined ? {} : { due_date: due_on }),
        ...(tax_base_minor === undefined ? {} : { tax_base: tax_base_minor }) })), bill.division as Division, rate),
  }, ctx.actor.actor_id);
  return posted.transaction_id;
}

/** A bill on hold is neither approved nor paid. */
export async function holdBill(ctx: WorkContext, id: number, input: { version: number; reason: string | null }):
Promise<void> {
  const bill = await lockBill(ctx, id, input.version);
  refuseUnless(bill, ['draft', 'submitted', 'approved']);
  if ((bill.hold_reason === null) === (input.reason === null)) {
    throw conflict('bill.hold', `${bill.number} is ${input.reason === null ? 'not' : 'already'} on hold.`);
  }
  if (input.reason !== null) await refuseReserved(ctx, bill);
  await ctx.db.exec(sql`
    update bills set hold_reason = ${input.reason},
      held_by_id = ${input.reason === null ? null : ctx.actor.actor_id},
      held_at = ${input.reason === null ? null : ctx.now().toISOString()}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: input.reason === null ? 'release' : 'hold', entity: 'bill', entity_id: id,
    after: input.reason === null ? {} : { reason: input.reason } });
}

/** Locks the item of the bill. 409 where a payment that has not left yet pays it. */
async function refuseReserved(ctx: WorkContext, bill: BillRecord): Promise<void> {
  if (bill.open_item_id === null) return;
  await ctx.db.exec(sql`select lock_payable_items(array[${bill.open_item_id}]::bigint[])`);
  const reserved = await ctx.db.maybeOne(sql`
    select 1 from payment_parts where open_item_id = ${bill.open_item_id} and state = 'reserved'`);
  if (reserved) throw conflict('bill.settled', 'A payment of this bill is prepared. Withdraw the payment first.');
}

/** Reverses what an approved bill posted, as long as nothing was paid on it and nothing applied. */
export async function voidBill(
  ctx: WorkContext, id: number, input: { version: number; reason: string; on?: string | undefined },
): Promise<void> {
  const bill = await lockBill(ctx, id, input.version);
  refuseUnless(bill, ['approved']);
  if (bill.opening_set_id !== null) {
    throw conflict('bill.opening', `${bill.number} came with the opening balances. Enter a vendor credit for it, or `
      + 'reverse its set.', { opening_set_id: bill.opening_set_id });
  }
  await refuseReserved(ctx, bill);
  const { touched } = await ctx.db.one<{ touched: boolean }>(sql`
    select open_minor <> original_minor as touched from open_items where id = ${bill.open_item_id}`);
  if (touched) {
    throw conflict('bill.settled', bill.kind === 'credit' ? 'Take the credit off its bills first.'
      : 'Something was paid on this bill, or a credit applied. Take that back first.');
  }
  const today = await ctx.today(bill.division);
  const on = input.on ?? (today > bill.billed_on ? today : bill.billed_on);
  if (on < bill.billed_on) throw invalidField('on', `Enter ${dateInWords(bill.billed_on)} or a later date`);
  await refuseClosedDay(ctx.db, { division: bill.division, kind: postingKind(bill.kind), on, field: 'on',
    actor_id: ctx.actor.actor_id });
  await reverseTransaction(ctx.db, { transaction_id: bill.transaction_id!, transaction_at: on, reason: input.reason,
    actor_id: ctx.actor.actor_id, document: { type: 'bill', id } });
  await ctx.db.exec(sql`
    update bills set status = 'void', voided_on = ${on}, void_reason = ${input.reason}, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'void', entity: 'bill', entity_id: id, after: { on, reason: input.reason } });
}
