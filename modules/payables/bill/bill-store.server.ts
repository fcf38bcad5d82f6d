/** A bill as stored, locked for a change. */
import { conflict, refuse } from '#kit/errors.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import { stale } from '#server/crud.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { BILL_KINDS } from './bill.contract.ts';

export interface BillRecord {
  id: number;
  number: string;
  kind: (typeof BILL_KINDS)[number];
  status: 'draft' | 'submitted' | 'approved' | 'void';
  vendor_id: number;
  vendor_name: string;
  vendor_number: string;
  division: string;
  currency: string;
  billed_on: string;
  received_on: string;
  due_on: string;
  discount_ppm: number;
  discount_days: number;
  memo: string;
  net_minor: number;
  tax_minor: number;
  total_minor: number;
  document_id: number | null;
  entered_by_id: number | null;
  last_changed_by_id: number | null;
  submitted_by_id: number | null;
  hold_reason: string | null;
  transaction_id: number | null;
  open_item_id: number | null;
  opening_set_id: number | null;
  version: number;
}

/** 404 where it is not there, 412 where another version was seen. */
export async function lockBill(
  ctx: WorkContext, id: number, version: number | null, trashed = false,
): Promise<BillRecord> {
  await ctx.db.exec(sql`select 1 from bills where id = ${id} for update`);
  const row = await ctx.db.maybeOne<BillRecord>(sql`
    select b.id, b.number, b.kind, b.status, b.vendor_id, v.name as vendor_name, b.vendor_number, b.division,
      b.currency, b.billed_on, b.received_on, b.due_on, b.discount_ppm, b.discount_days, b.memo, b.net_minor,
      b.tax_minor, b.total_minor, b.document_id, b.entered_by_id, b.last_changed_by_id, b.submitted_by_id,
      b.hold_reason, b.transaction_id, b.open_item_id, b.opening_set_id, b.version
    from bills b join vendors v on v.id = ${currentVendor(sql`b.vendor_id`)}
    where b.id = ${id} and (b.deleted_at is not null) = ${trashed}`);
  if (!row) throw refuse('not_found');
  if (version !== null && row.version !== version) throw stale(row);
  return row;
}

const WORDS: Record<BillRecord['status'], string> = { draft: 'a draft', submitted: 'submitted',
  approved: 'approved', void: 'void' };

/** 409 `bill.status` outside these states. */
export function refuseUnless(bill: BillRecord, states: readonly BillRecord['status'][]): void {
  if (!states.includes(bill.status)) throw conflict('bill.status', `${bill.number} is ${WORDS[bill.status]}.`);
}
