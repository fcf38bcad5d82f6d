/** Views of lists that a person keeps, and those that colleagues share (X192 to X195, frontend.md U8). */
import * as z from 'zod';
import { signedIn } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { oneLine, version } from '#kit/field.ts';

/** The list's address with its numbers as ':id'. */
const pageKey = z.string().max(120).regex(/^\/[a-z0-9/:_-]+$/, 'Name the page by its address');
const fields = {
  page_key: pageKey,
  name: oneLine('Name', z.string().trim().min(1, 'Name the view').max(60, 'Use at most 60 characters')),
  /** Query parameters in the address: filters, order, search text, division. */
  search: z.record(z.string().regex(/^[a-z_]{1,40}$/), z.string().max(200))
    .refine((search) => Object.keys(search).length <= 40, 'A view holds at most 40 filters'),
  /** Ids of the shown columns in their order; empty: those that the reader chose. */
  columns: z.array(z.string().max(60)).max(60),
  /** Offered to all staff who open the same list. */
  shared: z.boolean(),
  /** Opens by itself where the address asks for nothing else. */
  is_default: z.boolean(),
};
const path = '/api/users/me/views';

export const savedViewRow = z.object({ id: z.int(), ...fields, mine: z.boolean(), owner_name: z.string(), version,
  created_at: z.string(), updated_at: z.string() });

export const savedViewEndpoints = {
  list: endpoint({ method: 'GET', path, auth: signedIn, summary: 'Own views of lists and those of colleagues',
    query: z.strictObject({ page_key: pageKey.optional() }), response: all(savedViewRow) }),
  create: endpoint({ method: 'POST', path, auth: signedIn, summary: 'Keep a view', status: 201,
    body: z.strictObject({ ...fields, columns: fields.columns.default([]), shared: fields.shared.default(false),
      is_default: fields.is_default.default(false) }), response: one(savedViewRow) }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: signedIn, summary: 'Change an own view',
    body: z.strictObject({ ...z.strictObject(fields).omit({ page_key: true }).partial().shape, version }),
    response: one(savedViewRow) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: signedIn, summary: 'Remove an own view',
    response: null }),
};
