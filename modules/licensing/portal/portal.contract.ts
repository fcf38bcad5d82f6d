/** The customer's own calls: shows, productions, offers, signing, requests, "what next" (domain.md 5; X132-X142). */
import * as z from 'zod';
import { customer, customerInPerson } from '#kit/auth.ts';
import { dueReasonAnswer } from '#kit/due-reason.ts';
import { all, endpoint, listQuery, pagedQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { amendmentRow, customerChanges, customerPreview, differences } from '../amendments/amendment.contract.ts';
import { advanceBalanceAnswer } from '../box-office/advance-balance.contract.ts';
import { licenseDocumentRow } from '../documents/license-document.contract.ts';
import { licenseVenueRow } from '../licenses/venues/license-venue.contract.ts';
import { cancellationAnswer, DECLINE_REASONS, licenseRow } from '../licenses/license.contract.ts';
import { sharedMemo } from '../memos/memo.contract.ts';
import { performanceRow } from '../licenses/performances/performance.contract.ts';
import { planRow, priceBlock, priceLine, priceTotals, promiseAnswer, publicStep }
  from '../licenses/pricing/pricing.contract.ts';

const text = (max: number) => z.string().trim().max(max);

export const showRow = z.object({
  id: z.int(), show_code: z.string(), type: z.enum(['play', 'musical']), title: z.string(),
  authors_credit: z.string(), synopsis: z.string(), year: z.int().nullable(), running_time_minutes: z.int().nullable(),
  cast_min: z.int().nullable(), cast_max: z.int().nullable(), age_rating: z.string(),
  orchestrations: z.array(z.string()),
  image_file_id: z.int().nullable(),
});
export const showDetail = showRow.extend({
  add_ons: z.array(z.object({ id: z.int(), name: z.string(), kind: z.string(), description: z.string(),
    pricing_model: z.string(), price_minor: z.int().nullable(),
    /** Of what a stream takes, where that is how it is paid. */
    share_ppm: z.int().nullable(), currency: z.string() })),
});

/** Never a draft, no internal field. */
export const productionRow = licenseRow.pick({
  id: true, number: true, license_number: true, phase: true, status: true, group: true, category: true, division: true,
  currency: true, show_id: true, show_code: true, show_title: true, show_type: true, title_on_license: true,
  producing_organisation: true, venue_names: true, first_performance_on: true, last_performance_on: true,
  number_of_performances: true, execution_policy: true, security_deposit_minor: true, grand_total_minor: true,
    percentage_ppm: true, invoiced_minor: true, paid_minor: true, balance_minor: true,
  offer_version: true, offer_sent_at: true, offer_expires_at: true, offer_expires_on: true, accepted_at: true,
    pay_by: true, pay_by_reason: true, pay_by_ships_on: true, executed_at: true,
  version: true, updated_at: true,
});
export type ProductionRow = z.infer<typeof productionRow>;

export const nextAction = z.object({
  kind: z.enum(['sign', 'pay', 'upload', 'box_office', 'box_office_question', 'stream', 'answer', 'submit']),
  title: z.string(), license_id: z.int().nullable(), application_id: z.int().nullable(), invoice_id: z.int().nullable(),
  deposit_id: z.int().nullable(), due_on: z.string().nullable(),
  /** Why it is due on its day. */
  due_reason: dueReasonAnswer, overdue: z.boolean(), amount_minor: z.int().nullable(),
  currency: z.string().nullable(),
});
export type NextAction = z.infer<typeof nextAction>;

/** Person of ours who looks after a production. */
export const representative = z.object({ name: z.string(), job_title: z.string().nullable(),
  phone: z.string().nullable(), email: z.string().nullable(), avatar_url: z.string().nullable() });

export const productionDetail = productionRow.extend({
  deposit_minor: z.int(), royalty_total_minor: z.int(), materials_total_minor: z.int(), tax_total_minor: z.int(),
  license_rep_name: z.string().nullable(), license_rep: representative.nullable(),
  license_venues: z.array(licenseVenueRow.omit({ version: true })),
  documents: z.array(licenseDocumentRow.omit({ internal: true })),
  amendments: z.array(amendmentRow.pick({ id: true, kind: true, status: true, reason: true, postpones: true,
    delta_minor: true,
    currency: true, decision_note: true, created_at: true })),
  /** Notes that staff wrote for the customer, latest first. */
  memos: z.array(sharedMemo),
  /** The running advance, where one was invoiced. */
  advance: advanceBalanceAnswer.nullable(),
  next_actions: z.array(nextAction),
  /** Actions this person may take now: sign, sign_addendum, decline, amend, request_cancellation, upload. */
  allowed_actions: z.array(z.string()),
});
export type ProductionDetail = z.infer<typeof productionDetail>;

/** The offer as sent: from the frozen version, never from today's figures. */
export const quoteAnswer = z.object({
  license_id: z.int(), number: z.string(), title: z.string(), offer_version: z.int(), hash: z.string(),
  current: z.boolean(), currency: z.string(), expires_at: z.string().nullable(),
  /** The last day as the papers say it, at the division. */
  expires_on: z.string().nullable(), sent_at: z.string().nullable(),
  /** Words that came with the current offer. */
  covering_note: z.string().nullable(),
  signed_at: z.string().nullable(), signer_name: z.string().nullable(),
  venues: z.array(z.object({ name: z.string(), performances: z.array(z.object({ local_date: z.string(),
    local_time: z.string(), type: z.string() })), ticketing: z.array(z.object({ label: z.string(),
    number_of_seats: z.int(), price_minor: z.int(), performance_type: z.string().nullable().optional() })) })),
  lines: z.array(priceLine.omit({ key: true })), rows: z.array(priceBlock), promise: promiseAnswer.nullable(),
  totals: priceTotals.partial(),
  /** When each is due, in words; '' in an addendum, which asks for nothing by itself. */
  payment_plan: z.array(planRow.extend({ due: z.string() })),
  /** Amounts that signing makes due, and by when; empty in an addendum. */
  first_payments: z.array(z.object({ label: z.string(), text: z.string() })),
  explanation: z.array(publicStep), terms: z.array(z.string()),
  /** Why the royalty has a discount, in the words of its papers; null without one. */
  discount_reason: z.string().nullable(),
  /** Set if the version is an addendum: its changes, and whether it awaits a signature. */
  addendum: z.object({ reason: z.string(), differences, to_sign: z.boolean() }).nullable(),
  /** SHA-256 of the contract or addendum that is signed, as its file is. */
  document_sha256: z.string().nullable(),
  /** Texts that the signature accepts; the hash covers them. */
  document_ids: z.array(z.int()),
});
export type QuoteAnswer = z.infer<typeof quoteAnswer>;

/** One thing that a search found, among what the customer may see. */
export const portalHit = z.object({
  kind: z.enum(['production', 'application', 'show', 'document', 'invoice', 'order', 'perusal']),
  id: z.int(), title: z.string(), detail: z.string().nullable(), license_id: z.int().nullable() });
export type PortalHit = z.infer<typeof portalHit>;

/** Kinds of things that happened: each leads to another screen. */
export const portalActivity = z.object({
  /** Unique among all kinds. */
  id: z.string(),
  kind: z.enum(['production', 'payment', 'invoice', 'perusal', 'order', 'parcel', 'report', 'document', 'message']),
  event: z.string(), event_label: z.string(), license_id: z.int().nullable(), record_id: z.int(),
  number: z.string(), title: z.string(), actor_name: z.string().nullable(), amount_minor: z.int().nullable(),
  currency: z.string().nullable(), created_at: z.string() });
export type PortalActivity = z.infer<typeof portalActivity>;

const home = '/api/customers/{id}';
const license = `${home}/licenses/{licenseId}` as const;
/** Name typed in by the person who signs, for the version with this hash. */
const signature = z.strictObject({ offer_version: z.int().min(1), hash: z.string().length(64),
  signer_name: text(200).min(1, 'Your name is required'), signer_title: text(200).default(''),
  /** The name is not the one on the account, and is meant. */
  confirm_name: z.boolean().optional(),
  accept: z.literal(true, 'Confirm that you accept the terms') });
const listOf = listQuery({ filters: {}, sort: ['created_at'] });
const eventsOf = pagedQuery({ filters: {}, sort: ['created_at'] });

export const portalEndpoints = {
  shows: endpoint({ method: 'GET', path: `${home}/shows`, auth: customer(), summary: 'Shows the customer may apply for',
    query: listQuery({ filters: { type: z.enum(['play', 'musical']).optional() }, sort: ['title', 'updated_at'] }),
    response: many(showRow) }),
  show: endpoint({ method: 'GET', path: `${home}/shows/{showId}`, auth: customer(), summary: 'One show',
    response: one(showDetail) }),
  licenses: endpoint({ method: 'GET', path: `${home}/licenses`, auth: customer(), summary: "The customer's productions",
    query: listQuery({ filters: { phase: z.string().max(200).optional(),
      group: z.enum(['QUOTE', 'PRODUCTION']).optional() },
      sort: ['updated_at', 'first_performance_on', 'show_title'] }),
    response: many(productionRow) }),
  license: endpoint({ method: 'GET', path: license, auth: customer(), summary: 'One production',
    response: one(productionDetail) }),
  quote: endpoint({ method: 'GET', path: `${license}/quote`, auth: customer(), summary: 'The offer as sent',
    query: z.strictObject({ version: z.coerce.number().int().min(1).optional() }), response: one(quoteAnswer) }),
  sign: endpoint({ method: 'POST', path: `${license}/sign`, auth: customerInPerson('admin', 'signer'),
    summary: 'Sign the offer', idempotent: true, body: signature, response: one(productionDetail) }),
  signAddendum: endpoint({ method: 'POST', path: `${license}/sign_addendum`,
    auth: customerInPerson('admin', 'signer'), summary: 'Sign the addendum of the latest amendment', idempotent: true,
    body: signature, response: one(productionDetail) }),
  decline: endpoint({ method: 'POST', path: `${license}/decline`, auth: customerInPerson('admin', 'signer'),
    summary: 'Decline the offer',
    body: z.strictObject({ offer_version: z.int().min(1), reason_code: z.enum(DECLINE_REASONS, 'Choose the reason'),
      note: text(2000).optional() }), response: one(productionDetail) }),
  previewAmendment: endpoint({ method: 'POST', path: `${license}/amendments/preview`, auth: customer(), readOnly: true,
    summary: 'Effect of a change on rights and price', body: z.strictObject({ changes: customerChanges }),
    response: one(customerPreview) }),
  requestAmendment: endpoint({ method: 'POST', path: `${license}/amendments`,
    auth: customerInPerson('admin', 'signer'),
    summary: 'Ask for a change; inside the rules it applies at once', status: 201, idempotent: true,
    body: z.strictObject({ changes: customerChanges, reason: text(2000).min(1, 'Give a reason') }),
    response: one(amendmentRow) }),
  cancellation: endpoint({ method: 'GET', path: `${license}/cancellation`, auth: customer('admin', 'signer'),
    summary: 'Amounts kept and refunded if cancelled today, line by line',
    response: one(cancellationAnswer.omit({ version: true })) }),
  requestCancellation: endpoint({ method: 'POST', path: `${license}/cancellation_requests`,
    auth: customerInPerson('admin', 'signer'), summary: 'Ask to cancel the production', status: 201,
    body: z.strictObject({ reason: text(2000).min(1, 'Give a reason') }), response: one(amendmentRow) }),
  document: endpoint({ method: 'GET', path: `${license}/documents/{documentId}`, auth: customer(),
    summary: 'A document', response: 'file' }),
  uploadDocument: endpoint({ method: 'POST', path: `${license}/documents`, auth: customer('admin', 'signer'),
    summary: 'Upload a purchase order, venue contract or programme proof', status: 201,
    upload: { field: 'document', types: ['pdf', 'png', 'jpg', 'jpeg', 'docx', 'xlsx'], max_bytes: UPLOAD_LIMIT },
    body: z.strictObject({ type: z.enum(['purchase_order', 'programme_artwork', 'tax_exemption_certificate',
      'box_office_statement', 'other'], 'Choose the type'), description: text(500).default('') }),
    response: one(licenseDocumentRow.omit({ internal: true })) }),
  performances: endpoint({ method: 'GET', path: `${license}/performances`, auth: customer(),
    summary: 'Performances of one production',
    response: all(performanceRow.omit({ version: true })) }),
  nextActions: endpoint({ method: 'GET', path: `${home}/next_actions`, auth: customer(), summary: 'To do',
    response: all(nextAction) }),
  documents: endpoint({ method: 'GET', path: `${home}/documents`, auth: customer(), summary: "The customer's documents",
    query: listOf, response: many(licenseDocumentRow.omit({ internal: true })
      .extend({ license_number: z.string(), title: z.string() })) }),
  activity: endpoint({ method: 'GET', path: `${home}/activity`, auth: customer(), summary: 'Recent activity',
    query: eventsOf, response: many(portalActivity) }),
  search: endpoint({ method: 'GET', path: `${home}/search`, auth: customer(),
    summary: 'Search productions, documents, invoices and shows',
    query: listQuery({ filters: {}, sort: ['relevance'] }), response: many(portalHit) }),
  information: endpoint({ method: 'GET', path: `${home}/information`, auth: customer(),
    summary: 'Facts about the organisation', response: one(z.object({ id: z.int(), number: z.string(),
      name: z.string(), legal_name: z.string().nullable(), kind: z.string(), status: z.string(),
      default_division: z.string(), default_currency: z.string(), phone: z.string().nullable(),
      website: z.string().nullable(), statement_email: z.string().nullable(), vat_number: z.string().nullable(),
      payment_terms_days: z.int(), billing_address: z.record(z.string(), z.string()).nullable(),
      classifications: z.array(z.string()), venues: z.array(z.object({ id: z.int(), name: z.string() })),
      role: z.string() })) }),
};
