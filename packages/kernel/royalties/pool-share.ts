/**
 * The pool of a term over the returns of a week (domain.md 3.5, E11). A later return of the same week, another venue's
 * or one that takes the place of another, brings what the week is worth with it less what it was worth before.
 */
import { formatMinor, formatRate } from '../money/money.ts';
import { poolWeek, type PoolResult } from './pool.ts';
import type { RoyaltyTerm } from './terms.ts';

/** The returns of a week together. */
export interface PoolFigures {
  /** Net of tax on tickets and allowed deductions. */
  readonly gross_minor: bigint;
  /** null where they are not known: then an operating profit is not known either, and the guarantee is shared. */
  readonly running_costs_minor: bigint | null;
}

export interface PoolWeeks {
  /** null for the first return of the week. */
  readonly before: PoolFigures | null;
  readonly now: PoolFigures;
}

type PoolTerm = Pick<RoyaltyTerm, 'rate_ppm' | 'pool_of' | 'pool_min_per_point_minor' | 'pool_total_points_x100'
  | 'pool_points_x100' | 'tiers'>;

export interface PoolShare {
  /** Pool or guarantee, of everybody who holds points, less what was shared of the week before. */
  readonly amount_minor: bigint;
  /** In the order of `points`, then of all who are paid by others. */
  readonly parts: readonly bigint[];
  /** Points x 100 in the order of the parts. */
  readonly weights: readonly bigint[];
}

/** The percentage of the pool; another one counts once the producer has declared recoupment (F34). */
export function poolRate(term: PoolTerm, producerRecouped: boolean): bigint {
  return producerRecouped ? term.tiers.find((tier) => tier.after_recoupment)?.rate_ppm ?? term.rate_ppm : term.rate_ppm;
}

/** Shares one pool. `points` are those of its parties x 100, lower agreement id first; the rest is paid by others. */
export function sharePool(
  term: PoolTerm, weeks: PoolWeeks, points: readonly bigint[], producerRecouped: boolean,
): PoolShare {
  const weights = [...points, othersOf(term, points)];
  const now = week(term, weeks.now, weights, producerRecouped);
  const before = weeks.before === null ? null : week(term, weeks.before, weights, producerRecouped);
  return {
    weights, amount_minor: now.paid_minor - (before?.paid_minor ?? 0n),
    parts: now.parts.map((part, i) => part - (before?.parts[i] ?? 0n)),
  };
}

/** Base of the pool's rate, with the calculation that the drawer prints. */
export function poolBase(term: PoolTerm, figures: PoolFigures | null): { base_minor: bigint; formula: string } {
  if (figures === null) return { base_minor: 0n, formula: 'no return of a week' };
  const gross = formatMinor(figures.gross_minor);
  if (term.pool_of === 'gross') return { base_minor: figures.gross_minor, formula: `the week's gross of ${gross}` };
  const costs = figures.running_costs_minor;
  if (costs === null) return { base_minor: 0n, formula: `the week's gross of ${gross}, running costs not reported` };
  return { base_minor: figures.gross_minor - costs,
    formula: `the operating profit: gross of ${gross} less running costs of ${formatMinor(costs)}` };
}

/** "35% is 17,500.00, above the guarantee of 3,000.00 (200.00 per point); 6 of 15 points". */
export function poolInWords(term: PoolTerm, weeks: PoolWeeks, points: readonly bigint[], recouped: boolean): string {
  const weights = [...points, othersOf(term, points)];
  const now = week(term, weeks.now, weights, recouped);
  const pool = `${formatRate(poolRate(term, recouped))} is ${formatMinor(now.pool_minor)}`;
  const guarantee = `the guarantee of ${formatMinor(now.minimum_minor)} `
    + `(${formatMinor(term.pool_min_per_point_minor ?? 0n)} per point)`;
  const won = now.minimum_minor === 0n ? pool
    : now.minimum_won ? `${pool}; ${guarantee} is more` : `${pool}, not less than ${guarantee}`;
  const held = `${pointsInWords(term.pool_points_x100 ?? 0n)} of ${pointsInWords(sumOf(weights))} points`;
  const earlier = weeks.before === null ? '' : ', less what was shared of this week before';
  return `${won}; ${held}${earlier}`;
}

/** '6', '0.5': points as people say them. */
export function pointsInWords(pointsX100: bigint): string {
  const rest = pointsX100 % 100n;
  return rest === 0n ? String(pointsX100 / 100n)
    : `${pointsX100 / 100n}.${rest.toString().padStart(2, '0').replace(/0$/, '')}`;
}

const sumOf = (points: readonly bigint[]): bigint => points.reduce((all, one) => all + one, 0n);

function othersOf(term: PoolTerm, points: readonly bigint[]): bigint {
  const rest = (term.pool_total_points_x100 ?? 0n) - sumOf(points);
  return rest > 0n ? rest : 0n;
}

function week(term: PoolTerm, figures: PoolFigures, points: readonly bigint[], recouped: boolean): PoolResult {
  const costs = term.pool_of === 'gross' ? 0n : figures.running_costs_minor;
  return poolWeek({
    // Without the costs there is no profit to share: the guarantee is left.
    gross_minor: costs === null ? 0n : figures.gross_minor, running_costs_minor: costs ?? 0n,
    pool_ppm: poolRate(term, recouped), min_per_point_minor: term.pool_min_per_point_minor ?? 0n, points_x100: points,
  });
}
