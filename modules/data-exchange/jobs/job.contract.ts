/** One's own background work: exports, imports, actions over many records (X197 to X199). */
import * as z from 'zod';
import { signedIn } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';

export const JOB_KINDS = ['export', 'import', 'bulk'] as const;
export const JOB_STATUSES = ['waiting', 'running', 'done', 'failed', 'cancelled', 'expired'] as const;

export const jobRow = z.object({
  /** 'export-12'. */
  id: z.string(), kind: z.enum(JOB_KINDS), record_id: z.int(), title: z.string(), status: z.enum(JOB_STATUSES),
  rows_done: z.int(), rows_total: z.int(),
  /** Of those done: how many could not be. */
  rows_refused: z.int(),
  /** false: there may be more rows than rows_total. */
  total_is_exact: z.boolean(),
  format: z.string().nullable(), size_bytes: z.int().nullable(), failure: z.string().nullable(),
  /** Its screen; null where it has none. */
  href: z.string().nullable(),
  created_at: z.string(), finished_at: z.string().nullable(), expires_at: z.string().nullable(),
});
export type JobRow = z.infer<typeof jobRow>;

const path = '/api/jobs';
const params = z.object({ id: z.string().regex(/^[a-z_]+-\d{1,15}$/) });

export const jobEndpoints = {
  list: endpoint({ method: 'GET', path, auth: signedIn, summary: 'One\'s own background work, newest first',
    query: listQuery({ filters: { kind: z.enum(JOB_KINDS).optional(), status: z.enum(JOB_STATUSES).optional() },
      sort: ['created_at'] }),
    response: many(jobRow) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: signedIn, params, response: one(jobRow),
    summary: 'One background work of one\'s own' }),
  cancel: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: signedIn, params, response: one(jobRow),
    summary: 'Cancel an export or an action over many records that waits or is at work' }),
};
