import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayOfWeek, type DayOfWeek } from '../calendar/calendar.ts';
import {
  bySeriesTime, expandSeries, MOST_PERFORMANCES, newRows, sameTime, type PerformanceSeries, type SeriesRow,
} from './performance-series.ts';

const EVENINGS = { weekdays: [4, 5, 6] as DayOfWeek[], local_time: '19:30', type: 'public' };
const MATINEES = { weekdays: [6] as DayOfWeek[], local_time: '14:00', type: 'matinee' };
const rowsOf = (series: PerformanceSeries): readonly SeriesRow[] => {
  const result = expandSeries(series);
  if ('problem' in result) throw new Error(result.text);
  return result.rows;
};
const problemOf = (series: PerformanceSeries): string => {
  const result = expandSeries(series);
  return 'problem' in result ? result.problem : '';
};

describe('a series of performances', () => {
  it('is Thursday to Saturday with a Saturday matinee: 16 performances over the end of daylight saving time', () => {
    const rows = rowsOf({ from: '2026-10-22', to: '2026-11-14', times: [EVENINGS, MATINEES] });
    expect(rows).toHaveLength(16);
    expect(rows.slice(0, 4).map((row) => `${row.local_date} ${row.local_time} ${row.type}`)).toEqual([
      '2026-10-22 19:30 public', '2026-10-23 19:30 public', '2026-10-24 14:00 matinee', '2026-10-24 19:30 public']);
    expect(new Set(rows.filter((row) => row.type === 'public').map((row) => row.local_time))).toEqual(
      new Set(['19:30']));
  });

  it('leaves out the days that are excepted, and takes first and last day once', () => {
    const rows = rowsOf({ from: '2026-10-22', to: '2026-11-14', times: [EVENINGS, MATINEES], except: ['2026-10-31'] });
    expect(rows).toHaveLength(14);
    expect(rows.filter((row) => row.local_date === '2026-11-14').map((row) => row.type)).toEqual(['matinee', 'public']);
    expect(rowsOf({ from: '2026-10-22', to: '2026-10-22', times: [EVENINGS] })).toHaveLength(1);
  });

  it('crosses the end of a month, of a year and February 29', () => {
    const daily = { weekdays: [0, 1, 2, 3, 4, 5, 6] as DayOfWeek[], local_time: '20:00', type: 'public' };
    expect(rowsOf({ from: '2028-02-27', to: '2028-03-01', times: [daily] }).map((row) => row.local_date))
      .toEqual(['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01']);
    expect(rowsOf({ from: '2026-12-31', to: '2027-01-01', times: [daily] })).toHaveLength(2);
  });

  it('says what is missing, and refuses 400 performances', () => {
    const daily = { weekdays: [0, 1, 2, 3, 4, 5, 6] as DayOfWeek[], local_time: '20:00', type: 'public' };
    expect(problemOf({ from: '', to: '2026-11-14', times: [EVENINGS] })).toBe('dates');
    expect(problemOf({ from: '2026-11-14', to: '2026-10-22', times: [EVENINGS] })).toBe('order');
    expect(problemOf({ from: '2026-10-22', to: '2026-11-14', times: [] })).toBe('times');
    expect(problemOf({ from: '2026-10-22', to: '2026-11-14', times: [{ ...EVENINGS, local_time: '7:30' }] }))
      .toBe('times');
    expect(problemOf({ from: '2026-10-25', to: '2026-10-26', times: [EVENINGS] })).toBe('empty');
    const result = expandSeries({ from: '2026-01-01', to: '2027-02-04', times: [daily] });
    expect(result).toMatchObject({ problem: 'too_many',
      text: '400 performances: one application takes at most 300. Write to us about a longer run.' });
  });

  it('has every day of its weekdays once and in order, and adds nothing twice (property)', () => {
    const times = fc.array(fc.record({ weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      local_time: fc.constantFrom('11:00', '14:00', '19:30', '22:45'), type: fc.constantFrom('public', 'matinee') }),
    { minLength: 1, maxLength: 3 });
    fc.assert(fc.property(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 0, max: 90 }), times,
      (start, length, entries) => {
        const from = addDays('2024-01-01', start);
        const series = { from, to: addDays(from, length), times: entries as PerformanceSeries['times'] };
        const result = expandSeries(series);
        const rows = 'rows' in result ? result.rows : [];
        expect([...rows].sort(bySeriesTime)).toEqual(rows);
        expect(sameTime(rows)).toBe(-1);
        expect(rows.length).toBeLessThanOrEqual(MOST_PERFORMANCES);
        expect(rows.every((row) => row.local_date >= from && row.local_date <= series.to && series.times.some((time) =>
          time.weekdays.includes(dayOfWeek(row.local_date)) && time.local_time === row.local_time))).toBe(true);
        expect(newRows(rows, rows)).toEqual([]);
      }));
  });
});

describe('one performance at a time', () => {
  it('finds the second at the same hour, whatever its type; a stream goes on beside its performance', () => {
    const at = (local_time: string, type: string) => ({ local_date: '2027-03-06', local_time, type });
    expect(sameTime([at('14:00', 'matinee'), at('19:30', 'public')])).toBe(-1);
    expect(sameTime([at('19:30', 'matinee'), at('19:30', 'public')])).toBe(1);
    expect(sameTime([at('19:30', 'public'), at('19:30', 'stream_live')])).toBe(-1);
    expect(sameTime([at('19:30', 'stream_live'), at('19:30', 'stream_live')])).toBe(1);
  });
});
