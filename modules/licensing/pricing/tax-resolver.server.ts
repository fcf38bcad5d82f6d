/** Tax of a priced line from the stored tables: who supplies, who buys, where it is used (domain.md 2.12). */
import { determineTax, type TaxCustomer, type TaxPlace, type TaxTables } from '#kernel/tax/determine.ts';
import type { Division } from '#kernel/money/division.ts';
import type { ItemClass } from '#kernel/money/priced-line.ts';
import type { TaxResolver } from '#kernel/pricing/price-types.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

type AddressLike = Record<string, string> | null;

/** State and, below it, the town: the names under which sales-tax rates are stored ('US-NY', 'US-NY-New York'). */
export function taxPlaceOf(address: AddressLike): TaxPlace | null {
  const country = address?.country_code;
  if (!address || !country) return null;
  const state = address.administrative_area ? `${country}-${address.administrative_area}` : null;
  const town = state && address.locality ? `${state}-${address.locality.replaceAll('-', ' ')}` : null;
  return { country, jurisdictions: [state, town].filter((name): name is string => name !== null) };
}

export interface TaxQuestion {
  division: Division;
  customer_id: number | null;
  tax_point_on: string;
  /** Address of the venue by the venue id that lines carry. */
  venues: ReadonlyMap<number, AddressLike>;
}

interface BuyerRow {
  billing_address: AddressLike;
  tax_country: string | null;
  is_business: boolean;
  vat_number: string | null;
  ship_to: AddressLike;
}

export async function taxResolver(db: Queryable, question: TaxQuestion): Promise<TaxResolver> {
  const { division, tax_point_on } = question;
  const supplier = await db.one<{ home_country: string }>(sql`
    select home_country from divisions where code = ${division}`);
  const buyer = question.customer_id === null ? null : await db.maybeOne<BuyerRow>(sql`
    select c.billing_address, c.tax_country, c.is_business, c.vat_number,
      (select address from customer_shipping_addresses where customer_id = c.id and is_default) as ship_to
    from customers c where c.id = ${question.customer_id}`);
  const certificates = question.customer_id === null ? [] : await certificatesOf(db, question.customer_id);
  const tables = await taxTables(db, division, tax_point_on);
  const customer = customerOf(buyer, supplier.home_country);
  const shipTo = taxPlaceOf(buyer?.ship_to ?? buyer?.billing_address ?? null);
  return (line) => determineTax({
    line, division, supplier_country: supplier.home_country, tax_point_on, customer,
    venue: line.venue_id === null
      ? firstVenue(question.venues) : taxPlaceOf(question.venues.get(line.venue_id) ?? null),
    ship_to: shipTo ?? firstVenue(question.venues), certificates, tables,
  });
}

function firstVenue(venues: TaxQuestion['venues']): TaxPlace | null {
  const [address] = venues.values();
  return taxPlaceOf(address ?? null);
}

function customerOf(buyer: BuyerRow | null, home: string): TaxCustomer {
  const place = taxPlaceOf(buyer?.billing_address ?? null);
  const country = buyer?.tax_country ?? place?.country ?? home;
  const vatCountry = buyer?.vat_number?.slice(0, 2).replace('EL', 'GR') ?? null;
  return { country, jurisdictions: place?.country === country ? place.jurisdictions : [],
    is_business: buyer?.is_business ?? false, vat_country: vatCountry };
}

function certificatesOf(db: Queryable, customerId: number) {
  return db.query<{ jurisdiction: string; number: string; issued_on: string; expires_on: string | null }>(sql`
    select country || coalesce('-' || state, '') as jurisdiction, number, valid_from as issued_on, expires_on
    from tax_exemption_certificates where customer_id = ${customerId} and status = 'verified'`);
}

async function taxTables(db: Queryable, division: Division, on: string): Promise<TaxTables> {
  const rates = await db.query<{ id: number; jurisdiction: string; code: string; rate_ppm: number; valid_from: string;
    valid_to: string | null }>(sql`
    select r.id, r.jurisdiction, c.code, r.rate_ppm, r.valid_from, r.valid_to
    from tax_rates r join tax_codes c on c.id = r.tax_code_id
    where c.division = ${division} and r.valid_from <= ${on} and (r.valid_to is null or r.valid_to >= ${on})`);
  const taxability = await db.query<{ jurisdiction: string; item_class: ItemClass; taxable: boolean;
    code: string | null;    valid_from: string; valid_to: string | null }>(sql`
    select t.jurisdiction, t.item_class, t.taxable, c.code, t.valid_from, t.valid_to
    from taxability t left join tax_codes c on c.id = t.tax_code_id where t.division = ${division}`);
  const registrations = await db.query<{ jurisdiction: string; valid_from: string }>(sql`
    select jurisdiction, valid_from from tax_registrations
    where division = ${division} and (valid_to is null or valid_to >= ${on})`);
  return {
    rates: rates.map((row) => ({ ...row, rate_ppm: BigInt(row.rate_ppm) })),
    taxability: taxability.map((row) => ({ ...row, code: row.code ?? 'none' })),
    registrations,
  };
}
