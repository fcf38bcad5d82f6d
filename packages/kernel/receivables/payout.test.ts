/** Components and postings of a payout. */
import { expect, test } from 'vitest';
import { payoutLines, payoutSums, returnedPayoutLines, type BalanceLine } from './payout.ts';

const line = (type: string, amount: bigint, fee = 0n): BalanceLine => ({ id: `${type}_${amount}`, type,
  amount_minor: amount, fee_minor: fee, net_minor: amount - fee });
const EXAMPLE = [line('charge', 128_400n, 3_754n), line('payment', 50_000n, 1_466n), line('refund', -20_000n),
  line('payout', -153_180n)];

test('charges 1,284.00 and 500.00, fees 52.20, refund 200.00: 1,531.80 at the bank', () => {
  const sums = payoutSums(153_180n, EXAMPLE);
  expect(sums).toMatchObject({ cleared_minor: 158_400n, fee_minor: 5_220n, problem: null });
  expect(payoutLines({ bank: '1000', paid_minor: 153_180n, fee_minor: sums.fee_minor })).toEqual([
    { account: '1000', amount_minor: 153_180n }, { account: '6100', amount_minor: 5_220n },
    { account: '1020', amount_minor: -158_400n }]);
});

test('a monthly fee is a fee, a dispute takes what it booked', () => {
  const sums = payoutSums(128_400n - 3_754n - 47n - 51_500n,
    [EXAMPLE[0]!, line('stripe_fee', -47n), line('adjustment', -50_000n, 1_500n)]);
  expect(sums).toMatchObject({ fee_minor: 3_801n, cleared_minor: 76_900n, problem: null });
});

test('a line of another kind and a rest are named, never silent', () => {
  expect(payoutSums(100n, [line('topup', 100n)]).problem).toContain('topup');
  expect(payoutSums(101n, [line('charge', 100n)]).problem).toBe('Its lines come to 100, the payout to 101');
});

test('a payout that came back is with the processor again', () => {
  expect(returnedPayoutLines({ bank: '1000', paid_minor: 500n })).toEqual([
    { account: '1020', amount_minor: 500n }, { account: '1000', amount_minor: -500n }]);
});
