/**
 * Scope of a return and its constraints (domain.md 1.4): the planned performances of its venue in its period. Two
 * returns overlap when they cover a performance in common or, where one of the periods has none, when their days
 * overlap.
 */
import { addDays, type IsoDate } from '../calendar/calendar.ts';

export interface ReturnPeriod {
  /** null: all venues of the licence. */
  readonly license_venue_id: number | null;
  /** For a return of one performance. */
  readonly performance_id: number | null;
  readonly period_from: IsoDate;
  readonly period_to: IsoDate;
}

export interface PlannedPerformance {
  readonly id: number;
  readonly license_venue_id: number;
  readonly local_date: IsoDate;
  /** Seats offered and what they take when all are sold; 0 where no ticketing is known. */
  readonly seats: number;
  readonly potential_minor: bigint;
}

export function coveredBy<P extends PlannedPerformance>(period: ReturnPeriod, planned: readonly P[]): P[] {
  return planned.filter((one) => (period.performance_id !== null ? one.id === period.performance_id
    : (period.license_venue_id === null || one.license_venue_id === period.license_venue_id)
      && period.period_from <= one.local_date && one.local_date <= period.period_to));
}

export function returnsOverlap(a: ReturnPeriod, b: ReturnPeriod, planned: readonly PlannedPerformance[]): boolean {
  const venues = a.license_venue_id === null || b.license_venue_id === null
    || a.license_venue_id === b.license_venue_id;
  const meet = a.period_from <= b.period_to && b.period_from <= a.period_to;
  if (!venues || (!meet && a.performance_id === null && b.performance_id === null)) return false;
  const own = coveredBy(a, planned);
  const other = coveredBy(b, planned);
  if (own.length > 0 && other.length > 0) return own.some((one) => other.some((two) => two.id === one.id));
  return meet;
}

/** Days by which a period may pass the first and the last performance: a week counts from its own first day. */
const BESIDE_RUN_DAYS = 6;

/** The period does not meet the run, or reaches more than a week beyond it. */
export function outsideRun(period: ReturnPeriod, run: { readonly first: IsoDate; readonly last: IsoDate }): boolean {
  return period.period_to < run.first || period.period_from > run.last
    || period.period_from < addDays(run.first, -BESIDE_RUN_DAYS)
    || period.period_to > addDays(run.last, BESIDE_RUN_DAYS);
}

/** Something in the period has not been played yet. */
export function inFuture(period: ReturnPeriod, planned: readonly PlannedPerformance[], today: IsoDate): boolean {
  const covered = coveredBy(period, planned);
  return period.period_from > today
    || (covered.length > 0 ? covered.some((one) => one.local_date > today) : period.period_to > today);
}
