/** Reports that the tax service refused, and invoices whose tax it did not determine, as rows of the task list. */
import { sql, type Sql } from '#server/sql.ts';

export function taxServiceTasks({ division }: { division: string }): Sql[] {
  return [sql`select 'tax_service', t.id, 'Report ' || t.reference || ' to the tax service again', t.report_error,
      null::date, false, 'tax_service_order', t.id, null::bigint, null::bigint, null, null, null
    from tax_service_transactions t left join invoices v on v.id = t.invoice_id
    where t.report_state = 'failed' and t.removed_at is null and coalesce(v.division, 'US') = ${division}`,
  sql`select 'tax_service', v.id, 'Check the tax of ' || v.invoice_number, a.problem, null::date, false, 'invoice',
      v.id, v.license_id, v.customer_id, null, v.currency::text, v.tax_minor::bigint
    from document_tax_answers a join invoices v on v.id = a.invoice_id
    where a.determined_by = 'own' and a.checked_at is null and v.invoice_number is not null
      and v.division = ${division}`];
}
