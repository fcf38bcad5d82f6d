/** The days that the lifecycle counts to (domain.md 1.1). Every date is a day at the venue. */
import { addDays, businessDaysAfter, maxDate, minDate, type IsoDate } from '../calendar/calendar.ts';
import type { Division } from '../money/division.ts';

/** Materials leave this long before the opening; an offer ends before that (domain.md 1, phase sent). */
export const SHIP_LEAD_DAYS = 7;
export const OFFER_VALID_DAYS = 42;

/** Last day of an offer: min(issue + `valid_days`, first performance - max(shipping lead, 7 days)). */
export function offerExpiresAt(input: {
  issued_on: IsoDate;
  first_performance_on: IsoDate;
  ship_lead_days: number;
  /** OFFER_VALID_DAYS unless the division says 30 or 90. */
  valid_days?: number;
}): IsoDate {
  const lead = Math.max(input.ship_lead_days, 7);
  return minDate(addDays(input.issued_on, input.valid_days ?? OFFER_VALID_DAYS),
    addDays(input.first_performance_on, -lead));
}

/** 35 business days of the division after the last performance. */
export function settlementDueOn(lastPerformanceOn: IsoDate, holidays: readonly IsoDate[], days = 35): IsoDate {
  return businessDaysAfter(lastPerformanceOn, days, holidays);
}

/** Materials are due back 7 days after the last performance in US and PROD, 14 days after it in UK and EU. */
export function returnsDueOn(lastPerformanceOn: IsoDate, division: Division): IsoDate {
  return addDays(lastPerformanceOn, division === 'UK' || division === 'EU' ? 14 : 7);
}

/** A box-office report is due 7 days after the end of its period: the run, or the week of a professional deal. */
export function boxOfficeDueOn(periodTo: IsoDate, days = 7): IsoDate {
  return addDays(periodTo, days);
}

/** The day from which a missing report is estimated at full capacity: 30 days after it was due (domain.md 1.4). */
export function boxOfficeEstimateOn(dueOn: IsoDate): IsoDate {
  return addDays(dueOn, 30);
}

/** Days before the opening on which materials ship: two months and ten days in the US (domain.md 0). */
export const MATERIALS_LEAD_DAYS: Readonly<Record<Division, number>> = { US: 70, PROD: 70, UK: 90, EU: 90 };

/** Materials ship this many days before the first performance, never before `not_before`. */
export function shipOn(firstPerformanceOn: IsoDate, leadDays: number, notBefore: IsoDate): IsoDate {
  return maxDate(addDays(firstPerformanceOn, -leadDays), notBefore);
}

/** The same after the run has moved: a day that was missed stays missed, and no day is given that is over already. */
export function movedShipOn(before: IsoDate, firstPerformanceOn: IsoDate, leadDays: number, today: IsoDate): IsoDate {
  return shipOn(firstPerformanceOn, leadDays, minDate(before, today));
}
