/**
 * The seven handlers of a simple resource. It answers a plain object: spread it, override a key, or write handlers by
 * hand; a resource that needs more than these options is written by hand (architecture.md 6).
 */
import type * as z from 'zod';
import type { AnyResource } from '#kit/resource.ts';
import { AppError, invalidField, refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx } from './context.ts';
import type { Queryable } from './db.ts';
import { compact, listPage, type ListSpec, type Page } from './list.ts';
import { empty, join, matches, name, sql, type Sql } from './sql.ts';

type Row = Record<string, unknown> & { id: number; version: number };

/** A record as the contract answers it: the columns that are read are those of the contract's row. */
type RowOf<R extends AnyResource> = z.output<R['row']> & Row;

/** Planned values of a record: a new one where `id` is null, else the given values applied to the existing one. */
export interface Plan {
  id: number | null;
  values: Readonly<Record<string, unknown>>;
}

/** A plan over the record it is about: `row` as it would stand, `before` as it stands, null for a new one. */
export interface Planned<Row> {
  values: Readonly<Record<string, unknown>>;
  row: Row;
  before: Row | null;
}

/** Looks up what the rules of a resource need to know of all these, once; the rule throws where it refuses. */
export type RulesOf<Row> = (db: Queryable, plans: readonly Planned<Row>[]) => Promise<(plan: Planned<Row>) => void>;

export interface CrudOptions {
  table: string;
  /**
   * Column that `search` looks into with a trigram index; `search_text` where the table has one, else the
   * words; null where `filter` looks for more than the record's own.
   */
  search: string | Sql | null;
  /** Expressions for the names of the resource's `sort`, where they are no plain columns. */
  sorts?: Record<string, Sql>;
  /** Expressions for the resource's extra columns, over `t` and the joins. */
  extra?: Record<string, Sql>;
  joins?: Sql;
  /** Conditions from the list's filters; equality on the column of the same name where absent. */
  filter?: (query: Record<string, unknown>) => (Sql | false | null | undefined)[];
  /** Unique constraints by name, with the field and the text that a second one gets. */
  unique?: Record<string, readonly [field: string, text: string]>;
  /** The table has deleted_at: remove is a move to the trash. */
  trash?: boolean;
}

export function crud<R extends AnyResource>(resource: R, options: CrudOptions) {
  const columns = selectColumns(resource, options);
  const spec = listSpec(resource, options, columns);
  const alive = options.trash ? sql`t.deleted_at is null` : sql`true`;
  const fieldNames = Object.keys(resource.fields);

  const find = finder<RowOf<R>>(options, columns);

  const page = (ctx: Ctx, query: Record<string, unknown>, state: Sql): Promise<Page<RowOf<R>>> => {
    const args = query as unknown as ListArgs;
    const filters = options.filter?.(query) ?? equalityFilters(resource, query);
    const words = typeof options.search === 'string' ? sql`t.${name(options.search)}`
      : options.search && sql`fold_name(${options.search})`;
    const search = args.search && words ? matches(words, args.search) : null;
    return listPage(ctx.db, { ...spec, conditions: compact([state, search, ...filters]) }, args, resource.path);
  };

  return {
    find,
    rehearse: rehearser<RowOf<R>>(resource, options, columns, alive),
    list: (ctx: Ctx, { query }: { query: unknown }) => page(ctx, query as Record<string, unknown>, alive),
    trash: (ctx: Ctx, { query }: { query: unknown }) =>
      page(ctx, query as Record<string, unknown>, sql`t.deleted_at is not null`),
    show: async (ctx: Ctx, { params }: { params: { id: number } }) =>
      ({ data: await find(ctx.db, params.id) }),

    async create(ctx: Ctx, { body }: { body: unknown }) {
      const values = pick(body as Record<string, unknown>, fieldNames);
      const created = await saving(options, () => ctx.db.one<{ id: number }>(sql`
        insert into ${name(options.table)} (${join(Object.keys(values).map(name))})
        values (${join(Object.values(values).map((value) => sql`${toColumn(value)}`))}) returning id`));
      const row = await find(ctx.db, created.id);
      await ctx.audit({ action: 'create', entity: resource.name, entity_id: row.id, after: row });
      return { data: row };
    },

    async update(ctx: Ctx, { params, body }: { params: { id: number }; body: unknown }) {
      const { version, ...rest } = body as { version: number } & Record<string, unknown>;
      const before = await find(ctx.db, params.id, true);
      if (before.version !== version) throw stale(before);
      const values = pick(rest, fieldNames);
      refuseImmutable(resource, before, values);
      const sets = Object.entries(values).map(([column, value]) => sql`${name(column)} = ${toColumn(value)}`);
      await saving(options, () => ctx.db.exec(sql`
        update ${name(options.table)} set ${join([...sets, sql`version = version + 1`])} where id = ${params.id}`));
      const after = await find(ctx.db, params.id);
      await ctx.audit({ action: 'update', entity: resource.name, entity_id: params.id, before, after });
      return { data: after };
    },

    async remove(ctx: Ctx, { params }: { params: { id: number } }) {
      const before = await find(ctx.db, params.id, true);
      if (ctx.ifMatch !== null && before.version !== ctx.ifMatch) throw stale(before);
      await ctx.db.exec(options.trash
        ? sql`update ${name(options.table)} set deleted_at = now(), version = version + 1 where id = ${params.id}`
        : sql`delete from ${name(options.table)} where id = ${params.id}`);
      await ctx.audit({ action: 'remove', entity: resource.name, entity_id: params.id, before });
    },

    async restore(ctx: Ctx, { params }: { params: { id: number } }) {
      await find(ctx.db, params.id, true, true);
      await ctx.db.exec(sql`
        update ${name(options.table)} set deleted_at = null, version = version + 1 where id = ${params.id}`);
      const after = await find(ctx.db, params.id);
      await ctx.audit({ action: 'restore', entity: resource.name, entity_id: params.id, after });
      return { data: after };
    },
  };
}

function finder<Found extends Row>(options: CrudOptions, columns: Sql) {
  return async (db: Queryable, id: number, lock = false, trashed = false): Promise<Found> => {
    const state = options.trash ? (trashed ? sql`t.deleted_at is not null` : sql`t.deleted_at is null`) : sql`true`;
    const row = await db.maybeOne<Found>(sql`
      select ${columns} from ${name(options.table)} t ${options.joins ?? empty}
      where t.id = ${id} and ${state} ${lock ? sql`for update of t` : empty}`);
    if (!row) throw refuse('not_found');
    return row;
  };
}

/**
 * Dry run of creates and updates against the rules of the resource: for each, in order, the refusal or null. Reads
 * only, with the same few statements for one and for a thousand.
 */
function rehearser<Found extends Row>(resource: AnyResource, options: CrudOptions, columns: Sql, alive: Sql) {
  return async <R>(
    db: Queryable, plans: readonly Plan[], toRow: (row: Found) => R, rulesOf: RulesOf<R>,
  ): Promise<(AppError | null)[]> => {
    const ids = plans.flatMap(({ id }) => id ?? []);
    const rows = ids.length === 0 ? [] : await db.query<Found>(sql`
      select ${columns} from ${name(options.table)} t ${options.joins ?? empty}
      where t.id = any (${ids}) and ${alive}`);
    const stored = new Map(rows.map((row) => [row.id, row]));
    const planned = plans.map(({ id, values }) => {
      const found = id === null ? undefined : stored.get(id);
      const before = found ? toRow(found) : null;
      return { gone: id !== null && !found, found, values, row: { ...before, ...values } as R, before };
    });
    const rule = await rulesOf(db, planned);
    return planned.map((plan) => refusalOf(() => {
      if (plan.gone) throw refuse('not_found');
      if (plan.found) refuseImmutable(resource, plan.found, plan.values);
      rule(plan);
    }));
  };
}

/** 412 with what stands there now, so that the screen can show both. */
export function stale(current: { version: number; updated_at?: unknown }): Error {
  return refuse('stale', undefined, { current: { version: current.version, updated_at: current.updated_at } });
}

function selectColumns(resource: AnyResource, options: CrudOptions): Sql {
  const own = ['id', ...Object.keys(resource.fields), 'version', 'created_at', 'updated_at'];
  const extra = Object.keys(resource.extra).map((column) => {
    const expression = options.extra?.[column];
    return expression ? sql`${expression} as ${name(column)}` : sql`t.${name(column)}`;
  });
  return join([...own.map((column) => sql`t.${name(column)}`), ...extra]);
}

function listSpec(resource: AnyResource, options: CrudOptions, columns: Sql): ListSpec {
  const sorts = Object.fromEntries(resource.sort.map((key) => [key, options.sorts?.[key] ?? sql`t.${name(key)}`]));
  return {
    base: sql`${name(options.table)} t`, columns, joins: options.joins ?? empty, conditions: [], sorts,
    defaultSort: resource.sort[0],
  };
}

function equalityFilters(resource: AnyResource, query: Record<string, unknown>): Sql[] {
  return Object.keys(resource.filters)
    .filter((key) => query[key] !== undefined)
    .map((key) => sql`t.${name(key)} = ${query[key]}`);
}

function pick(values: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => values[key] !== undefined).map((key) => [key, values[key]]));
}

/** Objects and arrays of objects are stored as jsonb, arrays of plain values as arrays. */
export function toColumn(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object')) return value;
  return JSON.stringify(value);
}

function refusalOf(work: () => void): AppError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function refuseImmutable(resource: AnyResource, before: Row, values: Readonly<Record<string, unknown>>): void {
  for (const [key, field] of Object.entries(resource.fields)) {
    if (field.immutable && values[key] !== undefined && values[key] !== before[key]) {
      throw invalidField(key, `${field.label} cannot be changed`);
    }
  }
}

async function saving<T>(options: CrudOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    const taken = code === '23505' && constraint ? options.unique?.[constraint] : undefined;
    if (taken) throw invalidField(taken[0], taken[1]);
    throw error;
  }
}
