/** Records that rows name: customers, vendors, royaltors, tax authorities, divisions. */
import type { PartyType } from '#kernel/ledger/journal.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { Names } from './opening-kind.server.ts';

export interface FoundParty { id: number; name: string }
export interface FoundCustomer extends FoundParty { account_name: string; address: unknown; vat_number: string | null }

/** Customers by number, name, legal name and other names. */
export async function customersBy(db: Queryable): Promise<Names<FoundCustomer>> {
  const names = new Names<FoundCustomer>();
  const rows = await db.query<FoundCustomer & { number: string; own_name: string; aliases: string[] }>(sql`
    select c.id, coalesce(c.legal_name, c.name) as name, c.name as own_name, c.number,
      coalesce(c.legal_name, c.name) as account_name, c.billing_address as address, c.vat_number,
      array(select a.alias from customer_aliases a where a.customer_id = c.id) as aliases
    from customers c where c.deleted_at is null`);
  for (const row of rows) for (const word of [row.number, row.own_name, row.name, ...row.aliases]) names.add(word, row);
  return names;
}

export interface FoundVendor extends FoundParty { payment_terms_days: number }

export async function vendorsBy(db: Queryable): Promise<Names<FoundVendor>> {
  const names = new Names<FoundVendor>();
  const rows = await db.query<FoundVendor & { number: string; legal_name: string | null }>(sql`
    select id, name, number, legal_name, payment_terms_days from vendors where deleted_at is null`);
  for (const row of rows) for (const word of [row.number, row.name, row.legal_name ?? '']) names.add(word, row);
  return names;
}

type PartyRow = FoundParty & { words: string[] };
const PARTY_ROWS: Readonly<Record<PartyType, ReturnType<typeof sql> | null>> = {
  customer: sql`select id, coalesce(legal_name, name) as name, array[number, name, legal_name] as words from customers
    where deleted_at is null`,
  vendor: sql`select id, name, array[number, name, legal_name] as words from vendors where deleted_at is null`,
  royaltor: sql`select id, name, array[name] as words from royaltors where deleted_at is null`,
  staff: sql`select id, first_name || ' ' || last_name as name,
    array[first_name || ' ' || last_name, email::text] as words from users where role <> 'customer'`,
  tax_authority: sql`select id, name, array[jurisdiction, name] as words from tax_authorities`,
  division: sql`select id, name, array[code, name] as words from divisions`,
  bank: null,
};

/** Parties of these kinds by their words. */
export async function partiesBy(db: Queryable, types: ReadonlySet<PartyType>):
Promise<Map<PartyType, Names<FoundParty>>> {
  const found = new Map<PartyType, Names<FoundParty>>();
  for (const type of types) {
    const rows = PARTY_ROWS[type];
    const names = new Names<FoundParty>();
    for (const row of rows === null ? [] : await db.query<PartyRow>(rows)) {
      for (const word of row.words) names.add(word ?? '', row);
    }
    found.set(type, names);
  }
  return found;
}
