/** Several venues in one application: the next city of a tour, seats and prices copied on, rows pasted in; pure. */
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import { dateFromText } from '#kernel/calendar/date-text.ts';
import { newRows, type SeriesRow } from '#kernel/licensing/performance-series.ts';
import { timeFromText } from '#web/controls/time-text.ts';
import {
  byHour, emptyStop, hasPlace, nextKey, type Band, type Night, type PerformanceType, type Stop,
} from './apply-values.web.ts';

interface House { id: number; name: string }

export function stopName(stop: Stop, venues: readonly House[]): string {
  return venues.find((venue) => venue.id === stop.venue_id)?.name ?? stop.venue_name.trim();
}

/** Whole weeks from the first night of a stop to a week with no night of it. */
function weeksOf(nights: readonly Night[]): number {
  const days = nights.map((night) => night.day).toSorted();
  return days.length === 0 ? 0 : Math.floor(diffDays(days[0]!, days.at(-1)!) / 7) + 1;
}

/** The next venue: the nights of the one before a week on, with its seats, prices and deductions. */
export function nextStop(stops: readonly Stop[], venues: readonly House[]): Stop {
  const last = stops.at(-1);
  const free = venues.find((venue) => stops.every((stop) => stop.venue_id !== venue.id));
  const stop = emptyStop(nextKey(stops), free?.id ?? null);
  if (!last) return stop;
  const move = weeksOf(last.nights) * 7;
  return { ...stop, address: { ...stop.address, country_code: last.address.country_code }, bands: last.bands,
    deductions: last.deductions, nights: last.nights.map((night) => ({ ...night, day: addDays(night.day, move) })) };
}

/** Seats, prices and deductions of one venue for every other. */
export function copyBands(stops: readonly Stop[], from: Stop): Stop[] {
  return stops.map((stop) => ({ ...stop, bands: from.bands, deductions: from.deductions }));
}

/** Types of performance that a stop plays, evenings first. */
export function typesOf(stop: Stop): PerformanceType[] {
  const types = [...new Set(stop.nights.map((night) => night.type))];
  return types.toSorted((a, b) => Number(b === 'public') - Number(a === 'public'));
}

/** The usual bands once more, for one type of performance. */
export function withOwnBands(bands: readonly Band[], type: PerformanceType): Band[] {
  const usual = bands.filter((band) => band.type === null);
  const key = nextKey(bands);
  return [...bands, ...usual.map((band, at) => ({ ...band, key: key + at, type }))];
}

/** The nights with those of a series that are not there yet. */
export function withSeries(nights: readonly Night[], rows: readonly SeriesRow[]): Night[] {
  const known = nights.map((night) => ({ local_date: night.day, local_time: night.time ?? '', type: night.type }));
  const key = nextKey(nights);
  return [...nights, ...newRows(rows, known).map((row, at): Night => ({ key: key + at, day: row.local_date,
    time: row.local_time, type: row.type as PerformanceType }))].toSorted(byHour);
}

const TYPES: Readonly<Record<string, PerformanceType>> = {
  '': 'public', evening: 'public', public: 'public', matinee: 'matinee', 'matinée': 'matinee', preview: 'preview',
  school: 'school', gala: 'gala',
};

export interface PastedRows { stops: Stop[]; rows: number; problems: { line: number; text: string }[] }

/**
 * Rows of a spreadsheet: venue, date, time and, where it is not an evening, the type. An empty venue is the one above;
 * a heading is passed over. Venues that are known take the dates; a new one has seats and prices of the first.
 */
export function pasteRows(text: string, form: {
  stops: readonly Stop[]; venues: readonly House[]; today: string; dayFirst: boolean;
}): PastedRows {
  const { stops, venues } = form;
  const out: PastedRows = { stops: stops.filter(hasPlace), rows: 0, problems: [] };
  let name = '';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const cells = line.split(line.includes('\t') ? '\t' : ';').map((cell) => cell.trim());
    if (cells.every((cell) => cell === '') || isHeading(cells, index)) continue;
    name = cells[0] || name;
    const night = nightOf(cells, form);
    if (name === '') out.problems.push({ line: index + 1, text: 'no venue' });
    else if (typeof night === 'string') out.problems.push({ line: index + 1, text: night });
    else { add(out, name, night, stops[0], venues); out.rows += 1; }
  }
  return { ...out, stops: out.stops.filter((stop) => stop.nights.length > 0) };
}

const isHeading = (cells: readonly string[], index: number): boolean =>
  index === 0 && /^date$/i.test(cells[1] ?? '');

function nightOf(
  cells: readonly string[], { today, dayFirst }: { today: string; dayFirst: boolean },
): Omit<Night, 'key'> | string {
  const [, day = '', time = '', type = ''] = cells;
  const date = dateFromText(dayFirst ? day.replace(/^(\d{1,2})([/.-])(\d{1,2})(?=[/.-]|$)/, '$3$2$1') : day, today);
  const clock = timeFromText(time);
  const kind = TYPES[type.toLowerCase()];
  if (!date) return `no date in “${day}”`;
  if (!clock) return `no time in “${time}”`;
  return kind ? { day: date, time: clock, type: kind } : `no type of performance in “${type}”`;
}

function add(
  out: PastedRows, name: string, night: Omit<Night, 'key'>, first: Stop | undefined, venues: readonly House[],
): void {
  const same = (one: string): boolean => one.toLowerCase() === name.toLowerCase();
  let at = out.stops.findIndex((stop) => same(stopName(stop, venues)));
  if (at < 0) {
    const venue = venues.find((one) => same(one.name));
    const stop = emptyStop(nextKey(out.stops), venue?.id ?? null);
    out.stops.push({ ...stop, venue_name: venue ? '' : name, ...(first && { bands: first.bands,
      deductions: first.deductions }) });
    at = out.stops.length - 1;
  }
  const stop = out.stops[at]!;
  out.stops[at] = { ...stop, nights: withSeries(stop.nights, [{ local_date: night.day, local_time: night.time ?? '',
    type: night.type }]) };
}
