/**
 * Lines of a file that an earlier one has already imported (accounting.md 4.1). A line is identified by its key: day,
 * amount, the bank's id or else its text, and its place among identical lines of the file. Lines that only look the
 * same raise a question.
 */
import type { BankFormat, BankLine } from './bank-file.ts';

/** Letters and digits of the text, so that two formats of one bank read alike. */
export function comparedText(line: Pick<BankLine, 'name' | 'memo'>): string {
  return `${line.name}${line.memo}`.toLowerCase().normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '').slice(0, 400);
}

/** One key for each line, in order. Twins of a file differ by their ordinal; so the second file finds both. */
export function lineKeys(lines: readonly BankLine[]): string[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const own = line.bank_id === null ? `t:${comparedText(line)}:${line.reference}` : `i:${line.bank_id}`;
    const key = `${line.booked_on}|${line.amount_minor}|${own}`;
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return `${key}|${ordinal}`;
  });
}

/** A line that is here already, as far as the comparison needs it. */
export interface HeldLine {
  id: number;
  booked_on: string;
  amount_minor: bigint;
  name: string;
  memo: string;
  /** null: entered by hand. */
  format: BankFormat | null;
}

/**
 * Pairs of new lines with lines that they are probably: same day and amount, and the same text under another id, or any
 * text from another format. Each held line stands for one new line.
 */
export function probableTwins(
  lines: readonly BankLine[], held: readonly HeldLine[], format: BankFormat,
): Map<number, HeldLine> {
  const open = new Map<string, HeldLine[]>();
  for (const one of held) {
    const place = `${one.booked_on}|${one.amount_minor}`;
    open.set(place, [...open.get(place) ?? [], one]);
  }
  const pairs = new Map<number, HeldLine>();
  lines.forEach((line, index) => {
    const place = `${line.booked_on}|${line.amount_minor}`;
    const here = open.get(place) ?? [];
    const text = comparedText(line);
    const sameText = (one: HeldLine): boolean => comparedText(one) === text;
    const found = here.find(sameText) ?? here.find((one) => one.format !== format);
    if (!found) return;
    pairs.set(index, found);
    open.set(place, here.filter((one) => one !== found));
  });
  return pairs;
}
