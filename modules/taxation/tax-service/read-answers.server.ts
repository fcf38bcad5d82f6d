/** Answers of the tax service in the shapes of our calls; rates come as texts or numbers, parts may be left out. */
import type { ServiceAddresses, ServiceCategories, ServiceRates, ServiceRegions, ServiceSummary, ServiceTax,
  ServiceVat } from './service-answers.server.ts';
import type { NexusRegion, ServiceRate, SummaryRate, TaxCalculation, TaxCategory, TaxPortion, TaxQuestion,
  ValidatedAddress, VatValidation } from './tax-service.contract.ts';
import type { VatNumberCheck } from './vat-number.server.ts';

/** A number, or a text that is one; null where it is left out. An answer without its numbers is no answer. */
function numberOf(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null;
  const number = Number(value);
  if (!Number.isFinite(number)) throw new Error('The tax service answered with a number that is none');
  return number;
}
const needed = (value: unknown): number => {
  const number = numberOf(value);
  if (number === null) throw new Error('The tax service answered without a number');
  return number;
};

export const readCategories = ({ categories }: ServiceCategories): TaxCategory[] =>
  categories.map(({ product_tax_code, name, description }) => ({ product_tax_code, name, description,
    source: 'service' }));

export function readRates({ rate }: ServiceRates, asked: string): ServiceRate {
  return {
    country: rate.country ?? asked, zip: rate.zip ?? null, state: rate.state ?? null,
    state_rate: numberOf(rate.state_rate), county: rate.county ?? null, county_rate: numberOf(rate.county_rate),
    city: rate.city ?? null, city_rate: numberOf(rate.city_rate),
    combined_district_rate: numberOf(rate.combined_district_rate), combined_rate: numberOf(rate.combined_rate),
    freight_taxable: rate.freight_taxable, name: rate.name ?? null, standard_rate: numberOf(rate.standard_rate),
    reduced_rate: numberOf(rate.reduced_rate), local_unknown: false, source: 'service',
  };
}

/** Own categories mean nothing to the service: such a line is fully taxable there, as it says of lines without one. */
export function askTaxes(asked: TaxQuestion, ownCodes: ReadonlySet<string>, exempt: boolean): object {
  const { from, to } = asked;
  return {
    from_country: from.country_code, from_zip: from.postal_code, from_state: from.administrative_area,
    from_city: from.locality, from_street: from.thoroughfare, to_country: to.country_code, to_zip: to.postal_code,
    to_state: to.administrative_area, to_city: to.locality, to_street: to.thoroughfare,
    ...(asked.amount === undefined ? {} : { amount: asked.amount }), shipping: asked.shipping,
    ...(exempt ? { exemption_type: asked.exemption_type ?? 'other' } : {}),
    ...(asked.line_items.length === 0 ? {} : { line_items: asked.line_items.map((line, at) => ({
      id: line.id ?? String(at + 1), quantity: line.quantity, unit_price: line.unit_price, discount: line.discount,
      ...(line.product_tax_code === undefined || ownCodes.has(line.product_tax_code) ? {}
        : { product_tax_code: line.product_tax_code }) })) }),
  };
}

type Loose = Record<string, unknown>;

function portionOf(part: Loose): TaxPortion {
  const pick = (...names: string[]): number => {
    for (const name of names) if (part[name] !== undefined) return needed(part[name]);
    return 0;
  };
  return {
    taxable_amount: needed(part.taxable_amount), tax_collectable: needed(part.tax_collectable),
    combined_tax_rate: pick('combined_tax_rate'),
    state_taxable_amount: pick('state_taxable_amount'), state_tax_rate: pick('state_tax_rate', 'state_sales_tax_rate'),
    state_tax_collectable: pick('state_tax_collectable', 'state_amount'),
    county_taxable_amount: pick('county_taxable_amount'), county_tax_rate: pick('county_tax_rate'),
    county_tax_collectable: pick('county_tax_collectable', 'county_amount'),
    city_taxable_amount: pick('city_taxable_amount'), city_tax_rate: pick('city_tax_rate'),
    city_tax_collectable: pick('city_tax_collectable', 'city_amount'),
    special_district_taxable_amount: pick('special_district_taxable_amount', 'special_taxable_amount'),
    special_tax_rate: pick('special_tax_rate'),
    special_district_tax_collectable: pick('special_district_tax_collectable', 'special_district_amount'),
    country_taxable_amount: pick('country_taxable_amount'), country_tax_rate: pick('country_tax_rate'),
    country_tax_collectable: pick('country_tax_collectable'),
  };
}

export function readTaxes({ tax }: ServiceTax): TaxCalculation {
  const reason = tax.has_nexus ? 'Determined by the tax service' : 'No nexus, says the tax service';
  const line = (part: Loose, id: string) => ({ ...portionOf(part), id, reason });
  const { breakdown } = tax;
  return {
    order_total_amount: needed(tax.order_total_amount), shipping: needed(tax.shipping),
    taxable_amount: needed(tax.taxable_amount), amount_to_collect: needed(tax.amount_to_collect),
    rate: needed(tax.rate), has_nexus: tax.has_nexus, freight_taxable: tax.freight_taxable,
    tax_source: tax.tax_source ?? null, exemption_type: tax.exemption_type ?? null,
    jurisdictions: { country: tax.jurisdictions?.country ?? 'US', state: tax.jurisdictions?.state ?? null,
      county: tax.jurisdictions?.county ?? null, city: tax.jurisdictions?.city ?? null },
    breakdown: breakdown === undefined ? null : { ...portionOf({ ...breakdown }),
      shipping: breakdown.shipping ? line({ ...breakdown.shipping }, 'shipping') : null,
      line_items: (breakdown.line_items ?? []).map((part, at) => line({ ...part }, part.id ?? String(at + 1))) },
    problems: [], source: 'service',
  };
}

export const readRegions = ({ regions }: ServiceRegions): NexusRegion[] =>
  regions.map(({ country_code, country, region_code, region }) => ({ country_code, country, region_code, region,
    source: 'service' }));

export const readAddresses = ({ addresses }: ServiceAddresses): ValidatedAddress[] =>
  addresses.map(({ country, state, zip, city, street }) => ({ country, state, zip, city, street: street ?? '',
    source: 'service' }));

export const readVat = ({ validation }: ServiceVat, own: VatNumberCheck): VatValidation => ({
  valid: validation.valid, exists: validation.vies_available ? validation.exists : null,
  vies_available: validation.vies_available, vies_response: validation.vies_response ?? null,
  country_code: own.country_code, vat_number: own.number, format_valid: own.format_valid,
  check_digit_valid: own.check_digit_valid, source: 'service', register: null,
  name: validation.vies_response?.name ?? null, address: validation.vies_response?.address ?? null,
});

export const readSummary = ({ summary_rates }: ServiceSummary): SummaryRate[] => summary_rates.map((one) => ({
  country_code: one.country_code, country: one.country, region_code: one.region_code, region: one.region,
  minimum_rate: { label: one.minimum_rate.label, rate: needed(one.minimum_rate.rate) },
  average_rate: { label: one.average_rate.label, rate: needed(one.average_rate.rate) }, source: 'service' }));
