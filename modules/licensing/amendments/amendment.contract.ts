/** Amendments: what a changed run, venue, price or add-on does to rights and price (domain.md 1.1 edge 11). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, pagedQuery, many, one } from '#kit/endpoint.ts';
import { id, isoDate, localTime, version } from '#kit/field.ts';
import { VERDICTS } from '../availability/availability.contract.ts';
import { venueInputs } from '../licenses/venues/license-venue.contract.ts';
import { PERFORMANCE_TYPES } from '../licenses/performances/performance.contract.ts';
import { addOnChoice, negotiatedInput, priceTotals } from '../licenses/pricing/pricing.contract.ts';

/** One performance: with id and a date it moves, with `cancel` it goes; without id it is new at `license_venue_id`. */
const performanceChange = z.strictObject({
  id: id.optional(), license_venue_id: id.optional(), local_date: isoDate.optional(), local_time: localTime.optional(),
  type: z.enum(PERFORMANCE_TYPES).optional(), is_free: z.boolean().optional(), cancel: z.boolean().optional(),
});
/** The whole run moves, every performance by as many days as the first one. */
const movedRun = z.strictObject({ first_performance_on: isoDate });
/** The run is put off, and its new dates are not known yet: nothing else changes with it. */
const postpone = z.literal(true).optional();
export const amendmentChanges = z.strictObject({
  postpone,
  performances: z.array(performanceChange).max(1000).optional(),
  dates: movedRun.optional(),
  /** Price bands, attendance or place of existing venues by id, and new venues with their performances. */
  license_venues: venueInputs.optional(),
  fee: negotiatedInput.nullable().optional(),
  /** All that the licence has from now on. */
  add_ons: z.array(addOnChoice).max(50).optional(),
  /** More beside those it has when the amendment is carried out. */
  more_add_ons: z.array(addOnChoice).min(1).max(20).optional(),
}).refine((changes) => Object.keys(changes).length > 0, 'Say what changes');
/** Changes a customer may ask for: dates, performances, venues, prices, more add-ons, a run put off. */
export const customerChanges = z.strictObject({
  postpone,
  performances: z.array(performanceChange).max(1000).optional(), dates: movedRun.optional(),
  license_venues: venueInputs.optional(), more_add_ons: amendmentChanges.shape.more_add_ons,
}).refine((changes) => Object.keys(changes).length > 0, 'Say what changes');
export type AmendmentChanges = z.infer<typeof amendmentChanges>;

const lineDifference = z.object({ description: z.string(), before_minor: z.int(), after_minor: z.int(),
  delta_minor: z.int() });
const night = z.object({ venue_name: z.string(), local_date: z.string(), local_time: z.string() });
/** Nights that come and go (one that moves does both), and the lines with their tax before and after. */
export const differences = z.object({ added: z.array(night), removed: z.array(night), lines: z.array(lineDifference) });
export type Differences = z.infer<typeof differences>;

export const amendmentPreview = z.object({
  currency: z.string(),
  verdict: z.enum(VERDICTS),
  reason_public: z.string(),
  price_before_minor: z.int(),
  price_after_minor: z.int(),
  delta_minor: z.int(),
  before: priceTotals.partial(),
  after: priceTotals,
  lines: z.array(lineDifference),
  /** With their tax: invoiced at once, credited at once, and put into instalments that are not billed yet. */
  billing: z.object({ invoice_minor: z.int(), credit_minor: z.int(), planned_minor: z.int() }),
  /** Approved at once when asked for by the customer (rules of domain.md 2.11 and the fee does not fall). */
  automatic: z.boolean(),
  /** For staff: which rules do not hold; null where it is automatic. */
  why_not_automatic: z.string().nullable(),
  /** The same in the customer's words. */
  why_we_look: z.string().nullable(),
});
/** Customer's view: its own words instead of the rules that do not hold. */
export const customerPreview = amendmentPreview.omit({ why_not_automatic: true });
export type AmendmentPreview = z.infer<typeof amendmentPreview>;

export const amendmentRow = z.object({
  id: z.int(), license_id: z.int(), kind: z.enum(['amend', 'cancel_request']),
  status: z.enum(['requested', 'approved', 'applied', 'refused', 'withdrawn']),
  requested_by_name: z.string().nullable(), from_portal: z.boolean(), reason: z.string(),
  changes: z.record(z.string(), z.unknown()), currency: z.string(), price_before_minor: z.int(),
  /** The run is put off to dates that are not known yet. */
  postpones: z.boolean(),
  price_after_minor: z.int(), delta_minor: z.int(), automatic: z.boolean(), decided_by_name: z.string().nullable(),
  decided_at: z.string().nullable(), decision_note: z.string(), version: z.int(), created_at: z.string(),
  /** The version of the contract that it made, its addendum and who signed that; null while it is a request. */
  version_no: z.int().nullable(), addendum_document_id: z.int().nullable(), signed_at: z.string().nullable(),
  signer_name: z.string().nullable(),
});
export type AmendmentRow = z.infer<typeof amendmentRow>;
/** Differences of a request are computed fresh; those of a completed amendment come from the frozen versions. */
export const amendmentDetail = amendmentRow.extend({ differences,
  /** Only of a request: what carrying it out would do to rights and money. */
  preview: amendmentPreview.nullable(),
  /** Why a request cannot be carried out as it was asked for. */
  problem: z.string().nullable() });
export type AmendmentDetail = z.infer<typeof amendmentDetail>;

const path = '/api/admin/staff/licenses/{licenseId}/amendments';
const reason = z.string().trim().min(1, 'Give a reason').max(2000);

export const amendmentEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.show'), summary: 'Amendments and requests of a licence',
    query: pagedQuery({ filters: {}, sort: ['created_at'] }), response: many(amendmentRow) }),
  show: endpoint({ method: 'GET', path: `${path}/{amendmentId}`, auth: staff('license.show'),
    summary: 'One amendment: nights and lines before and after', response: one(amendmentDetail) }),
  preview: endpoint({ method: 'POST', path: `${path}/preview`, auth: staff('license.show'), readOnly: true,
    summary: 'Effect of a change on rights and price; stores nothing',
    body: z.strictObject({ changes: amendmentChanges }), response: one(amendmentPreview) }),
  amend: endpoint({ method: 'POST', path, auth: staff('license.update'), idempotent: true, status: 201,
    summary: 'Amend: new version, delta invoice or credit note, addendum',
    body: z.strictObject({ version, changes: amendmentChanges, reason,
      /** Reason for clearing a rule against the changed dates or places. */
      clearance_reason: z.string().trim().min(1).max(2000).optional() }), response: one(amendmentRow) }),
  decide: endpoint({ method: 'PUT', path: `${path}/{amendmentId}`, auth: staff('license.update'),
    summary: "Carry out or refuse a customer's request",
    body: z.strictObject({ version, decision: z.enum(['apply', 'refuse']),
      note: z.string().trim().max(2000).default('') }),
    response: one(amendmentRow) }),
};
