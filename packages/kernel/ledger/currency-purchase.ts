/** Another currency bought with the division's own, through Transfers in transit (accounting.md 2.2, event 18b). */
import type { Division } from '../money/division.ts';
import { atRate } from '../money/exchange.ts';
import type { Currency } from '../money/money.ts';
import { FUNCTIONAL_CURRENCY, type JournalLine } from './journal.ts';

export interface CurrencyPurchase {
  division: Division;
  /** Account of the division's own currency that pays. */
  from_account: string;
  /** Account that keeps the bought currency. */
  to_account: string;
  currency: Currency;
  bought: bigint;
  /** What the bank took for it, in the division's own currency, without its fee. */
  sold: bigint;
  /** Of the ledger on that day: functional units per unit of the bought currency. */
  rate: string;
  fee: bigint;
}

/**
 * Two postings of kind transfer: the money leaves one account, and arrives on the other at the ledger's rate of the
 * day. What the bank's rate differs from that is a realised exchange difference.
 */
export function currencyPurchaseLines(of: CurrencyPurchase): { out: JournalLine[]; in: JournalLine[] } {
  const own = FUNCTIONAL_CURRENCY[of.division];
  const ownLine = (account: string, amount: bigint): JournalLine => ({ account, currency: own, amount, base: amount });
  const arrived = atRate(of.bought, of.rate);
  return {
    out: nonZero([ownLine('1050', of.sold), ownLine(of.from_account, -of.sold),
      ownLine('6100', of.fee), ownLine(of.from_account, -of.fee)]),
    in: nonZero([
      { account: of.to_account, currency: of.currency, amount: of.bought, base: arrived, fx_rate: of.rate },
      ownLine('1050', -of.sold), ownLine('7000', of.sold - arrived)]),
  };
}

const nonZero = (lines: JournalLine[]): JournalLine[] => lines.filter((line) => line.amount !== 0n);
