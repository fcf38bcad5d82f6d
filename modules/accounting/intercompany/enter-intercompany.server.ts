/** Entries between divisions as records: asked for, posted in both books by another person, reversed in both. */
import { missingRate } from '#kernel/money/exchange.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { intercompanyLines } from '#kernel/ledger/intercompany.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql, type Sql } from '#server/sql.ts';
import type * as z from 'zod';
import { postJournals, reverseTransaction } from '../ledger/post.server.ts';
import { refuseClosedDay } from '../ledger/posting-day.server.ts';
import { rateOn } from '../ledger/series.server.ts';
import { intercompanyEndpoints, type intercompanyBody, type IntercompanyRow } from './intercompany.contract.ts';

export const INTERCOMPANY = '/admin/accounting/intercompany';
type Input = z.output<typeof intercompanyBody>;

const person = (id: Sql): Sql => sql`(select concat_ws(' ', first_name, last_name) from users where id = ${id})`;
const account = (id: Sql): Sql => sql`(select code || ' ' || name from ledger_accounts where id = ${id})`;
const currency = (division: Sql): Sql => sql`(select functional_currency from divisions where code = ${division})`;
/** As the kernel rounds: half away from zero, which is what `round` does with numeric. */
const base = (rate: Sql): Sql => sql`round(t.amount_minor * coalesce(${rate}, 1))::bigint`;
/** The payment `p` of the bill, or the receipt of the customer, that the posting made. */
const madeBy = sql`p.transaction_id = case when t.bill_id is not null then t.debtor_transaction_id
  when t.customer_id is not null then t.creditor_transaction_id end`;
export const INTERCOMPANY_COLUMNS = sql`t.id, t.number, t.kind, t.status, t.dated_on, t.description, t.currency,
  t.amount_minor, t.creditor, t.creditor_account_id, ${account(sql`t.creditor_account_id`)} as creditor_account,
  ${currency(sql`t.creditor`)} as creditor_currency, ${base(sql`t.creditor_rate`)} as creditor_base_minor,
  t.customer_id, (select name from customers where id = t.customer_id) as customer_name,
  t.debtor, t.debtor_account_id, ${account(sql`t.debtor_account_id`)} as debtor_account,
  ${currency(sql`t.debtor`)} as debtor_currency, ${base(sql`t.debtor_rate`)} as debtor_base_minor,
  t.bill_id, (select d.number from ledger_document('bill', t.bill_id) d) as bill_number,
  ${currentVendor(sql`t.vendor_id`)} as vendor_id,
  (select name from vendors where id = ${currentVendor(sql`t.vendor_id`)}) as vendor_name,
  (select p.id from payments p where ${madeBy}) as payment_id,
  (select p.number from payments p where ${madeBy}) as payment_number,
  t.requested_by_id, ${person(sql`t.requested_by_id`)} as requested_by_name, t.requested_at,
  ${person(sql`t.decided_by_id`)} as decided_by_name, t.decided_at, t.decline_reason, t.creditor_transaction_id,
  t.debtor_transaction_id, t.creditor_reversal_id, t.debtor_reversal_id, t.reversed_on,
  ${person(sql`t.reversed_by_id`)} as reversed_by_name, t.reversal_reason, t.version, t.created_at, t.updated_at`;

export async function findIntercompany(ctx: WorkContext, id: number): Promise<IntercompanyRow> {
  const row = await ctx.db.maybeOne<IntercompanyRow>(sql`
    select ${INTERCOMPANY_COLUMNS} from intercompany_entries t where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

interface Account { code: string; currency: Currency | null; fits: boolean; is_bank: boolean;
  system_key: string | null }

/** Document that opens an account kept by documents: who paid accounts receivable, or which bill is paid. */
interface OfDocument { key: 'ar' | 'ap'; field: 'customer_id' | 'bill_id'; id: number | null; missing: string;
  elsewhere: string }

const theCustomer = (id: number | null): OfDocument => ({ key: 'ar', field: 'customer_id', id,
  missing: 'Choose the customer who paid',
  elsewhere: 'Choose accounts receivable as the account, or leave the customer empty' });
const theBill = (id: number | null): OfDocument => ({ key: 'ap', field: 'bill_id', id,
  missing: 'Choose the bill that is paid',
  elsewhere: 'Choose accounts payable as the account, or leave the bill empty' });

/**
 * An account of the division that takes the amount without a party: a bank account, or one for journals by hand; or one
 * that documents keep, with the document.
 */
async function refuseAccount(ctx: WorkContext, of: { id: number; division: Division; currency: Currency;
  field: string; document: OfDocument | null }): Promise<Account> {
  const row = await ctx.db.maybeOne<Account>(sql`
    select a.code, a.currency, a.is_bank, a.active and (a.is_bank or a.allow_manual and not a.is_cash and not a.is_tax)
      and a.party_types is null and not a.has_open_items as fits,
      case when a.active then a.system_key end as system_key
    from ledger_accounts a where a.id = ${of.id} and a.division = ${of.division} and a.deleted_at is null`);
  if (!row) throw invalidField(of.field, `Choose an account of division ${of.division}`);
  const { document } = of;
  const opens = document !== null && row.system_key === document.key;
  if (opens && document.id === null) throw invalidField(document.field, document.missing);
  if (!opens && document !== null && document.id !== null) throw invalidField(document.field, document.elsewhere);
  if (!row.fits && !opens) {
    throw invalidField(of.field, `Account ${row.code} is kept by documents. Choose another account`);
  }
  if (row.currency !== null && row.currency !== of.currency) {
    throw invalidField(of.field, `Account ${row.code} is kept in ${row.currency}. Choose an account in ${of.currency}`);
  }
  return row;
}

/** The bill is paid from a bank account of the creditor; answers its vendor. */
async function refuseBill(ctx: WorkContext, body: Input, creditor: Account): Promise<number | null> {
  if (body.bill_id === null) return null;
  if (!creditor.is_bank) {
    throw invalidField('creditor_account_id', 'Choose the bank account from which the bill was paid');
  }
  return (await ctx.ports.money.payables.refuseNotPayable(ctx, { bill_id: body.bill_id, division: body.debtor,
    currency: body.currency, amount_minor: body.amount_minor, on: body.dated_on })).vendor_id;
}

/** An entry names a customer or a bill, and a settlement neither. */
function refuseDocuments(body: Input): void {
  if (body.kind === 'settlement') {
    if (body.customer_id !== null) throw invalidField('customer_id', 'A settlement names no customer. Leave it empty');
    if (body.bill_id !== null) throw invalidField('bill_id', 'A settlement pays no bill. Leave it empty');
  }
  if (body.customer_id !== null && body.bill_id !== null) {
    throw invalidField('bill_id', 'Enter the bill and the customer’s money as two entries. Leave the bill empty');
  }
}

async function refuseCustomer(ctx: WorkContext, body: Input): Promise<void> {
  if (body.customer_id === null) return;
  const found = await ctx.db.maybeOne(sql`
    select 1 from customers where id = ${body.customer_id} and deleted_at is null`);
  if (!found) throw invalidField('customer_id', 'Choose a customer');
}

async function rateFor(ctx: WorkContext, division: Division, of: Pick<Input, 'currency' | 'dated_on'>):
Promise<string | null> {
  const own = FUNCTIONAL_CURRENCY[division];
  if (own === of.currency) return null;
  const found = await rateOn(ctx.db, of.currency, own, of.dated_on);
  if (!found) {
    throw conflict('fx.no_rate',
      missingRate(of.currency, own, of.dated_on));
  }
  return found.rate;
}

export async function askForIntercompany(ctx: WorkContext, body: Input): Promise<IntercompanyRow> {
  if (body.creditor === body.debtor) throw invalidField('debtor', 'Choose two divisions');
  refuseDocuments(body);
  for (const division of [body.creditor, body.debtor]) {
    await refuseFutureMoney(ctx, { division, on: body.dated_on, field: 'dated_on' });
    await refuseClosedDay(ctx.db, { division, kind: 'intercompany', on: body.dated_on, field: 'dated_on',
      actor_id: ctx.actor.actor_id });
  }
  const { currency: kept } = body;
  const charges = body.kind === 'charge';
  const creditor = await refuseAccount(ctx, { id: body.creditor_account_id, division: body.creditor, currency: kept,
    field: 'creditor_account_id', document: charges ? theCustomer(body.customer_id) : null });
  await refuseCustomer(ctx, body);
  await refuseAccount(ctx, { id: body.debtor_account_id, division: body.debtor, currency: kept,
    field: 'debtor_account_id', document: charges ? theBill(body.bill_id) : null });
  const vendor = await refuseBill(ctx, body, creditor);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into intercompany_entries (number, kind, dated_on, description, currency, amount_minor, creditor,
      creditor_account_id, creditor_rate, customer_id, debtor, debtor_account_id, debtor_rate, vendor_id, bill_id,
      requested_by_id, requested_at)
    values (next_number('intercompany', ${body.creditor}, ${body.dated_on}::date), ${body.kind}, ${body.dated_on},
      ${body.description}, ${kept}, ${body.amount_minor}, ${body.creditor}, ${body.creditor_account_id},
      ${await rateFor(ctx, body.creditor, body)}, ${body.customer_id}, ${body.debtor}, ${body.debtor_account_id},
      ${await rateFor(ctx, body.debtor, body)}, ${vendor}, ${body.bill_id}, ${ctx.actor.actor_id},
      ${ctx.now().toISOString()}) returning id`);
  const row = await findIntercompany(ctx, id);
  await ctx.audit({ action: 'create', entity: 'intercompany_entry', entity_id: id, after: row });
  await notifyApprovers(ctx, intercompanyEndpoints.approve, { title: `${row.number} awaits approval`,
    href: `${INTERCOMPANY}/${id}` });
  return row;
}

/** Locked, in the state that the action needs, and at the version that the person saw, where a person saw one. */
async function lockEntry(ctx: WorkContext, id: number, status: 'waiting' | 'posted', version?: number):
Promise<IntercompanyRow> {
  await ctx.db.query(sql`select 1 from intercompany_entries where id = ${id} for update`);
  const row = await findIntercompany(ctx, id);
  if (row.status !== status) {
    throw status === 'waiting' ? conflict('intercompany.decided', `${row.number} was decided before.`)
      : conflict('intercompany.not_posted', `${row.number} is not posted, or was reversed before.`);
  }
  if (version !== undefined && row.version !== version) throw stale(row);
  return row;
}

async function save(ctx: WorkContext, before: IntercompanyRow, set: Sql, action: string): Promise<IntercompanyRow> {
  await ctx.db.exec(sql`update intercompany_entries set ${set}, version = version + 1 where id = ${before.id}`);
  const after = await findIntercompany(ctx, before.id);
  await ctx.audit({ action, entity: 'intercompany_entry', entity_id: before.id, before, after });
  return after;
}

const decided = (ctx: WorkContext, status: string): Sql => sql`status = ${status},
  decided_by_id = ${ctx.actor.actor_id}, decided_at = ${ctx.now().toISOString()}`;

interface Posting { creditor_code: string; creditor_rate: string | null; creditor_id: number; debtor_code: string;
  debtor_rate: string | null; debtor_id: number; group_id: number }

const payBill = (ctx: WorkContext, row: IntercompanyRow): Promise<{ payment_id: number; vendor_id: number } | null> =>
  (row.bill_id === null ? Promise.resolve(null) : ctx.ports.money.payables.reserveBill(ctx, { bill_id: row.bill_id,
    division: row.debtor, currency: row.currency, amount_minor: row.amount_minor, on: row.dated_on,
    reference: row.number, memo: row.description, asked_by_id: row.requested_by_id }));

/** Posts both sides in one call: either both stand, or neither. A bill is locked before, and settled after it. */
async function postSides(ctx: WorkContext, row: IntercompanyRow): Promise<[number, number]> {
  const paid = await payBill(ctx, row);
  const of = await ctx.db.one<Posting>(sql`
    select ca.code as creditor_code, t.creditor_rate::text as creditor_rate, cd.id as creditor_id,
      da.code as debtor_code, t.debtor_rate::text as debtor_rate, dd.id as debtor_id,
      nextval('intercompany_groups') as group_id
    from intercompany_entries t join ledger_accounts ca on ca.id = t.creditor_account_id
      join ledger_accounts da on da.id = t.debtor_account_id join divisions cd on cd.code = t.creditor
      join divisions dd on dd.code = t.debtor where t.id = ${row.id}`);
  const lines = intercompanyLines({ kind: row.kind, currency: row.currency, amount: BigInt(row.amount_minor),
    creditor: { account: of.creditor_code, rate: of.creditor_rate, other: of.debtor_id,
      ...(row.customer_id === null ? {} : { party: { type: 'customer', id: row.customer_id } }) },
    debtor: { account: of.debtor_code, rate: of.debtor_rate, other: of.creditor_id,
      ...(paid === null ? {} : { party: { type: 'vendor', id: paid.vendor_id },
        payment: { id: paid.payment_id, on: row.dated_on } }) } });
  const draft = (side: 'creditor' | 'debtor') => ({ division: row[side] as Division, kind: 'intercompany',
    transaction_at: row.dated_on, description: `${row.number}: ${row.description}`,
    source: { type: 'intercompany_entry', id: row.id, event: side, attempt: 1 }, lines: lines[side],
    intercompany_group_id: of.group_id });
  const [creditor, debtor] = await postJournals(ctx.db, [draft('creditor'), draft('debtor')], ctx.actor.actor_id);
  if (row.customer_id !== null) {
    await ctx.ports.money.receivables.collectedElsewhere(ctx, { customer_id: row.customer_id, division: row.creditor,
      currency: row.currency, amount_minor: row.amount_minor, on: row.dated_on, rate: of.creditor_rate ?? '1',
      transaction_id: creditor!.transaction_id, reference: row.number, memo: row.description });
  }
  if (paid !== null) {
    await ctx.ports.money.payables.billPaid(ctx, { payment_id: paid.payment_id, on: row.dated_on,
      transaction_id: debtor!.transaction_id, rate: of.debtor_rate ?? '1' });
  }
  return [creditor!.transaction_id, debtor!.transaction_id];
}

export async function approveIntercompany(ctx: WorkContext, id: number, version: number): Promise<IntercompanyRow> {
  const before = await lockEntry(ctx, id, 'waiting', version);
  if (before.requested_by_id === ctx.actor.actor_id) throw refuse('four_eyes');
  const [creditor, debtor] = await postSides(ctx, before);
  const after = await save(ctx, before, sql`${decided(ctx, 'posted')}, creditor_transaction_id = ${creditor},
    debtor_transaction_id = ${debtor}`, 'approve');
  await notifyAsker(ctx, before.requested_by_id, { title: `Posted: ${before.number}`, href: `${INTERCOMPANY}/${id}` });
  return after;
}

export async function declineIntercompany(ctx: WorkContext, id: number, reason: string): Promise<IntercompanyRow> {
  const before = await lockEntry(ctx, id, 'waiting');
  if (before.requested_by_id === ctx.actor.actor_id) throw refuse('four_eyes');
  const after = await save(ctx, before, sql`${decided(ctx, 'declined')}, decline_reason = ${reason}`, 'decline');
  await notifyAsker(ctx, before.requested_by_id, { title: `Declined: ${before.number}`, body: reason,
    href: `${INTERCOMPANY}/${id}` });
  return after;
}

export async function withdrawIntercompany(ctx: WorkContext, id: number, version: number): Promise<IntercompanyRow> {
  const before = await lockEntry(ctx, id, 'waiting', version);
  if (before.requested_by_id !== ctx.actor.actor_id) {
    throw conflict('intercompany.not_yours',
      'Another person asked for this, so you cannot withdraw it. Decline it instead.');
  }
  return save(ctx, before, decided(ctx, 'withdrawn'), 'cancel');
}

const SIDES = ['creditor', 'debtor'] as const;

/** Takes both sides back on one day: the later of the two divisions' today, where none is given. */
export async function reverseIntercompany(ctx: WorkContext, id: number, of: { version: number;
  reversed_on: string | null; reason: string }): Promise<IntercompanyRow> {
  const before = await lockEntry(ctx, id, 'posted', of.version);
  const days = [await ctx.today(before.creditor), await ctx.today(before.debtor), before.dated_on];
  const on = of.reversed_on ?? days.toSorted().at(-1)!;
  if (on < before.dated_on) {
    throw invalidField('reversed_on', `Enter ${dateInWords(before.dated_on)} or a later date`);
  }
  const { money } = ctx.ports;
  if (before.customer_id !== null) {
    await money.receivables.refuseAppliedCollection(ctx, before.creditor_transaction_id!);
  }
  for (const side of SIDES) {
    if (of.reversed_on !== null) {
      await refuseFutureMoney(ctx, { division: before[side], on, field: 'reversed_on' });
    }
    await refuseClosedDay(ctx.db, { division: before[side], kind: 'intercompany', on, field: 'reversed_on',
      actor_id: ctx.actor.actor_id });
  }
  if (before.bill_id !== null) {
    await money.payables.takeOffBill(ctx, { transaction_id: before.debtor_transaction_id!, on });
  }
  const sides: number[] = [];
  for (const side of SIDES) {
    const { transaction_id } = await reverseTransaction(ctx.db, { transaction_id: before[`${side}_transaction_id`]!,
      transaction_at: on, reason: of.reason, actor_id: ctx.actor.actor_id,
      document: { type: 'intercompany_entry', id } });
    sides.push(transaction_id);
  }
  if (before.bill_id !== null) {
    await money.payables.billPaymentTakenBack(ctx, { transaction_id: before.debtor_transaction_id!,
      reversal_id: sides[1]!, on, reason: of.reason });
  }
  if (before.customer_id !== null) {
    await money.receivables.collectionTakenBack(ctx, { transaction_id: before.creditor_transaction_id!,
      reversal_id: sides[0]!, on, reason: of.reason });
  }
  return save(ctx, before, sql`status = 'reversed', creditor_reversal_id = ${sides[0]!},
    debtor_reversal_id = ${sides[1]!}, reversed_on = ${on}, reversed_by_id = ${ctx.actor.actor_id},
    reversal_reason = ${of.reason}`, 'reverse');
}
