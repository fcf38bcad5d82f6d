/**
 * Splitting a total by integer weights so that the cents always sum (largest remainder, domain.md 3.4).
 *
 * Each part is the floor of its exact share; the cents left over go to the largest remainders. A tie goes
 * to the larger weight, then to the earlier party, so the outcome does not depend on the order of arrival
 * as long as callers list parties in a stable order (lower id first, the house last).
 * A negative total is split by its absolute value and negated.
 */
import { abs } from './money.ts';

export class NoWeightError extends Error {
  readonly code = 'allocation.no_weight';
  constructor() {
    super('An amount other than zero cannot be split over weights that are all zero.');
  }
}

/**
 * Parts in the order of `weights`; their sum is exactly `total`. Throws {@link NoWeightError} when a non-zero total
 * meets only zero weights.
 */
export function splitByWeight(total: bigint, weights: readonly bigint[]): bigint[] {
  if (total === 0n) return weights.map(() => 0n);
  const all = weights.reduce((a, b) => a + b, 0n);
  if (all <= 0n) throw new NoWeightError();
  const amount = abs(total);
  const floors = weights.map((weight) => (amount * weight) / all);
  const remainders = weights.map((weight) => (amount * weight) % all);
  let left = amount - floors.reduce((a, b) => a + b, 0n);
  const order = weights.map((_, index) => index).sort((a, b) => {
    const byRemainder = compare(remainders[b]!, remainders[a]!);
    if (byRemainder !== 0) return byRemainder;
    return compare(weights[b]!, weights[a]!) || a - b;
  });
  for (const index of order) {
    if (left === 0n) break;
    floors[index]! += 1n;
    left -= 1n;
  }
  return total < 0n ? floors.map((part) => -part) : floors;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
