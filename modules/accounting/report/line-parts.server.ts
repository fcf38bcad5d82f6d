/** Show and customer class that a ledger line belongs to; statements and their lines agree on it. */
import type { Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { AccountMovement } from './balances.server.ts';

/** 0: lines that have none. */
export interface PartFilter { show_id?: number | undefined; customer_class_id?: number | undefined }
export type PartName = 'show' | 'customer_class';

const licenseOf = (line: Sql): Sql => sql`coalesce(${line}.license_id, (select i.license_id from invoices i
  where i.id = ${line}.invoice_id))`;
/** The show on the line, else that of its license. */
const showOf = (line: Sql): Sql => sql`coalesce(${line}.show_id,
  (select l.show_id from licenses l where l.id = ${licenseOf(line)}), 0)`;
/** The class of the license, else the first class of the customer. */
const classOf = (line: Sql): Sql => sql`coalesce(
  (select l.customer_classification_id from licenses l where l.id = ${licenseOf(line)}),
  (select min(c.customer_classification_id) from customer_customer_classifications c
    where c.customer_id = coalesce(case when ${line}.party_type = 'customer' then ${line}.party_id end,
      (select i.customer_id from invoices i where i.id = ${line}.invoice_id))), 0)`;

/** Both as one text, as the cash basis keeps them with each amount. */
export const partKey = (line: Sql): Sql => sql`${showOf(line)} || ' ' || ${classOf(line)}`;

export function partOfKey(key: string, by: PartName): number {
  return Number(key.split(' ')[by === 'show' ? 0 : 1]);
}

/** Whether a key belongs to what a filter names. */
export const keyIs = (of: PartFilter) => (key: string): boolean =>
  (of.show_id === undefined || partOfKey(key, 'show') === of.show_id)
    && (of.customer_class_id === undefined || partOfKey(key, 'customer_class') === of.customer_class_id);

export const hasParts = (of: PartFilter): boolean => of.show_id !== undefined || of.customer_class_id !== undefined;

/** The condition of a filter; `line` is the alias of the line. */
export function partsAre(line: Sql, of: PartFilter): Sql {
  return sql`${of.show_id === undefined ? sql`true` : sql`${showOf(line)} = ${of.show_id}`}
    and ${of.customer_class_id === undefined ? sql`true` : sql`${classOf(line)} = ${of.customer_class_id}`}`;
}

/** The names of what a filter names; null without one. */
export async function partTitle(db: Queryable, of: PartFilter): Promise<string | null> {
  const names = await Promise.all([
    of.show_id !== undefined && partNames(db, 'show', [of.show_id]),
    of.customer_class_id !== undefined && partNames(db, 'customer_class', [of.customer_class_id])]);
  const words = names.flatMap((found) => (found === false ? [] : [...found.values()]));
  return words.length === 0 ? null : words.join(', ');
}

export async function partNames(db: Queryable, by: PartName, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; name: string }>(by === 'show'
    ? sql`select id, title as name from shows where id = any (${ids}::bigint[])`
    : sql`select id, name from customer_classifications where id = any (${ids}::bigint[])`);
  const names = new Map(rows.map((row) => [row.id, row.name]));
  if (ids.includes(0)) names.set(0, by === 'show' ? 'Without a show' : 'Without a class of customer');
  return names;
}

interface Days { division: Division; from: string; to: string }

/** Income and expense of one show or class of customer by account, closing entries left out. */
export async function partMovements(db: Queryable, of: Days & PartFilter): Promise<AccountMovement[]> {
  return await db.query<AccountMovement>(sql`
    select a.id as account_id, a.code, a.name, a.class, h.section, 0::bigint as opening_minor,
      sum(greatest(e.base_amount_minor, 0))::bigint as debit_minor,
      sum(greatest(-e.base_amount_minor, 0))::bigint as credit_minor, sum(e.base_amount_minor)::bigint as closing_minor
    from ledger_accounts a join ledger_headers h on h.id = a.ledger_header_id
      join posted_entries e on e.ledger_account_id = a.id
    where a.division = ${of.division} and a.class in ('income', 'expense') and not e.is_year_end_close
      and e.transaction_at between ${of.from} and ${of.to} and ${partsAre(sql`e`, of)}
    group by a.id, a.code, a.name, a.class, h.section order by a.code`);
}

export interface PartResult { part_id: number; class: string; section: string; minor: number }

/** Income (positive) and expense (negative) by show or class of customer and section. */
export async function resultsByPart(db: Queryable, of: Days, by: PartName): Promise<PartResult[]> {
  // Lines that say the same are one before they are asked what they belong to.
  return await db.query<PartResult>(sql`
    select x.part_id, x.class, x.section, -sum(x.base_amount_minor)::bigint as minor
    from (select ${by === 'show' ? showOf(sql`e`) : classOf(sql`e`)} as part_id, e.class, e.section,
        e.base_amount_minor
      from (select a.class, h.section, l.show_id, l.license_id, l.invoice_id, l.party_type, l.party_id,
          sum(l.base_amount_minor) as base_amount_minor
        from ledger_accounts a join ledger_headers h on h.id = a.ledger_header_id
          join posted_entries l on l.ledger_account_id = a.id
        where a.division = ${of.division} and a.class in ('income', 'expense') and not l.is_year_end_close
          and l.transaction_at between ${of.from} and ${of.to} group by 1, 2, 3, 4, 5, 6, 7) e offset 0) x
    group by 1, 2, 3`);
}
