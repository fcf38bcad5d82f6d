/**
 * A series of performances ('Thursday to Saturday at 7:30 PM, matinee Saturday at 2:00 PM, not on October 31') expanded
 * into rows. Days and hours are those of the venue's clock: a series never shifts where the clock changes, because the
 * instant is taken from each row by itself (known-failures.md 39, 40).
 */
import { addDays, dayOfWeek, diffDays, isIsoDate, type DayOfWeek, type IsoDate } from '../calendar/calendar.ts';

/** Performances of one application, over all its venues. */
export const MOST_PERFORMANCES = 300;
/** Days that a series may span. */
export const MOST_SERIES_DAYS = 731;

export interface SeriesTime {
  readonly weekdays: readonly DayOfWeek[];
  /** 'HH:MM' */
  readonly local_time: string;
  readonly type: string;
}

export interface PerformanceSeries {
  readonly from: IsoDate;
  /** The last day, itself included. */
  readonly to: IsoDate;
  readonly times: readonly SeriesTime[];
  /** Days without any performance. */
  readonly except?: readonly IsoDate[] | undefined;
}

export interface SeriesRow {
  readonly local_date: IsoDate;
  readonly local_time: string;
  readonly type: string;
}

export type SeriesProblem = 'dates' | 'order' | 'times' | 'empty' | 'too_many';
export type SeriesResult = { readonly rows: readonly SeriesRow[] }
  | { readonly problem: SeriesProblem; readonly text: string };

/** Rows by day and hour, each once; two entries of one hour are one performance of the first type. */
export function expandSeries(series: PerformanceSeries): SeriesResult {
  const { from, to, times, except = [] } = series;
  if (!isIsoDate(from) || !isIsoDate(to)) return { problem: 'dates', text: 'Enter the first and the last day' };
  const days = diffDays(from, to);
  if (days < 0) return { problem: 'order', text: 'The last day is before the first' };
  if (times.length === 0 || times.some((time) => !isClock(time.local_time))) {
    return { problem: 'times', text: 'Enter a time for each kind of performance' };
  }
  if (days > MOST_SERIES_DAYS) {
    return { problem: 'too_many', text: 'A series spans at most two years' };
  }
  const rows: SeriesRow[] = [];
  for (let n = 0; n <= days; n += 1) {
    const local_date = addDays(from, n);
    if (!except.includes(local_date)) rows.push(...rowsOfDay(local_date, times));
  }
  if (rows.length === 0) return { problem: 'empty', text: 'No performance falls between these days' };
  if (rows.length > MOST_PERFORMANCES) return { problem: 'too_many', text: tooManyText(rows.length) };
  return { rows };
}

function rowsOfDay(local_date: IsoDate, times: readonly SeriesTime[]): SeriesRow[] {
  const day = dayOfWeek(local_date);
  const byHour = new Map<string, SeriesRow>();
  for (const { weekdays, local_time, type } of times) {
    if (weekdays.includes(day) && !byHour.has(local_time)) byHour.set(local_time, { local_date, local_time, type });
  }
  return [...byHour.values()].sort(bySeriesTime);
}

export function bySeriesTime(a: SeriesRow, b: SeriesRow): number {
  const [one, other] = [`${a.local_date} ${a.local_time}`, `${b.local_date} ${b.local_time}`];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The rows that are new: an hour that is taken already at the venue is left as it is. */
export function newRows(rows: readonly SeriesRow[], known: readonly SeriesRow[]): SeriesRow[] {
  const taken = new Set(known.map((row) => `${row.local_date} ${row.local_time}`));
  return rows.filter((row) => !taken.has(`${row.local_date} ${row.local_time}`));
}

export function tooManyText(count: number): string {
  return `${count} performances: one application takes at most ${MOST_PERFORMANCES}. Write to us about a longer run.`;
}

/** Types that go on at the same time as a performance on the stage. */
const BESIDE: readonly string[] = ['stream_live', 'stream_vod'];

/** The place of the first row that stands at another's day and hour at its venue; -1 when none does. */
export function sameTime(rows: readonly SeriesRow[]): number {
  const seen = new Set<string>();
  return rows.findIndex((row) => {
    const key = `${row.local_date} ${row.local_time} ${BESIDE.includes(row.type) ? row.type : ''}`;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  });
}

function isClock(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
