/**
 * Pages of lists: the ids of the page come from the base table alone, the joins see only those rows, so a page a
 * hundred thousand rows deep stays cheap (performance.md 4). The total is exact up to 10,000 and says so beyond.
 */
import type { ListArgs, PageMeta } from '#kit/endpoint.ts';
import type { Queryable } from './db.ts';
import { empty, sql, where, type Sql } from './sql.ts';

export const COUNT_CAP = 10_000;

export interface ListSpec {
  /** Base table with the alias `t`: sql`venues t`. */
  base: Sql;
  /** Columns of a row; may use the joins. */
  columns: Sql;
  joins?: Sql;
  conditions: readonly Sql[];
  /** Expressions over `t` by the names that `sort_by` admits. */
  sorts: Readonly<Record<string, Sql>>;
  /** Joins by sort name: one row each, under the alias of `joins`; an index on the joined table gives the order. */
  sortJoins?: Readonly<Record<string, Sql>>;
  defaultSort: string;
  defaultDirection?: 'asc' | 'desc';
  /**
   * Page, count and rows in one trip, for a filter that an index answers alike whatever its value (the licences of one
   * customer): the server keeps one plan for all of them.
   */
  oneTrip?: boolean;
}

export interface Page<Row> {
  data: Row[];
  links: { first: string; last: string; prev: string | null; next: string | null };
  meta: PageMeta;
}

export async function listPage<Row>(db: Queryable, spec: ListSpec, args: ListArgs, path: string): Promise<Page<Row>> {
  const filter = where(spec.conditions);
  const key = args.sort_by && args.sort_by in spec.sorts ? args.sort_by : spec.defaultSort;
  const order = orderOf(spec, key, args);
  const offset = (args.page - 1) * args.per_page;
  const counted = sql`select count(*) as total from (select 1 from ${spec.base} ${filter} limit ${COUNT_CAP + 1}) each`;
  const page = (columns: Sql): Sql => sql`
    select ${columns} from ${spec.base} ${spec.sortJoins?.[key] ?? empty} ${filter}
    order by ${order} limit ${args.per_page} offset ${offset}`;
  if (spec.oneTrip) {
    const rows = await db.query<OneTrip & Row>(together(spec, counted, page(sql`t.id, row_number() over (order by ${
      order}) as place`)));
    const listed = rows.filter((row) => row.list_place !== null);
    return pageOf<Row>(listed.toSorted((a, b) => a.list_place! - b.list_place!), rows[0]!.list_total, args, path);
  }
  // The joins stand in a statement of their own: its plan depends on no value, so the server keeps it, while the page
  // and its count are planned for the values of each request. Planning all of it each time cost more than this trip.
  const { total, ids } = await db.one<{ total: number; ids: Id[] }>(sql`
    select (${counted}) as total, array(${page(sql`t.id`)}) as ids`);
  return pageOf<Row>(await rowsOf<Row>(db, spec, ids), total, args, path);
}

interface OneTrip { list_total: number; list_place: number | null }

/** One row at least: the total stands there without a row of the page, too. */
function together(spec: ListSpec, counted: Sql, page: Sql): Sql {
  return sql`
    with page as materialized (${page}), counted as (${counted})
    select counted.total as list_total, listed.* from counted
    left join (select page.place as list_place, ${spec.columns}
      from page join ${spec.base} on t.id = page.id ${spec.joins ?? empty}) listed on true`;
}

type Id = number | string;

/** The rows of these ids in their order; `list_id` stays on them: an answer keeps what its schema names. */
async function rowsOf<Row>(db: Queryable, spec: ListSpec, ids: readonly Id[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<Row & { list_id: Id }>(sql`
    select t.id as list_id, ${spec.columns} from ${spec.base} ${spec.joins ?? empty} where t.id = any (${[...ids]})`);
  const place = new Map(ids.map((id, at) => [id, at]));
  return rows.toSorted((a, b) => place.get(a.list_id)! - place.get(b.list_id)!);
}

function orderOf(spec: ListSpec, key: string, args: ListArgs): Sql {
  const expression = spec.sorts[key];
  if (!expression) throw new Error(`no sort ${key}`);
  const descending = (args.sort_direction ?? (args.sort_by ? 'asc' : spec.defaultDirection ?? 'asc')) === 'desc';
  return descending ? sql`${expression} desc, t.id desc` : sql`${expression} asc, t.id asc`;
}

/** Frame of a page around rows that were found another way; `counted` may stop at `cap` + 1. */
export function pageOf<Row>(
  data: Row[], counted: number, args: ListArgs, path: string, cap = COUNT_CAP,
): Page<Row> {
  const total = Math.min(counted, cap);
  const exact = counted <= cap;
  const last = Math.max(1, Math.ceil(total / args.per_page), exact ? 1 : args.page);
  const from = data.length === 0 ? null : (args.page - 1) * args.per_page + 1;
  const link = (page: number): string => `${path}?page=${page}&per_page=${args.per_page}`;
  return {
    data,
    links: {
      first: link(1),
      last: link(last),
      prev: args.page > 1 ? link(args.page - 1) : null,
      next: args.page < last || (!exact && data.length === args.per_page) ? link(args.page + 1) : null,
    },
    meta: {
      current_page: args.page,
      from,
      last_page: last,
      per_page: args.per_page,
      to: from === null ? null : from + data.length - 1,
      total,
      total_is_exact: exact,
      path,
    },
  };
}

/** Conditions from the filters that were given; absent ones are left out. */
export function compact(conditions: readonly (Sql | false | null | undefined)[]): Sql[] {
  return conditions.filter((part): part is Sql => Boolean(part));
}

