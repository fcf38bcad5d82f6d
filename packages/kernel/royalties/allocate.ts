/**
 * Sharing one amount among the parties of a show so that the cents always sum (domain.md 3.4).
 *
 * Shares are integer weights over a common total W: a party's weight is rate x points, the house holds the rest.
 * Parties stand in the order of their agreement id, the house last; weights, carries and parts share that order.
 * A carry is what a party is still owed (or has had too much) from earlier amounts, in 1/W of a cent. Carries of one
 * weight set always sum to zero.
 */
import { abs, PPM, sum } from '../money/money.ts';
import { NoWeightError, splitByWeight } from '../money/split.ts';

/** A royaltor's claim on an amount: `rate_ppm`, shared by `share_points` with the parties of the same rate. */
export interface ShareClaim {
  readonly show_royaltor_id: number;
  readonly term_id: number;
  readonly rate_ppm: bigint;
  readonly share_points: bigint;
  /** Parties of the same rate share it; two groups of the same rate keep it apart. '' when there is one group. */
  readonly share_group?: string;
}

/** Weights over `total`; `parties[i]` belongs to `claims[i]`, the house holds what is left. */
export interface WeightSet {
  readonly parties: readonly bigint[];
  readonly house: bigint;
  readonly total: bigint;
}

/** Parts of an amount and the carries after it; both in the order of the weights. */
export interface Allocation {
  readonly parts: readonly bigint[];
  readonly carries: readonly bigint[];
  /** True when the carry would have turned a line's sign and the amount was split without it. */
  readonly without_carry: boolean;
}

/** More than the whole is promised: the rates of one line sum to over 100%. */
export class OverCommittedError extends Error {
  readonly code = 'allocation.over_committed';
  constructor() {
    super('The royalty rates that match this line sum to more than 100%.');
  }
}

/** A refund asks for more than is left of the receipt it belongs to, or points the other way. */
export class RefundTooLargeError extends Error {
  readonly code = 'allocation.refund_too_large';
  constructor() {
    super('A refund cannot be larger than what is left of the original amount.');
  }
}

/** Claims in their one order: lower agreement id first, then lower term id. */
export function inPartyOrder<T extends { show_royaltor_id: number; term_id: number }>(claims: readonly T[]): T[] {
  return [...claims].sort((a, b) => a.show_royaltor_id - b.show_royaltor_id || a.term_id - b.term_id);
}

/**
 * rate x points over a common denominator; the house is the rest. Three equal authors of 80% weigh
 * 800,000 / 800,000 / 800,000 and the house 600,000 of 3,000,000: exactly a third each, never rounded to ppm.
 * Throws {@link OverCommittedError} when the claims exceed the whole.
 */
export function weightSet(claims: readonly ShareClaim[]): WeightSet {
  const set = promisedWeights(claims);
  if (set.house < 0n) throw new OverCommittedError();
  return set;
}

/** As {@link weightSet}, but promises above the whole are answered with a negative house: the share matrix shows it. */
export function promisedWeights(claims: readonly ShareClaim[]): WeightSet {
  const points = new Map<string, bigint>();
  for (const claim of claims) {
    const key = poolKey(claim);
    points.set(key, (points.get(key) ?? 0n) + claim.share_points);
  }
  const common = [...points.values()].filter((n) => n > 0n).reduce(lcm, 1n);
  const parties = claims.map((claim) => {
    const inPool = points.get(poolKey(claim)) ?? 0n;
    return inPool === 0n ? 0n : claim.rate_ppm * claim.share_points * (common / inPool);
  });
  const total = PPM * common;
  return { parties, house: total - sum(parties), total };
}

function poolKey(claim: ShareClaim): string {
  return `${claim.rate_ppm}/${claim.share_group ?? ''}`;
}

/** The set of (agreement, term) that shares an amount, the house included: the allocation group of a carry. */
export function allocationGroupKey(claims: readonly ShareClaim[]): string {
  return [...inPartyOrder(claims).map((c) => `${c.show_royaltor_id}.${c.term_id}`), 'house'].join('+');
}

/**
 * The text that names a weight set; equal text means the same parties with the same weights. A new weight set starts
 * its carries at 0, an old one goes on with its own when it returns. Hash it where a short key is needed.
 */
export function weightSetKey(claims: readonly ShareClaim[]): string {
  const ordered = inPartyOrder(claims);
  const set = weightSet(ordered);
  const parties = ordered.map((c, i) => `${c.show_royaltor_id}.${c.term_id}=${set.parties[i]}`);
  return [...parties, `house=${set.house}`].join('+') + `/${set.total}`;
}

/** One amount on its own, largest remainder, tie to the larger weight, then the earlier party. Sums exactly. */
export function allocatePlain(amount: bigint, weights: readonly bigint[]): bigint[] {
  return splitByWeight(amount, weights);
}

/**
 * An amount with the carries of earlier ones: a run of small receipts ends where one large receipt would.
 * When the carry would give any line the wrong sign, this amount is split plainly and the carry keeps the true error.
 * A negative amount works on its absolute value with the carries turned and turns the result back. An amount of 0
 * leaves the carries untouched. Throws NoWeightError when a non-zero amount meets only zero weights.
 */
export function allocateWithCarry(
  amount: bigint,
  weights: readonly bigint[],
  carries: readonly bigint[],
): Allocation {
  sameLength(weights, carries);
  if (amount === 0n) return { parts: weights.map(() => 0n), carries, without_carry: false };
  const total = sum(weights);
  if (total <= 0n) throw new NoWeightError();
  const sign = amount < 0n ? -1n : 1n;
  const ideals = weights.map((weight, i) => abs(amount) * weight + sign * carries[i]!);
  const carried = largestRemainder(abs(amount), ideals, weights, total);
  const without_carry = carried.some((part) => part < 0n);
  const parts = without_carry ? splitByWeight(abs(amount), weights) : carried;
  return {
    parts: parts.map((part) => sign * part),
    carries: parts.map((part, i) => sign * (ideals[i]! - part * total)),
    without_carry,
  };
}

/** The carries after `parts` of `amount` were booked: carry + amount x weight - part x W. */
export function carriesAfter(
  amount: bigint,
  weights: readonly bigint[],
  parts: readonly bigint[],
  carries: readonly bigint[],
): bigint[] {
  sameLength(weights, parts);
  sameLength(weights, carries);
  const total = sum(weights);
  return weights.map((weight, i) => carries[i]! + amount * weight - parts[i]! * total);
}

/** A receipt taken back whole: every line mirrored, and the carries return exactly what it took. */
export function mirrorAllocation(
  parts: readonly bigint[],
  weights: readonly bigint[],
  carries: readonly bigint[],
): Allocation {
  const mirrored = parts.map((part) => -part);
  return {
    parts: mirrored,
    carries: carriesAfter(sum(mirrored), weights, mirrored, carries),
    without_carry: false,
  };
}

/**
 * Part of a receipt taken back: split over what is left of its own lines (`left`), so nobody gives back more than he
 * got and the refund that completes the receipt ends exactly on the mirror. `amount` has the opposite sign of `left`.
 * Throws {@link RefundTooLargeError} when it exceeds what is left.
 */
export function allocateRefund(
  amount: bigint,
  left: readonly bigint[],
  weights: readonly bigint[],
  carries: readonly bigint[],
): Allocation {
  const remaining = sum(left);
  if (amount === 0n) return { parts: left.map(() => 0n), carries, without_carry: false };
  const sameDirection = amount < 0n === remaining < 0n;
  if (remaining === 0n || sameDirection || abs(amount) > abs(remaining)) throw new RefundTooLargeError();
  const parts = splitByWeight(amount, left.map(abs));
  return { parts, carries: carriesAfter(amount, weights, parts, carries), without_carry: false };
}

function largestRemainder(
  amount: bigint,
  ideals: readonly bigint[],
  weights: readonly bigint[],
  total: bigint,
): bigint[] {
  const parts = ideals.map((ideal) => floorDiv(ideal, total));
  const remainders = ideals.map((ideal, i) => ideal - parts[i]! * total);
  const order = ideals
    .map((_, i) => i)
    .sort((a, b) => compare(remainders[b]!, remainders[a]!) || compare(weights[b]!, weights[a]!) || a - b);
  const left = Number(amount - sum(parts));
  for (const i of order.slice(0, left)) parts[i]! += 1n;
  return parts;
}

function floorDiv(n: bigint, d: bigint): bigint {
  const quotient = n / d;
  return n % d < 0n ? quotient - 1n : quotient;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function lcm(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}

function sameLength(a: readonly bigint[], b: readonly bigint[]): void {
  if (a.length !== b.length) throw new RangeError('Weights, parts and carries must list the same parties.');
}
