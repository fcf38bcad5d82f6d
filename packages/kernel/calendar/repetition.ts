/**
 * Days that come again every n weeks, months, quarters or years. Each is counted from the first day, never from the one
 * before: what begins on January 31 comes on February 28 and again on March 31.
 */
import { addDays, addMonths, type IsoDate } from './calendar.ts';

export const REPEAT_UNITS = ['week', 'month', 'quarter', 'year'] as const;
export type RepeatUnit = (typeof REPEAT_UNITS)[number];

export interface Repetition {
  starts_on: IsoDate;
  every_count: number;
  every_unit: RepeatUnit;
}

const MONTHS: Readonly<Record<Exclude<RepeatUnit, 'week'>, number>> = { month: 1, quarter: 3, year: 12 };

/** The day at a position; 0 is the first. */
export function repeatedOn({ starts_on, every_count, every_unit }: Repetition, position: number): IsoDate {
  if (every_unit === 'week') return addDays(starts_on, 7 * every_count * position);
  return addMonths(starts_on, MONTHS[every_unit] * every_count * position);
}

/** The first position from `from` on whose day is `day` or later. */
export function positionOn(repetition: Repetition, from: number, day: IsoDate): number {
  let position = from;
  while (repeatedOn(repetition, position) < day) position += 1;
  return position;
}

/** Last day of a schedule, or number of times; null: without end. */
export interface RepetitionEnd {
  ends_on: IsoDate | null;
  times: number | null;
}

/** The day at a position where it is within the end; null where the schedule is over. */
export function dayWithin(repetition: Repetition, position: number, end: RepetitionEnd & { made: number }):
IsoDate | null {
  if (end.times !== null && end.made >= end.times) return null;
  const day = repeatedOn(repetition, position);
  return end.ends_on !== null && day > end.ends_on ? null : day;
}
