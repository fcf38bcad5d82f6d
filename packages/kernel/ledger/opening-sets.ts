/**
 * Opening balances of a house that moves in (accounting.md 2.2 row 29). Every set posts against 3999. Accounts with
 * documents behind them are carried by the sets of their documents; the ledger set posts its line for such an account
 * on 3999, where the documents meet it. So nothing counts twice, and 3999 is zero exactly when the trial balance is
 * complete: every carried line has the documents it stands for.
 *
 * Worked example: a trial balance of AR 800.00, bank 500.00, deposits held -1,000.00 and retained earnings -300.00. The
 * ledger set posts Cr 3100 300.00 and on 3999 Dr 800.00, Dr 500.00, Cr 1,000.00; the receivables post Dr 1100 800.00 /
 * Cr 3999, the bank Dr 1000 500.00 / Cr 3999, the deposits Dr 3999 / Cr 2150 1,000.00: 3999 ends at zero.
 */
import { divHalfAway, type Currency } from '../money/money.ts';
import { atRate } from '../money/exchange.ts';
import type { JournalLine, Party } from './journal.ts';

export const OPENING_KINDS = ['ledger', 'receivables', 'payables', 'deposits', 'deferred', 'royaltors', 'reserves',
  'advances', 'banks', 'next_numbers'] as const;
export type OpeningKind = (typeof OPENING_KINDS)[number];

/** Opening balance equity. */
export const OPENING_ACCOUNT = '3999';

/** Accounts whose balance comes from documents, and the kind of set that brings them. */
export const CARRIED_BY: Readonly<Record<string, OpeningKind>> = {
  1100: 'receivables', 1150: 'advances', 2000: 'payables', 2100: 'deferred', 2150: 'deposits', 2160: 'deposits',
  2200: 'royaltors', 2205: 'reserves',
};

/** The kind of set that brings an account; null where the ledger set posts it. */
export function carrierOf(account: { code: string; is_bank: boolean }): OpeningKind | null {
  return account.is_bank ? 'banks' : CARRIED_BY[account.code] ?? null;
}

/** A line of a trial balance, + debit. */
export interface TrialLine {
  account: string;
  is_carried: boolean;
  currency: Currency;
  amount: bigint;
  /** In the division's functional currency. */
  base: bigint;
  party?: Party;
  memo?: string;
}

export interface Imbalance { currency: Currency; by_minor: bigint }

const sumOf = (lines: readonly TrialLine[], pick: (line: TrialLine) => bigint): bigint =>
  lines.reduce((all, line) => all + pick(line), 0n);

/**
 * Imbalance of a trial balance, by currency. A foreign currency balances if all of its lines do, or if those without a
 * document do: a bank account in euros is offset by equity in dollars.
 */
export function imbalances(lines: readonly TrialLine[], functional: Currency): Imbalance[] {
  const found: Imbalance[] = [];
  const base = sumOf(lines, (line) => line.base);
  if (base !== 0n) found.push({ currency: functional, by_minor: base });
  for (const currency of foreignOf(lines, functional)) {
    const own = lines.filter((line) => line.currency === currency);
    const all = sumOf(own, (line) => line.amount);
    const posted = sumOf(own.filter((line) => !line.is_carried), (line) => line.amount);
    if (all !== 0n && posted !== 0n) found.push({ currency, by_minor: all });
  }
  return found;
}

const foreignOf = (lines: readonly TrialLine[], functional: Currency): Currency[] =>
  [...new Set(lines.map((line) => line.currency))].filter((currency) => currency !== functional).sort();

/**
 * The posting of a trial balance that is in balance: lines of carried accounts meet their documents on 3999, one line
 * for each account and currency. A currency that is in balance only without its carried lines has those in functional
 * currency, so that the posting sums to zero in each.
 */
export function trialBalanceLines(lines: readonly TrialLine[], functional: Currency): JournalLine[] {
  const whole = new Set([functional, ...foreignOf(lines, functional).filter((currency) =>
    sumOf(lines.filter((line) => line.currency === currency), (line) => line.amount) === 0n)]);
  const carried = new Map<string, JournalLine>();
  const own: JournalLine[] = [];
  for (const line of lines) {
    if (!line.is_carried) {
      own.push({ account: line.account, currency: line.currency, amount: line.amount, base: line.base,
        ...(line.party && { party: line.party }), ...(line.memo && { memo: line.memo }) });
      continue;
    }
    const currency = whole.has(line.currency) ? line.currency : functional;
    const key = `${line.account} ${currency}`;
    const met = carried.get(key) ?? { account: OPENING_ACCOUNT, currency, amount: 0n, base: 0n,
      memo: `Account ${line.account}, brought by its documents` };
    met.amount += currency === line.currency ? line.amount : line.base;
    met.base += line.base;
    carried.set(key, met);
  }
  return [...own, ...carried.values()].filter((line) => line.amount !== 0n || line.base !== 0n);
}

/** The two lines of a document that comes into the books: its account, and 3999. `amount` + debit of the account. */
export function documentLines(line: JournalLine): JournalLine[] {
  return [line, { account: OPENING_ACCOUNT, currency: line.currency, amount: -line.amount, base: -line.base,
    ...(line.fx_rate && { fx_rate: line.fx_rate }), ...(line.memo && { memo: line.memo }) }];
}

const RATE_PLACES = 10n ** 10n;

/** The rate at which an amount has its value in the books, as decimal text; null where there is none. */
export function rateBetween(amount: bigint, base: bigint): string | null {
  if (amount === 0n || base === 0n || amount < 0n !== base < 0n) return null;
  const scaled = divHalfAway(base * RATE_PLACES, amount);
  if (scaled <= 0n) return null;
  return `${scaled / RATE_PLACES}.${(scaled % RATE_PLACES).toString().padStart(10, '0')}`;
}

export interface Valued { amount: bigint; base: bigint; rate: string }
export type ValueProblem = 'base_differs' | 'sign_differs' | 'no_rate';

/**
 * An amount with its value in the books: the value that the file says, else at the rate that the file says, else at
 * the ledger's rate of the day. In functional currency both are equal.
 */
export function valued(
  of: { amount: bigint; base: bigint | null; rate: string | null }, ledger: { is_functional: boolean;
    rate: string | null },
): Valued | { problem: ValueProblem } {
  if (ledger.is_functional) {
    return of.base !== null && of.base !== of.amount ? { problem: 'base_differs' }
      : { amount: of.amount, base: of.amount, rate: '1' };
  }
  if (of.base !== null) {
    const rate = of.rate ?? rateBetween(of.amount, of.base);
    return rate === null || of.amount < 0n !== of.base < 0n ? { problem: 'sign_differs' }
      : { amount: of.amount, base: of.base, rate };
  }
  const rate = of.rate ?? ledger.rate;
  return rate === null ? { problem: 'no_rate' } : { amount: of.amount, base: atRate(of.amount, rate), rate };
}
