/** Bills that wait for a second person. */
import { everyDivision, waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';

export const waitingBills = (): Sql => waitingRows('bill', {
  from: sql`from bills b join vendors v on v.id = b.vendor_id
    where b.division = any (${everyDivision}) and b.status = 'submitted'`,
  entity_id: sql`b.id`, division: sql`b.division`,
  title: sql`case b.kind when 'credit' then 'Vendor credit: ' else 'Bill: ' end || v.name`,
  detail: sql`concat_ws(' · ', b.number, nullif(b.vendor_number, ''), nullif(b.memo, ''))`,
  currency: sql`b.currency`, amount_minor: sql`b.total_minor`,
  asked_by_id: sql`b.submitted_by_id`, asked_at: sql`b.submitted_at`,
  barred_ids: sql`array_remove(array[b.entered_by_id, b.last_changed_by_id], null)`,
  href: sql`'/admin/accounting/bills/' || b.id`,
  params: sql`jsonb_build_object('id', b.id)`,
  approve_body: sql`jsonb_build_object('version', b.version)`,
  decline_body: sql`jsonb_build_object('version', b.version)`,
  blocked: sql`'On hold: ' || b.hold_reason`,
});
