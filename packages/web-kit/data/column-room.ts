/**
 * How wide the words of each column may make it: its own width and its share of the room that is left, or that is
 * lacking, so that no name of a hundred characters pushes a figure out of sight. Where room is lacking the air around
 * figures and days goes first, then the names give way; figures, days and badges are never cut. A cell whose words are
 * cut says them in its tooltip, and the row that has the keyboard shows them whole, as the peek does.
 */
import type { CSSProperties } from 'react';
import type { Column, ColumnKind } from './column.ts';

/** px: boxes to tick and the edges of a list, a moment with its hour. */
const EDGES = 60;
const MOMENT = 166;
/** px: what is left of a column of words at the least; what names the row keeps a number such as INV-US-2026-000028. */
const LEAST = { title: 176, text: 96, muted: 96 };
/** px: a sum of six figures, a day with its year, a count, with the edges of their cells; a letter of a heading. */
const AIRLESS: Partial<Record<ColumnKind, number>> = { money: 96, date: 104, number: 56 };
const LETTER = 7;
const HEAD_EDGES = 22;

interface Wide<Row> { column: Column<Row>; width: number }

function leastOf({ kind = 'text' }: Pick<Column<never>, 'kind'>): number | undefined {
  return kind === 'title' || kind === 'text' || kind === 'muted' ? LEAST[kind] : undefined;
}

/** A day is ten characters; what is longer names the hour. */
function needs<Row>({ column, width }: Wide<Row>, row: Row | undefined): number {
  if (column.kind !== 'date' || row === undefined) return width;
  const value = column.cell(row);
  return typeof value === 'string' && value.length > 10 ? Math.max(width, MOMENT) : width;
}

/** What a column of figures can do with, as long as its heading stands on one line. */
function airless<Row>({ column, width }: Wide<Row>, needed: number): number {
  const floor = column.kind && AIRLESS[column.kind];
  if (floor === undefined || needed > width) return needed;
  return Math.min(width, Math.max(floor, HEAD_EDGES + column.header.length * LETTER));
}

export function withRoom<Row, Entry extends Wide<Row>>(
  shown: readonly Entry[], row: Row | undefined,
): (Omit<Entry, 'width'> & { width: number | string; room: CSSProperties | undefined })[] {
  const all = shown.map((entry) => {
    const needed = needs(entry, row);
    return { entry, needed, least: leastOf(entry.column), air: needed - airless(entry, needed) };
  });
  const taken = EDGES + all.reduce((sum, { needed }) => sum + needed, 0);
  const air = all.reduce((sum, one) => sum + one.air, 0);
  const giving = all.reduce((sum, { least, needed }) => sum + (least === undefined ? 0 : needed), 0);
  return all.map(({ entry, least, air: own, needed }) => {
    if (least !== undefined) {
      return { ...entry, room: { '--width': `${needed}px`,
        '--room': `max(${Math.min(least, needed)}px, ${needed}px + (max(0px, 100cqi - ${taken}px)`
          + ` + min(0px, 100cqi - ${taken - air}px)) * ${(needed / giving).toFixed(4)})` } as CSSProperties };
    }
    if (own === 0) return { ...entry, room: undefined };
    return { ...entry, room: undefined, width: `clamp(${needed - own}px, ${needed}px + (100cqi - ${taken}px)`
      + ` * ${(own / air).toFixed(4)}, ${needed}px)` };
  });
}
