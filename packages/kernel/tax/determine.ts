/**
 * Place of supply and tax of one line (domain.md 2.12). Every rate, taxability, registration and certificate is data
 * passed in; only the order of the questions is code. The answer is stored with the line and never re-rated once
 * issued.
 */
import { spell } from '../text/english.ts';
import type { IsoDate } from '../calendar/calendar.ts';
import type { Division } from '../money/division.ts';
import { applyPpm, sum } from '../money/money.ts';
import type { ItemClass, LineKind, LineTax, TaxPart } from '../money/priced-line.ts';
import { splitByWeight } from '../money/split.ts';

/** Countries of the EU VAT area by ISO code; Greece is GR here and EL only in VAT numbers. */
export const EU_COUNTRIES: ReadonlySet<string> = new Set([
  'AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DK', 'EE', 'FI', 'FR', 'DE', 'GR', 'HU', 'IE', 'IT', 'LV', 'LT', 'LU', 'MT',
  'NL', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE',
]);

/** Prefix of VAT numbers with which businesses there trade goods with the EU. */
export const NORTHERN_IRELAND = 'XI';

/**
 * `jurisdictions` names state and localities from the largest to the smallest: ['US-NY', 'US-NY-Queens-city',
 * 'US-NY-Queens-district'].
 */
export interface TaxPlace {
  readonly country: string;
  /** GB: goods there follow the VAT rules of the EU (Windsor Framework). */
  readonly is_northern_ireland?: boolean | undefined;
  readonly jurisdictions: readonly string[];
  /** Five digits, by which local rates are found; null where the address has none. */
  readonly zip?: string | null | undefined;
  /** No local rate is known for the ZIP, and the rows of its state are not complete. */
  readonly local_unknown?: boolean | undefined;
}

export interface TaxCustomer extends TaxPlace {
  /** A VAT number that checks, or other evidence that staff recorded. */
  readonly is_business: boolean;
  /** Country of the checked VAT number. */
  readonly vat_country: string | null;
  /** Why the entered VAT number proves nothing; null where none is entered or it holds. */
  readonly vat_problem?: string | null | undefined;
}

/** Effective-dated rate of a code in a jurisdiction; `valid_to` is inclusive, null is open. */
export interface TaxRate {
  readonly id: number;
  readonly jurisdiction: string;
  readonly code: string;
  readonly rate_ppm: bigint;
  readonly valid_from: IsoDate;
  readonly valid_to: IsoDate | null;
  /** A local rate: its id is of another table. */
  readonly is_local?: boolean | undefined;
}

/**
 * Whether and under which code a jurisdiction taxes an item class: {'GB', 'printed_music', true, 'zero'}; dated
 * too.
 */
export interface Taxability {
  readonly jurisdiction: string;
  readonly item_class: ItemClass;
  readonly taxable: boolean;
  readonly code: string;
  readonly valid_from: IsoDate;
  readonly valid_to: IsoDate | null;
}

export interface TaxRegistration {
  /** Country or US state in which the division is registered. */
  readonly jurisdiction: string;
  readonly valid_from: IsoDate;
}

export interface ExemptionCertificate {
  readonly jurisdiction: string;
  readonly number: string;
  readonly issued_on: IsoDate;
  readonly expires_on: IsoDate | null;
}

export interface TaxTables {
  readonly rates: readonly TaxRate[];
  readonly taxability: readonly Taxability[];
  readonly registrations: readonly TaxRegistration[];
}

export interface TaxLine {
  readonly kind: LineKind;
  readonly item_class: ItemClass;
  /** For shipping: the class of goods that it carries; null when it carries none that is known. */
  readonly carries: ItemClass | null;
  readonly net_minor: bigint;
  /** The item itself is marked as not taxed (domain.md 7: tax and vat of a material), whatever its class. */
  readonly tax_free?: boolean | undefined;
}

export interface TaxInput {
  readonly line: TaxLine;
  readonly division: Division;
  /** Country the division is established in and ships from: 'US', 'GB', 'IE'. */
  readonly supplier_country: string;
  readonly tax_point_on: IsoDate;
  readonly customer: TaxCustomer;
  readonly venue: TaxPlace | null;
  readonly ship_to: TaxPlace | null;
  readonly certificates: readonly ExemptionCertificate[];
  readonly tables: TaxTables;
}

export interface TaxDetermination extends LineTax {
  /** Belongs on the EC sales list. */
  readonly ec_list: boolean;
  /** The ZIP that the state's rate was taken for, because no local rate is known there; null: nothing to ask. */
  readonly unknown_zip: { readonly state: string; readonly zip: string } | null;
}

/** Family of rules a line follows. Shipping follows the goods; fees follow services. */
export function supplyOf(line: Pick<TaxLine, 'kind' | 'item_class'>): 'service' | 'goods' | 'digital' | 'shipping' {
  if (line.kind === 'shipping') return 'shipping';
  if (line.kind === 'royalty' || line.kind === 'fee' || line.item_class === 'performing_licence') return 'service';
  const digital = ['e_publication', 'digital_music', 'tracks', 'logo'];
  return line.kind === 'digital' || digital.includes(line.item_class) ? 'digital' : 'goods';
}

/** Classes of items in a sentence. */
const CLASS_WORDS: Readonly<Record<Exclude<ItemClass, 'performing_licence'>, string>> = { rental: 'rental materials',
  printed_script: 'printed scripts', printed_music: 'printed music', e_publication: 'e-publications',
  digital_music: 'digital music', tracks: 'tracks', logo: 'logos', merchandise: 'merchandise', shipping: 'delivery',
  fee: 'fees' };
const wordsOf = (of: ItemClass): string =>
  (of === 'performing_licence' ? spell`licenses to perform` : CLASS_WORDS[of]);

/** Beginnings of the reasons for which nothing is charged in a state; the return of sales tax groups by them. */
export const NO_TAX_REASONS = {
  not_registered: 'The division is not registered in', not_taxable: 'Not taxable in',
  marked: 'The item is marked as not taxed',
} as const;

export function determineTax(input: TaxInput): TaxDetermination {
  if (input.division === 'US' || input.division === 'PROD') return salesTax(input);
  return input.line.tax_free ? nothing(input, 'exempt', input.supplier_country, NO_TAX_REASONS.marked)
    : valueAddedTax(input);
}

/** US and PROD: by the venue's state for a licence, ship-to for goods, the customer's address for digital. */
function salesTax(input: TaxInput): TaxDetermination {
  const supply = supplyOf(input.line);
  const place = { service: input.venue, goods: input.ship_to, shipping: input.ship_to, digital: input.customer }[supply]
    ?? input.customer;
  const state = place.jurisdictions[0] ?? place.country;
  // Letters and invoices say NY; rates and rules go by the whole code, US-NY.
  const name = state.replace(/^US-/, '');
  if (place.country !== 'US') return nothing(input, 'outside_scope', place.country, 'Supplied outside the US');
  if (input.line.tax_free) return nothing(input, 'none', state, NO_TAX_REASONS.marked);
  if (!registered(input, state)) return nothing(input, 'none', state, `${NO_TAX_REASONS.not_registered} ${name}`);
  const rule = taxabilityOf(input, state, input.line.item_class);
  if (!rule) {
    const problem = `Enter whether ${name} taxes ${wordsOf(input.line.item_class)}.`;
    return nothing(input, 'none', state, 'No taxability rule', problem);
  }
  const carried = input.line.carries === null ? null : taxabilityOf(input, state, input.line.carries);
  const follows = supply !== 'shipping' || carried === null || carried.taxable;
  if (!rule.taxable || !follows) return nothing(input, 'none', state, `${NO_TAX_REASONS.not_taxable} ${name}`);
  const certificate = certificateFor(input, [state, 'US']);
  if (certificate.valid) return nothing(input, 'exempt', state, `Exemption certificate ${certificate.valid.number}`);
  const rates = place.jurisdictions.flatMap((jurisdiction) => rateOf(input, jurisdiction, rule.code) ?? []);
  if (rates.length === 0) return nothing(input, rule.code, state, 'No rate', `Enter the rate of ${name}.`);
  const answer = charged(input, rule.code, state, rates, `Sales tax of ${name}`, certificate.problem);
  return place.local_unknown && place.zip ? { ...answer, unknown_zip: { state: name, zip: place.zip } } : answer;
}

function valueAddedTax(input: TaxInput): TaxDetermination {
  const supply = supplyOf(input.line);
  if (supply === 'goods' || supply === 'shipping') return goodsVat(input);
  return input.customer.is_business ? businessService(input) : consumerService(input, supply);
}

/** A service to a business is taxed where the customer is established; the venue never matters. */
function businessService(input: TaxInput): TaxDetermination {
  const { customer, supplier_country: home } = input;
  if (customer.country === home) return domestic(input, `Business customer in ${home}`);
  if (input.division === 'EU' && EU_COUNTRIES.has(customer.country)) return reverseCharge(input);
  return nothing(input, 'outside_scope', customer.country, `Service to a business in ${customer.country}`);
}

function reverseCharge(input: TaxInput): TaxDetermination {
  const { country, vat_country: number, vat_problem } = input.customer;
  const problem = number === null ? vat_problem ?? 'Enter the VAT number of the customer: the EC sales list needs it.'
    : null;
  const reason = `Reverse charge: the customer accounts for VAT in ${country}`;
  return { ...nothing(input, 'reverse_charge', country, reason, problem), ec_list: true };
}

/** A licence to a consumer is taxed at home, outside the UK or EU not at all; digital where the consumer lives. */
function consumerService(input: TaxInput, supply: 'service' | 'digital'): TaxDetermination {
  const { customer, supplier_country: home, division } = input;
  if (customer.country === home) return domestic(input, `Consumer in ${home}`);
  const inEu = EU_COUNTRIES.has(customer.country);
  if (supply === 'digital') {
    return inEu ? oneStopShop(input, customer) : nothing(input, 'outside_scope', customer.country,
      `Digital supply to a consumer in ${customer.country}`);
  }
  if (division === 'EU' && inEu) return domestic(input, spell`License to a consumer: taxed where the supplier belongs`);
  return nothing(input, 'outside_scope', customer.country, spell`License to a consumer in ${customer.country}`);
}

/** Ship-from and ship-to decide; shipping takes the place and the rate of the goods it carries. */
function goodsVat(input: TaxInput): TaxDetermination {
  const to = input.ship_to ?? input.customer;
  const home = input.supplier_country;
  if (to.country === home) return domestic(input, `Goods delivered in ${home}`);
  if (input.division === 'EU' && EU_COUNTRIES.has(to.country)) {
    const vat = input.customer.vat_country;
    if (vat === null || vat === home) return oneStopShop(input, to);
    const reason = `Goods to a VAT-registered customer in ${to.country}`;
    return { ...nothing(input, 'zero', to.country, reason), ec_list: true };
  }
  if (input.division === 'EU' && to.is_northern_ireland && input.customer.vat_country === NORTHERN_IRELAND) {
    const reason = 'Goods to a VAT-registered customer in Northern Ireland';
    return { ...nothing(input, 'zero', NORTHERN_IRELAND, reason), ec_list: true };
  }
  return nothing(input, 'zero', to.country, `Export of goods to ${to.country}`);
}

function oneStopShop(input: TaxInput, place: TaxPlace): TaxDetermination {
  return atRate(input, place.country, `One-stop shop: consumer in ${place.country}`, 'oss');
}

function domestic(input: TaxInput, reason: string): TaxDetermination {
  const certificate = certificateFor(input, [input.supplier_country]);
  if (certificate.valid) {
    const text = `Exemption certificate ${certificate.valid.number}`;
    return nothing(input, 'exempt', input.supplier_country, text);
  }
  const answer = atRate(input, input.supplier_country, reason, null);
  return { ...answer, problem: answer.problem ?? certificate.problem };
}

function atRate(input: TaxInput, country: string, reason: string, scheme: 'oss' | null): TaxDetermination {
  const itemClass = input.line.kind === 'shipping' ? input.line.carries ?? 'shipping' : input.line.item_class;
  const rule = taxabilityOf(input, country, itemClass);
  if (!rule) return nothing(input, 'none', country, 'No VAT rule', `Enter how ${country} taxes ${wordsOf(itemClass)}.`);
  if (!rule.taxable) return nothing(input, 'exempt', country, `${reason}: exempt`);
  const rate = rateOf(input, country, rule.code);
  if (!rate) return nothing(input, rule.code, country, 'No rate', `Enter the ${rule.code} rate of ${country}.`);
  return charged(input, scheme ?? rule.code, country, [rate], reason, null);
}

/** One rounding at the line; with several jurisdictions the tax is shared by their rates, largest remainder. */
function charged(
  input: TaxInput, code: string, jurisdiction: string, rates: readonly TaxRate[], reason: string,
  problem: string | null,
): TaxDetermination {
  const base = input.line.net_minor;
  const total = sum(rates.map((rate) => rate.rate_ppm));
  const tax = applyPpm(base, total);
  const shares = splitByWeight(tax, rates.map((rate) => rate.rate_ppm));
  const parts = rates.map((rate, k): TaxPart => ({
    code, jurisdiction: rate.jurisdiction, rate_ppm: rate.rate_ppm, base_minor: base, tax_minor: shares[k]!,
    rate_id: rate.is_local ? null : rate.id, local_rate_id: rate.is_local ? rate.id : null,
  }));
  return {
    code, jurisdiction, rate_ppm: total, base_minor: base, tax_minor: tax, reason, parts, problem, ec_list: false,
    unknown_zip: null,
  };
}

function nothing(
  input: TaxInput, code: string, jurisdiction: string, reason: string, problem: string | null = null,
): TaxDetermination {
  const part = { code, jurisdiction, rate_ppm: 0n, base_minor: input.line.net_minor, tax_minor: 0n };
  return { ...part, reason, parts: [{ ...part, rate_id: null, local_rate_id: null }], problem, ec_list: false,
    unknown_zip: null };
}

function registered(input: TaxInput, jurisdiction: string): boolean {
  return input.tables.registrations
    .some((row) => row.jurisdiction === jurisdiction && row.valid_from <= input.tax_point_on);
}

function taxabilityOf(input: TaxInput, jurisdiction: string, itemClass: ItemClass): Taxability | null {
  const rows = input.tables.taxability
    .filter((row) => row.jurisdiction === jurisdiction && row.item_class === itemClass);
  return inForce(rows, input.tax_point_on);
}

function rateOf(input: TaxInput, jurisdiction: string, code: string): TaxRate | null {
  const rows = input.tables.rates.filter((row) => row.jurisdiction === jurisdiction && row.code === code);
  return inForce(rows, input.tax_point_on);
}

/** The row in force on the tax point; the latest start wins should two overlap. */
function inForce<Row extends { valid_from: IsoDate; valid_to: IsoDate | null }>(
  rows: readonly Row[], on: IsoDate,
): Row | null {
  return rows
    .filter((row) => row.valid_from <= on && (row.valid_to === null || on <= row.valid_to))
    .reduce<Row | null>((best, row) => (best === null || row.valid_from > best.valid_from ? row : best), null);
}

/** A certificate wins while valid on the tax point; one that has expired blocks the quote's tax profile. */
function certificateFor(
  input: TaxInput, jurisdictions: readonly string[],
): { valid: ExemptionCertificate | null; problem: string | null } {
  const on = input.tax_point_on;
  const own = input.certificates.filter((row) => jurisdictions.includes(row.jurisdiction));
  const valid = own.find((row) => row.issued_on <= on && (row.expires_on === null || on <= row.expires_on)) ?? null;
  const expired = own.find((row) => row.expires_on !== null && row.expires_on < on);
  if (valid || !expired) return { valid, problem: null };
  return { valid: null, problem: `Exemption certificate ${expired.number} expired on ${expired.expires_on}.` };
}
