/** Shares of a total as people read them: rounded to tenths of a percent, and together exactly 100.0%. */
import { splitByWeight } from './split.ts';

/** 100.0% in tenths. */
const WHOLE = 1_000n;

/**
 * A text for each amount, by largest remainder: each share rounded alone would come to 99.9% or 100.1%. An amount below
 * zero has no share; where nothing has one, all are 0.0%. For people only, the amounts are the truth.
 */
export function sharesOf(amounts: readonly number[]): string[] {
  const weights = amounts.map((amount) => BigInt(Math.max(0, amount)));
  if (weights.every((weight) => weight === 0n)) return amounts.map(() => '0.0%');
  return splitByWeight(WHOLE, weights).map((tenths) => `${tenths / 10n}.${tenths % 10n}%`);
}
