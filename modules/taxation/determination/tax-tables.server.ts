/** The effective-dated tables that the tax of some places needs on a day, read in short queries. */
import type { ItemClass } from '#kernel/money/priced-line.ts';
import type {
  ExemptionCertificate, Taxability, TaxPlace, TaxRate, TaxRegistration, TaxTables,
} from '#kernel/tax/determine.ts';
import { localJurisdiction } from '#kernel/tax/zip.ts';
import type { LocalRateAnswer } from '../local-tax-rates/local-tax-rate.contract.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface TaxCodeRef { id: number; code: string; kind: string; legal_text: string }

export interface LoadedTables extends TaxTables {
  home_country: string;
  certificates: readonly (ExemptionCertificate & { id: number })[];
  codeOf(code: string): TaxCodeRef;
  certificateIn(reason: string): number | null;
  withLocalities(place: TaxPlace): TaxPlace;
}

interface RateRow {
  id: number; jurisdiction: string; level: string; code: string; rate_ppm: number; taxes_shipping: boolean;
  valid_from: string; valid_to: string | null;
}

/** Everything the kernel may ask for about these places on this day. */
export async function loadTaxTables(
  db: Queryable, division: string, customerId: number, on: string, places: readonly TaxPlace[],
  said: readonly LocalRateAnswer[] = [],
): Promise<LoadedTables> {
  const { home_country } = await db.one<{ home_country: string }>(sql`
    select home_country from divisions where code = ${division}`);
  const roots = [...new Set([home_country, ...places.flatMap((place) =>
    place.jurisdictions.length > 0 ? place.jurisdictions : [place.country])])];
  const codes = await db.query<TaxCodeRef>(sql`
    select id, code, kind, legal_text from tax_codes where division = ${division} and active`);
  const rates = await ratesOf(db, division, on, roots);
  const locals = await localsOf(db, on, places, said);
  const rules = await db.query<Taxability & { item_class: ItemClass }>(sql`
    select distinct on (t.jurisdiction, t.item_class) t.jurisdiction, t.item_class, t.taxable,
      coalesce(c.code, 'NONE') as code, t.valid_from, t.valid_to
    from taxability t left join tax_codes c on c.id = t.tax_code_id
    where t.division = ${division} and t.jurisdiction = any(${roots}::text[]) and t.valid_from <= ${on}
      and (t.valid_to is null or t.valid_to >= ${on})
    order by t.jurisdiction, t.item_class, t.valid_from desc`);
  const registrations = await db.query<TaxRegistration>(sql`
    select jurisdiction, valid_from from tax_registrations
    where division = ${division} and scheme <> 'ein' and (valid_to is null or valid_to >= ${on})`);
  const certificates = await db.query<ExemptionCertificate & { id: number }>(sql`
    select id, country || coalesce('-' || state, '') as jurisdiction, number, valid_from as issued_on, expires_on
    from tax_exemption_certificates where customer_id = ${customerId} and status = 'verified' order by id`);
  return {
    home_country, registrations, certificates,
    rates: [...rates.map((row): TaxRate => ({ ...row, rate_ppm: BigInt(row.rate_ppm) })), ...asRates(locals, codes)],
    taxability: [...rules, ...shippingRules(rates, rules)],
    codeOf(code) {
      const found = codes.find((row) => row.code === code.toUpperCase());
      if (!found) throw new Error(`division ${division} has no tax code ${code}`);
      return found;
    },
    certificateIn: (reason) => certificates.find((row) => reason.endsWith(` ${row.number}`) && row.issued_on <= on
      && (row.expires_on === null || on <= row.expires_on))?.id ?? null,
    withLocalities: (place) => withLocalities(place, locals),
  };
}

/** Rates of countries and states. What a live table still holds under the name of a city is history. */
function ratesOf(db: Queryable, division: string, on: string, roots: readonly string[]): Promise<RateRow[]> {
  return db.query<RateRow>(sql`
    select r.id, r.jurisdiction, r.level, c.code, r.rate_ppm, r.taxes_shipping, r.valid_from, r.valid_to
    from tax_rates r join tax_codes c on c.id = r.tax_code_id
    where c.division = ${division} and c.active and r.valid_from <= ${on} and (r.valid_to is null or r.valid_to >=
      ${on}) and r.jurisdiction = any(${roots}::text[]) and r.jurisdiction !~ '^US-[A-Z]{2}-'
    order by r.jurisdiction`);
}

interface LocalRow { id: number; state: string; county: string; level: 'county' | 'city' | 'district';
  zip_from: string; zip_to: string; rate_ppm: number; valid_from: string; valid_to: string | null }

interface Locals {
  rows: readonly LocalRow[];
  /** States whose rows name every place that taxes. */
  complete: ReadonlySet<string>;
}

async function localsOf(
  db: Queryable, on: string, places: readonly TaxPlace[], said: readonly LocalRateAnswer[],
): Promise<Locals> {
  const zips = places.flatMap((place) => (place.zip ? [place.zip] : []));
  if (zips.length === 0) return { rows: [], complete: new Set() };
  const rows = await db.query<LocalRow>(sql`
    select id, state, county, level, zip_from, zip_to, rate_ppm, valid_from, valid_to from local_tax_rates r
    where valid_from <= ${on} and (valid_to is null or valid_to >= ${on})
      and exists (select 1 from unnest(${zips}::text[]) z where z between r.zip_from and r.zip_to)
    order by case level when 'county' then 1 when 'city' then 2 else 3 end, id`);
  const states = await db.query<{ state: string }>(sql`select state from local_tax_states where complete`);
  const answers = said.map(({ state, zip, rate_ppm }): LocalRow => ({ id: 0, state, county: `ZIP ${zip}`,
    level: 'county', zip_from: zip, zip_to: zip, rate_ppm, valid_from: on, valid_to: null }));
  return { rows: [...rows, ...answers], complete: new Set(states.map((row) => row.state)) };
}

/** Local rates as the kernel knows rates: one for each code of sales tax of the division. */
function asRates(locals: Locals, codes: readonly TaxCodeRef[]): TaxRate[] {
  return codes.filter((code) => code.kind === 'sales_tax').flatMap(({ code }) => locals.rows
    .filter((row) => row.rate_ppm > 0).map((row): TaxRate => ({ id: row.id, code, is_local: true,
      jurisdiction: localJurisdiction(row.state, row.county, row.level), rate_ppm: BigInt(row.rate_ppm),
      valid_from: row.valid_from, valid_to: row.valid_to })));
}

/** Whether a state taxes delivery is a flag of its rate; a rule of its own wins. */
function shippingRules(rates: readonly RateRow[], rules: readonly Taxability[]): Taxability[] {
  const own = new Set(rules.filter((rule) => rule.item_class === 'shipping').map((rule) => rule.jurisdiction));
  return rates.filter((rate) => rate.level === 'state' && !own.has(rate.jurisdiction)).map((rate) => ({
    jurisdiction: rate.jurisdiction, item_class: 'shipping', taxable: rate.taxes_shipping, code: rate.code,
    valid_from: rate.valid_from, valid_to: rate.valid_to,
  }));
}

/** The county, the city and the districts that the ZIP lies in. A rate of 0 says that the state's rate is right. */
function withLocalities(place: TaxPlace, locals: Locals): TaxPlace {
  const [root] = place.jurisdictions;
  const { zip } = place;
  if (!root?.startsWith('US-') || !zip) return place;
  const state = root.slice(3);
  const here = locals.rows.filter((row) => row.state === state && row.zip_from <= zip && zip <= row.zip_to);
  return { ...place, jurisdictions: [root, ...here.filter((row) => row.rate_ppm > 0)
    .map((row) => localJurisdiction(row.state, row.county, row.level))],
  local_unknown: here.length === 0 && !locals.complete.has(state) };
}
