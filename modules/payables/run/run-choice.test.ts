/** Items that a new run proposes. */
import { expect, test } from 'vitest';
import type { DuePayee, DueRoyaltor } from './payment-run.contract.ts';
import { dueChoice, dueRoyalties } from './run-choice.web.ts';

test('proposes what is due to payees who are paid that way, and leaves the others to a person', () => {
  const payee = (party_id: number, other_method: DuePayee['other_method']): DuePayee => ({ party_type: 'vendor',
    party_id, name: 'A', held: null, hint: null, last4: null, withholding: null, other_method,
    items: [{ open_item_id: party_id, refund_id: null, document: 'BL-1', document_kind: 'bill', document_id: 1,
      opened_on: '2026-11-01', due_on: '2026-11-20', amount_minor: 500, discount_minor: 10, is_due: true }] });
  expect(dueChoice([payee(1, null), payee(2, 'check')])).toEqual({ 1: { amount: 490, discount: 10, reason: '' } });

  const royaltor = (statement_id: number, other_method: DueRoyaltor['other_method']): DueRoyaltor => ({
    royaltor_id: statement_id, name: 'B', held: null, hint: null, last4: null, other_method,
    items: [{ statement_id, advance_id: null, document: 'RS-1', subject: 'Iolanthe', due_on: null, amount_minor: 500,
      withheld_minor: 0, agent_minor: 0, is_due: true, held: null }] });
  expect([...dueRoyalties([royaltor(1, null), royaltor(2, 'check')])]).toEqual(['statement 1']);
});
