/**
 * Periods of VAT returns. HMRC grants periods of 3, 1 and 12 months (VAT Notice 700/12), Irish Revenue of 2, 1, 4, 6
 * and 12; they are counted from January until a return says otherwise.
 */
import { addDays, addMonths, endOfMonth, startOfMonth, type IsoDate } from '../calendar/calendar.ts';

export const VAT_PERIOD_MONTHS = [1, 2, 3, 4, 6, 12] as const;
export type VatPeriodMonths = (typeof VAT_PERIOD_MONTHS)[number];

export interface VatDays { readonly from: IsoDate; readonly to: IsoDate }

/** The one-stop shop has quarters of the calendar everywhere (Directive 2006/112/EC art. 369f). */
export const OSS_MONTHS = 3;

/** The period that begins on a day: through the end of its last month. */
export const vatPeriodFrom = (from: IsoDate, months: VatPeriodMonths): VatDays =>
  ({ from, to: endOfMonth(addMonths(startOfMonth(from), months - 1)) });

/** The period of the calendar around a day. */
export function vatPeriodAround(day: IsoDate, months: VatPeriodMonths): VatDays {
  const into = (Number(day.slice(5, 7)) - 1) % months;
  return vatPeriodFrom(addMonths(startOfMonth(day), -into), months);
}

/** The last period of the calendar that ended before a day. */
export const vatPeriodBefore = (day: IsoDate, months: VatPeriodMonths): VatDays =>
  vatPeriodAround(addDays(vatPeriodAround(day, months).from, -1), months);

/** Quarters of the calendar that end within the days, the first one first: a file of an open quarter lacks sales. */
export function quartersEndingIn({ from, to }: VatDays): VatDays[] {
  const quarters = [vatPeriodAround(from, OSS_MONTHS)];
  while (quarters.at(-1)!.to < to) quarters.push(vatPeriodFrom(addDays(quarters.at(-1)!.to, 1), OSS_MONTHS));
  return quarters.filter((quarter) => quarter.to <= to);
}
