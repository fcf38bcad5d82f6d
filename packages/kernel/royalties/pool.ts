/**
 * Royalty pools (domain.md 3.5, E11): a part of the week's operating profit, shared by points, with a guaranteed
 * minimum per point. Pool and minimum are compared as totals, the minimum is rounded once, then one split by points.
 */
import { applyPpm, divHalfAway, max, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';

/** Points are integers x 100: half a point is 50n. */
const POINT_SCALE = 100n;

export interface PoolWeek {
  readonly gross_minor: bigint;
  readonly running_costs_minor: bigint;
  readonly pool_ppm: bigint;
  readonly min_per_point_minor: bigint;
  /** Points x 100 of every party, lower agreement id first. */
  readonly points_x100: readonly bigint[];
}

export interface PoolResult {
  /** Gross less running costs; negative in a week at a loss. */
  readonly operating_profit_minor: bigint;
  /** 0 in a week at a loss. */
  readonly pool_minor: bigint;
  readonly minimum_minor: bigint;
  readonly paid_minor: bigint;
  readonly minimum_won: boolean;
  /** In the order of the points; they sum to `paid_minor`. */
  readonly parts: readonly bigint[];
}

/** The pool of one week. Throws NoWeightError when there is something to pay and nobody holds a point. */
export function poolWeek(week: PoolWeek): PoolResult {
  const operating_profit_minor = week.gross_minor - week.running_costs_minor;
  const pool_minor = applyPpm(max(operating_profit_minor, 0n), week.pool_ppm);
  const minimum_minor = divHalfAway(week.min_per_point_minor * sum(week.points_x100), POINT_SCALE);
  const paid_minor = max(pool_minor, minimum_minor);
  return {
    operating_profit_minor, pool_minor, minimum_minor, paid_minor,
    minimum_won: minimum_minor > pool_minor,
    parts: splitByWeight(paid_minor, week.points_x100),
  };
}
