/** Settlement on actual takings: percentage with minimums by scope, true-up and overage (domain.md 2.2, 2.3, 2.6). */
import { dateFor, startOfWeek, type DayOfWeek, type IsoDate } from '../calendar/calendar.ts';
import type { Language } from '../money/division.ts';
import { applyPpm, divHalfAway, max, min, PPM, sum } from '../money/money.ts';
import type { GrossTier, GuaranteeScope, RateTerms } from './rate-card.ts';
import { Tracer, type TraceStep } from './trace.ts';
import { percentages, weekMinimum } from './weekly.ts';

/** The net of an amount that holds tax at `ratePpm`: netOfTax(318_000n, 200_000n) is 265_000n. */
export function netOfTax(grossMinor: bigint, ratePpm: bigint): bigint {
  return divHalfAway(grossMinor * PPM, PPM + ratePpm);
}

/** Takings of one performance, net of the tax on tickets. */
export interface ActualPerformance {
  readonly local_date: IsoDate;
  readonly gross_minor: bigint;
}

export interface ActualsInput {
  readonly terms: Pick<RateTerms,
    'rate_ppm' | 'guarantee_scope' | 'min_per_performance_minor' | 'min_per_week_minor' | 'full_week_performances'
    | 'empty_week_owes_minimum' | 'min_per_run_minor' | 'min_performances'>;
  /** Steps on the takings so far (2.5); without any the one rate counts. */
  readonly gross_tiers?: readonly GrossTier[];
  readonly rule_id: string;
  readonly performances: readonly ActualPerformance[];
  readonly week_start?: DayOfWeek;
  /** Of the paper that the trace is printed on. */
  readonly language?: Language;
  /** A question is open about the report: the percentage is computed, every minimum waits (domain.md 1.4). */
  readonly minimums_wait?: boolean;
}

export interface ActualsResult {
  readonly gross_minor: bigint;
  /** The percentage alone, before any minimum. */
  readonly percentage_minor: bigint;
  readonly royalty_minor: bigint;
  /** The minimums in force together, whether they were reached or not; 0 while they wait. */
  readonly minimum_minor: bigint;
  readonly minimums_wait: boolean;
  readonly trace: readonly TraceStep[];
}

/**
 * Royalty of the run: per performance, per week or on the whole, each the greater of percentage and minimum, then
 * min_per_run. Performances missing to min_performances count with their minimum.
 */
export function settleActuals(input: ActualsInput): ActualsResult {
  const tracer = new Tracer();
  const wait = input.minimums_wait === true;
  const groups = groupsOf(input.performances, input.terms.guarantee_scope, input);
  const tiers = input.gross_tiers ?? [];
  const escalated = percentages({ rate_ppm: input.terms.rate_ppm, gross_tiers: tiers });
  const shares: bigint[] = [];
  const minimums: bigint[] = [];
  const fees = groups.map((group) => {
    const { percentage, fee, least } = groupFee(input, group, wait, tracer,
      tiers.length === 0 ? null : escalated(group.gross, group.last));
    shares.push(percentage);
    minimums.push(least);
    return fee;
  });
  const held = input.performances.length;
  const missing = BigInt(Math.max(0, input.terms.min_performances - held));
  if (missing > 0n && !wait && input.terms.min_per_performance_minor > 0n && input.terms.guarantee_scope !== 'run') {
    fees.push(tracer.add('actuals', `${input.rule_id}.min_performances`, 'Performances missing to the agreed number',
      'product', { amount_minor: input.terms.min_per_performance_minor, count: missing }));
    minimums.push(fees.at(-1)!);
  }
  let royalty = tracer.add('actuals', input.rule_id, 'Royalty on gross', 'sum', { amounts_minor: fees });
  if (!wait && input.terms.min_per_run_minor > 0n) {
    royalty = tracer.add('actuals', `${input.rule_id}.min_per_run`, 'Minimum of the run', 'at_least',
      { amount_minor: royalty, least_minor: input.terms.min_per_run_minor });
  }
  return {
    gross_minor: sum(input.performances.map((p) => p.gross_minor)), percentage_minor: sum(shares),
    royalty_minor: royalty, minimum_minor: wait ? 0n : max(sum(minimums), input.terms.min_per_run_minor),
    minimums_wait: wait, trace: tracer.steps,
  };
}

interface Group {
  readonly label: string;
  readonly held: number;
  readonly gross: bigint;
  /** Its last day: which steps are in force. */
  readonly last: IsoDate;
  readonly scope: GuaranteeScope;
}

function groupsOf(
  list: readonly ActualPerformance[], scope: GuaranteeScope,
  { week_start: weekStart = 1, language = 'en-US' }: Pick<ActualsInput, 'week_start' | 'language'>,
): Group[] {
  if (scope === 'performance') {
    return list.map((p) => ({ label: `Performance of ${dateFor(language, p.local_date)}`, held: 1, gross: p.gross_minor,
      last: p.local_date, scope }));
  }
  if (scope === 'run') {
    return [{ label: 'The run', held: list.length, gross: sum(list.map((p) => p.gross_minor)), last: lastOf(list),
      scope }];
  }
  const week = (p: ActualPerformance) => startOfWeek(p.local_date, weekStart);
  return [...new Set(list.map(week))].sort().map((key) => {
    const own = list.filter((p) => week(p) === key);
    return { label: `Week of ${dateFor(language, key)}`, held: own.length, gross: sum(own.map((p) => p.gross_minor)),
      last: lastOf(own), scope };
  });
}

function lastOf(list: readonly ActualPerformance[]): IsoDate {
  return list.map((p) => p.local_date).sort().at(-1) ?? '0000-01-01';
}

function groupFee(
  input: ActualsInput, group: Group, wait: boolean, tracer: Tracer, escalated: bigint | null,
): { percentage: bigint; fee: bigint; least: bigint } {
  const { terms, rule_id: ruleId } = input;
  const percentage = escalated === null
    ? tracer.add('actuals', `${ruleId}.rate`, `${group.label}: percentage of takings`, 'rate',
        { amount_minor: group.gross, rate_ppm: terms.rate_ppm })
    : tracer.add('actuals', `${ruleId}.gross_tiers`, `${group.label}: percentage by steps of the gross so far`,
        'amount', { amount_minor: escalated });
  const count = group.scope === 'run' ? Math.max(group.held, terms.min_performances) : group.held;
  const byPerformance = terms.min_per_performance_minor * BigInt(count);
  const least = group.scope === 'week' ? weekMinimum(terms, group.held) : byPerformance;
  if (wait || least === 0n) return { percentage, fee: percentage, least };
  const fee = tracer.add('actuals', `${ruleId}.minimum`, `${group.label}: minimum`, 'at_least',
    { amount_minor: percentage, least_minor: least });
  return { percentage, fee, least };
}

export type TrueUpMode = 'none' | 'down_only' | 'up_only' | 'both';

export interface TrueUpInput {
  readonly mode: TrueUpMode;
  /** The royalty that was quoted and invoiced. */
  readonly quote_minor: bigint;
  readonly rate_ppm: bigint;
  /** Actual takings of the run. */
  readonly gross_minor: bigint;
  readonly min_per_performance_minor: bigint;
  readonly min_per_run_minor: bigint;
  readonly held_performances: number;
}

/**
 * r = max(round(rate × takings), minimum × held, min_per_run); what is charged in the end, and the difference
 * to the quote.
 */
export function trueUp(input: TrueUpInput): { actual_minor: bigint; charged_minor: bigint; delta_minor: bigint } {
  const byPerformance = input.min_per_performance_minor * BigInt(input.held_performances);
  const actual = max(max(applyPpm(input.gross_minor, input.rate_ppm), byPerformance), input.min_per_run_minor);
  const charged = {
    none: input.quote_minor,
    down_only: min(input.quote_minor, actual),
    up_only: max(input.quote_minor, actual),
    both: actual,
  }[input.mode];
  return { actual_minor: actual, charged_minor: charged, delta_minor: charged - input.quote_minor };
}

/**
 * Overage of the attendance cap: round(rate × WAP × (paid seats - cap × held)), 0 at or below the cap and with
 * up_only or both, where the takings already hold those seats.
 */
export function attendanceOverage(input: {
  mode: TrueUpMode;
  rate_ppm: bigint;
  average_n: bigint;
  average_d: bigint;
  paid_seats: number;
  /** Quoted average per performance. */
  cap: number;
  held_performances: number;
}): bigint {
  const over = input.paid_seats - input.cap * input.held_performances;
  if (over <= 0 || input.mode === 'up_only' || input.mode === 'both') return 0n;
  return divHalfAway(input.rate_ppm * input.average_n * BigInt(over), PPM * input.average_d);
}
