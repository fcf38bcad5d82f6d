import { describe, expect, it } from 'vitest';
import { dayWithin, positionOn, repeatedOn, type Repetition } from './repetition.ts';

const days = (of: Repetition, count: number): string[] => Array.from({ length: count }, (_, k) => repeatedOn(of, k));

describe('a day that comes again', () => {
  it('takes the last day of a short month, and its own day again after it', () => {
    expect(days({ starts_on: '2027-01-31', every_count: 1, every_unit: 'month' }, 4))
      .toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
    expect(days({ starts_on: '2028-02-29', every_count: 1, every_unit: 'year' }, 5))
      .toEqual(['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']);
  });

  it('is counted in weeks, months, quarters and years', () => {
    expect(days({ starts_on: '2026-12-24', every_count: 2, every_unit: 'week' }, 3))
      .toEqual(['2026-12-24', '2027-01-07', '2027-01-21']);
    expect(days({ starts_on: '2026-11-30', every_count: 1, every_unit: 'quarter' }, 3))
      .toEqual(['2026-11-30', '2027-02-28', '2027-05-30']);
  });

  it('skips to the first day that is not over', () => {
    const monthly: Repetition = { starts_on: '2026-01-31', every_count: 1, every_unit: 'month' };
    expect(positionOn(monthly, 1, '2026-04-30')).toBe(3);
    expect(positionOn(monthly, 1, '2026-05-01')).toBe(4);
    expect(positionOn(monthly, 6, '2026-05-01')).toBe(6);
  });

  it('ends after its last day or its number of times', () => {
    const monthly: Repetition = { starts_on: '2026-01-31', every_count: 1, every_unit: 'month' };
    expect(dayWithin(monthly, 1, { ends_on: '2026-02-28', times: null, made: 1 })).toBe('2026-02-28');
    expect(dayWithin(monthly, 2, { ends_on: '2026-02-28', times: null, made: 2 })).toBeNull();
    expect(dayWithin(monthly, 2, { ends_on: null, times: 2, made: 1 })).toBe('2026-03-31');
    expect(dayWithin(monthly, 2, { ends_on: null, times: 2, made: 2 })).toBeNull();
  });
});
