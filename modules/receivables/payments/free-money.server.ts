/** Cash that a credit makes too much on an invoice goes back on account, the latest receipt first. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { lockInvoice, type InvoiceRecord } from '../invoices/invoice-store.server.ts';
import { applyCash, takeOff } from './apply-receipt.server.ts';
import { lockPayment } from './payment-store.server.ts';

/** Takes at least `amount` off the invoice and puts back what was too much; nothing where `amount` is not positive. */
export async function freeMoney(ctx: WorkContext, invoice: InvoiceRecord, amount: number, on: string): Promise<void> {
  let left = amount;
  if (left <= 0 || invoice.open_item_id === null) return;
  const payments = await ctx.db.query<{ payment_id: number }>(sql`
    select payment_id from payment_allocations where invoice_id = ${invoice.id} and ledger_allocation_id is not null
    group by payment_id having sum(amount_minor) > 0 order by payment_id desc`);
  for (const { payment_id } of payments) {
    if (left <= 0) break;
    const payment = await lockPayment(ctx, payment_id);
    const taken = await takeOff(ctx, payment, invoice, on);
    if (taken > left) {
      await applyCash(ctx, await lockPayment(ctx, payment_id), {
        invoice: await lockInvoice(ctx, invoice.id), open_item_id: invoice.open_item_id, amount_minor: taken - left,
      }, on, 'amount_minor');
    }
    left -= Math.min(taken, left);
  }
}
