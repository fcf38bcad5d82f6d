/** Pieces that customers have and owe back (domain.md 1.3). */
import { sql, type Sql } from '#server/sql.ts';

/** Pieces of the line `l` that were shipped and are neither returned, good or damaged, nor charged as lost. */
export const PIECES_OUT = sql`(l.qty_shipped - l.qty_returned_good - l.qty_returned_damaged - l.qty_lost)`;

/**
 * Whether pieces of an order of the licence had left a warehouse by this day; null where no order of it holds any, and
 * nothing can have left.
 */
export const materialsShippedBy = (licenseId: Sql, day: Sql): Sql => sql`(select bool_or(l.qty_shipped > 0
    and o.shipped_on <= ${day})
  from sales_order_lines l join sales_orders o on o.id = l.sales_order_id
  where o.license_id = ${licenseId} and o.status <> 'cancelled' and l.physical)`;

/** Whether any piece of an order of the licence of this id has left a warehouse. */
export const piecesLeft = (licenseId: Sql): Sql => sql`exists (select 1 from sales_order_lines l
  join sales_orders o on o.id = l.sales_order_id where o.license_id = ${licenseId} and l.qty_shipped > 0)`;

/** Whether a licence of this id has material that goes through the warehouse. */
export const hasMaterials = (licenseId: Sql): Sql => sql`exists (select 1 from license_materials n
  where n.license_id = ${licenseId} and n.fulfilment = 'physical' and n.type <> 'service')`;

/** Whether some of it is on no order that stands: what sales orders of the licence would be made of. */
export const materialsToOrder = (licenseId: Sql): Sql => sql`exists (select 1 from license_materials n
  where n.license_id = ${licenseId} and n.fulfilment = 'physical' and n.type <> 'service'
  group by n.material_id having sum(n.quantity) > coalesce((select sum(ordered.quantity - ordered.qty_cancelled)
    from sales_order_lines ordered join sales_orders made on made.id = ordered.sales_order_id
    where made.license_id = ${licenseId} and made.status <> 'cancelled' and ordered.material_id = n.material_id), 0))`;

/** Whether anything that an order of the licence of this id sent has still to come back. */
export const materialsOut = (licenseId: Sql): Sql => sql`exists (select 1 from sales_order_lines l
  join sales_orders o on o.id = l.sales_order_id
  where o.license_id = ${licenseId} and l.return_required and ${PIECES_OUT} > 0)`;

/** First day on which pieces that an order of the licence sent are due back; null where none is out. */
export const materialsDueBack = (licenseId: Sql): Sql => sql`(select min(o.return_due_on) from sales_order_lines l
  join sales_orders o on o.id = l.sales_order_id
  where o.license_id = ${licenseId} and l.return_required and ${PIECES_OUT} > 0)`;
