/** Imports of files: upload, mapping, preview, work in the background, what was left out (A346-A351, RT31, RT33). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { id, version } from '#kit/field.ts';
import { REPORT_SCOPES } from '../import-templates/import-template.contract.ts';
import { DATE_FORMATS, DATE_MEANINGS, DECIMAL_STYLES, DELIMITERS, ENCODINGS } from './import-field.contract.ts';
import { IMPORT_MODELS } from './kinds/import-kind.contract.ts';

export const IMPORT_STATUSES = ['uploaded', 'previewed', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const IMPORT_TASKS = ['file', 'left', 'answers'] as const;
/** Rows that are records we have and say otherwise: these stay as they are, or are changed. */
export const CHANGES = ['leave', 'apply'] as const;
export const RECORD_STATUSES = ['imported', 'duplicate', 'questioned', 'refused'] as const;

const count = z.int().min(0);
/** By the fields of the import's kind (kinds/import-kind.contract.ts). */
const fieldName = z.string().regex(/^[a-z0-9_]{1,60}$/);
const positions = z.record(fieldName, z.int().min(0).max(1000));
const constants = z.record(fieldName, z.string().trim().max(200));

/** Parsing settings of the file; frozen once processing has begun. */
export const importMapping = z.object({
  encoding: z.enum(ENCODINGS),
  delimiter: z.enum(DELIMITERS),
  header_row: z.int().min(1),
  header: z.array(z.string()),
  /** Field -> position of its column. */
  columns: positions,
  constants,
  /** Null: the cells can be read in two ways, and a person has to say which; see `readings`. */
  date_format: z.enum(DATE_FORMATS).nullable(),
  decimal_style: z.enum(DECIMAL_STYLES).nullable(),
  /** Settings that a person chose. */
  chosen: z.array(z.enum(['date_format', 'decimal_style'])).default([]),
  /** Questions for a person: each way to read the cells, with cells that mean something else each way. */
  readings: z.array(z.object({ setting: z.enum(['date_format', 'decimal_style']),
    options: z.array(z.object({ value: z.string(), samples: z.array(z.object({ field: z.string(), column: z.string(),
      row_no: z.int(), text: z.string(), read: z.string() })) })) })).default([]),
  /** Up to three cells of each column, in the order of the heads. */
  samples: z.array(z.array(z.string())).default([]),
  /** Up to three cells that show whether the encoding is the right one. */
  encoding_samples: z.array(z.string()).default([]),
  amount_unit: z.enum(['major', 'minor']),
  report_scope: z.enum(REPORT_SCOPES),
  date_is: z.enum(DATE_MEANINGS),
  /** Left out of files that were uploaded before there was a choice. */
  changes: z.enum(CHANGES).default('leave'),
  /** Of a workbook: which of its sheets is read. */
  sheet_note: z.string().nullable().default(null),
  warnings: z.array(z.string()),
});
export type ImportMapping = z.infer<typeof importMapping>;
export type ImportReading = ImportMapping['readings'][number];

export const importRow = z.object({
  id: z.int(),
  import_template_id: z.int(),
  template_name: z.string(),
  model_name: z.enum(IMPORT_MODELS),
  file_name: z.string(),
  file_size: z.int(),
  status: z.enum(IMPORT_STATUSES),
  task: z.enum(IMPORT_TASKS),
  rows_total: count,
  rows_done: count,
  rows_imported: count,
  rows_duplicate: count,
  rows_questioned: count,
  rows_refused: count,
  /** Of the task at hand: rows of the file, rows left over or answers. */
  task_done: count,
  task_total: count,
  failure: z.string().nullable(),
  created_by_name: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  version: z.int(),
});
export type ImportRow = z.infer<typeof importRow>;

export const importDetail = importRow.extend({
  mapping: importMapping,
  /** Questions of its reports that wait for an answer, by kind. */
  open_questions: z.array(z.object({ kind: z.string(), count })),
  /** Records that rows changed, and those that they would have changed. */
  changes: z.object({ applied: count, left: count }),
});
export type ImportDetail = z.infer<typeof importDetail>;

const cellProblem = z.object({ row_no: z.int(), field: z.string().nullable(), column: z.string().nullable(),
  value: z.string(), reason_code: z.string(), reason: z.string() });

export const previewRow = z.object({
  row_no: z.int(),
  /** Record that a catalog or list row becomes, and details to tell it apart; empty for box-office reports. */
  title: z.string(),
  detail: z.string(),
  period_from: z.string().nullable(),
  period_to: z.string().nullable(),
  show: z.string(),
  venue: z.string(),
  license_number: z.string().nullable(),
  currency: z.string().nullable(),
  gross_minor: z.int().nullable(),
  performances: z.int().nullable(),
  attendance: z.int().nullable(),
  /**
   * A record that is there is `unchanged` where the row says the same of it, `differs` where it says otherwise. A
   * `duplicate` is a row that stands in the file before, a return we have, or a record named without more to compare.
   */
  outcome: z.enum(['ready', 'differs', 'unchanged', 'duplicate', 'questioned', 'refused']),
  reason: z.string().nullable(),
});
export type PreviewRow = z.infer<typeof previewRow>;
/** Filter values for rows of a preview: as previewRow.outcome. */
export const PREVIEW_OUTCOMES = previewRow.shape.outcome.options;

export const importPreview = z.object({
  mapping: importMapping,
  rows_total: count,
  /** Fields that a row needs and nothing feeds yet. */
  missing: z.array(z.object({ field: z.string(), text: z.string() })),
  /** Heads that several columns have, and columns that no field is read from. */
  repeated: z.array(z.string()),
  unused: z.array(z.string()),
  /** The rows of the file in its order, at most 10,000: of a longer file first those that are not simply ready. */
  rows: z.array(previewRow.extend({
    /** The head of the column that is wrong, and what stands in its cell. */
    column: z.string().nullable(), value: z.string().nullable() })),
  counts: z.object({ ready: count, questioned: count,
    /** All rows about what is there already or stands in the file before. */
    duplicate: count,
    /** Of these: rows that say something else than the record they are, and rows that say the same. */
    changed: count, unchanged: count, refused: count }),
  /** Every reason with how often; the rows of the first hundred problems follow. */
  reasons: z.array(z.object({ reason_code: z.string(), count })),
  /** Corrections made on import ("a zip code got its zero back"), with their counts. */
  repairs: z.array(z.object({ reason_code: z.string(), count })),
  /** The first hundred rows that are records we have and say otherwise: "Capacity: 880 → 900". */
  changes: z.array(z.object({ row_no: z.int(), title: z.string(), text: z.string() })),
  problems: z.array(cellProblem),
});
export type ImportPreview = z.infer<typeof importPreview>;

export const importRecord = z.object({
  id: z.int(), row_no: z.int(), status: z.enum(RECORD_STATUSES), cells: z.array(z.string()).nullable(),
  reason_code: z.string().nullable(), reason: z.string().nullable(), field: z.string().nullable(),
  value: z.string().nullable(), report_id: z.int().nullable(), license_id: z.int().nullable(),
  customer_id: z.int().nullable(), title: z.string().nullable(), venue_name: z.string().nullable(),
  period_to: z.string().nullable(),
  currency: z.string().nullable(), gross_minor: z.int().nullable(),
  /** Record that the row became, if it is no report; of a row that is asked about: the record it was taken for. */
  entity: z.string().nullable(), entity_id: z.int().nullable(), label: z.string().nullable(),
  proposed_id: z.int().nullable(), decision: z.string().nullable(),
  /** Of a show: plays and musicals have pages of their own. */
  show_type: z.enum(['play', 'musical']).nullable(),
});
export type ImportRecord = z.infer<typeof importRecord>;

export const problemGroup = z.object({
  reason_code: z.string(), field: z.string().nullable(), value: z.string().nullable(), reason: z.string(), count,
  first_row: z.int(),
  /** Rows that may be records we have: each is confirmed or refused. */
  asked: z.boolean(),
  /** Of these: how many are decided already and wait for the rows to be processed again. */
  decided: count,
  /** For unknown titles and venues: what was probably meant. */
  suggestions: z.array(z.object({ id: z.int(), label: z.string() })),
});
export type ProblemGroup = z.infer<typeof problemGroup>;

export const ALIAS_KINDS = ['show', 'venue', 'royaltor'] as const;
export type AliasKind = (typeof ALIAS_KINDS)[number];

const list = '/api/admin/staff/imports';
const item = `${list}/{id}` as const;

export const importEndpoints = {
  list: endpoint({ method: 'GET', path: list, auth: staff('import.list'), summary: 'List imports',
    query: listQuery({ filters: { status: z.enum(IMPORT_STATUSES).optional(),
      model_name: z.enum(IMPORT_MODELS).optional() }, sort: ['created_at', 'rows_total'] }),
    response: many(importRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('import.show'), summary: 'An import and how far it is',
    response: one(importDetail) }),
  create: endpoint({ method: 'POST', path: list, auth: staff('import.create'),
    summary: 'Upload a file; nothing is written to the books before it is processed',
    upload: { field: 'file', types: ['csv', 'txt', 'tsv', 'tab', 'xls', 'xlsx', 'ods', 'htm', 'html'],
      max_bytes: UPLOAD_LIMIT },
    body: z.strictObject({ import_template_id: z.coerce.number().int().min(1, 'Choose a template') }),
    response: one(importDetail), status: 201 }),
  preview: endpoint({ method: 'GET', path: `${item}/preview`, auth: staff('import.show'),
    summary: 'Column mapping of the file and all its problems', response: one(importPreview) }),
  map: endpoint({ method: 'PUT', path: `${item}/mapping`, auth: staff('import.create'),
    summary: 'Change how the file is read, before it is processed', response: one(importDetail),
    body: z.strictObject({ header_row: z.int().min(1).max(1000).optional(), delimiter: z.enum(DELIMITERS).optional(),
      encoding: z.enum(ENCODINGS).optional(), columns: positions, constants,
      date_format: z.enum(DATE_FORMATS).nullable(), decimal_style: z.enum(DECIMAL_STYLES).nullable(),
      amount_unit: z.enum(['major', 'minor']).default('major'), report_scope: z.enum(REPORT_SCOPES),
      date_is: z.enum(DATE_MEANINGS), changes: z.enum(CHANGES).default('leave'), version }) }),
  process: endpoint({ method: 'POST', path: `${item}/process`, auth: staff('import.process'),
    summary: 'Work the file, or once it is done the rows that were left out', response: one(importDetail),
    status: 202 }),
  cancel: endpoint({ method: 'PUT', path: `${item}/cancel`, auth: staff('import.process'),
    summary: 'Stop; rows already imported stay', response: one(importDetail) }),
  answer: endpoint({ method: 'PUT', path: `${item}/answers`, auth: staff('license.update'),
    summary: 'Answer the open questions of an import together', response: one(importDetail), status: 202,
    body: z.strictObject({ answer: z.literal('as_reported', 'Questions are answered together only as reported'),
      note: z.string().trim().max(2000).default('') }) }),
  problems: endpoint({ method: 'GET', path: `${item}/problems`, auth: staff('import.listRecords'),
    summary: 'Rows left out, grouped by reason and value', response: all(problemGroup) }),
  alias: endpoint({ method: 'PUT', path: `${item}/aliases`, auth: staff('import.process'),
    summary: 'Match a name in the file with a show or venue', response: one(importDetail),
    body: z.strictObject({ kind: z.enum(ALIAS_KINDS), alias: z.string().trim().min(1, 'Name is required').max(160),
      target_id: id }) }),
  decide: endpoint({ method: 'PUT', path: `${item}/decisions`, auth: staff('license.update'),
    summary: 'A second return for a period: take its place, or add to it', response: one(importDetail),
    body: z.strictObject({ row_nos: z.array(z.int().min(1)).min(1, 'Choose the rows').max(1000),
      decision: z.enum(['replace', 'add'], 'Say replace or add') }) }),
  confirm: endpoint({ method: 'PUT', path: `${item}/proposals`, auth: staff('import.process'),
    summary: 'Rows that look like records we have: say they are the same, or others', response: one(importDetail),
    body: z.strictObject({ reason_code: z.string().max(60).regex(/^[a-z0-9_.]+$/),
      /** Left out: every row that is asked about for this reason. */
      row_nos: z.array(z.int().min(1)).min(1, 'Choose the rows').max(1000).optional(),
      decision: z.enum(['same', 'new'], 'Say the same or another one'),
      /** The record it is, where that is not the proposed one. */
      target_id: id.optional() }) }),
  records: endpoint({ method: 'GET', path: `${item}/records`, auth: staff('import.listRecords'),
    summary: 'Result of every row', response: many(importRecord),
    query: listQuery({ filters: { status: z.enum(RECORD_STATUSES).optional(),
      reason_code: z.string().max(60).optional() }, sort: ['row_no'], perPage: 25 }) }),
  download: endpoint({ method: 'GET', path: `${item}/records/download`, auth: staff('import.downloadRecords'),
    summary: 'The rows left out with their reasons, as CSV', response: 'file',
    query: z.strictObject({ status: z.enum(['refused', 'questioned']).default('refused') }) }),
};
