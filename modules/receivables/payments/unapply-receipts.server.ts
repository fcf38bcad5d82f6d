/**
 * Money that a credit makes too much on an invoice stays with the customer: receipts go back on account, the latest
 * first; what a deposit paid stays set off, only its cash leaves the credited lines.
 */
import { applyReceipt } from '#kernel/pricing/receipt-application.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockDeposits } from '../deposits/deposit-parts.server.ts';
import { cashOnLines } from '../deposits/set-off.server.ts';
import { lockInvoice, type InvoiceRecord } from '../invoices/invoice-store.server.ts';
import { applyCash, bookInverse, takeOff, type LiveRow } from './apply-receipt.server.ts';
import { lockPayment, openLines } from './payment-store.server.ts';

/**
 * Takes `amount` off the invoice, receipts before deposits, and leaves no line with more cash than it still bills.
 * Answers what no receipt could give: the credit itself has to.
 */
export async function freeMoney(ctx: WorkContext, invoice: InvoiceRecord, amount: number, on: string): Promise<number> {
  let left = Math.max(amount, 0);
  if (invoice.open_item_id !== null) left = await freeReceipts(ctx, invoice, left, on);
  await freeSetOffs(ctx, invoice, left, on);
  return left;
}

async function freeReceipts(ctx: WorkContext, invoice: InvoiceRecord, amount: number, on: string): Promise<number> {
  let left = amount;
  const payments = await ctx.db.query<{ payment_id: number; full: boolean }>(sql`
    select payment_id, bool_or(${lineIsFull}) as full from payment_allocations a where invoice_id = ${invoice.id}
      and ledger_allocation_id is not null group by payment_id having sum(amount_minor) > 0 order by payment_id desc`);
  for (const { payment_id, full } of payments) {
    if (left <= 0 && !full) continue;
    const payment = await lockPayment(ctx, payment_id);
    const taken = await takeOff(ctx, payment, invoice, on);
    const again = taken - Math.min(taken, left);
    if (again > 0) {
      await applyCash(ctx, await lockPayment(ctx, payment_id), {
        invoice: await lockInvoice(ctx, invoice.id), open_item_id: invoice.open_item_id!, amount_minor: again,
      }, on, 'amount_minor');
    }
    left -= Math.min(taken, left);
  }
  return left;
}

/** A line that got more cash than is left of it after its credits. */
const lineIsFull = sql`exists (select 1 from invoice_items i where i.id = a.invoice_item_id
  and i.total_minor - coalesce((select sum(n.total_minor) from invoice_items n where n.credits_item_id = i.id), 0)
    < i.applied_minor)`;

/** Cash of deposits: inverse rows for what royaltors earned by it, then what is left of it on lines that are open. */
async function freeSetOffs(ctx: WorkContext, invoice: InvoiceRecord, amount: number, on: string): Promise<void> {
  let left = amount;
  const rows = await ctx.db.query<LiveRow & { payment_id: number; full: boolean }>(sql`
    select a.id, a.payment_id, a.invoice_item_id, a.amount_minor, a.net_minor, a.tax_minor, a.applied_on,
      a.ledger_allocation_id, i.royalty_bearing, ${lineIsFull} as full
    from payment_allocations a join invoice_items i on i.id = a.invoice_item_id
    where a.invoice_id = ${invoice.id} and a.ledger_allocation_id is null and a.reverses_allocation_id is null
      and not exists (select 1 from payment_allocations b where b.reverses_allocation_id = a.id)
    order by a.payment_id desc, a.id`);
  for (const [paymentId, own] of Map.groupBy(rows, (row) => row.payment_id)) {
    if (left <= 0 && !own.some((row) => row.full)) continue;
    const payment = await lockPayment(ctx, paymentId);
    const day = [on, ...own.map((row) => row.applied_on)].sort().at(-1)!;
    for (const row of own) await bookInverse(ctx, payment, invoice, row, day);
    const taken = own.reduce((all, row) => all + row.amount_minor, 0);
    const again = taken - Math.min(taken, left);
    left -= Math.min(taken, left);
    const [deposit] = await lockDeposits(ctx, { id: payment.deposit_id! });
    if (again > 0 && deposit) {
      await cashOnLines(ctx, invoice, deposit, applyReceipt(BigInt(again), await openLines(ctx, invoice.id)).lines,
        day);
    }
  }
}

/**
 * Puts cash of deposits back on lines, at most `amount`: what a credit note could not settle left the lines in favor of
 * its rest, and the rest has come back to the invoice now.
 */
export async function returnSetOffs(ctx: WorkContext, invoiceId: number, amount: number, on: string): Promise<void> {
  const deposits = await ctx.db.query<{ id: number; missing: number }>(sql`
    select d.id, (sum(p.amount_minor) - coalesce((select sum(a.amount_minor) from payment_allocations a
        where a.payment_id = d.payment_id and a.invoice_id = ${invoiceId} and a.ledger_allocation_id is null),
        0))::bigint as missing
    from deposits d join deposit_dispositions p on p.deposit_id = d.id and p.type = 'apply'
    where p.invoice_id = ${invoiceId} group by d.id order by d.id`);
  let left = amount;
  for (const { id, missing } of deposits) {
    const again = Math.min(left, missing);
    const [deposit] = again > 0 ? await lockDeposits(ctx, { id }) : [];
    if (!deposit) continue;
    await cashOnLines(ctx, await lockInvoice(ctx, invoiceId), deposit,
      applyReceipt(BigInt(again), await openLines(ctx, invoiceId)).lines, on);
    left -= again;
  }
}
