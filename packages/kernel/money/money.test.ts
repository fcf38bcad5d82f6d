import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyPpm, decimalPrice, divHalfAway, minorOf } from './money.ts';

it.each([[1n, 2n, 1n], [-1n, 2n, -1n], [1n, -2n, -1n], [-1n, -2n, 1n], [3n, 2n, 2n], [-3n, 2n, -2n], [-5n, 4n, -1n],
  [-7n, 4n, -2n], [1n, 3n, 0n], [-2n, 3n, -1n]])('%d by %d is %d: half away from zero', (numerator, by, result) => {
  expect(divHalfAway(numerator, by)).toBe(result);
});

it('a credit rounds to the exact mirror of what it credits', () => {
  const amount = fc.bigInt({ min: 0n, max: 1_000_000_000_000n });
  fc.assert(fc.property(amount, fc.bigInt({ min: 0n, max: 1_000_000n }), (minor, ppm) => {
    expect(applyPpm(-minor, ppm)).toBe(-applyPpm(minor, ppm));
  }));
});

it('a decimal price is minor units and back, for every amount with two decimals', () => {
  expect([0, 12.5, 0.07, 1.005, 4.35, 19.99, 1_234_567.89].map(minorOf))
    .toEqual([0, 1_250, 7, 100, 435, 1_999, 123_456_789]);
  fc.assert(fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (minor) => {
    expect(minorOf(decimalPrice(minor))).toBe(minor);
  }));
});
