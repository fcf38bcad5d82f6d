/** Vendor credits are applied to bills of the same vendor, division and currency, and taken off again. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { allocate, unallocate } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { lockBill, refuseUnless, type BillRecord } from './bill-store.server.ts';

interface Application { credit_id: number; amount_minor: number; on?: string | undefined }

/** Both documents locked by id, whichever is named first. */
async function lockBoth(ctx: WorkContext, billId: number, creditId: number): Promise<[BillRecord, BillRecord]> {
  await ctx.db.exec(sql`select 1 from bills where id in (${billId}, ${creditId}) order by id for update`);
  const bill = await lockBill(ctx, billId, null);
  const credit = await lockBill(ctx, creditId, null).catch(() => {
    throw invalidField('credit_id', 'Choose a vendor credit');
  });
  return [bill, credit];
}

export async function applyCredit(ctx: WorkContext, billId: number, input: Application): Promise<void> {
  const [bill, credit] = await lockBoth(ctx, billId, input.credit_id);
  if (bill.kind !== 'bill') throw conflict('bill.kind', 'A credit is applied to a bill.');
  if (credit.kind !== 'credit') throw invalidField('credit_id', 'Choose a vendor credit');
  refuseUnless(bill, ['approved']);
  refuseUnless(credit, ['approved']);
  if ((['vendor_id', 'division', 'currency'] as const).some((key) => bill[key] !== credit[key])) {
    throw invalidField('credit_id', 'This credit is of another vendor, division or currency');
  }
  await ctx.db.exec(sql`
    select lock_payable_items(array[${bill.open_item_id}, ${credit.open_item_id}]::bigint[])`);
  const open = await ctx.db.query<{ open_minor: number }>(sql`
    select abs(i.open_minor) - coalesce((select sum(abs(p.amount_minor) + p.discount_minor) from payment_parts p
      where p.open_item_id = i.id and p.state = 'reserved'), 0)::bigint as open_minor
    from open_items i where i.id in (${bill.open_item_id}, ${credit.open_item_id})`);
  const most = Math.min(...open.map((row) => row.open_minor));
  if (input.amount_minor > most) {
    throw invalidField('amount_minor', `At most ${formatMoney(most, bill.currency)} can be applied`);
  }
  const today = await ctx.today(bill.division);
  const first = bill.billed_on > credit.billed_on ? bill.billed_on : credit.billed_on;
  const on = input.on ?? (today > first ? today : first);
  if (on < first) throw invalidField('on', 'This is before the date of the bill or of the credit');
  await refuseFutureMoney(ctx, { division: bill.division, on, field: 'on' });
  const made = await allocate(ctx.db, { debit_item_id: credit.open_item_id!, credit_item_id: bill.open_item_id!,
    amount_minor: BigInt(input.amount_minor), allocated_at: on, actor_id: ctx.actor.actor_id });
  await ctx.db.exec(sql`
    insert into bill_credits (credit_id, bill_id, amount_minor, applied_on, allocation_id, applied_by_id)
    values (${credit.id}, ${bill.id}, ${input.amount_minor}, ${on}, ${made.allocation_id}, ${ctx.actor.actor_id})`);
  await touch(ctx, [bill.id, credit.id]);
  for (const one of [bill, credit]) {
    await ctx.audit({ action: 'apply', entity: 'bill', entity_id: one.id,
      after: { credit: credit.number, bill: bill.number, amount_minor: input.amount_minor, on } });
  }
}

export async function takeOffCredit(ctx: WorkContext, billId: number, applicationId: number): Promise<void> {
  const found = await ctx.db.maybeOne<{ bill_id: number; credit_id: number }>(sql`
    select bill_id, credit_id from bill_credits where id = ${applicationId} and ${billId} in (bill_id, credit_id)`);
  if (!found) throw refuse('not_found');
  const [bill, credit] = await lockBoth(ctx, found.bill_id, found.credit_id);
  const applied = await ctx.db.one<{ allocation_id: number; applied_on: string; amount_minor: number;
    undone_on: string | null }>(sql`
    select allocation_id, applied_on, amount_minor, undone_on from bill_credits
    where id = ${applicationId} for update`);
  if (applied.undone_on !== null) throw refuse('not_found');
  const today = await ctx.today(bill.division);
  const on = today > applied.applied_on ? today : applied.applied_on;
  await unallocate(ctx.db, { allocation_id: applied.allocation_id, allocated_at: on, actor_id: ctx.actor.actor_id });
  await ctx.db.exec(sql`
    update bill_credits set undone_on = ${on}, undone_by_id = ${ctx.actor.actor_id} where id = ${applicationId}`);
  await touch(ctx, [bill.id, credit.id]);
  for (const one of [bill, credit]) {
    await ctx.audit({ action: 'unapply', entity: 'bill', entity_id: one.id,
      after: { credit: credit.number, bill: bill.number, amount_minor: applied.amount_minor, on } });
  }
}

const touch = (ctx: WorkContext, ids: readonly number[]): Promise<number> => ctx.db.exec(sql`
  update bills set version = version + 1 where id = any (${[...ids]}::bigint[])`);
