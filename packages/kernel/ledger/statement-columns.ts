/**
 * Statements with several columns: which days stand beside each other, and how their lines become one table.
 *
 * Whole months stay whole months: the period before April to June is January to March, a month that ends on
 * February 28 is compared with February 29. Other days move by their own number, or by a year.
 */
import {
  addDays, addMonths, dateFor, diffDays, endOfMonth, monthInWords, periodFor, startOfMonth, type IsoDate,
} from '../calendar/calendar.ts';
import type { Language } from '../money/division.ts';
import { abs, divHalfAway } from '../money/money.ts';

export const COMPARISONS = ['none', 'previous_period', 'last_year', 'periods', 'months'] as const;
export type Comparison = (typeof COMPARISONS)[number];
/** Columns beside each other: two years of months. */
export const MOST_COLUMNS = 24;

export interface StatementSpan { from: IsoDate; to: IsoDate }
/** `total`: the sum of the months before it. */
export interface StatementColumn extends StatementSpan { key: string; total: boolean }

const isWholeMonths = ({ from, to }: StatementSpan): boolean => from === startOfMonth(from) && to === endOfMonth(to);
const monthsBetween = (from: IsoDate, to: IsoDate): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));

/** The same days so many months earlier; the end of a month stays the end of one. */
function monthsEarlier(span: StatementSpan, months: number): StatementSpan {
  const to = addMonths(span.to, -months);
  return { from: addMonths(span.from, -months), to: isWholeMonths(span) ? endOfMonth(to) : to };
}

/** The period of the same length that ends on the day before. */
export function spanBefore(span: StatementSpan): StatementSpan {
  if (isWholeMonths(span)) return monthsEarlier(span, monthsBetween(span.from, span.to) + 1);
  const to = addDays(span.from, -1);
  return { from: addDays(to, -diffDays(span.from, span.to)), to };
}

export const spanLastYear = (span: StatementSpan): StatementSpan => monthsEarlier(span, 12);

/** The months of the days, the first and the last one cut where the days begin and end. */
export function monthsOf({ from, to }: StatementSpan): StatementSpan[] {
  return Array.from({ length: monthsBetween(from, to) + 1 }, (_, index) => {
    const month = startOfMonth(addMonths(startOfMonth(from), index));
    return { from: month < from ? from : month, to: endOfMonth(month) > to ? to : endOfMonth(month) };
  });
}

/**
 * The columns of a statement, what was asked for first; months stand in their order. `ofDay`: a balance on the last
 * day, which has no sum of months and whose period before is the month before.
 */
export function statementColumns(
  span: StatementSpan, of: { compare: Comparison; periods: number; ofDay: boolean },
): StatementColumn[] {
  const columns = (spans: StatementSpan[]): StatementColumn[] =>
    spans.map((one, index) => ({ ...one, key: `c${index}`, total: false }));
  const before = (one: StatementSpan): StatementSpan =>
    (of.ofDay ? monthsEarlier({ from: startOfMonth(one.to), to: one.to }, 1) : spanBefore(one));
  const dayOf = (one: StatementSpan): StatementSpan =>
    (of.ofDay && one.to === endOfMonth(one.to) ? { from: startOfMonth(one.to), to: one.to } : one);
  switch (of.compare) {
    case 'none': return columns([span]);
    case 'previous_period': return columns([span, before(span)]);
    case 'last_year': return columns([span, spanLastYear(dayOf(span))]);
    case 'periods': {
      const spans = [span];
      while (spans.length < of.periods) spans.push(before(spans.at(-1)!));
      return columns(spans);
    }
    case 'months': {
      const months = columns(monthsOf(span));
      return of.ofDay || months.length === 1 ? months : [...months, { ...span, key: 'total', total: true }];
    }
  }
}

/** The head of a column: the day, the month, or the days. */
export function columnTitle(language: Language, column: StatementColumn, ofDay: boolean): string {
  if (column.total) return 'Total';
  if (ofDay) return dateFor(language, column.to);
  const { from, to } = column;
  return from === startOfMonth(to) && to === endOfMonth(to) ? monthInWords(to) : periodFor(language, from, to);
}

/** '12.5%'; a negative one stands in parentheses as amounts do. */
export function formatPermille(permille: bigint): string {
  const value = `${abs(permille) / 10n}.${abs(permille) % 10n}%`;
  return permille < 0n ? `(${value})` : value;
}

/** Change of a figure, with the tenths of a percent of the earlier one; null where the earlier one was zero. */
export function changeOf(now: bigint, before: bigint): { minor: bigint; permille: bigint | null } {
  const minor = now - before;
  return { minor, permille: before === 0n ? null : divHalfAway(minor * 1000n, abs(before)) };
}

export interface StatementLine {
  kind: 'group' | 'line' | 'sum' | 'result';
  /** The same line in every column. */
  key: string;
  /** The part of the statement it stands in. */
  group: string;
  title: string;
  code: string | null;
  minor: bigint;
}
export interface StatementTableRow extends Omit<StatementLine, 'minor'> { amounts: bigint[] }

/** Index behind the preceding line; a new part begins where the part before it ends, in whichever column. */
function indexBehind(rows: readonly StatementTableRow[], line: StatementLine, after: number): number {
  const part = rows[after]?.group ?? '';
  let index = after + 1;
  while (part !== '' && part !== line.group && rows[index]?.group === part) index += 1;
  return index;
}

/** Index for a line missing from the table: among the lines of its group by code, else behind the preceding line. */
function placeOf(rows: readonly StatementTableRow[], line: StatementLine, after: number): number {
  if (line.kind !== 'line' || line.code === null) return indexBehind(rows, line, after);
  const peers = rows.flatMap((row, index) => (row.kind === 'line' && row.group === line.group ? [index] : []));
  const later = peers.find((index) => (rows[index]!.code ?? '') > line.code!);
  return later ?? (peers.length > 0 ? peers.at(-1)! + 1 : indexBehind(rows, line, after));
}

/** One table of the lines of every column; a line that a column lacks is 0 there. */
export function mergedLines(columns: readonly (readonly StatementLine[])[]): StatementTableRow[] {
  const rows: StatementTableRow[] = [];
  columns.forEach((lines, column) => {
    let after = -1;
    for (const { minor, ...line } of lines) {
      let at = rows.findIndex((row) => row.key === line.key);
      if (at === -1) {
        at = placeOf(rows, { ...line, minor }, after);
        rows.splice(at, 0, { ...line, amounts: columns.map(() => 0n) });
      }
      rows[at]!.amounts[column] = minor;
      after = at;
    }
  });
  return rows;
}
