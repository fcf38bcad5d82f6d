/** The columns of lists as a person likes them (frontend.md U9), the same on every machine. */
import * as z from 'zod';
import { signedIn } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';

const columnId = z.string().regex(/^[A-Za-z0-9_.-]{1,60}$/, 'Name a column of the list');

export const listColumns = z.strictObject({
  /** The name of the table on screen: 'Venues'. */
  list: z.string().trim().min(1).max(80),
  /** Columns for which the person's choice differs from the table's default. */
  shown: z.record(columnId, z.boolean())
    .refine((shown) => Object.keys(shown).length <= 60, 'A list has at most 60 columns'),
  /** Ids in their order; empty: the table's own. */
  order: z.array(columnId).max(60),
  /** The first column stays in view while the others are scrolled. */
  pinned: z.boolean(),
  /** px of the columns whose width was set by hand; the others find their own. */
  widths: z.record(columnId, z.int().min(40).max(1200))
    .refine((widths) => Object.keys(widths).length <= 60, 'A list has at most 60 columns').default({}),
});

const path = '/api/users/me/columns';

export const listColumnsEndpoints = {
  list: endpoint({ method: 'GET', path, auth: signedIn, summary: 'Columns of lists as I chose them',
    response: all(listColumns) }),
  keep: endpoint({ method: 'PUT', path, auth: signedIn, summary: 'Keep the columns of one list', body: listColumns,
    response: one(listColumns) }),
};
