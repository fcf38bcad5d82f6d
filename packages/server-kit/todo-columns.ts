/** Columns of the home's task list. Each module selects its own rows; the home puts them together. */
import { sql, type Sql } from './sql.ts';

export interface TodoColumns {
  /** One of TODO_KINDS of the dashboard. */
  kind: string;
  /** Unique within the kind. */
  id: Sql;
  title: Sql;
  detail?: Sql;
  /** Day in the division's time zone by which somebody must act. */
  due_on?: Sql;
  /** True where the row belongs to whoever looks. */
  mine?: Sql;
  /** Record of the row; the kind itself where there is none. */
  entity?: Sql;
  entity_id?: Sql;
  license_id?: Sql;
  customer_id?: Sql;
  phase?: Sql;
  currency?: Sql;
  minor?: Sql;
  /** Address of its screen where the record alone does not give it. */
  href?: Sql;
}

/** The columns by name, for behind `select`; those left out are null. */
export function todoColumns({ kind, id, title, detail = sql`''`, due_on = sql`null`, mine = sql`false`,
  entity = sql`${kind}`, entity_id = sql`0`, license_id = sql`null`, customer_id = sql`null`, phase = sql`null`,
  currency = sql`null`, minor = sql`null`, href = sql`null` }: TodoColumns): Sql {
  return sql`${kind}::text as kind, (${id})::bigint as id, (${title})::text as title, (${detail})::text as detail,
    (${due_on})::date as due_on, (${mine})::boolean as mine, (${entity})::text as entity,
    (${entity_id})::bigint as entity_id, (${license_id})::bigint as license_id, (${customer_id})::bigint as customer_id,
    (${phase})::text as phase, (${currency})::text as currency, (${minor})::bigint as minor, (${href})::text as href`;
}
