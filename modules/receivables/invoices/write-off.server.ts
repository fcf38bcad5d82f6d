/**
 * Event 25, direct: a debt that will not come is an expense; the tax on it stays owed until relief is claimed. What was
 * settled without cash is a row, and is owed again when it is taken back: by a person (the customer pays after all), or
 * before a credit note takes the invoice back.
 */
import { conflict, invalidField } from '#kit/errors.ts';
import { formatMinor, min } from '#kernel/money/money.ts';
import { recoveryLines, writeOffLines } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { allocate, openedItem, post, unallocate } from '../ledger/post.server.ts';
import { dated, lockInvoice, lockLicenseOf, refreshLicenseMoney, settleStatus, type InvoiceRecord }
  from './invoice-store.server.ts';

interface WriteOffInput { invoice_id: number; amount_minor: number; reason: string; on: string }

/** Writes off part or all of what is open. */
export async function writeOff(ctx: WorkContext, input: WriteOffInput): Promise<{ transaction_id: number }> {
  if (input.reason.trim() === '') throw invalidField('reason', 'Reason is required');
  const licenseId = await lockLicenseOf(ctx, input.invoice_id);
  const document = await lockInvoice(ctx, input.invoice_id);
  if (document.open_item_id === null || document.kind !== 'invoice') {
    throw conflict('invoice.not_open', 'Nothing is open on this document.');
  }
  const invoice = { ...dated(document), open_item_id: document.open_item_id };
  if (input.amount_minor <= 0 || input.amount_minor > invoice.balance_minor) {
    throw invalidField('amount_minor', `Only ${formatMinor(BigInt(invoice.balance_minor))} is open on this invoice`);
  }
  const day = input.on > invoice.issued_on ? input.on : invoice.issued_on;
  const amount = BigInt(input.amount_minor);
  const { n } = await ctx.db.one<{ n: number }>(sql`
    select count(*) as n from invoice_write_offs where invoice_id = ${invoice.id} and kind = 'bad_debt'`);
  const transactionId = await post(ctx, {
    division: invoice.division, kind: 'write_off', on: day, currency: invoice.currency, rate: invoice.functional_rate,
    description: `Write-off, ${invoice.invoice_number}`, invoice_id: invoice.id, license_id: invoice.license_id,
    source: { type: 'invoice', id: invoice.id, event: `write_off_${n + 1}` },
    lines: writeOffLines(invoice.customer_id, amount, day),
  });
  const item = await openedItem(ctx, transactionId, '1100', -amount);
  await allocate(ctx, invoice.open_item_id, item, amount, day);
  await settleWithoutCash(ctx, invoice, { on: day, reason: input.reason, transaction_id: transactionId,
    open_item_id: item, payment_id: null, parts: [{ kind: 'bad_debt', amount_minor: amount }] });
  await refreshLicenseMoney(ctx, licenseId);
  await ctx.audit({ action: 'write_off', entity: 'invoice', entity_id: invoice.id, after: { ...input,
    transactionId } });
  return { transaction_id: transactionId };
}

export type WriteOffKind = 'bad_debt' | 'small_difference' | 'tax_withheld';

/** The rows of what an item settled without cash, and the invoice's figure; the ledger has it already. */
export async function settleWithoutCash(ctx: WorkContext, invoice: { id: number }, of: {
  on: string; reason: string; transaction_id: number; open_item_id: number; payment_id: number | null;
  parts: readonly { kind: WriteOffKind; amount_minor: bigint }[];
}): Promise<void> {
  for (const part of of.parts.filter((own) => own.amount_minor > 0n)) {
    await ctx.db.exec(sql`
      insert into invoice_write_offs (invoice_id, kind, amount_minor, open_item_id, transaction_id, payment_id, reason,
        written_off_on, created_by_id)
      values (${invoice.id}, ${part.kind}, ${part.amount_minor}, ${of.open_item_id}, ${of.transaction_id},
        ${of.payment_id}, ${of.reason}, ${of.on}, ${ctx.actor.actor_id})`);
    await ctx.db.exec(sql`
      update invoices set written_off_minor = written_off_minor + ${part.amount_minor} where id = ${invoice.id}`);
  }
  await settleStatus(ctx, invoice.id);
}

/** A person takes back what was written off: the invoice is open again by that much. Answers what was taken back. */
export async function recoverWriteOff(ctx: WorkContext, input: WriteOffInput): Promise<void> {
  if (input.reason.trim() === '') throw invalidField('reason', 'Reason is required');
  const licenseId = await lockLicenseOf(ctx, input.invoice_id);
  const invoice = await lockInvoice(ctx, input.invoice_id);
  const { left } = await ctx.db.one<{ left: number }>(sql`
    select coalesce(sum(amount_minor - taken_back_minor), 0)::bigint as left from invoice_write_offs
    where invoice_id = ${invoice.id} and kind <> 'tax_withheld'`);
  if (left === 0) throw conflict('invoice.not_written_off', 'Nothing of this invoice is written off.');
  if (input.amount_minor <= 0 || input.amount_minor > left) {
    throw invalidField('amount_minor', `Only ${formatMinor(BigInt(left))} of this invoice is written off`);
  }
  await takeBackWriteOffs(ctx, invoice, BigInt(input.amount_minor), input.on);
  await refreshLicenseMoney(ctx, licenseId);
  await ctx.audit({ action: 'recover', entity: 'invoice', entity_id: invoice.id, after: { ...input } });
}

interface Standing {
  id: number; kind: 'bad_debt' | 'small_difference'; left: number; taken_back_minor: number; open_item_id: number;
}

/** Takes back at most `most`, the latest first; answers how much. The invoice is locked by the caller. */
export async function takeBackWriteOffs(ctx: WorkContext, invoice: InvoiceRecord, most: bigint, on: string):
Promise<bigint> {
  const rows = most <= 0n ? [] : await ctx.db.query<Standing>(sql`
    select id, kind, amount_minor - taken_back_minor as left, taken_back_minor, open_item_id from invoice_write_offs
    where invoice_id = ${invoice.id} and kind <> 'tax_withheld' and taken_back_minor < amount_minor
    order by id desc for update`);
  let rest = most;
  for (const row of rows) {
    const amount = min(rest, BigInt(row.left));
    if (amount <= 0n) break;
    await takeBack(ctx, invoice, row, amount, on);
    rest -= amount;
  }
  await settleStatus(ctx, invoice.id);
  return most <= 0n ? 0n : most - rest;
}

/** The write-off's credit leaves the invoice and meets the debit that recovers it; what still stands goes back. */
async function takeBack(ctx: WorkContext, invoice: InvoiceRecord, row: Standing, amount: bigint, on: string):
Promise<void> {
  const standing = await ctx.db.one<{ id: number; amount_minor: number; allocated_at: string }>(sql`
    select a.id, a.amount_minor, a.allocated_at from allocations a
    where a.debit_item_id = ${invoice.open_item_id} and a.credit_item_id = ${row.open_item_id} and a.reverses_id is null
      and not exists (select 1 from allocations b where b.reverses_id = a.id) order by a.id desc limit 1`);
  const day = [on, invoice.issued_on, standing.allocated_at].sort().at(-1)!;
  await unallocate(ctx, standing.id, day);
  const rate = await rateOfItem(ctx, row.open_item_id);
  const transactionId = await post(ctx, {
    division: invoice.division, kind: 'write_off', on: day, currency: invoice.currency, rate,
    description: `${row.kind === 'bad_debt' ? 'Write-off' : 'Small difference'} taken back, ${invoice.invoice_number}`,
    invoice_id: invoice.id, license_id: invoice.license_id,
    source: { type: 'invoice', id: invoice.id, event: `recovery_${row.id}_${row.taken_back_minor}` },
    lines: recoveryLines(invoice.customer_id, amount, row.kind, day),
  });
  await allocate(ctx, await openedItem(ctx, transactionId, '1100', amount), row.open_item_id, amount, day);
  const stays = BigInt(standing.amount_minor) - amount;
  if (stays > 0n) await allocate(ctx, invoice.open_item_id!, row.open_item_id, stays, day);
  await ctx.db.exec(sql`
    update invoice_write_offs set taken_back_minor = taken_back_minor + ${amount} where id = ${row.id}`);
  await ctx.db.exec(sql`
    update invoices set written_off_minor = written_off_minor - ${amount} where id = ${invoice.id}`);
}

async function rateOfItem(ctx: WorkContext, itemId: number): Promise<string> {
  const { rate } = await ctx.db.one<{ rate: string | null }>(sql`
    select e.fx_rate as rate from open_items i join journal_entries e on e.id = i.journal_entry_id
    where i.id = ${itemId}`);
  return rate ?? '1';
}
