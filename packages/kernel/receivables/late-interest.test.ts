import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../calendar/calendar.ts';
import { lateInterest, openDays, type LateDebt } from './late-interest.ts';

const debt = (more: Partial<LateDebt> = {}): LateDebt => ({ due_on: '2026-03-31', principal_minor: 200_000n,
  settlements: [], rate: { ppm: 10_000n, per: 'month' }, ...more });
const total = (of: LateDebt, from_on: string, to_on: string): bigint =>
  lateInterest(of, { from_on, to_on }).reduce((all, step) => all + step.interest_minor, 0n);

describe('interest on late payment', () => {
  test('2,000.00 thirty days late at 1% a month: 2,000.00 × 12% × 30 ÷ 365 = 19.73', () => {
    expect(lateInterest(debt(), { from_on: '2026-04-01', to_on: '2026-04-30' })).toEqual([{ from_on: '2026-04-01',
      to_on: '2026-04-30', days: 30, principal_minor: 200_000n, interest_minor: 1_973n }]);
  });

  test('a yearly rate of 11.75% for 146 days is two fifths of it, leap year or not', () => {
    const rate = { ppm: 117_500n, per: 'year' } as const;
    expect(total(debt({ rate }), '2026-04-01', '2026-08-24')).toBe(9_400n);
    expect(total(debt({ rate, due_on: '2027-12-31' }), '2028-01-01', '2028-05-25')).toBe(9_400n);
  });

  test('a part payment lowers the principal from the day after it', () => {
    const steps = lateInterest(debt({ settlements: [{ on: '2026-04-10', amount_minor: 150_000n }] }),
      { from_on: '2026-04-01', to_on: '2026-04-30' });
    expect(steps.map(({ from_on, to_on, days, principal_minor, interest_minor }) =>
      [from_on, to_on, days, principal_minor, interest_minor])).toEqual([
      ['2026-04-01', '2026-04-10', 10, 200_000n, 658n], ['2026-04-11', '2026-04-30', 20, 50_000n, 328n]]);
  });

  test('none before the due date has passed, none after the last payment, none on what was paid in time', () => {
    expect(total(debt(), '2026-03-01', '2026-03-31')).toBe(0n);
    const paid = debt({ settlements: [{ on: '2026-03-20', amount_minor: 100_000n },
      { on: '2026-04-05', amount_minor: 100_000n }] });
    expect(lateInterest(paid, { from_on: '2026-04-01', to_on: '2026-06-30' })).toEqual([{ from_on: '2026-04-01',
      to_on: '2026-04-05', days: 5, principal_minor: 100_000n, interest_minor: 164n }]);
  });

  test('the parts of a period add up to the whole', () => {
    const day = fc.integer({ min: 0, max: 400 });
    fc.assert(fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 300_000n), fc.constantFrom('month', 'year'),
      fc.array(fc.tuple(day, fc.bigInt(1n, 10n ** 9n)), { maxLength: 5 }), fc.array(day, { maxLength: 6 }),
      (principal_minor, ppm, per, paid, cuts) => {
        const of = debt({ principal_minor, rate: { ppm, per }, settlements: paid.map(([days, amount_minor]) =>
          ({ on: addDays('2026-03-31', days), amount_minor })) });
        const ends = [...new Set([...cuts, 400])].sort((a, b) => a - b);
        let from = 1;
        let parts = 0n;
        for (const end of ends.filter((one) => one > 0)) {
          parts += total(of, addDays('2026-03-31', from), addDays('2026-03-31', end));
          from = end + 1;
        }
        expect(parts).toBe(total(of, '2026-04-01', addDays('2026-03-31', 400)));
      }));
  });

  test('days that are billed or waived are left out', () => {
    const range = { from_on: '2026-04-01', to_on: '2026-04-30' };
    expect(openDays(range, [])).toEqual([range]);
    expect(openDays(range, [{ from_on: '2026-04-11', to_on: '2026-04-20' }, { from_on: '2026-03-01',
      to_on: '2026-04-05' }])).toEqual([{ from_on: '2026-04-06', to_on: '2026-04-10' },
      { from_on: '2026-04-21', to_on: '2026-04-30' }]);
    expect(openDays(range, [{ from_on: '2026-04-01', to_on: '2026-05-20' }])).toEqual([]);
  });
});
