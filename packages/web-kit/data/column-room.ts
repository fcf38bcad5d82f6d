/**
 * How wide the words of each column may make it: its own width and its share of the room that is left, or that is
 * lacking, so that no name of a hundred characters pushes a figure out of sight. Figures, days and badges never give
 * way. A cell whose words are cut says them in its tooltip, and the row that has the keyboard shows them whole, as the
 * peek does.
 */
import type { CSSProperties } from 'react';
import type { Column } from './column.ts';

/** px: boxes to tick and the edges of a list, a moment with its hour, and what is left of a name at the least. */
const EDGES = 60;
const MOMENT = 166;
const LEAST = 96;

interface Wide<Row> { column: Column<Row>; width: number }

function givesWay({ kind = 'text' }: Pick<Column<never>, 'kind'>): boolean {
  return kind === 'title' || kind === 'text' || kind === 'muted';
}

/** A day is ten characters; what is longer names the hour. */
function needs<Row>({ column, width }: Wide<Row>, row: Row | undefined): number {
  if (column.kind !== 'date' || row === undefined) return width;
  const value = column.cell(row);
  return typeof value === 'string' && value.length > 10 ? Math.max(width, MOMENT) : width;
}

export function withRoom<Row, Entry extends Wide<Row>>(
  shown: readonly Entry[], row: Row | undefined,
): (Entry & { room: CSSProperties | undefined })[] {
  const taken = EDGES + shown.reduce((all, entry) => all + needs(entry, row), 0);
  const giving = shown.reduce((all, { column, width }) => all + (givesWay(column) ? width : 0), 0);
  return shown.map((entry) => ({ ...entry, room: givesWay(entry.column) ? {
    '--width': `${entry.width}px`,
    '--room': `max(${Math.min(LEAST, entry.width)}px, ${entry.width}px + (100cqi - ${taken}px) * ${
      (entry.width / giving).toFixed(4)})`,
  } as CSSProperties : undefined }));
}
