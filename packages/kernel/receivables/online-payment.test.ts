/** Status of a payment by card or bank debit, and the part of it that counts. */
import { describe, expect, test } from 'vitest';
import { chargeProblem, isOver, onlineMethods, onlineState, type CheckoutFacts } from './online-payment.ts';

const facts = (over: Partial<CheckoutFacts>): CheckoutFacts => ({ session_status: 'open', payment_status: 'unpaid',
  intent_status: null, amount_minor: 128_400n, currency: 'USD', ...over });

describe('ways of paying online', () => {
  test.each([
    ['US', 'USD', 'card ach'], ['PROD', 'USD', 'card ach'], ['UK', 'GBP', 'card bacs'], ['EU', 'EUR', 'card sepa'],
    ['US', 'EUR', ''], ['UK', 'USD', ''],
  ])('%s in %s offers %s', (division, currency, offered) => {
    expect(onlineMethods(division, currency).join(' ')).toBe(offered);
  });
});

describe('state of an online payment', () => {
  test.each<[string, Partial<CheckoutFacts>, string]>([
    ['a checkout nobody has finished', {}, 'open'],
    ['a declined card, the checkout still open', { intent_status: 'requires_payment_method' }, 'open'],
    ['a card that was charged', { session_status: 'complete', payment_status: 'paid', intent_status: 'succeeded' },
      'paid'],
    ['a bank debit that was begun', { session_status: 'complete', intent_status: 'processing' }, 'processing'],
    ['a bank debit that the bank paid', { session_status: 'complete', payment_status: 'paid',
      intent_status: 'succeeded' }, 'paid'],
    ['a bank debit that the bank refused', { session_status: 'complete', intent_status: 'requires_payment_method' },
      'failed'],
    ['a bank debit that was canceled', { session_status: 'complete', intent_status: 'canceled' }, 'failed'],
    ['a checkout that ended unpaid', { session_status: 'expired' }, 'expired'],
    ['money that came although the checkout ended', { session_status: 'expired', intent_status: 'succeeded' }, 'paid'],
  ])('%s', (_, over, state) => {
    expect(onlineState(facts(over))).toBe(state);
  });

  test('only what waits can change', () => {
    expect((['open', 'processing', 'paid', 'failed', 'expired'] as const).filter((state) => isOver(state)))
      .toEqual(['paid', 'failed', 'expired']);
  });
});

test('another amount or currency than was asked is named', () => {
  const asked = { amount_minor: 128_400n, currency: 'USD' };
  expect(chargeProblem(asked, asked)).toBeNull();
  expect(chargeProblem(asked, { amount_minor: 128_401n, currency: 'USD' }))
    .toBe('Charged USD 1,284.01 instead of USD 1,284.00');
  expect(chargeProblem(asked, { amount_minor: 128_400n, currency: 'EUR' }))
    .toBe('Charged EUR 1,284.00 instead of USD 1,284.00');
});
