/** Customers are counted, not their debts. */
import { expect, test } from 'vitest';
import { agingBucket, customersOwing } from './aging.ts';

const row = (customer_id: number, currency: string, ages: readonly number[]) => ({ customer_id, currency,
  current_minor: ages[0]!, days_1_30_minor: ages[1]!, days_31_60_minor: ages[2]!, days_61_90_minor: ages[3]!,
  days_91_minor: ages[4]! });

test('a customer with debts of several ages is one of the total and one of each age', () => {
  const rows = [row(1, 'USD', [100, 0, 200, 0, 5]), row(2, 'USD', [0, 0, 300, 0, 0]), row(3, 'USD', [0, 0, 0, 0, 0]),
    row(1, 'EUR', [100, 0, 0, 0, 0])];
  const ages = ['current', 'days_1_30', 'days_31_60', 'days_61_90', 'days_91'] as const;
  expect(ages.map((age) => customersOwing(rows, 'USD', age))).toEqual([1, 0, 2, 0, 1]);
  expect(customersOwing(rows, 'USD')).toBe(2);
  expect(customersOwing(rows, 'EUR')).toBe(1);
});

test.each([['2026-06-29', 'current'], ['2026-06-30', 'current'], ['2026-07-01', 'days_1_30'],
  ['2026-07-30', 'days_1_30'], ['2026-07-31', 'days_31_60'], ['2026-08-29', 'days_31_60'],
  ['2026-08-30', 'days_61_90'], ['2026-09-28', 'days_61_90'], ['2026-09-29', 'days_91']])(
  'on %s what was due on June 30 is %s', (day, bucket) => {
    expect(agingBucket('2026-06-30', day)).toBe(bucket);
  });
