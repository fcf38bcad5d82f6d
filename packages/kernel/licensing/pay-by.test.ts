/** The last day to pay: ahead of the first parcel, between a week and 90 days after signing, before the opening. */
import { expect, it } from 'vitest';
import { dateFor } from '../calendar/calendar.ts';
import {
  dueReason, dueReasonOf, instalmentDue, packedBy, payBy, payByPromise, reasonWords, type DueFacts,
} from './pay-by.ts';

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

const offer = { issued_on: '2026-11-20', expires_on: '2027-01-01', first_performance_on: '2027-04-01',
  ships_on: '2027-01-21', packed_by: '2027-01-14' };

it('promises in an offer the day that holds whenever it is signed, with the reason of that day', () => {
  expect(payByPromise(offer, 'en-US'))
    .toBe('by January 14, 2027, so that the materials can ship on January 21, 2027');
  expect(payByPromise({ ...offer, first_performance_on: '2026-11-27', expires_on: '2026-11-20', ships_on: '2026-11-20',
    packed_by: '2026-11-13' }, 'en-GB')).toBe('by 26 November 2026, the day before the first performance');
  expect(payByPromise({ ...offer, ships_on: null, packed_by: null }, 'en-US')).toBe('within 90 days of signing, '
    + 'but at the latest on March 31, 2027, the day before the first performance');
  expect(payByPromise({ ...offer, first_performance_on: '2027-06-01', ships_on: null, packed_by: null }, 'en-US'))
    .toBe('within 90 days of signing');
  expect(payByPromise({ ...offer, ships_on: '2026-11-20', packed_by: '2026-11-13' }, 'en-US'))
    .toBe('within 7 days of signing, so that the materials can ship right away');
  expect(payByPromise({ ...offer, first_performance_on: null }, 'en-US')).toBe('on signing');
});

it('promises the rule with its days where the day depends on the day of signing', () => {
  expect(payByPromise({ ...offer, expires_on: '2027-01-12' }, 'en-US')).toBe('by January 14, 2027, so that the '
    + 'materials can ship on January 21, 2027, or within 7 days of signing if that is later');
  expect(payByPromise({ ...offer, ships_on: '2027-03-11', packed_by: '2027-03-04' }, 'en-GB')).toBe(
    'within 90 days of signing, or by 4 March 2027 if that is sooner, so that the materials can ship on 11 March 2027');
});

it('promises no day that the license does not get, whenever it is signed', () => {
  for (const ships_on of ['2026-12-01', '2027-01-21', '2027-03-11', null]) {
    const packed_by = ships_on === null ? null : packedBy(ships_on, []);
    for (const signed_on of ['2026-11-20', '2026-11-28', '2026-12-15', '2027-01-01']) {
      const { on, reason } = payBy({ accepted_on: signed_on, first_performance_on: '2027-04-01', ships_on,
        holidays: [] });
      const words = payByPromise({ ...offer, ships_on, packed_by }, 'en-US');
      const named = { shipping: `by ${dateFor('en-US', on)}`, opening: `on ${dateFor('en-US', on)}`,
        signed: 'within 90 days of signing', soon: 'within 7 days of signing' }[reason];
      expect(words, `${ships_on} ${signed_on}`).toContain(named);
    }
  }
});

it('says of each instalment when it is asked for, before anything is billed', () => {
  const terms = { execution_policy: 'paid_in_full', pay_by: 'within 90 days of signing', invoice_days: 30 };
  const due = (due_event: string, more = {}, is_deposit = false): string =>
    instalmentDue({ due_event, is_deposit }, { ...terms, ...more });
  expect(due('acceptance')).toBe('before issue, within 90 days of signing');
  expect(due('opening')).toBe('invoiced at the opening, due 30 days after the date of the invoice');
  expect(due('shipment', { invoice_days: 0 })).toBe('invoiced when the materials ship, due on receipt of the invoice');
  expect(due('execution', { execution_policy: 'purchase_order' }))
    .toBe('invoiced when the license is issued, due 30 days after the date of the invoice');
  expect(due('acceptance', { execution_policy: 'purchase_order' }, true)).toBe('within 90 days of signing');
  expect(due('execution', { pay_by: null, invoice_days: null })).toBe('before issue');
});

it('writes both days of a sentence alike, and speaks of the customer to staff', () => {
  const reason = dueReasonOf(facts({}));
  expect(reasonWords(reason, () => 'Jan 21, 2027')).toBe('so that your materials can ship on Jan 21, 2027');
  expect(reasonWords(reason, () => '21 Jan 2027', 'staff')).toBe('so that the materials can ship on 21 Jan 2027');
});
