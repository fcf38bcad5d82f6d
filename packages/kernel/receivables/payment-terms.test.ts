import { expect, it } from 'vitest';
import { isOverdue, termsDays } from './payment-terms.ts';

it('gives an invoice under a purchase order 30 days where none are agreed', () => {
  expect([termsDays(0, true), termsDays(14, true), termsDays(0, false), termsDays(45, false)])
    .toEqual([30, 14, 0, 45]);
});

it('calls nothing overdue on its due date', () => {
  expect(['2027-03-30', '2027-03-31', '2027-04-01'].map((today) => isOverdue('2027-03-31', today)))
    .toEqual([false, false, true]);
  expect(isOverdue(null, '2027-04-01')).toBe(false);
});
