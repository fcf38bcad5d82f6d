/**
 * The staff home (A288, RT29): what came in, what is owed, what is under way and what waits for a person, of one
 * division. A section is null where the person may not read what it is made of. Amounts stand with their currency and
 * are never added across currencies; all are minor units.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode } from '#kit/field.ts';
import { AGING_BUCKETS } from '#kernel/receivables/aging.ts';

/** Phases of the pipeline in the order of a licence's life; what has ended is no work any more. */
export const PIPELINE_PHASES = ['draft', 'sent', 'accepted', 'licensed', 'in_production', 'settlement'] as const;
export const TODO_KINDS = ['approval', 'task', 'application', 'perusal', 'offer', 'report', 'opening', 'materials',
  'parcel', 'bank_lines', 'reconciliation', 'transit', 'deposit', 'revaluation', 'month_close', 'tax_return',
  'year_end', 'tax_service', 'vat_number', 'recurring_bill', 'payable', 'returned_payment', 'unplaced_mail'] as const;

const monthRow = z.object({
  /** First day of the calendar month; the last one of the twelve is not over yet. */
  month: z.string(), currency: currencyCode,
  income_minor: z.int(), royalty_minor: z.int(), income_before_minor: z.int(), royalty_before_minor: z.int(),
});
const ageRow = z.object({
  currency: currencyCode, bucket: z.enum(AGING_BUCKETS), customers: z.int(), minor: z.int(),
  largest_name: z.string().nullable(), largest_minor: z.int(),
});
const pipelineRow = z.object({
  phase: z.enum(PIPELINE_PHASES), currency: currencyCode, count: z.int(), minor: z.int(),
});
export const todoRow = z.object({
  kind: z.enum(TODO_KINDS), id: z.int(), title: z.string(), detail: z.string(),
  /** Day in the division's time zone by which somebody must act; null where none is promised. */
  due_on: z.string().nullable(), late: z.boolean(), mine: z.boolean(),
  entity: z.string(), entity_id: z.int(), license_id: z.int().nullable(), customer_id: z.int().nullable(),
  phase: z.string().nullable(),
  currency: currencyCode.nullable(), minor: z.int().nullable(),
  /** Address of its screen with the division, state or days of the row; null where the record gives it. */
  href: z.string().nullable(),
});
export type TodoRow = z.infer<typeof todoRow>;
const openingRow = z.object({
  license_id: z.int(), customer_id: z.int(), phase: z.string(), title: z.string(), customer_name: z.string(),
  opens_on: z.string(), currency: currencyCode, balance_minor: z.int(),
});
const activityRow = z.object({
  id: z.int(), license_id: z.int(), customer_id: z.int(), phase: z.string(), number: z.string(), title: z.string(),
  event: z.string(), who: z.string().nullable(), at: z.string(),
});

/** A bank account with what its ledger and its bank say. */
const cashRow = z.object({
  bank_account_id: z.int(), name: z.string(), bank_name: z.string(), currency: currencyCode, ledger_minor: z.int(),
  bank_minor: z.int().nullable(), unmatched_count: z.int(), last_statement_on: z.string().nullable(),
});
export const dashboard = z.object({
  division: divisionCode, today: z.string(), functional_currency: currencyCode,
  /** Currencies with any figure, the division's own first. */
  currencies: z.array(currencyCode),
  /** Twelve months, oldest first, per currency. */
  months: z.array(monthRow).nullable(),
  receivables: z.object({ rows: z.array(ageRow),
    /** Customers who owe anything, each counted once. */
    customers: z.array(z.object({ currency: currencyCode, count: z.int() })),
    unapplied: z.array(z.object({ currency: currencyCode, minor: z.int() })) }).nullable(),
  cash: z.array(cashRow).nullable(),
  pipeline: z.array(pipelineRow).nullable(),
  todo: z.object({ rows: z.array(todoRow),
    counts: z.array(z.object({ kind: z.enum(TODO_KINDS), total: z.int(), late: z.int(), mine: z.int() })) }).nullable(),
  openings: z.object({ total: z.int(), rows: z.array(openingRow) }).nullable(),
  activity: z.array(activityRow).nullable(),
});
export type Dashboard = z.infer<typeof dashboard>;

export const dashboardEndpoints = {
  show: endpoint({ method: 'GET', path: '/api/admin/staff/dashboard', auth: staff(null),
    summary: 'Figures and work of the staff home', response: one(dashboard),
    query: z.strictObject({ division: divisionCode.default('US'),
      /** Every to-do instead of the most urgent of each kind. */
      all: z.stringbool().optional() }) }),
};
