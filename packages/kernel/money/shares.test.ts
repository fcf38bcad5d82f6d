import { describe, expect, it } from 'vitest';
import { sharesOf } from './shares.ts';

describe('shares of a total', () => {
  it.each([
    [[100, 100, 100], ['33.4%', '33.3%', '33.3%']],
    [[6_945, 5_430, 1_270], ['50.9%', '39.8%', '9.3%']],
    [[1, 1, 1, 1, 1, 1], ['16.7%', '16.7%', '16.7%', '16.7%', '16.6%', '16.6%']],
    [[900_000_000_000, 1, 0], ['100.0%', '0.0%', '0.0%']],
    [[500, -200, 500], ['50.0%', '0.0%', '50.0%']],
    [[0, 0], ['0.0%', '0.0%']], [[], []],
  ])('of %j are %j, together the whole', (amounts, shares) => {
    expect(sharesOf(amounts)).toEqual(shares);
    const tenths = sharesOf(amounts).reduce((sum, share) => sum + Number(share.replace(/[.%]/g, '')), 0);
    expect(tenths).toBe(amounts.some((amount) => amount > 0) ? 1_000 : 0);
  });
});
