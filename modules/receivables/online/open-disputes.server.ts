/** Invoices that an open dispute has opened again: nobody is reminded of them until the bank has decided. */
import { sql, type Sql } from '#server/sql.ts';

/** Disputes of an invoice that are open, newest first, as `d`. */
const openDisputes = (invoiceId: Sql): Sql => sql`
  from processor_disputes d cross join jsonb_array_elements(d.taken_off) part
  where d.status in ('needs_response', 'under_review') and (part ->> 'invoice_id')::bigint = ${invoiceId}`;

export const isDisputed = (invoiceId: Sql): Sql => sql`exists (select 1 ${openDisputes(invoiceId)})`;

/** `{ dispute_id, due_at, amount_minor }` of the newest one, null without. */
export const disputeOfInvoice = (invoiceId: Sql): Sql => sql`
  (select jsonb_build_object('dispute_id', d.dispute_id, 'due_at', d.due_at,
      'amount_minor', (part ->> 'amount_minor')::bigint) ${openDisputes(invoiceId)} order by d.id desc limit 1)`;
