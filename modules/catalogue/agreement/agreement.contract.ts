/**
 * Agreements: one royaltor, one show, one role, with ordered terms "if these match, then this rate"
 * (domain.md 3.2). The agreements of a show together never promise more than the whole; the rest is the house's.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, field, id, isoDate, minor, oneLine, positiveMinor, version } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';
import { INCOME_TYPES, POOL_KINDS, ROYALTY_BASES } from '#kernel/royalties/terms.ts';
import { spell } from '#kernel/text/english.ts';
import { CATEGORIES, share } from '../rate-card/rate-card.contract.ts';
import { PRESENTATIONS } from '../show/show.contract.ts';

export const AGREEMENT_ROLES = ['author', 'composer', 'lyricist', 'bookwriter', 'underlying', 'director', 'producer',
  'originating_theatre', 'estate', 'agent', 'house'] as const;

/** Labels of roles and income types, in every context that shows an agreement. */
export const ROLE_LABELS = {
  author: 'Author', composer: 'Composer', lyricist: 'Lyricist', bookwriter: 'Book writer',
  underlying: 'Underlying rights', director: 'Director', producer: 'Producer',
  originating_theatre: spell`Originating theater`, estate: 'Estate', agent: 'Agent', house: 'House',
};
export const INCOME_LABELS = {
  royalty: 'Royalty', rental: 'Rental', sale: 'Sale', digital: 'Digital', add_on: 'Add-on', streaming: 'Streaming',
  video: 'Video', perusal: 'Perusal', late_fee: 'Late fee', advance: 'Advance', breakage: 'Unused advance',
  cancellation_fee: 'Cancellation fee',
};
export const AGREEMENT_STATUSES = ['draft', 'active', 'ended'] as const;
export const ACCRUAL_BASES = ['on_receipt', 'on_invoice', 'on_close'] as const;
export const DATE_BASES = ['performance', 'receipt'] as const;
export const AGENT_PAYS = ['split_payment', 'all_to_agent'] as const;
const path = '/api/admin/staff/show_royaltors';

/** Of every list of agreements. */
export const agreementFilters = {
  show_id: z.coerce.number().int().min(1).optional(), royaltor_id: z.coerce.number().int().min(1).optional(),
  status: z.enum(AGREEMENT_STATUSES).optional(),
  cross_collateral_group_id: z.coerce.number().int().min(1).optional(),
};

export const agreement = resource({
  name: 'show_royaltor', path, label: ['agreement', 'agreements'],
  fields: {
    show_id: field.ref('Show', '/api/admin/staff/shows', { immutable: true }),
    royaltor_id: field.ref('Royaltor', '/api/admin/staff/royaltors', { immutable: true }),
    role: field.choice('Role', AGREEMENT_ROLES, { initial: 'author' }),
    share_label: field.optionalText('Share, as printed', { max: 120 }),
    contract_no: field.optionalText('Contract number', { max: 60 }),
    signed_on: field.optionalDate('Signed on'),
    term_from: field.optionalDate('In force from'),
    term_to: field.optionalDate('In force until'),
    territory: field.text('Territory', { max: 200, initial: 'World' }),
    payer_division: field.division('Paying division'),
    currency: field.currency(),
    status: field.choice('Status', AGREEMENT_STATUSES, { initial: 'draft' }),
    accrual_basis: field.choice('Owed', ACCRUAL_BASES, { initial: 'on_receipt',
      caption: 'When the amount becomes due to the royaltor.' }),
    date_basis: field.choice('Terms are dated by', DATE_BASES, { initial: 'performance' }),
    royalty_presentation: field.choice('Presented', PRESENTATIONS, { initial: 'gross' }),
    agent_royaltor_id: field.optionalRef('Agent', '/api/admin/staff/royaltors'),
    agent_ppm: field.ppm('Agent commission', { initial: 0 }),
    agent_pays: field.optionalChoice('Agent is paid', AGENT_PAYS),
    opening_balance_minor: field.json('Opening balance', minor, { initial: 0 }),
    opening_unrecouped_minor: field.minor('Opening unrecouped advance', { initial: 0 }),
    opening_on: field.optionalDate('As of', { caption: 'Day on which it is posted; today where none is given.' }),
    reserve_schedule_ppm: field.json('Reserve released over the following periods', z.array(share).max(12),
      { initial: [] }),
    min_payout_minor: field.optionalMinor('Minimum payment'),
    annual_minimum_minor: field.optionalMinor('Annual minimum'),
  },
  extra: {
    show_title: z.string(), show_type: z.enum(['play', 'musical']), royaltor_name: z.string(),
    royaltor_number: z.string(), agent_name: z.string().nullable(), term_count: z.int(),
    /** The posting of what was brought forward; from then on it no longer changes. */
    opening_transaction_id: z.int().nullable(),
    cross_collateral_group_id: z.int().nullable(), group_name: z.string().nullable(),
  },
  filters: agreementFilters,
  sort: ['id', 'updated_at', 'royaltor_name', 'show_title'],
  permissions: { list: 'show_royaltor.list', show: 'show_royaltor.show', create: 'show_royaltor.create',
    update: 'show_royaltor.update', remove: 'show_royaltor.delete' },
});
export type AgreementRow = z.infer<typeof agreement.row>;
export type AgreementInput = z.output<typeof agreement.create>;

const tier = z.strictObject({ from_minor: positiveMinor, rate_ppm: share,
  after_recoupment: z.boolean().default(false) });
const textMatch = z.string().trim().min(1).max(80).nullable().default(null);

/** Points x 100: half a point is 50. */
const points = z.int().min(1, 'At least 0.01 points').max(1_000_000, 'At most 10,000 points').nullable().default(null);

/** Empty lists and nulls match all. */
export const termInput = z.strictObject({
  match_income_types: z.array(z.enum(INCOME_TYPES)).default([]),
  match_categories: z.array(z.enum(CATEGORIES)).default([]),
  match_divisions: z.array(divisionCode).default([]),
  match_countries: z.array(z.string().regex(/^[A-Z]{2}$/, 'Choose a country')).max(250).default([]),
  match_territory_group: textMatch,
  match_material_category: textMatch,
  match_material_sub_category: textMatch,
  match_item_number: textMatch,
  match_add_on_id: id.nullable().default(null),
  match_date_from: isoDate.nullable().default(null),
  match_date_to: isoDate.nullable().default(null),
  match_customer_classification_id: id.nullable().default(null),
  rate_ppm: share,
  share_points: z.int().min(1, 'At least 1: with none nothing is shared to them').max(1_000_000).default(1),
  basis: z.enum(ROYALTY_BASES, 'Choose what the rate is of').default('receipts'),
  unit_amount_minor: positiveMinor.nullable().default(null),
  source_commission_ppm: z.int().min(0).max(999_999, 'Below 100%').nullable().default(null),
  /** A royalty pool: `rate_ppm` of the week, shared by points; on the basis pool_points alone. */
  pool_of: z.enum(POOL_KINDS, 'Choose what the pool is a part of').nullable().default(null),
  /** Guaranteed for each point and week. */
  pool_min_per_point_minor: positiveMinor.nullable().default(null),
  pool_points_x100: points,
  /** With the points of those whom others pay. */
  pool_total_points_x100: points,
  min_per_performance_minor: positiveMinor.nullable().default(null),
  annual_min_minor: positiveMinor.nullable().default(null),
  reserve_ppm: share.default(0),
  recoupable: z.boolean().default(true),
  tiers: z.array(tier).max(20).default([]),
});
export type TermInput = z.output<typeof termInput>;

export const termRow = z.object({
  id: z.int(), show_royaltor_id: z.int(), ...termInput.shape,
  priority: z.int(),
  /** Number of fields the term asks for: the more, the earlier it is chosen. */
  match_count: z.int(),
  add_on_name: z.string().nullable(), classification_name: z.string().nullable(),
  /** Accruals were computed with it: it can only be ended. */
  used: z.boolean(),
  in_words: z.string(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type TermRow = z.infer<typeof termRow>;

export const matrixShare = z.object({ show_royaltor_id: z.int(), royaltor_name: z.string(), term_id: z.int(),
  rate_ppm: z.int(), share_points: z.int(), share_ppm: z.int() });
export const matrixRow = z.object({
  income_type: z.enum(INCOME_TYPES), category: z.enum(CATEGORIES), division: divisionCode,
  shares: z.array(matrixShare), house_ppm: z.int(), over_committed: z.boolean(), in_words: z.string(),
});
export type MatrixRowWire = z.infer<typeof matrixRow>;

const terms = `${path}/{id}/terms` as const;
export const agreementEndpoints = {
  list: agreement.endpoints.list,
  show: agreement.endpoints.show,
  create: agreement.endpoints.create,
  update: agreement.endpoints.update,
  remove: agreement.endpoints.remove,
  group: endpoint({ method: 'PUT', path: `${path}/{id}/group` as const, auth: staff('show_royaltor.update'),
    summary: 'Recoup the advances of several agreements together, or of this one alone again',
    body: z.strictObject({ version, name: oneLine('Name', z.string().trim().min(1,
      'Name the group').max(120)).nullable() }),
    response: one(agreement.row) }),
  terms: endpoint({ method: 'GET', path: terms, auth: staff('show_royaltor.show'),
    summary: 'Terms of an agreement, in the order in which they are tried',
    query: listQuery({ filters: {}, sort: ['order'], perPage: 100 }), response: many(termRow) }),
  createTerm: endpoint({ method: 'POST', path: terms, auth: staff('show_royaltor.update'),
    summary: 'Add a term', body: termInput, response: one(termRow), status: 201 }),
  orderTerms: endpoint({ method: 'PUT', path: `${terms}/order` as const, auth: staff('show_royaltor.update'),
    summary: 'Order the terms: it decides among equally specific ones',
    body: z.strictObject({ term_ids: z.array(id).max(200) }), response: all(termRow) }),
  updateTerm: endpoint({ method: 'PUT', path: `${terms}/{termId}` as const, auth: staff('show_royaltor.update'),
    summary: 'Change a term; one that accruals used can only be ended',
    body: z.strictObject({ ...termInput.shape, version }), response: one(termRow) }),
  followTerm: endpoint({ method: 'POST', path: `${terms}/{termId}/follow` as const,
    auth: staff('show_royaltor.update'), summary: 'End a term and add the one that follows it, in one step',
    body: z.strictObject({ ...termInput.shape, match_date_from: isoDate, version }), response: one(termRow),
    status: 201 }),
  removeTerm: endpoint({ method: 'DELETE', path: `${terms}/{termId}` as const, auth: staff('show_royaltor.update'),
    summary: 'Delete a term that no accrual used', response: null }),
  matrix: endpoint({ method: 'GET', path: '/api/admin/staff/shows/{showId}/share_matrix',
    auth: staff('show_royaltor.list'), summary: 'Shares of a show, with the company’s own',
    query: z.strictObject({ on: isoDate.optional(), income_type: z.enum(INCOME_TYPES).optional(),
      category: z.enum(CATEGORIES).optional(), division: divisionCode.optional() }),
    response: one(z.object({ on: isoDate, division: divisionCode, rows: z.array(matrixRow),
      /** Days on which the answer changes. */
      dates: z.array(isoDate) })) }),
};
export const currencyOfDivision = { US: 'USD', EU: 'EUR', UK: 'GBP', PROD: 'USD' } as const satisfies
  Record<z.infer<typeof divisionCode>, z.infer<typeof currencyCode>>;
