/** The customers' shop: what is offered, what a cart costs, and the sales order that checkout makes of it. */
import { refuse } from '#kit/errors.ts';
import type { ResponseIn } from '#kit/endpoint.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { InvoiceLineInput } from '#modules/receivables/receivables.public.server.ts';
import { withCounterRole, type Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { oneLine, queueMail } from '#server/mail.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { linkTo } from '#server/settings.ts';
import { draftOrder } from '../sales-order/draft-order.server.ts';
import { moveOrder } from '../sales-order/move-order.server.ts';
import { DAYS_TO_PAY, requestPayment } from '../sales-order/prepaid-order.server.ts';
import { cartLines, priceCart, shelfOf } from './price-cart.server.ts';
import { shopEndpoints, type CartBody, type ShopItem, type ShopOrder, type ShopPrice } from './shop.contract.ts';

type Detail = ResponseIn<typeof shopEndpoints.order>['data'];
const COLUMNS = sql`t.id, t.number, t.status, t.currency, t.shipped_on, t.created_at, t.updated_at,
  (t.quoted_net_minor + t.quoted_tax_minor)::bigint as total_minor,
  (select coalesce(sum(l.quantity - l.qty_cancelled), 0) from sales_order_lines l where l.sales_order_id = t.id)::int
    as pieces,
  exists (select 1 from sales_order_invoices x join invoices p on p.id = x.invoice_id and p.status = 'proforma'
    where x.sales_order_id = t.id) as unpaid`;

async function detail(db: Queryable, customerId: number, id: number): Promise<Detail> {
  const row = await db.maybeOne<Omit<Detail, 'lines' | 'invoices'>>(sql`
    select ${COLUMNS}, t.quoted_net_minor as net_minor, t.quoted_tax_minor as tax_minor, t.ship_to, t.ship_to_name,
      t.carrier, t.tracking, t.cancel_reason
    from sales_orders t where t.id = ${id} and t.customer_id = ${customerId} and t.from_portal`);
  if (!row) throw refuse('not_found');
  const lines = await db.query<Detail['lines'][number]>(sql`
    select l.id, l.description, h.title as show_title, l.quantity, l.qty_shipped, l.unit_price_minor, l.shipping_minor
    from sales_order_lines l left join materials m on m.id = l.material_id left join shows h on h.id = m.show_id
    where l.sales_order_id = ${id} order by l.sort, l.id`);
  const invoices = await db.query<Detail['invoices'][number]>(sql`
    select i.id, coalesce(i.invoice_number, i.reference) as number, i.total_minor, i.status = 'proforma' as unpaid,
      i.due_on
    from sales_order_invoices x join invoices i on i.id = x.invoice_id or i.proforma_id = x.invoice_id
    where x.sales_order_id = ${id} and i.status <> 'void' and (i.kind <> 'proforma' or i.status = 'proforma')
    order by x.id, i.id`);
  return { ...row, lines, invoices };
}

/**
 * Reserved at once, where the shelf has it; paid first by a pro forma (G58), or billed with the parcel
 * (accounting.md 2, event 2) where the customer has payment terms.
 */
async function checkOut(ctx: Ctx, customerId: number, cart: CartBody): Promise<number> {
  const { lines } = cart;
  const { price, items } = await priceCart(ctx, customerId, cart);
  const id = await draftOrder(ctx, { kind: 'book_order', customer_id: customerId, license_id: null,
    ship_to: price.ship_to, ship_to_name: price.ship_to_name,
    lines: items.map((item, at) => ({ code: item.item_number, quantity: lines[at]!.quantity,
      unit_price_minor: item.price_minor, shipping_minor: item.shipping_minor })) });
  await ctx.db.exec(sql`update sales_orders set from_portal = true, quoted_tax_minor = ${price.tax_minor},
    quoted_net_minor = ${price.goods_minor + price.shipping_minor} where id = ${id}`);
  await moveOrder(ctx, id, { event: 'release', version: 1, reason: '' });
  if (price.prepaid) await askToPay(ctx, customerId, id, { price, lines: cartLines(items, lines) });
  await tellOfOrder(ctx, customerId, id, price);
  return id;
}

interface ToPay { price: ShopPrice; lines: readonly InvoiceLineInput[] }

async function askToPay(ctx: Ctx, customerId: number, id: number, { price, lines }: ToPay): Promise<void> {
  const order = await ctx.db.one<{ number: string; division: string }>(sql`
    select number, division from sales_orders where id = ${id}`);
  await requestPayment(ctx, id, { ...order, customer_id: customerId, currency: price.currency, ship_to: price.ship_to,
    lines, today: await ctx.today(order.division) });
}

async function tellOfOrder(ctx: Ctx, customerId: number, id: number, price: ShopPrice): Promise<void> {
  const total = formatMoney(price.total_minor, price.currency);
  const order = await ctx.db.one<Record<'number' | 'name' | 'division', string>>(sql`
    select o.number, o.division, c.name from sales_orders o join customers c on c.id = o.customer_id
    where o.id = ${id}`);
  const { number, name } = order;
  await notifyStaff(ctx, { kind: 'order.received', title: `${name} ordered for ${total}`, body: number,
    href: `/admin/sales-and-royalties/sales-orders/${id}` });
  await queueMail(ctx.db, { template: 'order.received', to: [ctx.user.email], subject: `We have your order ${number}`,
    letter: { greeting: oneLine(ctx.user.first_name), paragraphs: [
      `Thanks for your order ${number}: ${total}, shipping and tax included.`, price.prepaid
        ? `It ships as soon as it is paid. Please pay within ${DAYS_TO_PAY} days.`
        : "We'll email you when it ships; your invoice will be in the package."],
    link: { label: price.prepaid ? 'See and pay your order' : 'See your order',
      href: linkTo(ctx.ports.settings, `/customer/${customerId}/orders/${id}`) },
    contact: await contactOf(ctx.db, null, order.division) },
    entity: 'sales_order', entity_id: id });
}

export const shopRoutes: Route[] = serve(shopEndpoints, {
  // Merchandise is the house's until it is offered: what stands on the shelf is asked at the counter.
  items: (ctx, { params, query }) => withCounterRole(ctx, ({ db }) => listPage<ShopItem>(db, {
    base: sql`${shelfOf(params.id)} t`, columns: sql`t.*, h.title as show_title`,
    joins: sql`left join shows h on h.id = t.show_id`,
    conditions: compact([query.show_id !== undefined && sql`t.show_id = ${query.show_id}`,
      query.search !== undefined && matches(sql`t.search_text`, query.search)]),
    // By show, as people look for it: half of all names are 'Acting edition'.
    sorts: { name: sql`t.name collate "und-x-icu"`,
      show: sql`coalesce(h.sort_title, t.name) collate "und-x-icu", t.name collate "und-x-icu"` },
    sortJoins: { show: sql`left join shows h on h.id = t.show_id` }, defaultSort: 'show',
  }, query, `/api/customers/${params.id}/shop_items`)),
  price: async (ctx, { params, body }) => ({ data: (await priceCart(ctx, params.id, body)).price }),
  orders: (ctx, { params, query }) => listPage<ShopOrder>(ctx.db, {
    base: sql`sales_orders t`, columns: COLUMNS, conditions: [sql`t.customer_id = ${params.id} and t.from_portal`],
    sorts: { created_at: sql`t.id` }, defaultSort: 'created_at', defaultDirection: 'desc',
  }, query, `/api/customers/${params.id}/orders`),
  order: async (ctx, { params }) => ({ data: await detail(ctx.db, params.id, params.orderId) }),
  create: async (ctx, { params, body }) =>
    ({ data: await detail(ctx.db, params.id, await checkOut(ctx, params.id, body)) }),
});
