/**
 * Limits on the day of a money movement or a document, relative to today in the time zone of the division's books.
 * Money that has not moved is not booked; a document may be dated slightly ahead, after a question. Automatic postings
 * (reversals on the first of a month, releases on their day) are not checked.
 */
import { addDays, diffDays, type IsoDate } from './calendar.ts';

/** Number of days an invoice or a credit note may be dated ahead. */
export const DOCUMENT_DAYS_AHEAD = 31;

/** True for a day after today: money cannot have moved then. */
export function isAfterToday(on: IsoDate, today: IsoDate): boolean {
  return on > today;
}

export type DocumentDay = 'now' | 'ask' | 'refused';

/** A document dated today or before, one that a person confirms, one that is too far ahead. */
export function documentDay(on: IsoDate, today: IsoDate): DocumentDay {
  if (on <= today) return 'now';
  return diffDays(today, on) <= DOCUMENT_DAYS_AHEAD ? 'ask' : 'refused';
}

/** The last day that a document may carry. */
export function lastDocumentDay(today: IsoDate): IsoDate {
  return addDays(today, DOCUMENT_DAYS_AHEAD);
}
