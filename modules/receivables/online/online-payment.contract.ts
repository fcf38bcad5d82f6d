/** Payments by card and bank debit through the processor, as staff see them, and what it told us that fits nothing. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many } from '#kit/endpoint.ts';
import { currencyCode, divisionCode } from '#kit/field.ts';
import { DISPUTE_STATES } from '#kernel/receivables/dispute.ts';
import { ONLINE_METHODS, ONLINE_STATES } from '#kernel/receivables/online-payment.ts';

export const onlinePaymentRow = z.object({
  id: z.int(), customer_id: z.int(), customer_name: z.string(), invoice_id: z.int().nullable(),
  /** Of a deposit: the word and the number of its license. */
  invoice_number: z.string().nullable(),
  /** Number of documents it pays; the invoice is the first. */
  document_count: z.int(), division: divisionCode, currency: currencyCode, amount_minor: z.int(),
  method: z.enum(ONLINE_METHODS), status: z.enum(ONLINE_STATES), is_test: z.boolean(),
  /** Amount charged; it differs from the amount requested only with a note for staff. */
  charged_minor: z.int().nullable(), charged_currency: currencyCode.nullable(),
  /** Why it was not paid, for the customer. */
  failure: z.string(),
  /** Reason for staff to look at it; empty if there is none. */
  attention: z.string(),
  session_id: z.string(), payment_intent_id: z.string().nullable(), payment_id: z.int().nullable(),
  payment_number: z.string().nullable(), started_by_name: z.string().nullable(), expires_at: z.string(),
  settled_at: z.string().nullable(), created_at: z.string(), updated_at: z.string(),
});
export type OnlinePaymentRow = z.infer<typeof onlinePaymentRow>;

export const unknownEvent = z.object({
  id: z.int(), division: divisionCode, event_id: z.string(), type: z.string(), object_id: z.string(), note: z.string(),
  happened_at: z.string(),
});
export type UnknownEvent = z.infer<typeof unknownEvent>;

/** By division and currency: what Card clearing has, which is what the processor holds before its fees. */
export const clearingRow = z.object({ division: divisionCode, currency: currencyCode, ledger_minor: z.int() });
export type ClearingRow = z.infer<typeof clearingRow>;

/** A refund made at the processor whose receipt has not enough on account. */
export const openRefund = z.object({ id: z.int(), payment_id: z.int().nullable(), receipt_id: z.int().nullable(),
  customer_name: z.string(), currency: currencyCode, amount_minor: z.int(), refund_id: z.string(),
  attention: z.string() });
export type OpenRefund = z.infer<typeof openRefund>;

const path = '/api/admin/staff/accounting/online_payments';
export const onlinePaymentEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('payment.list'), summary: 'List payments by card and bank debit',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(ONLINE_STATES).optional(),
      method: z.enum(ONLINE_METHODS).optional(), attention: z.enum(['true', 'false']).optional(),
      customer_id: z.coerce.number().int().optional() }, sort: ['created_at', 'amount_minor', 'updated_at'] }),
    response: many(onlinePaymentRow) }),
  unknown: endpoint({ method: 'GET', path: `${path}/unknown_events`, auth: staff('payment.list'),
    summary: 'Processor events of the last 30 days for unknown payments',
    response: all(unknownEvent) }),
  clearing: endpoint({ method: 'GET', path: `${path}/clearing`, auth: staff('payment.list'),
    summary: 'Card clearing by division and currency', response: all(clearingRow) }),
  refunds: endpoint({ method: 'GET', path: `${path}/open_refunds`, auth: staff('payment.list'),
    summary: 'Refunds made at the card processor that wait for money on account', response: all(openRefund) }),
};

export const PAYOUT_STATES = ['posted', 'returned', 'attention'] as const;
export const payoutRow = z.object({
  id: z.int(), payout_id: z.string(), division: divisionCode, currency: currencyCode, amount_minor: z.int(),
  /** Fee the processor kept of the payments in it. */
  fee_minor: z.int(), paid_on: z.string(), status: z.enum(PAYOUT_STATES), note: z.string(),
  bank_account: z.string().nullable(), part_count: z.int(), transaction_id: z.int().nullable(),
  created_at: z.string(), updated_at: z.string(),
});
export type PayoutRow = z.infer<typeof payoutRow>;

const payouts = '/api/admin/staff/accounting/processor_payouts';
export const payoutEndpoints = {
  list: endpoint({ method: 'GET', path: payouts, auth: staff('payment.list'),
    summary: 'List payouts of the card processor',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(PAYOUT_STATES).optional() },
      sort: ['paid_on', 'amount_minor', 'updated_at'] }), response: many(payoutRow) }),
};

export const disputeRow = z.object({
  id: z.int(), dispute_id: z.string(), division: divisionCode, customer_id: z.int(), customer_name: z.string(),
  invoice_id: z.int().nullable(), invoice_number: z.string().nullable(), receipt_id: z.int().nullable(),
  receipt_number: z.string().nullable(), currency: currencyCode, amount_minor: z.int(), reason: z.string(),
  status: z.enum(DISPUTE_STATES),
  /** Until when evidence can be given. */
  due_at: z.string().nullable(),
  /** Off Card clearing by now, and the fee. */
  taken_minor: z.int(), fee_minor: z.int(), attention: z.string(), payment_id: z.int().nullable(), is_test: z.boolean(),
  /** Page for evidence at the card processor; null with the test processor. */
  evidence_url: z.string().nullable(), closed_at: z.string().nullable(), created_at: z.string(),
  updated_at: z.string(),
});
export type DisputeRow = z.infer<typeof disputeRow>;

const disputes = '/api/admin/staff/accounting/processor_disputes';
export const disputeEndpoints = {
  list: endpoint({ method: 'GET', path: disputes, auth: staff('payment.list'),
    summary: 'List card payments that customers dispute',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(DISPUTE_STATES).optional(),
      customer_id: z.coerce.number().int().optional() },
    sort: ['created_at', 'due_at', 'amount_minor', 'updated_at'] }),
    response: many(disputeRow) }),
};
