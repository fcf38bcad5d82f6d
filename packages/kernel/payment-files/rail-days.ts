/**
 * Days on which a rail settles, by rule and for every year: the Federal Reserve for NACHA, TARGET for SEPA, the banks
 * of England for BACS. A holiday that a government proclaims once has no rule: the known ones are below, a new one is
 * handed over as `extra`.
 *
 * Sources: Federal Reserve holiday schedule (a holiday on a Saturday is not moved, one on a Sunday is kept on Monday);
 * ECB, TARGET closing days since 2002; Banking and Financial Dealings Act 1971 with substitute days.
 */
import type { PayoutMethod } from '../receivables/payout-methods.ts';
import { addDays, dateFor, dayOfWeek, diffDays, type DayOfWeek, type IsoDate } from '../calendar/calendar.ts';
import type { Rail } from './payment-batch.ts';

/** Easter Sunday of the Gregorian calendar (Meeus, Jones, Butcher). */
export function easterSunday(year: number): IsoDate {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const days = h + l - 7 * m + 114;
  return on(year, Math.floor(days / 31), (days % 31) + 1);
}

function on(year: number, month: number, day: number): IsoDate {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The n-th weekday of a month; `n` of -1 is the last. */
function nth(year: number, month: number, weekday: DayOfWeek, n: number): IsoDate {
  if (n < 0) {
    const last = addDays(month === 12 ? on(year + 1, 1, 1) : on(year, month + 1, 1), -1);
    return addDays(last, -((dayOfWeek(last) - weekday + 7) % 7));
  }
  const first = on(year, month, 1);
  return addDays(first, ((weekday - dayOfWeek(first) + 7) % 7) + 7 * (n - 1));
}

/** A holiday on a Sunday closes the Monday; one on a Saturday closes no day of the week. */
function observed(date: IsoDate): IsoDate {
  return dayOfWeek(date) === 0 ? addDays(date, 1) : date;
}

function federalReserve(year: number): [IsoDate, string][] {
  return [
    [observed(on(year, 1, 1)), 'New Year’s Day'], [nth(year, 1, 1, 3), 'Martin Luther King Jr. Day'],
    [nth(year, 2, 1, 3), 'Presidents’ Day'], [nth(year, 5, 1, -1), 'Memorial Day'],
    ...(year >= 2022 ? [[observed(on(year, 6, 19)), 'Juneteenth'] as [IsoDate, string]] : []),
    [observed(on(year, 7, 4)), 'Independence Day'], [nth(year, 9, 1, 1), 'Labor Day'],
    [nth(year, 10, 1, 2), 'Columbus Day'], [observed(on(year, 11, 11)), 'Veterans Day'],
    [nth(year, 11, 4, 4), 'Thanksgiving Day'], [observed(on(year, 12, 25)), 'Christmas Day'],
  ];
}

function target(year: number): [IsoDate, string][] {
  const easter = easterSunday(year);
  return [[on(year, 1, 1), 'New Year’s Day'], [addDays(easter, -2), 'Good Friday'],
    [addDays(easter, 1), 'Easter Monday'], [on(year, 5, 1), 'Labour Day'], [on(year, 12, 25), 'Christmas Day'],
    [on(year, 12, 26), '26 December']];
}

/** Days that were proclaimed once, and days that were moved for them. */
const UK_PROCLAIMED: Readonly<Record<IsoDate, string>> = {
  '2020-05-08': 'Early May bank holiday', '2022-06-02': 'Spring bank holiday',
  '2022-06-03': 'Platinum Jubilee', '2022-09-19': 'State Funeral', '2023-05-08': 'Coronation',
};
const UK_MOVED: ReadonlySet<IsoDate> = new Set(['2020-05-04', '2022-05-30']);

/** Christmas and the day after; each that falls on a weekend has a substitute on the next free weekday. */
function britishChristmas(year: number): [IsoDate, string][] {
  const taken = new Set([on(year, 12, 25), on(year, 12, 26)].filter((day) => !isWeekend(day)));
  const days: [IsoDate, string][] = [];
  for (const [date, name] of [[on(year, 12, 25), 'Christmas Day'], [on(year, 12, 26), 'Boxing Day']] as const) {
    let day = date;
    while (isWeekend(day) || (day !== date && taken.has(day))) day = addDays(day, 1);
    taken.add(day);
    days.push([day, day === date ? name : `${name} (substitute day)`]);
  }
  return days;
}

function england(year: number): [IsoDate, string][] {
  const easter = easterSunday(year);
  let newYear = on(year, 1, 1);
  while (isWeekend(newYear)) newYear = addDays(newYear, 1);
  const days: [IsoDate, string][] = [[newYear, 'New Year’s Day'], [addDays(easter, -2), 'Good Friday'],
    [addDays(easter, 1), 'Easter Monday'], [nth(year, 5, 1, 1), 'Early May bank holiday'],
    [nth(year, 5, 1, -1), 'Spring bank holiday'], [nth(year, 8, 1, -1), 'Summer bank holiday'],
    ...britishChristmas(year)];
  const proclaimed = Object.entries(UK_PROCLAIMED).filter(([day]) => day.startsWith(String(year)));
  return [...days.filter(([day]) => !UK_MOVED.has(day)), ...proclaimed];
}

const HOLIDAYS: Readonly<Record<Rail, (year: number) => [IsoDate, string][]>> = {
  nacha: federalReserve, sepa: target, bacs: england,
};

function isWeekend(date: IsoDate): boolean {
  const day = dayOfWeek(date);
  return day === 0 || day === 6;
}

/** The holidays of a rail in a year, in order. */
export function railHolidays(rail: Rail, year: number): { on: IsoDate; name: string }[] {
  return HOLIDAYS[rail](year).map(([day, name]) => ({ on: day, name })).sort((a, b) => a.on.localeCompare(b.on));
}

/** Why a rail does not settle on a day: the weekend, a holiday by name, or null where it does. */
export function closedBecause(rail: Rail, date: IsoDate, extra: readonly IsoDate[] = []): string | null {
  const day = dayOfWeek(date);
  if (day === 6) return 'Saturday';
  if (day === 0) return 'Sunday';
  const named = HOLIDAYS[rail](Number(date.slice(0, 4))).find(([holiday]) => holiday === date)?.[1];
  return named ?? (extra.includes(date) ? 'bank holiday' : null);
}

/** The day itself where the rail settles on it, else the next such day. */
export function nextRailDay(rail: Rail, date: IsoDate, extra: readonly IsoDate[] = []): IsoDate {
  let day = date;
  while (closedBecause(rail, day, extra) !== null) day = addDays(day, 1);
  return day;
}

/** The n-th settlement day after a day (before it, for a negative n); the day itself never counts. */
export function railDaysFrom(rail: Rail, date: IsoDate, n: number, extra: readonly IsoDate[] = []): IsoDate {
  const step = n < 0 ? -1 : 1;
  let day = date;
  for (let left = Math.abs(n); left > 0;) {
    day = addDays(day, step);
    if (closedBecause(rail, day, extra) === null) left -= 1;
  }
  return day;
}

/**
 * Settlement days between handing the file in and the value date. NACHA and SEPA: the next one, or the same on request;
 * BACS: input, processing, entry.
 */
const LEAD_DAYS: Readonly<Record<Rail, number>> = { nacha: 1, sepa: 1, bacs: 2 };

export interface ValueDay {
  value_on: IsoDate;
  /** Says why it is another day than the one asked for; null where it is the same. */
  moved: string | null;
}

const RAILS: Readonly<Partial<Record<PayoutMethod, Rail>>> = { ach: 'nacha', sepa: 'sepa', bacs: 'bacs' };

/** The rail whose settlement days a method of payment keeps; null of wires, which a person enters, and of checks. */
export const railOf = (method: PayoutMethod): Rail | null => RAILS[method] ?? null;

/** The day asked for, or the next on which the rail settles; its file may be handed in too late for it. */
export function settlementDay(rail: Rail, wanted: IsoDate, extra: readonly IsoDate[] = []): ValueDay {
  const value_on = nextRailDay(rail, wanted, extra);
  return { value_on, moved: value_on === wanted ? null
    : `${wordsOf(rail, wanted)} is not a settlement day (${closedBecause(rail, wanted, extra)}).` };
}

const wordsOf = (rail: Rail, day: IsoDate): string => dateFor(rail === 'nacha' ? 'en-US' : 'en-GB', day);

/** The last day on which the bank takes the file for a value date, which is a settlement day. */
export function handInBy(
  rail: Rail, value_on: IsoDate, { same_day = false, extra = [] as readonly IsoDate[] } = {},
): IsoDate {
  return same_day && rail !== 'bacs' ? value_on : railDaysFrom(rail, value_on, -LEAD_DAYS[rail], extra);
}

/** The value date of a file that is handed in on `exported_on`: never in the past, on a weekend or on a holiday. */
export function valueDay(
  rail: Rail, wanted: IsoDate, exported_on: IsoDate, { same_day = false, extra = [] as readonly IsoDate[] } = {},
): ValueDay {
  const handed = nextRailDay(rail, exported_on, extra);
  const earliest = same_day && rail !== 'bacs' ? handed : railDaysFrom(rail, handed, LEAD_DAYS[rail], extra);
  const settles = settlementDay(rail, wanted, extra);
  if (diffDays(settles.value_on, earliest) <= 0) return settles;
  return { value_on: earliest, moved: `A file written on ${wordsOf(rail, exported_on)} settles on ${
    wordsOf(rail, earliest)} at the earliest.` };
}
