import { expect, test } from 'vitest';
import { methodReaches, payoutMethods } from './payout-methods.ts';

test('a division offers the ways of the currency it pays in, the usual one first', () => {
  expect(payoutMethods('US', 'USD')).toEqual(['ach', 'wire', 'check']);
  expect(payoutMethods('PROD', 'USD')).toEqual(['ach', 'wire', 'check']);
  expect(payoutMethods('UK', 'GBP')).toEqual(['bacs', 'wire', 'check']);
  expect(payoutMethods('EU', 'EUR')).toEqual(['sepa', 'wire']);
  expect(payoutMethods('US', 'EUR')).toEqual(['wire']);
  expect(payoutMethods('EU', 'USD')).toEqual(['wire']);
});

test('ACH reaches the US, BACS the UK, SEPA its countries, a wire everybody', () => {
  expect(['US', 'GB', 'DE'].map((country) => methodReaches('ach', country))).toEqual([true, false, false]);
  expect(['US', 'GB', 'DE'].map((country) => methodReaches('bacs', country))).toEqual([false, true, false]);
  expect(['US', 'GB', 'DE'].map((country) => methodReaches('sepa', country))).toEqual([false, true, true]);
  expect(['US', 'GB', 'DE'].map((country) => methodReaches('wire', country))).toEqual([true, true, true]);
});
