/**
 * Revaluation at a month's end (accounting.md 2.2, event 20): what a division has and owes in a foreign currency, at
 * the rate of the day, less what it is carried at, by account, currency and party. What was booked before counts, so a
 * second run of the day finds only what changed. The difference stands on the account itself without an amount.
 *
 * Worked example: EUR 600.00 receivable carried at 660.00 is 648.00 at 1.08: a loss of 12.00. Taken back on the first
 * of February it is carried at 660.00 again; at 1.12 February gains 12.00, not 24.00.
 */
import { addDays, diffDays, endOfMonth, type IsoDate } from '../calendar/calendar.ts';
import { atRate } from '../money/exchange.ts';
import { abs, sum, type Currency } from '../money/money.ts';
import type { JournalLine, Party } from './journal.ts';

/** Rates are not published on weekends and holidays; one that is older is none of the day. */
export const RATE_AGE_DAYS = 5;

export const isMonthEnd = (day: IsoDate): boolean => endOfMonth(day) === day;
export const reversedOn = (day: IsoDate): IsoDate => addDays(day, 1);
/** True where a rate of `of` may value balances of `day`. */
export const isRateOf = (day: IsoDate, of: IsoDate): boolean => of <= day && diffDays(of, day) <= RATE_AGE_DAYS;

export interface ForeignBalance {
  /** Code of the ledger account. */
  account: string;
  currency: Currency;
  party: Party | null;
  /** Debit positive: in the foreign currency, and as it is carried. */
  balance: bigint;
  carried: bigint;
}

/** Above zero a gain: more is owed to us, or less by us. */
export function gainOf({ balance, carried }: Pick<ForeignBalance, 'balance' | 'carried'>, rate: string): bigint {
  return atRate(balance, rate) - carried;
}

export interface Gain extends Pick<ForeignBalance, 'account' | 'currency' | 'party'> { gain: bigint }

/** Each account by itself, and the same of the other sign as an unrealized gain or loss. */
export function revaluationLines(gains: readonly Gain[], own: Currency): JournalLine[] {
  return gains.filter(({ gain }) => gain !== 0n).flatMap(({ account, currency, party, gain }) => [
    { account, currency, amount: 0n, base: gain, ...(party === null ? {} : { party }) },
    { account: '7010', currency: own, amount: -gain, base: -gain, memo: `${account} ${currency}` },
  ]);
}

export interface ForeignItem { open: bigint; carried: bigint }

/** A gain by open item; what rounding and earlier postings leave over goes to the largest. */
export function gainsOfItems(gain: bigint, items: readonly ForeignItem[], rate: string): bigint[] {
  const each = items.map(({ open, carried }) => gainOf({ balance: open, carried }, rate));
  const largest = items.reduce((best, item, at) => (abs(item.open) > abs(items[best]!.open) ? at : best), 0);
  if (each.length > 0) each[largest]! += gain - sum(each);
  return each;
}
