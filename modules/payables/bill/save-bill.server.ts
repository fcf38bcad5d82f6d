/** Bills are entered and changed by hand until they are approved; drafts go to the trash and come back. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { refuseClosedDay } from '#modules/accounting/accounting.public.server.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { UploadedFile, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { refuseFutureDocument } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import type { BillChange, BillInput, BillLineInput } from './bill.contract.ts';
import { readyLines, totalsOf } from './bill-lines.server.ts';
import { matchReceipts, type MatchedLine } from './match-receipts.server.ts';
import { lockBill, refuseUnless, type BillRecord } from './bill-store.server.ts';
import { askAboutDuplicates } from './duplicates.server.ts';

interface Vendor { id: number; terms: number; active: boolean }

export async function vendorOf(ctx: WorkContext, id: number): Promise<Vendor> {
  const vendor = await ctx.db.maybeOne<Vendor>(sql`
    select id, payment_terms_days as terms, active from vendors where id = ${id} and deleted_at is null for key share`);
  if (!vendor) throw invalidField('vendor_id', 'This vendor does not exist');
  return vendor;
}

type Dated = Pick<BillRecord, 'kind' | 'division' | 'billed_on' | 'due_on' | 'discount_ppm' | 'discount_days'>;

/** Days and terms that hold together; the day of the bill must take its posting. */
async function checkTerms(ctx: WorkContext, bill: Dated): Promise<void> {
  await refuseFutureDocument(ctx, { division: bill.division, on: bill.billed_on, field: 'billed_on', confirmed: true });
  if (bill.due_on < bill.billed_on) throw invalidField('due_on', 'The due date is before the date of the bill');
  refuseTerms(bill);
  await refuseClosedDay(ctx.db, { division: bill.division, kind: postingKind(bill.kind), on: bill.billed_on,
    field: 'billed_on', actor_id: ctx.actor.actor_id });
}

/** An early payment discount has an amount and days, and belongs to bills. */
export function refuseTerms(bill: Pick<BillRecord, 'kind' | 'discount_ppm' | 'discount_days'>): void {
  if (bill.kind === 'credit' && bill.discount_ppm > 0) {
    throw invalidField('discount_ppm', 'A credit has no early payment discount');
  }
  if (bill.discount_ppm > 0 && bill.discount_days === 0) {
    throw invalidField('discount_days', 'Enter the days within which the discount is taken');
  }
  if (bill.discount_ppm === 0 && bill.discount_days > 0) throw invalidField('discount_ppm', 'Enter the discount');
}

export const postingKind = (kind: BillRecord['kind']): 'bill' | 'vendor_credit' =>
  (kind === 'credit' ? 'vendor_credit' : 'bill');

function checkTotal(total: number): void {
  if (total < 0) throw invalidField('lines', 'The lines come to less than nothing. Enter a vendor credit instead');
}

type Authors = Pick<BillRecord, 'entered_by_id' | 'last_changed_by_id'>;

/** Enters a draft; answers its id. Its authors, who never approve it, are the actor unless named. */
export async function enterBill(
  ctx: WorkContext, input: BillInput, file: UploadedFile | null,
  by: Authors = { entered_by_id: ctx.actor.actor_id, last_changed_by_id: ctx.actor.actor_id },
): Promise<number> {
  const vendor = await vendorOf(ctx, input.vendor_id);
  if (!vendor.active) throw invalidField('vendor_id', 'This vendor is inactive');
  const due = input.due_on || (input.kind === 'credit' ? input.billed_on : addDays(input.billed_on, vendor.terms));
  await checkTerms(ctx, { ...input, due_on: due });
  const lines = await matchReceipts(ctx, { ...input, id: null }, await readyLines(ctx, input, input.lines),
    input.over_received_confirmed);
  const totals = totalsOf(lines);
  const total = totals.net_minor + totals.tax_minor;
  checkTotal(total);
  if (!input.duplicate_confirmed) await askAboutDuplicates(ctx, { ...input, id: null, total_minor: total });
  const document = file ? await keepFile(ctx, file, file.content_type) : null;
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bills (number, kind, vendor_id, vendor_number, division, currency, billed_on, received_on, due_on,
      discount_ppm, discount_days, memo, net_minor, tax_minor, total_minor, document_id, entered_by_id,
      last_changed_by_id)
    values (next_number(${input.kind === 'credit' ? 'vendor_credit' : 'bill'}, ${input.division},
      ${input.billed_on}::date), ${input.kind}, ${vendor.id}, ${input.vendor_number}, ${input.division},
      ${input.currency}, ${input.billed_on}, ${input.received_on || await ctx.today(input.division)}, ${due},
      ${input.discount_ppm}, ${input.discount_days}, ${input.memo}, ${totals.net_minor}, ${totals.tax_minor}, ${total},
      ${document}, ${by.entered_by_id}, ${by.last_changed_by_id}) returning id`);
  await insertLines(ctx, id, lines);
  await ctx.audit({ action: 'create', entity: 'bill', entity_id: id, after: input });
  return id;
}

async function insertLines(ctx: WorkContext, id: number, lines: readonly MatchedLine[]): Promise<void> {
  for (const [k, line] of lines.entries()) {
    await ctx.db.exec(sql`
      insert into bill_lines (bill_id, sort, ledger_account_id, description, net_minor, tax_code_id, treatment,
        jurisdiction, rate_ppm, tax_minor, show_id, license_id, material_id, quantity, goods_receipt_line_id,
        cleared_quantity, cleared_minor)
      values (${id}, ${k + 1}, ${line.ledger_account_id}, ${line.description}, ${line.net_minor}, ${line.tax_code_id},
        ${line.treatment}, ${line.jurisdiction}, ${line.rate_ppm}, ${line.tax_minor}, ${line.show_id},
        ${line.license_id}, ${line.material_id}, ${line.quantity}, ${line.goods_receipt_line_id},
        ${line.cleared_quantity}, ${line.cleared_minor})`);
  }
}

/** Changes what is not approved. A submitted bill becomes a draft again and is submitted anew. */
export async function changeBill(
  ctx: WorkContext, id: number, change: BillChange, file: UploadedFile | null,
): Promise<void> {
  const before = await lockBill(ctx, id, change.version);
  refuseUnless(before, ['draft', 'submitted']);
  const { version: _version, duplicate_confirmed: confirmed, over_received_confirmed: isMore, lines: given, due_on,
    ...rest } = change;
  const vendor = await vendorOf(ctx, change.vendor_id ?? before.vendor_id);
  const after = { ...before, ...dropUndefined(rest) };
  const byTerms = change.due_on === '' || (change.due_on === undefined && change.billed_on !== undefined
    && change.billed_on > before.due_on);
  after.due_on = byTerms ? addDays(after.billed_on, after.kind === 'credit' ? 0 : vendor.terms)
    : due_on || before.due_on;
  await checkTerms(ctx, after);
  const lines = await matchReceipts(ctx, after, await readyLines(ctx, after, given ?? await linesOf(ctx, id)),
    isMore || !given);
  const totals = totalsOf(lines);
  after.total_minor = totals.net_minor + totals.tax_minor;
  checkTotal(after.total_minor);
  if (!confirmed && looksOther(before, after)) await askAboutDuplicates(ctx, after);
  const document = file ? await keepFile(ctx, file, file.content_type) : before.document_id;
  await ctx.db.exec(sql`
    update bills set status = 'draft', submitted_by_id = null, submitted_at = null, vendor_id = ${after.vendor_id},
      vendor_number = ${after.vendor_number}, currency = ${after.currency}, billed_on = ${after.billed_on},
      received_on = ${after.received_on}, due_on = ${after.due_on}, discount_ppm = ${after.discount_ppm},
      discount_days = ${after.discount_days}, memo = ${after.memo}, net_minor = ${totals.net_minor},
      tax_minor = ${totals.tax_minor}, total_minor = ${after.total_minor}, document_id = ${document},
      last_changed_by_id = ${ctx.actor.actor_id}, version = version + 1 where id = ${id}`);
  await ctx.db.exec(sql`delete from bill_lines where bill_id = ${id}`);
  await insertLines(ctx, id, lines);
  await ctx.audit({ action: 'update', entity: 'bill', entity_id: id, before,
    after: { ...rest, due_on: after.due_on, ...(given ? { lines: given } : {}),
      ...(file ? { file: file.filename } : {}) } });
}

function dropUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as
    { [K in keyof T]: Exclude<T[K], undefined> };
}

function looksOther(before: BillRecord, after: BillRecord): boolean {
  return (['vendor_id', 'vendor_number', 'currency', 'billed_on', 'total_minor'] as const)
    .some((key) => before[key] !== after[key]);
}

/** The stored lines as they were entered, so that a change of the day finds its rates anew. */
function linesOf(ctx: WorkContext, id: number): Promise<BillLineInput[]> {
  return ctx.db.query<BillLineInput>(sql`
    select ledger_account_id, description, net_minor, tax_code_id, jurisdiction, rate_ppm, tax_minor, show_id,
      license_id, material_id, quantity, goods_receipt_line_id from bill_lines where bill_id = ${id} order by sort`);
}

export async function trashBill(ctx: WorkContext, id: number, version: number | null): Promise<void> {
  const bill = await lockBill(ctx, id, null);
  if (version !== null && bill.version !== version) throw stale(bill);
  if (bill.status === 'approved' || bill.status === 'void') {
    throw refuse('posted_document', 'An approved bill is never removed. Void it instead.');
  }
  refuseUnless(bill, ['draft']);
  await ctx.db.exec(sql`update bills set deleted_at = now(), version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'remove', entity: 'bill', entity_id: id, before: bill });
}

export async function restoreBill(ctx: WorkContext, id: number): Promise<void> {
  const bill = await lockBill(ctx, id, null, true);
  await vendorOf(ctx, bill.vendor_id);
  await takeReceiptsAgain(ctx, bill);
  await refuseBilledReturn(ctx, id);
  await ctx.db.exec(sql`update bills set deleted_at = null, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'restore', entity: 'bill', entity_id: id });
}

/** 409 where another bill pays the tax return of this one meanwhile. */
async function refuseBilledReturn(ctx: WorkContext, id: number): Promise<void> {
  const other = await ctx.db.maybeOne<{ number: string }>(sql`
    select o.number from bills b join bills o on o.tax_return_id = b.tax_return_id and o.id <> b.id
    where b.id = ${id} and o.deleted_at is null and o.status <> 'void' limit 1`);
  if (other) throw conflict('tax_return.billed', `${other.number} pays the same tax return.`);
}

/** 409 where another bill took the goods while this one lay in the trash. */
async function takeReceiptsAgain(ctx: WorkContext, bill: BillRecord): Promise<void> {
  const lines = await readyLines(ctx, bill, await linesOf(ctx, bill.id));
  const before = await ctx.db.query<{ cleared_quantity: number | null }>(sql`
    select cleared_quantity from bill_lines where bill_id = ${bill.id} order by sort`);
  const now = await matchReceipts(ctx, bill, lines, true);
  if (now.some((line, k) => line.cleared_quantity !== (before[k]?.cleared_quantity ?? null))) {
    throw conflict('bill.receipt_billed', 'Another bill took goods of this one meanwhile. Enter the bill again.');
  }
}

/** Only what is in the trash; the database refuses the rest as well. */
export async function purgeBill(ctx: WorkContext, id: number): Promise<void> {
  const bill = await lockBill(ctx, id, null, true);
  await ctx.db.exec(sql`delete from bill_lines where bill_id = ${id}`);
  await ctx.db.exec(sql`delete from bills where id = ${id}`);
  await ctx.audit({ action: 'force_delete', entity: 'bill', entity_id: id, before: bill });
}
