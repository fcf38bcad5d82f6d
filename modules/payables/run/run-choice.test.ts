/** Items that a new run proposes. */
import { expect, test } from 'vitest';
import type { DuePayee, DueRoyaltor } from './payment-run.contract.ts';
import { dueChoice, dueRoyalties, faultOf, onValueDate, partsOf } from './run-choice.web.ts';

test('proposes what is due to payees who are paid that way, and leaves the others to a person', () => {
  const payee = (party_id: number, other_method: DuePayee['other_method']): DuePayee => ({ party_type: 'vendor',
    party_id, name: 'A', held: null, hint: null, last4: null, withholding: null, other_method,
    items: [{ open_item_id: party_id, refund_id: null, document: 'BL-1', document_kind: 'bill', document_id: 1,
      opened_on: '2026-11-01', due_on: '2026-11-20', amount_minor: 500, discount_minor: 10, is_due: true }] });
  expect(dueChoice([payee(1, null), payee(2, 'check')]))
    .toEqual({ 1: { amount: 490, discount: 10, reason: '', isWhole: true } });

  const royaltor = (statement_id: number, other_method: DueRoyaltor['other_method']): DueRoyaltor => ({
    royaltor_id: statement_id, name: 'B', held: null, hint: null, last4: null, other_method,
    items: [{ statement_id, advance_id: null, document: 'RS-1', subject: 'Iolanthe', due_on: null, amount_minor: 500,
      withheld_minor: 0, agent_minor: 0, is_due: true, held: null }] });
  expect([...dueRoyalties([royaltor(1, null), royaltor(2, 'check')])]).toEqual(['statement 1']);
});

test('discounts follow the value date where an item is taken whole; one above the terms needs a reason', () => {
  const payees = (discount_minor: number): DuePayee[] => [{ party_type: 'vendor', party_id: 1, name: 'A', held: null,
    hint: null, last4: null, withholding: null, other_method: null, items: [1, 2].map((open_item_id) => ({ open_item_id,
      refund_id: null, document: `BL-${open_item_id}`, document_kind: 'bill', document_id: open_item_id,
      opened_on: '2026-11-01', due_on: '2026-11-20', amount_minor: 500, discount_minor, is_due: true })) }];
  const early = { ...dueChoice(payees(10)), 2: { amount: 400, discount: 50, reason: 'Late' } };
  const late = onValueDate(early, payees(0));
  expect(late).toEqual({ 1: { amount: 500, discount: 0, reason: '', isWhole: true }, 2: early[2] });
  expect(onValueDate(late, payees(10))).toEqual(early);
  expect(faultOf({ payees: payees(0) }, late)).toBeNull();
  expect(partsOf({ payees: payees(0), royaltors: [] }, late).parts.map((part) => part.discount_reason))
    .toEqual(['', 'Late']);
  expect(faultOf({ payees: payees(0) }, { 1: { amount: 490, discount: 10, reason: ' ' } }))
    .toBe('Give a reason for the discount on BL-1');
});
