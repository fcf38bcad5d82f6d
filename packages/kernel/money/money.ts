/**
 * Money: integer minor units, one rounding rule.
 *
 * Amounts are `bigint` minor units (cents, pence). Rates are integer parts per million (`ppm`):
 * 10% is 100_000n, 8.875% is 88_750n. There is one rounding rule in the product: half away from
 * zero, once, at the unit amount (domain.md 2.0). A credit of half a cent rounds to a whole cent of
 * credit, so a reversal is always the exact mirror of what it reverses.
 */
export type Currency = 'USD' | 'EUR' | 'GBP';
export const CURRENCIES = ['USD', 'EUR', 'GBP'] as const satisfies readonly Currency[];

/** Minor units per major unit: all three currencies of the house have two decimals. */
export const MINOR_PER_MAJOR = 100n;
/** Largest amount the product accepts, in minor units; an integer on the wire stays exact (accounting.md 1.1). */
export const MAX_MINOR = 1_000_000_000_000n;
/** An amount, or a sum of amounts, that a JSON number cannot carry exactly: a wrong value of the request, no fault. */
export class AmountTooLarge extends RangeError {
  constructor(value: bigint | string) {
    super(`${value} is larger than an amount can be`);
    this.name = 'AmountTooLarge';
  }
}

/** One whole, in parts per million. */
export const PPM = 1_000_000n;

export function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}

/** numerator / denominator, rounded half away from zero. `divHalfAway(-1n, 2n)` is -1n. */
export function divHalfAway(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new RangeError('divHalfAway: denominator is zero');
  const negative = numerator < 0n !== denominator < 0n;
  const n = abs(numerator);
  const d = abs(denominator);
  const quotient = (2n * n + d) / (2n * d);
  return negative ? -quotient : quotient;
}

/** A rate of an amount: `applyPpm(785_000n, 125_000n)` is 98_125n (12.5% of 7,850.00 is 981.25). */
export function applyPpm(minor: bigint, ratePpm: bigint): bigint {
  return divHalfAway(minor * ratePpm, PPM);
}

/** The next multiple of `step` at or above `minor`; a step of 0 switches rounding up off (rate card `round_up_to`). */
export function ceilTo(minor: bigint, step: bigint): bigint {
  if (step <= 0n) return minor;
  const over = ((minor % step) + step) % step;
  return over === 0n ? minor : minor + (step - over);
}

const DECIMAL = /^(-)?(\d{1,13})(?:\.(\d{1,2}))?$/;

/**
 * Reads decimal text as minor units: '1234.5' is 123_450n. Answers null for anything that is no amount with at most two
 * decimals.
 */
export function parseMinor(text: string): bigint | null {
  const match = DECIMAL.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const minor = BigInt(whole) * MINOR_PER_MAJOR + BigInt(fraction.padEnd(2, '0'));
  return sign ? -minor : minor;
}

/**
 * Minor units of a decimal price: seats, materials and orders have decimal numbers on the wire. 12.5 is 1250; what lies
 * beyond two decimals is rounded.
 */
export function minorOf(decimal: number): number {
  return Math.round(decimal * Number(MINOR_PER_MAJOR));
}

/** Decimal price of an amount in minor units, as the wire has it: 1250 is 12.5. */
export function decimalPrice(minor: number): number {
  return minor / Number(MINOR_PER_MAJOR);
}

/** Plain decimal text with two decimals and no grouping: 123_450n is '1234.50'. */
export function minorToDecimal(minor: bigint): string {
  const digits = abs(minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Text for people: 123_450n is '1,234.50', a negative stands in parentheses (LOOK.md 5). */
export function formatMinor(minor: bigint): string {
  const [whole = '0', fraction = '00'] = minorToDecimal(abs(minor)).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return minor < 0n ? `(${grouped}.${fraction})` : `${grouped}.${fraction}`;
}

/** The amount with its currency before it, on screens, in documents and in letters: 'USD 1,234.50' (LOOK.md 5). */
export function formatMoney(minor: bigint | number, currency: string): string {
  return `${currency} ${formatMinor(BigInt(minor))}`;
}

/** A rate for people: '12.5%' from 125_000n ppm. */
export function formatRate(ratePpm: bigint): string {
  const whole = ratePpm / 10_000n;
  const fraction = (ratePpm % 10_000n).toString().padStart(4, '0').replace(/0+$/, '');
  return fraction === '' ? `${whole}%` : `${whole}.${fraction}%`;
}
