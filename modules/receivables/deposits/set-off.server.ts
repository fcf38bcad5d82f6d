/** Payments on account that a final invoice deducts, with the tax they were charged at receipt (event 9c). */
import { min } from '#kernel/money/money.ts';
import { applyReceipt, type LineApplication } from '#kernel/pricing/receipt-application.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { DatedInvoice, InvoiceRecord, ItemRecord } from '../invoices/invoice-store.server.ts';
import { lockDeposits, partOf, type DepositPart, type DepositRecord } from './deposit-parts.server.ts';

export interface SetOff extends DepositPart {
  deposit: DepositRecord;
}

/** Held on-account deposits of the licence (or the named ones), at most the invoice's total. */
export async function heldOnAccount(
  ctx: WorkContext, licenseId: number | null, totalMinor: number, depositIds?: readonly number[],
): Promise<SetOff[]> {
  if (licenseId === null) return [];
  const held = (await lockDeposits(ctx, { license_id: licenseId })).filter((deposit) =>
    deposit.kind === 'on_account' && deposit.status === 'held' && deposit.remaining_minor > 0
    && (depositIds === undefined || depositIds.includes(deposit.id)));
  let left = BigInt(totalMinor);
  const parts: SetOff[] = [];
  for (const deposit of held) {
    const amount = min(left, BigInt(deposit.remaining_minor));
    if (amount <= 0n) break;
    parts.push({ deposit, ...(await partOf(ctx, deposit, amount)) });
    left -= amount;
  }
  return parts;
}

/** Records the set-off: on the invoice, on the deposits, and as cash on lines, the royalty's first (domain.md 2.7). */
export async function setOffDeposits(
  ctx: WorkContext, invoice: DatedInvoice, items: readonly ItemRecord[], parts: readonly SetOff[],
  transactionId: number | null,
): Promise<void> {
  for (const part of parts) {
    const tax = part.tax?.tax_minor ?? 0n;
    const amount = part.net_minor + tax;
    await ctx.db.exec(sql`
      update invoices set prepaid_net_minor = prepaid_net_minor + ${part.net_minor},
        prepaid_tax_minor = prepaid_tax_minor + ${tax} where id = ${invoice.id}`);
    await disposed(ctx, part.deposit, 'apply', amount, { invoice_id: invoice.id, transaction_id: transactionId });
    await cashOnLines(ctx, invoice, part.deposit, royaltyFirst(items, amount), invoice.issued_on);
  }
}

/** One row per part with its reason (I7), and the deposit's own totals. */
export async function disposed(
  ctx: WorkContext, deposit: DepositRecord, type: 'apply' | 'refund' | 'forfeit', amount: bigint,
  of: { invoice_id?: number; payment_id?: number; transaction_id: number | null; reason?: string },
): Promise<void> {
  await ctx.db.exec(sql`
    insert into deposit_dispositions (deposit_id, type, amount_minor, invoice_id, payment_id, reason, decided_by_id,
      transaction_id)
    values (${deposit.id}, ${type}, ${amount}, ${of.invoice_id ?? null}, ${of.payment_id ?? null}, ${of.reason ?? ''},
      ${ctx.actor.actor_id}, ${of.transaction_id})`);
  await ctx.db.exec(sql`
    update deposits set applied_minor = applied_minor + ${type === 'apply' ? amount : 0n},
      refunded_minor = refunded_minor + ${type === 'refund' ? amount : 0n},
      forfeited_minor = forfeited_minor + ${type === 'forfeit' ? amount : 0n},
      status = case when remaining_minor = ${amount} then 'settled' else status end, version = version + 1
    where id = ${deposit.id}`);
  await ctx.audit({ action: `deposit_${type}`, entity: 'deposit', entity_id: deposit.id,
    after: { amount_minor: Number(amount), ...of } });
}

/** The deposit's cash on lines; what royaltors earn on cash follows it. */
export async function cashOnLines(
  ctx: WorkContext, invoice: InvoiceRecord, deposit: DepositRecord, lines: readonly LineApplication[], day: string,
): Promise<void> {
  for (const line of lines.filter((part) => part.amount_minor > 0n)) {
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into payment_allocations (payment_id, invoice_id, invoice_item_id, currency, amount_minor, net_minor,
        tax_minor, applied_on, created_by_id)
      values (${deposit.payment_id}, ${invoice.id}, ${line.line_id}, ${invoice.currency}, ${line.amount_minor},
        ${line.net_minor}, ${line.tax_minor}, ${day}, ${ctx.actor.actor_id}) returning id`);
    const item = await ctx.db.one<{ royalty_bearing: boolean }>(sql`
      update invoice_items set applied_minor = applied_minor + ${line.amount_minor} where id = ${line.line_id}
      returning royalty_bearing`);
    if (!item.royalty_bearing) continue;
    await ctx.ports.money.royalties.receiptApplied(ctx, {
      payment_allocation_id: id, payment_id: deposit.payment_id!, invoice_id: invoice.id,
      invoice_item_id: line.line_id, license_id: invoice.license_id, division: invoice.division,
      currency: invoice.currency, net_minor: Number(line.net_minor), applied_on: day,
      rate: deposit.functional_rate ?? '1',
    });
  }
}

/** Royalty lines first, then the rest (domain.md 2.7: "of the royalty"). */
function royaltyFirst(items: readonly ItemRecord[], amount: bigint): LineApplication[] {
  const open = (own: readonly ItemRecord[]) => own.map((item) => ({
    id: item.id, net_minor: BigInt(item.net_minor), tax_minor: BigInt(item.tax_minor) }));
  const isRoyalty = (item: ItemRecord): boolean => item.royalty_bearing || item.kind === 'royalty';
  const royalty = applyReceipt(amount, open(items.filter(isRoyalty)));
  const rest = applyReceipt(royalty.unapplied_minor, open(items.filter((item) => !isRoyalty(item))));
  return [...royalty.lines, ...rest.lines];
}
