/**
 * Widths of a list's columns: measured in the rows in view before they are painted, and kept, so that the list stands
 * from its first paint as it did the last time. While all find room a column that was wider stays so, and paging moves
 * nothing; where room is lacking it takes what the rows in view need and no more.
 */
import { useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { BOXES, type Measured } from './column-room.ts';
import { useRemembered } from './remembered.ts';

/** Below this rows are cards (data-table.module.css). */
const TABLE = '(min-width: 641px)';

function headWidth(head: HTMLElement): number {
  const words = document.createRange();
  words.selectNodeContents(head.querySelector('[data-head]') ?? head);
  const { paddingLeft, paddingRight } = getComputedStyle(head);
  return words.getBoundingClientRect().width + parseFloat(paddingLeft) + parseFloat(paddingRight);
}

/** Measures the width each column of the table asks for; the table is laid out for that once and then restored. */
export function measureColumns(table: HTMLTableElement): Measured {
  table.dataset.measuring = '';
  const heads = [...table.querySelectorAll<HTMLElement>('thead th')];
  const found = Object.fromEntries(heads.map((head) => [head.dataset.column ?? BOXES,
    { cells: Math.ceil(head.getBoundingClientRect().width), head: Math.ceil(headWidth(head)) }]));
  delete table.dataset.measuring;
  return found;
}

function total(measured: Measured): number {
  return Object.values(measured).reduce((sum, { cells, head }) => sum + Math.max(cells, head), 0);
}

/** Keeps earlier, larger widths as long as there is room for them. */
function kept(before: Measured | undefined, now: Measured, room: number): Measured {
  const both = Object.fromEntries(Object.entries(now).map(([id, { cells, head }]) =>
    [id, { cells: Math.max(cells, before?.[id]?.cells ?? 0), head }]));
  return total(both) <= room ? both : now;
}

function same(one: Measured | undefined, other: Measured): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Measured widths of a list's columns, those dropped for lack of room included, and a function to measure again. */
export function useMeasured(name: string, off: boolean) {
  const [measured, remember] = useRemembered<Measured | undefined>(`widths:${name}`, undefined);
  const measure = useCallback((table: HTMLTableElement | null, before: Measured | undefined) => {
    if (!table?.parentElement) return;
    const next = kept(before, measureColumns(table), table.parentElement.clientWidth);
    // A column that finds no room keeps what was measured: by that it is known whether there is room for it.
    const all = { ...before, ...next };
    if (!same(before, all)) remember(all);
  }, [remember]);
  return [off ? undefined : measured, measure] as const;
}

export interface MeasuringOf {
  table: RefObject<HTMLTableElement | null>;
  rows: readonly unknown[] | undefined;
  /** Ids of the columns shown, in their order. */
  ids: string;
  /** Only a part of the rows is drawn, or none: there is nothing to measure. */
  off: boolean;
  /** Something stands beside the list, or no longer. */
  beside: boolean;
  known: Measured | undefined;
  measure: (table: HTMLTableElement | null, before: Measured | undefined) => void;
}

export function useMeasuring({ table, rows, ids, off, beside, known, measure }: MeasuringOf): void {
  const [wide, setWide] = useState(() => window.matchMedia(TABLE).matches);
  useEffect(() => {
    const media = window.matchMedia(TABLE);
    const say = () => setWide(media.matches);
    media.addEventListener('change', say);
    return () => media.removeEventListener('change', say);
  }, []);
  const empty = !rows || rows.length === 0;
  useLayoutEffect(() => {
    if (!off && wide && !empty) measure(table.current, known);
    // Measured widths are the result, not a reason to measure again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rows, empty, ids, off, wide, beside, measure]);
  useEffect(() => {
    if (off || !wide || empty || document.fonts.status === 'loaded') return undefined;
    let over = false;
    // Measured in another face: what that was does not count.
    void document.fonts.ready.then(() => { if (!over) measure(table.current, undefined); });
    return () => { over = true; };
  }, [off, wide, empty, measure, table]);
}

/** px: smaller changes of the room are not worth drawing the list anew. */
const ROOM_STEP = 8;

/** Tells how many px the rows have before each is painted; as many as they like where they are cards. */
export function tableRoom(box: HTMLElement, tell: (px: number) => void): () => void {
  const media = window.matchMedia(TABLE);
  const say = () => flushSync(() => {
    tell(media.matches ? Math.floor(box.clientWidth / ROOM_STEP) * ROOM_STEP : Infinity);
  });
  const sizes = new ResizeObserver(say);
  sizes.observe(box);
  return () => sizes.disconnect();
}
