/** Lines of a bank account's ledger account that are not matched: receipts, payments, transfers, entries. */
import type { ItemReference, OpenItem } from '#kernel/bank-matching/open-item.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import type { Queryable } from '#server/db.ts';
import type { ItemSearch, LineSearch, MatchAccount, TypedSearch } from '#server/open-items.ts';
import { compact } from '#server/list.ts';
import { inLedger, matches, mentions, sql, where, type Sql } from '#server/sql.ts';

export const LEDGER_LINE = 'ledger_line';

interface LedgerItem {
  id: number;
  amount_minor: number;
  posted_on: string;
  kind: string;
  number: string | null;
  description: string;
  reference: string | null;
  method: string | null;
  /** Of the check that stands for the payment. */
  check_number: string | null;
  party_type: string | null;
  party_id: number | null;
  party_name: string | null;
}

/** Reversed entries and their reversals are offered one at a time: each only once the other one is matched. */
const OTHER_MATCHED = sql`exists (select 1 from journal_entries o
    join bank_match_entries om on om.ledger_line_id = o.id and om.active
    join transactions ot on ot.id = o.transaction_id
  where (ot.id = t.reverses_id or ot.reverses_id = t.id) and o.ledger_account_id = e.ledger_account_id)`;
export const OPEN = sql`e.amount_minor <> 0
  and not exists (select 1 from bank_match_entries m where m.ledger_line_id = e.id and m.active)
  and not exists (select 1 from bank_reconciliation_ticks k where k.ledger_line_id = e.id and k.holds)`;
const STANDS = sql`((t.status = 'posted' and t.reverses_id is null)
  or ((t.status = 'reversed' or t.reverses_id is not null) and ${OTHER_MATCHED}))`;
/** The bank sent the payment and took it back: two movements, each with a line of its own. For a person to choose. */
const STANDS_OR_RETURNED = sql`(${STANDS} or bank_returned(t.id))`;

/** Ids read first: the planner cannot tell how few they are, and joins the whole account before it picks them. */
const few = (ids: Sql): Sql => sql`e.id = any (array(${ids}))`;
const many = (ids: Sql): Sql => sql`e.id in (${ids})`;

const rows = (db: Queryable, condition: Sql, limit: number, stands = STANDS): Promise<LedgerItem[]> =>
  db.query<LedgerItem>(sql`
  select e.id, e.amount_minor, e.transaction_at::text as posted_on, t.kind, coalesce(p.number, b.number, d.number,
      t.number) as number, t.description, p.reference, p.method,
    (select k.check_number::text from checks k where k.payment_id = p.id and k.status in ('printed', 'stale')
      limit 1) as check_number,
    case when p.customer_id is not null then 'customer' when p.royaltor_id is not null then 'royaltor'
      when p.vendor_id is not null then 'vendor' end as party_type,
    coalesce(p.customer_id, p.royaltor_id, p.vendor_id) as party_id, coalesce(c.name, r.name, v.name) as party_name
  from journal_entries e join transactions t on t.id = e.transaction_id
    left join payments p on t.source_type = 'payment' and p.id = t.source_id
    left join bank_transfers b on t.source_type = 'bank_transfer' and b.id = t.source_id
    left join deposit_slips d on t.source_type = 'deposit_slip' and d.id = t.source_id
    left join customers c on c.id = p.customer_id left join royaltors r on r.id = p.royaltor_id
    left join vendors v on v.id = p.vendor_id
  where ${condition} and ${stands} order by e.id limit ${limit}`);

const candidate = (account: MatchAccount, condition: Sql): Sql => sql`
  select e.id from journal_entries e where e.ledger_account_id = ${account.ledger_account_id} and ${OPEN}
    and ${condition}`;

function asItem(row: LedgerItem, account: MatchAccount): OpenItem {
  const label = row.number ?? row.description;
  const references: ItemReference[] = [];
  if (row.number) references.push({ type: 'number', value: row.number, label: 'number' });
  if (row.reference) {
    references.push({ type: row.method === 'check' ? 'check' : 'end_to_end', value: row.reference,
      label: row.method === 'check' ? spell`check number` : 'reference' });
  }
  if (row.check_number) references.push({ type: 'check', value: row.check_number, label: spell`check number` });
  return { kind: LEDGER_LINE, id: row.id, label, direction: row.amount_minor < 0 ? 'out' : 'in',
    currency: account.currency, open_minor: BigInt(Math.abs(row.amount_minor)), converted_minor: null,
    bank_account_id: account.bank_account_id, document_on: row.posted_on, due_on: null,
    party: row.party_type === null || row.party_name === null ? null
      : { key: `${row.party_type}:${row.party_id}`, name: row.party_name, accounts: [] },
    references, pool: row.kind === 'receipt' ? 'receipts' : null };
}

const DAYS = 10;
/** A check is cashed when its payee gets to it: weeks later it is found by its number alone. */
const CHECK_NUMBER = /^\d{1,12}$/;
/** Before the line, and as many after it: read in the order of the index. */
const NEAREST = 30;

/** Of the line's amount, of payments it names, of parties it names, and those nearest in time for sums. */
function ofLine(account: MatchAccount, search: LineSearch, parties: readonly number[]): Sql {
  const sign = search.direction === 'in' ? 1 : -1;
  const [from, to] = [addDays(search.booked_on, -DAYS), addDays(search.booked_on, DAYS)];
  const near = sql`e.transaction_at between ${from} and ${to}`;
  const named = [...search.numbers, ...search.references];
  const checks = named.filter((one) => CHECK_NUMBER.test(one)).map(Number);
  return sql`
    (${candidate(account, sql`${near} and e.amount_minor = ${sign * search.amount_minor}`)} limit 120)
    union (${candidate(account, sql`e.transaction_at between ${from} and ${search.booked_on}
      and sign(e.amount_minor) = ${sign}`)} order by e.transaction_at desc, e.id desc limit ${NEAREST})
    union (${candidate(account, sql`e.transaction_at > ${search.booked_on} and e.transaction_at <= ${to}
      and sign(e.amount_minor) = ${sign}`)} order by e.transaction_at, e.id limit ${NEAREST})
    union (${candidate(account, sql`e.transaction_id in (select p.transaction_id from payments p
      where lower(p.number) = any (${named.map((one) => one.toLowerCase())}::text[])
        or (p.reference <> '' and lower(p.reference) = any (${named.map((one) => one.toLowerCase())}::text[])))`)}
      limit 60)
    union (${candidate(account, sql`e.transaction_id in (select p.transaction_id from checks k
      join payments p on p.id = k.payment_id where k.bank_account_id = ${account.bank_account_id}
        and k.check_number = any (${checks}::bigint[]))`)} limit 60)
    union (${candidate(account, sql`${near} and e.transaction_id in (select p.transaction_id from payments p
      where p.customer_id = any (${[...parties]}::bigint[]) and p.paid_on between ${from} and ${to})`)} limit 60)`;
}

/** Posted with a payment whose number, reference or party has the text, or described so. */
function mentioning(text: string): Sql {
  const payments = (condition: Sql): Sql => sql`select p.transaction_id from payments p ${condition}`;
  return sql`(e.transaction_id in (
      ${payments(sql`where ${matches(sql`search_words(p.number, p.reference)`, text)}`)}
      union ${payments(sql`join customers c on c.id = p.customer_id where ${matches(sql`c.search_text`, text)}`)}
      union ${payments(sql`join royaltors r on r.id = p.royaltor_id where ${mentions(sql`r.name`, text)}`)}
      union ${payments(sql`join vendors v on v.id = p.vendor_id where ${mentions(sql`v.name`, text)}`)}
      union ${payments(sql`join checks k on k.payment_id = p.id where k.check_number::text = ${text.trim()}`)})
    or ${inLedger(sql`x.number || ' ' || x.description`, text)} or ${inLedger(sql`x.description`, text)})`;
}

function ofText(account: MatchAccount, search: TypedSearch): Sql {
  return sql`select e.id from journal_entries e join transactions x on x.id = e.transaction_id
    ${where(compact([sql`e.ledger_account_id = ${account.ledger_account_id}`, OPEN,
    search.direction !== null && sql`sign(e.amount_minor) = ${search.direction === 'in' ? 1 : -1}`,
    search.from_minor !== null && sql`abs(e.amount_minor) >= ${search.from_minor}`,
    search.to_minor !== null && sql`abs(e.amount_minor) <= ${search.to_minor}`,
    search.text !== '' && mentioning(search.text)]))}
    order by e.transaction_at desc, e.id desc limit ${search.limit}`;
}

export async function ledgerItems(
  db: Queryable, account: MatchAccount, search: ItemSearch, parties: readonly number[] = [],
): Promise<OpenItem[]> {
  const found = search.by === 'line' ? await rows(db, few(ofLine(account, search, parties)), 400, STANDS_OR_RETURNED)
    : search.by === 'text' ? await rows(db, few(ofText(account, search)), search.limit, STANDS_OR_RETURNED)
      : search.by === 'ids'
        ? await rows(db, few(candidate(account, sql`e.id = any (${[...search.ids]}::bigint[])`)), 200)
        : await rows(db, many(sql`${candidate(account, sql`e.transaction_at between ${addDays(search.from, -DAYS)}
            and ${addDays(search.to, DAYS)}`)} limit ${search.limit}`), search.limit);
  return found.map((row) => asItem(row, account));
}
