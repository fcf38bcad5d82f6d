/**
 * Price of a performance: cards per show, category, division and classification, in force from a date on
 * (domain.md 2.2). A draft is edited freely, another person approves it; from then on only a newer card replaces it.
 */
import * as z from 'zod';
import { declineBody, declinedRow } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, oneLine, positiveMinor, version } from '#kit/field.ts';
import { DEDUCTION_TYPES } from '#kernel/pricing/rate-card.ts';
import { spell } from '#kernel/text/english.ts';

export const CATEGORIES = ['Amateur', 'Pro'] as const;
export const SIMPLE_METHODS = ['flat', 'seat_band', 'percent_potential', 'percent_actual'] as const;
export const FEE_METHODS = [...SIMPLE_METHODS, 'greater_of', 'flat_run', 'negotiated'] as const;
export const GROSS_BASES = ['capacity', 'weighted', 'expected', 'top_price'] as const;
export const TRUE_UPS = ['none', 'down_only', 'up_only', 'both'] as const;
export const DEPOSIT_KINDS = ['security', 'on_account'] as const;
export const CARD_STATUSES = ['draft', 'approved', 'superseded'] as const;
export const EXECUTION_POLICIES =
  ['paid_in_full', 'deposit_paid', 'advance_paid', 'purchase_order', 'signature_only'] as const;

/** A share of a whole: at most 100%. */
export const share = z.int().min(0).max(1_000_000, 'At most 100%');

const performanceTier = z.strictObject({ from_n: z.int().min(1).max(10_000), amount_minor: positiveMinor });
const seatBand = z.strictObject({
  from_seats: z.int().min(0).max(200_000), to_seats: z.int().min(0).max(200_000).nullable().default(null),
  amount_minor: positiveMinor,
});
const grossTier = z.strictObject({
  from_gross_minor: positiveMinor, rate_ppm: share, mode: z.enum(['marginal', 'retroactive']).default('marginal'),
  after_recoupment: z.boolean().default(false),
});
const deduction = z.strictObject({ type: z.enum(DEDUCTION_TYPES), cap_ppm: share.nullable().default(null) });

/** Defaults say "off": a call names what its card sets. */
const terms = {
  name: oneLine('Name', z.string().trim().max(120)).default(''),
  effective_from: isoDate,
  effective_to: isoDate.nullable().default(null),
  currency: currencyCode,
  fee_method: z.enum(FEE_METHODS, 'Choose a fee method'),
  greater_of_first: z.enum(SIMPLE_METHODS).nullable().default(null),
  greater_of_second: z.enum(SIMPLE_METHODS).nullable().default(null),
  rate_ppm: share.nullable().default(null),
  gross_basis: z.enum(GROSS_BASES).default('weighted'),
  flat_run_minor: positiveMinor.nullable().default(null),
  min_per_performance_minor: positiveMinor.default(0),
  min_per_run_minor: positiveMinor.default(0),
  min_per_week_minor: positiveMinor.default(0),
  min_performances: z.int().min(0).max(1000).default(0),
  guarantee_scope: z.enum(['performance', 'run', 'week']).default('performance'),
  full_week_performances: z.int().min(1).max(30).nullable().default(null),
  /** A reported week without a performance owes the weekly minimum. */
  empty_week_owes_minimum: z.boolean().default(false),
  minimum_counts_toward_advance: z.boolean().default(true),
  week_start: z.int().min(0).max(6).default(1),
  round_up_to_minor: positiveMinor.default(0),
  round_up_scope: z.enum(['performance', 'run']).default('performance'),
  advance_minor: positiveMinor.default(0),
  true_up: z.enum(TRUE_UPS).default('none'),
  free_admission_kind: z.enum(['min', 'percent_of_min', 'flat']).nullable().default(null),
  free_admission_ppm: share.nullable().default(null),
  free_admission_minor: positiveMinor.nullable().default(null),
  show_package_id: id.nullable().default(null),
  deposit_kind: z.enum(DEPOSIT_KINDS).nullable().default(null),
  deposit_minor: positiveMinor.default(0),
  execution_policy: z.enum(EXECUTION_POLICIES, spell`Choose when the license is executed`),
  notes: z.string().trim().max(5000).default(''),
  performance_tiers: z.array(performanceTier).max(50).default([]),
  seat_bands: z.array(seatBand).max(50).default([]),
  gross_tiers: z.array(grossTier).max(50).default([]),
  deductions: z.array(deduction).max(DEDUCTION_TYPES.length).default([]),
};
const target = {
  /** null: the card of the house for every show. */
  show_id: id.nullable().default(null),
  category: z.enum(CATEGORIES, 'Choose a category'),
  division: divisionCode,
  customer_classification_id: id.nullable().default(null),
};

export const rateCardInput = z.strictObject({ ...target, ...terms });
export type RateCardInput = z.output<typeof rateCardInput>;

export const rateCardRow = z.object({
  id: z.int(), ...rateCardInput.shape,
  status: z.enum(CARD_STATUSES),
  show_title: z.string().nullable(), classification_name: z.string().nullable(), package_name: z.string().nullable(),
  author_id: z.int().nullable(), author_name: z.string().nullable(),
  approved_by_id: z.int().nullable(), approved_by_name: z.string().nullable(), approved_at: z.string().nullable(),
  declined: declinedRow.nullable(),
  /** The card in a sentence or two, as people say it. */
  in_words: z.array(z.string()),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type RateCardRow = z.infer<typeof rateCardRow>;

const path = '/api/admin/staff/rate_cards';

export const rateCardEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('show.show'), summary: 'List rate cards',
    query: listQuery({ sort: ['effective_from', 'updated_at'], filters: {
      show_id: z.coerce.number().int().min(1).optional(), category: z.enum(CATEGORIES).optional(),
      division: divisionCode.optional(), on: isoDate.optional(), status: z.enum(CARD_STATUSES).optional() } }),
    response: many(rateCardRow) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}` as const, auth: staff('show.show'),
    summary: 'Show a rate card', response: one(rateCardRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('show.update'), summary: 'Draft a rate card',
    body: rateCardInput, response: one(rateCardRow), status: 201 }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}` as const, auth: staff('show.update'),
    summary: 'Change a draft rate card; its rows are replaced as a whole',
    body: z.strictObject({ ...rateCardInput.shape, version }), response: one(rateCardRow) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}` as const, auth: staff('show.update'),
    summary: 'Delete a draft rate card', response: null }),
  approve: endpoint({ method: 'PUT', path: `${path}/{id}/approve` as const, auth: staff('show.update'),
    summary: 'Approve a rate card; another person than its author', body: z.strictObject({ version }),
    response: one(rateCardRow) }),
  decline: endpoint({ method: 'PUT', path: `${path}/{id}/decline` as const, auth: staff('show.update'),
    summary: 'Decline a draft rate card; changing it asks for approval again', body: declineBody,
    response: one(rateCardRow) }),
};
