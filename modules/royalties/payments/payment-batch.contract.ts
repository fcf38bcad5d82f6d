/** Payment of royaltors: batches of statements and advances, withheld and posted (domain.md 3.5 step 12; X67-X73). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, version } from '#kit/field.ts';
import { PAYOUT_METHODS } from '#kernel/receivables/payout-methods.ts';

/** Scheduled: sent to the bank for a day to come, on which it is paid and posted. */
export const BATCH_STATUSES = ['draft', 'approved', 'scheduled', 'posted', 'void'] as const;
export const BATCH_METHODS = PAYOUT_METHODS;

export const batchRow = z.object({
  id: z.int(), number: z.string(), division: divisionCode, currency: currencyCode, pay_on: z.string(),
  method: z.enum(BATCH_METHODS), status: z.enum(BATCH_STATUSES), payment_count: z.int(), total_minor: z.int(),
  withheld_minor: z.int(),
  /** The account its payments leave from. */
  bank_account_id: z.int().nullable(), bank_account: z.string().nullable(),
  /** The run that pays it: its file for the bank, and the bank's answers. */
  payment_run_id: z.int().nullable(), file_name: z.string().nullable(),
  /** Another number than the batch's: the run pays bills as well, and is approved as a whole. */
  payment_run_number: z.string().nullable(),
  /** Why the day of payment is another one than was asked for. */
  value_moved: z.string().nullable(),
  created_by_id: z.int().nullable(), created_by_name: z.string().nullable(),
  approved_by_name: z.string().nullable(),
  approved_at: z.string().nullable(), scheduled_at: z.string().nullable(), posted_at: z.string().nullable(),
  /** Why the last attempt to pay it on its day failed. */
  failure: z.string().nullable(), version: z.int(), created_at: z.string(),
  updated_at: z.string(),
});
export type BatchRow = z.infer<typeof batchRow>;

export const batchPayment = z.object({
  id: z.int(), number: z.string(), royaltor_id: z.int(), royaltor_name: z.string(), kind: z.string(),
  status: z.string(), currency: currencyCode, amount_minor: z.int(), gross_minor: z.int(), withheld_minor: z.int(),
  bank_account_last4: z.string().nullable(), withholding_reason: z.string(), transaction_id: z.int().nullable(),
  /** The statements or the advance it pays: in their own currency, and at a rate in that of the payment. */
  parts: z.array(z.object({ statement_id: z.int().nullable(), advance_id: z.int().nullable(),
    number: z.string().nullable(), currency: currencyCode, gross_minor: z.int(), wht_minor: z.int(),
    rate: z.string(), rate_on: z.string(), paid_minor: z.int() })),
});
export const batchDetail = batchRow.extend({ payments: z.array(batchPayment), allowed_events: z.array(z.string()),
  /** Its day of payment is still to come in the division: paying it schedules it. */
  is_ahead: z.boolean() });
export type BatchDetail = z.infer<typeof batchDetail>;

export const batchInput = z.strictObject({
  division: divisionCode, currency: currencyCode.optional(), bank_account_id: id.nullable().optional(),
  method: z.enum(BATCH_METHODS, 'Choose how it is paid'), pay_on: isoDate,
  statement_ids: z.array(id).max(1000).default([]), advance_ids: z.array(id).max(1000).default([]),
}).refine((batch) => batch.statement_ids.length + batch.advance_ids.length > 0,
  { path: ['statement_ids'], message: 'Choose at least one statement or advance' });

/** A statement or an advance that a batch may pay, in its own currency and before the tax of the day of payment. */
export const payableLine = z.object({
  statement_id: z.int().nullable(), advance_id: z.int().nullable(), number: z.string().nullable(),
  run_id: z.int().nullable(), subject: z.string(), period_from: z.string().nullable(), period_to: z.string().nullable(),
  due_event: z.enum(['signature', 'date', 'first_performance']).nullable(), due_on: z.string().nullable(),
  currency: currencyCode, amount_minor: z.int(),
  /** Paid to the agent beside it, by the same batch. */
  agent_minor: z.int(),
  /** Why the agent's part waits while the rest is paid. */
  agent_held: z.string().nullable(),
  /** The agent's part alone: the royaltor's is paid, or in another batch. */
  is_agent: z.boolean(),
  /** Whether it is due by the day of payment; the form ticks what is. */
  due: z.boolean(),
  /** Why it is not in the batch. */
  held: z.string().nullable(),
});
export const payablesAnswer = z.object({
  methods: z.array(z.enum(BATCH_METHODS)), method: z.enum(BATCH_METHODS),
  payees: z.array(z.object({ payee_id: z.int(), payee_name: z.string(), country: z.string(),
    /** Agreed with the payee, where the batch pays another way: nothing is proposed then. */
    other_method: z.enum(BATCH_METHODS).nullable(),
    held: z.string().nullable(), lines: z.array(payableLine) })),
  /** Amounts the division pays in other currencies, in a separate batch. */
  elsewhere: z.array(z.object({ currency: currencyCode, lines: z.int(), run_ids: z.array(z.int()) })),
});
export type Payables = z.infer<typeof payablesAnswer>;

/** One payment to a royaltor or his agent, of any batch (A107). */
export const royaltyPaymentRow = z.object({
  id: z.int(), number: z.string(), royaltor_id: z.int(), royaltor_name: z.string(), kind: z.string(),
  status: z.string(), division: divisionCode, currency: currencyCode, amount_minor: z.int(), withheld_minor: z.int(),
  method: z.string(), paid_on: z.string(), batch_id: z.int(), batch_number: z.string(),
  transaction_id: z.int().nullable(), created_at: z.string(), updated_at: z.string(),
});

const path = '/api/admin/staff/accounting/royalty_payment_batches';
const body = z.strictObject({ version });

export const batchEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('payment.list'), summary: 'List royalty payment batches',
    query: listQuery({ filters: { status: z.enum(BATCH_STATUSES).optional(), division: divisionCode.optional() },
      sort: ['pay_on', 'updated_at'] }), response: many(batchRow) }),
  payables: endpoint({ method: 'GET', path: `${path}/payables`, auth: staff('payment.create'),
    summary: 'Payable statements and advances by payee, with those held back and why',
    query: z.strictObject({ division: divisionCode, currency: currencyCode, pay_on: isoDate,
      method: z.enum(BATCH_METHODS).optional() }), response: one(payablesAnswer) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('payment.show'),
    summary: 'A batch with its payments', response: one(batchDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('payment.create'), summary: 'Make a payment batch',
    body: batchInput, response: one(batchDetail), status: 201, idempotent: true }),
  approve: endpoint({ method: 'PUT', path: `${path}/{id}/approve`, auth: staff('payment.updateStatus'),
    summary: 'Approve; another person than who made it', body, response: one(batchDetail) }),
  pay: endpoint({ method: 'PUT', path: `${path}/{id}/pay`, auth: staff('payment.create'),
    summary: 'Pay and post what is at the bank, withholding included; scheduled before its day', body,
    response: one(batchDetail) }),
  cancel: endpoint({ method: 'PUT', path: `${path}/{id}/cancel`, auth: staff('payment.updateStatus'),
    summary: 'Cancel a batch until it is paid', body: z.strictObject({ version,
      reason: z.string().trim().min(1, 'Give a reason').max(2000) }), response: one(batchDetail) }),
  returned: endpoint({ method: 'PUT', path: `${path}/{id}/payments/{paymentId}/return`,
    auth: staff('payment.updateStatus'), summary: 'The bank sent a payment back: it is payable again',
    body: z.strictObject({ returned_on: isoDate, reason: z.string().trim().min(1, 'Give a reason').max(500) }),
    response: one(batchDetail) }),
  payments: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/accounts_payable/royalty_payments',
    auth: staff('payment.list'), summary: 'List payments to royaltors',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.string().max(20).optional(),
      royaltor_id: z.coerce.number().int().min(1).optional() }, sort: ['paid_on', 'amount_minor', 'updated_at'] }),
    response: many(royaltyPaymentRow) }),
  file: endpoint({ method: 'GET', path: `${path}/{id}/file`, auth: staff('payment.show'),
    summary: 'The payments as a CSV list', response: 'file' }),
};
