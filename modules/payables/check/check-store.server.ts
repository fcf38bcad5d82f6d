/** Stored checks, as lists and verbs need them. Locks: the bank account, then checks by id, then payments. */
import { staleFrom } from '#kernel/ledger/stale-check.ts';
import { refuse } from '#kit/errors.ts';
import { currentVendor, vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { CheckDetail, CheckRow, PayableItem } from './check.contract.ts';

const person = (column: Sql): Sql => sql`
  (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = ${column})`;

/** Name of the payee of a payment, by the alias of its table. */
export const payeeNameOf = (of: Sql): Sql => sql`coalesce(case ${of}.party_type
  when 'vendor' then (select coalesce(v.legal_name, v.name) from vendors v
    where v.id = ${currentVendor(sql`${of}.party_id`)})
  when 'customer' then (select coalesce(c.legal_name, c.name) from customers c where c.id = ${of}.party_id)
  when 'royaltor' then (select coalesce(r.legal_name, r.name) from royaltors r where r.id = ${of}.party_id)
  when 'tax_authority' then (select x.name from tax_authorities x where x.id = ${of}.party_id) end, '')`;
export const PAYEE_NAME = payeeNameOf(sql`p`);

/** A payment in a run is printed once the run is approved, even if it was approved by itself before. */
export const STATE = sql`case when t.status = 'queued' then case when p.status = 'approved' and not exists (
      select 1 from payment_runs n where n.id = p.payment_run_id and n.status = 'draft') then 'ready' else 'waiting'
    end when t.status = 'printed' and p.status = 'cleared' then 'cleared' else t.status end`;
export const BASE = sql`checks t left join payments p on p.id = t.payment_id`;
export const JOINS = sql`join bank_accounts b on b.id = t.bank_account_id`;
/** A check that is not printed reads from its payment. */
const own = (printed: Sql, planned: Sql): Sql => sql`case when t.status = 'queued' then ${planned} else ${printed} end`;
export const COLUMNS = sql`t.id, t.check_number::text as check_number, ${STATE} as state, t.bank_account_id,
  b.name as bank_account, t.division, t.currency, t.payment_id, p.number as payment_number,
  ${own(sql`t.payee`, PAYEE_NAME)} as payee, ${own(sql`t.amount_minor::bigint`, sql`p.amount_minor::bigint`)}
    as amount_minor,
  ${own(sql`t.checked_on`, sql`p.paid_on`)} as checked_on, ${own(sql`t.memo`, sql`p.memo`)} as memo,
  t.is_handwritten, t.printed_at, ${person(sql`t.printed_by_id`)} as printed_by_name,
  case when t.status = 'printed' and p.status = 'cleared' then coalesce(p.outcome_on, p.value_on) end as cleared_on,
  t.ended_on, t.end_reason, t.version, t.created_at, t.updated_at`;

type Reads = Pick<WorkContext, 'db'>;

export function rowsOf({ db }: Reads, ids: readonly number[]): Promise<CheckRow[]> {
  return db.query<CheckRow>(sql`select ${COLUMNS} from ${BASE} ${JOINS} where t.id = any (${ids}::bigint[])
    order by t.check_number, t.id`);
}

type Facts = Pick<CheckDetail, 'party_type' | 'party_id' | 'payee_lines' | 'payment_version' | 'transaction_id'
  | 'written_number' | 'withheld_minor'> & { replaces_id: number | null };

export async function findCheck(ctx: Reads, id: number): Promise<CheckDetail> {
  const [row] = await rowsOf(ctx, [id]);
  if (!row) throw refuse('not_found');
  const facts = await ctx.db.one<Facts>(sql`
    select p.party_type, p.party_id, t.payee_lines, p.version as payment_version, p.transaction_id,
      t.written_number::text as written_number, t.replaces_id, coalesce(p.withheld_minor, 0)::bigint as withheld_minor
    from checks t left join payments p on p.id = t.payment_id where t.id = ${id}`);
  const { replaces_id, ...own } = facts;
  const others = await ctx.db.query<{ id: number; check_number: string }>(sql`
    select id, check_number::text as check_number from checks
    where (id = ${replaces_id} or replaces_id = ${id}) and check_number is not null`);
  return { ...row, ...own, parts: row.payment_id === null ? [] : await partsOf(ctx, row.payment_id),
    printings: await ctx.db.query(sql`
      select n.created_at as printed_at, ${person(sql`n.printed_by_id`)} as printed_by_name, n.reason
      from check_printings n where n.check_id = ${id} order by n.id`),
    replaces: others.find((one) => one.id === replaces_id) ?? null,
    replaced_by: others.find((one) => one.id !== replaces_id) ?? null,
    stale_from: row.state === 'printed' && row.checked_on !== null ? staleFrom(row.checked_on) : null };
}

/** The text of the posting that opened the item stands for its document; royaltors know their statements by number. */
function partsOf({ db }: Reads, payment: number): Promise<CheckDetail['parts']> {
  return db.query(sql`
    select null as open_item_id, coalesce('Royalty statement ' || m.number, 'Advance') as description,
      coalesce(m.issued_at::date, p.paid_on) as opened_on, x.paid_minor::bigint as amount_minor,
      0::bigint as discount_minor
    from royalty_payment_conversions x join payments p on p.id = x.payment_id
      left join royalty_statements m on m.id = x.royalty_statement_id
    where x.payment_id = ${payment}
    union all select * from (select x.open_item_id, r.description, i.opened_on, x.amount_minor::bigint as amount_minor,
      x.discount_minor::bigint as discount_minor
    from payment_parts x join open_items i on i.id = x.open_item_id join transactions r on r.id = i.transaction_id
    where x.payment_id = ${payment} and (x.state <> 'released' or not exists (
      select 1 from payment_parts y where y.payment_id = x.payment_id and y.state <> 'released'))
    order by x.id) y`);
}

/** Open items owed to the payee in the division and currency of the account. */
export function payableItems({ db }: Reads, of: { bank_account_id: number; party_type: string; party_id: number }):
Promise<PayableItem[]> {
  return db.query<PayableItem>(sql`
    select i.id, r.description, i.opened_on, i.due_date, i.open_minor, i.free_minor
    from payable_items i join transactions r on r.id = i.transaction_id
      join bank_accounts b on b.division = i.division and b.currency = i.currency
    where b.id = ${of.bank_account_id} and i.party_type = ${of.party_type}
      and i.party_id in ${of.party_type === 'vendor' ? vendorAndMerged(of.party_id) : sql`(${of.party_id})`}
    order by i.due_date, i.id limit 200`);
}

export interface AccountLock { id: number; name: string; division: string; currency: string;
  next_check_number: number | null }

/** The account, locked: whoever takes a number waits here. */
export async function lockAccount(ctx: WorkContext, id: number): Promise<AccountLock> {
  await ctx.db.query(sql`select 1 from bank_accounts where id = ${id} for update`);
  const row = await ctx.db.maybeOne<AccountLock>(sql`
    select id, name, division, currency, next_check_number from bank_accounts
    where id = ${id} and closed_on is null and deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row;
}

/** The account and the check, at the version that the person saw. */
export async function lockCheck(ctx: WorkContext, id: number, version: number): Promise<CheckDetail> {
  const before = await findCheck(ctx, id);
  await lockAccount(ctx, before.bank_account_id);
  await ctx.db.query(sql`select 1 from checks where id = ${id} for update`);
  const row = await findCheck(ctx, id);
  if (row.version !== version) throw stale(row);
  return row;
}
