import { describe, expect, it } from 'vitest';
import { openingLines } from './opening.ts';

const plain = (of: Parameters<typeof openingLines>[0]) =>
  openingLines(of).map((line) => [line.account, line.amount_minor, line.functional_minor]);

describe('what an agreement brings forward', () => {
  it('1,250.00 owed and 3,000.00 unrecouped stand against 3999, at the rate of the day', () => {
    expect(plain({ balance_minor: 125_000n, unrecouped_minor: 300_000n, rate: '1.25' })).toEqual([
      ['3999', 125_000n, 156_250n], ['2200', -125_000n, -156_250n],
      ['1150', 300_000n, 375_000n], ['3999', -300_000n, -375_000n],
    ]);
  });

  it('a royaltor who owes us is a debit of 2200; nothing open posts nothing', () => {
    expect(plain({ balance_minor: -4_550n, unrecouped_minor: 0n, rate: '1' }))
      .toEqual([['3999', -4_550n, -4_550n], ['2200', 4_550n, 4_550n]]);
    expect(plain({ balance_minor: 0n, unrecouped_minor: 0n, rate: '1' })).toEqual([]);
  });
});
