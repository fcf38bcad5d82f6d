/**
 * A simple resource declared once: its fields give the row, the create and update bodies and the endpoints for
 * list, show, create, update, remove and, where it has a trash, trash, restore. Resources with more behaviour add
 * endpoints beside these, or write all of them by hand with the same names.
 */
import * as z from 'zod';
import { staff } from './auth.ts';
import type { Permission } from './permission.ts';
import { all, endpoint, listQuery, many, one } from './endpoint.ts';
import { creationShapeOf, rowShapeOf, shapeOf, version, type Fields } from './field.ts';

type Gate = Permission | readonly Permission[];

export interface ResourceOptions<F extends Fields, X extends z.ZodRawShape, L extends z.ZodRawShape,
  S extends readonly [string, ...string[]]> {
  /** Singular, snake_case: also the entity of audit and activity. */
  name: string;
  /** Collection path, e.g. `/api/admin/staff/venues`. */
  path: string;
  /** Singular and plural name. */
  label: readonly [string, string];
  fields: F;
  /** Columns of a row that nobody types: numbers, states, joined names. */
  extra: X;
  filters: L;
  /** First one is the default order. */
  sort: S;
  permissions: { list: Gate; show: Gate; create: Gate; update: Gate; remove: Gate };
  perPage?: number;
}

export function resource<F extends Fields, X extends z.ZodRawShape, L extends z.ZodRawShape,
  const S extends readonly [string, ...string[]], const P extends string>(
  options: ResourceOptions<F, X, L, S> & { path: P },
) {
  const row = z.object({
    id: z.int(), ...rowShapeOf(options.fields), ...options.extra,
    version: z.int(), created_at: z.string(), updated_at: z.string(),
  });
  const create = z.strictObject(creationShapeOf(options.fields));
  const update = z.strictObject({ ...z.strictObject(shapeOf(options.fields)).partial().shape, version });
  const { path, permissions, label } = options;
  const item = `${path}/{id}` as const;
  const query = listQuery({ filters: options.filters, sort: options.sort,
    ...(options.perPage === undefined ? {} : { perPage: options.perPage }) });
  const [singular, plural] = label;
  return {
    ...options, row, create, update,
    endpoints: {
      list: endpoint({ method: 'GET', path, auth: staff(permissions.list), summary: `List ${plural}`, query,
        response: many(row) }),
      show: endpoint({ method: 'GET', path: item, auth: staff(permissions.show), summary: `Show a ${singular}`,
        response: one(row) }),
      create: endpoint({ method: 'POST', path, auth: staff(permissions.create), summary: `Create a ${singular}`,
        body: create, response: one(row), status: 201 }),
      update: endpoint({ method: 'PUT', path: item, auth: staff(permissions.update),
        summary: `Change a ${singular}`, body: update, response: one(row) }),
      remove: endpoint({ method: 'DELETE', path: item, auth: staff(permissions.remove),
        summary: `Move a ${singular} to the trash`, response: null, conditional: true }),
      trash: endpoint({ method: 'GET', path: `${path}/trash` as const, auth: staff(permissions.remove),
        summary: `List ${plural} in the trash`, query, response: many(row) }),
      restore: endpoint({ method: 'PUT', path: `${item}/restore` as const, auth: staff(permissions.remove),
        summary: `Restore a ${singular} from the trash`, response: one(row) }),
    },
  };
}

/** Properties of a resource that `crud` and the web kit need. */
export interface AnyResource {
  readonly name: string;
  readonly path: string;
  readonly label: readonly [string, string];
  readonly fields: Fields;
  readonly row: z.ZodType;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly sort: readonly [string, ...string[]];
}

/** Options of a select: id and label, with the paging that SPEC.md section 4 asks for. */
export const optionRow = z.object({ id: z.int(), value: z.string(), label: z.string() });
export const optionList = all(optionRow);
