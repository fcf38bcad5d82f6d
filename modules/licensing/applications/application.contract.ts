/** Applications: up to three shows on the same dates, drafted by the customer, decided by staff (domain.md 1.2). */
import * as z from 'zod';
import { exemption } from '#modules/taxation/exemption-certificates/exemption-certificate.contract.ts';
import { customer, staff } from '#kit/auth.ts';
import { bulk } from '#kit/bulk.ts';
import { all, endpoint, listQuery, pagedQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, version } from '#kit/field.ts';
import { APPLICATION_STATUSES } from '#kernel/licensing/application-machine.ts';
import { LICENSE_PHASES } from '#kernel/licensing/license-machine.ts';
import { availabilityAnswer, publicAvailability } from '../availability/availability.contract.ts';
import { licenseVenueRow, venueInputs } from '../licenses/venues/license-venue.contract.ts';
import { sharedMemo } from '../memos/memo.contract.ts';
import { performanceInput } from '../licenses/performances/performance.contract.ts';
import { addOnChoice, CATEGORIES, priceAnswer, publicPriceAnswer } from '../licenses/pricing/pricing.contract.ts';

export const ORGANISATION_TYPES = ['school_k12', 'university', 'community', 'youth', 'professional', 'church', 'camp',
  'other'] as const;
export const UNION_STATUSES = ['none', 'AEA', 'SPT', 'guest_artist', 'LORT', 'Equity UK'] as const;
export const PURPOSES = ['season', 'competition', 'fundraiser', 'camp', 'excerpt'] as const;
export const APPLICATION_DECLINE_REASONS = ['rights_unavailable', 'professional_conflict', 'proximity',
  'dates_too_soon', 'incomplete', 'arrears', 'not_eligible', 'other'] as const;

const text = (max: number) => z.string().trim().max(max);

export const applicationFields = {
  show_ids: z.array(z.int().min(1)).min(1, 'Choose a show').max(3, 'Choose at most three shows')
    .refine((ids) => new Set(ids).size === ids.length, 'A show is named twice'),
  division: divisionCode.optional(),
  category: z.enum(CATEGORIES).optional(),
  customer_classification_id: id.nullable().optional(),
  organisation_type: z.enum(ORGANISATION_TYPES).optional(),
  producing_organisation: text(300).optional(),
  union_status: z.enum(UNION_STATUSES).optional(),
  is_free_admission: z.boolean().optional(),
  cast_size: z.int().min(1).max(1000).nullable().optional(),
  orchestration: z.enum(['full', 'reduced', 'piano', 'tracks']).nullable().optional(),
  needs_streaming: z.boolean().optional(),
  needs_video: z.boolean().optional(),
  purpose: z.enum(PURPOSES).optional(),
  message: text(10_000).optional(),
  license_venues: venueInputs.optional(),
  /** Of the shows that are applied for; the rights to film and to stream are added where they are sold. */
  add_ons: z.array(addOnChoice).max(50)
    .refine((rows) => new Set(rows.map((row) => row.add_on_id)).size === rows.length, 'An add-on is named twice')
    .optional(),
  /** Other days for the first performance, in the order of preference: the whole run moves with it. */
  alternatives: z.array(isoDate).max(3, 'At most three other dates')
    .refine((days) => new Set(days).size === days.length, 'A date is named twice').optional(),
};
export const applicationInput = z.strictObject(applicationFields);
export type ApplicationInput = z.infer<typeof applicationInput>;

const venueRow = licenseVenueRow.pick({ id: true, venue_id: true, name: true, address: true, lat: true, lng: true,
  time_zone: true, capacity: true, expected_attendance: true, ticketing: true, deductions: true })
  .extend({ performances: z.array(performanceInput) });

export const applicationRow = z.object({
  id: z.int(),
  number: z.string().nullable(),
  status: z.enum(APPLICATION_STATUSES),
  status_label: z.string(),
  source: z.enum(['portal', 'staff', 'import']),
  customer_id: z.int(),
  customer_name: z.string(),
  division: divisionCode,
  category: z.enum(CATEGORIES),
  currency: currencyCode,
  show_titles: z.string(),
  first_performance_on: z.string().nullable(),
  last_performance_on: z.string().nullable(),
  number_of_performances: z.int(),
  venue_names: z.string(),
  license_rep_id: z.int().nullable(),
  license_rep_name: z.string().nullable(),
  sla_due_at: z.string().nullable(),
  sla_paused: z.boolean(),
  submitted_at: z.string().nullable(),
  submitted_by_name: z.string().nullable(),
  decided_at: z.string().nullable(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type ApplicationRow = z.infer<typeof applicationRow>;

const details = {
  shows: z.array(z.object({ show_id: z.int(), show_code: z.string(), title: z.string(), type: z.string(),
    rank: z.int(), chosen: z.boolean() })),
  customer_classification_id: z.int().nullable(),
  organisation_type: z.enum(ORGANISATION_TYPES),
  producing_organisation: z.string(),
  union_status: z.enum(UNION_STATUSES),
  is_free_admission: z.boolean(),
  cast_size: z.int().nullable(),
  orchestration: z.string().nullable(),
  needs_streaming: z.boolean(),
  needs_video: z.boolean(),
  purpose: z.enum(PURPOSES),
  /** By the customer's certificates, as of today. */
  tax_exemptions: z.array(exemption),
  message: z.string(),
  license_venues: z.array(venueRow),
  /** With the price of one in the application's currency; null where it is a share of a stream's gross, or not sold. */
  add_ons: z.array(z.object({ add_on_id: z.int(), show_id: z.int(), name: z.string(), kind: z.string(),
    pricing_model: z.string(), quantity: z.int(), price_minor: z.int().nullable(), share_ppm: z.int().nullable() })),
  clearance_expected_on: z.string().nullable(),
  decision_reason_code: z.string().nullable(),
  decision_note: z.string(),
  /** Soft notes, e.g. that the first performance is sooner than the usual lead. */
  warnings: z.array(z.string()),
  licenses: z.array(z.object({ id: z.int(), number: z.string(), phase: z.enum(LICENSE_PHASES), title: z.string() })),
  information_requests: z.array(z.object({ id: z.int(), message: z.string(), fields: z.array(z.string()),
    answer: z.string().nullable(), answered_at: z.string().nullable(), created_at: z.string() })),
  events: z.array(z.object({ id: z.int(), event: z.string(), from_status: z.string().nullable(),
    to_status: z.string().nullable(), actor_name: z.string().nullable(), reason: z.string(), created_at: z.string() })),
  allowed_events: z.array(z.string()),
};
const perShow = <A extends z.ZodType, P extends z.ZodType>(availability: A, price: P) => ({
  /** Per show: verdict and price. Live while it is open, as frozen at submission afterwards. */
  outlook: z.array(z.object({ show_id: z.int(), title: z.string(), availability, price })),
  /** Other dates: the run moved so that it opens on that day, with the verdict per show. */
  alternatives: z.array(z.object({ rank: z.int(), first_performance_on: z.string(), last_performance_on: z.string(),
    verdicts: z.array(z.object({ show_id: z.int(), availability })) })),
});

export const applicationDetail = applicationRow.extend({ ...details, override_reason: z.string().nullable(),
  ...perShow(availabilityAnswer.nullable(), priceAnswer.nullable()) });
export type ApplicationDetail = z.infer<typeof applicationDetail>;
/** Customer's view: licenses that are no longer drafts, no internal reason, no rate card. */
export const customerApplication = applicationRow.omit({ license_rep_id: true }).extend({ ...details,
  /** Staff memos for the customer to read, the latest first. */
  memos: z.array(sharedMemo),
  ...perShow(publicAvailability.nullable(), publicPriceAnswer.nullable()) });
export type CustomerApplication = z.infer<typeof customerApplication>;

export const informationRequestRow = z.object({ id: z.int(), message: z.string(), fields: z.array(z.string()),
  asked_by_name: z.string().nullable(), answer: z.string().nullable(), answered_by_name: z.string().nullable(),
  answered_at: z.string().nullable(), created_at: z.string() });

const statuses = z.string().max(200).optional();
const sort = ['updated_at', 'submitted_at', 'first_performance_on', 'customer_name', 'sla_due_at', 'number'] as const;
const path = '/api/admin/staff/license_applications';
const item = `${path}/{id}` as const;
const mine = '/api/customers/{id}/license-applications';

const applicationQuery = listQuery({ filters: { status: statuses, division: divisionCode.optional(),
  category: z.enum(CATEGORIES).optional(), customer_id: z.coerce.number().int().min(1).optional(),
  license_rep_id: z.coerce.number().int().min(1).optional(), show_id: z.coerce.number().int().min(1).optional() },
sort });

export const applicationEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license_application.list'), summary: 'List applications',
    query: applicationQuery, response: many(applicationRow) }),
  ofCustomer: endpoint({ method: 'GET', path: '/api/admin/staff/customers/{id}/applications',
    auth: staff('license_application.list'), summary: 'Applications of a customer',
    query: applicationQuery.omit({ customer_id: true }), response: many(applicationRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('license_application.show'), summary: 'Show an application',
    response: one(applicationDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('license.apply'), summary: 'Apply on behalf of a customer',
    body: z.strictObject({ customer_id: z.int('Choose a customer').min(1), ...applicationFields,
      /** Hands it in at once; beyond 18 months ahead the reason is required. */
      submit: z.boolean().default(true), override_reason: text(1000).optional() }),
    response: one(applicationDetail), status: 201 }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('license.update'), summary: 'Change rep or promised day',
    body: z.strictObject({ version, license_rep_id: id.nullable().optional(),
      sla_due_at: z.iso.datetime({ offset: true }).nullable().optional(),
      clearance_expected_on: isoDate.nullable().optional() }),
    response: one(applicationDetail) }),
  status: endpoint({ method: 'PUT', path: `${item}/status`, auth: staff('license.update'),
    summary: 'Start review, ask for clearance, approve (also needs license.create), decline',
    body: z.strictObject({ event: z.enum(['assign', 'need_clearance', 'approve', 'decline']), version,
      reason_code: z.enum(APPLICATION_DECLINE_REASONS).optional(), note: text(2000).optional(),
      license_rep_id: id.optional(), clearance_expected_on: isoDate.optional(),
      alternatives: z.array(text(300)).max(10).optional() }), response: one(applicationDetail) }),
  informationRequests: endpoint({ method: 'GET', path: `${item}/information_requests`,
    auth: staff('license_application.show'), summary: 'An application with its reply',
    query: pagedQuery({ filters: {}, sort: ['created_at'] }), response: many(informationRequestRow) }),
  requestInformation: endpoint({ method: 'POST', path: `${item}/information_requests`, auth: staff('license.update'),
    summary: 'Ask the customer; the clock of the promised answer rests', status: 201,
    body: z.strictObject({ message: text(5000).min(1, 'Write what the customer should answer'),
      fields: z.array(text(60)).max(30).default([]) }), response: one(informationRequestRow) }),
  convert: endpoint({ method: 'POST', path: `${item}/convert`, auth: staff('license.create'),
    summary: 'One draft quote per chosen show; repeated, the same ids',
    body: z.strictObject({ version, show_ids: z.array(z.int().min(1)).min(1, 'Choose at least one show').max(3),
      /** Rank of the other dates that are quoted; absent: the dates that were applied for. */
      alternative: z.int().min(1).max(3).optional() }),
    response: one(z.object({ application_id: z.int(), license_ids: z.array(z.int()), version: z.int() })) }),

  customerList: endpoint({ method: 'GET', path: mine, auth: customer(), summary: "The customer's applications",
    query: listQuery({ filters: { status: statuses }, sort }),
    response: many(applicationRow.omit({ license_rep_id: true })) }),
  customerShow: endpoint({ method: 'GET', path: `${mine}/{applicationId}`, auth: customer(),
    summary: 'One application', response: one(customerApplication) }),
  customerCreate: endpoint({ method: 'POST', path: mine, auth: customer(), summary: 'Draft an application',
    body: z.strictObject({ ...applicationFields, show_ids: applicationFields.show_ids.optional(),
      /** SPEC's short form: one show. */
      show_id: id.optional() }), response: one(customerApplication), status: 201 }),
  customerUpdate: endpoint({ method: 'PUT', path: `${mine}/{applicationId}`, auth: customer(),
    summary: 'Change a draft, or an application whose information was asked for',
    body: z.strictObject({ ...z.strictObject(applicationFields).partial().shape, version }),
    response: one(customerApplication) }),
  customerStatus: endpoint({ method: 'PUT', path: `${mine}/{applicationId}/status`, auth: customer('admin', 'signer'),
    summary: 'Submit, answer, withdraw',
    body: z.strictObject({ event: z.enum(['submit', 'respond', 'withdraw']), version,
      message: text(5000).optional() }), response: one(customerApplication) }),
  reasons: endpoint({ method: 'GET', path: `${path}/decline_reasons`, auth: staff('license_application.list'),
    summary: 'Reasons for declining, as the customer reads them',
    response: all(z.object({ value: z.string(), label: z.string() })) }),
};

export const applicationBulk = bulk(applicationEndpoints.list,
  { noun: ['application', 'applications'], href: '/admin/applications/{id}', named: ['number'] }, [
    { label: 'Give to', endpoint: applicationEndpoints.update,
      asks: { field: 'license_rep_id', label: 'Representative', kind: 'person' } },
  ]);
