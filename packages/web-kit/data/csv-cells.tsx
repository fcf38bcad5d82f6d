/**
 * Cells of a list as text: amounts and dates as plain values, everything else as it reads on screen. Cells that are
 * components are rendered once, hidden, inside the table, so that they find the context they need.
 */
import { isValidElement, useLayoutEffect, useRef, type ReactNode } from 'react';
import { minorToDecimal } from '#kernel/money/money.ts';
import type { Column } from './column.ts';
import { DateText, type DateTextProps } from './date-text.tsx';
import { Money, type MoneyProps } from './money.tsx';

/** A cell's text, an amount with its currency, or something that must be drawn to be read. */
export type CsvCell = { text: string; currency?: string | undefined } | { node: ReactNode };

export function csvCell<Row>(column: Column<Row>, row: Row): CsvCell {
  const value = column.cell(row);
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return { text: '' };
  if (typeof value === 'number' || typeof value === 'bigint') {
    return { text: column.kind === 'money' ? minorToDecimal(BigInt(value)) : String(value) };
  }
  if (typeof value === 'string') return { text: value };
  if (isValidElement<MoneyProps>(value) && value.type === Money) {
    const { minor, currency } = value.props;
    if (minor === null || minor === undefined) return { text: '' };
    return { text: minorToDecimal(BigInt(minor)), currency: currency ?? undefined };
  }
  if (isValidElement<DateTextProps>(value) && value.type === DateText) return { text: value.props.value ?? '' };
  return { node: value };
}

/** Words of a drawn cell in the order of the page, one space between parts; what only decorates is left out. */
export function wordsOf(node: Node): string {
  const parts: string[] = [];
  const read = (parent: Node): void => {
    let run = '';
    for (const child of parent.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) { run += child.textContent ?? ''; continue; }
      if (!(child instanceof Element) || child.getAttribute('aria-hidden') === 'true') continue;
      parts.push(run);
      run = '';
      read(child);
    }
    parts.push(run);
  };
  read(node);
  return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** Draws the nodes out of sight and tells their words before the browser paints. */
export function UnseenCells({ nodes, onWords }: { nodes: readonly ReactNode[]; onWords: (words: string[]) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const tell = useRef(onWords);
  tell.current = onWords;
  useLayoutEffect(() => { tell.current([...(place.current?.children ?? [])].map(wordsOf)); }, [nodes]);
  // oxlint-disable-next-line react/no-array-index-key -- drawn once, never reordered
  return <div hidden ref={place}>{nodes.map((node, index) => <div key={index}>{node}</div>)}</div>;
}
