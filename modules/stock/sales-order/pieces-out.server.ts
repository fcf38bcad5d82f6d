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

/** Whether anything that an order of the licence of this id sent has still to come back. */
export const materialsOut = (licenseId: Sql): Sql => sql`exists (select 1 from sales_order_lines l
  join sales_orders o on o.id = l.sales_order_id
  where o.license_id = ${licenseId} and l.return_required and ${PIECES_OUT} > 0)`;

/** First day on which pieces that an order of the licence sent are due back; null where none is out. */
export const materialsDueBack = (licenseId: Sql): Sql => sql`(select min(o.return_due_on) from sales_order_lines l
  join sales_orders o on o.id = l.sales_order_id
  where o.license_id = ${licenseId} and l.return_required and ${PIECES_OUT} > 0)`;
