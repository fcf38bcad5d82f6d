/** The last day to pay: ahead of the first parcel, between a week and 90 days after signing, before the opening. */
import { expect, it } from 'vitest';
import { dueReason, payBy, type DueFacts } from './pay-by.ts';

const signed = { accepted_on: '2026-11-20', first_performance_on: '2027-04-01', ships_on: '2027-01-21', holidays: [] };
const facts = (of: Partial<DueFacts>): DueFacts => ({ kind: 'proforma', issued_on: '2026-11-20', due_on: '2027-01-14',
  pay_by: '2027-01-14', pay_by_reason: 'shipping', pay_by_ships_on: '2027-01-21', ...of });

it('is five business days before the first shipment, holidays not counted', () => {
  expect(payBy(signed)).toEqual({ on: '2027-01-14', reason: 'shipping', ships_on: '2027-01-21' });
  expect(payBy({ ...signed, holidays: ['2027-01-18'] }).on).toBe('2027-01-13');
});

it('is 90 days after signing where nothing ships, or ships later', () => {
  expect(payBy({ ...signed, ships_on: null })).toEqual({ on: '2027-02-18', reason: 'signed', ships_on: null });
  expect(payBy({ ...signed, ships_on: '2027-03-31' }).reason).toBe('signed');
});

it('leaves a week after signing, and never reaches the first performance', () => {
  expect(payBy({ ...signed, ships_on: '2026-11-20' })).toEqual({ on: '2026-11-27', reason: 'soon', ships_on: null });
  expect(payBy({ ...signed, ships_on: '2026-11-20', first_performance_on: '2026-11-25' }))
    .toEqual({ on: '2026-11-24', reason: 'opening', ships_on: null });
});

it('gives the reason in the language of the paper', () => {
  expect(dueReason(facts({}), 'en-US')).toBe('so that your materials can ship on January 21, 2027');
  expect(dueReason(facts({}), 'en-GB')).toBe('so that your materials can ship on 21 January 2027');
  expect(dueReason(facts({ kind: 'deposit', pay_by_reason: 'opening' }), 'en-US'))
    .toBe('the day before your first performance');
});

it('gives the terms of an invoice, and no reason for a day that nobody derived', () => {
  expect(dueReason(facts({ kind: 'invoice', due_on: '2026-12-20' }), 'en-US'))
    .toBe('30 days after the date of the invoice');
  expect(dueReason(facts({ kind: 'invoice', due_on: '2026-11-20' }), 'en-US')).toBeNull();
  expect(dueReason(facts({ due_on: '2027-01-20' }), 'en-US')).toBeNull();
  expect(dueReason(facts({ pay_by_reason: null, pay_by_ships_on: null }), 'en-US')).toBeNull();
});
