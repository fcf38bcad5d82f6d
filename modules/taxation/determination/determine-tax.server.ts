/**
 * Tax of lines: loads what the kernel asks for (rates, taxability, registrations, certificates, the customer's tax
 * profile) and stores nothing. The answer names rows of the tables, so that an issued line can be explained.
 */
import type { Address } from '#kit/field.ts';
import { invalidField } from '#kit/errors.ts';
import type { Division } from '#kernel/money/division.ts';
import type { ItemClass, LineKind } from '#kernel/money/priced-line.ts';
import { zipOf } from '#kernel/tax/zip.ts';
import { determineTax as decide, type TaxDetermination, type TaxPlace } from '#kernel/tax/determine.ts';
import type { LocalRateAnswer } from '../local-tax-rates/local-tax-rate.contract.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { loadTaxTables, type LoadedTables } from './tax-tables.server.ts';
import { vatStanding, type VatProfile } from './vat-standing.server.ts';

export interface DetermineTaxInput {
  division: string;
  customer_id: number;
  /** Tax point. */
  on: string;
  /** Venue of the performance; the place of a license in the US. */
  venue?: Address | null;
  /** Shipping address of goods; absent: the customer's default shipping address, else the billing address. */
  ship_to?: Address | null;
  /** A person's answers about ZIP codes, for a preview. */
  local_rates?: readonly LocalRateAnswer[];
  lines: readonly { kind: LineKind; item_class: ItemClass; carries?: ItemClass | null; net_minor: number;
    /** The item is marked as not taxed. */ tax_free?: boolean | undefined }[];
}

export interface TaxedPart {
  tax_code_id: number;
  tax_rate_id: number | null;
  local_tax_rate_id?: number | null;
  jurisdiction: string;
  rate_ppm: number;
  base_minor: number;
  tax_minor: number;
}

export interface TaxedLine {
  code: string;
  tax_code_id: number;
  jurisdiction: string;
  rate_ppm: number;
  base_minor: number;
  tax_minor: number;
  reason: string;
  /** Missing parts of the tax profile, in plain words; null when it is complete. */
  problem: string | null;
  ec_list: boolean;
  /** The ZIP without a known local rate that was taxed at the state's rate; a draft asks about it. */
  unknown_zip?: { state: string; zip: string } | null;
  exemption_certificate_id: number | null;
  legal_text: string;
  parts: TaxedPart[];
  /** Of a line that the tax service was asked about, the same on each line of its document. */
  source?: TaxSource | null;
}

/** Origin of a document's tax: the tax service, or our own tables because it did not answer. */
export interface TaxSource {
  /** Hash of what was asked. */
  fingerprint: string;
  determined_by: 'service' | 'own';
  answer: object | null;
  problem: string;
}

interface TaxProfile extends VatProfile {
  tax_country: string | null;
  billing_address: Address | null;
  ship_to: Address | null;
}

/** Tax of each line in the given order (domain.md 2.12). Unknown customer: 422 at `customer_id`. */
export async function determineTax(
  ctx: Pick<WorkContext, 'db'>, input: DetermineTaxInput,
): Promise<TaxedLine[]> {
  const { db } = ctx;
  const profile = await profileOf(db, input.customer_id);
  const customer = placeOf(profile.billing_address, profile.tax_country);
  const shipTo = input.ship_to ?? profile.ship_to ?? profile.billing_address;
  const venue = input.venue ? placeOf(input.venue, null) : null;
  const goods = shipTo ? placeOf(shipTo, null) : null;
  const places = [customer, venue, goods].filter((place): place is TaxPlace => place !== null);
  const tables = await loadTaxTables(db, input.division, input.customer_id, input.on, places,
    input.local_rates);
  const within = (place: TaxPlace | null): TaxPlace | null => place && tables.withLocalities(place);
  return input.lines.map((line) => {
    const answer = decide({
      line: { kind: line.kind, item_class: line.item_class, carries: line.carries ?? null,
        net_minor: BigInt(line.net_minor), tax_free: line.tax_free },
      division: input.division as Division,
      supplier_country: tables.home_country,
      tax_point_on: input.on,
      customer: { ...tables.withLocalities(customer), ...vatStanding(profile) },
      venue: within(venue), ship_to: within(goods),
      certificates: tables.certificates, tables,
    });
    return stored(answer, tables);
  });
}

async function profileOf(db: Queryable, customerId: number): Promise<TaxProfile> {
  const row = await db.maybeOne<TaxProfile>(sql`
    select c.tax_country, c.is_business, c.business_evidence, c.vat_number, c.vat_register_answer, c.billing_address,
      (select a.address from customer_shipping_addresses a where a.customer_id = c.id and a.is_default) as ship_to
    from customers c where c.id = ${customerId}`);
  if (!row) throw invalidField('customer_id', 'This customer does not exist');
  return row;
}

/** State and ZIP of an address; local rates are found by the ZIP, Northern Ireland by its postcodes, not by names. */
export function placeOf(address: Address | null, country: string | null): TaxPlace {
  const code = country ?? address?.country_code ?? 'US';
  if (code !== 'US' || !address || address.country_code !== 'US') {
    return { country: code, jurisdictions: [], is_northern_ireland: code === 'GB' && address?.country_code === 'GB'
      && /^\s*BT\d/i.test(address.postal_code) };
  }
  const state = `US-${address.administrative_area.trim().toUpperCase()}`;
  return { country: code, jurisdictions: [state], zip: zipOf(address.postal_code) };
}

function stored(answer: TaxDetermination, tables: LoadedTables): TaxedLine {
  const code = tables.codeOf(answer.code);
  const certificate = answer.code === 'exempt' ? tables.certificateIn(answer.reason) : null;
  return {
    code: code.code, tax_code_id: code.id, jurisdiction: answer.jurisdiction, rate_ppm: Number(answer.rate_ppm),
    base_minor: Number(answer.base_minor), tax_minor: Number(answer.tax_minor), reason: answer.reason,
    problem: answer.problem, ec_list: answer.ec_list, unknown_zip: answer.unknown_zip,
    exemption_certificate_id: certificate,
    legal_text: code.legal_text,
    parts: answer.parts.map((part) => ({
      tax_code_id: code.id, tax_rate_id: part.rate_id, local_tax_rate_id: part.local_rate_id ?? null,
      jurisdiction: part.jurisdiction,
      rate_ppm: Number(part.rate_ppm), base_minor: Number(part.base_minor), tax_minor: Number(part.tax_minor),
    })),
  };
}
