/** Exchange rates as decimal text of at most ten places, exact: never a floating-point number (accounting.md 1.1). */
import { dateInWords, type IsoDate } from '../calendar/calendar.ts';
import { divHalfAway } from './money.ts';

const RATE_SCALE = 10_000_000_000n;
const RATE = /^(\d{1,10})(?:\.(\d{1,10}))?$/;

/** Decimal text of a rate as an integer of ten decimal places: '1.1' is 11_000_000_000n. Throws on anything else. */
export function parseRate(text: string): bigint {
  const match = RATE.exec(text);
  const scaled = match ? BigInt(match[1]!) * RATE_SCALE + BigInt((match[2] ?? '').padEnd(10, '0')) : 0n;
  if (scaled <= 0n) throw new RangeError(`not an exchange rate: ${text}`);
  return scaled;
}

/** An amount at a rate, rounded half away from zero: 100_000n at '1.1' is 110_000n. */
export function atRate(amount: bigint, rate: string): bigint {
  return divHalfAway(amount * parseRate(rate), RATE_SCALE);
}

/** The message of fx.no_rate, wherever a posting needs a rate that nobody has entered. */
export function missingRate(from: string, to: string, on: IsoDate): string {
  return `Enter the rate of ${from} in ${to} for ${dateInWords(on)} or a day before it.`;
}
