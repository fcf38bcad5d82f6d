/**
 * Sales and use tax returns of the US divisions by state (A102, accounting.md 2.2 event 23): what a return takes,
 * filing calendars, preparing. Filing, the answer of the state and withdrawing are the calls of every tax return.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, many, one, pagedQuery } from '#kit/endpoint.ts';
import { isoDate, oneLine, positiveMinor, version } from '#kit/field.ts';
import { FILING_BOXES, FILING_FREQUENCIES } from '#kernel/tax/filing-calendar.ts';
import { taxReturnRow } from '../returns/vat-return.contract.ts';
import { usDivision } from './sales-tax.contract.ts';

const amount = z.int();

export const filingRuleRow = z.object({ id: z.int(), division: usDivision, state: z.string(),
  frequency: z.enum(FILING_FREQUENCIES),
  /** Month that quarters and years are counted from. */
  first_month: z.int(),
  /** Day of the month after the period; beyond its end, the last day. */
  due_day: z.int(), discount_ppm: z.int(),
  /** Most for one return; null: no limit. */
  discount_cap_minor: amount.nullable(), valid_from: z.string(), source: z.string(),
  /** Null until somebody has compared it with what the state publishes. */
  confirmed_by_name: z.string().nullable(), confirmed_at: z.string().nullable(), version: z.int() });
export type FilingRuleRow = z.infer<typeof filingRuleRow>;

export const SALES_TAX_STEPS = ['to_prepare', 'prepared', 'filed', 'billed', 'paid'] as const;

/** A return, or a period that has ended and has none yet. */
export const salesTaxReturnRow = z.object({
  key: z.string(), division: usDivision,
  /** 'NY'. */
  state: z.string(), state_name: z.string(), from: z.string(), to: z.string(), due_on: z.string(),
  /** Nothing is to be paid: a filed return without a bill is at its end. */
  step: z.enum(SALES_TAX_STEPS), is_overdue: z.boolean(),
  /** Null until it is prepared. */
  net_minor: amount.nullable(), discount_minor: amount.nullable(), filed_on: z.string().nullable(),
  receipt: z.string(), bill_id: z.int().nullable(), bill_number: z.string().nullable(),
});
export type SalesTaxReturnRow = z.infer<typeof salesTaxReturnRow>;

export const salesTaxReturn = z.object({
  division: usDivision, currency: z.literal('USD'), state: z.string(), state_name: z.string(), from: z.string(),
  to: z.string(),
  /** Null where the state has no filing calendar. */
  due_on: z.string().nullable(), rule: filingRuleRow.nullable(),
  registration: z.string().nullable(),
  prepared: taxReturnRow.nullable(),
  boxes: z.array(z.object({ box: z.enum(FILING_BOXES), label: z.string(), amount_minor: amount })),
  exempt: z.array(z.object({ certificate: z.string(), minor: amount })),
  rows: z.array(z.object({ jurisdiction: z.string(), rate_ppm: z.int(), taxable_minor: amount,
    collected_minor: amount, due_minor: amount, over_minor: amount })),
  /** Part of the figures: issued or posted in a period that is filed already. */
  late: z.object({ items: z.int(), sales_minor: amount, tax_minor: amount, use_tax_minor: amount }),
  net_minor: amount,
  /** Something was posted since the return was prepared: it is withdrawn and prepared again. */
  has_changed: z.boolean(),
  checks: z.array(z.object({ name: z.string(), expected: z.int(), actual: z.int(), ok: z.boolean() })),
  /** Why it cannot be prepared now. */
  blocked: z.string().nullable(),
});
export type SalesTaxReturn = z.infer<typeof salesTaxReturn>;

export const salesTaxItemRow = z.object({ key: z.string(), kind: z.enum(['sale', 'use']), on: z.string(),
  document: z.string(), href: z.string(), party: z.string(), jurisdiction: z.string(), rate_ppm: z.int().nullable(),
  reason: z.string(), net_minor: amount, tax_minor: amount, is_late: z.boolean() });
export type SalesTaxItemRow = z.infer<typeof salesTaxItemRow>;

const base = '/api/admin/staff/accounting';
const report = `${base}/reports/us_sales_use_tax/return`;
const returns = `${base}/sales_tax_returns`;
const rules = `${base}/filing_rules`;
const letters = z.string().regex(/^[A-Z]{2}$/, 'Enter the two letters of the state, for example NY');
const division = usDivision.default('US');
const of = { division, state: letters.default('NY'), from: isoDate.optional(), to: isoDate.optional() };
const { shape } = pagedQuery({ filters: {}, sort: ['id'] });
const ruleFields = {
  frequency: z.enum(FILING_FREQUENCIES), first_month: z.int().min(1, 'From 1 to 12').max(12, 'From 1 to 12'),
  due_day: z.int().min(1, 'From 1 to 31').max(31, 'From 1 to 31'),
  discount_ppm: z.int().min(0).max(200_000, 'At most 20%'),
  discount_cap_minor: positiveMinor.min(1, 'Enter an amount above zero').nullable(),
  source: oneLine('Source', z.string().trim().max(300)),
};

export const salesTaxReturnEndpoints = {
  show: endpoint({ method: 'GET', path: report, auth: staff('ledger_account.list'),
    summary: 'Sales tax return of a state: its figures, what came late, and its checks', response: one(salesTaxReturn),
    query: z.strictObject(of) }),
  items: endpoint({ method: 'GET', path: `${report}/items`, auth: staff('ledger_account.list'),
    summary: 'What the sales tax return of a state takes', response: many(salesTaxItemRow),
    query: z.strictObject({ ...of, page: shape.page, per_page: shape.per_page }) }),
  export: endpoint({ method: 'GET', path: `${report}/export`, auth: staff('ledger_account.list'),
    summary: 'The sales tax return of a state with its items as CSV', response: 'file', query: z.strictObject(of) }),
  list: endpoint({ method: 'GET', path: returns, auth: staff('ledger_account.list'),
    summary: 'Sales tax returns of a division and periods that have none yet, the next due first',
    response: all(salesTaxReturnRow), query: z.strictObject({ division }) }),
  prepare: endpoint({ method: 'POST', path: returns, auth: staff('transaction.update'), status: 201, idempotent: true,
    summary: 'Prepare the sales tax return of a state; another person files it', response: one(taxReturnRow),
    body: z.strictObject({ division: usDivision, state: letters, from: isoDate, to: isoDate }) }),
  rules: endpoint({ method: 'GET', path: rules, auth: staff('ledger_account.list'),
    summary: 'Filing calendars of the states for a division', response: all(filingRuleRow),
    query: z.strictObject({ division }) }),
  enterRule: endpoint({ method: 'POST', path: rules, auth: staff('transaction.update'), status: 201,
    summary: 'Enter the filing calendar of a state from a day on', response: one(filingRuleRow),
    body: z.strictObject({ division: usDivision, state: z.string().regex(/^US-[A-Z]{2}$/, 'Enter the state as US-NY'),
      ...ruleFields, first_month: ruleFields.first_month.default(1), discount_ppm: ruleFields.discount_ppm.default(0),
      discount_cap_minor: ruleFields.discount_cap_minor.default(null), source: ruleFields.source.default(''),
      valid_from: isoDate }) }),
  changeRule: endpoint({ method: 'PUT', path: `${rules}/{id}`, auth: staff('transaction.update'),
    summary: 'Correct the filing calendar of a state; it is compared again', response: one(filingRuleRow),
    body: z.strictObject({ ...ruleFields, version }) }),
  confirmRule: endpoint({ method: 'PUT', path: `${rules}/{id}/confirm`, auth: staff('transaction.update'),
    summary: 'Confirm that a filing calendar was compared with what the state publishes',
    response: one(filingRuleRow), body: z.strictObject({ version }) }),
};
