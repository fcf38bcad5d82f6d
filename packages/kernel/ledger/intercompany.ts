/**
 * Between divisions (accounting.md 2.2, event 27): one event, a posting in each of two divisions. The one that is owed
 * has it on 1500 Due from divisions, the one that owes on 2500 Due to divisions, each naming the other, in one currency
 * and amount. A settlement takes the same off again.
 *
 * Worked example: the US division collects USD 100.00 for the UK at 0.80. US: Dr 1000 Bank 100.00, Cr 2500 Due to UK
 * 100.00. UK: Dr 1500 Due from US USD 100.00 (GBP 80.00), Cr 1100 of the customer, or the account it is for, the same.
 * The US pays a bill of the UK of USD 100.00. US: Dr 1500 Due from UK 100.00, Cr 1000 Bank 100.00. UK: Dr 2000 of the
 * vendor USD 100.00 (GBP 80.00), Cr 2500 Due to US the same.
 */
import type { Division } from '../money/division.ts';
import { atRate } from '../money/exchange.ts';
import type { Currency } from '../money/money.ts';
import type { JournalLine, Party } from './journal.ts';

export const DUE_FROM = '1500';
export const DUE_TO = '2500';

export const INTERCOMPANY_KINDS = ['charge', 'settlement'] as const;
export type IntercompanyKind = (typeof INTERCOMPANY_KINDS)[number];

export interface IntercompanySide {
  /** Account of the division that the event is about: the bank, a cost, an income. */
  account: string;
  /** Of the account: the customer whose money the other division took in, or the vendor whom it paid. */
  party?: Party;
  /** Payment that the line of the account is, open from this day until it settles a bill. */
  payment?: { id: number; on: string };
  /** Functional units per unit of the currency on the day; null in the division's own. */
  rate: string | null;
  /** Id of the other division. */
  other: number;
}

export interface IntercompanyEvent {
  kind: IntercompanyKind;
  currency: Currency;
  /** Above zero. */
  amount: bigint;
  /** The division that is owed, and the one that owes. */
  creditor: IntercompanySide;
  debtor: IntercompanySide;
}

function pair(of: IntercompanyEvent, side: IntercompanySide, due: string, debit: bigint): JournalLine[] {
  const line = (account: string, amount: bigint): JournalLine => ({ account, currency: of.currency, amount,
    base: side.rate === null ? amount : atRate(amount, side.rate),
    ...(side.rate === null ? {} : { fx_rate: side.rate }) });
  return [{ ...line(due, debit), party: { type: 'division', id: side.other } },
    { ...line(side.account, -debit), ...(side.party === undefined ? {} : { party: side.party }),
      ...(side.payment === undefined ? {} : { refs: { payment_id: side.payment.id }, due_date: side.payment.on }) }];
}

/** The lines of both postings. */
export function intercompanyLines(of: IntercompanyEvent): { creditor: JournalLine[]; debtor: JournalLine[] } {
  const amount = of.kind === 'charge' ? of.amount : -of.amount;
  return { creditor: pair(of, of.creditor, DUE_FROM, amount), debtor: pair(of, of.debtor, DUE_TO, -amount) };
}

/** Balance of a division on 1500 and 2500 together against another one, debit positive. */
export interface DueBalance {
  division: Division;
  other: Division;
  currency: Currency;
  balance: bigint;
  /** The same in the division's own currency. */
  base: bigint;
}

export interface DuePair {
  division: Division;
  other: Division;
  currency: Currency;
  /** Debt of `other` by the books of `division`, and by its own; below zero it is owed. */
  balance: bigint;
  other_balance: bigint;
  base: bigint;
  other_base: bigint;
  /** Zero where both books agree. */
  difference: bigint;
}

/** Balances against each other, one row for each two divisions and currency; whoever is owed stands first. */
export function duePairs(rows: readonly DueBalance[]): DuePair[] {
  const groups = new Map<string, DueBalance[]>();
  for (const row of rows.filter((one) => one.balance !== 0n || one.base !== 0n)) {
    const key = [...[row.division, row.other].toSorted(), row.currency].join(' ');
    groups.set(key, [...groups.get(key) ?? [], row]);
  }
  return [...groups.values()].map((group) => {
    const [one, two] = [group[0]!, group[1]];
    const back: DueBalance = two ?? { ...one, division: one.other, other: one.division, balance: 0n, base: 0n };
    const [mine, theirs] = one.balance > back.balance ? [one, back] : [back, one];
    return { division: mine.division, other: theirs.division, currency: mine.currency, balance: mine.balance,
      other_balance: -theirs.balance, base: mine.base, other_base: -theirs.base,
      difference: mine.balance + theirs.balance };
  });
}

/**
 * Difference of the two books in USD beyond that of their amounts: each division carries the balance at the
 * rates of its own days. Rates are USD per unit.
 */
export function dueExchange(pair: DuePair, rates: { own: string; other: string; currency: string }): bigint {
  return atRate(pair.base, rates.own) - atRate(pair.other_base, rates.other) - atRate(pair.difference, rates.currency);
}
