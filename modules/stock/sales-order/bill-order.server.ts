/**
 * Billing of an order: goods sold, when they leave (accounting.md 2, events 2 and 2.1 `shipment`: the tax invoice and
 * its income on the same day), and the replacement of items never returned. Items billed by a license are not billed
 * again.
 */
import type { ItemClass } from '#kernel/money/priced-line.ts';
import { issueInvoice, releaseItems, type InvoiceLineInput } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { earnPrepaid } from './prepaid-order.server.ts';
import type { LineRecord, OrderRecord } from './order-rows.server.ts';

const DIGITAL: readonly string[] = ['e_publication', 'digital_music', 'tracks', 'logo'];

type Goods = Pick<LineRecord, 'item_class' | 'description' | 'return_required' | 'unit_price_minor' | 'shipping_minor'
  | 'tax_free'>;

/** The lines that goods become on an invoice; shipping is charged once per line, with its first parcel. */
export function goodsLines(line: Goods, quantity: number, first: boolean): InvoiceLineInput[] {
  const item_class = line.item_class as ItemClass;
  const goods: InvoiceLineInput = { kind: DIGITAL.includes(line.item_class) ? 'digital'
    : line.return_required ? 'rental' : 'sale', description: line.description, item_class, quantity,
  unit_minor: line.unit_price_minor, net_minor: quantity * line.unit_price_minor, release_rule: 'shipment',
  tax_free: line.tax_free };
  const shipping: InvoiceLineInput = { kind: 'shipping', description: `Shipping, ${line.description}`,
    item_class: 'shipping', carries: item_class, net_minor: line.shipping_minor, release_rule: 'shipment',
    tax_free: line.tax_free };
  return [...line.unit_price_minor > 0 ? [goods] : [], ...line.shipping_minor > 0 && first ? [shipping] : []];
}

export async function billShipment(ctx: WorkContext, order: OrderRecord, lines: readonly LineRecord[], today: string) {
  const sold = lines.map((line) => ({ line, quantity: line.qty_shipped - line.qty_invoiced }))
    .filter(({ line, quantity }) => quantity > 0 && line.unit_price_minor + line.shipping_minor > 0);
  if (sold.length === 0) return;
  const paid = await earnPrepaid(ctx, order, lines, today);
  const invoiceLines = sold.flatMap(({ line, quantity }) => goodsLines(line, quantity, line.qty_invoiced === 0)
    .map((one) => (order.kind === 'perusal' && one.kind !== 'shipping' ? { ...one, income_type: 'perusal' as const }
      : one)));
  if (invoiceLines.length > 0 && !paid) await bill(ctx, order, invoiceLines, today, 'shipment');
  for (const { line } of sold) {
    await ctx.db.exec(sql`update sales_order_lines set qty_invoiced = qty_shipped where id = ${line.id}`);
  }
}

export async function billMissing(ctx: WorkContext, order: OrderRecord,
  missing: readonly { line: LineRecord; quantity: number }[], today: string) {
  const lines = missing.filter(({ line }) => line.replacement_minor > 0).map(({ line, quantity }): InvoiceLineInput =>
    ({ kind: 'fee', description: `Replacement, ${line.description}`, item_class: 'fee', quantity,
      unit_minor: line.replacement_minor, net_minor: quantity * line.replacement_minor, release_rule: 'at_once' }));
  if (lines.length > 0) await bill(ctx, order, lines, today, 'missing');
}

async function bill(ctx: WorkContext, order: OrderRecord, lines: readonly InvoiceLineInput[], today: string,
  reason: 'shipment' | 'missing') {
  const { invoice_id } = await issueInvoice(ctx, { customer_id: order.customer_id, license_id: order.license_id,
    division: order.division, currency: order.currency, lines, issued_on: today,
    ship_to: order.ship_to, notes: `Sales order ${order.number}` });
  await ctx.db.exec(sql`insert into sales_order_invoices (sales_order_id, invoice_id, reason)
    values (${order.id}, ${invoice_id}, ${reason})`);
  const items = await ctx.db.query<{ id: number }>(sql`
    select id from invoice_items where invoice_id = ${invoice_id} and release_rule = 'shipment' order by id`);
  if (items.length > 0) await releaseItems(ctx, { invoice_item_ids: items.map((item) => item.id), on: today });
}
