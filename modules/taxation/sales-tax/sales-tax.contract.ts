/** Sales and use tax of the US divisions (A102): what was sold and collected by state, and economic nexus. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { isoDate, oneLine, positiveMinor, version } from '#kit/field.ts';

export const usDivision = z.enum(['US', 'PROD']);
export type UsDivision = z.infer<typeof usDivision>;
const amount = z.int();
const check = z.object({ name: z.string(), expected: z.int(), actual: z.int(), ok: z.boolean() });

export const nexusRuleRow = z.object({ id: z.int(), state: z.string(), threshold_minor: amount.nullable(),
  transactions: z.int().nullable(), needs_both: z.boolean(), measure: z.enum(['gross', 'taxable']),
  counted_over: z.enum(['calendar_year', 'rolling_12']), valid_from: z.string(), source: z.string(),
  /** A person entered or corrected it; false: as it came with the product. */
  is_verified: z.boolean(),
  version: z.int() });
export type NexusRuleRow = z.infer<typeof nexusRuleRow>;

export const salesTaxState = z.object({
  /** 'NY'. */
  state: z.string(), is_registered: z.boolean(), gross_minor: amount, taxable_minor: amount,
  exempt: z.array(z.object({ certificate: z.string(), minor: amount })), exempt_minor: amount,
  not_taxable_minor: amount, not_registered_minor: amount,
  /** No rule or rate was entered when it was issued. */
  unknown_minor: amount,
  rows: z.array(z.object({ jurisdiction: z.string(), rate_ppm: z.int(), taxable_minor: amount,
    collected_minor: amount, due_minor: amount, over_minor: amount })),
  collected_minor: amount, due_minor: amount, over_minor: amount,
  use_base_minor: amount, use_tax_minor: amount,
  /** Against the rule of the state on the last day; null where no rule is entered. */
  nexus: z.object({ rule: nexusRuleRow, from: z.string(), sales_minor: amount, transactions: z.int(),
    reached: z.boolean() }).nullable(),
});
export type SalesTaxState = z.infer<typeof salesTaxState>;

export const salesTaxReport = z.object({ division: usDivision, currency: z.literal('USD'), from: z.string(),
  to: z.string(), states: z.array(salesTaxState), gross_minor: amount, taxable_minor: amount, exempt_minor: amount,
  collected_minor: amount, due_minor: amount, use_tax_minor: amount, checks: z.array(check) });
export type SalesTaxReport = z.infer<typeof salesTaxReport>;

const base = '/api/admin/staff/accounting';
const threshold = positiveMinor.min(1, 'Enter an amount above zero').nullable();
const source = oneLine('Source', z.string().trim().max(300));
const state = z.string().regex(/^US-[A-Z]{2}$/, 'Enter the state as US-NY');

export const salesTaxEndpoints = {
  report: endpoint({ method: 'GET', path: `${base}/reports/us_sales_use_tax`, auth: staff('ledger_account.list'),
    summary: 'Sales and use tax by state and jurisdiction, with the counters of economic nexus',
    response: one(salesTaxReport), query: z.strictObject({ division: usDivision.default('US'),
      from: isoDate.optional(), to: isoDate.optional() }) }),
  export: endpoint({ method: 'GET', path: `${base}/reports/us_sales_use_tax/export`,
    auth: staff('ledger_account.list'), summary: 'Sales and use tax as CSV, one row for each jurisdiction and rate',
    response: 'file', query: z.strictObject({ division: usDivision.default('US'), from: isoDate.optional(),
      to: isoDate.optional() }) }),
  enterRule: endpoint({ method: 'POST', path: `${base}/nexus_rules`, auth: staff('transaction.update'), status: 201,
    summary: 'Enter what a state counts for economic nexus from a day on', response: one(nexusRuleRow),
    body: z.strictObject({ state, threshold_minor: threshold,
      transactions: z.int().min(1).max(1_000_000).nullable(), needs_both: z.boolean().default(false),
      measure: z.enum(['gross', 'taxable']).default('gross'),
      counted_over: z.enum(['calendar_year', 'rolling_12']).default('calendar_year'), valid_from: isoDate,
      source: source.default('') }) }),
  changeRule: endpoint({ method: 'PUT', path: `${base}/nexus_rules/{id}`, auth: staff('transaction.update'),
    summary: 'Correct a rule of economic nexus', response: one(nexusRuleRow),
    body: z.strictObject({ threshold_minor: threshold,
      transactions: z.int().min(1).max(1_000_000).nullable(), needs_both: z.boolean(),
      measure: z.enum(['gross', 'taxable']), counted_over: z.enum(['calendar_year', 'rolling_12']),
      source, version }) }),
};
