/**
 * Postings that only exist because rates move: the realised difference at an application, a debt paid in another
 * currency, the revaluation at a month's end (accounting.md 2.2 events 14c, 19, 20).
 */
import type { Currency } from '../money/money.ts';
import type { Division } from '../money/division.ts';
import { FUNCTIONAL_CURRENCY, type JournalDraft, type JournalLine, type Party, type Source } from './journal.ts';

export interface ExchangeBooking {
  division: Division;
  transaction_at: string;
  description: string;
  source: Source | null;
}

/**
 * Event 19: `debit_base` and `credit_base` are the base amounts of the two sides of an application. The difference
 * goes off the control account (foreign amount 0) against 7000; null where there is none. The ledger's own allocate
 * posts the same; this is for reports and previews.
 */
export function exchangeRealised(of: ExchangeBooking & {
  account: string; currency: Currency; party: Party; debit_base: bigint; credit_base: bigint;
}): JournalDraft | null {
  const difference = of.debit_base - of.credit_base;
  if (difference === 0n) return null;
  return draft('fx', of, [
    { account: of.account, currency: of.currency, amount: 0n, base: -difference, party: of.party },
    functional(of.division, '7000', difference),
  ]);
}

/**
 * Event 14c: a debt in a foreign currency (`carried`, signed like its account: - what we owe) was settled by a
   payment
 * in functional currency booked against the same account and party. Both amounts leave the account, the difference is
 * realised on 7000.
 */
export function settledInFunctional(of: ExchangeBooking & {
  account: string; party: Party; carried: { currency: Currency; amount: bigint; base: bigint }; paid: bigint;
}): JournalDraft {
  return draft('fx', of, [
    {
      account: of.account, currency: of.carried.currency, amount: -of.carried.amount, base: -of.carried.base,
      party: of.party,
    },
    functional(of.division, of.account, -of.paid, of.party),
    functional(of.division, '7000', of.carried.base + of.paid),
  ]);
}

export interface RevaluedBalance {
  account: string;
  currency: Currency;
  party?: Party;
  /** Signed balance in the foreign currency and the base amount it is carried at. */
  amount: bigint;
  base: bigint;
  /** The balance at the closing rate. */
  closing_base: bigint;
}

/** Event 20: monetary balances at the closing rate against 7010; null where nothing moves. */
export function revalued(of: ExchangeBooking & { balances: readonly RevaluedBalance[] }): JournalDraft | null {
  const moved = of.balances.filter((balance) => balance.closing_base !== balance.base);
  if (moved.length === 0) return null;
  return draft('revaluation', of, moved.flatMap((balance) => {
    const gain = balance.closing_base - balance.base;
    return [
      { account: balance.account, currency: balance.currency, amount: 0n, base: gain,
        ...(balance.party ? { party: balance.party } : {}) },
      functional(of.division, '7010', -gain),
    ];
  }));
}

function functional(division: Division, account: string, amount: bigint, of?: Party): JournalLine {
  return { account, currency: FUNCTIONAL_CURRENCY[division], amount, base: amount, ...(of ? { party: of } : {}) };
}

function draft(kind: string, of: ExchangeBooking, lines: JournalLine[]): JournalDraft {
  return {
    division: of.division, kind, transaction_at: of.transaction_at, description: of.description, source: of.source,
    lines: lines.filter((line) => line.amount !== 0n || line.base !== 0n),
  };
}
