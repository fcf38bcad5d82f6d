/** VAT returns of the UK and the EU division: boxes of a period (A101), what stands behind them, filing, exports. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, many, one, pagedQuery } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate, oneLine, version } from '#kit/field.ts';
import { BILL_STATES } from '#modules/payables/bill/bill.contract.ts';
import { browserFacts } from '../hmrc/hmrc.contract.ts';

export const vatDivision = z.enum(['UK', 'EU']);
export type VatDivisionCode = z.infer<typeof vatDivision>;
export const VAT_BOXES = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'T1', 'T2', 'T3', 'T4', 'E1', 'E2', 'ES1',
  'ES2'] as const;
const check = z.object({ name: z.string(), expected: z.int(), actual: z.int(), ok: z.boolean() });

export const vatBox = z.object({ box: z.enum(VAT_BOXES), label: z.string(), amount_minor: z.int(),
  /** Number of items behind it; null if it is computed from other boxes. */
  items: z.int().nullable() });

/** A return of VAT, or of the sales tax of a state. */
export const taxReturnRow = z.object({ id: z.int(), division: divisionCode,
  /** 'US-NY'; null for VAT. */
  state: z.string().nullable(), period_from: z.string(), period_to: z.string(), status: z.enum(['prepared', 'filed']),
  net_minor: z.int(), currency: currencyCode,
  /** Sales tax: by the filing calendar of the state. */
  due_on: z.string().nullable(),
  /** Vendor discount, part of the net. */
  discount_minor: z.int(),
  /** Sales tax: credit of earlier returns that this one uses, part of the net. */
  credit_minor: z.int(),
  /** Sales tax below zero: the next return takes it; otherwise the state is asked to refund it. */
  carries_credit: z.boolean(),
  prepared_by_id: z.int(), prepared_by_name: z.string(), prepared_at: z.string(), filed_by_name: z.string().nullable(),
  filed_at: z.string().nullable(),
  /** Sales tax: the day it was filed with the state. */
  filed_on: z.string().nullable(), receipt: z.string(), transaction_id: z.int().nullable(),
  /** The bill that pays a sales tax return. */
  bill_id: z.int().nullable(), bill_number: z.string().nullable(), bill_state: z.enum(BILL_STATES).nullable(),
  /** HMRC has it, or may have it: an answer is awaited. Filing goes on with HMRC only. */
  at_hmrc: z.enum(['sent', 'accepted']).nullable(), version: z.int() });
export type TaxReturnRow = z.infer<typeof taxReturnRow>;

export const vatReport = z.object({
  division: vatDivision, currency: currencyCode, from: z.string(), to: z.string(), vat_number: z.string().nullable(),
  /** The return of the period once it is prepared or filed. */
  prepared: taxReturnRow.nullable(),
  boxes: z.array(vatBox),
  /** Output tax less input tax: above zero it is paid, below zero it is reclaimed. */
  net_minor: z.int(),
  /** Late items: their tax point is in a period that is already filed. */
  late: z.object({ items: z.int(), tax_minor: z.int(),
    /** UK: whether it may be put right on this return, or has to be notified. */
    may_correct: z.boolean() }),
  /** Something was posted into the period since the return was prepared: it is withdrawn and prepared again. */
  has_changed: z.boolean(),
  checks: z.array(check),
  /** Why it cannot be prepared now. */
  blocked: z.string().nullable(),
});
export type VatReport = z.infer<typeof vatReport>;

export const vatItemRow = z.object({ key: z.string(), tax_point_on: z.string(), booked_on: z.string(),
  document: z.string(), href: z.string().nullable(), party: z.string(), tax_code: z.string().nullable(),
  net_minor: z.int(), tax_minor: z.int(), is_late: z.boolean() });
export type VatItemRow = z.infer<typeof vatItemRow>;

const reports = '/api/admin/staff/accounting/reports/uk_vat';
const returns = '/api/admin/staff/accounting/tax_returns';
const division = vatDivision.default('UK');
const span = { from: isoDate.optional(), to: isoDate.optional() };
const { shape } = pagedQuery({ filters: {}, sort: ['id'] });
const receipt = oneLine('Receipt', z.string().trim().max(100));

export const vatReturnEndpoints = {
  report: endpoint({ method: 'GET', path: reports, auth: staff('ledger_account.list'),
    summary: 'VAT return of a period: its boxes, what came late, and its checks', response: one(vatReport),
    query: z.strictObject({ division, ...span }) }),
  items: endpoint({ method: 'GET', path: `${reports}/items`, auth: staff('ledger_account.list'),
    summary: 'Lines of a VAT return, or of one of its boxes', response: many(vatItemRow),
    query: z.strictObject({ division, ...span, box: z.enum(VAT_BOXES).optional(), page: shape.page,
      per_page: shape.per_page }) }),
  export: endpoint({ method: 'GET', path: `${reports}/export`, auth: staff('ledger_account.list'),
    summary: 'The return with its items (CSV), for Making Tax Digital (JSON), one-stop shop, EC sales list',
    response: 'file', query: z.strictObject({ division, ...span,
      kind: z.enum(['return', 'mtd', 'oss', 'ec_list']).default('return') }) }),
  list: endpoint({ method: 'GET', path: returns, auth: staff('ledger_account.list'),
    summary: 'VAT returns of a division, newest first', response: all(taxReturnRow),
    query: z.strictObject({ division }) }),
  prepare: endpoint({ method: 'POST', path: returns, auth: staff('transaction.update'), status: 201,
    summary: 'Prepare the VAT return of a period; another person files it', response: one(taxReturnRow),
    idempotent: true, body: z.strictObject({ division: vatDivision, from: isoDate, to: isoDate }) }),
  file: endpoint({ method: 'PUT', path: `${returns}/{id}/file`, auth: staff('transaction.update'),
    summary: 'File a prepared return: its items are frozen; of VAT, its tax is posted and its period locked for tax',
    response: one(taxReturnRow), body: z.strictObject({ version, receipt: receipt.default(''),
      /** Sales tax: the day it was filed with the state; absent: today. */
      filed_on: isoDate.optional(),
      /** Sales tax below zero: for the next return of the state, or asked back. */
      credit: z.enum(['carry_forward', 'refund']).default('carry_forward') }) }),
  fileWithHmrc: endpoint({ method: 'PUT', path: `${returns}/{id}/file_with_hmrc`, auth: staff('transaction.update'),
    summary: 'Send a prepared UK return to HMRC and file it; what HMRC has already is read back and compared',
    response: one(taxReturnRow), body: z.strictObject({ version, browser: browserFacts,
      /** The person declares that the figures are true and complete. */
      declared: z.literal(true, 'Confirm that the information is true and complete') }) }),
  receipt: endpoint({ method: 'PUT', path: `${returns}/{id}/receipt`, auth: staff('transaction.update'),
    summary: 'Enter what the authority answered to a filed return', response: one(taxReturnRow),
    body: z.strictObject({ version, receipt: oneLine('Receipt', z.string().trim().min(1, 'Receipt is required')
      .max(100)) }) }),
  withdraw: endpoint({ method: 'PUT', path: `${returns}/{id}/withdraw`, auth: staff('transaction.update'),
    summary: 'Withdraw a prepared return that is not filed', response: null,
    body: z.strictObject({ version, reason: z.string().trim().min(1, 'Reason is required').max(500) }) }),
};
