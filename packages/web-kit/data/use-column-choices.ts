/**
 * The reader's columns (U9): which are hidden, in which order, how wide, and whether the first stays in view. Kept on
 * the server for the person and in the browser, so that the list is drawn at once. An open saved view brings its own,
 * and what the reader changes on it is kept for that view alone.
 */
import { useMemo } from 'react';
import type { ColumnChoice } from './column-chooser.tsx';
import { wholeHeader, type Column } from './column.ts';
import { useRemembered } from './remembered.ts';

export interface StoredColumns {
  shown: Record<string, boolean>;
  order: string[];
  pinned?: boolean | undefined;
  /** px of the columns whose width the person chose. */
  widths?: Record<string, number> | undefined;
}
type Stored = StoredColumns;

/** Column choices of the person, kept across machines (from `useList`). */
export interface KeptColumns {
  of: (list: string) => StoredColumns | undefined;
  keep: (list: string, columns: StoredColumns) => void;
}

const NOTHING: Stored = { shown: {}, order: [] };
const NO_WIDTHS: Readonly<Record<string, number>> = {};

export interface ColumnChoices {
  visibility: Record<string, boolean>;
  /** Shown because the reader said so, whatever room there is. */
  asked: (id: string) => boolean;
  order: string[];
  list: ColumnChoice[];
  show: (id: string, on: boolean) => void;
  move: (id: string, step: -1 | 1) => void;
  drop: (id: string, before: string) => void;
  reset: () => void;
  pinned: boolean;
  pin: (on: boolean) => void;
  /** px by hand. */
  widths: Readonly<Record<string, number>>;
  resize: (id: string, px: number) => void;
}

/** Columns of a saved view: those shown, in their order. */
export interface ViewColumns { id: number; version: number; columns: readonly string[] }

function storedOf<Row>(columns: readonly Column<Row>[], shown: readonly string[]): Stored {
  return { order: [...shown], shown: Object.fromEntries(columns.map(({ id }) => [id, shown.includes(id)])) };
}

export function useColumnChoices<Row>(
  name: string, columns: readonly Column<Row>[], view?: ViewColumns, kept?: KeptColumns,
): ColumnChoices {
  const own = view !== undefined && view.columns.length > 0;
  const [inBrowser, storeHere] = useRemembered<Stored>(
    own ? `columns:${name}:view-${view.id}-${view.version}` : `columns:${name}`,
    own ? storedOf(columns, view.columns) : NOTHING);
  const stored = (own ? undefined : kept?.of(name)) ?? inBrowser;
  return useMemo(() => {
    const store = (next: Stored) => {
      storeHere(next);
      if (!own) kept?.keep(name, next);
    };
    const ids = columns.map((column) => column.id);
    const known = stored.order.filter((id) => ids.includes(id));
    // A column that came with a later version stands where the table puts it, not at the end.
    const order = known.length === 0 ? ids : [...known];
    ids.forEach((id, index) => { if (!order.includes(id)) order.splice(index, 0, id); });
    const visibility: Record<string, boolean> = {};
    for (const column of columns) {
      visibility[column.id] = column.fixed === true || (stored.shown[column.id] ?? !column.hidden);
    }
    const place = (id: string, at: number) => {
      const next = order.filter((other) => other !== id);
      next.splice(Math.max(0, at), 0, id);
      store({ ...stored, order: next });
    };
    return {
      visibility, order,
      asked: (id) => stored.shown[id] === true,
      list: order.flatMap((id) => {
        const column = columns.find((candidate) => candidate.id === id);
        if (!column || column.kind === 'actions') return [];
        return [{ id, label: wholeHeader(column), shown: visibility[id] === true, fixed: column.fixed === true }];
      }),
      show: (id, on) => store({ ...stored, shown: { ...stored.shown, [id]: on } }),
      move: (id, step) => place(id, order.indexOf(id) + step),
      drop: (id, before) => { if (id !== before && order.includes(id)) place(id, order.indexOf(before)); },
      reset: () => store(own ? storedOf(columns, view.columns) : NOTHING),
      pinned: stored.pinned === true,
      pin: (on) => store({ ...stored, pinned: on }),
      widths: stored.widths ?? NO_WIDTHS,
      resize: (id, px) => store({ ...stored, widths: { ...stored.widths, [id]: px } }),
    };
  }, [name, columns, stored, storeHere, own, view, kept]);
}
