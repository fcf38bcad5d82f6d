/** Tax of an order from our own tables, by the rules that invoices are taxed by; nothing is stored. */
import { decimalPrice, minorOf } from '#kernel/money/money.ts';
import { determineTax, supplyOf, type TaxDetermination, type TaxPlace } from '#kernel/tax/determine.ts';
import { ITEM_CLASSES, type ItemClass, type LineKind } from '#kernel/money/priced-line.ts';
import { invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { loadTaxTables, type LoadedTables } from '../determination/tax-tables.server.ts';
import { divisionFrom, levelOf, nameOf, placeInUs } from './own-tax-answers.server.ts';
import type { TaxCalculation, TaxPortion, TaxQuestion } from './tax-service.contract.ts';

const DEFAULT_CLASS: ItemClass = 'merchandise';
const KINDS: Partial<Record<ItemClass, LineKind>> = { performing_licence: 'royalty', rental: 'rental', fee: 'fee',
  shipping: 'shipping', e_publication: 'digital', digital_music: 'digital', tracks: 'digital', logo: 'digital' };

interface PricedLine { id: string; item_class: ItemClass; net_minor: bigint }

export const toMinor = (amount: number): bigint => BigInt(minorOf(amount));
export const toAmount = (minor: bigint | number): number => decimalPrice(Number(minor));

/**
 * Lines with their class and amount; an order without lines is one of the default class. `lenient`: a category of the
 * tax service, which did not answer, is taxed as merchandise.
 */
function linesOf(asked: TaxQuestion, lenient: boolean): PricedLine[] {
  if (asked.line_items.length === 0) {
    if (asked.amount === undefined) throw invalidField('amount', 'Enter an amount, or lines');
    return [{ id: '', item_class: DEFAULT_CLASS, net_minor: toMinor(asked.amount) }];
  }
  const lines = asked.line_items.map((line, at): PricedLine => {
    const code = line.product_tax_code ?? DEFAULT_CLASS;
    const item_class = ITEM_CLASSES.find((one) => one === code) ?? (lenient ? DEFAULT_CLASS : undefined);
    if (!item_class) throw invalidField(`line_items.${at}.product_tax_code`, 'This category does not exist');
    const net_minor = toMinor(line.unit_price * line.quantity) - toMinor(line.discount);
    if (net_minor < 0n) throw invalidField(`line_items.${at}.discount`, 'The discount is larger than the line');
    return { id: line.id ?? String(at + 1), item_class, net_minor };
  });
  const total = lines.reduce((sum, line) => sum + line.net_minor, 0n);
  if (asked.amount !== undefined && toMinor(asked.amount) !== total) {
    throw invalidField('amount', `The lines add up to ${toAmount(total).toFixed(2)}`);
  }
  return lines;
}

function placeOf({ country_code, postal_code, administrative_area }: TaxQuestion['to']): TaxPlace {
  if (country_code !== 'US') return { country: country_code, jurisdictions: [] };
  const { zip, state } = placeInUs(postal_code, administrative_area,
    { zip: 'to.postal_code', state: 'to.administrative_area' });
  return { country: 'US', jurisdictions: [`US-${state}`], zip };
}

/** Refuses questions that no service should be asked: amounts that do not add up, a ZIP code in another state. */
export function refuseContradictions(asked: TaxQuestion): void {
  linesOf(asked, true);
  placeOf(asked.to);
}

export async function ownTaxes(
  ctx: Pick<WorkContext, 'db' | 'today' | 'ports'>, asked: TaxQuestion, exempt: boolean,
): Promise<TaxCalculation> {
  const division = divisionFrom(asked.from.country_code);
  const lines = linesOf(asked, ctx.ports.settings.tax_service !== null);
  const root = placeOf(asked.to);
  const on = await ctx.today(division);
  const tables = await loadTaxTables(ctx.db, division, 0, on, [root]);
  const place = tables.withLocalities(root);
  const decide = (item_class: ItemClass, net_minor: bigint): TaxDetermination => ({ ...determineTax({
    line: { kind: KINDS[item_class] ?? 'sale', item_class, net_minor, tax_free: exempt,
      carries: item_class === 'shipping' ? carriedBy(lines) : null },
    division, supplier_country: tables.home_country, tax_point_on: on,
    customer: { ...place, is_business: false, vat_country: null }, venue: place, ship_to: place, certificates: [],
    tables,
  }), ...(exempt ? { reason: 'The customer is exempt' } : {}) });
  const goods = lines.map((line) => ({ line, answer: decide(line.item_class, line.net_minor) }));
  const shipping = { line: { id: 'shipping', item_class: 'shipping' as const, net_minor: toMinor(asked.shipping) },
    answer: decide('shipping', toMinor(asked.shipping)) };
  return answerOf(asked, place, tables, goods, shipping);
}

/** Shipping follows the first goods of the order. */
function carriedBy(lines: readonly PricedLine[]): ItemClass | null {
  return lines.find(({ item_class }) => supplyOf({ kind: KINDS[item_class] ?? 'sale', item_class }) === 'goods')
    ?.item_class ?? null;
}

interface Decided { line: PricedLine; answer: TaxDetermination }

function answerOf(asked: TaxQuestion, place: TaxPlace, tables: LoadedTables, goods: readonly Decided[],
  shipping: Decided): TaxCalculation {
  const all = [...goods, shipping];
  const whole = portionOf(all.map(({ answer }) => answer));
  const net = all.reduce((sum, { line }) => sum + line.net_minor, 0n);
  const named = place.jurisdictions.length > 0 ? place.jurisdictions : [place.country];
  const at = (level: string): string | null => nameOf(named.find((one) => levelOf(one) === level));
  const problems = [...new Set(all.filter(({ line }) => line.net_minor > 0n)
    .flatMap(({ answer }) => [answer.problem ?? [], answer.unknown_zip
      ? `No local rate is known for ZIP code ${answer.unknown_zip.zip}.` : []].flat()))];
  const freight = tables.taxability.find((rule) => rule.jurisdiction === named[0] && rule.item_class === 'shipping');
  return {
    order_total_amount: toAmount(net), shipping: asked.shipping, taxable_amount: whole.taxable_amount,
    amount_to_collect: whole.tax_collectable, rate: whole.combined_tax_rate,
    has_nexus: tables.registrations.some(({ jurisdiction }) => jurisdiction === named[0]),
    freight_taxable: freight?.taxable ?? false, tax_source: 'destination',
    exemption_type: asked.exemption_type ?? null,
    jurisdictions: { country: place.country, state: named[0]?.split('-')[1] ?? null, county: at('county'),
      city: at('city') },
    breakdown: { ...whole, shipping: asked.shipping > 0 ? lineOf(shipping) : null, line_items: goods.map(lineOf) },
    problems, source: 'own',
  };
}

const lineOf = ({ line, answer }: Decided) => ({ ...portionOf([answer]), id: line.id, reason: answer.reason });

/** Amounts and rates of the levels that tax; rates of one order are those of its taxed lines. */
function portionOf(answers: readonly TaxDetermination[]): TaxPortion {
  const taxed = answers.filter(({ parts }) => parts.some(({ rate_ppm }) => rate_ppm > 0n));
  const parts = taxed.flatMap((answer) => answer.parts);
  const level = (wanted: string) => {
    const here = parts.filter(({ jurisdiction }) => levelOf(jurisdiction) === wanted);
    const rates = new Map(here.map(({ jurisdiction, rate_ppm }) => [jurisdiction, rate_ppm]));
    // Several districts may lie over one line: its amount counts once.
    const bases = taxed.filter((answer) => answer.parts.some(({ jurisdiction }) => levelOf(jurisdiction) === wanted));
    return { base: toAmount(bases.reduce((sum, { base_minor }) => sum + base_minor, 0n)),
      rate: [...rates.values()].reduce((sum, ppm) => sum + Number(ppm), 0) / 1_000_000,
      tax: toAmount(here.reduce((sum, { tax_minor }) => sum + tax_minor, 0n)) };
  };
  const [country, state, county, city, special] = ['country', 'state', 'county', 'city', 'district'].map(level) as
    [Level, Level, Level, Level, Level];
  return {
    taxable_amount: toAmount(taxed.reduce((sum, { base_minor }) => sum + base_minor, 0n)),
    tax_collectable: toAmount(answers.reduce((sum, { tax_minor }) => sum + tax_minor, 0n)),
    combined_tax_rate: Math.max(0, ...taxed.map(({ rate_ppm }) => Number(rate_ppm))) / 1_000_000,
    country_taxable_amount: country.base, country_tax_rate: country.rate, country_tax_collectable: country.tax,
    state_taxable_amount: state.base, state_tax_rate: state.rate, state_tax_collectable: state.tax,
    county_taxable_amount: county.base, county_tax_rate: county.rate, county_tax_collectable: county.tax,
    city_taxable_amount: city.base, city_tax_rate: city.rate, city_tax_collectable: city.tax,
    special_district_taxable_amount: special.base, special_tax_rate: special.rate,
    special_district_tax_collectable: special.tax,
  };
}
interface Level { base: number; rate: number; tax: number }
