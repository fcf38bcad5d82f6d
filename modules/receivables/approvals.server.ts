/** Refunds to customers that wait for a second person. */
import { everyDivision, waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';

export const waitingRefunds = (): Sql => waitingRows('refund', {
  from: sql`from payments p join customers c on c.id = p.customer_id
    where p.division = any (${everyDivision}) and p.status = 'draft' and p.kind = 'refund' and p.payment_run_id is null
      and p.deleted_at is null`,
  entity_id: sql`p.id`, division: sql`p.division`,
  title: sql`'Refund: ' || c.name`, detail: sql`concat_ws(' · ', p.number, nullif(p.memo, ''))`,
  currency: sql`p.currency`, amount_minor: sql`p.amount_minor`,
  asked_by_id: sql`p.created_by_id`, asked_at: sql`p.created_at`,
  barred_ids: sql`array_remove(array[p.last_changed_by_id], null)`,
  href: sql`'/admin/accounts-receivable/payments/' || p.id`,
  params: sql`jsonb_build_object('id', p.id)`,
  approve_body: sql`jsonb_build_object('version', p.version, 'status', 'approved')`,
  decline_body: sql`jsonb_build_object('version', p.version, 'status', 'void')`,
});
