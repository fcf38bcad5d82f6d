/** Items that a new run proposes. */
import { expect, test } from 'vitest';
import { tickedAtFirst } from '#modules/royalties/payments/payable-lines.web.ts';
import type { Payables } from '#modules/royalties/payments/payment-batch.contract.ts';
import type { DuePayee, DueRoyaltor } from './payment-run.contract.ts';
import { dueChoice, dueRoyalties } from './run-choice.web.ts';

test('proposes what is due to payees who are paid that way, and leaves the others to a person', () => {
  const payee = (party_id: number, other_method: DuePayee['other_method']): DuePayee => ({ party_type: 'vendor',
    party_id, name: 'A', held: null, hint: null, last4: null, withholding: null, other_method,
    items: [{ open_item_id: party_id, refund_id: null, document: 'BL-1', document_kind: 'bill', document_id: 1,
      opened_on: '2026-11-01', due_on: '2026-11-20', amount_minor: 500, discount_minor: 10, is_due: true }] });
  expect(dueChoice([payee(1, null), payee(2, 'check')])).toEqual({ 1: { amount: 490, discount: 10 } });

  const royaltor = (statement_id: number, other_method: DueRoyaltor['other_method']): DueRoyaltor => ({
    royaltor_id: statement_id, name: 'B', held: null, hint: null, last4: null, other_method,
    items: [{ statement_id, advance_id: null, document: 'RS-1', subject: 'Iolanthe', due_on: null, amount_minor: 500,
      withheld_minor: 0, agent_minor: 0, is_due: true, held: null }] });
  expect([...dueRoyalties([royaltor(1, null), royaltor(2, 'check')])]).toEqual(['statement 1']);

  const line: Payables['payees'][number]['lines'][number] = { statement_id: 1, advance_id: null, number: 'RS-1',
    run_id: 7, subject: 'Iolanthe', period_from: '2026-01-01', period_to: '2026-06-30', due_event: null, due_on: null,
    currency: 'USD', amount_minor: 500, agent_minor: 0, agent_held: null, is_agent: false, due: true, held: null };
  const payees: Payables['payees'] = [{ payee_id: 1, payee_name: 'B', country: 'US', held: null, lines: [line],
    other_method: null }, { payee_id: 2, payee_name: 'C', country: 'US', held: null, other_method: 'check',
    lines: [{ ...line, statement_id: 2 }] }];
  expect(tickedAtFirst(payees, { statement: null, run: null })).toEqual(['s1']);
  expect(tickedAtFirst(payees, { statement: null, run: 7 })).toEqual(['s1']);
  expect(tickedAtFirst(payees, { statement: 2, run: null })).toEqual(['s2']);
});
