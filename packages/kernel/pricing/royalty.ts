/** The royalty of a quote: unit fees, weekly minimum, run rules, discount, one amount per venue (domain.md 2.11). */
import { spell } from '../text/english.ts';
import { dateFor, startOfWeek } from '../calendar/calendar.ts';
import { min, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';
import { roundingScope, unitFee, type UnitFee } from './fees.ts';
import { potentials, tracePotential, type TicketingRow } from './potentials.ts';
import { PriceError } from './price-error.ts';
import type { PricedPerformance, PricedVenue, PriceInput, PricePerformance, PriceVenue } from './price-types.ts';
import type { Tracer } from './trace.ts';
import { minimumOfWeek } from './weekly.ts';

export interface Royalty {
  readonly performances: readonly PricedPerformance[];
  readonly venues: readonly PricedVenue[];
  readonly gross_royalty_minor: bigint;
  readonly discount_minor: bigint;
  readonly royalty_minor: bigint;
}

interface Charged extends PricedPerformance {
  readonly venue_index: number;
  readonly potential_minor: bigint;
  readonly is_ruled: boolean;
  readonly kind: string;
}

/** Label for performances without prices of their own. */
const ALL_KINDS = 'performances';

/** Throws `price.no_performances` when every performance is cancelled or postponed, and what fees.ts throws. */
export function priceRoyalty(input: PriceInput, tracer: Tracer): Royalty {
  const real = chargedPerformances(input, tracer);
  const charged = [...real, ...missingPerformances(input, real)];
  const venues = input.venues.map((venue, index) =>
    subtotal(input, venue, charged.filter((p) => p.venue_index === index), tracer));
  const counts = input.venues.map((_, index) => BigInt(charged.filter((p) => p.venue_index === index).length));
  const weekly = addWeeklyMinimum(input, charged, venues, tracer);
  const rules = addRunRules(input, charged, weekly, counts, tracer);
  const run = rules.lifted;
  const gross = sum(run);
  const discount = discountOf(input, gross, tracer);
  const net = discount === 0n ? run : spread(-discount, run, counts).map((part, k) => run[k]! + part);
  const base = rules.flat ?? venues;
  traceVenues(input, net, base.map((amount, k): VenueParts => {
    const before = rules.flat ? amount : weekly[k]!;
    const stepped = rules.stepped[k]! - before;
    return { base: amount, is_flat: rules.flat !== null,
      minimum: before - amount + (rules.step_is_minimum ? stepped : 0n) + run[k]! - rules.stepped[k]!,
      rounding: rules.step_is_minimum ? 0n : stepped, discount: net[k]! - run[k]! };
  }), tracer);
  return {
    performances: real.map(priced),
    venues: input.venues.map((venue, index) => pricedVenue(venue, real, index, net[index]!)),
    gross_royalty_minor: gross,
    discount_minor: discount,
    royalty_minor: gross - discount,
  };
}

/** Those neither cancelled nor postponed, in the order (starts_at, id) over all venues, each with its fee. */
function chargedPerformances(input: PriceInput, tracer: Tracer): Charged[] {
  const all = input.venues.flatMap((venue, index) => venue.performances.map((p) => ({ venue, index, p })));
  const playing = all.filter(({ p }) => p.status !== 'cancelled' && p.status !== 'postponed');
  if (playing.length === 0) {
    throw new PriceError('price.no_performances', spell`Add at least one performance, then the license can be priced.`);
  }
  playing.forEach(({ p }) => assertUtc(p));
  playing.sort((a, b) => compareText(a.p.starts_at, b.p.starts_at) || a.p.id - b.p.id);
  const cache = new Map<string, { fee: UnitFee; potential: bigint }>();
  return playing.map(({ venue, index, p }, place): Charged => {
    const { fee, potential } = feeOf(input, venue, p, place + 1, cache, tracer);
    return {
      id: p.id, venue_id: venue.id, venue_index: index, ordinal: place + 1,
      unit_fee_minor: fee.fee_minor, fee_rule: fee.fee_rule, week_key: startOfWeek(p.local_date, input.week_start ?? 1),
      potential_minor: potential, is_ruled: fee.fee_rule === 'free_admission', kind: p.kind ?? ALL_KINDS,
    };
  });
}

/** Equal performances share one calculation, so that the trace names each distinct fee once. */
function feeOf(
  input: PriceInput, venue: PriceVenue, p: PricePerformance, ordinal: number,
  cache: Map<string, { fee: UnitFee; potential: bigint }>, tracer: Tracer,
): { fee: UnitFee; potential: bigint } {
  const { terms } = input;
  const rows: readonly TicketingRow[] = p.ticketing_override ?? venue.ticketing;
  const attendance = p.expected_attendance ?? venue.expected_attendance;
  const usesOrdinal = terms.fee_method === 'flat' || terms.greater_of?.includes('flat') === true;
  const tier = usesOrdinal ? terms.performance_tiers.filter((row) => row.from_n <= ordinal).length : 0;
  const rowsKey = rows.map((row) => `${row.number_of_seats}@${row.price_minor}w${row.weight_e4}`).join(',');
  const label = p.kind === undefined ? venue.name : `${venue.name}, ${p.kind}`;
  const key = [venue.id, label, rowsKey, attendance, tier, p.is_free, p.negotiated_fee_minor ?? ''].join('|');
  const known = cache.get(key);
  if (known) return known;
  const found = potentials(rows, attendance);
  let potential: bigint | null = null;
  const ask = () => {
    potential ??= tracePotential(tracer, rows, found, terms.gross_basis, label, `${input.rule_id}.gross_basis`);
    return potential;
  };
  const fee = unitFee(terms, {
    label, capacity: found.capacity, potential: ask, ordinal, is_free: p.is_free,
    negotiated_fee_minor: p.negotiated_fee_minor ?? null,
  }, tracer, input.rule_id);
  const result = { fee, potential: potential ?? 0n };
  cache.set(key, result);
  return result;
}

/** A performance missing to min_performances costs what the last one costs, in its venue and week. */
function missingPerformances(input: PriceInput, real: readonly Charged[]): Charged[] {
  const last = real.at(-1);
  if (!last || roundingScope(input.terms) === 'none') return [];
  const missing = Math.max(0, input.terms.min_performances - real.length);
  return Array.from({ length: missing }, (_, k) => ({ ...last, ordinal: last.ordinal + k + 1 }));
}

/** Sum of a venue's fees: one product per kind of performance and distinct fee, or its part of a flat run. */
function subtotal(input: PriceInput, venue: PriceVenue, charged: readonly Charged[], tracer: Tracer): bigint {
  const groups = new Map<string, Charged[]>();
  for (const p of charged) {
    const key = `${p.kind} ${p.unit_fee_minor}`;
    groups.set(key, [...groups.get(key) ?? [], p]);
  }
  if (input.terms.fee_method === 'flat_run' || groups.size === 0) return 0n;
  const products = [...groups.values()].map((group) =>
    tracer.add('royalty', input.rule_id, `${venue.name}: ${group[0]!.kind}`, 'product',
      { amount_minor: group[0]!.unit_fee_minor, count: BigInt(group.length), venue_id: BigInt(venue.id) }));
  if (products.length === 1) return products[0]!;
  return tracer.add('royalty', input.rule_id, `${venue.name}: all performances`, 'sum', { amounts_minor: products });
}

/** Lifts every week of the deal to its minimum; the difference goes to the venues by their performances. */
function addWeeklyMinimum(
  input: PriceInput, charged: readonly Charged[], amounts: readonly bigint[], tracer: Tracer,
): bigint[] {
  const result = [...amounts];
  const { full_week_performances: full, min_per_week_minor: whole } = input.terms;
  if (whole === 0n || roundingScope(input.terms) === 'none') return result;
  // Papers in dollars are American.
  const language = input.currency === 'USD' ? 'en-US' : 'en-GB';
  for (const week of [...new Set(charged.map((p) => p.week_key))].sort()) {
    const inWeek = charged.filter((p) => p.week_key === week);
    const fees = sum(inWeek.map((p) => p.unit_fee_minor));
    const least = minimumOfWeek(input.terms, inWeek.length);
    const part = least === whole ? '' : ` for ${inWeek.length} of ${full} performances`;
    const lifted = tracer.add('week', `${input.rule_id}.min_per_week`,
      `Week of ${dateFor(language, week)}: minimum${part}`, 'at_least', { amount_minor: fees, least_minor: least });
    const weights = amounts.map((_, index) => BigInt(inWeek.filter((p) => p.venue_index === index).length));
    splitByWeight(lifted - fees, weights).forEach((share, k) => { result[k]! += share; });
  }
  return result;
}

/** Venues' amounts after the rules of the run, in the order the rules apply. */
interface RunRules {
  /** The one amount of `flat_run` by venue, else null. */
  readonly flat: readonly bigint[] | null;
  /** After the step of the run and the minimum of its performances. */
  readonly stepped: readonly bigint[];
  readonly step_is_minimum: boolean;
  /** After the minimum of the run and the advance. */
  readonly lifted: readonly bigint[];
}

/** Step and minimum of the run, then min_per_run and the advance of a percentage deal; spread over the venues. */
function addRunRules(
  input: PriceInput, charged: readonly Charged[], amounts: readonly bigint[], counts: readonly bigint[], tracer: Tracer,
): RunRules {
  const { terms, rule_id: ruleId } = input;
  if (terms.fee_method === 'negotiated') {
    return { flat: null, stepped: amounts, step_is_minimum: false, lifted: amounts };
  }
  if (terms.fee_method === 'flat_run') {
    const whole = tracer.add('run', `${ruleId}.flat_run`, 'One amount for the run', 'amount',
      { amount_minor: terms.flat_run_minor });
    const least = leastOf(tracer, whole, terms.min_per_run_minor, `${ruleId}.min_per_run`, 'Minimum of the run');
    const flat = splitByWeight(whole, counts);
    return { flat, stepped: flat, step_is_minimum: false, lifted: splitByWeight(least, counts) };
  }
  const before = sum(amounts);
  const { fee: stepped, raised } = roundingScope(terms) === 'run' ? steppedRun(input, charged, before, tracer)
    : { fee: before, raised: false };
  const atRun = spread(stepped - before, amounts, counts).map((part, k) => amounts[k]! + part);
  let lifted = leastOf(tracer, stepped, terms.min_per_run_minor, `${ruleId}.min_per_run`, 'Minimum of the run');
  if (terms.fee_method === 'percent_actual' || terms.greater_of?.includes('percent_actual')) {
    lifted = leastOf(tracer, lifted, terms.advance_minor, `${ruleId}.advance`, 'At least the advance');
  }
  return { flat: null, stepped: atRun, step_is_minimum: raised,
    lifted: spread(lifted - stepped, atRun, counts).map((part, k) => atRun[k]! + part) };
}

/** max(ceilTo(run fee), minimum × performances) for everything that no free-admission rule has replaced. */
function steppedRun(
  input: PriceInput, charged: readonly Charged[], before: bigint, tracer: Tracer,
): { fee: bigint; raised: boolean } {
  const { terms, rule_id: ruleId } = input;
  const ruled = sum(charged.filter((p) => p.is_ruled).map((p) => p.unit_fee_minor));
  const open = charged.filter((p) => !p.is_ruled);
  let fee = before - ruled;
  if (terms.fee_method === 'percent_potential') {
    const potential = tracer.add('run', ruleId, 'Potential of the run', 'sum',
      { amounts_minor: open.map((p) => p.potential_minor) });
    const percentage = tracer.add('run', `${ruleId}.percent_potential`, 'Percentage of the run', 'rate',
      { amount_minor: potential, rate_ppm: terms.rate_ppm });
    // The percentage is rounded once here and per performance in the weeks: the weeks' minimum must survive a cent.
    const weeks = terms.min_per_week_minor > 0n ? fee : 0n;
    fee = leastOf(tracer, percentage, weeks, `${ruleId}.min_per_week`, 'At least the weeks');
  }
  if (terms.round_up_to_minor > 0n) {
    fee = tracer.add('run', `${ruleId}.round_up_to`, 'Step of the run', 'step_up',
      { amount_minor: fee, step_minor: terms.round_up_to_minor });
  }
  const least = terms.min_per_performance_minor * BigInt(open.length);
  const lifted = leastOf(tracer, fee, least, `${ruleId}.min_per_performance`, 'Minimum of all performances');
  return { fee: lifted + ruled, raised: lifted > fee };
}

function leastOf(tracer: Tracer, amount: bigint, least: bigint, ruleId: string, label: string): bigint {
  if (least === 0n) return amount;
  return tracer.add('run', ruleId, label, 'at_least', { amount_minor: amount, least_minor: least });
}

/** After the minimum and possibly below it, at most the royalty; a percentage rounds half away. */
function discountOf(input: PriceInput, royalty: bigint, tracer: Tracer): bigint {
  const { discount } = input;
  if (!discount || royalty === 0n) return 0n;
  const label = `Discount: ${discount.reason}`;
  const wanted = discount.kind === 'amount'
    ? tracer.add('discount', 'terms.discount', label, 'amount', { amount_minor: discount.amount_minor })
    : tracer.add('discount', 'terms.discount', label, 'rate', { amount_minor: royalty, rate_ppm: discount.ppm });
  if (wanted <= royalty) return wanted;
  return min(wanted, tracer.add('discount', 'terms.discount', 'At most the royalty', 'at_most',
    { amount_minor: wanted, most_minor: royalty }));
}

interface VenueParts {
  readonly base: bigint;
  /** The base is its part of one amount for the run. */
  readonly is_flat: boolean;
  readonly minimum: bigint;
  readonly rounding: bigint;
  /** At most 0. */
  readonly discount: bigint;
}

/** Rules of the steps that say what a venue's line is made of: price-rows.ts reads them. */
export const PART_RULES = { flat: 'part.flat', rounding: 'part.rounding', minimum: 'part.minimum',
  discount: 'part.discount' } as const;

/** Each venue's line where run rules or a discount changed what its performances came to, part by part. */
function traceVenues(
  input: PriceInput, net: readonly bigint[], venues: readonly VenueParts[], tracer: Tracer,
): void {
  input.venues.forEach((venue, k) => {
    const parts = venues[k]!;
    const add = (rule: string, label: string, amount: bigint): bigint[] => (amount === 0n ? []
      : [tracer.add('royalty', rule, `${venue.name}: ${label}`, 'amount',
        { amount_minor: amount, venue_id: BigInt(venue.id) })]);
    if (parts.is_flat) add(PART_RULES.flat, 'its part of the amount for the run', parts.base);
    const changes = [...add(PART_RULES.rounding, 'rounding of the run', parts.rounding),
      ...add(PART_RULES.minimum, 'minimum guarantee', parts.minimum),
      ...add(PART_RULES.discount, 'discount', parts.discount)];
    if (changes.length === 0) return;
    tracer.add('royalty', input.rule_id, `${venue.name}: after minimums, rounding and discount`, 'sum',
      { amounts_minor: [parts.base, ...changes] });
  });
}

/** By amount, largest remainder; where every amount is zero by performances. */
function spread(total: bigint, amounts: readonly bigint[], counts: readonly bigint[]): bigint[] {
  return splitByWeight(total, sum(amounts) > 0n ? amounts : counts);
}

function pricedVenue(venue: PriceVenue, real: readonly Charged[], index: number, royalty: bigint): PricedVenue {
  const own = real.filter((p) => p.venue_index === index);
  const fees = new Set(own.map((p) => p.unit_fee_minor));
  return {
    id: venue.id, potentials: potentials(venue.ticketing, venue.expected_attendance),
    number_of_performances: own.length, unit_fee_minor: fees.size === 1 ? own[0]!.unit_fee_minor : null,
    royalty_minor: royalty,
  };
}

function priced(p: Charged): PricedPerformance {
  const { id, venue_id, ordinal, unit_fee_minor, fee_rule, week_key } = p;
  return { id, venue_id, ordinal, unit_fee_minor, fee_rule, week_key };
}

function assertUtc(p: PricePerformance): void {
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/.test(p.starts_at)) return;
  throw new PriceError('price.instant', `starts_at of performance ${p.id} is not an instant in UTC.`);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
