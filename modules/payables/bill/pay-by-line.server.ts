/**
 * A line of the bank pays bills or refunds vendor credits: the money has moved outside the product already, by direct
 * debit, card or standing order. The payment is recorded as one payee's is, with two people behind it: who approved the
 * bill, and somebody else who matches the line.
 */
import type { Division } from '#kernel/money/division.ts';
import { formatMoney, type Currency } from '#kernel/money/money.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { convert } from '#kernel/ledger/journal.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { allocate, openItem, postJournal, reverseTransaction, unallocate }
  from '#modules/accounting/accounting.public.server.ts';
import { bankPostingOf, changeOutgoing, exchangeOf, IN_TRANSIT, postExchange, rateFor, refuseCurrency }
  from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import type { OpenItems, SettledDocument, SettledPart, Settlement } from '#server/open-items.ts';
import { sql } from '#server/sql.ts';
import { makeDisbursement, methodsOf, voidDisbursement } from '../disbursement/disbursement.server.ts';
import { lockDisbursement } from '../disbursement/disbursement-store.server.ts';
import { postDisbursement } from '../disbursement/post-disbursement.server.ts';
import { awaitedPayments } from '../payment/awaited-payments.server.ts';
import { approverRefusal, BILL, CREDIT, findBills } from './open-bills.server.ts';

/** Types of the documents that a match makes. */
const PAYMENT = 'bill_payment';
const REFUND = 'vendor_refund';

interface ChosenBill {
  id: number;
  number: string;
  is_credit: boolean;
  currency: Currency;
  vendor_id: number;
  vendor_name: string;
  status: string;
  hold_reason: string | null;
  opened_on: string;
  open_item_id: number;
  approved_by_id: number | null;
  /** Positive; not reserved by another payment. */
  free_minor: number;
}

/** `bank_minor`: positive, in the currency of the account. */
interface Chosen { bill: ChosenBill; amount_minor: number; bank_minor: number; discount_minor: number }

/** Bills first, then their open items, as every change of a bill locks them. */
async function lockBills(ctx: WorkContext, { account, parts }: Settlement): Promise<Map<number, ChosenBill>> {
  const ids = parts.map((part) => part.id);
  await ctx.db.exec(sql`select 1 from bills where id = any (${ids}::bigint[]) order by id for update`);
  await ctx.db.exec(sql`select lock_payable_items(array(select open_item_id from bills
    where id = any (${ids}::bigint[]) and open_item_id is not null))`);
  const rows = await ctx.db.query<ChosenBill>(sql`
    select b.id, b.number, b.kind = 'credit' as is_credit, b.currency, b.vendor_id, v.name as vendor_name, b.status,
      b.hold_reason, i.opened_on, b.open_item_id, b.approved_by_id, abs(i.free_minor) as free_minor
    from bills b join vendors v on v.id = b.vendor_id join payable_items i on i.id = b.open_item_id
    where b.id = any (${ids}::bigint[]) and b.division = ${account.division} and b.deleted_at is null order by b.id`);
  return new Map(rows.map((row) => [row.id, row]));
}

async function choose(
  ctx: WorkContext, found: ReadonlyMap<number, ChosenBill>, part: SettledPart, at: number, of: Settlement,
): Promise<Chosen> {
  const bill = found.get(part.id);
  if (!bill || bill.status !== 'approved' || bill.is_credit !== (part.kind === CREDIT)) {
    throw conflict('bank_match.item_taken', 'Nothing is open on a bill any more. Choose again.');
  }
  if (bill.hold_reason !== null) {
    throw conflict('payment.on_hold', `${bill.number} is on hold: ${bill.hold_reason}`);
  }
  await refuseCurrency(ctx, of, part, bill, `parts.${at}`);
  if (of.on < bill.opened_on) {
    throw invalidField(`parts.${at}`, `${bill.number} is of ${dateInWords(bill.opened_on)}, after the bank line. Match `
      + 'a bill of the same day or earlier');
  }
  if (part.amount_minor + part.discount_minor > bill.free_minor) {
    throw conflict('bank_match.item_taken', bill.free_minor === 0
      ? `A prepared payment pays ${bill.number}. Withdraw it, or match the line once it is posted.`
      : `Only ${formatMoney(bill.free_minor, bill.currency)} is free on ${bill.number}. Choose again.`);
  }
  return { bill, amount_minor: part.amount_minor, bank_minor: part.bank_minor ?? part.amount_minor,
    discount_minor: part.discount_minor };
}

/** One payment for each vendor and currency; credits beside bills are set off, credits alone are a refund each. */
async function settle(ctx: WorkContext, of: Settlement): Promise<SettledDocument[]> {
  const found = await lockBills(ctx, of);
  const chosen: Chosen[] = [];
  for (const [at, part] of of.parts.entries()) chosen.push(await choose(ctx, found, part, at, of));
  const made: SettledDocument[] = [];
  const vendors = Map.groupBy(chosen.toSorted((a, b) => a.bill.vendor_id - b.bill.vendor_id),
    ({ bill }) => `${bill.vendor_id} ${bill.currency}`);
  for (const own of vendors.values()) {
    if (own.some(({ bill }) => !bill.is_credit)) made.push(await payBills(ctx, of, own));
    else for (const one of own) made.push(await takeRefund(ctx, of, one));
  }
  return made;
}

/** The last to approve one of the bills; 403 for whoever approved any. Bills of the former books have nobody. */
function approverOf(ctx: WorkContext, own: readonly Chosen[]): number | null {
  for (const { bill } of own) {
    if (bill.approved_by_id !== null && bill.approved_by_id === ctx.actor.actor_id) {
      throw refuse('four_eyes', approverRefusal(bill.number));
    }
  }
  return own.map(({ bill }) => bill.approved_by_id).findLast((person) => person !== null) ?? null;
}

async function payBills(ctx: WorkContext, of: Settlement, own: readonly Chosen[]): Promise<SettledDocument> {
  const approved_by_id = approverOf(ctx, own);
  const [{ bill: first }] = own as [Chosen];
  const [division, { currency }] = [of.account.division as Division, first];
  const { payment_id } = await makeDisbursement(ctx, { division, currency,
    bank_account_id: of.account.bank_account_id, method: methodsOf(division, currency)[0]!, party_type: 'vendor',
    party_id: first.vendor_id, on: of.on, memo: 'Recorded from the bank statement', ...atBank(of, own),
    parts: own.map(({ bill, amount_minor, discount_minor }) => ({ open_item_id: bill.open_item_id, discount_minor,
      amount_minor: bill.is_credit ? -amount_minor : amount_minor })) });
  const { withheld_minor } = await lockDisbursement(ctx, payment_id);
  if (withheld_minor > 0) {
    throw invalidField('parts', `Tax is withheld from payments to ${first.vendor_name}. Record the payment under `
      + 'Accounts payable, then match the line with it');
  }
  await changeOutgoing(ctx, payment_id, { status: 'approved', approved_by_id, approved_at: ctx.now().toISOString(),
    ...(of.reference === '' ? {} : { reference: of.reference.slice(0, 200) }) });
  await postDisbursement(ctx, payment_id, of.on);
  return { type: PAYMENT, id: payment_id, transaction_id: await bankPostingOf(ctx, payment_id) };
}

/** Amount that left an account in another currency; credits that are set off reduce it. */
function atBank(of: Settlement, own: readonly Chosen[]): { bank?: { currency: Currency; amount_minor: number } } {
  const currency = of.account.currency as Currency;
  if (own[0]!.bill.currency === currency) return {};
  const amount_minor = own.reduce((all, { bill, bank_minor }) => all + (bill.is_credit ? -bank_minor : bank_minor), 0);
  if (amount_minor > 0) return { bank: { currency, amount_minor } };
  throw invalidField('parts', 'Nothing is left to pay: the credits come to as much as what is owed, or more');
}

/** Posts the money against the vendor's account and applies it to the credit. */
async function takeRefund(ctx: WorkContext, of: Settlement, one: Chosen): Promise<SettledDocument> {
  approverOf(ctx, [one]);
  const { bill, bill: { currency }, amount_minor } = one;
  const division = of.account.division as Division;
  const isForeign = currency !== of.account.currency;
  await refuseFutureMoney(ctx, { division, on: of.on, field: 'on' });
  const rate = await rateFor(ctx, division, currency, of.on);
  const { code } = await ctx.db.one<{ code: string }>(sql`
    select code from ledger_accounts where id = ${of.account.ledger_account_id}`);
  const amount = BigInt(amount_minor);
  const { transaction_id } = await postJournal(ctx.db, { division, kind: 'payment', transaction_at: of.on, source: null,
    description: `Refund of ${bill.vendor_name}: ${bill.number}`.slice(0, 500),
    lines: convert([{ account: isForeign ? IN_TRANSIT : code, currency, amount, refs: { bill_id: bill.id } },
      { account: '2000', currency, amount: -amount, party: { type: 'vendor' as const, id: bill.vendor_id },
        due_date: of.on, refs: { bill_id: bill.id } }], division, rate.rate) }, ctx.actor.actor_id);
  const at_bank = !isForeign ? transaction_id : await postExchange(ctx, { division, on: of.on,
    source: { type: 'transaction', id: transaction_id },
    description: `Refund of ${bill.vendor_name} in ${of.account.currency}: ${bill.number}`.slice(0, 500),
    document: { currency, amount_minor },
    bank: { account: code, currency: of.account.currency, amount_minor: one.bank_minor } });
  const own = await openItem(ctx.db, { transaction_id, account: '2000' });
  await allocate(ctx.db, { debit_item_id: bill.open_item_id, credit_item_id: own.id, amount_minor: amount,
    allocated_at: of.on, actor_id: ctx.actor.actor_id });
  await ctx.audit({ action: 'refund', entity: 'bill', entity_id: bill.id,
    after: { amount_minor, on: of.on, transaction_id } });
  return { type: REFUND, id: transaction_id, transaction_id: at_bank };
}

async function takeBackRefund(ctx: WorkContext, of: { id: number; on: string; reason: string }): Promise<void> {
  const own = await openItem(ctx.db, { transaction_id: of.id, account: '2000' });
  const made = await ctx.db.query<{ id: number; bill_id: number }>(sql`
    select a.id, d.document_id as bill_id from allocations a join open_items d on d.id = a.debit_item_id
    where a.credit_item_id = ${own.id} and a.reverses_id is null
      and not exists (select 1 from allocations b where b.reverses_id = a.id) order by a.id desc`);
  for (const { id, bill_id } of made) {
    await unallocate(ctx.db, { allocation_id: id, allocated_at: of.on, actor_id: ctx.actor.actor_id });
    await ctx.audit({ action: 'take_back_refund', entity: 'bill', entity_id: bill_id, after: { reason: of.reason } });
  }
  const document = { type: 'transaction' as const, id: of.id };
  const exchange = await exchangeOf(ctx, document);
  const reversal = { transaction_at: of.on, reason: of.reason, actor_id: ctx.actor.actor_id };
  if (exchange !== null) await reverseTransaction(ctx.db, { ...reversal, transaction_id: exchange, document });
  await reverseTransaction(ctx.db, { ...reversal, transaction_id: of.id, document: null });
}

async function takeBack(ctx: WorkContext, of: { type: string; id: number; on: string; reason: string }):
Promise<void> {
  if (of.type === REFUND) await takeBackRefund(ctx, of);
  else await voidDisbursement(ctx, of.id, of.on, of.reason);
}

export const payableItems: OpenItems<WorkContext> = { kinds: [BILL, CREDIT], outgoing: [BILL],
  document_types: [PAYMENT, REFUND], permissions: ['payment.create', 'payment.updateStatus'], find: findBills, settle,
  takeBack, awaited: awaitedPayments };
