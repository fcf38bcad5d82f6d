/** Memos of licences and applications: append-only; internal ones never reach the customer (gaps G104). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';

/** Person who can be named in a record's memos: anyone who may open the record (U25). */
export const memoReader = z.object({ id: z.int(), name: z.string(), email: z.string() });

export type MemoReader = z.infer<typeof memoReader>;

/** `body` has the names of those it mentions; `pieces` are the same words, with the person where one is named. */
export const memoRow = z.object({ id: z.int(), body: z.string(),
  pieces: z.array(z.object({ words: z.string(), user_id: z.int().nullable() })), internal: z.boolean(),
  author_id: z.int(), author_name: z.string(), created_at: z.string() });
export type MemoRow = z.infer<typeof memoRow>;

/** As a customer reads it: never internal, people by name. */
export const sharedMemo = memoRow.pick({ id: true, body: true, author_name: true, created_at: true });
export type SharedMemo = z.infer<typeof sharedMemo>;

/** People are named as `@[id]`; each must be one of the record's readers. */
const body = z.strictObject({ body: z.string().trim().min(1, 'Write something').max(10_000),
  internal: z.boolean().default(true) });
const query = listQuery({ filters: {}, sort: ['created_at'] });
const readers = listQuery({ filters: {}, sort: ['name'] });
const license = '/api/admin/staff/licenses/{id}/memos';
const application = '/api/admin/staff/license_applications/{id}/memos';

export const memoEndpoints = {
  ofLicense: endpoint({ method: 'GET', path: license, auth: staff('license.show'), summary: 'Memos of a licence', query,
    response: many(memoRow) }),
  readersOfLicense: endpoint({ method: 'GET', path: `${license}/readers`, auth: staff('license.show'),
    summary: 'Staff who may read the memos of a licence', query: readers, response: many(memoReader) }),
  addToLicense: endpoint({ method: 'POST', path: license, auth: staff('license.update'), summary: 'Write a memo', body,
    response: one(memoRow), status: 201 }),
  ofApplication: endpoint({ method: 'GET', path: application, auth: staff('license_application.show'),
    summary: 'Memos of an application', query, response: many(memoRow) }),
  readersOfApplication: endpoint({ method: 'GET', path: `${application}/readers`,
    auth: staff('license_application.show'), summary: 'Staff who may read the memos of an application', query: readers,
    response: many(memoReader) }),
  addToApplication: endpoint({ method: 'POST', path: application, auth: staff('license.update'),
    summary: 'Write a memo', body, response: one(memoRow), status: 201 }),
};
