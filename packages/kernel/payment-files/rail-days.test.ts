import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, diffDays } from '../calendar/calendar.ts';
import type { Rail } from './payment-batch.ts';
import { closedBecause, easterSunday, handInBy, nextRailDay, railDaysFrom, railHolidays, valueDay }
  from './rail-days.ts';

const days = (rail: Rail, year: number): string => railHolidays(rail, year).map(({ on }) => on.slice(5)).join(' ');

test('Easter', () => {
  const years = [1818, 1954, 2000, 2024, 2025, 2026, 2027, 2038, 2285];
  expect(years.map((year) => easterSunday(year))).toEqual(['1818-03-22', '1954-04-18', '2000-04-23', '2024-03-31',
    '2025-04-20', '2026-04-05', '2027-03-28', '2038-04-25', '2285-03-22']);
});

describe('holidays by rule', () => {
  test('the Federal Reserve keeps a Sunday on Monday and does not move a Saturday', () => {
    expect(days('nacha', 2026)).toBe('01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25');
    expect(closedBecause('nacha', '2026-07-03')).toBeNull();
    expect(closedBecause('nacha', '2027-07-05')).toBe('Independence Day');
    expect(closedBecause('nacha', '2021-06-18')).toBeNull();
  });

  test('TARGET has six days and moves none', () => {
    expect(days('sepa', 2026)).toBe('01-01 04-03 04-06 05-01 12-25 12-26');
    expect(closedBecause('sepa', '2027-12-27')).toBeNull();
  });

  test.each([
    [2022, '01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27'],
    [2023, '01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26'],
    [2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
    [2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
    [2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
    [2033, '01-03 04-15 04-18 05-02 05-30 08-29 12-26 12-27'],
  ])('England in %d, substitute days and proclaimed ones included', (year, expected) => {
    expect(days('bacs', year)).toBe(expected);
  });

  test('a day proclaimed later is handed over', () => {
    expect(closedBecause('bacs', '2030-06-12')).toBeNull();
    expect(closedBecause('bacs', '2030-06-12', ['2030-06-12'])).toBe('bank holiday');
  });
});

describe('the value date', () => {
  test('a NACHA file of 25 November 2026 is for the 27th: the 26th is Thanksgiving', () => {
    expect(valueDay('nacha', '2026-11-26', '2026-11-25').value_on).toBe('2026-11-27');
    expect(valueDay('nacha', '2026-11-25', '2026-11-25', { same_day: true }))
      .toEqual({ value_on: '2026-11-25', moved: null });
    expect(valueDay('nacha', '2026-11-26', '2026-11-25', { same_day: true }).moved)
      .toBe('November 26, 2026 is not a settlement day (Thanksgiving Day).');
  });

  test('BACS takes input, processing and entry; a past day is moved', () => {
    expect(valueDay('bacs', '2026-11-20', '2026-11-26').value_on).toBe('2026-11-30');
    expect(valueDay('bacs', '2026-11-20', '2026-11-26').moved)
      .toBe('A file written on 26 November 2026 settles on 30 November 2026 at the earliest.');
    expect(valueDay('bacs', '2026-12-25', '2026-11-26').value_on).toBe('2026-12-29');
  });

  test('SEPA steps over Christmas', () => {
    expect(valueDay('sepa', '2026-12-25', '2026-12-24').value_on).toBe('2026-12-28');
  });

  test.each<[Rail, string, string, string, string]>([
    // A Monday; a Friday before a weekend; a Saturday; the day before a holiday of the rail.
    ['nacha', '2026-11-23', '2026-11-24', '2026-11-20', '2026-11-23'],
    ['nacha', '2026-11-20', '2026-11-23', '2026-11-19', '2026-11-20'],
    ['nacha', '2026-11-21', '2026-11-24', '2026-11-20', '2026-11-23'],
    ['nacha', '2026-11-25', '2026-11-27', '2026-11-24', '2026-11-25'],
    ['sepa', '2026-11-23', '2026-11-24', '2026-11-20', '2026-11-23'],
    ['sepa', '2026-11-20', '2026-11-23', '2026-11-19', '2026-11-20'],
    ['sepa', '2026-11-21', '2026-11-24', '2026-11-20', '2026-11-23'],
    ['sepa', '2026-04-02', '2026-04-07', '2026-04-01', '2026-04-02'],
    ['bacs', '2026-11-23', '2026-11-25', '2026-11-19', '2026-11-25'],
    ['bacs', '2026-11-20', '2026-11-24', '2026-11-18', '2026-11-24'],
    ['bacs', '2026-11-21', '2026-11-25', '2026-11-19', '2026-11-25'],
    ['bacs', '2026-05-21', '2026-05-26', '2026-05-19', '2026-05-26'],
  ])('%s: a file of %s settles on %s, one for then was handed in on %s', (rail, written, earliest, handed, sameDay) => {
    expect(valueDay(rail, written, written).value_on).toBe(earliest);
    expect(valueDay(rail, written, written, { same_day: true }).value_on).toBe(sameDay);
    // Hand-in day of a file that settles on the day of writing, or on the next settlement day.
    expect(handInBy(rail, nextRailDay(rail, written))).toBe(handed);
  });

  test('is a settlement day, never before the export and never before the wish', () => {
    const day = fc.integer({ min: 0, max: 40_000 }).map((n) => addDays('1990-01-01', n));
    fc.assert(fc.property(fc.constantFrom<Rail>('nacha', 'sepa', 'bacs'), day, day, fc.boolean(),
      (rail, wanted, exported, same_day) => {
        const { value_on } = valueDay(rail, wanted, exported, { same_day });
        expect(closedBecause(rail, value_on)).toBeNull();
        expect(value_on >= wanted && value_on >= exported).toBe(true);
        expect(diffDays(value_on > wanted && value_on > exported ? (wanted > exported ? wanted : exported) : value_on,
          value_on)).toBeLessThan(12);
        expect(nextRailDay(rail, value_on)).toBe(value_on);
        // Handed in on its last day it settles on that day; a day later it does not.
        const last = handInBy(rail, value_on, { same_day });
        expect(valueDay(rail, value_on, last, { same_day }).value_on).toBe(value_on);
        expect(valueDay(rail, value_on, addDays(last, 1), { same_day }).value_on > value_on).toBe(true);
        expect(railDaysFrom(rail, railDaysFrom(rail, value_on, 3), -3)).toBe(value_on);
      }), { numRuns: 300 });
  });
});
