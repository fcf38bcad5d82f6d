/** Money between two bank accounts of a division, through Transfers in transit (accounting.md 2.2, events 18, 18b). */
import type { Division } from '../money/division.ts';
import { atRate } from '../money/exchange.ts';
import type { Currency } from '../money/money.ts';
import { FUNCTIONAL_CURRENCY, type JournalLine } from './journal.ts';

export interface TransferSide {
  /** Ledger account of the bank account. */
  account: string;
  currency: Currency;
  amount: bigint;
  /** Functional units per unit of `currency` on the day; null in the division's own. */
  rate: string | null;
}

/** Lines of a transfer sent: the amount is in transit, the bank's fee is an expense. */
export function transferSentLines(of: TransferSide & { fee: bigint }): JournalLine[] {
  const line = (account: string, amount: bigint): JournalLine => lineOf(of, account, amount);
  return nonZero([line('1050', of.amount), line(of.account, -of.amount), line('6100', of.fee),
    line(of.account, -of.fee)]);
}

/** Value of a side in the functional currency. */
export function transferBase(of: Pick<TransferSide, 'amount' | 'rate'>): bigint {
  return of.rate === null ? of.amount : atRate(of.amount, of.rate);
}

/**
 * Lines of a transfer received: in the currency sent, at the value it was sent with; in another currency, at the
 * ledger's rate of the day, with the difference from the bank's rate as a realized exchange difference.
 */
export function transferReceivedLines(division: Division, of: { sent: TransferSide; to: TransferSide }): JournalLine[] {
  const { sent, to } = of;
  const own = FUNCTIONAL_CURRENCY[division];
  const carried = transferBase(sent);
  const arrived = to.currency === sent.currency ? carried : transferBase(to);
  return nonZero([
    { account: to.account, currency: to.currency, amount: to.amount, base: arrived,
      ...(to.rate === null ? {} : { fx_rate: to.currency === sent.currency ? sent.rate! : to.rate }) },
    { account: '1050', currency: sent.currency, amount: -sent.amount, base: -carried,
      ...(sent.rate === null ? {} : { fx_rate: sent.rate }) },
    { account: '7000', currency: own, amount: carried - arrived, base: carried - arrived },
  ]);
}

function lineOf(of: TransferSide, account: string, amount: bigint): JournalLine {
  return { account, currency: of.currency, amount, base: transferBase({ amount, rate: of.rate }),
    ...(of.rate === null ? {} : { fx_rate: of.rate }) };
}

const nonZero = (lines: JournalLine[]): JournalLine[] => lines.filter((line) => line.amount !== 0n);
