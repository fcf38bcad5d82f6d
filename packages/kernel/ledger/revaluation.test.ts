import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../money/money.ts';
import { checkBalanced } from './journal.ts';
import { gainOf, gainsOfItems, isMonthEnd, isRateOf, reversedOn, revaluationLines } from './revaluation.ts';

describe('the worked example of accounting.md 2.2, event 20', () => {
  const receivable = { account: '1100', currency: 'EUR', party: { type: 'customer', id: 7 }, balance: 60_000n,
    carried: 66_000n } as const;

  it('loses 12.00 on EUR 600.00 at 1.08, and gains 12.00 of the month at 1.12 after it was taken back', () => {
    expect(gainOf(receivable, '1.08')).toBe(-1_200n);
    expect(gainOf(receivable, '1.12')).toBe(1_200n);
    expect(revaluationLines([{ ...receivable, gain: -1_200n }], 'USD')).toEqual([
      { account: '1100', currency: 'EUR', amount: 0n, base: -1_200n, party: { type: 'customer', id: 7 } },
      { account: '7010', currency: 'USD', amount: 1_200n, base: 1_200n, memo: '1100 EUR' }]);
  });

  it('finds nothing the second time, and the difference after the rate changed', () => {
    expect(gainOf({ ...receivable, carried: 64_800n }, '1.08')).toBe(0n);
    expect(gainOf({ ...receivable, carried: 64_800n }, '1.09')).toBe(600n);
  });
});

it('a debt that grows is a loss', () => {
  expect(gainOf({ balance: -10_000n, carried: -12_700n }, '1.30')).toBe(-300n);
});

it('a rate of the weekend before values a Sunday, one of the week before does not', () => {
  expect([isRateOf('2026-05-31', '2026-05-29'), isRateOf('2026-05-31', '2026-05-25'),
    isRateOf('2026-05-31', '2026-06-01')]).toEqual([true, false, false]);
  expect([isMonthEnd('2028-02-29'), isMonthEnd('2028-02-28'), reversedOn('2026-12-31')])
    .toEqual([true, false, '2027-01-01']);
});

describe('whatever is revalued', () => {
  const gains = fc.array(fc.record({ account: fc.constantFrom('1001', '1100', '2000'),
    currency: fc.constantFrom('EUR', 'GBP'), party: fc.constant(null), gain: fc.bigInt(-9_999n, 9_999n) }));

  it('the posting balances', () => {
    fc.assert(fc.property(gains, (list) => {
      const lines = revaluationLines(list, 'USD');
      if (lines.length === 0) return;
      expect(checkBalanced({ division: 'US', kind: 'revaluation', lines })).toEqual({ ok: true });
    }));
  });

  it('the items have what their balance gains', () => {
    const items = fc.array(fc.record({ open: fc.bigInt(-99_999n, 99_999n), carried: fc.bigInt(-99_999n, 99_999n) }),
      { minLength: 1 });
    fc.assert(fc.property(fc.bigInt(-99_999n, 99_999n), items, (gain, list) => {
      expect(sum(gainsOfItems(gain, list, '1.2345'))).toBe(gain);
    }));
  });
});
