/** Box-office reports: what a run took, and the royalty that follows (domain.md 1.4, 2.3-2.6; X29-X35, X143-X146). */
import * as z from 'zod';
import { customer, staff } from '#kit/auth.ts';
import { bulk } from '#kit/bulk.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, positiveMinor, version } from '#kit/field.ts';
import { DEDUCTION_TYPES as RATE_CARD_TYPES } from '#kernel/pricing/rate-card.ts';

export const REPORT_SCOPES = ['performance', 'week', 'run'] as const;
export const REPORT_STATUSES = ['expected', 'submitted', 'queried', 'accepted', 'estimated', 'replaced'] as const;
type ReportStatus = (typeof REPORT_STATUSES)[number];
const OPEN_STATUSES: readonly ReportStatus[] = ['expected', 'queried', 'estimated'];
/** Whether a report still takes figures: it is asked for, or held until somebody answers its question. */
export const isOpenReport = ({ status, held }: { status: ReportStatus; held: boolean }): boolean =>
  held || OPEN_STATUSES.includes(status);
export const REPORT_FLAGS = ['overdue', 'held', 'questions', 'estimated', 'minimum_pending'] as const;
export const DEDUCTION_TYPES = [...RATE_CARD_TYPES, 'other'] as const;
/** The last six hold the whole return: it computes nothing until they are answered. */
export const QUESTION_KINDS = ['no_performances', 'capacity_over_100', 'gross_over_potential', 'price_above_quoted',
  'deduction_not_allowed', 'repeats_week', 'overlap', 'outside_run', 'in_future', 'gross_over_limit',
  'attendance_over_limit', 'no_running_costs'] as const;
export const HELD_KINDS = ['overlap', 'outside_run', 'in_future', 'gross_over_limit', 'attendance_over_limit',
  'no_running_costs'] as const;
/** Of a question: as it stands, or with other figures. Of a held return: in place of others, or counted as well. */
export const ANSWERS = ['as_reported', 'corrected', 'replace', 'add'] as const;
export const REVIEW_EVENTS = ['accept', 'query', 'estimate'] as const;

const text = (max: number) => z.string().trim().max(max);
const count = z.int().min(0).max(10_000_000);
const seats = z.int().min(0).max(200_000);

export const deductionInput = z.strictObject({
  type: z.enum(DEDUCTION_TYPES, 'Choose the deduction'),
  amount_minor: positiveMinor,
  note: text(500).default(''),
});

export const bandInput = z.strictObject({ label: text(100).default(''), price_minor: positiveMinor,
  seats_sold: seats });

export const gridRowInput = z.strictObject({
  performance_id: id,
  seats_sold: seats.default(0),
  comps: seats.default(0),
  gross_minor: positiveMinor,
  price_bands: z.array(bandInput).max(100).default([]),
});

const figures = {
  license_venue_id: id.nullable().optional(),
  scope: z.enum(REPORT_SCOPES, 'Choose what the report covers'),
  /** For scope performance. */
  performance_id: id.nullable().optional(),
  period_from: isoDate,
  period_to: isoDate,
  /** Takings of the period; where rows are given they must sum to it. */
  gross_minor: positiveMinor,
  currency: currencyCode,
  /** The takings hold the tax on tickets at the venue's rate; the royalty is taken from the net (2.3). */
  tax_included: z.boolean().default(false),
  performances_held: z.int().min(0).max(1000).nullable().optional(),
  paid_admissions: count.nullable().optional(),
  complimentary: count.nullable().optional(),
  capacity_available: count.nullable().optional(),
  capacity_ppm: z.int().min(0).max(100_000_000).nullable().optional(),
  /** Running costs of the week, for a royalty pool of the operating profit. */
  running_costs_minor: positiveMinor.nullable().optional(),
  deductions: z.array(deductionInput).max(50).default([]),
  rows: z.array(gridRowInput).max(1000).default([]),
  attachment_ids: z.array(id).max(20).default([]),
  certified_name: text(200).nullable().optional(),
};

/** `replaces_report_id` names the accepted report that this one takes the place of. */
export const reportInput = z.strictObject({ ...figures, replaces_report_id: id.nullable().optional(),
  /** A second return for the same period beside the first, not instead of it. */
  add: z.boolean().default(false),
  /** Why it counts beside the first; required with `add`. */
  add_reason: text(2000).nullable().optional() });
export type ReportInput = z.infer<typeof reportInput>;
export const reportChange = z.strictObject({ ...figures, version });
export type ReportChange = z.infer<typeof reportChange>;

const certified = { draft: z.boolean().default(false) };
/** Stated figures of one report, without a name under them. */
export const reportFigures = z.strictObject(figures).omit({ certified_name: true });
export const portalReportInput = reportInput.omit({ replaces_report_id: true, add: true, add_reason: true })
  .extend(certified);
/** `attachment_ids`: every file of the report from now on; absent, the files stay as they are. */
export const portalReportChange = reportChange.extend({ ...certified,
  attachment_ids: z.array(id).max(20).optional() });

export const reportRow = z.object({
  id: z.int(),
  license_id: z.int(),
  /** The licence's number as people quote it. */
  license_number: z.string(),
  title: z.string(),
  customer_id: z.int(),
  customer_name: z.string(),
  division: divisionCode,
  currency: currencyCode,
  license_venue_id: z.int().nullable(),
  venue_name: z.string().nullable(),
  scope: z.enum(REPORT_SCOPES),
  performance_id: z.int().nullable(),
  period_from: z.string(),
  period_to: z.string(),
  part: z.int(),
  due_on: z.string().nullable(),
  status: z.enum(REPORT_STATUSES),
  /** Expected or queried, and its day has passed. */
  overdue: z.boolean(),
  estimated: z.boolean(),
  /** Stored, and not counted until somebody answers why it should. */
  held: z.boolean(),
  /** Counts beside returns that it overlaps, for `add_reason`. */
  added: z.boolean(),
  add_reason: z.string().nullable(),
  /** The return that takes the place of this one. */
  replaced_by_id: z.int().nullable(),
  source: z.enum(['staff', 'portal', 'import', 'schedule']),
  gross_minor: z.int(),
  deductions_minor: z.int(),
  running_costs_minor: z.int().nullable(),
  /** Royaltors of the show share in a pool of the operating profit: the week is reported with its running costs. */
  asks_running_costs: z.boolean(),
  tax_included: z.boolean(),
  vat_minor: z.int(),
  net_minor: z.int(),
  performances_held: z.int().nullable(),
  paid_admissions: z.int().nullable(),
  complimentary: z.int().nullable(),
  capacity_available: z.int().nullable(),
  capacity_ppm: z.int().nullable(),
  certified_name: z.string().nullable(),
  certified_at: z.string().nullable(),
  submitted_at: z.string().nullable(),
  decided_at: z.string().nullable(),
  query_note: z.string().nullable(),
  open_questions: z.int(),
  rate_ppm: z.int().nullable(),
  percentage_minor: z.int().nullable(),
  minimum_minor: z.int().nullable(),
  earned_minor: z.int().nullable(),
  recouped_minor: z.int().nullable(),
  due_minor: z.int().nullable(),
  minimum_pending: z.boolean(),
  replaces_report_id: z.int().nullable(),
  import_id: z.int().nullable(),
  invoice_id: z.int().nullable(),
  invoice_number: z.string().nullable(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type ReportRow = z.infer<typeof reportRow>;

export const reportQuestion = z.object({
  id: z.int(), kind: z.enum(QUESTION_KINDS), question: z.string(), answer: z.enum(ANSWERS).nullable(),
  performances: z.int().nullable(), note: z.string().nullable(), answered_by_name: z.string().nullable(),
  answered_at: z.string().nullable(),
});

export const reportStep = z.object({ step: z.string(), label: z.string(), formula: z.string(),
  result_minor: z.int() });

export const reportDetail = reportRow.extend({
  deductions: z.array(z.object({ id: z.int(), type: z.enum(DEDUCTION_TYPES), amount_minor: z.int(),
    allowed_minor: z.int(), note: z.string() })),
  rows: z.array(z.object({ id: z.int(), performance_id: z.int(), local_date: z.string(), local_time: z.string(),
    seats_sold: z.int(), comps: z.int(), gross_minor: z.int(),
    price_bands: z.array(z.object({ label: z.string(), price_minor: z.int(), seats_sold: z.int() })) })),
  questions: z.array(reportQuestion),
  attachments: z.array(z.object({ file_id: z.int(), name: z.string(), description: z.string() })),
  /** "How this was calculated", in order. */
  trace: z.array(reportStep),
  /** Events that the state allows now: submit, accept, query, estimate. */
  allowed_events: z.array(z.string()),
});
export type ReportDetail = z.infer<typeof reportDetail>;

/** Licensee's view: no internal note, nothing about the import. */
export const portalReportRow = reportRow.omit({ import_id: true, customer_name: true });
export const portalReportDetail = reportDetail.omit({ import_id: true, customer_name: true });

const list = '/api/admin/staff/box_office_reports';
const ofLicense = '/api/admin/staff/licenses/{licenseId}/box_office_reports';
const home = '/api/customers/{id}/licenses/{licenseId}/box_office_reports';
const sorts = ['period_to', 'due_on', 'updated_at', 'gross_minor'] as const;

export const boxOfficeEndpoints = {
  list: endpoint({ method: 'GET', path: list, auth: staff('license.list'), summary: 'List box-office reports',
    query: listQuery({ filters: { status: z.enum(REPORT_STATUSES).optional(),
      license_id: z.coerce.number().int().min(1).optional(), division: divisionCode.optional(),
      due_from: isoDate.optional(), due_to: isoDate.optional(), flag: z.enum(REPORT_FLAGS).optional() },
    sort: sorts }), response: many(reportRow) }),
  find: endpoint({ method: 'GET', path: `${list}/{id}`, auth: staff('license.show'),
    summary: 'A box-office report by its own address', response: one(reportDetail) }),
  listOfLicense: endpoint({ method: 'GET', path: ofLicense, auth: staff('license.show'),
    summary: 'Box-office reports of a licence', query: listQuery({ filters: {}, sort: sorts }),
    response: many(reportRow) }),
  show: endpoint({ method: 'GET', path: `${ofLicense}/{id}`, auth: staff('license.show'),
    summary: 'A box-office report with its calculation', response: one(reportDetail) }),
  create: endpoint({ method: 'POST', path: ofLicense, auth: staff('license.update'),
    summary: 'Enter a box-office report', body: reportInput, response: one(reportDetail), status: 201 }),
  update: endpoint({ method: 'PUT', path: `${ofLicense}/{id}`, auth: staff('license.update'),
    summary: 'Change a report until it is accepted', body: reportChange, response: one(reportDetail) }),
  file: endpoint({ method: 'GET', path: `${ofLicense}/{id}/files/{attachedFileId}`, auth: staff('license.show'),
    summary: 'A file attached to a report', response: 'file' }),
  review: endpoint({ method: 'PUT', path: `${ofLicense}/{id}/review`, auth: staff('license.update'),
    summary: 'Accept, ask back or estimate',
    body: z.strictObject({ event: z.enum(REVIEW_EVENTS), version, note: text(2000).optional() }),
    response: one(reportDetail) }),
  answer: endpoint({ method: 'PUT', path: `${ofLicense}/{id}/questions/{questionId}`, auth: staff('license.update'),
    summary: 'Answer a question; what waited for it is computed and posted',
    body: z.strictObject({ answer: z.enum(ANSWERS, 'Choose the answer'),
      performances: z.int().min(0).max(1000).optional(), note: text(2000).default('') }),
    response: one(reportDetail) }),
};

export const portalBoxOfficeEndpoints = {
  list: endpoint({ method: 'GET', path: home, auth: customer(), summary: 'Box-office reports of a production',
    query: listQuery({ filters: {
      /** Those that wait for figures, and are not on hold. */
      open: z.stringbool().optional() }, sort: sorts }), response: many(portalReportRow) }),
  show: endpoint({ method: 'GET', path: `${home}/{reportId}`, auth: customer(), summary: 'A box-office report',
    response: one(portalReportDetail) }),
  create: endpoint({ method: 'POST', path: home, auth: customer(), summary: 'Save or submit a box-office report',
    body: portalReportInput, response: one(portalReportDetail), status: 201 }),
  update: endpoint({ method: 'PUT', path: `${home}/{reportId}`, auth: customer(),
    summary: 'Change a draft or answer what was asked', body: portalReportChange,
    response: one(portalReportDetail) }),
  file: endpoint({ method: 'GET', path: `${home}/{reportId}/files/{attachedFileId}`, auth: customer(),
    summary: 'A file attached to a report', response: 'file' }),
  /** As staff answer it; by a person who may submit. */
  answer: endpoint({ method: 'PUT', path: `${home}/{reportId}/questions/{questionId}`, auth: customer(),
    summary: 'Resolve a report on hold: it replaces the other report, or counts for the reason given',
    body: z.strictObject({ answer: z.enum(['replace', 'add'], 'Choose the answer'), note: text(2000).default('') }),
    response: one(portalReportDetail) }),
};

export const boxOfficeBulk = bulk(boxOfficeEndpoints.list,
  { noun: ['return', 'returns'], href: null, named: ['number', 'show_title', 'title'] },
  [{ label: 'Accept', endpoint: boxOfficeEndpoints.review, body: { event: 'accept' } }]);
