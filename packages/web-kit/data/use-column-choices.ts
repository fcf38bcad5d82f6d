/** The reader's columns: which are hidden and in which order; kept in the browser under the table's name. */
import { useMemo } from 'react';
import type { ColumnChoice } from './column-chooser.tsx';
import type { Column } from './column.ts';
import { useRemembered } from './remembered.ts';

interface Stored { shown: Record<string, boolean>; order: string[] }
const NOTHING: Stored = { shown: {}, order: [] };

export interface ColumnChoices {
  visibility: Record<string, boolean>;
  order: string[];
  list: ColumnChoice[];
  toggle: (id: string) => void;
  move: (id: string, step: -1 | 1) => void;
  drop: (id: string, before: string) => void;
  reset: () => void;
}

export function useColumnChoices<Row>(name: string, columns: readonly Column<Row>[]): ColumnChoices {
  const [stored, store] = useRemembered<Stored>(`columns:${name}`, NOTHING);
  return useMemo(() => {
    const ids = columns.map((column) => column.id);
    const kept = stored.order.filter((id) => ids.includes(id));
    // A column that came with a later version stands where the table puts it, not at the end.
    const order = kept.length === 0 ? ids : [...kept];
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
      list: order.flatMap((id) => {
        const column = columns.find((candidate) => candidate.id === id);
        if (!column || column.kind === 'actions') return [];
        return [{ id, label: column.header, shown: visibility[id] === true, fixed: column.fixed === true }];
      }),
      toggle: (id) => store({ ...stored, shown: { ...stored.shown, [id]: !visibility[id] } }),
      move: (id, step) => place(id, order.indexOf(id) + step),
      drop: (id, before) => { if (id !== before && order.includes(id)) place(id, order.indexOf(before)); },
      reset: () => store(NOTHING),
    };
  }, [columns, stored, store]);
}
