import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays, addMonths, businessDaysAfter, dateInWords, dayOfWeek, diffDays, endOfMonth, fromDayNumber, isIsoDate,
  maxDate, minDate, period, startOfWeek, toDayNumber,
} from './calendar.ts';

const day = fc.integer({ min: toDayNumber('0001-02-01'), max: toDayNumber('9998-12-31') }).map(fromDayNumber);

describe('calendar days', () => {
  it('knows which days exist', () => {
    expect(['2028-02-29', '2000-02-29', '2026-12-31'].every(isIsoDate)).toBe(true);
    expect(['2026-02-29', '1900-02-29', '2026-13-01', '2026-04-31', '2026-4-1', '', '0000-01-01'].some(isIsoDate))
      .toBe(false);
    expect(() => addDays('2026-02-30', 1)).toThrow(RangeError);
  });

  it('adds days over month, year and leap day', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(diffDays('2026-04-01', '2027-04-01')).toBe(365);
    expect(toDayNumber('1970-01-01')).toBe(0);
  });

  it('adds months and keeps to the last day where the month is shorter', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
    expect(addMonths('2026-11-15', 3)).toBe('2027-02-15');
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
  });

  it('knows the weekday and the start of the week', () => {
    expect(dayOfWeek('2026-11-21')).toBe(6);
    expect(dayOfWeek('1970-01-01')).toBe(4);
    expect(startOfWeek('2026-11-22')).toBe('2026-11-16');
    expect(startOfWeek('2026-11-16')).toBe('2026-11-16');
    expect(startOfWeek('2026-11-22', 0)).toBe('2026-11-22');
  });

  it('counts business days without weekends and holidays', () => {
    expect(businessDaysAfter('2026-11-20', 1, [])).toBe('2026-11-23');
    expect(businessDaysAfter('2026-11-24', 2, ['2026-11-26'])).toBe('2026-11-27');
    expect(businessDaysAfter('2026-11-21', 0, [])).toBe('2026-11-21');
    expect(businessDaysAfter('2026-06-06', 35, [])).toBe('2026-07-24');
  });

  it('names period, end of month, earlier and later, and writes the month in words', () => {
    expect(period('2026-04-03')).toBe(202604);
    expect(endOfMonth('2028-02-03')).toBe('2028-02-29');
    expect(minDate('2026-04-03', '2026-01-09')).toBe('2026-01-09');
    expect(maxDate('2026-04-03', '2026-01-09')).toBe('2026-04-03');
    expect(dateInWords('2026-04-03')).toBe('April 3, 2026');
  });

  it('goes there and back for every day (property)', () => {
    fc.assert(fc.property(day, fc.integer({ min: -20_000, max: 20_000 }), (date, n) => {
      const number = toDayNumber(date) + n;
      fc.pre(number >= toDayNumber('0001-01-01') && number <= toDayNumber('9999-12-31'));
      const moved = addDays(date, n);
      expect(isIsoDate(moved)).toBe(true);
      expect(diffDays(date, moved)).toBe(n);
      expect(moved > date).toBe(n > 0);
      expect((dayOfWeek(date) + n) % 7 - dayOfWeek(moved)).toSatisfy((x: number) => x % 7 === 0);
    }));
  });
});
