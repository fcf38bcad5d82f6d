/**
 * Recouping advances (domain.md 3.5 step 6): never more than is available, never more than is unrecouped. In a
 * cross-collateral group on the sum: each agreement's own advances first, then the oldest of the group (paid_on, id).
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { max, min, sum } from '../money/money.ts';

export interface Advance {
  readonly id: number;
  readonly show_royaltor_id: number;
  readonly paid_on: IsoDate;
  /** Carried opening, or what was paid in the period; in the currency of the statement. */
  readonly unrecouped_minor: bigint;
}

export interface AvailableEarnings {
  readonly show_royaltor_id: number;
  /** Step 5 of this agreement, negative when it owes. */
  readonly available_minor: bigint;
  /** Earnings, net of reserve, that its terms keep out of recoupment. */
  readonly not_recoupable_minor: bigint;
}

export interface Recoupment {
  readonly advance_id: number;
  /** The agreement whose advance is recouped. */
  readonly show_royaltor_id: number;
  /** The agreement whose earnings recoup it. */
  readonly from_show_royaltor_id: number;
  readonly amount_minor: bigint;
}

interface Purse {
  readonly id: number;
  left: bigint;
}

/** Recoupments in the order they are taken; their sum is min(max(available, 0), unrecouped). */
export function recoup(agreements: readonly AvailableEarnings[], advances: readonly Advance[]): Recoupment[] {
  const oldestFirst = [...advances].sort(byAge);
  const purses = [...agreements]
    .sort((a, b) => a.show_royaltor_id - b.show_royaltor_id)
    .map((a): Purse => ({ id: a.show_royaltor_id, left: max(0n, a.available_minor - a.not_recoupable_minor) }));
  // Debt of one agreement lowers the amount the group can recoup.
  const limit = { left: max(0n, sum(agreements.map((a) => a.available_minor - a.not_recoupable_minor))) };
  const open = new Map(oldestFirst.map((advance) => [advance.id, advance.unrecouped_minor]));
  const taken: Recoupment[] = [];
  const take = (purse: Purse, advance: Advance): void => {
    const amount = min(limit.left, min(purse.left, open.get(advance.id) ?? 0n));
    if (amount <= 0n) return;
    purse.left -= amount;
    limit.left -= amount;
    open.set(advance.id, (open.get(advance.id) ?? 0n) - amount);
    taken.push({
      advance_id: advance.id, show_royaltor_id: advance.show_royaltor_id, from_show_royaltor_id: purse.id,
      amount_minor: amount,
    });
  };
  for (const purse of purses) {
    for (const advance of oldestFirst) if (advance.show_royaltor_id === purse.id) take(purse, advance);
  }
  for (const advance of oldestFirst) for (const purse of purses) take(purse, advance);
  return taken;
}

function byAge(a: Advance, b: Advance): number {
  return a.paid_on < b.paid_on ? -1 : a.paid_on > b.paid_on ? 1 : a.id - b.id;
}
