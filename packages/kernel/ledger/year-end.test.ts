import fc from 'fast-check';
import { expect, it } from 'vitest';
import { yearEndLines } from './year-end.ts';

it('moves income less expense to retained earnings (accounting.md 2.2, event 28)', () => {
  expect(yearEndLines([{ account: '4000', minor: -100_000n }, { account: '5000', minor: 0n },
    { account: '6200', minor: 90_000n }], '3100')).toEqual([{ account: '4000', minor: 100_000n },
    { account: '6200', minor: -90_000n }, { account: '3100', minor: -10_000n }]);
  expect(yearEndLines([{ account: '4000', minor: 0n }], '3100')).toEqual([]);
});

it('balances, and leaves every account at zero', () => {
  const balances = fc.uniqueArray(fc.record({ account: fc.integer({ min: 4000, max: 7999 }).map(String),
    minor: fc.bigInt({ min: -9_999n, max: 9_999n }) }), { selector: (one) => one.account });
  fc.assert(fc.property(balances, (of) => {
    const lines = yearEndLines(of, '3100');
    expect(lines.reduce((total, line) => total + line.minor, 0n)).toBe(0n);
    for (const { account, minor } of of) {
      expect(minor + (lines.find((line) => line.account === account)?.minor ?? 0n)).toBe(0n);
    }
  }));
});
