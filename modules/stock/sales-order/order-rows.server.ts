/** Reading sales orders: rows of lists, the whole of one, and the record that verbs lock. */
import { refuse } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import { allowedEvents } from '#kernel/licensing/machine.ts';
import { SALES_ORDER_MACHINE, type SalesOrderStatus } from '#kernel/licensing/sales-order-machine.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { PIECES_OUT } from './pieces-out.server.ts';
import { waitingOfOrder } from './waiting-lines.server.ts';
import { ORDER_EVENTS, type OrderEvent, type SalesOrderDetail, type SalesOrderLine } from './sales-order.contract.ts';

export const ORDER_JOINS = sql`join customers c on c.id = t.customer_id join warehouses w on w.id = t.warehouse_id
  left join licenses k on k.id = t.license_id left join shows h on h.id = k.show_id`;
export const ORDER_COLUMNS = sql`t.id, t.number, t.kind, t.status, t.customer_id, c.name as customer_name, t.license_id,
  coalesce(k.license_number, k.number) as license_number, h.title, t.division, t.currency, t.warehouse_id,
  w.name as warehouse_name, t.ship_on, t.shipped_on, t.return_due_on,
  (select coalesce(sum(l.quantity - l.qty_cancelled), 0) from sales_order_lines l where l.sales_order_id = t.id)::int
    as pieces,
  (select coalesce(sum(${PIECES_OUT}), 0)
    from sales_order_lines l where l.sales_order_id = t.id and l.return_required)::int as outstanding,
  (select coalesce(sum((l.quantity - l.qty_cancelled) * l.unit_price_minor + l.shipping_minor), 0)
    from sales_order_lines l where l.sales_order_id = t.id)::bigint as total_minor,
  t.from_portal, t.version, t.created_at, t.updated_at`;

export interface OrderRecord {
  id: number; number: string; kind: string; status: SalesOrderStatus; customer_id: number; license_id: number | null;
  division: string; currency: string; warehouse_id: number; ship_on: string | null; rush: boolean; carrier: string;
  tracking: string[]; return_due_on: string | null; ship_to: Address | null; version: number;
}

export interface LineRecord {
  id: number; material_id: number | null; sales_item_id: number | null; description: string; physical: boolean;
  return_required: boolean; item_class: string; quantity: number; qty_reserved: number; qty_picked: number;
  qty_shipped: number; qty_cancelled: number; qty_returned_good: number; qty_returned_damaged: number;
  qty_lost: number; qty_invoiced: number; unit_price_minor: number; shipping_minor: number; replacement_minor: number;
  serial_tracked: boolean;
  /** Marked as not taxed where the order is billed: sales tax in the US, VAT elsewhere. */
  tax_free: boolean;
}

/** The order and its lines, locked: first of all locks of a verb. */
export async function lockOrder(db: Queryable, id: number, version: number | null): Promise<{ order: OrderRecord;
  lines: LineRecord[] }> {
  const order = await db.maybeOne<OrderRecord>(sql`
    select id, number, kind, status, customer_id, license_id, division, currency, warehouse_id, ship_on, rush, carrier,
      tracking, return_due_on, ship_to, version from sales_orders where id = ${id} for update`);
  if (!order) throw refuse('not_found');
  if (version !== null && order.version !== version) throw refuse('stale');
  const lines = await db.query<LineRecord>(sql`
    select l.id, l.material_id, l.sales_item_id, l.description, l.physical, l.return_required, l.item_class, l.quantity,
      l.qty_reserved, l.qty_picked, l.qty_shipped, l.qty_cancelled, l.qty_returned_good, l.qty_returned_damaged,
      l.qty_lost, l.qty_invoiced, l.unit_price_minor, l.shipping_minor, l.replacement_minor,
      coalesce(m.serial_tracked, false) as serial_tracked,
      case when ${order.division} in ('US', 'PROD') then not coalesce(m.tax, s.tax) else not coalesce(m.vat, s.vat) end
        as tax_free
    from sales_order_lines l left join materials m on m.id = l.material_id
      left join sales_items s on s.id = l.sales_item_id
    where l.sales_order_id = ${id} order by l.sort, l.id for update of l`);
  return { order, lines };
}

const isOpen = (event: string): event is OrderEvent => (ORDER_EVENTS as readonly string[]).includes(event);

export async function orderDetail(db: Queryable, id: number): Promise<SalesOrderDetail> {
  const row = await db.maybeOne<Omit<SalesOrderDetail, 'lines' | 'events' | 'invoices' | 'allowed'>>(sql`
    select ${ORDER_COLUMNS}, t.ship_to, t.ship_to_name, t.email, t.phone, t.rush, t.carrier, w.carriers, t.tracking,
      t.delivered_on, t.returned_on, t.notes, t.cancel_reason
    from sales_orders t ${ORDER_JOINS} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  const lines = await db.query<Omit<SalesOrderLine, 'waiting'>>(sql`
    select l.id, l.material_id, l.sales_item_id, coalesce(m.item_number, s.item_number) as item_number, l.description,
      coalesce(m.serial_tracked, false) as serial_tracked, l.physical, l.return_required, l.quantity, l.qty_reserved,
      l.qty_picked, l.qty_shipped, l.qty_cancelled, l.qty_returned_good, l.qty_returned_damaged, l.qty_lost,
      l.unit_price_minor, l.shipping_minor, l.replacement_minor,
      (select max(case when t.included_in_package then 0 else t.unit_price_minor end) from license_materials t
        where t.license_id = o.license_id and t.material_id = l.material_id)::bigint as license_price_minor,
      coalesce((select json_agg(json_build_object('id', c.id, 'barcode', c.barcode, 'location', c.location,
        'condition', c.condition) order by c.barcode) from material_copies c where c.sales_order_line_id = l.id), '[]')
        as copies
    from sales_order_lines l join sales_orders o on o.id = l.sales_order_id
      left join materials m on m.id = l.material_id left join sales_items s on s.id = l.sales_item_id
    where l.sales_order_id = ${id} order by l.sort, l.id`);
  const waiting = await waitingOfOrder(db, id);
  const events = await db.query<SalesOrderDetail['events'][number]>(sql`
    select e.id, e.event, e.from_status, e.to_status, e.note, e.occurred_at,
      nullif(concat_ws(' ', u.first_name, u.last_name), '') as actor_name
    from sales_order_events e left join users u on u.id = e.actor_id where e.sales_order_id = ${id}
    order by e.id desc`);
  const invoices = await db.query<SalesOrderDetail['invoices'][number]>(sql`
    select i.id, coalesce(i.invoice_number, i.reference) as number, x.reason, i.total_minor,
      i.status = 'proforma' as unpaid
    from sales_order_invoices x join invoices i on i.id = x.invoice_id or i.proforma_id = x.invoice_id
    where x.sales_order_id = ${id} and i.status <> 'void' order by x.id, i.id`);
  const allowed = allowedOf(row.status).filter((event) => leavesToDo(event, row, lines));
  return { ...row, events, invoices, allowed,
    lines: lines.map((line) => ({ ...line, waiting: waiting.get(line.id) ?? null })) };
}

/**
 * Whether the lines leave anything to do for an event that the state allows: what is picked whole is packed and shipped
 * whole, and where nothing is out nothing comes back.
 */
function leavesToDo(
  event: OrderEvent, { status, outstanding }: Pick<SalesOrderDetail, 'status' | 'outstanding'>,
  lines: readonly Omit<SalesOrderLine, 'waiting'>[],
): boolean {
  const toPick = lines.filter((line) => line.physical).reduce((sum, line) =>
    sum + line.quantity - line.qty_cancelled - line.qty_shipped - line.qty_picked, 0);
  switch (event) {
    // Download-only items are picked without a shelf: the order still proceeds.
    case 'pick': return toPick > 0 || status === 'released';
    case 'ship_part': return toPick > 0;
    case 'ship': return toPick === 0;
    case 'scan_some':
    case 'scan_all':
    case 'charge_missing': return outstanding > 0;
    case 'release':
    case 'pack':
    case 'close':
    case 'cancel': return true;
  }
}

/** Scanning goes on in one state: picking more while picking, more returns while some are in. */
export function allowedOf(status: SalesOrderStatus): OrderEvent[] {
  const events = allowedEvents(SALES_ORDER_MACHINE, status).filter(isOpen);
  if (status === 'picking') return ['pick', ...events];
  if (status === 'partially_returned') return ['scan_some', ...events];
  // Books that come back before the carrier's word was here were delivered all the same.
  if (status === 'shipped' || status === 'delivered') return ['scan_some', 'scan_all'];
  return events;
}
