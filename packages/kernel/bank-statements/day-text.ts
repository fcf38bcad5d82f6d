/** Days as banks write them, taken as written: neither a time nor a zone behind them ever moves a day. */
import { isIsoDate, type IsoDate } from '../calendar/calendar.ts';
import { short } from './amount-text.ts';
import { BankFileRefused, refused, type DateOrder } from './bank-file.ts';

const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen', 'led'], ['feb', 'fév', 'fev', 'úno'], ['mar', 'mär', 'mrz', 'maa', 'mrt', 'bře'],
  ['apr', 'avr', 'abr', 'dub'], ['may', 'mai', 'mei', 'mag', 'kvě'], ['jun', 'jui', 'giu', 'čer'],
  ['jul', 'jui', 'lug'], ['aug', 'aoû', 'aou', 'ago', 'srp'], ['sep', 'set', 'zář'], ['oct', 'okt', 'ott', 'out'],
  ['nov', 'lis'], ['dec', 'dez', 'déc', 'dic'],
];

/** The day, or null where the calendar has none. */
export function isoDay(year: number, month: number, day: number): IsoDate | null {
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return year >= 1900 && year <= 2199 && isIsoDate(date) ? date : null;
}

export function dayRefused(text: string, line: number | null): BankFileRefused {
  return text.trim() === ''
    ? refused('line_incomplete', 'A line has no date.', { line })
    : refused('date_unreadable', `“${short(text.trim())}” is not a date.`, { line });
}

/** 'YYYYMMDD' or 'YYYY-MM-DD', with whatever time and zone follow: OFX and ISO 20022. */
export function compactDay(text: string, line: number | null): IsoDate {
  const match = /^(\d{4})(-?)(\d{2})\2(\d{2})/.exec(text.trim().slice(0, 64));
  const day = match && isoDay(Number(match[1]), Number(match[3]), Number(match[4]));
  if (!day) throw dayRefused(text, line);
  return day;
}

/** 'YYMMDD' of MT940 and BAI2: from 1980 to 2079. */
export function shortDay(text: string): IsoDate | null {
  const match = /^(\d{2})(\d{2})(\d{2})$/.exec(text);
  if (!match) return null;
  return isoDay(fullYear(Number(match[1]), 80), Number(match[2]), Number(match[3]));
}

function fullYear(two: number, pivot: number): number {
  return two < pivot ? 2000 + two : 1900 + two;
}

interface DayParts {
  parts: [string, string, string];
  /** Position of a month in letters; null where all three are digits. */
  named: number | null;
  /** Position of a year of four digits at the beginning. */
  yearFirst: boolean;
}

const FIRST = String.raw`(\d{1,4}|\p{L}{3,12})\.?[\s./-]{1,3}`;
const SECOND = String.raw`(\d{1,2}|\p{L}{3,12})\.?[\s./,'’-]{1,3}`;
/** Day, month and year in any order, with an abbreviated weekday before them. */
const ORDERED = new RegExp(String.raw`^(?:[a-z]{2,3}\.?,? )?${FIRST}${SECOND}(\d{1,4})(?!\d)`, 'u');

/** The three parts of a date of a sheet or QIF, whatever stands between them. */
function dayParts(text: string): DayParts | null {
  const head = text.trim().slice(0, 40).toLowerCase();
  const run = /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(head);
  if (run) return { parts: [run[1] ?? '', run[2] ?? '', run[3] ?? ''], named: null, yearFirst: true };
  const match = ORDERED.exec(head);
  if (!match) return null;
  const parts: [string, string, string] = [match[1] ?? '', match[2] ?? '', match[3] ?? ''];
  const named = parts.findIndex((part) => /^\p{L}/u.test(part));
  return { parts, named: named < 0 ? null : named, yearFirst: parts[0].length === 4 && named < 0 };
}

function monthNamed(text: string): number | null {
  const found = MONTHS.findIndex((names) => names.some((name) => text.startsWith(name)));
  if (/^juil|^jul/.test(text)) return 7;
  return found < 0 ? null : found + 1;
}

function yearOf(text: string, apostrophe: boolean): number {
  if (text.length > 2) return Number(text);
  return apostrophe ? 2000 + Number(text) : fullYear(Number(text), 70);
}

/** Whether the order of day and month must be known to read it: ISO dates and months in letters need none. */
export function needsDateOrder(text: string): boolean {
  const found = dayParts(text);
  return found !== null && !found.yearFirst && found.named === null;
}

/** A day of a sheet or QIF in the file's one order. Null where it is no day. */
export function orderedDay(text: string, order: DateOrder | null): IsoDate | null {
  const found = dayParts(text);
  if (!found) return null;
  const { parts: [a, b, c], named } = found;
  const apostrophe = /['’]\s?\d/.test(text);
  if (named === 0) return numbered(yearOf(c, apostrophe), monthNamed(a), b);
  if (named === 1) return numbered(yearOf(c, apostrophe), monthNamed(b), a);
  if (found.yearFirst || order === 'ymd') return numbered(yearOf(a, false), Number(b), c);
  if (order === null) return null;
  return order === 'dmy' ? numbered(yearOf(c, apostrophe), Number(b), a)
    : numbered(yearOf(c, apostrophe), Number(a), b);
}

function numbered(year: number, month: number | null, day: string): IsoDate | null {
  return month === null || day.length > 2 ? null : isoDay(year, month, Number(day));
}

/** Date order suggested by the dates of a file: a part above 12 can only be a day. Null where they are ambiguous. */
export function suggestedOrder(texts: Iterable<string>): DateOrder | null {
  let order: DateOrder | null = null;
  for (const text of texts) {
    const found = dayParts(text);
    if (!found || found.yearFirst || found.named !== null) continue;
    const [a, b] = [Number(found.parts[0]), Number(found.parts[1])];
    const told: DateOrder | null = a > 12 && b <= 12 ? 'dmy' : b > 12 && a <= 12 ? 'mdy' : null;
    if (told && order && told !== order) return null;
    order ??= told;
  }
  return order;
}

/** The one order of a file, or the question for it. */
export function orderFor(texts: readonly string[], order: DateOrder | null, line: number | null): DateOrder | null {
  if (order !== null || !texts.some((text) => needsDateOrder(text))) return order;
  const example = texts.find((text) => needsDateOrder(text)) ?? '';
  throw refused('date_order_required',
    `“${short(example.trim())}” can be read in two ways: does the day or the month come first?`,
    { line, suggestion: suggestedOrder(texts) });
}
