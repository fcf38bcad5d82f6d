/**
 * The weeks of a licence: all returns of a week, whatever their venue, owe one percentage and one minimum (domain.md
 * 2.4). What a return is charged is what its weeks come to with it, less what they were charged before, so that the
 * order in which returns come in changes nothing.
 */
import { addDays, diffDays, startOfWeek, type DayOfWeek, type IsoDate } from '../calendar/calendar.ts';
import { max, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';
import type { RateTerms } from './rate-card.ts';
import { percentages, weekMinimum, type WeekMinimumTerms } from './weekly.ts';

/** The part of a return that falls into one week of the licence. */
export interface WeekPart {
  /** First day of the week of the licence. */
  readonly week_on: IsoDate;
  /** Amount the percentage is taken of. */
  readonly base_minor: bigint;
  readonly performances: number;
  /** A question about the return is open: the minimum of its weeks waits. */
  readonly waits: boolean;
}

export interface WeekFee {
  readonly week_on: IsoDate;
  readonly base_minor: bigint;
  readonly performances: number;
  readonly percentage_minor: bigint;
  /** Minimum owed for the week. */
  readonly minimum_minor: bigint;
  /** The minimum is above the percentage and waits. */
  readonly waits: boolean;
  /** The greater of percentage and minimum; the percentage while the minimum waits. */
  readonly fee_minor: bigint;
}

export type WeekTerms = WeekMinimumTerms & Pick<RateTerms, 'rate_ppm' | 'gross_tiers' | 'min_per_performance_minor'>;

/**
 * The fee of every week that occurs, in the order of time. `waiting`: weeks whose minimum waits for the return of
 * another venue. Without steps each week is rounded by itself; with steps the run ends on its closed form (2.5).
 */
export function feesOfWeeks(
  terms: WeekTerms, parts: readonly WeekPart[], waiting: ReadonlySet<IsoDate> = new Set(),
): WeekFee[] {
  const percentage = percentages(terms);
  const weeks = byWeek(parts, (part) => part.week_on);
  return [...weeks.keys()].sort().map((week_on): WeekFee => {
    const own = weeks.get(week_on)!;
    const base = sum(own.map((part) => part.base_minor));
    const performances = own.reduce((count, part) => count + part.performances, 0);
    const percent = percentage(base, addDays(week_on, 6));
    const minimum = weekMinimum(terms, performances);
    const waits = minimum > percent && (waiting.has(week_on) || own.some((part) => part.waits));
    return { week_on, base_minor: base, performances, percentage_minor: percent, minimum_minor: minimum, waits,
      fee_minor: waits ? percent : max(percent, minimum) };
  });
}

export interface ReturnDays {
  readonly period_from: IsoDate;
  readonly period_to: IsoDate;
  /** Base of the percentage of the whole return. */
  readonly base_minor: bigint;
  readonly performances: number;
  readonly waits: boolean;
  /** Days of the performances that it covers, one entry for each. */
  readonly covered: readonly IsoDate[];
  /** Takings by performance, where they were given. */
  readonly rows: readonly { readonly local_date: IsoDate; readonly gross_minor: bigint }[];
}

/**
 * The weeks of a return. Takings by performance go where they were played. A total belongs to the week that most of
 * its performances fall into (the last one where none is planned); one that spans more than seven days is shared over
 * its weeks by their performances.
 */
export function partsOfReturn(report: ReturnDays, weekStart: DayOfWeek): WeekPart[] {
  const weekOf = (day: IsoDate): IsoDate => startOfWeek(day, weekStart);
  if (report.rows.length > 0) {
    const weights = weightsOf(report.rows.map((row) => [weekOf(row.local_date), row.gross_minor]));
    const counts = weightsOf(report.rows.map((row) => [weekOf(row.local_date), 1n]));
    return shared(report, weights, counts);
  }
  const counts = weightsOf(report.covered.map((day) => [weekOf(day), 1n]));
  if (counts.length > 0 && diffDays(report.period_from, report.period_to) >= 7) return shared(report, counts, counts);
  const fullest = counts.reduce<readonly [IsoDate, bigint] | null>(
    (best, one) => (best === null || one[1] >= best[1] ? one : best), null);
  return [{ week_on: fullest?.[0] ?? weekOf(report.period_to), base_minor: report.base_minor,
    performances: report.performances, waits: report.waits }];
}

function byWeek<T>(list: readonly T[], weekOf: (one: T) => IsoDate): Map<IsoDate, T[]> {
  const weeks = new Map<IsoDate, T[]>();
  for (const one of list) {
    const week = weekOf(one);
    const own = weeks.get(week);
    if (own) own.push(one);
    else weeks.set(week, [one]);
  }
  return weeks;
}

type Weights = (readonly [IsoDate, bigint])[];

/** Sums by week, in the order of time. */
function weightsOf(entries: Weights): Weights {
  const weeks = byWeek(entries, ([week]) => week);
  return [...weeks.keys()].sort().map((week) => [week, sum(weeks.get(week)!.map(([, amount]) => amount))] as const);
}

function shared(report: ReturnDays, weights: Weights, counts: Weights): WeekPart[] {
  const even = sum(weights.map(([, amount]) => amount)) > 0n ? weights : counts;
  const bases = splitByWeight(report.base_minor, even.map(([, amount]) => amount));
  const held = splitByWeight(BigInt(report.performances), counts.map(([, count]) => count));
  return weights.map(([week_on], k) => ({ week_on, base_minor: bases[k]!, performances: Number(held[k]),
    waits: report.waits }));
}
