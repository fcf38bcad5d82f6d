/**
 * Calendar days as ISO text ('2026-04-03') with day arithmetic of their own.
 *
 * A licence date is a day at a venue, not an instant: it has no time zone and must never shift by one.
 * Days are counted in the proleptic Gregorian calendar from 1970-01-01, which is day 0.
 * ISO text sorts as time does, so two dates are compared with < and >.
 */
import type { Language } from '../money/division.ts';
import { readerLanguage } from '../text/english.ts';

export type IsoDate = string;
/** 0 is Sunday, 6 is Saturday. */
export type DayOfWeek = 0 | 1 | 2 | 3 | 4 | 5 | 6;

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
] as const;

interface DateParts {
  year: number;
  month: number;
  day: number;
}

/** True for a day that exists, from 0001-01-01 to 9999-12-31. '2026-02-29' is false. */
export function isIsoDate(text: string): boolean {
  const match = ISO_DATE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** `date` moved by `days` (negative moves back). Throws RangeError for text that is no date. */
export function addDays(date: IsoDate, days: number): IsoDate {
  return fromDayNumber(toDayNumber(date) + days);
}

/** Days from `from` to `to`: diffDays('2026-04-01', '2026-04-03') is 2, negative when `to` is earlier. */
export function diffDays(from: IsoDate, to: IsoDate): number {
  return toDayNumber(to) - toDayNumber(from);
}

/** `date` moved by whole months; a day that the month lacks becomes its last: 31 January + 1 is 28 February. */
export function addMonths(date: IsoDate, months: number): IsoDate {
  const { year, month, day } = parts(date);
  const index = year * 12 + (month - 1) + months;
  const newYear = Math.floor(index / 12);
  const newMonth = index - newYear * 12 + 1;
  return text(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
}

/** 0 is Sunday. 1970-01-01 was a Thursday. */
export function dayOfWeek(date: IsoDate): DayOfWeek {
  return ((((toDayNumber(date) + 4) % 7) + 7) % 7) as DayOfWeek;
}

/** First day of the week that holds `date`; `weekStart` is 1 (Monday) unless a deal says otherwise (domain.md 2.4). */
export function startOfWeek(date: IsoDate, weekStart: DayOfWeek = 1): IsoDate {
  return addDays(date, -((dayOfWeek(date) - weekStart + 7) % 7));
}

export function startOfMonth(date: IsoDate): IsoDate {
  return `${date.slice(0, 8)}01`;
}

export function endOfMonth(date: IsoDate): IsoDate {
  const { year, month } = parts(date);
  return text(year, month, daysInMonth(year, month));
}

/** Accounting period of a date, yyyymm: 202604. */
export function period(date: IsoDate): number {
  const { year, month } = parts(date);
  return year * 100 + month;
}

export function minDate(...dates: [IsoDate, ...IsoDate[]]): IsoDate {
  return dates.reduce((a, b) => (a < b ? a : b));
}

export function maxDate(...dates: [IsoDate, ...IsoDate[]]): IsoDate {
  return dates.reduce((a, b) => (a > b ? a : b));
}

/** Monday to Friday and no holiday of the division (domain.md 2.12). */
export function isBusinessDay(date: IsoDate, holidays: readonly IsoDate[]): boolean {
  const day = dayOfWeek(date);
  return day !== 0 && day !== 6 && !holidays.includes(date);
}

/** The n-th business day after `date`; the day itself never counts. n = 0 answers `date`. */
export function businessDaysAfter(date: IsoDate, n: number, holidays: readonly IsoDate[]): IsoDate {
  let current = date;
  for (let left = n; left > 0;) {
    current = addDays(current, 1);
    if (isBusinessDay(current, holidays)) left -= 1;
  }
  return current;
}

/**
 * For messages and notifications, as their reader writes it: 'April 3, 2026' or '3 April 2026'. Documents and mails
 * name the language of their division ({@link dateFor}).
 */
export const dateInWords = (date: IsoDate): string => dateFor(readerLanguage(), date);

/** The month of a day in words: 'April 2026'. */
export function monthInWords(date: IsoDate): string {
  const { year, month } = parts(date);
  return `${MONTHS[month - 1]} ${year}`;
}

/** A period of the books in words: 202610 is 'October 2026', 202613 the adjustments after the last month. */
export function bookPeriodInWords(period: number): string {
  const [year, month] = [Math.floor(period / 100), period % 100];
  return month > MONTHS.length ? `Adjustments of ${year}` : `${MONTHS[month - 1]} ${year}`;
}

/** As the reader writes it: 'April 3, 2026' in American papers, '3 April 2026' in British ones. */
export function dateFor(language: Language, date: IsoDate): string {
  const { year, month, day } = parts(date);
  return language === 'en-US' ? `${MONTHS[month - 1]} ${day}, ${year}` : `${day} ${MONTHS[month - 1]} ${year}`;
}

/** A day, or the days from one to another, as the reader writes them. */
export function periodFor(language: Language, from: IsoDate, to: IsoDate): string {
  return from === to ? dateFor(language, from) : `${dateFor(language, from)} to ${dateFor(language, to)}`;
}

/** A time of day 'HH:MM' as the reader writes it: '7:30 PM' in American papers, '7.30pm' in British ones. */
export function timeFor(language: Language, time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const hour = hours % 12 === 0 ? 12 : hours % 12;
  const two = String(minutes).padStart(2, '0');
  return language === 'en-US' ? `${hour}:${two} ${hours < 12 ? 'AM' : 'PM'}`
    : `${hour}.${two}${hours < 12 ? 'am' : 'pm'}`;
}

/** Days since 1970-01-01 (days_from_civil, H. Hinnant: eras of 400 years, the year starting in March). */
export function toDayNumber(date: IsoDate): number {
  const { year, month, day } = parts(date);
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function fromDayNumber(days: number): IsoDate {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return text(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day);
}

function parts(date: IsoDate): DateParts {
  if (!isIsoDate(date)) throw new RangeError(`Not a date in the form YYYY-MM-DD: ${date}`);
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) };
}

function text(year: number, month: number, day: number): IsoDate {
  if (year < 1 || year > 9999) throw new RangeError(`The year ${year} is outside 1 to 9999`);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
