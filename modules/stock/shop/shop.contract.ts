/**
 * The customers' shop: printed books and merchandise at the price of the customer's currency, and orders of them
 * (X159-X161, gaps G58). The server prices every order again; a price that has changed is named at its line. What is
 * ordered is reserved at once. Customers without payment terms pay first, by a pro forma; the others are billed with
 * the parcel.
 */
import * as z from 'zod';
import { customer, customerInPerson } from '#kit/auth.ts';
import { endpoint, listQuery, pagedQuery, many, one } from '#kit/endpoint.ts';
import { address, currencyCode, positiveMinor } from '#kit/field.ts';
import { SALES_ORDER_STATUSES } from '#kernel/licensing/sales-order-machine.ts';

export const shopItem = z.object({
  /** Of cart lines: 'm12' is a material, 's12' a sales item. */
  key: z.string(), material_id: z.int().nullable(), sales_item_id: z.int().nullable(), item_number: z.string(),
  name: z.string(), description: z.string(), show_id: z.int().nullable(), show_title: z.string().nullable(),
  currency: currencyCode, price_minor: z.int(),
  /** Once per line, whatever the quantity. */
  shipping_minor: z.int(),
});
export type ShopItem = z.infer<typeof shopItem>;

const line = z.strictObject({ material_id: z.int().min(1).optional(), sales_item_id: z.int().min(1).optional(),
  quantity: z.int('Quantity is a whole number').min(1, 'At least one').max(999, 'At most 999'),
  /** The price that the customer saw; a different one is refused at this line. */
  price_minor: positiveMinor.optional() })
  .refine((one) => (one.material_id === undefined) !== (one.sales_item_id === undefined), 'Name one item');
const lines = z.array(line).min(1, 'The cart is empty').max(100, 'At most 100 lines');
export type ShopLine = z.output<typeof line>;
/** Absent: the customer's usual place. Sales tax follows it. */
const shipTo = { ship_to: address.optional(), ship_to_name: z.string().trim().max(160).optional() };
const cartBody = z.strictObject({ lines, ...shipTo });
export type CartBody = z.output<typeof cartBody>;

export const shopPrice = z.object({
  currency: currencyCode,
  lines: z.array(z.object({ key: z.string(), name: z.string(), quantity: z.int(), price_minor: z.int(),
    shipping_minor: z.int(), net_minor: z.int(), tax_minor: z.int() })),
  goods_minor: z.int(), shipping_minor: z.int(), tax_minor: z.int(), total_minor: z.int(),
  ship_to_name: z.string(), ship_to: address.nullable(),
  /** Places this customer has had things sent to, the usual one first; any other can be given. */
  places: z.array(z.object({ label: z.string(), name: z.string(), address })),
  /** Paid before it is packed; else the invoice comes with the parcel. */
  prepaid: z.boolean(),
});
export type ShopPrice = z.infer<typeof shopPrice>;

export const shopOrder = z.object({
  id: z.int(), number: z.string(), status: z.enum(SALES_ORDER_STATUSES), currency: currencyCode, pieces: z.int(),
  total_minor: z.int(), shipped_on: z.string().nullable(),
  /** A payment request is open: nothing is packed before. */
  unpaid: z.boolean(), created_at: z.string(), updated_at: z.string(),
});
export type ShopOrder = z.infer<typeof shopOrder>;
export const shopOrderDetail = shopOrder.extend({
  net_minor: z.int(), tax_minor: z.int(), ship_to: address.nullable(), ship_to_name: z.string(), carrier: z.string(),
  tracking: z.array(z.string()), cancel_reason: z.string(),
  lines: z.array(z.object({ id: z.int(), description: z.string(), show_title: z.string().nullable(),
    quantity: z.int(), qty_shipped: z.int(), unit_price_minor: z.int(), shipping_minor: z.int() })),
  invoices: z.array(z.object({ id: z.int(), number: z.string().nullable(), total_minor: z.int(),
    /** A payment request: the order is packed once it is paid. */
    unpaid: z.boolean(), due_on: z.string() })),
});

const home = '/api/customers/{id}';
export const shopEndpoints = {
  items: endpoint({ method: 'GET', path: `${home}/shop_items`, auth: customer(),
    summary: 'Books and merchandise that the customer may buy', response: many(shopItem),
    query: listQuery({ filters: { show_id: z.coerce.number().int().min(1).optional() }, sort: ['name'] }) }),
  price: endpoint({ method: 'POST', path: `${home}/orders/preview`, auth: customer(), readOnly: true,
    summary: 'Price of a cart, with shipping and tax', body: cartBody, response: one(shopPrice) }),
  orders: endpoint({ method: 'GET', path: `${home}/orders`, auth: customer(), summary: "The customer's orders",
    response: many(shopOrder), query: pagedQuery({ filters: {}, sort: ['created_at'] }) }),
  order: endpoint({ method: 'GET', path: `${home}/orders/{orderId}`, auth: customer(), summary: 'One order',
    response: one(shopOrderDetail) }),
  create: endpoint({ method: 'POST', path: `${home}/orders`, auth: customerInPerson('admin', 'signer'),
    summary: 'Order what is in the cart', status: 201, idempotent: true, response: one(shopOrderDetail),
    body: cartBody }),
};
