/** Year-end forms by recipient: 1099-NEC, 1099-MISC, 1042-S; royalties paid in the UK and the EU. */
import * as z from 'zod';
import { YEAR_END_FORMS, LEFT_OUT, PROBLEMS } from '#kernel/tax/year-end-forms.ts';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, oneLine, positiveMinor, version } from '#kit/field.ts';

const form = z.enum(YEAR_END_FORMS);
const amount = z.int();
const year = z.int().min(1990, 'Enter a year from 1990 on').max(2200, 'Enter a year up to 2200');
const yearOfQuery = z.coerce.number().int().min(1990).max(2200);

const box = z.object({ box: z.string(), head: z.string(), amount_minor: amount });
export const yearEndFormRow = z.object({
  /** null: not prepared yet. */
  id: z.int().nullable(), key: z.string(), kind: z.enum(['original', 'correction']),
  status: z.enum(['draft', 'prepared', 'filed']), corrects_id: z.int().nullable(), sequence: z.int(),
  /** 'royaltor:12'. */
  recipient: z.string(), href: z.string(), name: z.string(), tin_last4: z.string().nullable(),
  address: z.array(z.string()), country: z.string().nullable(), rate_ppm: z.int().nullable(), boxes: z.array(box),
  payments: z.int(),
});
export type YearEndFormRow = z.infer<typeof yearEndFormRow>;

export const yearEndFormDetail = yearEndFormRow.extend({ form, division: divisionCode, tax_year: z.int(),
  currency: currencyCode,
  paid: z.array(z.object({ payment_id: z.int(), number: z.string(), paid_on: z.string(), box: z.string(),
    amount_minor: amount, withheld_minor: amount })) });
export type YearEndFormDetail = z.infer<typeof yearEndFormDetail>;

export const layoutRow = z.object({ id: z.int(), form, tax_year: z.int(), revision: z.int(),
  columns: z.array(z.object({ key: z.string(), head: z.string() })), confirmed_by_name: z.string().nullable(),
  confirmed_at: z.string().nullable(), version: z.int() });
export type LayoutRow = z.infer<typeof layoutRow>;

export const filingRow = z.object({ id: z.int(), division: divisionCode, tax_year: z.int(), form, sequence: z.int(),
  status: z.enum(['prepared', 'filed']), forms: z.int(), prepared_by_id: z.int(), prepared_by_name: z.string(),
  prepared_at: z.string(), filed_by_name: z.string().nullable(), filed_at: z.string().nullable(), receipt: z.string(),
  layout_revision: z.int(), layout_confirmed: z.boolean(), version: z.int() });
export type FilingRow = z.infer<typeof filingRow>;

export const thresholdRow = z.object({ id: z.int(), form, box: z.string(), from_year: z.int(),
  threshold_minor: amount, source: z.string(), version: z.int() });
export type ThresholdRow = z.infer<typeof thresholdRow>;

export const yearEndSection = z.object({ form, title: z.string(),
  /** null: no year has a layout. */
  layout: layoutRow.nullable(), filings: z.array(filingRow), rows: z.array(yearEndFormRow), totals: z.array(box),
  /** Forms that a preparation would store now. */
  next: z.int(),
  /** Why nothing can be prepared now. */
  blocked: z.string().nullable() });
export type YearEndSection = z.infer<typeof yearEndSection>;

export const yearEndProblem = z.object({ key: z.string(), name: z.string(), href: z.string(), form,
  problem: z.enum(PROBLEMS), amount_minor: amount });
export type YearEndProblemRow = z.infer<typeof yearEndProblem>;

export const yearEndReport = z.object({ division: divisionCode, year: z.int(), currency: currencyCode,
  payer_tin: z.string().nullable(), forms: z.array(yearEndSection), problems: z.array(yearEndProblem),
  left_out: z.array(z.object({ reason: z.enum(LEFT_OUT), payments: z.int(), amount_minor: amount,
    withheld_minor: amount })), thresholds: z.array(thresholdRow),
  checks: z.array(z.object({ name: z.string(), expected: amount, actual: amount, ok: z.boolean() })) });
export type YearEndReport = z.infer<typeof yearEndReport>;

const base = '/api/admin/staff/accounting';
const of = { division: divisionCode.default('US'), year: yearOfQuery.optional() };
const threshold = positiveMinor;
const source = oneLine('Source', z.string().trim().max(300));
const receipt = oneLine('Receipt', z.string().trim().max(100));

export const yearEndEndpoints = {
  report: endpoint({ method: 'GET', path: `${base}/reports/year_end_forms`, auth: staff('ledger_account.view'),
    summary: 'Year-end forms of a division: what is due, prepared and filed, what is missing, and the thresholds',
    query: z.strictObject(of), response: one(yearEndReport) }),
  export: endpoint({ method: 'GET', path: `${base}/reports/year_end_forms/export`,
    auth: staff('ledger_account.view'), response: 'file',
    summary: 'The forms of one kind as CSV, tax numbers by their last four digits',
    query: z.strictObject({ ...of, form: form.optional() }) }),
  form: endpoint({ method: 'GET', path: `${base}/year_end_forms/{id}`, auth: staff('ledger_account.view'),
    summary: 'A year-end form with the payments behind its boxes', response: one(yearEndFormDetail) }),
  copy: endpoint({ method: 'GET', path: `${base}/year_end_forms/{id}/recipient_copy`,
    auth: staff('ledger_account.view'), summary: 'Copy of a year-end form for its recipient as PDF',
    response: 'file' }),
  prepare: endpoint({ method: 'POST', path: `${base}/year_end_filings`, auth: staff('transaction.update'),
    summary: 'Prepare the forms of a year, or the corrections of filed ones; another person marks them filed',
    status: 201, idempotent: true, body: z.strictObject({ division: divisionCode, year, form }),
    response: one(filingRow) }),
  file: endpoint({ method: 'PUT', path: `${base}/year_end_filings/{id}/file`, auth: staff('transaction.update'),
    summary: 'Mark prepared year-end forms filed: they never change afterwards', response: one(filingRow),
    body: z.strictObject({ version, receipt: receipt.default('') }) }),
  withdraw: endpoint({ method: 'PUT', path: `${base}/year_end_filings/{id}/withdraw`,
    auth: staff('transaction.update'), summary: 'Withdraw prepared year-end forms that are not filed',
    response: null, body: z.strictObject({ version,
      reason: z.string().trim().min(1, 'Reason is required').max(500) }) }),
  irsFile: endpoint({ method: 'GET', path: `${base}/year_end_filings/{id}/csv`, auth: staff('transaction.update'),
    summary: 'Prepared or filed forms as CSV with whole tax numbers, for who may write those of royaltors and vendors',
    response: 'file' }),
  enterThreshold: endpoint({ method: 'POST', path: `${base}/year_end_thresholds`, auth: staff('transaction.update'),
    status: 201, summary: 'Enter from which amount a box is reported, from a tax year on', response: one(thresholdRow),
    body: z.strictObject({ form, box: z.string().regex(/^[0-9a-z]{1,8}$/, 'Enter a box of the form'),
      from_year: year, threshold_minor: threshold, source: source.default('') }) }),
  changeThreshold: endpoint({ method: 'PUT', path: `${base}/year_end_thresholds/{id}`,
    auth: staff('transaction.update'), summary: 'Correct a threshold of a year-end form', response: one(thresholdRow),
    body: z.strictObject({ threshold_minor: threshold, source, version }) }),
  changeLayout: endpoint({ method: 'PUT', path: `${base}/year_end_layouts/{id}`, auth: staff('transaction.update'),
    summary: 'Change heads or order of the CSV of a form in a tax year: a new revision, unverified',
    response: one(layoutRow), body: z.strictObject({ version, tax_year: year,
      columns: z.array(z.strictObject({ key: z.string().min(1).max(40),
        head: oneLine('Head', z.string().trim().min(1, 'Head is required').max(200)) })).min(1).max(60) }) }),
  confirmLayout: endpoint({ method: 'PUT', path: `${base}/year_end_layouts/{id}/confirm`,
    auth: staff('transaction.update'), response: one(layoutRow),
    summary: 'Confirm that a layout was compared with the form as it is published for the year',
    body: z.strictObject({ version }) }),
};
