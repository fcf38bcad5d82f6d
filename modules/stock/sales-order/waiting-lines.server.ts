/** Why pieces of an order's lines are not reserved, said beside the line: nobody has to look through the stock. */
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { PIECES_OUT } from './pieces-out.server.ts';
import type { LineWaiting, OrderedLine } from './sales-order.contract.ts';

interface Facts { line_id: number; pieces: number; draft: boolean; physical: boolean; digital: boolean;
  warehouse_name: string; on_hand: number; free: number; on_hire: number; inspected: number; back_on: string | null;
  elsewhere: { warehouse_name: string; free: number } | null }

const SAME_ITEM = sql`b.material_id is not distinct from t.material_id
  and b.sales_item_id is not distinct from t.sales_item_id`;

/** Of the lines of these orders for which something waits: the reason, by the id of the line. */
async function waitingOf(db: Queryable, orders: Sql): Promise<Map<number, LineWaiting>> {
  const rows = await db.query<Facts>(sql`
    select t.id as line_id, t.quantity - t.qty_cancelled - t.qty_shipped - t.qty_reserved - t.qty_picked as pieces,
      o.status = 'draft' as draft, t.physical, coalesce(m.fulfilment <> 'physical' and m.type <> 'service', false)
        as digital, w.name as warehouse_name, coalesce(b.on_hand, 0) as on_hand,
      coalesce(b.on_hand - b.reserved, 0) as free, coalesce(b.on_hire, 0) as on_hire,
      coalesce(b.quarantine, 0) as inspected,
      (select min(x.return_due_on) from sales_order_lines l join sales_orders x on x.id = l.sales_order_id
        where l.material_id = t.material_id and x.warehouse_id = o.warehouse_id and l.return_required
          and ${PIECES_OUT} > 0) as back_on,
      (select json_build_object('warehouse_name', v.name, 'free', b.on_hand - b.reserved)
        from stock_balances b join warehouses v on v.id = b.warehouse_id and v.active and v.deleted_at is null
        where ${SAME_ITEM} and v.id <> o.warehouse_id and b.on_hand > b.reserved
        order by b.on_hand - b.reserved desc, v.id limit 1) as elsewhere
    from sales_order_lines t join sales_orders o on o.id = t.sales_order_id join warehouses w on w.id = o.warehouse_id
      left join materials m on m.id = t.material_id
      left join stock_balances b on b.warehouse_id = o.warehouse_id and ${SAME_ITEM}
    where ${orders} and t.quantity > t.qty_cancelled + t.qty_shipped + t.qty_reserved + t.qty_picked`);
  return new Map(rows.map((row) => [row.line_id, { why: whyOf(row), pieces: row.pieces, free: row.free,
    warehouse_name: row.warehouse_name, back_on: row.back_on, elsewhere: row.elsewhere }]));
}

/** The nearest remedy first: pieces that lie free, those that somebody has to give up, bring back or look at. */
function whyOf(row: Facts): LineWaiting['why'] {
  if (!row.physical) return row.digital ? 'file' : 'service';
  if (row.draft) return 'release';
  if (row.free > 0) return 'pick';
  if (row.on_hand > 0) return 'others';
  if (row.on_hire > 0) return 'return';
  return row.inspected > 0 ? 'inspection' : 'stock';
}

export const waitingOfOrder = (db: Queryable, orderId: number): Promise<Map<number, LineWaiting>> =>
  waitingOf(db, sql`o.id = ${orderId}`);

/** Quantities of each material of a license held by its orders, except canceled ones. */
export async function orderedForLicense(db: Queryable, licenseId: number): Promise<OrderedLine[]> {
  const lines = await db.query<Omit<OrderedLine, 'waiting'> & { line_id: number }>(sql`
    select t.id as line_id, t.material_id, o.id as order_id, o.number as order_number, o.status,
      t.qty_reserved as reserved
    from sales_order_lines t join sales_orders o on o.id = t.sales_order_id
    where o.license_id = ${licenseId} and o.status <> 'cancelled' and t.material_id is not null order by o.id, t.id`);
  const waiting = await waitingOf(db, sql`o.license_id = ${licenseId} and o.status <> 'cancelled'`);
  return lines.map(({ line_id, ...line }) => ({ ...line, waiting: waiting.get(line_id) ?? null }));
}
