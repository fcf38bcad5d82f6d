/** A check that nobody paid in: after 180 days its money is unclaimed property (accounting.md 2.2, event 17d). */
import { addDays, type IsoDate } from '../calendar/calendar.ts';
import type { Currency } from '../money/money.ts';
import type { JournalLine, Party } from './journal.ts';

export const STALE_AFTER_DAYS = 180;

/** The first day on which a check of that day is stale. */
export function staleFrom(checked_on: IsoDate): IsoDate {
  return addDays(checked_on, STALE_AFTER_DAYS + 1);
}

export interface StaleCheck {
  bank: string;
  currency: Currency;
  /** Above zero; the base amount as the payment took it, so that the bank account ends at nothing. */
  amount_minor: bigint;
  base_minor: bigint;
  party: Party;
  payment_id: number;
}

/** Back on the bank account, and owed to the payee or the state. */
export function staleCheckLines({ bank, currency, amount_minor, base_minor, party, payment_id }: StaleCheck):
JournalLine[] {
  const refs = { payment_id };
  return [
    { account: bank, currency, amount: amount_minor, base: base_minor, refs },
    { account: '2450', currency, amount: -amount_minor, base: -base_minor, refs, party },
  ];
}
