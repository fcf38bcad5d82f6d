/**
 * The list's keys (U3): j/k and arrows move, Enter or e opens (a record is edited where it opens), x selects, /
 * searches, Space shows the row beside the list and follows it (U5), F2 opens the first value of the row that is
 * changed in the list (U10). Off while someone types.
 */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useNavigation } from '#web/navigation/navigation.tsx';

/** Readers can switch single keys off (WCAG 2.1.4): the help panel writes this key of the browser's storage. */
export const SINGLE_KEYS_OFF = 'singleKeyShortcuts:off';

/** Storage may be refused: then the keys work. */
export function singleKeysOff(): boolean {
  try {
    return window.localStorage.getItem(SINGLE_KEYS_OFF) === 'true';
  } catch {
    return false;
  }
}

/** Whether a key press is meant for a field or a dialog, not for the list. */
export function isTyping(event: KeyboardEvent): boolean {
  const at = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!(at instanceof Element)) return false;
  return at.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]')
    !== null;
}

export interface RowKeysOptions<Row> {
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Paging, where the rows are a page of more: the peek continues on the next one. */
  page?: { current_page: number; last_page: number } | undefined;
  search?: { setPage: (page: number) => void } | undefined;
  rowHref?: ((row: Row) => string | undefined) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  toggle?: ((row: Row) => void) | undefined;
  /** Not undefined: the list has a drawer of its own, which Space opens instead. */
  current?: string | number | null | undefined;
  active: boolean;
  /** Restricts the keys to the focus inside this table's box, where the screen holds several tables. */
  within?: boolean | undefined;
}

export interface RowCursor {
  index: number;
  table: RefObject<HTMLTableElement | null>;
  /** Brings a row into view that may not be drawn yet; set by what draws only a part. */
  reveal: RefObject<((index: number) => void) | null>;
  /** The row under the cursor is shown beside the list. */
  peeking: boolean;
  closePeek: () => void;
  peekAt: (index: number) => void;
  /** To the row before or after, over the edge of the page too. */
  step: (step: -1 | 1) => void;
}

/** The row whose link has the focus, else the one under the cursor. */
function rowUnder(table: HTMLTableElement | null, target: EventTarget | null, cursor: number): number {
  const focused = target instanceof Element && table?.contains(target)
    ? target.closest<HTMLElement>('tr[data-index]')?.dataset.index : undefined;
  return focused === undefined ? cursor : Number(focused);
}

/** Space presses buttons and ticks; on a link it does nothing of its own. */
function pressedBySpace(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, input, summary, [role=button]') !== null;
}

function inPeek(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-peek-body]') !== null;
}

function drawnRow(table: HTMLTableElement | null, index: number): HTMLElement | null {
  return table?.querySelector<HTMLElement>(`tbody > tr[data-index="${index}"]`) ?? null;
}

function isInside(table: HTMLTableElement | null, target: EventTarget | null): boolean {
  return target instanceof Node && table?.parentElement?.contains(target) === true;
}

/** Position of the cursor. It follows its row when the rows are reloaded, and is removed with it. */
function useCursor<Row>(options: RowKeysOptions<Row>, table: RefObject<HTMLTableElement | null>) {
  const { rows } = options;
  const latest = useRef(options);
  latest.current = options;
  const [index, setIndex] = useState(-1);
  const [peeking, setPeeking] = useState(false);
  const at = useRef(index);
  const key = useRef<string | number | undefined>(undefined);
  /** The page that was asked for has the peek at this end. */
  const entering = useRef<'first' | 'last' | null>(null);
  const put = useCallback((next: number) => {
    const row = latest.current.rows?.[next];
    key.current = row === undefined ? undefined : latest.current.rowKey(row);
    at.current = next;
    setIndex(next);
  }, []);
  useEffect(() => {
    const all = latest.current.rows ?? [];
    const found = key.current === undefined ? -1 : all.findIndex((row) => latest.current.rowKey(row) === key.current);
    if (entering.current && all.length > 0 && found < 0) {
      put(entering.current === 'first' ? 0 : all.length - 1);
      drawnRow(table.current, at.current)?.scrollIntoView({ block: 'nearest' });
    } else {
      put(found);
      if (found < 0) setPeeking(false);
    }
    entering.current = null;
  }, [rows, put, table]);
  return { latest, index, at, put, peeking, setPeeking, entering };
}

/** Requests the page of the next row where it is on another one; returns the end of that page the cursor starts at. */
function leadsOver<Row>({ rows, page, search }: RowKeysOptions<Row>, next: number): 'first' | 'last' | null {
  if (!page || !search || !rows) return null;
  const ahead = next >= rows.length && page.current_page < page.last_page;
  const back = next < 0 && page.current_page > 1;
  if (ahead || back) search.setPage(page.current_page + (ahead ? 1 : -1));
  return ahead ? 'first' : back ? 'last' : null;
}

const OPENERS = '[data-lead] a, [data-lead] button, a, button';

/** The one table of rows on the screen has the keys wherever the focus is. */
function isAlone(table: HTMLTableElement | null): boolean {
  const all = document.querySelectorAll('main table:has(tr[data-index])');
  // An empty list has no table, but a search.
  return all.length === 0 ? document.querySelectorAll('[data-list-search]').length === 1
    : all.length === 1 && all[0] === table;
}

export function useRowKeys<Row>(options: RowKeysOptions<Row>): RowCursor {
  const table = useRef<HTMLTableElement>(null);
  const reveal = useRef<((index: number) => void) | null>(null);
  const { go } = useNavigation();
  const { latest, index, at, put, peeking, setPeeking, entering } = useCursor(options, table);
  const shown = useRef(peeking);
  shown.current = peeking;

  const move = useCallback((step: number) => {
    const last = (latest.current.rows?.length ?? 0) - 1;
    if (shown.current) {
      entering.current = leadsOver(latest.current, at.current + step);
      if (entering.current) return;
    }
    const next = Math.max(0, Math.min(last, at.current + step));
    put(next);
    if (reveal.current) reveal.current(next);
    else drawnRow(table.current, next)?.scrollIntoView({ block: 'nearest' });
  }, [latest, at, put, entering]);
  const closePeek = useCallback(() => {
    setPeeking(false);
    drawnRow(table.current, at.current)?.querySelector<HTMLElement>(OPENERS)?.focus({ preventScroll: true });
  }, [at, setPeeking]);

  useEffect(() => {
    if (!options.active) return undefined;
    const peek = (event: KeyboardEvent): boolean => {
      const next = rowUnder(table.current, event.target, at.current);
      if (pressedBySpace(event.target) || !latest.current.rows?.[next]) return false;
      if (latest.current.current !== undefined) {
        put(next);
        latest.current.onOpen?.(latest.current.rows[next]!);
      } else if (shown.current && next === at.current) closePeek();
      else {
        put(next);
        setPeeking(true);
      }
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      if (latest.current.within && !isAlone(table.current) && !isInside(table.current, event.target)) return;
      if (event.key === 'F2' && !event.defaultPrevented && !isTyping(event)) {
        drawnRow(table.current, at.current)?.querySelector<HTMLElement>('[data-edit]')?.click();
        return;
      }
      if (event.defaultPrevented || isTyping(event) || singleKeysOff()) return;
      const row = latest.current.rows?.[at.current];
      // These keys scroll the peek where the focus is in it.
      if (inPeek(event.target) && (event.key === ' ' || event.key.startsWith('Arrow'))) return;
      const onControl = event.target instanceof Element && event.target.closest('a, button') !== null;
      if (event.key === 'j' || (event.key === 'ArrowDown' && at.current >= 0)) move(1);
      else if (event.key === 'k' || (event.key === 'ArrowUp' && at.current >= 0)) move(-1);
      else if (event.key === '/') document.querySelector<HTMLInputElement>('[data-list-search]')?.focus();
      else if (event.key === ' ') { if (!peek(event)) return; }
      else if (event.key === 'x' && row) latest.current.toggle?.(row);
      else if ((event.key === 'e' || (event.key === 'Enter' && !onControl)) && row) {
        const href = latest.current.rowHref?.(row);
        if (latest.current.onOpen) latest.current.onOpen(row);
        else if (href) go(href);
      } else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [options.active, go, latest, at, put, move, closePeek, setPeeking]);
  const peekAt = (next: number) => { put(next); setPeeking(true); };
  return { index, table, reveal, peeking, closePeek, step: move, peekAt };
}
