/** Open documents that a customer’s money can pay: invoices, pro formas and requested deposits, the oldest first. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { OpenDocument } from './payment.contract.ts';

export function openDocuments(
  ctx: Pick<WorkContext, 'db'>, of: { customer_id: number; division: string; currency: string },
): Promise<OpenDocument[]> {
  return ctx.db.query<OpenDocument>(sql`
    select * from (
      select i.kind, i.id, coalesce(i.invoice_number, i.reference) as number, coalesce(l.title_on_license, '') as title,
        i.due_on, i.total_minor, i.balance_minor
      from invoices i left join licenses l on l.id = i.license_id
      where i.customer_id = ${of.customer_id} and i.division = ${of.division} and i.currency = ${of.currency}
        and i.balance_minor > 0 and (i.kind = 'invoice' and i.status in ('issued', 'part_paid')
          or i.kind = 'proforma' and i.status = 'proforma')
      union all
      select 'deposit', d.id, coalesce(l.license_number, l.number), l.title_on_license, d.due_on, d.amount_minor,
        d.amount_minor
      from deposits d join licenses l on l.id = d.license_id
      where l.customer_id = ${of.customer_id} and d.division = ${of.division} and d.currency = ${of.currency}
        and d.status = 'requested') o
    order by o.due_on nulls last, o.kind, o.id limit 200`);
}
