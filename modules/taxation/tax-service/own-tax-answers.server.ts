/** Tax service answers from our own tables: categories, rates, registrations, addresses, summaries. */
import { countryName } from '#kernel/address/address-lines.ts';
import { EU_COUNTRIES } from '#kernel/tax/determine.ts';
import { averageLocalPpm, stateOfZip, zipOf } from '#kernel/tax/zip.ts';
import { ITEM_CLASSES, type ItemClass } from '#kernel/money/priced-line.ts';
import { spell } from '#kernel/text/english.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { loadTaxTables } from '../determination/tax-tables.server.ts';
import { stateName } from '../sales-tax/state-name.ts';
import type { NexusRegion, ServiceRate, SummaryRate, TaxCategory, ValidatedAddress } from './tax-service.contract.ts';

type Work = Pick<WorkContext, 'db' | 'today'>;

/** Names in the reader's language, so read at each call. */
const categories = (): Readonly<Record<ItemClass, readonly [name: string, description: string]>> => ({
  performing_licence: [spell`Performing licenses`, 'The right to perform a show'],
  rental: ['Rentals', 'Scripts, scores and parts that come back'],
  printed_script: ['Printed scripts', 'Scripts and librettos sold on paper'],
  printed_music: ['Printed music', 'Scores and parts sold on paper'],
  e_publication: ['Electronic publications', 'Scripts and scores as files'],
  digital_music: ['Digital music', 'Scores and parts as files'],
  tracks: ['Tracks', 'Recordings to perform or rehearse with'],
  logo: ['Logos', 'Logos and artwork as files'],
  merchandise: ['Merchandise', 'Goods of every other kind; taken where no category is named'],
  shipping: ['Shipping', 'Delivery and handling'],
  fee: ['Fees', 'Late fees, service fees and the like'],
});

export function ownCategories(): TaxCategory[] {
  const words = categories();
  return ITEM_CLASSES.map((code) => ({ product_tax_code: code, name: words[code][0], description: words[code][1],
    source: 'own' }));
}

const asRate = (ppm: number | bigint): number => Number(ppm) / 1_000_000;

/** Two letters of a state that is given by letters or by its whole name. */
export function stateLetters(typed: string): string | null {
  const wanted = typed.trim().toLowerCase();
  return territoriesOf('US').find(({ code, name }) =>
    code.toLowerCase() === wanted || name.toLowerCase() === wanted)?.code ?? null;
}

interface Place { zip: string; state: string }

/** The ZIP code and its state; a state that the ZIP code does not lie in is refused at `at`. */
export function placeInUs(zipTyped: string, stateTyped: string, at: { zip: string; state: string }): Place {
  const zip = zipOf(zipTyped);
  if (zip === null) throw invalidField(at.zip, 'Enter a ZIP code, for example 11106');
  const named = stateTyped.trim() === '' ? null : stateLetters(stateTyped);
  if (stateTyped.trim() !== '' && named === null) {
    throw invalidField(at.state, 'Enter the two letters of the state, for example NY');
  }
  const state = stateOfZip(zip);
  if (state === null && named === null) throw invalidField(at.zip, 'This ZIP code is in no state');
  if (state !== null && named !== null && state !== named) {
    throw invalidField(at.zip, `ZIP code ${zip} is in ${state}, not in ${named}`);
  }
  return { zip, state: (named ?? state)! };
}

export interface RateQuestion { country: string; zip?: string | undefined; state?: string | undefined;
  city?: string | undefined }

export function ownRates(ctx: Work, asked: RateQuestion): Promise<ServiceRate> {
  if (!COUNTRIES.some(({ code }) => code === asked.country)) {
    throw invalidField('country', 'This country does not exist');
  }
  return asked.country === 'US' ? ratesInUs(ctx, asked) : ratesOfCountry(ctx, asked);
}

async function ratesInUs(ctx: Work, asked: RateQuestion): Promise<ServiceRate> {
  const { zip, state } = placeInUs(asked.zip ?? '', asked.state ?? '', { zip: 'zip', state: 'state' });
  const root = `US-${state}`;
  const here = { country: 'US', jurisdictions: [root], zip };
  const tables = await loadTaxTables(ctx.db, 'US', 0, await ctx.today('US'), [here]);
  const place = tables.withLocalities(here);
  const main = tables.rates.find((rate) => rate.jurisdiction === root && rate.is_local !== true);
  if (!main) throw refuse('not_found', `No rate of ${state} is entered.`);
  const local = tables.rates.filter((rate) => rate.is_local === true && rate.code === main.code
    && place.jurisdictions.includes(rate.jurisdiction));
  const [county, city, district] = ['county', 'city', 'district'].map((level) => local
    .filter(({ jurisdiction }) => levelOf(jurisdiction) === level));
  const total = (rows: typeof local = []) => asRate(rows.reduce((sum, row) => sum + row.rate_ppm, 0n));
  const shipping = tables.taxability.find((rule) => rule.jurisdiction === root && rule.item_class === 'shipping');
  return {
    country: 'US', zip, state, state_rate: asRate(main.rate_ppm), county: nameOf(county?.[0]?.jurisdiction),
    county_rate: total(county), city: asked.city?.trim() || nameOf(city?.[0]?.jurisdiction), city_rate: total(city),
    combined_district_rate: total(district), combined_rate: total([main, ...local]),
    freight_taxable: shipping?.taxable ?? false, name: null, standard_rate: null, reduced_rate: null,
    local_unknown: place.local_unknown ?? false, source: 'own',
  };
}

/** Level of a jurisdiction by its spelling: US-NY, US-NY-Queens, US-NY-Queens-city. */
export function levelOf(jurisdiction: string): 'country' | 'state' | 'county' | 'city' | 'district' {
  const [, state, place, level] = jurisdiction.split('-');
  if (state === undefined) return 'country';
  if (place === undefined) return 'state';
  return level === 'city' || level === 'district' ? level : 'county';
}
export const nameOf = (jurisdiction: string | undefined): string | null => jurisdiction?.split('-')[2] ?? null;

interface CountryRate { jurisdiction: string; kind: string; rate_ppm: number }

/** Rates of countries with VAT today: the standard rate under its own code or that of the one-stop shop. */
async function countryRates(ctx: Work): Promise<CountryRate[]> {
  const today = await ctx.today('EU');
  return ctx.db.query<CountryRate>(sql`
    select distinct r.jurisdiction, c.kind, r.rate_ppm from tax_rates r join tax_codes c on c.id = r.tax_code_id
    where c.active and r.level = 'country' and c.kind in ('standard', 'oss', 'reduced') and r.valid_from <= ${today}
      and (r.valid_to is null or r.valid_to >= ${today}) order by r.jurisdiction, r.rate_ppm desc`);
}

async function ratesOfCountry(ctx: Work, { country, zip, city }: RateQuestion): Promise<ServiceRate> {
  const rates = (await countryRates(ctx)).filter((rate) => rate.jurisdiction === country);
  const standard = rates.find(({ kind }) => kind !== 'reduced');
  if (!standard) throw refuse('not_found', `No rate of ${countryName(country)} is entered.`);
  const reduced = rates.find(({ kind }) => kind === 'reduced');
  return {
    country, zip: zip ?? null, state: null, state_rate: null, county: null, county_rate: null, city: city ?? null,
    city_rate: null, combined_district_rate: null, combined_rate: null, freight_taxable: true,
    name: countryName(country), standard_rate: asRate(standard.rate_ppm),
    reduced_rate: reduced ? asRate(reduced.rate_ppm) : null, local_unknown: false, source: 'own',
  };
}

export async function ownRegions(ctx: Work): Promise<NexusRegion[]> {
  const today = await ctx.today('US');
  const rows = await ctx.db.query<{ jurisdiction: string }>(sql`
    select distinct jurisdiction from tax_registrations
    where valid_from <= ${today} and (valid_to is null or valid_to >= ${today}) order by jurisdiction`);
  return rows.map(({ jurisdiction }) => {
    const [country = '', state] = jurisdiction.split('-');
    return { country_code: country, country: countryName(country), region_code: state ?? '',
      region: state === undefined ? '' : stateName(state), source: 'own' };
  });
}

export async function ownSummary(ctx: Work): Promise<SummaryRate[]> {
  const today = await ctx.today('US');
  const states = await ctx.db.query<{ jurisdiction: string; rate_ppm: number }>(sql`
    select r.jurisdiction, max(r.rate_ppm) as rate_ppm from tax_rates r join tax_codes c on c.id = r.tax_code_id
    where c.active and c.kind = 'sales_tax' and r.level = 'state' and r.valid_from <= ${today}
      and (r.valid_to is null or r.valid_to >= ${today}) group by r.jurisdiction order by r.jurisdiction`);
  const spans = await ctx.db.query<{ state: string; zip_from: string; zip_to: string; rate_ppm: number }>(sql`
    select state, zip_from, zip_to, rate_ppm from local_tax_rates
    where valid_from <= ${today} and (valid_to is null or valid_to >= ${today})`);
  const inStates = states.map(({ jurisdiction, rate_ppm }): SummaryRate => {
    const code = jurisdiction.slice(3);
    const average = averageLocalPpm(spans.filter((span) => span.state === code));
    return { country_code: 'US', country: countryName('US'), region_code: code, region: stateName(code),
      minimum_rate: { label: 'State Tax', rate: asRate(rate_ppm) },
      average_rate: { label: 'Tax', rate: asRate(rate_ppm + average) }, source: 'own' };
  });
  const standard = (await countryRates(ctx)).filter(({ kind }) => kind !== 'reduced');
  const countries = [...new Map(standard.map((rate) => [rate.jurisdiction, rate.rate_ppm]))]
    .map(([country, ppm]): SummaryRate => ({ country_code: country, country: countryName(country), region_code: null,
      region: null, minimum_rate: { label: 'VAT', rate: asRate(ppm) }, average_rate: { label: 'VAT',
        rate: asRate(ppm) }, source: 'own' }));
  return [...inStates, ...countries];
}

interface TypedAddress { country_code: string; thoroughfare: string; locality: string; administrative_area: string;
  postal_code: string; premise?: string | undefined }

/** The address in one spelling; what contradicts itself is refused at its field. */
export function ownAddress(typed: TypedAddress): ValidatedAddress {
  const country = typed.country_code.trim().toUpperCase();
  if (!COUNTRIES.some(({ code }) => code === country)) {
    throw invalidField('address.country_code', 'This country does not exist');
  }
  const street = [typed.thoroughfare, typed.premise ?? ''].map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '').join(', ');
  const city = typed.locality.trim().replaceAll(/\s+/g, ' ');
  if (country !== 'US') {
    const zip = typed.postal_code.trim().toUpperCase().replaceAll(/\s+/g, ' ');
    return { country, state: typed.administrative_area.trim(), zip, city, street, source: 'own' };
  }
  const { zip, state } = placeInUs(typed.postal_code, typed.administrative_area,
    { zip: 'address.postal_code', state: 'address.administrative_area' });
  const extended = /^\d{5}[-\s]?(\d{4})$/.exec(typed.postal_code.trim())?.[1];
  return { country, state, zip: extended ? `${zip}-${extended}` : zip, city, street, source: 'own' };
}

/** The division that ships from a country: its tables hold. */
export function divisionFrom(country: string): 'US' | 'UK' | 'EU' {
  if (country === 'US') return 'US';
  if (country === 'GB') return 'UK';
  if (EU_COUNTRIES.has(country)) return 'EU';
  throw invalidField('from.country_code', 'We ship from the US, the United Kingdom and the EU');
}
