// cspell:ignore FMDD
/** Purpose of an invoice in the payer's words: nobody knows a purchase by the number of its invoice. */
import { sql, type Sql } from '#server/sql.ts';

/**
 * Of a row of invoices and its licence (aliases `i` and `l`): the title on the licence, 'your perusal of Iolanthe',
 * 'your order of November 24', or null where neither a licence nor an order stands behind it.
 */
export const BILLED_FOR: Sql = sql`coalesce(l.title_on_license, (
  select coalesce('your perusal of ' || s.title,
    'your order of ' || to_char(o.created_at at time zone d.timezone, 'FMMonth FMDD'))
  from sales_order_invoices x
    left join perusals p on p.sales_order_id = x.sales_order_id left join shows s on s.id = p.show_id
    left join sales_orders o on o.id = x.sales_order_id left join divisions d on d.code = o.division
  where x.invoice_id in (i.id, i.proforma_id) order by x.id limit 1))`;
