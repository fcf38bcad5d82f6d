/** Weeks in which debts of the house fall due, Monday to Sunday. */
import { addDays, dayOfWeek, type IsoDate } from '../calendar/calendar.ts';

/** Weeks that are shown one by one; what falls due later is one row. */
export const OUTFLOW_WEEKS = 8;

export interface OutflowWeek {
  /** Null: due before the day that is asked for. */
  readonly from: IsoDate | null;
  /** Null: after the last week that is shown. */
  readonly to: IsoDate | null;
}

/** Overdue, the rest of this week, the weeks after it, everything later. */
export function outflowWeeks(asOf: IsoDate): OutflowWeek[] {
  const sunday = addDays(asOf, (7 - dayOfWeek(asOf)) % 7);
  const weeks = Array.from({ length: OUTFLOW_WEEKS }, (_, k): OutflowWeek => ({
    from: k === 0 ? asOf : addDays(sunday, 7 * k - 6), to: addDays(sunday, 7 * k) }));
  return [{ from: null, to: addDays(asOf, -1) }, ...weeks, { from: addDays(sunday, 7 * OUTFLOW_WEEKS - 6), to: null }];
}

/** Index of the week in {@link outflowWeeks} that a due date lies in. */
export function weekIndex(weeks: readonly OutflowWeek[], dueOn: IsoDate): number {
  return weeks.findIndex(({ to }) => to === null || dueOn <= to);
}
