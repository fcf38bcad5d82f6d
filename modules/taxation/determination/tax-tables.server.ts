/** The effective-dated tables that the tax of some places needs on a day, read in five short queries. */
import type { ItemClass } from '#kernel/money/priced-line.ts';
import type {
  ExemptionCertificate, Taxability, TaxPlace, TaxRate, TaxRegistration, TaxTables,
} from '#kernel/tax/determine.ts';
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
): Promise<LoadedTables> {
  const { home_country } = await db.one<{ home_country: string }>(sql`
    select home_country from divisions where code = ${division}`);
  const roots = [...new Set([home_country, ...places.flatMap((place) =>
    place.jurisdictions.length > 0 ? place.jurisdictions : [place.country])])];
  const codes = await db.query<TaxCodeRef>(sql`
    select id, code, kind, legal_text from tax_codes where division = ${division} and active`);
  const rates = await ratesOf(db, division, on, roots);
  const rules = await db.query<Taxability & { item_class: ItemClass }>(sql`
    select distinct on (t.jurisdiction, t.item_class) t.jurisdiction, t.item_class, t.taxable,
      coalesce(c.code, 'NONE') as code, t.valid_from, t.valid_to
    from taxability t left join tax_codes c on c.id = t.tax_code_id
    where t.division = ${division} and t.jurisdiction = any(${roots}::text[]) and t.valid_from <= ${on}
      and (t.valid_to is null or t.valid_to >= ${on})
    order by t.jurisdiction, t.item_class, t.valid_from desc`);
  const registrations = await db.query<TaxRegistration>(sql`
    select jurisdiction, valid_from from tax_registrations
    where division = ${division} and (valid_to is null or valid_to >= ${on})`);
  const certificates = await db.query<ExemptionCertificate & { id: number }>(sql`
    select id, country || coalesce('-' || state, '') as jurisdiction, number, valid_from as issued_on, expires_on
    from tax_exemption_certificates where customer_id = ${customerId} and status = 'verified' order by id`);
  return {
    home_country, registrations, certificates,
    rates: rates.map((row): TaxRate => ({ ...row, rate_ppm: BigInt(row.rate_ppm) })),
    taxability: [...rules, ...shippingRules(rates, rules)],
    codeOf(code) {
      const found = codes.find((row) => row.code === code.toUpperCase());
      if (!found) throw new Error(`division ${division} has no tax code ${code}`);
      return found;
    },
    certificateIn: (reason) => certificates.find((row) => reason.endsWith(` ${row.number}`))?.id ?? null,
    withLocalities: (place) => withLocalities(place, rates),
  };
}

function ratesOf(db: Queryable, division: string, on: string, roots: readonly string[]): Promise<RateRow[]> {
  const folded = roots.map((root) => root.toLowerCase());
  return db.query<RateRow>(sql`
    select r.id, r.jurisdiction, r.level, c.code, r.rate_ppm, r.taxes_shipping, r.valid_from, r.valid_to
    from tax_rates r join tax_codes c on c.id = r.tax_code_id
    where c.division = ${division} and c.active and r.valid_from <= ${on} and (r.valid_to is null or r.valid_to >=
      ${on})
      and (lower(r.jurisdiction) = any(${folded}::text[]) or exists (
        select 1 from unnest(${folded}::text[]) root
        where root like 'us-%-%' and starts_with(lower(r.jurisdiction), root || '-')))
    order by length(r.jurisdiction), r.jurisdiction`);
}

/** Whether a state taxes delivery is a flag of its rate; a rule of its own wins. */
function shippingRules(rates: readonly RateRow[], rules: readonly Taxability[]): Taxability[] {
  const own = new Set(rules.filter((rule) => rule.item_class === 'shipping').map((rule) => rule.jurisdiction));
  return rates.filter((rate) => rate.level === 'state' && !own.has(rate.jurisdiction)).map((rate) => ({
    jurisdiction: rate.jurisdiction, item_class: 'shipping', taxable: rate.taxes_shipping, code: rate.code,
    valid_from: rate.valid_from, valid_to: rate.valid_to,
  }));
}

/** A town's name may be typed in any case; districts below it ("New York-MCTD") belong to it. */
function withLocalities(place: TaxPlace, rates: readonly RateRow[]): TaxPlace {
  const [state, locality] = place.jurisdictions;
  if (!state || !locality) return place;
  const root = locality.toLowerCase();
  const below = rates.map((rate) => rate.jurisdiction)
    .filter((name) => name.toLowerCase() === root || name.toLowerCase().startsWith(`${root}-`));
  return { country: place.country, jurisdictions: [state, ...new Set(below)] };
}
