/**
 * Postings of a payment to a royaltor: accounting.md 2.2, events 12, 14 and 14c; event 14d, its return, reverses it.
 * Cost and entitlement (11 to 11r) are `../royalties/entitlement.ts`, a statement's own events (13 to 13e, 14b)
 * `../royalties/statement-journal.ts`. Amounts are positive minor units. Tax withheld is owed to the authority in the
 * division's own currency, at the rate of the payment's day.
 */
import type { Division } from '../money/division.ts';
import { atRate } from '../money/exchange.ts';
import { sum, type Currency } from '../money/money.ts';
import { convert, FUNCTIONAL_CURRENCY, type JournalLine, type LineRefs, type Party } from './journal.ts';

/** Debt settled by one payment: a statement's balance in 2200, or an advance, which becomes an asset in 1150. */
export interface PaidDebt {
  account: '2200' | '1150';
  royaltor_id: number;
  currency: Currency;
  /** Before tax, in its own currency. */
  amount: bigint;
  /** Carrying amount in the division's currency; null for an advance, which is carried at the amount paid. */
  carried: bigint | null;
  /** In the currency of the payment. */
  paid: bigint;
  /** In the division's own currency. */
  withheld: bigint;
}

export interface RoyaltyPayment {
  division: Division;
  /** Of the payment. */
  currency: Currency;
  /** Functional units per unit of it: '1' in the division's own. */
  rate: string;
  bank_account: string;
  authority_id: number;
  refs: LineRefs;
  debts: readonly PaidDebt[];
}

export interface RoyaltyPaymentLines {
  payment: JournalLine[];
  /** Of kind fx: takes debts in a currency of their own off against what was paid for them; empty without any. */
  exchange: JournalLine[];
  /** Per debt: what was paid for it in the division's currency, tax included. */
  cost: readonly bigint[];
}

/**
 * Events 12, 14 and 14c. The payment is in one currency (the tax beside it in the division's own); a debt of another
 * currency, or one that is carried at another rate, is settled by a second posting of kind fx. Event 14d reverses both.
 */
export function royaltyPaymentLines(of: RoyaltyPayment): RoyaltyPaymentLines {
  const own = FUNCTIONAL_CURRENCY[of.division];
  const direct = (debt: PaidDebt): boolean => debt.currency === of.currency
    && (of.currency === own || (debt.carried === null && debt.withheld === 0n));
  const account = (debt: PaidDebt): string => (direct(debt) ? debt.account : '2200');
  const converted = convert([
    ...of.debts.map((debt) => ({ account: account(debt), currency: of.currency, amount: debt.paid, refs: of.refs,
      party: royaltor(debt) })),
    { account: of.bank_account, currency: of.currency, amount: -sum(of.debts.map((debt) => debt.paid)), refs: of.refs },
  ], of.division, of.rate);
  const withheld = of.debts.filter((debt) => debt.withheld > 0n).flatMap((debt) => [
    ownLine(of, account(debt), debt.withheld, royaltor(debt)),
    ownLine(of, '2320', -debt.withheld, { type: 'tax_authority', id: of.authority_id }),
  ]);
  const cost = of.debts.map((debt) => atRate(debt.paid, of.rate) + debt.withheld);
  const settled = of.debts.flatMap((debt, k) => (direct(debt) ? [] : settlement(of, debt, cost[k]!)));
  const difference = -sum(settled.map((line) => line.base));
  return {
    payment: merged([...converted, ...withheld]), cost,
    exchange: difference === 0n ? settled : [...settled, ownLine(of, '7000', difference)],
  };
}

/**
 * Event 14e, beside the mirror of an advance that came back: the part that statements had recouped left 1150 before, so
 * it is put back there, and is owed to the royaltor again at the historical rate.
 */
export function restoredAdvanceLines(of: { royaltor_id: number; currency: Currency; amount_minor: bigint;
  functional_minor: bigint; refs: LineRefs }): JournalLine[] {
  const more = { currency: of.currency, refs: of.refs, party: { type: 'royaltor', id: of.royaltor_id } as const };
  return [{ account: '1150', amount: of.amount_minor, base: of.functional_minor, ...more },
    { account: '2200', amount: -of.amount_minor, base: -of.functional_minor, ...more }];
}

/** The debt leaves at what it is carried at; the payment and its tax, which stand in 2200, with it. */
function settlement(of: RoyaltyPayment, debt: PaidDebt, cost: bigint): JournalLine[] {
  const more = { party: royaltor(debt), refs: of.refs };
  return [
    { account: debt.account, currency: debt.currency, amount: debt.amount, base: debt.carried ?? cost, ...more },
    { account: '2200', currency: of.currency, amount: -debt.paid, base: -(cost - debt.withheld), ...more },
    ...(debt.withheld === 0n ? [] : [ownLine(of, '2200', -debt.withheld, more.party)]),
  ];
}

function royaltor(debt: PaidDebt): Party {
  return { type: 'royaltor', id: debt.royaltor_id };
}

/** In the division's own currency. */
function ownLine(of: RoyaltyPayment, account: string, amount: bigint, party?: Party): JournalLine {
  return { account, currency: FUNCTIONAL_CURRENCY[of.division], amount, base: amount, refs: of.refs,
    ...(party ? { party } : {}) };
}

/** Lines of one account, currency and party are one line. */
function merged(lines: readonly JournalLine[]): JournalLine[] {
  const known = new Map<string, JournalLine>();
  for (const line of lines) {
    const key = `${line.account} ${line.currency} ${line.party?.type ?? ''} ${line.party?.id ?? ''}`;
    const same = known.get(key);
    known.set(key, same ? { ...same, amount: same.amount + line.amount, base: same.base + line.base } : line);
  }
  return [...known.values()];
}
