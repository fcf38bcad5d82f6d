/**
 * The list's keys (U3): j/k and arrows move, Enter or e opens (a record is edited where it opens), x selects, /
 * searches, Space shows the row beside the list and follows it (U5), F2 opens the first value of the row that is
 * changed in the list (U10). Off while someone types.
 */
import { useEffect, useRef, useState, type RefObject } from 'react';
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
  rowHref?: ((row: Row) => string | undefined) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  toggle?: ((row: Row) => void) | undefined;
  active: boolean;
  /** Only while the focus is in the table's box: the screen may hold several. */
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
}

/** Space presses buttons and ticks; on a link it does nothing of its own. */
function pressedBySpace(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, input, summary, [role=button]') !== null;
}

function drawnRow(table: HTMLTableElement | null, index: number): HTMLElement | null {
  return table?.querySelector<HTMLElement>(`tbody > tr[data-index="${index}"]`) ?? null;
}

function isInside(table: HTMLTableElement | null, target: EventTarget | null): boolean {
  return target instanceof Node && table?.parentElement?.contains(target) === true;
}

export function useRowKeys<Row>(options: RowKeysOptions<Row>): RowCursor {
  const [index, setIndex] = useState(-1);
  const [peeking, setPeeking] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  const reveal = useRef<((index: number) => void) | null>(null);
  const { go } = useNavigation();
  const latest = useRef(options);
  latest.current = options;
  const at = useRef(index);
  at.current = index;
  useEffect(() => { setIndex(-1); setPeeking(false); }, [options.rows]);

  useEffect(() => {
    if (!options.active) return undefined;
    const move = (step: number) => {
      const last = (latest.current.rows?.length ?? 0) - 1;
      const next = Math.max(0, Math.min(last, at.current + step));
      setIndex(next);
      if (reveal.current) reveal.current(next);
      else drawnRow(table.current, next)?.scrollIntoView({ block: 'nearest' });
    };
    /** The row whose link has the focus, else the one under the cursor. */
    const peek = (event: KeyboardEvent): boolean => {
      const focused = event.target instanceof Element && table.current?.contains(event.target)
        ? event.target.closest<HTMLElement>('tr[data-index]')?.dataset.index : undefined;
      const next = focused === undefined ? at.current : Number(focused);
      if (pressedBySpace(event.target) || !latest.current.rows?.[next]) return false;
      setIndex(next);
      setPeeking((was) => !(was && next === at.current));
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      if (latest.current.within && !isInside(table.current, event.target)) return;
      if (event.key === 'F2' && !event.defaultPrevented && !isTyping(event)) {
        drawnRow(table.current, at.current)?.querySelector<HTMLElement>('[data-edit]')?.click();
        return;
      }
      if (event.defaultPrevented || isTyping(event) || singleKeysOff()) return;
      const row = latest.current.rows?.[at.current];
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
  }, [options.active, go]);
  return { index, table, reveal, peeking, closePeek: () => setPeeking(false) };
}
