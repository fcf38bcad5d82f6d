/** Reading perusals: rows of lists, the whole of one, and the record that verbs lock. */
import { refuse } from '#kit/errors.ts';
import { allowedEvents } from '#kernel/licensing/machine.ts';
import { PERUSAL_MACHINE, type PerusalStatus } from '#kernel/licensing/perusal-machine.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { PERUSAL_STAFF_EVENTS, type PerusalDetail, type PerusalFormat, type PerusalStaffEvent }
  from './perusal.contract.ts';

/** Columns that both staff and the customer see. */
export const SHARED_COLUMNS = sql`t.id, t.number, t.status, t.format, t.customer_id, t.show_id, h.show_code,
  h.title as show_title, h.type as show_type, concat_ws(' ', u.first_name, u.last_name) as requested_by_name,
  t.currency, t.fee_minor, t.shipping_minor, t.days, t.opens_at, t.expires_at, t.due_back_on, t.returned_on, t.version,
  t.created_at, t.updated_at`;
export const SHARED_JOINS = sql`join shows h on h.id = t.show_id join users u on u.id = t.requested_by_id`;
export const PERUSAL_COLUMNS = sql`${SHARED_COLUMNS}, c.name as customer_name, t.division, t.sales_order_id,
  o.number as sales_order_number`;
export const PERUSAL_JOINS = sql`${SHARED_JOINS} join customers c on c.id = t.customer_id
  left join sales_orders o on o.id = t.sales_order_id`;

export interface PerusalRecord {
  id: number; number: string; status: PerusalStatus; format: PerusalFormat; customer_id: number; show_id: number;
  show_title: string; division: string; requested_by_id: number; sales_order_id: number | null;
  days: number; expires_at: string | null; due_back_on: string | null; version: number;
}

/** Locked until the transaction ends; the order of a physical one must be locked before (move-perusal.server.ts). */
export async function lockPerusal(db: Queryable, id: number, version: number | null): Promise<PerusalRecord> {
  const row = await db.maybeOne<PerusalRecord>(sql`
    select t.id, t.number, t.status, t.format, t.customer_id, t.show_id, h.title as show_title, t.division,
      t.requested_by_id, t.sales_order_id, t.days, t.expires_at, t.due_back_on, t.version
    from perusals t join shows h on h.id = t.show_id where t.id = ${id} for update of t`);
  if (!row) throw refuse('not_found');
  if (version !== null && row.version !== version) throw refuse('stale');
  return row;
}

/** A part of what is read: one file, with the number of its first page in the whole. */
export interface Part { file_id: number; storage_key: string; name: string; first_page: number; pages: number }

/** Files of a perusal, in order. */
export async function partsOf(db: Queryable, perusalId: number): Promise<Part[]> {
  return db.query<Part>(sql`
    select t.id as file_id, f.storage_key, t.pages,
      case when count(*) over (partition by m.id) = 1 then m.name else m.name || ', ' || t.name end as name,
      (1 + sum(t.pages) over (order by p.sort, p.id, t.sort, t.id) - t.pages)::int as first_page
    from perusal_materials p join materials m on m.id = p.material_id
      join material_files t on t.material_id = m.id and t.removed_at is null and t.pages > 0
      join files f on f.id = t.file_id
    where p.perusal_id = ${perusalId} order by p.sort, p.id, t.sort, t.id`);
}

const isForStaff = (event: string): event is PerusalStaffEvent =>
  (PERUSAL_STAFF_EVENTS as readonly string[]).includes(event);

type Extra = Pick<PerusalDetail, 'message' | 'reason' | 'approved_at' | 'approved_by_name' | 'order_status'
  | 'warehouse_name'>;

export async function perusalDetail(db: Queryable, id: number): Promise<PerusalDetail> {
  const row = await db.maybeOne<Omit<PerusalDetail, 'materials' | 'readers' | 'copies' | 'allowed'> & Extra>(sql`
    select ${PERUSAL_COLUMNS}, t.message, t.reason, t.approved_at, o.status as order_status, w.name as warehouse_name,
      nullif(concat_ws(' ', a.first_name, a.last_name), '') as approved_by_name
    from perusals t ${PERUSAL_JOINS} left join users a on a.id = t.approved_by_id
      left join warehouses w on w.id = o.warehouse_id where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  const materials = await db.query<PerusalDetail['materials'][number]>(sql`
    select m.id, m.item_number, m.name, m.serial_tracked, p.unit_price_minor, p.shipping_minor,
      coalesce((select sum(f.pages) from material_files f where f.material_id = m.id and f.removed_at is null), 0)::int
        as pages
    from perusal_materials p join materials m on m.id = p.material_id where p.perusal_id = ${id}
    order by p.sort, p.id`);
  const readers = await db.query<PerusalDetail['readers'][number]>(sql`
    select v.user_id, concat_ws(' ', u.first_name, u.last_name) as name, u.email,
      count(distinct v.page)::int as pages, count(*)::int as views, min(v.created_at) as first_at,
      max(v.created_at) as last_at
    from perusal_views v join users u on u.id = v.user_id where v.perusal_id = ${id}
    group by v.user_id, u.first_name, u.last_name, u.email order by max(v.created_at) desc`);
  const copies = row.sales_order_id === null ? [] : await db.query<PerusalDetail['copies'][number]>(sql`
    select c.barcode, c.material_id, c.location from material_copies c
      join sales_order_lines l on l.id = c.sales_order_line_id
    where l.sales_order_id = ${row.sales_order_id} and c.location in ('picked', 'on_hire') order by c.barcode`);
  return { ...row, materials, readers, copies, allowed: allowedOf(row) };
}

/** Lost is what is late or came back in part (domain.md 1.3); the sales order says which. */
const MAY_BE_LOST: readonly (string | null)[] = ['overdue', 'partially_returned'];

function allowedOf(row: Pick<PerusalDetail, 'status' | 'format' | 'order_status'>): PerusalStaffEvent[] {
  return allowedEvents(PERUSAL_MACHINE, row.status).filter(isForStaff).filter((event) =>
    (event !== 'charge_lost' || MAY_BE_LOST.includes(row.order_status))
    && (event !== 'ship' || row.format === 'physical'));
}
