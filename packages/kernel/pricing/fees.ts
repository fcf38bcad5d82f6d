/** Fee of one performance by every fee method (domain.md 2.2, 2.11 step 3). */
import { PriceError } from './price-error.ts';
import type { FeeMethod, PerformanceTier, RateTerms, SeatBand } from './rate-card.ts';
import type { Tracer } from './trace.ts';

export interface UnitFeeInput {
  readonly label: string;
  readonly capacity: number;
  /** Called only by a method that needs the potential, so that a flat fee asks for no attendance. */
  potential(): bigint;
  /** Place of the performance in the whole licence, from 1. */
  readonly ordinal: number;
  readonly is_free: boolean;
  /** The typed fee of method `negotiated`. */
  readonly negotiated_fee_minor: bigint | null;
}

export interface UnitFee {
  readonly fee_minor: bigint;
  /** Rule that produced it: a fee method or 'free_admission'. */
  readonly fee_rule: FeeMethod | 'free_admission';
}

/** Amount of the highest tier at or below `n`. Throws `rate.no_tier` when none begins that early. */
export function flatFee(tiers: readonly PerformanceTier[], n: number): bigint {
  const tier = tiers.filter((row) => row.from_n <= n).reduce<PerformanceTier | null>(
    (best, row) => (best === null || row.from_n > best.from_n ? row : best), null);
  if (tier) return tier.amount_minor;
  throw new PriceError('rate.no_tier', `The rate card has no amount for performance number ${n}.`);
}

/** Amount of the band that holds the capacity. Throws `rate.no_band`: quote by hand, never for zero. */
export function bandFee(bands: readonly SeatBand[], capacity: number): bigint {
  const band = bands.find((row) => row.from_seats <= capacity && (row.to_seats === null || capacity <= row.to_seats));
  if (band) return band.amount_minor;
  throw new PriceError('rate.no_band', `The rate card has no seat band for ${capacity} seats: quote it by hand.`);
}

/** Whether step and per-performance minimum act on each performance, on the run, or not at all. */
export function roundingScope(terms: RateTerms): 'performance' | 'run' | 'none' {
  if (terms.fee_method === 'negotiated' || terms.fee_method === 'flat_run') return 'none';
  return terms.fee_method === 'percent_actual' ? 'performance' : terms.round_up_scope;
}

/** round half away -> step -> minimum -> free-admission rule; with scope run only the first and the last. */
export function unitFee(terms: RateTerms, input: UnitFeeInput, tracer: Tracer, ruleId: string): UnitFee {
  if (terms.fee_method === 'negotiated') return negotiatedFee(input, tracer, ruleId);
  if (terms.fee_method === 'flat_run') return { fee_minor: 0n, fee_rule: 'flat_run' };
  if (input.is_free && terms.free_admission_rule) {
    return { fee_minor: freeFee(terms, input.label, tracer, ruleId), fee_rule: 'free_admission' };
  }
  const methods = terms.fee_method === 'greater_of' ? pair(terms) : [terms.fee_method];
  const fees = methods.map((method) => steppedFee(method, terms, input, tracer, ruleId));
  const [first = 0n, second] = fees;
  const fee = second === undefined ? first : tracer.add('unit_fee', `${ruleId}.greater_of`,
    `${input.label}: greater of two`, 'at_least', { amount_minor: first, least_minor: second });
  if (roundingScope(terms) !== 'performance' || terms.min_per_performance_minor === 0n) {
    return { fee_minor: fee, fee_rule: terms.fee_method };
  }
  const least = terms.min_per_performance_minor;
  const raised = tracer.add('unit_fee', `${ruleId}.min_per_performance`, `${input.label}: minimum per performance`,
    'at_least', { amount_minor: fee, least_minor: least });
  return { fee_minor: raised, fee_rule: terms.fee_method };
}

function steppedFee(method: FeeMethod, terms: RateTerms, input: UnitFeeInput, tracer: Tracer, ruleId: string): bigint {
  const fee = methodFee(method, terms, input, tracer, ruleId);
  const steps = method !== 'percent_actual' && roundingScope(terms) === 'performance' && terms.round_up_to_minor > 0n;
  if (!steps) return fee;
  return tracer.add('unit_fee', `${ruleId}.round_up_to`, `${input.label}: step`, 'step_up',
    { amount_minor: fee, step_minor: terms.round_up_to_minor });
}

function methodFee(method: FeeMethod, terms: RateTerms, input: UnitFeeInput, tracer: Tracer, ruleId: string): bigint {
  const rule = `${ruleId}.${method}`;
  if (method === 'percent_potential') {
    return tracer.add('unit_fee', rule, `${input.label}: percentage of the potential`, 'rate',
      { amount_minor: input.potential(), rate_ppm: terms.rate_ppm });
  }
  if (method === 'flat') {
    return tracer.add('unit_fee', rule, `${input.label}: performance ${input.ordinal}`, 'amount',
      { amount_minor: flatFee(terms.performance_tiers, input.ordinal) });
  }
  if (method === 'seat_band') {
    return tracer.add('unit_fee', rule, `${input.label}: ${input.capacity} seats`, 'amount',
      { amount_minor: bandFee(terms.seat_bands, input.capacity) });
  }
  return tracer.add('unit_fee', rule, `${input.label}: minimum now, percentage after the run`, 'amount',
    { amount_minor: terms.min_per_performance_minor });
}

function freeFee(terms: RateTerms, label: string, tracer: Tracer, ruleId: string): bigint {
  const rule = terms.free_admission_rule;
  const id = `${ruleId}.free_admission_rule`;
  const text = `${label}: free admission`;
  const least = terms.min_per_performance_minor;
  if (rule?.kind === 'percent_of_min') {
    return tracer.add('unit_fee', id, text, 'rate', { amount_minor: least, rate_ppm: rule.ppm });
  }
  const fee = rule?.kind === 'flat' ? rule.amount_minor : least;
  return tracer.add('unit_fee', id, text, 'amount', { amount_minor: fee });
}

function negotiatedFee(input: UnitFeeInput, tracer: Tracer, ruleId: string): UnitFee {
  if (input.negotiated_fee_minor === null) {
    throw new PriceError('price.fee_missing', `Enter the negotiated fee: ${input.label}.`);
  }
  const fee = tracer.add('unit_fee', `${ruleId}.negotiated`, `${input.label}: negotiated`, 'amount',
    { amount_minor: input.negotiated_fee_minor });
  return { fee_minor: fee, fee_rule: 'negotiated' };
}

function pair(terms: RateTerms): readonly FeeMethod[] {
  if (terms.greater_of) return terms.greater_of;
  throw new PriceError('rate.incomplete', 'The rate card compares two methods and does not name them.');
}
