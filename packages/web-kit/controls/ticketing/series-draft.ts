/** A weekly run as it is typed: weekdays with an evening, weekdays with a matinee, between two days; pure. */
import type { DayOfWeek } from '#kernel/calendar/calendar.ts';
import { expandSeries, type SeriesResult } from '#kernel/licensing/performance-series.ts';

export interface SeriesDraft {
  from: string | null;
  to: string | null;
  evenings: readonly DayOfWeek[];
  evening_time: string | null;
  matinees: readonly DayOfWeek[];
  matinee_time: string | null;
}

/** Thursday to Saturday at 7:30 PM. */
export const NEW_SERIES: SeriesDraft = { from: null, to: null, evenings: [4, 5, 6], evening_time: '19:30', matinees: [],
  matinee_time: '14:00' };

/** Rows of the run, or what keeps it from being one. */
export function rowsOfSeries(draft: SeriesDraft): SeriesResult {
  const times = [
    { weekdays: draft.evenings, local_time: draft.evening_time ?? '', type: 'public' },
    { weekdays: draft.matinees, local_time: draft.matinee_time ?? '', type: 'matinee' },
  ].filter((time) => time.weekdays.length > 0);
  if (times.length === 0) return { problem: 'times', text: 'Choose at least one weekday' };
  return expandSeries({ from: draft.from ?? '', to: draft.to ?? '', times });
}

export function toggled(days: readonly DayOfWeek[], day: DayOfWeek, on: boolean): DayOfWeek[] {
  return on ? [...days, day].toSorted() : days.filter((one) => one !== day);
}
