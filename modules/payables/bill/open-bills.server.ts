/**
 * Open bills and vendor credits for bank matching. A line of money out pays approved bills that are not on hold, as far
 * as no prepared payment has reserved them; a line of money in is the refund of vendor credits.
 */
import type { ItemReference, OpenItem } from '#kernel/bank-matching/open-item.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import { ratesInto } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { compact } from '#server/list.ts';
import type { ItemSearch, LineSearch, MatchAccount } from '#server/open-items.ts';
import { matches, sql, where, type Sql } from '#server/sql.ts';

export const BILL = 'bill';
export const CREDIT = 'vendor_credit';

/** Two people are behind each payment: who approved the bill, and somebody else who matches the line. */
export const approverRefusal = (number: string): string =>
  `You approved ${number}. Someone else has to match its payment.`;

interface OpenBill {
  id: number;
  kind: typeof BILL | typeof CREDIT;
  number: string;
  vendor_number: string;
  vendor_id: number;
  vendor_name: string;
  currency: string;
  /** Positive. */
  free_minor: number;
  billed_on: string;
  due_on: string;
  approved_by_id: number | null;
  /** Off the whole bill up to `discount_until`; 0 where part of it is paid, or none was agreed. */
  discount_minor: number;
  discount_until: string;
}

const KIND = sql`case b.kind when 'credit' then 'vendor_credit' else 'bill' end`;

const rows = (db: Queryable, ids: Sql): Promise<OpenBill[]> => db.query<OpenBill>(sql`
  select b.id, ${KIND} as kind, b.number, b.vendor_number, b.vendor_id, v.name as vendor_name, b.currency,
    abs(i.free_minor) as free_minor, b.billed_on::text as billed_on, b.due_on::text as due_on,
    b.approved_by_id, (b.billed_on + b.discount_days)::text as discount_until,
    case when b.kind = 'bill' and i.free_minor = b.total_minor
      then round(b.total_minor::numeric * b.discount_ppm / 1000000) else 0 end::bigint as discount_minor
  from bills b join vendors v on v.id = ${currentVendor(sql`b.vendor_id`)}
    join payable_items i on i.id = b.open_item_id
  where b.id = any (array(${ids})) and b.status = 'approved' and b.deleted_at is null and b.hold_reason is null
    and i.free_minor <> 0 order by b.id`);

/** Vendors whose name has the most of the words, the likeliest first. */
const NAMED_VENDORS = 12;
const LIKELY = 400;

async function vendorsNamed(db: Queryable, words: readonly string[]): Promise<number[]> {
  const telling = words.filter((word) => word.length >= 4).slice(0, 6);
  if (telling.length === 0) return [];
  const found = await db.query<{ id: number }>(sql`
    select v.id from (select id, search_text from vendors where deleted_at is null
      and search_text like any (${telling.map((word) => `%${word}%`)}::text[]) limit ${LIKELY}) v
    order by (select count(*) from unnest(${telling}::text[]) w where position(w in v.search_text) > 0) desc, v.id
    limit ${NAMED_VENDORS}`);
  return found.map(({ id }) => id);
}

/** Open items of bills on the division's accounts payable, in every currency. */
const openIn = (account: MatchAccount, condition: Sql): Sql => sql`
  select i.document_id as id from open_items i where i.ledger_account_id = (select id from ledger_accounts
      where division = ${account.division} and system_key = 'ap')
    and i.open_minor <> 0 and i.document_type = 'bill' and ${condition}`;
const openOf = (account: MatchAccount, condition: Sql): Sql =>
  openIn(account, sql`i.currency = ${account.currency} and ${condition}`);

/** Credits reduce what a line of money out pays; a line of money in is a refund of credits alone. */
async function ofLine(db: Queryable, account: MatchAccount, search: LineSearch): Promise<Sql> {
  const vendors = await vendorsNamed(db, search.words);
  const sign = search.direction === 'out' ? -1 : 1;
  const side = search.direction === 'out' ? sql`true` : sql`i.open_minor > 0`;
  const numbers = search.numbers.map((number) => number.toLowerCase());
  return sql`(${openOf(account, sql`i.open_minor = ${sign * search.amount_minor}
      and i.opened_on <= ${search.booked_on}`)} order by i.due_date desc, i.id limit 120)
    union (select b.id from bills b where lower(b.number) = any (${numbers}::text[])
      and b.division = ${account.division} and b.billed_on <= ${search.booked_on} limit 60)
    union (${openIn(account, sql`${side} and i.party_type = 'vendor' and i.party_id in (
      select m.id from vendors m where m.id = any (${vendors}::bigint[])
      union select m.id from vendors m where m.merged_into_id = any (${vendors}::bigint[]))
      and i.opened_on <= ${search.booked_on}`)} order by i.due_date desc, i.id limit 120)`;
}

function idsOf(account: MatchAccount, search: Exclude<ItemSearch, LineSearch>): Sql {
  if (search.by === 'ids') {
    return sql`select b.id from bills b where b.division = ${account.division}
      and ${KIND} = ${search.kind} and b.id = any (${[...search.ids]}::bigint[])`;
  }
  if (search.by === 'days') {
    return openOf(account, sql`i.opened_on <= ${addDays(search.to, 10)} order by i.due_date, i.id limit ${
      search.limit}`);
  }
  return openIn(account, sql`${search.currency === null ? sql`true` : sql`i.currency = ${search.currency}`} and exists (
    select 1 from bills b join vendors v on v.id = b.vendor_id ${where(compact([
    sql`b.id = i.document_id`,
    search.text !== '' && sql`(${matches(sql`b.search_text`, search.text)} or ${
      matches(sql`v.search_text`, search.text)})`]))})
    and ${search.from_minor === null ? sql`true` : sql`abs(i.open_minor) >= ${search.from_minor}`}
    and ${search.to_minor === null ? sql`true` : sql`abs(i.open_minor) <= ${search.to_minor}`}
    and ${search.direction === null ? sql`true` : sql`sign(i.open_minor) = ${search.direction === 'in' ? 1 : -1}`}
    order by i.due_date, i.id limit ${search.limit}`);
}

function asItem(row: OpenBill, account: MatchAccount, rates: ReadonlyMap<string, string>, reader: number | null):
OpenItem {
  const rate = rates.get(row.currency);
  const isCredit = row.kind === CREDIT;
  const references: ItemReference[] = [{ type: 'number', value: row.number,
    label: isCredit ? 'credit number' : 'bill number' }];
  if (row.vendor_number !== '') {
    references.push({ type: 'number', value: row.vendor_number, label: "vendor's number" });
  }
  return { kind: row.kind, id: row.id, label: row.vendor_number === '' ? row.number
    : `${row.number}, ${row.vendor_number}`, direction: isCredit ? 'in' : 'out', currency: row.currency,
  open_minor: BigInt(row.free_minor), converted_minor: row.currency === account.currency || rate === undefined ? null
    : atRate(BigInt(row.free_minor), rate), bank_account_id: null, document_on: row.billed_on,
  due_on: row.due_on, party: { key: `vendor:${row.vendor_id}`, name: row.vendor_name, accounts: [] }, references,
  discount: row.discount_minor === 0 ? null : { until: row.discount_until,
    paid_minor: BigInt(row.free_minor - row.discount_minor) },
  refusal: reader !== null && row.approved_by_id === reader ? approverRefusal(row.number) : null, pool: null };
}

export async function findBills(ctx: WorkContext, account: MatchAccount, search: ItemSearch): Promise<OpenItem[]> {
  const ids = search.by === 'line' ? await ofLine(ctx.db, account, search) : idsOf(account, search);
  const found = await rows(ctx.db, ids);
  const rates = search.by === 'days' ? new Map<string, string>()
    : await ratesInto(ctx.db, account.currency, found.map((row) => row.currency), search.booked_on);
  return found.map((row) => asItem(row, account, rates, ctx.actor.actor_id));
}
