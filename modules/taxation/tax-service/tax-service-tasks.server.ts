/** Reports that the tax service refused, and invoices whose tax it did not determine, as rows of the task list. */
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';

export function taxServiceTasks({ division }: { division: string }): Sql[] {
  return [sql`select ${todoColumns({ kind: 'tax_service', id: sql`t.id`,
    title: sql`'Report ' || t.reference || ' to the tax service again'`, detail: sql`t.report_error`,
    entity: sql`'tax_service_order'`, entity_id: sql`t.id` })}
    from tax_service_transactions t left join invoices v on v.id = t.invoice_id
    where t.report_state = 'failed' and t.removed_at is null and coalesce(v.division, 'US') = ${division}`,
  sql`select ${todoColumns({ kind: 'tax_service', id: sql`v.id`, title: sql`'Check the tax of ' || v.invoice_number`,
    detail: sql`a.problem`, entity: sql`'invoice'`, entity_id: sql`v.id`, license_id: sql`v.license_id`,
    customer_id: sql`v.customer_id`, currency: sql`v.currency`, minor: sql`v.tax_minor` })}
    from document_tax_answers a join invoices v on v.id = a.invoice_id
    where a.determined_by = 'own' and a.checked_at is null and v.invoice_number is not null
      and v.division = ${division}`];
}
