/**
 * Reconciliation of a bank account with its statement up to a day (accounting.md 3.10): what is cleared, what the
 * difference is, whether it may be finished, and the proof that bank and books agree. Amounts are signed minor units in
 * the currency of the account; money in is positive.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { sum } from '../money/money.ts';

export interface BankSide {
  /** Closing balance of the last finished reconciliation, else the opening balance of the account. */
  opening: bigint;
  closing: bigint;
  /** Bank lines up to the day that no finished reconciliation has. */
  lines: readonly { amount: bigint; matched: boolean }[];
  /** Ledger lines that a person ticked on a paper statement: no bank line stands for them. */
  ticked: readonly bigint[];
}

export interface Figures {
  matched: bigint;
  ticked: bigint;
  unmatched: bigint;
  unmatched_count: number;
  /** Opening, matched and ticked: what the ledger has cleared. */
  cleared: bigint;
  /** Closing less cleared: zero where everything is explained. */
  difference: bigint;
}

export function reconciliationFigures(of: BankSide): Figures {
  const open = of.lines.filter((line) => !line.matched);
  const matched = sum(of.lines.filter((line) => line.matched).map((line) => line.amount));
  const ticked = sum(of.ticked);
  const cleared = of.opening + matched + ticked;
  return { matched, ticked, cleared, unmatched: sum(open.map((line) => line.amount)), unmatched_count: open.length,
    difference: of.closing - cleared };
}

export interface BooksSide {
  closing: bigint;
  /** Ledger balance of the account at the end of the day. */
  ledger: bigint;
  /** Ledger lines up to the day that the bank does not have. */
  outstanding: readonly bigint[];
  /** Bank lines up to the day that the ledger does not have. */
  unmatched: bigint;
  /** Matched across the day: what the ledger has by the day, less what the bank has of the same match. */
  timing: readonly bigint[];
}

export interface Proof {
  deposits_in_transit: bigint;
  /** Positive. */
  outstanding_payments: bigint;
  /** Money that the bank has had by the day and the books later is negative. */
  timing: bigint;
  /** Bank lines without an entry, with their sign. */
  unmatched: bigint;
  /** Balance the books must have by the figures above. */
  expected: bigint;
  ledger: bigint;
  /** Ledger less expected. */
  difference: bigint;
}

/** Closing + deposits in transit − outstanding payments − unmatched bank lines + timing = ledger balance. */
export function booksProof(of: BooksSide): Proof {
  const inward = sum(of.outstanding.filter((amount) => amount > 0n));
  const outward = -sum(of.outstanding.filter((amount) => amount < 0n));
  const timing = sum(of.timing);
  const expected = of.closing + inward - outward - of.unmatched + timing;
  return { deposits_in_transit: inward, outstanding_payments: outward, timing, unmatched: of.unmatched, expected,
    ledger: of.ledger, difference: of.ledger - expected };
}

export interface StatementOfAccount {
  id: number;
  from_on: IsoDate | null;
  to_on: IsoDate | null;
  opening: bigint | null;
  closing: bigint | null;
  flags: readonly string[];
}

const ends = (statement: StatementOfAccount): IsoDate => statement.to_on ?? statement.from_on ?? '';

/** The balance that the statement before ends with; null where there is none. */
function closingBefore(of: StatementOfAccount, all: readonly StatementOfAccount[]): bigint | null {
  const before = all.filter((one) => one.id !== of.id && one.closing !== null && of.from_on !== null
    && ends(one) < of.from_on).sort((a, b) => (ends(a) === ends(b) ? a.id - b.id : ends(a) < ends(b) ? -1 : 1)).at(-1);
  return before?.closing ?? null;
}

/** A later import of the same period, whose balances add up, replaces a file whose balances did not. */
function isReplaced(of: StatementOfAccount, all: readonly StatementOfAccount[]): boolean {
  return all.some((one) => one.id > of.id && !one.flags.includes('balance_mismatch') && one.closing !== null
    && one.from_on !== null && one.to_on !== null && of.from_on !== null && of.to_on !== null
    && one.from_on <= of.from_on && one.to_on >= of.to_on);
}

/** Reasons a statement cannot be reconciled: balances that do not add up, a statement missing before it. */
export function statementBlocks(of: StatementOfAccount, all: readonly StatementOfAccount[]):
('balance_mismatch' | 'gap')[] {
  const gap = of.flags.includes('gap') && closingBefore(of, all) !== of.opening;
  return [...(of.flags.includes('balance_mismatch') && !isReplaced(of, all) ? ['balance_mismatch' as const] : []),
    ...(gap ? ['gap' as const] : [])];
}

export type FinishBlock =
  | { code: 'unmatched'; count: number }
  | { code: 'difference'; amount: bigint }
  | { code: 'books'; amount: bigint }
  | { code: 'balance_mismatch' | 'gap'; statement_id: number };

/** Why a reconciliation cannot be finished yet; empty: it can. */
export function finishBlocks(of: { figures: Figures; proof: Proof; statements: readonly { id: number;
  blocks: readonly ('balance_mismatch' | 'gap')[] }[] }): FinishBlock[] {
  const { figures, proof, statements } = of;
  return [
    ...statements.flatMap(({ id, blocks }) => blocks.map((code) => ({ code, statement_id: id }))),
    ...(figures.unmatched_count > 0 ? [{ code: 'unmatched' as const, count: figures.unmatched_count }] : []),
    ...(figures.difference === 0n ? [] : [{ code: 'difference' as const, amount: figures.difference }]),
    ...(proof.difference === 0n ? [] : [{ code: 'books' as const, amount: proof.difference }]),
  ];
}

export interface PairSide { id: number; on: IsoDate; amount: bigint }

/**
 * Bank lines with the one ledger line that each can only be: the same amount within `days`, and nobody else wants it.
 */
export function onlyPairs(lines: readonly PairSide[], entries: readonly PairSide[], days: number,
  apart: (a: IsoDate, b: IsoDate) => number): Map<number, number> {
  const near = (line: PairSide, entry: PairSide) => line.amount === entry.amount
    && Math.abs(apart(line.on, entry.on)) <= days;
  const byAmount = new Map<bigint, PairSide[]>();
  for (const entry of entries) {
    const alike = byAmount.get(entry.amount);
    if (alike) alike.push(entry); else byAmount.set(entry.amount, [entry]);
  }
  const wanted = lines.map((line) => ({ line,
    near: (byAmount.get(line.amount) ?? []).filter((entry) => near(line, entry)) }));
  const count = new Map<number, number>();
  for (const { near: found } of wanted) for (const { id } of found) count.set(id, (count.get(id) ?? 0) + 1);
  return new Map(wanted.flatMap(({ line, near: [only, ...others] }) => (
    only && others.length === 0 && count.get(only.id) === 1 ? [[line.id, only.id] as const] : [])));
}
