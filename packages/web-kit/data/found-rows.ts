/**
 * Rows that the browser holds, found by what stands in their cells. Of many rows only those in view are drawn, so that
 * the browser's own search would miss the others.
 */
import { isValidElement, useMemo, useState, type ReactNode } from 'react';
import { formatAmount } from './money.tsx';
import type { Column } from './column.ts';
import { formatDay } from './date-text.tsx';
import type { TableSearch } from './use-table-search.ts';

/** Parts of the table search that a search box needs. */
export type FindBox = Pick<TableSearch, 'search' | 'setSearch' | 'narrowed' | 'clear'>;

function wordsIn(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number' || typeof node === 'bigint') return String(node);
  if (Array.isArray(node)) return node.map((one) => wordsIn(one as ReactNode)).join(' ');
  if (!isValidElement<Record<string, unknown>>(node)) return '';
  const { children, value, minor } = node.props;
  if (typeof minor === 'number' || typeof minor === 'bigint') return formatAmount(minor);
  return typeof value === 'string' ? `${value} ${formatDay(value)}` : wordsIn(children as ReactNode);
}

/** Text of a row, lower case: texts, amounts and days as shown, the text of badges and links. */
export function rowText<Row>(columns: readonly Column<Row>[], row: Row): string {
  return columns.map((column) => {
    const value = column.cell(row);
    if (column.kind === 'money' && (typeof value === 'number' || typeof value === 'bigint')) return formatAmount(value);
    if (column.kind === 'date' && typeof value === 'string') return `${value} ${formatDay(value)}`;
    return wordsIn(value);
  }).join(' ').toLowerCase();
}

/** Every word of the text stands somewhere in the row. */
export function foundRows<Row>(
  rows: readonly Row[], columns: readonly Column<Row>[], text: string,
): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const held = rowText(columns, row);
    return words.every((word) => held.includes(word));
  });
}

/** A box to find with, for a table of more than `many` rows that has no search of its own. */
export function useFound<Row>(
  rows: readonly Row[] | undefined, columns: readonly Column<Row>[], many: number, search: TableSearch | undefined,
): { rows: readonly Row[] | undefined; search: FindBox | undefined } {
  const [text, setText] = useState('');
  const on = !search && (rows?.length ?? 0) > many;
  const found = useMemo(() => (on && rows ? foundRows(rows, columns, text) : rows), [on, rows, columns, text]);
  const ownSearch = on ? { search: text, setSearch: (next: string) => setText(next.trim()), narrowed: text !== '',
    clear: () => setText('') } : undefined;
  return { rows: found, search: ownSearch };
}
