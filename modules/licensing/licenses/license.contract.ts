/**
 * Licences: quotes and productions are this one record in its phases (domain.md 1, gaps G20). Each event of the
 * phase machine has exactly one call: sign, decline, execute, cancel and amend their own, the rest `.../phase`.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, trashing } from '#kit/bulk.ts';
import { endpoint, listQuery, pagedQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { address, currencyCode, divisionCode, id, isoDate, positiveMinor, version } from '#kit/field.ts';
import { LICENSE_PHASES } from '#kernel/licensing/license-machine.ts';
import { PAY_BY_REASONS } from '#kernel/licensing/pay-by.ts';
import { spell } from '#kernel/text/english.ts';
import { advanceBalanceAnswer } from '../box-office/advance-balance.contract.ts';
import { licenseVenueRow, venueInputs } from './venues/license-venue.contract.ts';
import { licenseBomRow, licenseMaterialRow } from '../materials/license-material.contract.ts';
import { performanceRow } from './performances/performance.contract.ts';
import { CATEGORIES } from './pricing/pricing.contract.ts';

export const EXECUTION_POLICIES = ['paid_in_full', 'deposit_paid', 'advance_paid', 'purchase_order',
  'signature_only'] as const;
export const PRODUCTION_TYPES = ['run', 'tour', 'competition', 'concert', 'reading', 'stream'] as const;
export const ORCHESTRATIONS = ['full', 'reduced', 'piano', 'tracks'] as const;
export const DECLINE_REASONS = ['too_expensive', 'dates_changed', 'other_show', 'production_dropped', 'terms',
  'other'] as const;
/** Why an offer was declined, as staff read it. */
export const DECLINE_WORDS: Record<(typeof DECLINE_REASONS)[number], string> = {
  too_expensive: 'Too expensive', dates_changed: 'Dates changed', other_show: 'Chose another show',
  production_dropped: 'Production dropped', terms: 'Terms', other: 'Other',
};
/** Relations that `with` may ask for besides the row (gaps G96). */
export const LICENSE_RELATIONS = ['customer', 'show', 'license_venues', 'performances', 'memos', 'documents',
  'materials', 'license_boms'] as const;

const dateText = z.string().nullable();

export const licenseRow = z.object({
  id: z.int(),
  number: z.string(),
  license_number: z.string().nullable(),
  phase: z.enum(LICENSE_PHASES),
  /** Derived: '90 Days', 'On Stage', 'Overdue' … or the phase's label (domain.md 1). */
  status: z.string(),
  group: z.enum(['QUOTE', 'PRODUCTION', 'BOTH']),
  category: z.enum(CATEGORIES),
  division: divisionCode,
  currency: currencyCode,
  customer_id: z.int(),
  customer_name: z.string(),
  show_id: z.int(),
  show_code: z.string(),
  show_title: z.string(),
  show_type: z.enum(['play', 'musical']),
  title_on_license: z.string(),
  producing_organisation: z.string(),
  production_type: z.enum(PRODUCTION_TYPES),
  license_application_id: z.int().nullable(),
  customer_classification_id: z.int().nullable(),
  license_rep_id: z.int().nullable(),
  license_rep_name: z.string().nullable(),
  venue_names: z.string(),
  first_performance_on: dateText,
  last_performance_on: dateText,
  number_of_performances: z.int(),
  cast_size: z.int().nullable(),
  orchestration: z.enum(ORCHESTRATIONS).nullable(),
  on_hold: z.boolean(),
  hold_reason: z.string().nullable(),
  postponed: z.boolean(),
  restricted_clearance: z.boolean(),
  dispute: z.boolean(),
  execution_policy: z.enum(EXECUTION_POLICIES),
  execution_policy_reason: z.string().nullable(),
  purchase_order_no: z.string().nullable(),
  fee_method: z.string().nullable(),
  royalty_total_minor: z.int(),
  materials_total_minor: z.int(),
  tax_total_minor: z.int(),
  deposit_minor: z.int(),
  /** Amount held besides the price and given back; never part of the total. */
  security_deposit_minor: z.int(),
  /** Net and tax; what is guaranteed where a percentage follows. */
  grand_total_minor: z.int(),
  /** The rate that follows the takings; null where the price is the whole price. */
  percentage_ppm: z.int().nullable(),
  invoiced_minor: z.int(),
  paid_minor: z.int(),
  balance_minor: z.int(),
  priced_at: dateText,
  offer_version: z.int(),
  offer_sent_at: dateText,
  offer_expires_at: dateText,
  /** The last day of the offer at the division, as its papers say it. */
  offer_expires_on: dateText,
  accepted_at: dateText,
  pay_by: dateText,
  /** Null: not signed, or signed before reasons were kept. */
  pay_by_reason: z.enum(PAY_BY_REASONS).nullable(),
  pay_by_ships_on: dateText,
  executed_at: dateText,
  settlement_due_on: dateText,
  ship_on: dateText,
  return_due_on: dateText,
  closed_at: dateText,
  cancelled_at: dateText,
  cancel_reason: z.string().nullable(),
  decline_reason_code: z.string().nullable(),
  /** The verdict of the last rights check; 'cleared' where staff recorded a clearance. */
  availability: z.enum(['clear', 'needs_clearance', 'blocked', 'cleared']).nullable(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Net of each kind of line, in the order of the price; with one licence, not in lists. */
  price_parts: z.array(z.object({ kind: z.string(), net_minor: z.int() })).optional(),
  /** The running advance, where one was invoiced; with one licence, not in lists. */
  advance: advanceBalanceAnswer.nullable().optional(),
  customer: z.object({ id: z.int(), number: z.string(), name: z.string(), status: z.string(),
    billing_address: address.nullable() }).optional(),
  show: z.object({ id: z.int(), show_code: z.string(), title: z.string(), type: z.string(),
    authors_credit: z.string() }).optional(),
  license_venues: z.array(licenseVenueRow).optional(),
  performances: z.array(performanceRow).optional(),
  memos: z.array(z.object({ id: z.int(), body: z.string(), author_name: z.string(),
    created_at: z.string() })).optional(),
  documents: z.array(z.object({ id: z.int(), type: z.string(), description: z.string(), status: z.string(),
    created_at: z.string() })).optional(),
  /** With `license_material.list` only, as the lists of their own. */
  materials: z.array(licenseMaterialRow).optional(),
  license_boms: z.array(licenseBomRow).optional(),
});
export type LicenseRow = z.infer<typeof licenseRow>;
/**
 * With `fields` only those columns (and id) come back. The declared type stays that of the full row, which is what a
 * caller without `fields` gets; a program that asks for columns knows which it asked for.
 */
const sparseRow = licenseRow.partial() as unknown as typeof licenseRow;

const picks = {
  /** JSON array or comma list of LICENSE_RELATIONS; an unknown one is refused. */
  with: z.string().max(500).optional(),
  /** JSON array or comma list of columns. */
  fields: z.string().max(2000).optional(),
};
/** The "free query string" of SPEC section 7, as an allow-list (gaps G96). Lists are comma-separated. */
const filters = {
  ...picks,
  phase: z.string().max(200).optional(),
  group: z.enum(['QUOTE', 'PRODUCTION']).optional(),
  category: z.enum(CATEGORIES).optional(),
  division: divisionCode.optional(),
  customer_id: z.coerce.number().int().min(1).optional(),
  show_id: z.coerce.number().int().min(1).optional(),
  show_code: z.string().max(24).optional(),
  venue_id: z.coerce.number().int().min(1).optional(),
  license_rep_id: z.coerce.number().int().min(1).optional(),
  license_application_id: z.coerce.number().int().min(1).optional(),
  execution_policy: z.enum(EXECUTION_POLICIES).optional(),
  on_hold: z.enum(['true', 'false']).optional(),
  first_performance_from: isoDate.optional(),
  first_performance_to: isoDate.optional(),
  expires_before: isoDate.optional(),
};
export const licenseListQuery = listQuery({ filters,
  sort: ['updated_at', 'created_at', 'number', 'customer_name', 'show_title', 'first_performance_on', 'phase',
    'grand_total_minor', 'balance_minor', 'offer_expires_at'] });

const text = (max: number) => z.string().trim().max(max);
const reason = text(2000).optional();

const editable = {
  category: z.enum(CATEGORIES).optional(),
  currency: currencyCode.optional(),
  customer_classification_id: id.nullable().optional(),
  license_rep_id: id.nullable().optional(),
  title_on_license: text(300).min(1, spell`The title on the license is required`).optional(),
  producing_organisation: text(300).optional(),
  production_type: z.enum(PRODUCTION_TYPES).optional(),
  cast_size: z.int().min(1).max(1000).nullable().optional(),
  orchestration: z.enum(ORCHESTRATIONS).nullable().optional(),
  execution_policy: z.enum(EXECUTION_POLICIES).optional(),
  execution_policy_reason: text(1000).nullable().optional(),
  purchase_order_no: text(100).nullable().optional(),
};

/** `phase` may be sent as SPEC shows it; a new licence is always a draft and phases move by events alone. */
export const licenseCreate = z.strictObject({
  customer_id: z.int('Choose a customer').min(1), show_id: z.int('Choose a show').min(1),
  division: divisionCode.optional(), phase: z.literal('draft').optional(), license_venues: venueInputs.optional(),
  ...editable, category: z.enum(CATEGORIES, 'Choose a category'),
});
export type LicenseCreate = z.infer<typeof licenseCreate>;

export const flagsInput = {
  on_hold: z.boolean().optional(), hold_reason: text(1000).nullable().optional(), postponed: z.boolean().optional(),
  restricted_clearance: z.boolean().optional(), dispute: z.boolean().optional(),
};
export const licenseUpdate = z.strictObject({ version, phase: z.enum(LICENSE_PHASES).optional(), ...editable,
  ...flagsInput });

export const phaseAnswer = z.object({
  license_id: z.int(),
  phase: z.enum(LICENSE_PHASES),
  phase_label: z.string(),
  status: z.string(),
  version: z.int(),
  /** Every event of the machine; `allowed` false comes with the reason in plain words. */
  events: z.array(z.object({ event: z.string(), label: z.string(), to: z.string().nullable(), allowed: z.boolean(),
    reason: z.string().nullable(), automatic: z.boolean(),
    unmet: z.array(z.object({ guard: z.string(), message: z.string() })) })),
});
export type PhaseAnswer = z.infer<typeof phaseAnswer>;
export const PHASE_CALL_EVENTS = ['send_offer', 'revise', 'reopen', 'void_signature', 'close',
  'cancel_remaining'] as const;

export const licenseEventRow = z.object({
  id: z.int(), license_id: z.int(), event: z.string(), event_label: z.string(), from_phase: z.string().nullable(),
  to_phase: z.string().nullable(), actor_id: z.int().nullable(), actor_name: z.string().nullable(),
  on_behalf_of_name: z.string().nullable(), reason: z.string(), details: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.string(),
});
export const versionRow = z.object({
  id: z.int(), license_id: z.int(), version_no: z.int(), reason: z.string(), sha256: z.string(),
  grand_total_minor: z.int(), currency: z.string(), created_by_name: z.string().nullable(), created_at: z.string(),
  signed_at: z.string().nullable(), signer_name: z.string().nullable(), current: z.boolean(),
});

export const cancellationLine = z.object({
  charge_id: z.int().nullable(), description: z.string(), kind: z.string(), quoted_minor: z.int(),
  invoiced_minor: z.int(), keep_minor: z.int(), refund_minor: z.int(), rule: z.string(),
});
/** Effect of cancelling on a day under its policy; amounts net of tax, `tax_minor` the tax on the refund. */
const cancellationPlan = z.object({
  license_id: z.int(), on: z.string(), policy: z.string(), shipped: z.boolean(), currency: z.string(),
  lines: z.array(cancellationLine), keep_minor: z.int(), refund_minor: z.int(), fee_minor: z.int(), tax_minor: z.int(),
  /** Performances that would be cancelled. */
  performances: z.int(), version: z.int(),
});
export type CancellationPlan = z.infer<typeof cancellationPlan>;

export const cancellationAnswer = cancellationPlan.extend({
  /** Tax included: open on invoices before; left open, and too much paid, once the credit notes are issued. */
  open_minor: z.int(), left_open_minor: z.int(), overpaid_minor: z.int(),
  /** Deposits held that are not set off. */
  held_minor: z.int(),
});
export type CancellationAnswer = z.infer<typeof cancellationAnswer>;
/** With the waiver that was approved last, which whoever approved it cannot use. */
export const staffCancellation = cancellationAnswer.extend({
  waiver: z.object({ id: z.int(), waive_minor: z.int(), reason: z.string(), approved_by_id: z.int().nullable(),
    approved_by_name: z.string() }).nullable(),
});
export type StaffCancellation = z.infer<typeof staffCancellation>;

const path = '/api/admin/staff/licenses';
const item = `${path}/{licenseId}` as const;
const changed = one(licenseRow);

export const licenseEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.list'), summary: 'List licences and quotes',
    query: licenseListQuery, response: many(sparseRow) }),
  ofCustomer: endpoint({ method: 'GET', path: '/api/admin/staff/customers/{id}/productions',
    auth: staff('license.list'), summary: 'Productions of a customer',
    query: licenseListQuery.omit({ customer_id: true }), response: many(sparseRow) }),
  trash: endpoint({ method: 'GET', path: `${path}/trash`, auth: staff('license.delete'),
    summary: 'List licences in the trash', query: licenseListQuery, response: many(sparseRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('license.show'), summary: 'Show a licence',
    query: z.strictObject(picks), response: one(sparseRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('license.create'), summary: 'Start a quote',
    body: licenseCreate, response: changed, status: 201 }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('license.update'),
    summary: 'Change a draft; flags, rep and purchase order at any time', body: licenseUpdate, response: changed }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('license.delete'),
    summary: 'Move a draft to the trash', response: null }),
  restore: endpoint({ method: 'PUT', path: `${item}/restore`, auth: staff('license.delete'),
    summary: 'Restore a draft from the trash', response: changed }),
  phase: endpoint({ method: 'GET', path: `${item}/phase`, auth: staff('license.show'),
    summary: 'Phase, and which events are possible and why not', response: one(phaseAnswer) }),
  movePhase: endpoint({ method: 'PUT', path: `${item}/phase`, auth: staff('license.update'),
    summary: 'Send, revise, reopen, void the signature, close, or cancel the remaining performances',
    body: z.strictObject({ event: z.enum(PHASE_CALL_EVENTS), version, reason,
      recipients: z.array(z.email()).max(50).optional(), unprintable_accepted: z.boolean().optional(),
      /** To the customer, above the offer: in its mail and in the portal. */
      covering_note: text(2000).optional() }),
    response: changed }),
  sign: endpoint({ method: 'POST', path: `${item}/sign`, auth: staff('license.upload_documents'),
    summary: 'Record a signature given on paper',
    upload: { field: 'document', types: ['pdf', 'png', 'jpg', 'jpeg'], max_bytes: UPLOAD_LIMIT },
    body: z.strictObject({ version: z.coerce.number().int().min(1), offer_version: z.coerce.number().int().min(1),
      signer_name: text(200).min(1, 'The name of the signer is required'), signer_title: text(200).optional(),
      signed_on: isoDate, confirm_name: z.enum(['true', 'false']).optional() }), response: changed }),
  decline: endpoint({ method: 'POST', path: `${item}/decline`, auth: staff('license.update'),
    summary: "Record the customer's refusal",
    body: z.strictObject({ version, reason, reason_code: z.enum(DECLINE_REASONS, 'Choose the reason') }),
    response: changed }),
  execute: endpoint({ method: 'POST', path: `${item}/execute`, auth: staff('license.update'),
    summary: 'Execute where the policy leaves it to staff: purchase order, or signature alone', idempotent: true,
    body: z.strictObject({ version, reason, purchase_order_no: text(100).optional() }),
    response: one(licenseRow.extend({
      /** Sentence about its materials: ordered, or why not; null where nothing is sent. */
      ordering: z.string().nullable() })) }),
  cancellation: endpoint({ method: 'GET', path: `${item}/cancellation`, auth: staff('license.show'),
    summary: 'Cost and refund of cancelling on a day, line by line',
    query: z.strictObject({ on: isoDate.optional(),
      /** Part of what is kept that would be waived. */
      waive_minor: z.coerce.number().int().min(0, 'An amount cannot be negative')
        .max(1_000_000_000_000, 'At most 10,000,000,000.00').optional() }),
    response: one(staffCancellation) }),
  cancel: endpoint({ method: 'POST', path: `${item}/cancel`, auth: staff('license.update'),
    summary: 'Cancel the production, with fee and credit notes as the preview', idempotent: true,
    body: z.strictObject({ version, reason: text(2000).min(1, 'Give a reason'), on: isoDate,
      waive_minor: positiveMinor.optional(), waiver_approval_id: id.optional() }), response: changed }),
  approveWaiver: endpoint({ method: 'POST', path: `${item}/cancellation_waivers`, auth: staff('license.update'),
    summary: 'Approve that a cancellation fee is waived; another person then cancels', status: 201,
    body: z.strictObject({ waive_minor: positiveMinor.min(1), reason: text(2000).min(1, 'Give a reason') }),
    response: one(z.object({ id: z.int(), waive_minor: z.int(), reason: z.string() })) }),
  events: endpoint({ method: 'GET', path: `${item}/events`, auth: staff('license.show'),
    summary: 'Activity of a licence', query: pagedQuery({ filters: {}, sort: ['created_at'] }),
    response: many(licenseEventRow) }),
  versions: endpoint({ method: 'GET', path: `${item}/versions`, auth: staff('license.show'),
    summary: 'Frozen offers with their hash', query: pagedQuery({ filters: {}, sort: ['version_no'] }),
    response: many(versionRow) }),
  activity: endpoint({ method: 'GET', path: '/api/admin/staff/sales_and_royalties/license_activity',
    auth: staff('license.list'), summary: 'Activity of all licences, newest first',
    query: listQuery({ filters: { division: divisionCode.optional(), event: z.string().max(40).optional() },
      sort: ['created_at'] }),
    response: many(licenseEventRow.extend({ number: z.string(), title: z.string(), customer_id: z.int(),
      customer_name: z.string(), division: z.string(), executed: z.boolean() })) }),
};

/** Offers and productions are one list: what is no draft any more is refused by the trash. */
export const licenseBulk = bulk(licenseEndpoints.list,
  { noun: [spell`license`, spell`licenses`], href: '/admin/quotes/{id}', named: ['license_number', 'number'] }, [
    { label: 'Give to', endpoint: licenseEndpoints.update,
      asks: { field: 'license_rep_id', label: 'Representative', kind: 'person' } },
    trashing(licenseEndpoints),
  ]);

/** Productions are never drafts: nothing of them goes to the trash. */
export const productionBulk = { ...licenseBulk, actions: licenseBulk.actions.filter((one) => !one.danger) };
