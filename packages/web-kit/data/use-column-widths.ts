/**
 * Widths of a list's columns: measured in the rows in view before they are painted, and kept, so that the list stands
 * from its first paint as it did the last time. While all find room a column that was wider stays so, and paging moves
 * nothing; where room is lacking it takes what the rows in view need and no more.
 */
import { useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { PICK, type Measured } from './column-room.ts';
import { useRemembered } from './remembered.ts';

/** Below this rows are cards (data-table.module.css). */
const TABLE = '(min-width: 641px)';

function headWidth(head: HTMLElement): number {
  const words = document.createRange();
  words.selectNodeContents(head.querySelector('[data-head]') ?? head);
  const { paddingLeft, paddingRight } = getComputedStyle(head);
  return words.getBoundingClientRect().width + parseFloat(paddingLeft) + parseFloat(paddingRight);
}

/** What each column of the table asks for; the table is laid out for that once and then as before. */
export function measureColumns(table: HTMLTableElement): Measured {
  table.dataset.measuring = '';
  const heads = [...table.querySelectorAll<HTMLElement>('thead [data-column]')];
  const found = Object.fromEntries(heads.map((head) => [head.dataset.column ?? '',
    { cells: Math.ceil(head.getBoundingClientRect().width), head: Math.ceil(headWidth(head)) }]));
  delete table.dataset.measuring;
  return found;
}

function total(measured: Measured): number {
  return Object.values(measured).reduce((sum, { cells, head }) => sum + Math.max(cells, head), 0);
}

/** What was wider before stays so as long as there is room for it. */
function kept(before: Measured | undefined, now: Measured, room: number): Measured {
  const both = Object.fromEntries(Object.entries(now).map(([id, { cells, head }]) =>
    [id, { cells: Math.max(cells, before?.[id]?.cells ?? 0), head }]));
  return total(both) <= room ? both : now;
}

function same(one: Measured | undefined, other: Measured): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export interface MeasuredOf {
  /** Names the list. */
  name: string;
  table: RefObject<HTMLTableElement | null>;
  rows: readonly unknown[] | undefined;
  /** Ids of the columns shown, in their order. */
  ids: string;
  /** Only a part of the rows is drawn, or none: there is nothing to measure. */
  off: boolean;
  /** Something stands beside the list, or no longer. */
  beside: boolean;
}

export function useMeasured({ name, table, rows, ids, off, beside }: MeasuredOf): Measured | undefined {
  const [measured, remember] = useRemembered<Measured | undefined>(`widths:${name}`, undefined);
  const [wide, setWide] = useState(() => window.matchMedia(TABLE).matches);
  const measure = useCallback((before: Measured | undefined) => {
    const element = table.current;
    if (!element?.parentElement) return;
    const boxes = element.querySelector('thead th:not([data-column])') ? PICK : 0;
    const next = kept(before, measureColumns(element), element.parentElement.clientWidth - boxes);
    if (!same(before, next)) remember(next);
  }, [table, remember]);
  useEffect(() => {
    const media = window.matchMedia(TABLE);
    const say = () => setWide(media.matches);
    media.addEventListener('change', say);
    return () => media.removeEventListener('change', say);
  }, []);
  const empty = !rows || rows.length === 0;
  useLayoutEffect(() => {
    if (!off && wide && !empty) measure(measured);
    // What was measured is the result, not a reason to do it again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rows, empty, ids, off, wide, beside, measure]);
  useEffect(() => {
    if (off || !wide || empty || document.fonts.status === 'loaded') return undefined;
    let over = false;
    // Measured in another face: what that was does not count.
    void document.fonts.ready.then(() => { if (!over) measure(undefined); });
    return () => { over = true; };
  }, [off, wide, empty, measure]);
  // Another set of columns than was measured: they begin with their own widths.
  return measured && !off && ids.split(' ').every((id) => measured[id]) ? measured : undefined;
}
