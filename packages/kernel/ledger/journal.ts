/**
 * A posting as plain data: signed lines in minor units, + debit, - credit (accounting.md 1.1).
 *
 * `amount` is in the line's currency, `base` in the division's functional currency. The base amounts of a posting sum
 * to zero, and so does every foreign currency except in the kinds that say otherwise (fx, transfer, revaluation).
 * A base amount is the amount times the rate, rounded half away from zero on its line; what the roundings leave over
 * goes to the largest line that is not on a control account, so that receivables and payables stay exactly
 * amount times rate. Worked example: EUR 10.05 receivable against 10.00 and 0.05 at 1.11: the receivable is 11.16
 * (11.1555), the others 11.10 and 0.06 (0.0555), nothing is left; at 1.115 they are 11.21, 11.15 and 0.06: in balance
 * again; three thirds of EUR 1.00 at 1.5 are 0.50, 0.50, 0.51 against 1.50 and the 0.01 comes off the largest.
 */
import type { Division } from '../money/division.ts';
import { atRate } from '../money/exchange.ts';
import { abs, type Currency } from '../money/money.ts';

/** Functional currency of each division (accounting.md 1.1); the database holds the same in `divisions`. */
export const FUNCTIONAL_CURRENCY: Readonly<Record<Division, Currency>> = {
  US: 'USD', EU: 'EUR', UK: 'GBP', PROD: 'USD',
};

export const PARTY_TYPES = ['customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority', 'division'] as const;
export type PartyType = (typeof PARTY_TYPES)[number];
export interface Party {
  type: PartyType;
  id: number;
}

export interface LineRefs {
  invoice_id?: number;
  bill_id?: number;
  license_id?: number;
  show_id?: number;
  payment_id?: number;
}

export interface JournalLine {
  /** Account code of the chart, the same in every division: '1100'. */
  account: string;
  currency: Currency;
  /** Minor units in `currency`, + debit. Zero only on lines of exchange difference. */
  amount: bigint;
  /** Minor units in the division's functional currency. */
  base: bigint;
  /** Functional units per unit of `currency`, decimal text with at most ten places. */
  fx_rate?: string;
  party?: Party;
  tax_code_id?: number;
  tax_base?: bigint;
  /** For lines on accounts with open items; the day of posting when absent. */
  due_date?: string;
  refs?: LineRefs;
  memo?: string;
}

/** Idempotency key of a posting: the ledger's own guard against duplicates (accounting.md 1.5). */
export interface Source {
  type: string;
  id: number;
  event: string;
  /** 1; the next one only after the former posting was reversed. */
  attempt: number;
}

export interface JournalDraft {
  division: Division;
  kind: string;
  /** Accounting date, YYYY-MM-DD. */
  transaction_at: string;
  description: string;
  source: Source | null;
  lines: JournalLine[];
  /** Pairs the postings of two divisions about one event. */
  intercompany_group_id?: number;
}

/** Kinds in which a foreign currency may stay unequal (settled in the shared README, "Zero sum"). */
export const CURRENCY_MAY_DIFFER: ReadonlySet<string> = new Set([
  'fx', 'transfer', 'revaluation', 'revaluation_reversal',
]);
/** Accounts of the sub-ledgers; rounding never touches them (accounting.md 1.1). */
export const CONTROL_ACCOUNTS: ReadonlySet<string> = new Set(['1100', '2000', '2150', '2200']);

export type Balance =
  | { ok: true }
  | { refused: 'too_few_lines' | 'unbalanced' | 'currency_unbalanced' | 'base_amount'; facts: Record<string,
    string> };

/** The zero-sum rules of a posting, as the database checks them again. */
export function checkBalanced(draft: Pick<JournalDraft, 'division' | 'kind' | 'lines'>): Balance {
  const functional = FUNCTIONAL_CURRENCY[draft.division];
  if (draft.lines.length < 2) return { refused: 'too_few_lines', facts: { lines: String(draft.lines.length) } };
  const perCurrency = new Map<Currency, bigint>();
  let base = 0n;
  for (const line of draft.lines) {
    if (line.currency === functional && line.amount !== line.base) {
      return { refused: 'base_amount', facts: { account: line.account } };
    }
    base += line.base;
    perCurrency.set(line.currency, (perCurrency.get(line.currency) ?? 0n) + line.amount);
  }
  if (base !== 0n) return { refused: 'unbalanced', facts: { by_minor: base.toString() } };
  if (CURRENCY_MAY_DIFFER.has(draft.kind)) return { ok: true };
  for (const [currency, total] of perCurrency) {
    if (currency !== functional && total !== 0n) {
      return { refused: 'currency_unbalanced', facts: { currency, by_minor: total.toString() } };
    }
  }
  return { ok: true };
}

export type UnconvertedLine = Omit<JournalLine, 'base' | 'fx_rate'>;

/**
 * Base amounts of lines that share one rate (functional units per unit of their currency).
 * Lines in functional currency keep their amount. What rounding leaves over goes to the largest line off the control
 * accounts (the first on a tie); where every line is on one, to the largest of all.
 */
export function convert(lines: readonly UnconvertedLine[], division: Division, rate: string): JournalLine[] {
  const functional = FUNCTIONAL_CURRENCY[division];
  const converted: JournalLine[] = lines.map((line) => line.currency === functional
    ? { ...line, base: line.amount }
    : { ...line, base: atRate(line.amount, rate), fx_rate: rate });
  return putOnLargest(converted, (line) => line.currency !== functional);
}

/** Puts what the bases are off balance on the largest of the lines that may carry it. */
function putOnLargest(lines: JournalLine[], mayCarry: (line: JournalLine) => boolean): JournalLine[] {
  const left = lines.reduce((total, line) => total + line.base, 0n);
  if (left === 0n) return lines;
  const largest = (candidates: JournalLine[]): JournalLine | undefined => candidates.reduce<JournalLine | undefined>(
    (best, line) => (!best || abs(line.base) > abs(best.base) ? line : best), undefined);
  const carriers = lines.filter(mayCarry);
  const carrier = largest(carriers.filter((line) => !CONTROL_ACCOUNTS.has(line.account))) ?? largest(carriers);
  if (carrier) carrier.base -= left;
  return lines;
}

/**
 * Gives the one line of an account the base that is left there, where the posting takes the last of its currency: so
 * the account ends at nothing in both. The largest other line carries the difference of rounding.
 */
export function emptyAccount(lines: readonly JournalLine[], account: string, base: bigint): JournalLine[] {
  return putOnLargest(lines.map((line) => (line.account === account ? { ...line, base } : { ...line })),
    (line) => line.account !== account);
}
