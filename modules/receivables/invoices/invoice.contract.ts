/** Invoices, pro formas and credit notes: A322 to A338, X104 to X108; what receipts do to them. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, trashing } from '#kit/bulk.ts';
import { dueReasonAnswer } from '#kit/due-reason.ts';
import { all, endpoint, listQuery, pagedQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, positiveMinor, version } from '#kit/field.ts';
import { ITEM_CLASSES } from '#kernel/money/priced-line.ts';
import { localRateAnswer } from '#modules/taxation/local-tax-rates/local-tax-rate.contract.ts';
import { vatProof } from '#modules/taxation/vat-registers/vat-number.contract.ts';
import { PAYMENT_METHODS } from '../receivables-types.ts';

export const INVOICE_KINDS = ['invoice', 'proforma', 'credit_note'] as const;
export const INVOICE_STATUSES =
  ['draft', 'proforma', 'issued', 'part_paid', 'paid', 'credited', 'written_off', 'void'] as const;
export const ITEM_KINDS = ['royalty', 'minimum', 'advance', 'overage', 'rental', 'extra_week', 'sale', 'digital',
  'add_on', 'shipping', 'fee'] as const;
export const RELEASE_RULES = ['performances', 'opening', 'as_recouped', 'straight_line', 'shipment', 'access',
  'at_once'] as const;

export const invoiceRow = z.object({
  id: z.int(),
  /** The number of an issued document, the reference of a pro forma; null for a draft. */
  number: z.string().nullable(),
  kind: z.enum(INVOICE_KINDS),
  status: z.enum(INVOICE_STATUSES),
  customer_id: z.int(),
  customer_name: z.string(),
  license_id: z.int().nullable(),
  license_number: z.string().nullable(),
  license_title: z.string().nullable(),
  division: divisionCode,
  currency: currencyCode,
  issued_on: z.string().nullable(),
  due_on: z.string().nullable(),
  net_minor: z.int(),
  tax_minor: z.int(),
  total_minor: z.int(),
  prepaid_minor: z.int(),
  paid_minor: z.int(),
  credited_minor: z.int(),
  written_off_minor: z.int(),
  balance_minor: z.int(),
  overdue: z.boolean(),
  transaction_id: z.int().nullable(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type InvoiceRow = z.infer<typeof invoiceRow>;

export const invoiceItemRow = z.object({
  id: z.int(), invoice_id: z.int(), sort: z.int(), kind: z.enum([...ITEM_KINDS, 'bank_charge', 'late_interest']),
  description: z.string(), quantity: z.int(), unit_minor: z.int(), net_minor: z.int(), tax_minor: z.int(),
  total_minor: z.int(), applied_minor: z.int(), credited_minor: z.int(), tax_code: z.string().nullable(),
  item_class: z.enum(ITEM_CLASSES), royalty_bearing: z.boolean(), release_rule: z.enum(RELEASE_RULES),
  release_from: z.string().nullable(),
  release_to: z.string().nullable(), license_venue_id: z.int().nullable(), released_minor: z.int(),
  deferred_minor: z.int(),
});
export type InvoiceItemRow = z.infer<typeof invoiceItemRow>;
export const invoiceTaxRow = z.object({
  id: z.int(), invoice_item_id: z.int(), jurisdiction: z.string(), code: z.string(), rate_ppm: z.int(),
  base_minor: z.int(), tax_minor: z.int(), reason: z.string(),
});
export const invoicePaymentRow = z.object({
  payment_id: z.int(), number: z.string(), method: z.enum(PAYMENT_METHODS), paid_on: z.string(), status: z.string(),
  reference: z.string(), applied_minor: z.int(), amount_minor: z.int(), currency: currencyCode,
});
export const invoiceDetail = invoiceRow.extend({
  billing_name: z.string(),
  billing_address: z.record(z.string(), z.string()).nullable(),
  customer_vat_number: z.string().nullable(),
  division_vat_number: z.string().nullable(),
  /** Why it is due on its day. */
  due_reason: dueReasonAnswer,
  purchase_order_no: z.string().nullable(),
  notes: z.string(),
  reason: z.string(),
  /** The tax within what was paid on account: it was charged when the money came in. */
  prepaid_tax_minor: z.int(),
  legal_texts: z.array(z.string()),
  credits_invoice_id: z.int().nullable(),
  credits_number: z.string().nullable(),
  /** Of a credit note that left something over: where it stands on account. */
  on_account_payment_id: z.int().nullable(),
  proforma_id: z.int().nullable(),
  proforma_reference: z.string().nullable(),
  functional_rate: z.string().nullable(),
  void_reason: z.string().nullable(),
  statement_email: z.string().nullable(),
  items: z.array(invoiceItemRow),
  taxes: z.array(invoiceTaxRow),
  payments: z.array(invoicePaymentRow),
  /** Of a pro forma: which version it is, why, and those before it. */
  revision: z.int(), revision_note: z.string(),
  earlier_versions: z.array(z.object({ revision: z.int(), tax_minor: z.int(), total_minor: z.int(),
    replaced_on: z.string() })),
  /** Tax that a payment for an older version of the pro forma left open. */
  tax_shortfall_minor: z.int(),
  /** With a tax service: whether it determined the tax, or our own tables because it did not answer. */
  tax_source: z.object({ determined_by: z.enum(['service', 'own']), problem: z.string(),
    checked_by_name: z.string().nullable(), checked_at: z.string().nullable() }).nullable(),
  /** Of an invoice without VAT to another member state: the proof of the customer's VAT number at issue. */
  vat_proof: vatProof.nullable(),
  /** The newest open dispute that took money off it; for staff. */
  dispute: z.object({ dispute_id: z.string(), due_at: z.string().nullable(), amount_minor: z.int() }).nullable(),
  /** Settlement without cash: written off, forgiven, withheld; and how much of each was taken back. */
  write_offs: z.array(z.object({ id: z.int(), kind: z.enum(['bad_debt', 'small_difference', 'tax_withheld']),
    amount_minor: z.int(), taken_back_minor: z.int(), written_off_on: z.string(), reason: z.string() })),
  credit_notes: z.array(z.object({ id: z.int(), number: z.string(), issued_on: z.string(), total_minor: z.int(),
    reason: z.string() })),
});
export type InvoiceDetail = z.infer<typeof invoiceDetail>;
export const invoiceTotals = z.object({
  currency: currencyCode, documents: z.int(), total_minor: z.int(), balance_minor: z.int(), overdue_minor: z.int(),
  /** Amount requested by open pro formas: not a debt yet, and not part of the open amount. */
  requested_minor: z.int(),
});

/** SPEC's `amount` is decimal text; a number is read as written. More than two decimals are refused. */
export const moneyText = z.union([z.string(), z.number()]).transform((value, ctx) => {
  const text = String(value).trim();
  if (!/^\d{1,11}(\.\d{1,2})?$/.test(text) || Number(text) <= 0 || Number(text) > 1e10) {
    ctx.addIssue({ code: 'custom',
      message: 'Enter an amount above zero with at most two decimals, up to 10,000,000,000.00' });
    return z.NEVER;
  }
  const [whole = '0', fraction = ''] = text.split('.');
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
});
const amountMinor = z.int('Enter a whole number of minor units').min(1, 'Enter an amount above zero')
  .max(1_000_000_000_000, 'The amount is larger than 10,000,000,000.00');
export { amountMinor };
const reason = z.string().trim().min(1, 'Reason is required').max(500);
export { reason };

export const invoiceItemInput = z.strictObject({
  kind: z.enum(ITEM_KINDS, 'Choose a kind'),
  description: z.string().trim().min(1, 'Description is required').max(500),
  item_class: z.enum(ITEM_CLASSES, 'Choose a tax class'),
  quantity: z.int('Enter a whole number').min(1, 'Enter a quantity of at least 1')
    .max(1_000_000, 'At most 1,000,000').default(1),
  unit_minor: positiveMinor.optional(),
  net_minor: z.int('Enter a whole number of minor units').min(0, 'The amount cannot be negative')
    .max(1_000_000_000_000, 'The amount is larger than 10,000,000,000.00'),
  royalty_bearing: z.boolean().default(false),
  release_rule: z.enum(RELEASE_RULES).optional(),
  release_from: isoDate.nullable().optional(),
  release_to: isoDate.nullable().optional(),
  license_venue_id: id.nullable().optional(),
});
const localRates = z.array(localRateAnswer).max(20).optional();
const itemBody = z.strictObject({ ...invoiceItemInput.shape, local_rates: localRates });
export const invoiceInput = z.strictObject({
  customer_id: z.int('Choose the customer').min(1, 'Choose the customer'),
  license_id: id.nullable().default(null),
  division: divisionCode,
  currency: currencyCode,
  /** Left out or null: dated when it is issued, and due by the customer's terms. */
  issued_on: isoDate.nullable().optional(),
  due_on: isoDate.nullable().optional(),
  /** Local rates of ZIP codes that were asked about (409 otherwise); they are kept for everybody. */
  local_rates: localRates,
  purchase_order_no: z.string().trim().max(100).nullable().default(null),
  notes: z.string().trim().max(2_000).default(''),
  items: z.array(invoiceItemInput).min(1, 'Add a line').max(500),
});

/** A draft as it would be billed; nothing is stored and no number is taken. */
export const invoicePreview = z.object({
  next_number: z.string(), issued_on: z.string(), due_on: z.string(), net_minor: z.int(), tax_minor: z.int(),
  total_minor: z.int(), prepaid_minor: z.int(), legal_texts: z.array(z.string()),
  /** Taxed at the state's rate because no local rate is known; the draft asks about each once. */
  unknown_zips: z.array(z.object({ state: z.string(), zip: z.string() })),
  lines: z.array(z.object({ net_minor: z.int(), tax_minor: z.int(), code: z.string(), rate_ppm: z.int(),
    jurisdiction: z.string(), reason: z.string(), problem: z.string().nullable(), release_rule: z.enum(RELEASE_RULES),
    account_code: z.string() })),
});

const path = '/api/admin/staff/invoices';
const filters = {
  customer_id: z.coerce.number().int().optional(), license_id: z.coerce.number().int().optional(),
  division: divisionCode.optional(), currency: currencyCode.optional(), kind: z.enum(INVOICE_KINDS).optional(),
  status: z.enum(INVOICE_STATUSES).optional(), open: z.enum(['true', 'false']).optional(),
  due: z.enum(['current', 'days_1_30', 'days_31_60', 'days_61_90', 'days_91', 'overdue']).optional(),
  from: isoDate.optional(), to: isoDate.optional(),
};
const query = listQuery({ filters, sort: ['issued_on', 'due_on', 'number', 'total_minor', 'balance_minor',
  'updated_at'] });
export type InvoiceQuery = z.output<typeof query>;
const itemQuery = pagedQuery({ filters: {}, sort: ['sort'] });
const lineQuery = listQuery({ filters: {}, sort: ['sort'] });
const applyBody = z.strictObject({
  amount: moneyText.optional(), amount_minor: amountMinor.optional(),
  /** A receipt that is on account; without it a new receipt is recorded. */
  payment_id: id.optional(), method: z.enum(PAYMENT_METHODS).default('wire'), received_on: isoDate.optional(),
  bank_account_id: id.nullable().default(null),
  reference: z.string().trim().max(200).default(''), withheld_minor: positiveMinor.optional(),
  accept_short: z.boolean().default(false),
  /** The same day and amount from this customer, or under this reference, was asked about (409 otherwise). */
  duplicate_confirmed: z.boolean().default(false),
  lines: z.array(z.strictObject({ invoice_item_id: id, amount_minor: amountMinor })).max(500).optional(),
});

export const invoiceEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('invoice.list'), summary: 'List invoices', query,
    response: many(invoiceRow) }),
  totals: endpoint({ method: 'GET', path: `${path}/totals`, auth: staff('invoice.list'),
    summary: 'Totals per currency of a list of invoices', query, response: all(invoiceTotals) }),
  nextNumber: endpoint({ method: 'GET', path: `${path}/next-invoice-number`, auth: staff('invoice.create'),
    summary: 'The next invoice number', query: z.strictObject({ division: divisionCode.default('US') }),
    response: one(z.object({ number: z.string() })) }),
  trash: endpoint({ method: 'GET', path: `${path}/trash`, auth: staff('invoice.list_trash'),
    summary: 'Voided drafts and pro formas', query, response: many(invoiceRow) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('invoice.view'), summary: 'Show an invoice',
    response: one(invoiceDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('invoice.create'), summary: 'Draft an invoice',
    body: invoiceInput, response: one(invoiceDetail), status: 201, idempotent: true }),
  preview: endpoint({ method: 'POST', path: `${path}/preview`, auth: staff(['invoice.create', 'invoice.update']),
    summary: 'Preview of a draft invoice', body: invoiceInput, response: one(invoicePreview), readOnly: true }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('invoice.update'),
    summary: 'Change a draft', body: z.strictObject({ ...invoiceInput.partial().shape, version }),
    response: one(invoiceDetail) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: staff('invoice.delete'),
    summary: 'Void a draft or a pro forma', response: null }),
  restore: endpoint({ method: 'PUT', path: `${path}/{id}/restore`, auth: staff('invoice.restore'),
    summary: 'Restore a voided draft or pro forma', response: one(invoiceDetail) }),
  force: endpoint({ method: 'DELETE', path: `${path}/{id}/force`, auth: staff('invoice.forceDelete'),
    summary: 'Delete a voided draft for good', response: null }),
  issue: endpoint({ method: 'POST', path: `${path}/{id}/issue`, auth: staff('invoice.update'),
    summary: 'Issue a draft: number and posting', response: one(invoiceDetail), idempotent: true,
    body: z.strictObject({ version, issued_on: isoDate.optional(),
      /** Its day is after today, at most 31 days: that was asked about (409 otherwise). */
      dated_ahead_confirmed: z.boolean().default(false),
      /** The total after the tax had changed, as it was asked about (409 `invoice.tax_changed` otherwise). */
      confirmed_total_minor: positiveMinor.optional() }) }),
  taxChecked: endpoint({ method: 'PUT', path: `${path}/{id}/tax_checked`, auth: staff('invoice.update'),
    summary: 'Confirm that the tax our own tables decided was compared', response: one(invoiceDetail) }),
  refreshTax: endpoint({ method: 'POST', path: `${path}/{id}/refresh_tax`, auth: staff('invoice.manage_payments'),
    summary: 'Bring a pro forma to the tax of today before it is paid', response: one(invoiceDetail),
    body: z.strictObject({}) }),
  credit: endpoint({ method: 'POST', path: `${path}/{id}/credit_notes`, auth: staff('invoice.create'),
    summary: 'Credit an issued invoice', response: one(invoiceDetail), status: 201, idempotent: true,
    body: z.strictObject({ reason, on: isoDate.optional(), dated_ahead_confirmed: z.boolean().default(false),
      lines: z.array(z.strictObject({ invoice_item_id: id,
        amount_minor: amountMinor })).min(1).max(500).optional() }) }),
  writeOff: endpoint({ method: 'POST', path: `${path}/{id}/write_off`, auth: staff('invoice.manage_payments'),
    summary: 'Write off what is open', response: one(invoiceDetail), idempotent: true,
    body: z.strictObject({ amount_minor: amountMinor, reason }) }),
  recover: endpoint({ method: 'POST', path: `${path}/{id}/write_off/recover`, auth: staff('invoice.manage_payments'),
    summary: 'Take back what was written off', response: one(invoiceDetail), idempotent: true,
    body: z.strictObject({ amount_minor: amountMinor, reason }) }),
  send: endpoint({ method: 'POST', path: `${path}/{id}/send`, auth: staff('invoice.update'),
    summary: 'Send the document by mail', response: one(z.object({ recipients: z.array(z.string()) })), status: 202,
    body: z.strictObject({ recipients: z.array(z.email('Recipients must be valid email addresses'))
      .min(1, 'Add a recipient').max(20), message: z.string().trim().max(2_000).default(''),
      unprintable_accepted: z.boolean().default(false) }) }),
  document: endpoint({ method: 'GET', path: `${path}/{id}/document`, auth: staff('invoice.view'),
    summary: 'The document as PDF', response: 'file' }),
  payments: endpoint({ method: 'GET', path: `${path}/{id}/payments`, auth: staff('invoice.manage_payments'),
    summary: 'Receipts applied to an invoice', query: itemQuery, response: many(invoicePaymentRow) }),
  pay: endpoint({ method: 'POST', path: `${path}/{id}/payments`, auth: staff('invoice.manage_payments'),
    summary: 'Record a receipt for an invoice, or apply one on account', body: applyBody,
    response: one(invoiceDetail), status: 201, idempotent: true }),
  changePayment: endpoint({ method: 'PUT', path: `${path}/{id}/payments/{paymentId}`,
    auth: staff('invoice.manage_payments'), summary: 'Change how much of a receipt is applied',
    body: z.strictObject({ amount: moneyText.optional(), amount_minor: amountMinor.optional() }),
    response: one(invoiceDetail) }),
  unapply: endpoint({ method: 'DELETE', path: `${path}/{id}/payments/{paymentId}`,
    auth: staff('invoice.manage_payments'), summary: 'Take a receipt off an invoice; it stays on account',
    response: null }),
  items: endpoint({ method: 'GET', path: `${path}/{invoiceId}/invoice_items`, auth: staff('invoice_item.list'),
    summary: 'Lines of an invoice', query: lineQuery, response: many(invoiceItemRow) }),
  item: endpoint({ method: 'GET', path: `${path}/{invoiceId}/invoice_items/{id}`, auth: staff('invoice_item.view'),
    summary: 'A line of an invoice', response: one(invoiceItemRow) }),
  createItem: endpoint({ method: 'POST', path: `${path}/{invoiceId}/invoice_items`,
    auth: staff('invoice_item.create'), summary: 'Add a line to a draft', body: itemBody,
    response: one(invoiceItemRow), status: 201, idempotent: true }),
  updateItem: endpoint({ method: 'PUT', path: `${path}/{invoiceId}/invoice_items/{id}`,
    auth: staff('invoice_item.update'), summary: 'Replace a line of a draft', body: itemBody,
    response: one(invoiceItemRow) }),
  removeItem: endpoint({ method: 'DELETE', path: `${path}/{invoiceId}/invoice_items/{id}`,
    auth: staff('invoice_item.delete'), summary: 'Remove a line of a draft', response: null }),
};

/** Only drafts are issued or go to the trash; what was issued is refused (SPEC.md, posted documents). */
export const invoiceBulk = bulk(invoiceEndpoints.list,
  { noun: ['invoice', 'invoices'], href: '/admin/accounts-receivable/invoices/{id}',
    named: ['number', 'customer_name'] },
  [{ label: 'Issue', endpoint: invoiceEndpoints.issue }, trashing(invoiceEndpoints)]);
