/**
 * All money in and out: A64 to A68, A87 to A93, A104, A108, X112; deposits: X109 to X111. Money out is made by
 * modules/payables, which serves these calls.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, restoring, trashing } from '#kit/bulk.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, minor, oneLine, positiveMinor, version } from '#kit/field.ts';
import { amountMinor, reason } from '../invoices/invoice.contract.ts';
import { ITEM_CLASSES } from '#kernel/money/priced-line.ts';
import { DISPUTE_STATES } from '#kernel/receivables/dispute.ts';
import { REFUND_STATES } from '#kernel/receivables/processor-refund.ts';
import { PAYMENT_METHODS } from '../receivables-types.ts';

export const PAYMENT_STATUSES = ['draft', 'approved', 'posted', 'cleared', 'returned', 'void', 'reversed'] as const;
export const PAYMENT_KINDS =
  ['receipt', 'credit', 'refund', 'dispute', 'vendor', 'royalty', 'royalty_advance', 'tax', 'reimbursement'] as const;

export const PARTY_TYPES = ['customer', 'vendor', 'royaltor', 'staff', 'tax_authority'] as const;

export const paymentRow = z.object({
  id: z.int(), number: z.string(),
  /** The number, as lists with a trash name a row. */
  name: z.string(), direction: z.enum(['in', 'out']), kind: z.enum(PAYMENT_KINDS),
  status: z.enum(PAYMENT_STATUSES), party_type: z.enum(PARTY_TYPES), party_id: z.int(), party_name: z.string(),
  license_id: z.int().nullable(), division: divisionCode, currency: currencyCode, amount_minor: z.int(),
  /** Backup withholding of a payment to a vendor; the amount is net of it. */
  withheld_minor: z.int(), applied_minor: z.int(), unapplied_minor: z.int(), method: z.enum(PAYMENT_METHODS),
  paid_on: z.string(),
  reference: z.string(), memo: z.string(), account: z.string(),
  /** Null while a check or cash is not deposited, and for credits. */
  bank_account_id: z.int().nullable(), bank_account: z.string().nullable(), transaction_id: z.int().nullable(),
  /** The run, the batch of royalties or the check that it leaves with. */
  payment_run_id: z.int().nullable(), payment_run: z.string().nullable(), batch_id: z.int().nullable(),
  batch_number: z.string().nullable(), check_id: z.int().nullable(), check_number: z.string().nullable(),
  /** The answer of the bank; null: none yet. */
  outcome: z.enum(['settled', 'rejected', 'cancelled']).nullable(),
  deleted_at: z.string().nullable(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type PaymentRow = z.infer<typeof paymentRow>;
/** An invoice, a pro forma (paid whole: it becomes its invoice) or a deposit that was asked for (received whole). */
export const openDocument = z.object({
  kind: z.enum(['invoice', 'proforma', 'deposit']), id: z.int(), number: z.string(), title: z.string(),
  due_on: z.string().nullable(), total_minor: z.int(), balance_minor: z.int(),
});
export type OpenDocument = z.infer<typeof openDocument>;
/** Item that outgoing money settles: above zero is paid, below zero is a credit set off. */
const settledPart = z.object({ open_item_id: z.int().nullable(), document: z.string(),
  document_kind: z.string().nullable(), document_id: z.int().nullable(), payee_number: z.string(),
  due_on: z.string().nullable(), amount_minor: z.int(), discount_minor: z.int(),
  /** Why the discount is more than the terms give; empty where it is not. */
  discount_reason: z.string() });
export type SettledPart = z.infer<typeof settledPart>;
export const paymentTransaction = z.object({
  id: z.int(), number: z.string().nullable(), kind_name: z.string(), transaction_at: z.string(),
  description: z.string(), status: z.string(), currency: z.string(), total_minor: z.int(),
  /** A journal written by hand that concerns the payment; false: posted by the payment itself. */
  is_linked: z.boolean(), linked_by_name: z.string().nullable(), linked_at: z.string().nullable(),
});
export type PaymentTransaction = z.infer<typeof paymentTransaction>;
export const PAYMENT_EVENTS =
  ['update', 'approve', 'post', 'void', 'return', 'settle', 'trash', 'remit'] as const;
/** Status of a refund to the card at the card processor. */
const processorRefund = z.object({ status: z.enum(REFUND_STATES), refund_id: z.string().nullable(),
  /** Asked for here, or made at the processor. */
  origin: z.enum(['asked', 'found']), failure: z.string(), attention: z.string(), is_test: z.boolean(),
  sent_at: z.string().nullable(), settled_at: z.string().nullable(), receipt_id: z.int().nullable(),
  receipt_number: z.string().nullable() });
export type ProcessorRefund = z.infer<typeof processorRefund>;
/** A dispute of a receipt by card. */
const receiptDispute = z.object({ dispute_id: z.string(), status: z.enum(DISPUTE_STATES), amount_minor: z.int(),
  due_at: z.string().nullable() });
export const paymentDetail = paymentRow.extend({
  /** The newest dispute of a receipt; null: none. */
  dispute: receiptDispute.nullable(),
  processor: processorRefund.nullable(),
  /** Of a receipt by card: what may still go back to the card. */
  to_card_minor: z.int().nullable(),
  reversal_transaction_id: z.int().nullable(), reversal_reason: z.string().nullable(),
  returned_on: z.string().nullable(), created_by_id: z.int().nullable(), created_by_name: z.string().nullable(),
  approved_by_name: z.string().nullable(), approved_at: z.string().nullable(), last_changed_by_id: z.int().nullable(),
  value_on: z.string().nullable(), payee_last4: z.string().nullable(), payee_email: z.string().nullable(),
  outcome_on: z.string().nullable(),
  parts: z.array(settledPart), transactions: z.array(paymentTransaction),
  /** Events its status allows on this page; those decided by a run or a batch are allowed there. */
  allowed: z.array(z.enum(PAYMENT_EVENTS)),
  remittances: z.array(z.object({ at: z.string(), by_name: z.string(), recipients: z.string() })),
  /** The intercompany entry that posted it, where another division paid or collected; null: none. */
  intercompany: z.object({ id: z.int(), number: z.string() }).nullable(),
  deposit_id: z.int().nullable(), credit_note_id: z.int().nullable(),
  /** A check dated ahead: what it pays on its day. */
  planned_minor: z.int().nullable(),
  /** Amount that the bank credited in the currency of its account; null: the payment's own. */
  bank_currency: currencyCode.nullable(), bank_amount_minor: z.int().nullable(),
  applications: z.array(z.object({ invoice_id: z.int(), number: z.string().nullable(), applied_minor: z.int(),
    applied_on: z.string() })),
  /** Open documents of the same customer, division and currency that this money could pay. */
  open_documents: z.array(openDocument),
});
export type PaymentDetail = z.infer<typeof paymentDetail>;

const path = '/api/admin/staff/accounting/payments';
const query = listQuery({
  filters: { division: divisionCode.optional(), status: z.enum(PAYMENT_STATUSES).optional(),
    method: z.enum(PAYMENT_METHODS).optional(), kind: z.enum(PAYMENT_KINDS).optional(),
    bank_account_id: z.coerce.number().int().optional(), customer_id: z.coerce.number().int().optional(),
    unapplied: z.enum(['true', 'false']).optional(),
    direction: z.enum(['in', 'out']).optional(), party_type: z.enum(PARTY_TYPES).optional(),
    currency: currencyCode.optional(), vendor_id: z.coerce.number().int().optional(),
    royaltor_id: z.coerce.number().int().optional(), paid_from: isoDate.optional(), paid_to: isoDate.optional() },
  sort: ['paid_on', 'number', 'amount_minor', 'unapplied_minor', 'party', 'updated_at'],
});
export const receiptBody = z.strictObject({
  customer_id: z.int('Choose the customer').min(1, 'Choose the customer'), division: divisionCode,
  currency: currencyCode, amount_minor: amountMinor,
  method: z.enum(PAYMENT_METHODS), bank_account_id: id.nullable().default(null), received_on: isoDate,
  reference: z.string().trim().max(200).default(''),
  memo: z.string().trim().max(1_000).default(''), license_id: id.nullable().default(null),
  deposit_id: id.nullable().default(null), withheld_minor: positiveMinor.optional(),
    accept_short: z.boolean().default(false),
  /** The same day and amount from this customer, or under this reference, was asked about (409 otherwise). */
  duplicate_confirmed: z.boolean().default(false),
  apply_to: z.array(z.strictObject({ invoice_id: id, amount_minor: amountMinor })).max(200).default([]),
});

export const PAY_METHODS = ['ach', 'wire', 'check', 'bacs', 'sepa', 'card'] as const;
export const MOST_PARTS = 200;
export const paidParts = z.array(z.strictObject({ open_item_id: id,
  amount_minor: minor.refine((amount) => amount !== 0, 'Enter an amount other than zero'),
  discount_minor: positiveMinor.default(0), discount_reason: z.string().trim().max(500).default('') }))
  .min(1, 'Choose what is paid').max(MOST_PARTS, `At most ${MOST_PARTS} documents in one payment`);
export const paymentMemo = z.string().trim().max(1_000);
const transactions = `${path}/{id}/transactions` as const;
const linkQuery = listQuery({ filters: {}, sort: ['transaction_at'] });

export const paymentEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('payment.list'), summary: 'List payments', query,
    response: many(paymentRow) }),
  receipts: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/accounts_receivable/payments',
    auth: staff('payment.list'), summary: 'Money from customers', query, response: many(paymentRow) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('payment.show'), summary: 'Show a payment',
    response: one(paymentDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('payment.create'), summary: 'Record a receipt',
    body: receiptBody, response: one(paymentDetail), status: 201, idempotent: true }),
  openDocuments: endpoint({ method: 'GET', path: `${path}/open-documents`, auth: staff('payment.create'),
    summary: "Open documents that a customer’s money can pay", response: all(openDocument),
    query: z.strictObject({ customer_id: z.coerce.number().int(), division: divisionCode, currency: currencyCode }) }),
  holdAsDeposit: endpoint({ method: 'POST', path: `${path}/{id}/deposit`, auth: staff('invoice.manage_payments'),
    summary: 'Hold a receipt on account as the deposit that was asked for', response: one(paymentDetail),
    body: z.strictObject({ deposit_id: id }), idempotent: true }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('payment.update'),
    summary: 'Change the note of a payment, or a payment out that is not posted: its approval is taken back',
    body: z.strictObject({ memo: paymentMemo.optional(), bank_account_id: id.optional(),
      method: z.enum(PAY_METHODS, 'Choose how it is paid').optional(), on: isoDate.optional(),
      parts: paidParts.optional(), version }),
    response: one(paymentDetail) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: staff('payment.delete'), conditional: true,
    summary: 'Move the draft of a payment out to the trash', response: null }),
  trash: endpoint({ method: 'GET', path: `${path}/trash`, auth: staff('payment.list_trash'),
    summary: 'List payments in the trash', query, response: many(paymentRow) }),
  restore: endpoint({ method: 'PUT', path: `${path}/{id}/restore`, auth: staff('payment.restore'),
    summary: 'Restore a payment from the trash', response: one(paymentDetail) }),
  purge: endpoint({ method: 'DELETE', path: `${path}/{id}/force`, auth: staff('payment.forceDelete'),
    summary: 'Delete a payment in the trash for good', response: null }),
  payable: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/accounts_payable/payments',
    auth: staff('payment.list'), summary: 'Money out', query, response: many(paymentRow) }),
  transactions: endpoint({ method: 'GET', path: transactions, auth: staff('payment.manage_transactions'),
    summary: 'Ledger transactions of a payment, its own and linked journals', query: linkQuery,
    response: many(paymentTransaction) }),
  candidates: endpoint({ method: 'GET', path: `${transactions}/candidates`, auth: staff('payment.manage_transactions'),
    summary: 'Journals written by hand that concern the account or the party of a payment', query: linkQuery,
    response: many(paymentTransaction) }),
  link: endpoint({ method: 'POST', path: transactions, auth: staff('payment.manage_transactions'),
    summary: 'Link journals to a payment; changes no money', response: one(paymentDetail),
    body: z.strictObject({ transaction_ids: z.array(id).min(1, 'Choose a journal')
      .max(100, 'At most 100 journals at once') }) }),
  unlink: endpoint({ method: 'DELETE', path: `${transactions}/{transactionId}`,
    auth: staff('payment.manage_transactions'), summary: 'Unlink a journal from a payment', response: null }),
  status: endpoint({ method: 'PUT', path: `${path}/{id}/status`, auth: staff('payment.updateStatus'),
    summary: 'Approve, post, settle, withdraw or return a payment out; return a receipt',
    body: z.strictObject({ status: z.enum(['approved', 'posted', 'cleared', 'void', 'returned']), version,
      /** Under which the bank shows it, where it was made on the bank's own site. */
      reference: oneLine('The reference', z.string().trim().max(200)).optional(),
      on: isoDate.optional(), reason: z.string().trim().max(500).default(''), fee_minor: positiveMinor.default(0),
      recharge: z.boolean().default(false) }),
    response: one(paymentDetail) }),
  refund: endpoint({ method: 'POST', path: `${path}/{id}/refund`, auth: staff('payment.create'),
    summary: 'Refund what a receipt has on account', body: z.strictObject({ amount_minor: amountMinor, reason,
      bank_account_id: id.nullable().default(null),
      /** Back to the card it came from; absent: where that takes all of it and no bank account is named. */
      by_processor: z.boolean().optional() }),
    response: one(paymentDetail), status: 201, idempotent: true }),
  document: endpoint({ method: 'GET', path: `${path}/{id}/document`, auth: staff('payment.show'),
    summary: 'The receipt as PDF', response: 'file' }),
};

const WORDS = { noun: ['payment', 'payments'], href: '/admin/accounts-payable/payments/{id}' } as const;
export const paymentBulk = bulk(paymentEndpoints.list, WORDS, [trashing(paymentEndpoints)]);
export const paymentTrashBulk = bulk(paymentEndpoints.trash, { ...WORDS, href: null }, [restoring(paymentEndpoints)]);

export const depositRow = z.object({
  id: z.int(), license_id: z.int(), kind: z.enum(['security', 'on_account']),
  status: z.enum(['requested', 'held', 'settled', 'cancelled']), division: divisionCode, currency: currencyCode,
  amount_minor: z.int(), net_minor: z.int(), vat_minor: z.int(), due_on: z.string().nullable(),
  held_at: z.string().nullable(), payment_id: z.int().nullable(), applied_minor: z.int(), refunded_minor: z.int(),
  forfeited_minor: z.int(), remaining_minor: z.int(), version: z.int(), created_at: z.string(),
});
const deposits = '/api/admin/staff/licenses/{licenseId}/deposits';
export const depositEndpoints = {
  list: endpoint({ method: 'GET', path: deposits, auth: staff('license.show'), summary: 'Deposits of a license',
    response: all(depositRow) }),
  create: endpoint({ method: 'POST', path: deposits, auth: staff('invoice.manage_payments'),
    summary: 'Request a deposit', response: one(depositRow), status: 201, idempotent: true,
    body: z.strictObject({ kind: z.enum(['security', 'on_account']).optional(), amount_minor: amountMinor,
      due_on: isoDate.nullable().default(null) }) }),
  dispose: endpoint({ method: 'PUT', path: `${deposits}/{id}/dispose`, auth: staff('invoice.manage_payments'),
    summary: 'Apply, refund or keep a deposit', response: one(depositRow),
    body: z.strictObject({ version, dispositions: z.array(z.strictObject({
      type: z.enum(['apply', 'refund', 'forfeit']), amount_minor: amountMinor, invoice_id: id.nullable().optional(),
      bank_account_id: id.nullable().optional(),
      /** Tax class of the part kept, taxed as its cause with the tax inside the amount; damage as such has none. */
      taxed_as: z.enum(ITEM_CLASSES).nullable().optional(),
      reason: z.string().trim().max(500).optional() })).min(1, 'Add a part').max(50) }) }),
};
