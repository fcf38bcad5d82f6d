/** Widths that the reader gives to columns (U9): tried while the edge is dragged, kept with the other choices. */
import type { RefObject } from 'react';
import type { Column } from './column.ts';
import { roomsOf, type RoomGiven } from './column-room.ts';
import { measureColumns } from './use-column-widths.ts';

/** px: a box with a figure in it; a line that is still read. Of one press. */
export const NARROWEST = 48;
export const WIDEST = 900;
export const STEP = 10;

export interface ColumnResizer {
  set: (id: string, px: number) => void;
  /** As wide as its widest cell in view. */
  fit: (id: string) => void;
  /** Narrower or wider by one press. */
  step: (id: string, by: 1 | -1) => void;
  /** Shows a width that is not kept; null: as it was. */
  preview: (id: string | null, px?: number) => void;
  now: (id: string) => number;
}

interface Of<Row> {
  table: RefObject<HTMLTableElement | null>;
  shown: readonly { column: Column<Row>; width: number }[];
  given: RoomGiven<Row>;
  keep: (id: string, px: number) => void;
}

const inBounds = (px: number): number => Math.round(Math.min(WIDEST, Math.max(NARROWEST, px)));

/** The variable by which cells know the width of their column. */
export const widthName = (index: number): string => `--w-${index}`;

export function columnResizer<Row>({ table, shown, given, keep }: Of<Row>): ColumnResizer {
  const headOf = (id: string) => table.current?.querySelector<HTMLElement>(`th[data-column="${CSS.escape(id)}"]`);
  const widthOf = (id: string) => headOf(id)?.getBoundingClientRect().width;
  const now = (id: string): number => {
    const found = given.measured?.[id];
    return inBounds(given.chosen?.[id] ?? (found ? Math.max(found.cells, found.head)
      : shown.find(({ column }) => column.id === id)?.width ?? NARROWEST));
  };
  let before: Record<string, number> | null = null;
  return {
    now,
    set: (id, px) => keep(id, inBounds(px)),
    fit: (id) => {
      const found = table.current && measureColumns(table.current)[id];
      if (found) keep(id, inBounds(Math.max(found.cells, found.head)));
    },
    step: (id, by) => keep(id, inBounds((widthOf(id) ?? now(id)) + by * STEP)),
    preview: (id, px = 0) => {
      const place = shown.findIndex(({ column }) => column.id === id);
      // Columns before it keep their widths, so that the edge stays under the pointer.
      before ??= Object.fromEntries(shown.slice(0, Math.max(0, place)).flatMap(({ column }) => {
        const width = widthOf(column.id);
        return width === undefined ? [] : [[column.id, width]];
      }));
      const chosen = id === null ? given.chosen : { ...given.chosen, ...before, [id]: inBounds(px) };
      if (id === null) before = null;
      const { widths } = roomsOf(shown, { ...given, chosen });
      shown.forEach(({ column }, index) => table.current?.style.setProperty(widthName(index), widths[column.id] ?? ''));
    },
  };
}
