/**
 * Dates as people type them: ISO 'YYYY-MM-DD' at the edge; on screens 'MM/DD/YYYY' for American readers, 'DD/MM/YYYY'
 * for British ones. No Date object is involved, so no time zone can move a day.
 */
import type { Language } from '../money/division.ts';
import { readerLanguage } from '../text/english.ts';
import { isIsoDate } from './calendar.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function iso(year: number, month: number, day: number): string | undefined {
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return isIsoDate(date) && year >= 1000 ? date : undefined;
}

function yearOf(text: string | undefined, today: string): number {
  if (!text) return Number(today.slice(0, 4));
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

/**
 * ISO date of '3/12/2027', '3/12/27', '3/12', 'Mar 12, 2027', '12 March 2027', '2027-03-12'; a missing year is that
 * of `today` (ISO). '3/12' is the 12th of March for American readers, the 3rd of December for British ones. null for an
 * empty text, undefined where there is no such day.
 */
export function dateFromText(
  text: string, today: string, language: Language = readerLanguage(),
): string | null | undefined {
  const plain = text.trim().toLowerCase();
  if (plain === '') return null;
  const isoParts = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(plain);
  if (isoParts) return iso(Number(isoParts[1]), Number(isoParts[2]), Number(isoParts[3]));
  const slashed = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{2}|\d{4}))?$/.exec(plain);
  if (slashed) {
    const [month, day] = language === 'en-GB' ? [slashed[2], slashed[1]] : [slashed[1], slashed[2]];
    return iso(yearOf(slashed[3], today), Number(month), Number(day));
  }
  const monthFirst = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:,?\s+(\d{2}|\d{4}))?$/.exec(plain);
  const dayFirst = /^(\d{1,2})\s+([a-z]{3,9})\.?(?:,?\s+(\d{2}|\d{4}))?$/.exec(plain);
  const [name, day, year] = monthFirst ? [monthFirst[1], monthFirst[2], monthFirst[3]]
    : [dayFirst?.[2], dayFirst?.[1], dayFirst?.[3]];
  const month = MONTHS.indexOf((name ?? '').slice(0, 3)) + 1;
  return month === 0 ? undefined : iso(yearOf(year, today), month, Number(day));
}

/** The order in which a typed date is expected, as a field shows it while it is empty. */
export const datePattern = (language: Language = readerLanguage()): string =>
  language === 'en-GB' ? 'DD/MM/YYYY' : 'MM/DD/YYYY';

/** '2027-03-12' -> '03/12/2027', British '12/03/2027'; a value that is no ISO date shows as it is. */
export function dateToText(value: string | null, language: Language = readerLanguage()): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(value ?? '');
  if (!match) return value ?? '';
  return language === 'en-GB' ? `${match[3]}/${match[2]}/${match[1]}` : `${match[2]}/${match[3]}/${match[1]}`;
}
