/** Bills, payments and payment runs that wait for a second person. */
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import { everyDivision, waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';
import { isBatch } from './run/run-batch.server.ts';

export const waitingBills = (): Sql => waitingRows('bill', {
  from: sql`from bills b join vendors v on v.id = ${currentVendor(sql`b.vendor_id`)}
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

export const waitingPaymentRuns = (): Sql => waitingRows('payment_run', {
  from: sql`from payment_runs t join bank_accounts b on b.id = t.bank_account_id left join lateral (
      select count(*) as count, sum(p.amount_minor) as total from payments p
      where p.payment_run_id = t.id and p.status <> 'void') x on true
    where t.division = any (${everyDivision}) and t.status = 'draft'
      and not ${isBatch(sql`t`)}`,
  entity_id: sql`t.id`, division: sql`t.division`, title: sql`'Payment run ' || t.number`,
  detail: sql`x.count || case when x.count = 1 then ' payment' else ' payments' end || ' from ' || b.name`,
  currency: sql`t.currency`, amount_minor: sql`coalesce(x.total, 0)`, asked_by_id: sql`t.created_by_id`,
  asked_at: sql`coalesce(t.last_changed_at, t.created_at)`,
  barred_ids: sql`array_remove(array[t.last_changed_by_id], null)`,
  href: sql`'/admin/accounts-payable/payment-runs/' || t.id`, params: sql`jsonb_build_object('id', t.id)`,
  approve_body: sql`jsonb_build_object('version', t.version)`,
  decline_body: sql`jsonb_build_object('version', t.version)`,
});

/** By themselves; those of a run are decided with it, refunds are a kind of their own. */
export const waitingPayments = (): Sql => waitingRows('payment', {
  from: sql`from payments p left join vendors v on v.id = ${currentVendor(sql`p.vendor_id`)}
      left join tax_authorities x on p.party_type = 'tax_authority' and x.id = p.party_id
    where p.division = any (${everyDivision}) and p.status = 'draft' and p.kind in ('vendor', 'tax')
      and p.payment_run_id is null and p.deleted_at is null`,
  entity_id: sql`p.id`, division: sql`p.division`, title: sql`'Payment: ' || coalesce(v.name, x.name, '')`,
  detail: sql`concat_ws(' · ', p.number, nullif(p.memo, ''))`, currency: sql`p.currency`,
  amount_minor: sql`p.amount_minor`, asked_by_id: sql`p.created_by_id`, asked_at: sql`p.created_at`,
  barred_ids: sql`array_remove(array[p.last_changed_by_id], null)`,
  href: sql`'/admin/accounts-payable/payments/' || p.id`, params: sql`jsonb_build_object('id', p.id)`,
  approve_body: sql`jsonb_build_object('version', p.version, 'status', 'approved')`,
  decline_body: sql`jsonb_build_object('version', p.version, 'status', 'void')`,
});
