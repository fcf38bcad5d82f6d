/**
 * Amounts owed to vendors when a company moved in (event 29): open bills and vendor credits under their own numbers,
 * paid and applied like any other. They carry no tax, since the former books reported it, and are voided only with
 * their set.
 */
import { documentLines } from '#kernel/ledger/opening-sets.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { postJournals, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface OpeningBill {
  row_no: number;
  vendor_id: number;
  number: string;
  billed_on: string;
  due_on: string;
  currency: Currency;
  /** Below zero a bill, above zero a credit of the vendor. */
  amount: bigint;
  base: bigint;
  rate: string;
  memo: string;
}

interface SetFacts { set_id: number; division: Division; as_of: string; functional: Currency }
interface PostedBill { row_no: number; type: 'bill'; id: number; transaction_id: number }

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** Makes the bills and posts each; all or none. */
export async function bringBills(ctx: WorkContext, set: SetFacts, rows: readonly OpeningBill[]): Promise<PostedBill[]> {
  const ids = await insertBills(ctx, set, rows);
  const posted = await postJournals(ctx.db, rows.map((row) => ({
    division: set.division, kind: 'opening', transaction_at: set.as_of,
    description: `Opening ${row.amount < 0n ? 'bill' : 'vendor credit'} ${row.number}`.slice(0, 500),
    source: { type: 'bill', id: ids.get(row.row_no)!, event: 'opening', attempt: 1 },
    lines: documentLines({ account: '2000', currency: row.currency, amount: row.amount, base: row.base,
      party: { type: 'vendor' as const, id: row.vendor_id }, due_date: row.due_on, ...(row.rate !== '1' && {
        fx_rate: row.rate }), refs: { bill_id: ids.get(row.row_no)! } }),
  })), ctx.actor.actor_id);
  const made = rows.map((row, n): PostedBill => ({ row_no: row.row_no, type: 'bill', id: ids.get(row.row_no)!,
    transaction_id: posted[n]!.transaction_id }));
  await approveBills(ctx, set, rows, made);
  return made;
}

async function insertBills(ctx: WorkContext, set: SetFacts, rows: readonly OpeningBill[]):
Promise<Map<number, number>> {
  const totals = rows.map((row) => absolute(row.amount).toString());
  const numbered = await ctx.db.query<{ n: number; number: string }>(sql`
    select r.n::int as n, next_number(r.series, ${set.division}, r.billed) as number
    from unnest(${rows.map((row) => (row.amount < 0n ? 'bill' : 'vendor_credit'))}::text[],
      ${rows.map((row) => row.billed_on)}::date[]) with ordinality r (series, billed, n) order by r.n`);
  const drafted = await ctx.db.query<{ id: number; number: string }>(sql`
    insert into bills (number, kind, opening_set_id, vendor_id, vendor_number, division, currency, billed_on,
      received_on, due_on, memo, net_minor, tax_minor, total_minor, entered_by_id)
    select r.number, r.kind, ${set.set_id}, r.vendor, r.vendor_number, ${set.division}, r.currency, r.billed, r.billed,
      r.due, r.memo, r.total, 0, r.total, ${ctx.actor.actor_id}::bigint
    from unnest(${numbered.map((row) => row.number)}::text[],
      ${rows.map((row) => (row.amount < 0n ? 'bill' : 'credit'))}::text[],
      ${rows.map((row) => row.vendor_id)}::bigint[], ${rows.map((row) => row.number)}::text[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.billed_on)}::date[],
      ${rows.map((row) => row.due_on)}::date[], ${rows.map((row) => row.memo)}::text[], ${totals}::bigint[])
      r (number, kind, vendor, vendor_number, currency, billed, due, memo, total)
    returning id, number`);
  const byNumber = new Map(drafted.map((row) => [row.number, row.id]));
  const ids = new Map(rows.map((row, n) => [row.row_no, byNumber.get(numbered[n]!.number)!]));
  await ctx.db.exec(sql`
    insert into bill_lines (bill_id, sort, ledger_account_id, description, net_minor)
    select r.id, 0, (select id from ledger_accounts where division = ${set.division} and system_key = 'opening'),
      'Brought from the former books', r.total
    from unnest(${rows.map((row) => ids.get(row.row_no)!)}::bigint[], ${totals}::bigint[]) r (id, total)`);
  return ids;
}

/** The same steps as any bill; the second person of the former books approved it. */
async function approveBills(ctx: WorkContext, set: SetFacts, rows: readonly OpeningBill[],
  made: readonly PostedBill[]): Promise<void> {
  const now = ctx.now().toISOString();
  await ctx.db.exec(sql`
    update bills set status = 'submitted', submitted_at = ${now}, version = version + 1
    where id = any (${made.map((one) => one.id)}::bigint[])`);
  await ctx.db.exec(sql`
    update bills b set status = 'approved', approved_at = ${now}, transaction_id = r.posted,
      open_item_id = (select i.id from open_items i join ledger_accounts a on a.id = i.ledger_account_id
        where i.transaction_id = r.posted and a.system_key = 'ap'),
      functional_rate = r.rate, functional_rate_on = case when r.rate is not null then b.billed_on end,
      version = version + 1
    from unnest(${made.map((one) => one.id)}::bigint[], ${made.map((one) => one.transaction_id)}::bigint[],
      ${rows.map((row) => (row.currency === set.functional ? null : row.rate))}::numeric[]) r (id, posted, rate)
    where b.id = r.id`);
}

/** Bills of a set on which something happened since, by name. They and their open items stay locked. */
export async function billsInTheWay(db: Queryable, setId: number): Promise<string[]> {
  const locked = await db.query<{ item: number | null }>(sql`
    select open_item_id as item from bills where opening_set_id = ${setId} order by id for update`);
  await db.query(sql`
    select lock_payable_items(${locked.flatMap(({ item }) => (item === null ? [] : [item]))}::bigint[])`);
  const rows = await db.query<{ name: string }>(sql`
    select case b.kind when 'credit' then 'vendor credit ' else 'bill ' end || b.number as name
    from bills b join open_items i on i.id = b.open_item_id
    where b.opening_set_id = ${setId} and b.status <> 'void' and (i.open_minor <> i.original_minor
      or exists (select 1 from payment_parts p where p.open_item_id = i.id and p.state <> 'released'))
    order by b.number limit 200`);
  return rows.map((row) => row.name);
}

/** Reverses the postings of a set that {@link billsInTheWay} has locked, and voids its bills. */
export async function takeBackBills(ctx: WorkContext, of: { set_id: number; on: string; reason: string }):
Promise<void> {
  const bills = await ctx.db.query<{ id: number; transaction_id: number }>(sql`
    select id, transaction_id from bills where opening_set_id = ${of.set_id} and status <> 'void'
    order by id`);
  for (const bill of bills) {
    await reverseTransaction(ctx.db, { transaction_id: bill.transaction_id, transaction_at: of.on, reason: of.reason,
      actor_id: ctx.actor.actor_id, document: { type: 'bill', id: bill.id } });
  }
  await ctx.db.exec(sql`
    update bills set status = 'void', voided_on = greatest(billed_on, ${of.on}::date), void_reason = ${of.reason},
      version = version + 1 where id = any (${bills.map((bill) => bill.id)}::bigint[])`);
}
