/** When people are reminded (domain.md 6.5). Days count from the due date and move on to a business day. */
import { addDays, isBusinessDay, type IsoDate } from '../calendar/calendar.ts';

/** Days before (negative) and after the day something is due. */
export const REMINDER_DAYS = {
  'quote.expiring': [-14, -7, -2],
  'invoice.due': [-7, 0, 3, 10, 30],
  /** The first is the day after a run's last performance: a report is due seven days after it. */
  'box_office.due': [-6, 0, 3, 7, 14],
  /** Takings of a stream whose fee is a share of them: on the same days as the box office. */
  'stream.due': [-6, 0, 3, 7, 14],
  'contract.signature_request': [7, 14],
  'performance.opening_soon': [-7],
} as const satisfies Record<string, readonly number[]>;
export type ReminderKey = keyof typeof REMINDER_DAYS;

/** A step that was missed while nothing ran is made up for on these days; an older one is let go. */
export const REMINDER_GRACE_DAYS = 4;

export interface ReminderStep {
  /** Of the schedule: -7 is the one a week ahead. */
  readonly days: number;
  /** The business day it is sent on. */
  readonly on: IsoDate;
}

/**
 * The latest step whose day has come, null when none is due now. `since` is the day on which the thing began to wait:
 * a step of that day or before would tell people what they have just been told.
 */
export function reminderStep(
  key: ReminderKey, dueOn: IsoDate, input: { today: IsoDate; since: IsoDate | null; holidays: readonly IsoDate[] },
): ReminderStep | null {
  const steps = REMINDER_DAYS[key].map((days): ReminderStep => ({ days,
    on: businessDayFrom(addDays(dueOn, days), input.holidays) }));
  const step = steps.findLast((one) => one.on <= input.today);
  if (!step || step.on < addDays(input.today, -REMINDER_GRACE_DAYS)) return null;
  return input.since !== null && step.on <= input.since ? null : step;
}

function businessDayFrom(date: IsoDate, holidays: readonly IsoDate[]): IsoDate {
  let day = date;
  while (!isBusinessDay(day, holidays)) day = addDays(day, 1);
  return day;
}
