/**
 * Widths of columns. A column asks for the width of its widest cell or its header (measured in the rows in view; until
 * they are there its own width is used). Spare room is shared among all columns. Where room is short, the padding of
 * figures not measured yet goes first, then the longest names shrink to the next longest, so that no name is cut while
 * another column has empty space; figures, days and badges are never cut. A width set by hand is kept. Widths are CSS
 * sums over the width of the list, so that resizing the window or opening a peek needs no script. A cell whose text is
 * cut shows it in its tooltip, and the row with the keyboard focus shows it in full, as the peek does.
 */
import type { Column, ColumnKind } from './column.ts';

/** px: boxes to tick and the edges of a list, a moment with its hour. */
const EDGES = 60;
const PICK = 42;
const MOMENT = 166;
/** px: what is left of a column of words at the least; what names the row keeps a number such as INV-US-2026-000028. */
const LEAST = { title: 176, text: 96, muted: 96 };
/** px: more than this no column of words asks for, however long its longest name. */
const MOST = 440;
/** px: a sum of six figures, a day with its year, a count, with the edges of their cells; a letter of a heading. */
const AIRLESS: Partial<Record<ColumnKind, number>> = { money: 96, date: 104, number: 56 };
const LETTER = 7;
const HEAD_EDGES = 22;
/** The name of a row gives way later than the words beside it. */
const TITLE_WEIGHT = 1.5;
/** Weights for sharing spare room: text takes more of it than figures, which are hard to read far apart. */
const SPREAD = { words: 1, figures: .5 };

/** Key of the element before the first column, among the measured: checkboxes, with the edge of the list. */
export const BOXES = '';
/** px that a column's widest cell in view and its head ask for, edges included. */
export type Measured = Readonly<Record<string, { cells: number; head: number }>>;

interface Wide<Row> { column: Column<Row>; width: number }

/** `most` it asks for, `least` it can do with; `weight` 0: it gives nothing. */
interface Ask { id: string; most: number; least: number; weight: number; words: boolean; byHand: boolean }

function leastOf({ kind = 'text' }: Pick<Column<never>, 'kind'>): number | undefined {
  return kind === 'title' || kind === 'text' || kind === 'muted' ? LEAST[kind] : undefined;
}

/** Columns of words are cut where room is lacking. */
export function isShrinkable(column: Pick<Column<never>, 'kind'>): boolean {
  return leastOf(column) !== undefined;
}

/** A day is ten characters; what is longer names the hour. */
function needs<Row>({ column, width }: Wide<Row>, row: Row | undefined): number {
  if (column.kind !== 'date' || row === undefined) return width;
  const value = column.cell(row);
  return typeof value === 'string' && value.length > 10 ? Math.max(width, MOMENT) : width;
}

/** Minimum width of a column of figures that keeps its heading on one line. */
function airless<Row>({ column, width }: Wide<Row>, needed: number): number {
  const floor = column.kind && AIRLESS[column.kind];
  if (floor === undefined || needed > width) return needed;
  return Math.min(width, Math.max(floor, HEAD_EDGES + column.header.length * LETTER));
}

function askOf<Row>(entry: Wide<Row>, given: RoomGiven<Row>): Ask {
  const { column } = entry;
  const least = leastOf(column);
  const base = { id: column.id, words: least !== undefined, byHand: false };
  const chosen = given.chosen?.[column.id];
  if (chosen !== undefined) return { ...base, most: chosen, least: chosen, weight: 0, byHand: true };
  const found = given.measured?.[column.id];
  if (found) {
    const most = Math.max(found.head, least === undefined ? found.cells : Math.min(MOST, found.cells));
    if (least === undefined) return { ...base, most, least: most, weight: 0 };
    return { ...base, most, least: Math.min(most, Math.max(least, found.head)),
      weight: column.kind === 'title' ? TITLE_WEIGHT : 1 };
  }
  const needed = needs(entry, given.row);
  if (least === undefined) return { ...base, most: needed, least: airless(entry, needed), weight: 0 };
  return { ...base, most: needed, least: Math.min(least, needed),
    weight: column.kind === 'title' ? TITLE_WEIGHT : 1 };
}

/** Part of what is lacking, from `after` px on and at most `much`, that the column gives. */
interface Part { after: number; much: number; share: number }

/** The longest gives down to the next longest, then both: each stretch between two such lengths is a part. */
function partsOf(asks: readonly Ask[]): Map<Ask, Part[]> {
  const parts = new Map<Ask, Part[]>(asks.map((ask) => [ask, []]));
  const airy = asks.filter((ask) => ask.weight === 0 && ask.most > ask.least);
  const air = airy.reduce((sum, ask) => sum + ask.most - ask.least, 0);
  for (const ask of airy) parts.get(ask)!.push({ after: 0, much: air, share: (ask.most - ask.least) / air });
  const giving = asks.filter((ask) => ask.weight > 0 && ask.most > ask.least);
  const levels = [...new Set(giving.flatMap((ask) => [ask.most / ask.weight, ask.least / ask.weight]))]
    .sort((one, other) => other - one);
  let after = air;
  levels.slice(1).forEach((low, index) => {
    const high = levels[index]!;
    const now = giving.filter((ask) => ask.most / ask.weight >= high && ask.least / ask.weight <= low);
    const weight = now.reduce((sum, ask) => sum + ask.weight, 0);
    if (weight === 0) return;
    const much = (high - low) * weight;
    for (const ask of now) parts.get(ask)!.push({ after, much, share: ask.weight / weight });
    after += much;
  });
  return parts;
}

const px = (value: number): string => `${Math.round(value * 100) / 100}px`;

/** Columns that take the spare room: not those with a width set by hand, unless there are no others. */
function takersOf(asks: readonly Ask[]): Map<Ask, number> {
  const free = asks.filter((ask) => !ask.byHand);
  const takers = free.length > 0 ? free : asks.slice(-1);
  const sizes = takers.map((ask) => ask.most * (ask.words ? SPREAD.words : SPREAD.figures));
  const sum = sizes.reduce((total, size) => total + size, 0);
  return new Map(takers.map((ask, index) => [ask, sizes[index]! / sum]));
}

export interface RoomGiven<Row> {
  row: Row | undefined;
  measured?: Measured | undefined;
  /** px by hand. */
  chosen?: Readonly<Record<string, number>> | undefined;
  selectable?: boolean | undefined;
}

export interface Rooms {
  /** Width of each column, in CSS that knows the width of the list as 100cqi. */
  widths: Record<string, string>;
  /** px that all ask for. */
  taken: number;
}

/** The measured ones have the edges of the list in them. */
function edgesOf({ measured, selectable }: Omit<RoomGiven<never>, 'row'>): number {
  if (!measured) return EDGES;
  return selectable ? measured[BOXES]?.cells ?? PICK : 0;
}

/**
 * Part of a column's own least width that is counted while there are no rows to measure. Most need less; what left for
 * want of room would come back with the rows, and the screen would move.
 */
const UNMEASURED = .75;
/** px: words that were cut to less would say nothing; a column leaves before its neighbours become so narrow. */
const READABLE = 120;
/** Returns whether a column leaves last: amounts and states are the point of a list. A sum needs its currency. */
function hidesLast({ hideLast, kind, id }: Column<never>): boolean {
  return hideLast ?? (kind === 'money' || kind === 'badge' || id === 'currency');
}

/**
 * Ids of the columns that find no room in a list of so many px: from its end, what names or dates or counts before sums
 * and states, until the others are readable beside each other without a way sideways. What names the row, buttons, what
 * `stays` (chosen by the reader, sorted by) never leave; where those alone are too wide the list scrolls.
 */
export function withoutRoom<Row>(
  shown: readonly Wide<Row>[], given: RoomGiven<Row>, room: number, stays: (column: Column<Row>) => boolean,
): string[] {
  const first = shown.find(({ column }) => column.kind === 'title') ?? shown[0];
  const least = shown.map((entry) => {
    const ask = askOf(entry, given);
    if (!given.measured) return { entry, px: ask.least * UNMEASURED };
    return { entry, px: ask.weight > 0 ? Math.max(ask.least, Math.min(ask.most, READABLE)) : ask.least };
  });
  let lacking = edgesOf(given) + least.reduce((sum, { px: own }) => sum + own, 0) - room;
  const leaving = least.filter(({ entry }) => entry !== first && entry.column.kind !== 'actions'
    && !entry.column.fixed && given.chosen?.[entry.column.id] === undefined && !stays(entry.column)).reverse();
  const out: string[] = [];
  const late = leaving.filter(({ entry }) => hidesLast(entry.column));
  for (const one of [...leaving.filter((each) => !late.includes(each)), ...late]) {
    if (lacking <= 0) break;
    out.push(one.entry.column.id);
    lacking -= one.px;
  }
  return out;
}

export function roomsOf<Row>(shown: readonly Wide<Row>[], given: RoomGiven<Row>): Rooms {
  const asks = shown.map((entry) => askOf(entry, given));
  const taken = edgesOf(given) + asks.reduce((sum, ask) => sum + ask.most, 0);
  const parts = partsOf(asks);
  const takers = takersOf(asks);
  const widths = Object.fromEntries(asks.map((ask) => {
    const more = takers.get(ask) ?? 0;
    const terms = [px(ask.most)];
    if (more > 0) terms.push(`max(0px, 100cqi - ${px(taken)}) * ${more.toFixed(4)}`);
    for (const { after, much, share } of parts.get(ask) ?? []) {
      terms.push(`clamp(${px(-much)}, 100cqi - ${px(taken - after)}, 0px) * ${share.toFixed(4)}`);
    }
    return [ask.id, terms.length === 1 ? terms[0]! : `calc(${terms.join(' + ')})`];
  }));
  return { widths, taken };
}
