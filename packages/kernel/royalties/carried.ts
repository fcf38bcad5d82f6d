/**
 * Amounts in a foreign currency with what they are carried at in the division's own (accounting.md 1.1, 2.1). A part
 * keeps the rate of the whole and the last part takes what is left, so that nothing is carried at nothing.
 */
import { divHalfAway, sum } from '../money/money.ts';

export interface Carried {
  readonly amount_minor: bigint;
  readonly functional_minor: bigint;
}

/** Carrying amount of `amount` of a balance; signed like `amount`, exact for the whole. 0 for nothing. */
export function carriedPart(of: Carried, amount: bigint): bigint {
  return of.amount_minor === 0n ? 0n : divHalfAway(of.functional_minor * amount, of.amount_minor);
}

export interface Offset {
  readonly left: Carried;
  /** The exchange difference that setting off realises: a debit of 7000, a gain when negative. */
  readonly realised_minor: bigint;
}

/**
 * Sets off debts owed by us (positive) and to us (negative) in one account and currency: the remainder keeps the rate
 * of the larger side, the difference on the rest is realized. Nothing is set off where all have one sign.
 */
export function setOff(parts: readonly Carried[]): Offset {
  const side = (positive: boolean): Carried => {
    const own = parts.filter((part) => (positive ? part.amount_minor > 0n : part.amount_minor < 0n));
    return { amount_minor: sum(own.map((one) => one.amount_minor)),
      functional_minor: sum(own.map((one) => one.functional_minor)) };
  };
  const [credit, debit] = [side(true), side(false)];
  const amount_minor = credit.amount_minor + debit.amount_minor;
  const larger = amount_minor >= 0n ? credit : debit;
  const functional_minor = carriedPart(larger, amount_minor);
  return {
    left: { amount_minor, functional_minor },
    realised_minor: functional_minor - credit.functional_minor - debit.functional_minor,
  };
}
