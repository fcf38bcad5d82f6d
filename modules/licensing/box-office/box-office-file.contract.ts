/**
 * Files of a customer's box-office system: read into reports, shown with every question, sent together. The same
 * calls serve the page for all venues of a week.
 */
import * as z from 'zod';
import { customer, customerInPerson } from '#kit/auth.ts';
import { all, endpoint, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { id, version } from '#kit/field.ts';
import {
  DATE_FORMATS, DECIMAL_STYLES, FIELD_FACTS, type FieldSet, type ImportField,
} from '#modules/data-exchange/imports/import-field.contract.ts';
import { portalReportRow, QUESTION_KINDS, reportFigures } from './box-office.contract.ts';

const { license_number: _, currency: __, period_from: ___, running_costs: ____, ...facts } = FIELD_FACTS;
/** Fields that a customer's file can carry: the license and its currency are those of the page. */
export const FILE_FIELDS: FieldSet = {
  ...facts, show: { ...facts.show, required: false }, venue: { ...facts.venue, required: false },
};
export const FILE_FIELD_NAMES = Object.keys(FILE_FIELDS) as ImportField[];

/** Most reports that one page sends. */
export const MOST_REPORTS = 100;

/** An expected report is named and filled; without one the figures make a report of their own. */
export const batchReport = reportFigures.extend({ report_id: id.nullable().default(null),
  version: version.nullable().default(null) });
export type BatchReport = z.infer<typeof batchReport>;
const reports = z.array(batchReport).min(1, 'Enter the figures first').max(MOST_REPORTS, 'At most 100 reports');

export const raisedQuestion = z.object({ kind: z.enum(QUESTION_KINDS), question: z.string(),
  /** The report is not counted until somebody answers. */
  held: z.boolean() });

export const fileRow = z.object({
  /** Rows of the file, as a spreadsheet numbers them. */
  rows: z.array(z.int()),
  venue_name: z.string().nullable(),
  period_from: z.string().nullable(),
  period_to: z.string().nullable(),
  gross_minor: z.int().nullable(),
  /** `reported`: the same figures are with us already. */
  outcome: z.enum(['ready', 'reported', 'refused']),
  reason: z.string().nullable(),
  questions: z.array(raisedQuestion),
  report: batchReport.nullable(),
});
export type FileRow = z.infer<typeof fileRow>;

export const fileReading = z.object({
  file_id: z.int(), name: z.string(),
  header: z.array(z.string()), samples: z.array(z.array(z.string())), columns: z.record(z.string(), z.int()),
  /** Source of the columns: an earlier file of the customer, a known system, or their heads. */
  matched_by: z.enum(['remembered', 'system', 'heads', 'person']),
  system: z.string().nullable(),
  date_format: z.enum(DATE_FORMATS).nullable(), decimal_style: z.enum(DECIMAL_STYLES).nullable(),
  readings: z.array(z.object({ setting: z.enum(['date_format', 'decimal_style']), options: z.array(z.object({
    value: z.string(), samples: z.array(z.object({ column: z.string(), text: z.string(), read: z.string() })) })) })),
  /** Fields without a column. */
  missing: z.array(z.string()),
  note: z.string().nullable(),
  rows: z.array(fileRow),
});
export type FileReading = z.infer<typeof fileReading>;

const home = '/api/customers/{id}/licenses/{licenseId}';
const files = `${home}/box_office_files` as const;
const position = z.int().min(0).max(1000);

export const boxOfficeFileEndpoints = {
  upload: endpoint({ method: 'POST', path: files, auth: customer(), status: 201,
    summary: 'Upload a file of box-office figures, or a statement to attach',
    upload: { field: 'file', types: ['csv', 'txt', 'xlsx', 'pdf', 'png', 'jpg', 'jpeg'], max_bytes: UPLOAD_LIMIT },
    response: one(z.object({ file_id: z.int(), name: z.string(), size_bytes: z.int() })) }),
  read: endpoint({ method: 'POST', path: `${files}/{boxOfficeFileId}/reading`, auth: customer(),
    summary: 'Reports that a file makes; columns that a person matched are remembered',
    body: z.strictObject({ columns: z.partialRecord(z.enum(FILE_FIELD_NAMES), position).optional(),
      date_format: z.enum(DATE_FORMATS).optional(), decimal_style: z.enum(DECIMAL_STYLES).optional() }),
    response: one(fileReading) }),
  sample: endpoint({ method: 'GET', path: `${home}/box_office_sample`, auth: customer(),
    summary: 'Sample file with column headings and the reports due', response: 'file' }),
  check: endpoint({ method: 'POST', path: `${home}/box_office_checks`, auth: customer(), readOnly: true,
    summary: 'Questions that reports would raise', body: z.strictObject({ reports }),
    response: all(z.object({ questions: z.array(raisedQuestion) })) }),
  send: endpoint({ method: 'POST', path: `${home}/box_office_batches`, auth: customerInPerson('admin', 'signer'),
    idempotent: true, status: 201, summary: 'Certify and send several reports',
    body: z.strictObject({ reports, certified_name: z.string().trim().min(1, 'Type your name').max(200) }),
    response: all(portalReportRow) }),
};
