/** Accruals: what every royaltor earned by every line, with the term that matched and the sharing (X55, A284). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate } from '#kit/field.ts';

export const INCOME_TYPES = ['royalty', 'rental', 'sale', 'digital', 'add_on', 'streaming', 'video', 'perusal',
  'late_fee', 'advance', 'breakage', 'cancellation_fee'] as const;
/** shared: neither earned nor due yet; cost: earned; due: on its way to a statement; statemented. */
export const ACCRUAL_STATES = ['shared', 'cost', 'due', 'statemented'] as const;

export const accrualRow = z.object({
  id: z.int(),
  royaltor_id: z.int(),
  royaltor_name: z.string(),
  show_royaltor_id: z.int(),
  role: z.string(),
  show_id: z.int(),
  show_title: z.string(),
  license_id: z.int().nullable(),
  license_number: z.string().nullable(),
  box_office_report_id: z.int().nullable(),
  invoice_item_id: z.int().nullable(),
  income_type: z.enum(INCOME_TYPES),
  division: divisionCode,
  currency: currencyCode,
  base_minor: z.int(),
  rate_ppm: z.int(),
  share_points: z.int(),
  amount_minor: z.int(),
  matched_term_id: z.int().nullable(),
  occurred_on: z.string(),
  cost_on: z.string().nullable(),
  due_on: z.string().nullable(),
  statement_id: z.int().nullable(),
  statement_number: z.string().nullable(),
  reverses_accrual_id: z.int().nullable(),
  /** The sharing this one is a part or a mirror of; null where it is the sharing itself. */
  part_of_id: z.int().nullable(),
  cost_transaction_id: z.int().nullable(),
  due_transaction_id: z.int().nullable(),
});
export type AccrualRow = z.infer<typeof accrualRow>;

const fieldFact = z.object({ label: z.string(), wanted: z.string(), found: z.string(), matched: z.boolean() });
export const accrualTrace = z.object({
  accrual: accrualRow,
  /** The line that was shared. */
  amount_minor: z.int(),
  house_minor: z.int(),
  method: z.enum(['plain', 'carried', 'safe', 'mirror']),
  base_formula: z.string(),
  share_formula: z.string(),
  matched: z.object({ term_id: z.int().nullable(), matched: z.int(), of: z.int(), fields: z.array(fieldFact) }),
  lost: z.array(z.object({ term_id: z.int(), matched: z.int(), of: z.int(), reason: z.string() })),
  allocation: z.array(z.object({ show_royaltor_id: z.int().nullable(), name: z.string(), weight: z.string(),
    weight_total: z.string(), exact_share: z.string(), paid_minor: z.int() })),
});
export type AccrualTraceAnswer = z.infer<typeof accrualTrace>;

/** A284: per royaltor, division and currency what was earned, became due, was paid and is still owed. */
export const royaltySummaryRow = z.object({
  id: z.string(), royaltor_id: z.int(), number: z.string(), royaltor_name: z.string(), division: divisionCode,
  currency: currencyCode, agreements: z.int(), earned_minor: z.int(), due_minor: z.int(), paid_minor: z.int(),
  payable_minor: z.int(), not_due_minor: z.int(), unrecouped_minor: z.int(), reserve_minor: z.int(),
});
export type RoyaltySummaryRow = z.infer<typeof royaltySummaryRow>;

const path = '/api/admin/staff/royalty_accruals';
const ref = z.coerce.number().int().min(1).optional();

export const accrualEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('show_royaltor.list'), summary: 'List royalty accruals',
    query: listQuery({ filters: { royaltor_id: ref, show_royaltor_id: ref, show_id: ref, license_id: ref,
      from: isoDate.optional(), to: isoDate.optional(), statement_id: ref, division: divisionCode.optional(),
      currency: currencyCode.optional(), income_type: z.enum(INCOME_TYPES).optional(),
      state: z.enum(ACCRUAL_STATES).optional() },
    sort: ['occurred_on', 'amount_minor'] }), response: many(accrualRow) }),
  trace: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('show_royaltor.show'),
    summary: 'Calculation of an accrual', response: one(accrualTrace) }),
  royalties: endpoint({ method: 'GET', path: '/api/admin/staff/sales_and_royalties/royalties',
    auth: staff('royaltor.list'), summary: 'Royalties by royaltor, division and currency',
    query: listQuery({ filters: { division: divisionCode.optional(), currency: currencyCode.optional() },
      sort: ['royaltor_name', 'earned_minor', 'payable_minor'] }), response: many(royaltySummaryRow) }),
};
