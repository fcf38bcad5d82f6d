/**
 * Amounts customers owed when a company moved in (event 29): open invoices with their old numbers, and credits as money
 * on account. They are paid, credited, applied and aged like any other; they carry no tax, since the former books
 * reported it.
 */
import { documentLines } from '#kernel/ledger/opening-sets.ts';
import type { JournalDraft } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { postJournals, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface OpeningReceivable {
  row_no: number;
  customer_id: number;
  billing_name: string;
  address: unknown;
  vat_number: string | null;
  /** Of the former books; may be empty on a credit. */
  number: string;
  issued_on: string;
  due_on: string;
  currency: Currency;
  /** Above zero an invoice, below zero a credit of the customer. */
  amount: bigint;
  base: bigint;
  rate: string;
  description: string;
  purchase_order: string;
  /** Debited where the invoice is credited: its income was earned in the former books. */
  income_account: string;
}

export interface OpeningSetFacts { set_id: number; division: Division; as_of: string }
export interface OpeningDocument { row_no: number; type: 'invoice' | 'payment' | 'bill'; id: number;
  transaction_id: number }

const draftOf = (set: OpeningSetFacts, row: OpeningReceivable, source: { type: string; id: number }): JournalDraft => ({
  division: set.division, kind: 'opening', transaction_at: set.as_of,
  description: [row.amount > 0n ? 'Opening invoice' : 'Opening credit', row.number, row.billing_name]
    .filter((part) => part !== '').join(' · ').slice(0, 500),
  source: { ...source, event: 'opening', attempt: 1 },
  lines: documentLines({ account: '1100', currency: row.currency, amount: row.amount, base: row.base,
    party: { type: 'customer', id: row.customer_id }, due_date: row.due_on, ...(row.rate !== '1' && {
      fx_rate: row.rate }),
    refs: source.type === 'invoice' ? { invoice_id: source.id } : { payment_id: source.id } }),
});

/** Makes the documents and posts each; all or none. */
export async function bringReceivables(ctx: WorkContext, set: OpeningSetFacts, rows: readonly OpeningReceivable[]):
Promise<OpeningDocument[]> {
  const invoices = rows.filter((row) => row.amount > 0n);
  const credits = rows.filter((row) => row.amount < 0n);
  const drafted = await insertInvoices(ctx, set, invoices);
  const posted = await postJournals(ctx.db, invoices.map((row) => draftOf(set, row, { type: 'invoice',
    id: drafted.get(row.row_no)! })), ctx.actor.actor_id);
  const made = invoices.map((row, n): OpeningDocument => ({ row_no: row.row_no, type: 'invoice',
    id: drafted.get(row.row_no)!, transaction_id: posted[n]!.transaction_id }));
  await issueInvoices(ctx, invoices, made);
  return [...made, ...await bringCredits(ctx, set, credits)];
}

async function insertInvoices(ctx: WorkContext, set: OpeningSetFacts, rows: readonly OpeningReceivable[]):
Promise<Map<number, number>> {
  const mark = (row: OpeningReceivable): string => `Opening set ${set.set_id}, row ${row.row_no}`;
  const drafted = await ctx.db.query<{ id: number; reference: string }>(sql`
    insert into invoices (kind, status, reference, opening_set_id, customer_id, division, currency, billing_name,
      billing_address, customer_vat_number, issued_on, tax_point_on, due_on, purchase_order_no, net_minor, tax_minor,
      total_minor, functional_rate, functional_rate_on, notes, issued_by_id)
    select 'invoice', 'draft', r.mark, ${set.set_id}, r.customer, ${set.division}, r.currency, r.billing_name,
      r.address::postal_address, r.vat, r.issued, r.issued, r.due, nullif(r.po, ''), r.amount, 0, r.amount, r.rate,
      r.issued, 'Brought from the former books', ${ctx.actor.actor_id}::bigint
    from unnest(${rows.map(mark)}::text[], ${rows.map((row) => row.customer_id)}::bigint[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.billing_name)}::text[],
      ${rows.map((row) => (row.address === null ? null : JSON.stringify(row.address)))}::text[],
      ${rows.map((row) => row.vat_number)}::text[], ${rows.map((row) => row.issued_on)}::date[],
      ${rows.map((row) => row.due_on)}::date[], ${rows.map((row) => row.purchase_order)}::text[],
      ${rows.map((row) => row.amount.toString())}::bigint[], ${rows.map((row) => row.rate)}::numeric[])
      r (mark, customer, currency, billing_name, address, vat, issued, due, po, amount, rate)
    returning id, reference`);
  const byMark = new Map(drafted.map((row) => [row.reference, row.id]));
  const ids = new Map(rows.map((row) => [row.row_no, byMark.get(mark(row))!]));
  await ctx.db.exec(sql`
    insert into invoice_items (invoice_id, sort, kind, description, quantity, unit_minor, net_minor, tax_minor,
      total_minor, income_type, item_class, royalty_bearing, release_rule, account_code)
    select r.id, 0, 'fee', r.description, 1, r.amount, r.amount, 0, r.amount, 'fee', 'fee', false, 'at_once', r.account
    from unnest(${rows.map((row) => ids.get(row.row_no)!)}::bigint[],
      ${rows.map((row) => row.description || `Invoice ${row.number}`)}::text[],
      ${rows.map((row) => row.amount.toString())}::bigint[], ${rows.map((row) => row.income_account)}::text[])
      r (id, description, amount, account)`);
  return ids;
}

/** Numbers of the former books, the posting and its open item. */
async function issueInvoices(ctx: WorkContext, rows: readonly OpeningReceivable[], made: readonly OpeningDocument[]):
Promise<void> {
  await ctx.db.exec(sql`
    update invoices v set invoice_number = r.number, reference = null, status = 'issued', transaction_id = r.posted,
      open_item_id = (select i.id from open_items i join ledger_accounts a on a.id = i.ledger_account_id
        where i.transaction_id = r.posted and a.system_key = 'ar'), version = version + 1
    from unnest(${made.map((one) => one.id)}::bigint[], ${rows.map((row) => row.number)}::text[],
      ${made.map((one) => one.transaction_id)}::bigint[]) r (id, number, posted) where v.id = r.id`);
}

/** Money of customers on account. It came to no bank account of ours, so the row names 3999. */
async function bringCredits(ctx: WorkContext, set: OpeningSetFacts, rows: readonly OpeningReceivable[]):
Promise<OpeningDocument[]> {
  const made: OpeningDocument[] = [];
  for (const row of rows) {
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into payments (number, direction, kind, opening_set_id, party_type, party_id, division, ledger_account_id,
        currency, amount_minor, method, paid_on, reference, functional_rate, functional_rate_on, memo, created_by_id)
      values (next_number('receipt', ${set.division}, ${row.issued_on}::date), 'in', 'receipt', ${set.set_id},
        'customer', ${row.customer_id}, ${set.division}, (select id from ledger_accounts
          where division = ${set.division} and system_key = 'opening'), ${row.currency}, ${-row.amount}, 'set_off',
        ${row.issued_on}, ${row.number}, ${row.rate}, ${row.issued_on}, ${row.description}, ${ctx.actor.actor_id})
      returning id`);
    const [posted] = await postJournals(ctx.db, [draftOf(set, row, { type: 'payment', id })], ctx.actor.actor_id);
    await ctx.db.exec(sql`
      update payments set status = 'posted', posted_at = ${ctx.now().toISOString()},
        transaction_id = ${posted!.transaction_id} where id = ${id}`);
    made.push({ row_no: row.row_no, type: 'payment', id, transaction_id: posted!.transaction_id });
  }
  return made;
}

/** Documents of a set on which something happened since, by name. All of them stay locked. */
export async function receivablesInTheWay(db: Queryable, setId: number): Promise<string[]> {
  await db.query(sql`select 1 from payments where opening_set_id = ${setId} order by id for update`);
  await db.query(sql`select 1 from invoices where opening_set_id = ${setId} order by id for update`);
  const rows = await db.query<{ name: string }>(sql`
    select x.name from (
      select 'invoice ' || v.invoice_number as name, v.id from invoices v
      where v.opening_set_id = ${setId} and v.status <> 'void' and (v.status <> 'issued'
        or v.balance_minor <> v.total_minor or exists (select 1 from open_items i where i.id = v.open_item_id
          and i.open_minor <> i.original_minor) or exists (select 1 from invoices n where n.credits_invoice_id = v.id))
      union all
      select 'credit ' || p.number, p.id from payments p
      where p.opening_set_id = ${setId} and p.status <> 'reversed' and p.applied_minor <> 0) x
    order by x.name limit 200`);
  return rows.map((row) => row.name);
}

/** Reverses the postings of a set that {@link receivablesInTheWay} has locked; its invoices are void, numbers free. */
export async function takeBackReceivables(ctx: WorkContext, of: { set_id: number; on: string; reason: string }):
Promise<void> {
  const documents = await ctx.db.query<{ type: 'invoice' | 'payment'; id: number; transaction_id: number }>(sql`
    select 'payment' as type, id, transaction_id from payments where opening_set_id = ${of.set_id}
      and status <> 'reversed'
    union all select 'invoice', id, transaction_id from invoices where opening_set_id = ${of.set_id}
      and status <> 'void'`);
  for (const { type, id, transaction_id } of documents) {
    const mirror = await reverseTransaction(ctx.db, { transaction_id, transaction_at: of.on, reason: of.reason,
      actor_id: ctx.actor.actor_id, document: { type, id } });
    if (type === 'payment') {
      await ctx.db.exec(sql`
        update payments set status = 'reversed', returned_on = ${of.on}, reversal_reason = ${of.reason},
          reversal_transaction_id = ${mirror.transaction_id}, version = version + 1 where id = ${id}`);
    } else {
      await ctx.db.exec(sql`
        update invoices set status = 'void', voided_at = ${ctx.now().toISOString()}, void_reason = ${of.reason},
          reference = invoice_number || ' (opening set ' || ${of.set_id}::bigint || ')', invoice_number = null,
          version = version + 1 where id = ${id}`);
    }
  }
}
