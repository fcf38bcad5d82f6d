/**
 * Tax of priced lines for the kernel, which asks line by line while it computes: the tables are those of taxation, so
 * that a quote and its invoice are taxed alike (domain.md 2.12).
 */
import type { Address } from '#kit/field.ts';
import type { Division } from '#kernel/money/division.ts';
import type { TaxResolver } from '#kernel/pricing/price-types.ts';
import { determineTax, type TaxPlace } from '#kernel/tax/determine.ts';
import { loadTaxTables, taxPlaceOf, vatStanding, type VatProfile } from '#modules/taxation/taxation.public.server.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface TaxQuestion {
  division: Division;
  /** null: nobody yet; a consumer where the division is at home. */
  customer_id: number | null;
  tax_point_on: string;
  /** Address of the venue by the venue id that lines carry. */
  venues: ReadonlyMap<number, Record<string, string> | null>;
}

interface Buyer extends VatProfile {
  billing_address: Address | null;
  ship_to: Address | null;
  tax_country: string | null;
}

const NOBODY: Buyer = { billing_address: null, ship_to: null, tax_country: null, is_business: false,
  business_evidence: null, vat_number: null, vat_register_answer: null };

export async function taxResolver(db: Queryable, question: TaxQuestion): Promise<TaxResolver> {
  const { division, tax_point_on, customer_id } = question;
  const buyer = customer_id === null ? NOBODY : await buyerOf(db, customer_id);
  const home = await db.one<{ home_country: string }>(sql`
    select home_country from divisions where code = ${division}`);
  const place = (address: Address | null): TaxPlace | null =>
    (address === null ? null : taxPlaceOf(address, null));
  const venues = new Map([...question.venues].map(([id, address]) => [id, place(address as Address | null)]));
  const [first = null] = venues.values();
  const goods = place(buyer.ship_to ?? buyer.billing_address) ?? first;
  const customer = taxPlaceOf(buyer.billing_address,
    buyer.tax_country ?? (buyer.billing_address === null ? home.home_country : null));
  const places = [customer, goods, ...venues.values()].filter((one): one is TaxPlace => one !== null);
  const tables = await loadTaxTables(db, division, customer_id ?? 0, tax_point_on, places);
  const within = (one: TaxPlace | null): TaxPlace | null => one && tables.withLocalities(one);
  return (line) => determineTax({
    line, division, supplier_country: tables.home_country, tax_point_on, certificates: tables.certificates, tables,
    customer: { ...tables.withLocalities(customer), ...vatStanding(buyer) },
    venue: within(line.venue_id === null ? first : venues.get(line.venue_id) ?? null), ship_to: within(goods),
  });
}

async function buyerOf(db: Queryable, customerId: number): Promise<Buyer> {
  const row = await db.maybeOne<Buyer>(sql`
    select c.billing_address, c.tax_country, c.is_business, c.business_evidence, c.vat_number,
      c.vat_register_answer,
      (select address from customer_shipping_addresses where customer_id = c.id and is_default) as ship_to
    from customers c where c.id = ${customerId}`);
  return row ?? NOBODY;
}
