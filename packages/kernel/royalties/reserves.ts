/** Reserves against returns: taken per positive line, given back over a schedule (domain.md 3.5 step 3). */
import { applyPpm, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';

/** A reserve taken in an earlier period, with the schedule it was taken under. */
export interface HeldReserve {
  readonly id: number;
  readonly taken_minor: bigint;
  /** Shares per following period, together 1,000,000. */
  readonly schedule_ppm: readonly bigint[];
  /** 1 in the period after the one it was taken in. */
  readonly periods_since: number;
}

export interface ReserveRelease {
  readonly reserve_id: number;
  readonly part: number;
  readonly amount_minor: bigint;
}

/** Reserve on one line; nothing on a line that is not positive. Rounded per line. */
export function reserveOn(amountMinor: bigint, reservePpm: bigint): bigint {
  return amountMinor > 0n ? applyPpm(amountMinor, reservePpm) : 0n;
}

/** The parts of a reserve in the periods after it, largest remainder: they sum to what was taken. */
export function releaseSchedule(takenMinor: bigint, schedulePpm: readonly bigint[]): bigint[] {
  return splitByWeight(takenMinor, schedulePpm);
}

/** The part that comes back in this period, or null when the schedule has none for it. */
export function releaseOf(reserve: HeldReserve): ReserveRelease | null {
  const amount_minor = releaseSchedule(reserve.taken_minor, reserve.schedule_ppm)[reserve.periods_since - 1] ?? 0n;
  return amount_minor === 0n ? null : { reserve_id: reserve.id, part: reserve.periods_since, amount_minor };
}

/** Amount of a reserve still held after this period's release: taken = released + held (invariant I5). */
export function stillHeld(reserve: HeldReserve): bigint {
  return sum(releaseSchedule(reserve.taken_minor, reserve.schedule_ppm).slice(reserve.periods_since));
}
