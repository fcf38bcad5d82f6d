/**
 * All divisions in the currency of the group (accounting.md 3.11): assets and liabilities at the rate of the day,
 * income and expense at the average of each month, equity at the rate of the day it was posted. Every account, and
 * every month of an income or expense, rounds by itself; what these rates leave between net assets and equity is the
 * translation difference, recomputed each time and never posted.
 *
 * Worked example (UK): net assets GBP 1,000 at 1.25, a result of GBP 200 at an average of 1.27, closing at 1.30.
 * 1,200 x 1.30 = 1,560; 1,250 + 254 = 1,504; the difference is 56 = 1,000 x 0.05 + 200 x 0.03.
 */
import type { Division } from '../money/division.ts';
import { atRate } from '../money/exchange.ts';
import { abs } from '../money/money.ts';
import { DUE_FROM, DUE_TO, duePairs, type DueBalance } from './intercompany.ts';

export type AccountClass = 'asset' | 'liability' | 'equity' | 'income' | 'expense';

export interface GroupAccount {
  code: string;
  name: string;
  class: AccountClass;
  section: string;
}

/** Amount translated at one rate: an account; of a month; of a day. Debit positive, in the division's currency. */
export interface Amount extends GroupAccount {
  minor: bigint;
  rate: string;
  /** Of equity, income and expense: posted after the opening day of the roll-forward. */
  late: boolean;
}

export interface DivisionBooks {
  division: Division;
  /** Assets and liabilities on the day. */
  balances: readonly Omit<Amount, 'rate' | 'late'>[];
  /** Equity by day, closing entries left out: their result counts as a result. */
  equity: readonly Amount[];
  /** Income and expense by month, from the beginning. */
  results: readonly Amount[];
  /** Rates of the day and of the opening day; the latter null where nothing was there to translate. */
  closing: string;
  opening: string | null;
}

export interface TranslatedAccount extends GroupAccount { minor: bigint }

export interface RollForward {
  opening: bigint;
  on_net_assets: bigint;
  on_result: bigint;
  on_equity: bigint;
  /** Rest of rounding each figure by itself: at most half a minor unit for each. */
  rounding: bigint;
  closing: bigint;
}

export interface TranslatedBooks {
  division: Division;
  /** Assets, liabilities and equity, debit positive. */
  accounts: TranslatedAccount[];
  /** Income and expense, debit positive: before and after the opening day. */
  results_before: TranslatedAccount[];
  results: TranslatedAccount[];
  /** Translation difference, credit positive as the rest of equity is shown. */
  difference: bigint;
  roll_forward: RollForward;
  /** Figures that were rounded. */
  figures: number;
}

const total = (rows: readonly { minor: bigint }[]): bigint => rows.reduce((sum, row) => sum + row.minor, 0n);
const translated = (row: Amount): TranslatedAccount => ({ code: row.code, name: row.name, class: row.class,
  section: row.section, minor: atRate(row.minor, row.rate) });

/** One row for each account of a section, in the order of codes. */
export function byAccount(rows: readonly TranslatedAccount[]): TranslatedAccount[] {
  const found = new Map<string, TranslatedAccount>();
  for (const row of rows) {
    const key = accountKey(row);
    const before = found.get(key);
    found.set(key, before ? { ...before, minor: before.minor + row.minor } : { ...row });
  }
  return [...found.values()].toSorted((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
}

/** The same account in every division: a code may mean something else where the chart was changed. */
export const accountKey = (row: GroupAccount): string => `${row.class}:${row.section}:${row.code}`;

/** Translation difference of net assets (debit positive) against what equity and results (debit positive) came to. */
const differenceOf = (netAssets: bigint, equity: bigint): bigint => netAssets + equity;

export function translate(books: DivisionBooks): TranslatedBooks {
  const { closing, opening } = books;
  const balances = books.balances.map((row) => translated({ ...row, rate: closing, late: true }));
  const equity = books.equity.map(translated);
  const results = books.results.map(translated);
  const late = <T>(rows: readonly T[], of: readonly Amount[], is: boolean): T[] =>
    rows.filter((_, at) => of[at]!.late === is);
  const difference = differenceOf(total(balances), total(equity) + total(results));
  const early = [...late(equity, books.equity, false), ...late(results, books.results, false)];
  // Net assets of the opening day: what equity and results had come to by then.
  const netOpening = -total([...books.equity, ...books.results].filter((row) => !row.late));
  const differenceOpening = opening === null ? 0n : differenceOf(atRate(netOpening, opening), total(early));
  const atOpening = opening === null ? 0n : atRate(netOpening, opening);
  const gain = (rows: readonly Amount[]): bigint => -rows.filter((row) => row.late)
    .reduce((sum, row) => sum + atRate(row.minor, closing) - atRate(row.minor, row.rate), 0n);
  const onNetAssets = opening === null ? 0n : atRate(netOpening, closing) - atOpening;
  const [onResult, onEquity] = [gain(books.results), gain(books.equity)];
  return { division: books.division, accounts: byAccount([...balances, ...equity]),
    results_before: byAccount(late(results, books.results, false)),
    results: byAccount(late(results, books.results, true)),
    difference, figures: balances.length + 2 * (equity.length + results.length) + 3,
    roll_forward: { opening: differenceOpening, on_net_assets: onNetAssets, on_result: onResult, on_equity: onEquity,
      rounding: difference - differenceOpening - onNetAssets - onResult - onEquity, closing: difference } };
}

/** True where the roll-forward explains the difference: rounding is within half a minor unit for each figure. */
export const isExplained = (of: Pick<TranslatedBooks, 'roll_forward' | 'figures'>): boolean =>
  2n * abs(of.roll_forward.rounding) <= BigInt(of.figures);

export interface Elimination {
  /** Accounts 1500 and 2500, debit positive; with the two differences they sum to nothing. */
  accounts: TranslatedAccount[];
  /** Due by one set of books alone. */
  unmatched: bigint;
  /** The same amount, carried at different rates. */
  exchange: bigint;
}

const isDue = (row: GroupAccount): boolean => row.code === DUE_FROM || row.code === DUE_TO;

/**
 * Takes what divisions owe each other off both sides. `due` are the balances in the currency they are owed in, `rates`
 * of the day: what the books differ in there is unmatched, the rest is exchange.
 */
export function eliminate(
  books: readonly TranslatedBooks[], due: readonly DueBalance[], rates: (currency: string) => string,
): Elimination {
  const owed = byAccount(books.flatMap((one) => one.accounts.filter(isDue)));
  const left = total(owed);
  const unmatched = duePairs(due).reduce((sum, pair) => sum + atRate(pair.difference, rates(pair.currency)), 0n);
  return { accounts: owed.map((row) => ({ ...row, minor: -row.minor })), unmatched, exchange: left - unmatched };
}
