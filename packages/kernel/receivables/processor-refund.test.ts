/** Refunds by the card processor: their state, and what of a charge may still go back. */
import { expect, test } from 'vitest';
import { refundableMinor, refundState } from './processor-refund.ts';

test.each([
  ['pending', 'sent'], ['requires_action', 'sent'], ['a word of next year', 'sent'], [null, 'sent'],
  ['succeeded', 'succeeded'], ['failed', 'failed'], ['canceled', 'failed'],
])('the processor says %s: %s', (said, state) => {
  expect(refundState(said)).toBe(state);
});

test('of 1,284.00, with 200.00 gone, 84.00 asked for, 300.00 failed and 500.00 withdrawn: 1,000.00', () => {
  expect(refundableMinor(128_400n, [
    { amount_minor: 20_000n, status: 'succeeded' }, { amount_minor: 8_400n, status: 'waiting' },
    { amount_minor: 30_000n, status: 'failed' }, { amount_minor: 50_000n, status: 'withdrawn' },
  ])).toBe(100_000n);
});

test('never below zero, whatever somebody refunded at the processor', () => {
  expect(refundableMinor(100n, [{ amount_minor: 60n, status: 'approved' }, { amount_minor: 60n, status: 'succeeded' }]))
    .toBe(0n);
});
