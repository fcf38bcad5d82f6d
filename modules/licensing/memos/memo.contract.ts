/** Memos of licences and applications: append-only; internal ones never reach the customer (gaps G104). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';

export const memoRow = z.object({ id: z.int(), body: z.string(), internal: z.boolean(), author_id: z.int(),
  author_name: z.string(), created_at: z.string() });
export type MemoRow = z.infer<typeof memoRow>;

const body = z.strictObject({ body: z.string().trim().min(1, 'Write something').max(10_000),
  internal: z.boolean().default(true) });
const query = listQuery({ filters: {}, sort: ['created_at'] });
const license = '/api/admin/staff/licenses/{id}/memos';
const application = '/api/admin/staff/license_applications/{id}/memos';

export const memoEndpoints = {
  ofLicense: endpoint({ method: 'GET', path: license, auth: staff('license.show'), summary: 'Memos of a licence', query,
    response: many(memoRow) }),
  addToLicense: endpoint({ method: 'POST', path: license, auth: staff('license.update'), summary: 'Write a memo', body,
    response: one(memoRow), status: 201 }),
  ofApplication: endpoint({ method: 'GET', path: application, auth: staff('license_application.show'),
    summary: 'Memos of an application', query, response: many(memoRow) }),
  addToApplication: endpoint({ method: 'POST', path: application, auth: staff('license.update'),
    summary: 'Write a memo', body, response: one(memoRow), status: 201 }),
};
