/** Customer's view of their money, and their actions on it: X147 to X151. */
import * as z from 'zod';
import { customer, customerInPerson } from '#kit/auth.ts';
import { dueReasonAnswer } from '#kit/due-reason.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, currencyCode, id, isoDate } from '#kit/field.ts';
import { accountLines, accountQuery, accountStatement } from '../aging/aging.contract.ts';
import { ONLINE_METHODS, ONLINE_STATES } from '#kernel/receivables/online-payment.ts';
import { amountMinor, INVOICE_KINDS, INVOICE_STATUSES } from '../invoices/invoice.contract.ts';

export const PORTAL_METHODS = [...ONLINE_METHODS, 'bank_transfer', 'purchase_order'] as const;

export const portalInvoiceRow = z.object({
  id: z.int(), number: z.string().nullable(), kind: z.enum(INVOICE_KINDS), status: z.enum(INVOICE_STATUSES),
  license_id: z.int().nullable(), license_title: z.string().nullable(), division: divisionCode, currency: currencyCode,
  issued_on: z.string().nullable(), due_on: z.string().nullable(), net_minor: z.int(), tax_minor: z.int(),
  total_minor: z.int(), prepaid_minor: z.int(), paid_minor: z.int(), credited_minor: z.int(), balance_minor: z.int(),
  payable: z.boolean(), overdue: z.boolean(),
});
/** Numbers without blanks; `reference` is what the payer writes, so that the payment is found. */
export const transferDetails = z.object({
  payee: z.string(), bank_name: z.string().nullable(), iban: z.string().nullable(), bic: z.string().nullable(),
  account_number: z.string().nullable(), routing_number: z.string().nullable(), reference: z.string(),
});
/** Payee and address of a check, in lines. */
export const remitTo = z.array(z.string());
export type TransferDetails = z.infer<typeof transferDetails>;
/** Payment methods of this installation; a test processor is named as such. */
export const paymentMethods = z.array(z.object({ method: z.enum(PORTAL_METHODS), label: z.string(),
  test: z.boolean() }));
/** The newest payment by card or bank debit that was begun. */
export const onlinePaymentState = z.object({ id: z.int(), method: z.enum(ONLINE_METHODS), status: z.enum(ONLINE_STATES),
  amount_minor: z.int(), currency: currencyCode, is_test: z.boolean(), failure: z.string() });
export const portalInvoice = portalInvoiceRow.extend({
  /** Why it is due on its day. */
  due_reason: dueReasonAnswer,
  billing_name: z.string(), revision: z.int(), revision_note: z.string(),
  purchase_order_no: z.string().nullable(),
  legal_texts: z.array(z.string()),
  items: z.array(z.object({ id: z.int(), description: z.string(), quantity: z.int(), unit_minor: z.int(),
    net_minor: z.int(), tax_minor: z.int(), total_minor: z.int() })),
  payments: z.array(z.object({ payment_id: z.int(), number: z.string(), paid_on: z.string(), method: z.string(),
    applied_minor: z.int() })),
  payment_methods: paymentMethods,
  online_payment: onlinePaymentState.nullable(),
  /** Other open documents of the same division and currency, which one payment online can pay as well. */
  others: z.array(z.object({ id: z.int(), number: z.string().nullable(), kind: z.enum(INVOICE_KINDS),
    license_title: z.string().nullable(), due_on: z.string().nullable(), balance_minor: z.int() })),
  /** Account for a transfer, while something is open; null: no account is set for this division and currency. */
  transfer: transferDetails.nullable(), check_to: remitTo.nullable(),
});
export const payAnswer = z.object({
  outcome: z.enum(['redirect', 'instructions', 'purchase_order_recorded']), message: z.string(),
  reference: z.string().nullable(), payment_id: z.int().nullable(), invoice_id: z.int(),
  /** Page of the processor where a payment by card or bank debit goes on. */
  redirect_to: z.string().nullable(),
});
const path = '/api/customers/{id}/invoices';
export const portalInvoiceEndpoints = {
  list: endpoint({ method: 'GET', path, auth: customer(), summary: 'Invoices of a customer',
    response: many(portalInvoiceRow), query: listQuery({ sort: ['issued_on', 'due_on'], filters: {
      license_id: z.coerce.number().int().optional(), open: z.enum(['true', 'false']).optional() } }) }),
  show: endpoint({ method: 'GET', path: `${path}/{invoiceId}`, auth: customer(), summary: 'An invoice of a customer',
    response: one(portalInvoice) }),
  document: endpoint({ method: 'GET', path: `${path}/{invoiceId}/document`, auth: customer(),
    summary: 'The invoice as PDF', response: 'file' }),
  pay: endpoint({ method: 'POST', path: `${path}/{invoiceId}/pay`, auth: customerInPerson('admin', 'signer'),
    summary: 'Pay an invoice', response: one(payAnswer), idempotent: true,
    body: z.strictObject({ method: z.enum(PORTAL_METHODS, 'Choose how to pay'),
      amount_minor: amountMinor, purchase_order_no: z.string().trim().min(1).max(100).optional(),
      /** Paid whole in the same payment by card or bank debit. */
      also: z.array(z.strictObject({ invoice_id: id, amount_minor: amountMinor })).max(20,
        'At most 20 other documents at once').optional() }) }),
  checkPayment: endpoint({ method: 'POST', path: `${path}/{invoiceId}/check_payment`,
    auth: customerInPerson('admin', 'signer'), summary: 'Ask the processor for the status of an online payment',
    response: one(portalInvoice), body: z.strictObject({}) }),
  refreshTax: endpoint({ method: 'POST', path: `${path}/{invoiceId}/refresh_tax`,
    auth: customerInPerson('admin', 'signer'), summary: 'Bring a pro forma to the tax of today before it is paid',
    response: one(portalInvoice), body: z.strictObject({}) }),
  transactions: endpoint({ method: 'GET', path: '/api/customers/{id}/transactions', auth: customer(),
    summary: "Movements of the customer's account", query: accountQuery, response: accountLines }),
  statement: endpoint({ method: 'GET', path: '/api/customers/{id}/statement', auth: customer(),
    summary: 'Statement of account', response: one(accountStatement),
    query: z.strictObject({ from: isoDate.optional(), to: isoDate.optional() }) }),
  statementDocument: endpoint({ method: 'GET', path: '/api/customers/{id}/statement/document', auth: customer(),
    summary: 'Statement of account as PDF', response: 'file',
    query: z.strictObject({ from: isoDate.optional(), to: isoDate.optional() }) }),
};
