/** Disputes of card payments: their state, and what they took. */
import { expect, test } from 'vitest';
import { disputeMoney, disputeState, isOpenDispute } from './dispute.ts';

test.each([
  ['warning_needs_response', 'inquiry'], ['warning_under_review', 'inquiry'], ['warning_closed', 'closed'],
  ['needs_response', 'needs_response'], ['under_review', 'under_review'], ['won', 'won'], ['lost', 'lost'],
  ['a word of next year', 'needs_response'],
])('the processor says %s: %s', (said, state) => {
  expect(disputeState(said)).toBe(state);
});

test('only what the bank has still to decide is open: an inquiry took nothing', () => {
  expect((['inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed'] as const).filter(isOpenDispute))
    .toEqual(['needs_response', 'under_review']);
});

test('1,284.00 and a fee of 15.00 are taken; won: the money is back and the fee stays', () => {
  const taken = { amount_minor: -128_400n, fee_minor: 1_500n };
  expect(disputeMoney([])).toEqual({ taken_minor: 0n, fee_minor: 0n });
  expect(disputeMoney([taken])).toEqual({ taken_minor: 128_400n, fee_minor: 1_500n });
  expect(disputeMoney([taken, { amount_minor: 128_400n, fee_minor: 0n }])).toEqual({ taken_minor: 0n,
    fee_minor: 1_500n });
  expect(disputeMoney([taken, { amount_minor: 128_400n, fee_minor: -1_500n }])).toEqual({ taken_minor: 0n,
    fee_minor: 0n });
});
