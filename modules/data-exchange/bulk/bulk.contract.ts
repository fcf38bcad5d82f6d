/** One action over many records (X203), and what became of each of them. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { BULK_LIMIT } from '#kit/bulk.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { id } from '#kit/field.ts';
import { JOB_STATUSES } from '../jobs/job.contract.ts';

export const BULK_OUTCOMES = ['waiting', 'done', 'refused'] as const;

const value = z.union([z.string().max(2000), z.number(), z.boolean()]);
const path = '/api/admin/staff/bulk';

export const bulkRun = z.object({
  id: z.int(), job_id: z.string(), label: z.string(), noun: z.string(), status: z.enum(JOB_STATUSES),
  rows_total: z.int(), rows_done: z.int(), rows_refused: z.int(), failure: z.string().nullable(),
  /** The call that takes back what was done, and its words; null where there is none, or it was taken back. */
  undo: z.object({ endpoint: z.string(), label: z.string() }).nullable(),
  created_at: z.string(), finished_at: z.string().nullable(),
});
export type BulkRun = z.infer<typeof bulkRun>;

export const bulkRunRow = z.object({
  id: z.int(), row_no: z.int(), record_id: z.int(), label: z.string(), href: z.string().nullable(),
  outcome: z.enum(BULK_OUTCOMES), code: z.string().nullable(), reason: z.string().nullable(), updated_at: z.string(),
});
export type BulkRunRow = z.infer<typeof bulkRunRow>;

export const bulkBody = z.strictObject({
  /** The call of one record: 'DELETE /api/admin/staff/venues/{id}'. */
  endpoint: z.string().max(200),
  /** Body sent with it besides the record's version: values from the list, and those it asks the person for. */
  body: z.record(z.string().regex(/^\w{1,80}$/), z.union([value, z.null()])).default({}),
  /** Address of the list below /api/admin/; where it is absent, the list that offers the call. */
  model_name: z.string().regex(/^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/, 'Name the list').max(200).optional(),
  /** The list's query. With `ids` it may name the page that they stand on. */
  filter: z.record(z.string().regex(/^\w{1,80}$/), z.union([value, z.array(value).max(100)])).default({}),
  /** These rows of the list; without them, all that match. */
  ids: z.array(id).min(1, 'Choose rows').max(BULK_LIMIT).optional(),
  /** Number of rows the person was shown; refused if it has changed. */
  expected: z.int().min(1).optional(),
  /** A run of one's own: takes back what it did. */
  undo_of: id.optional(),
});
export type BulkBody = z.output<typeof bulkBody>;

export const bulkEndpoints = {
  create: endpoint({ method: 'POST', path, auth: staff(null), status: 202, body: bulkBody,
    summary: 'Do one call for many records of a list, as a job; each needs the right of that call',
    response: one(z.object({ job_id: z.string(), id: z.int(), rows_total: z.int() })) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff(null), response: one(bulkRun),
    summary: 'An action of one\'s own over many records' }),
  rows: endpoint({ method: 'GET', path: `${path}/{id}/rows`, auth: staff(null), response: many(bulkRunRow),
    summary: 'Result of a bulk action for each record',
    query: listQuery({ filters: { outcome: z.enum(BULK_OUTCOMES).optional() }, sort: ['row_no', 'label'] }) }),
};
