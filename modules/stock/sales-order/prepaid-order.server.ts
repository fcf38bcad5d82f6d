/**
 * Orders that are paid before they leave (gaps G58): the pro forma of the checkout, its tax invoice with the payment,
 * what waits for it, and what becomes of both when the order is called off. A pro forma that the office withdraws makes
 * it an order on account again, which its parcel bills.
 */
import { addDays } from '#kernel/calendar/calendar.ts';
import { conflict } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import { creditInvoice, issueProFormaOf, releaseItems, voidProForma, type InvoiceLineInput }
  from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { LineRecord, OrderRecord } from './order-rows.server.ts';

/** Days in which an order waits for its payment, its books reserved. */
export const DAYS_TO_PAY = 14;

export interface Prepaid {
  proforma_id: number;
  reference: string;
  /** Still to be paid. */
  open: boolean;
  due_on: string;
  /** The tax invoice that its payment made. */
  invoice_id: number | null;
}

/** Null: nothing is prepaid, its parcel bills the order. */
export function prepaidOf(db: Queryable, orderId: number): Promise<Prepaid | null> {
  return db.maybeOne<Prepaid>(sql`
    select p.id as proforma_id, coalesce(p.reference, 'The pro forma') as reference, p.status = 'proforma' as open,
      p.due_on, i.id as invoice_id
    from sales_order_invoices x join invoices p on p.id = x.invoice_id left join invoices i on i.proforma_id = p.id
    where x.sales_order_id = ${orderId} and x.reason = 'prepaid' and p.status <> 'void'`);
}

/** Nothing is packed that is not paid: 409 with what to do. */
export async function refuseUnpaid(ctx: WorkContext, orderId: number): Promise<void> {
  const prepaid = await prepaidOf(ctx.db, orderId);
  if (prepaid?.open) {
    throw conflict('sales_order.unpaid', `${prepaid.reference} is not paid yet. The order is packed once the money is `
      + 'here; remove the pro forma to send it on account.', { invoice_id: prepaid.proforma_id });
  }
}

interface PrepaidRequest {
  customer_id: number; division: string; currency: string; ship_to: Address | null; number: string;
  lines: readonly InvoiceLineInput[]; today: string;
}

/** The payment request of an order; answers its id. */
export async function requestPayment(ctx: WorkContext, orderId: number, asked: PrepaidRequest): Promise<number> {
  const { invoice_id } = await issueProFormaOf(ctx, { customer_id: asked.customer_id, division: asked.division,
    currency: asked.currency, ship_to: asked.ship_to, lines: asked.lines, issued_on: asked.today,
    due_on: addDays(asked.today, DAYS_TO_PAY), notes: `Sales order ${asked.number}` });
  await ctx.db.exec(sql`insert into sales_order_invoices (sales_order_id, invoice_id, reason)
    values (${orderId}, ${invoice_id}, 'prepaid')`);
  return invoice_id;
}

/** True where the order was paid before: its income is earned with the last parcel, and nothing is billed again. */
export async function earnPrepaid(ctx: WorkContext, order: OrderRecord, lines: readonly LineRecord[], today: string):
Promise<boolean> {
  const prepaid = await prepaidOf(ctx.db, order.id);
  if (!prepaid || prepaid.invoice_id === null) return false;
  const whole = lines.every((line) => line.quantity === line.qty_cancelled + line.qty_shipped);
  const items = whole ? await ctx.db.query<{ id: number }>(sql`
    select id from invoice_items where invoice_id = ${prepaid.invoice_id} and release_rule = 'shipment' order by id`)
    : [];
  if (items.length > 0) await releaseItems(ctx, { invoice_item_ids: items.map((item) => item.id), on: today });
  return true;
}

/** Called off: an open request is withdrawn, what was paid is credited and stays with the customer. */
export async function undoPrepaid(ctx: WorkContext, orderId: number, reason: string, today: string): Promise<void> {
  const prepaid = await prepaidOf(ctx.db, orderId);
  if (prepaid?.open) await voidProForma(ctx, prepaid.proforma_id, reason);
  if (prepaid?.invoice_id) await creditInvoice(ctx, { invoice_id: prepaid.invoice_id, reason, on: today });
}
