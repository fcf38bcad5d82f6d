/** Sales orders: what is sent to a customer and what comes back (A286, A287, X120-X123; domain.md 1.3). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk } from '#kit/bulk.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { address, currencyCode, divisionCode, isoDate, positiveMinor, version } from '#kit/field.ts';
import { SALES_ORDER_STATUSES } from '#kernel/licensing/sales-order-machine.ts';
import { copyRow } from '../movement/movement.contract.ts';

export const ORDER_KINDS = ['license', 'book_order', 'perusal', 'sales_item'] as const;
/** Order events triggered by a person (X122); the rest happens by the calendar. */
export const ORDER_EVENTS = ['release', 'pick', 'pack', 'ship_part', 'ship', 'scan_some', 'scan_all',
  'charge_missing', 'close', 'cancel'] as const;
export type OrderEvent = (typeof ORDER_EVENTS)[number];
/** Entries of the history that move no status. */
export type OrderNote = 'create' | 'plan';
/** Current locations of an order's pieces. */
export const ORDER_HOLDS = ['reserved', 'picked', 'out'] as const;
export type OrderHold = (typeof ORDER_HOLDS)[number];
export const RETURN_CONDITIONS = ['good', 'marked', 'damaged'] as const;

export const salesOrderRow = z.object({
  id: z.int(), number: z.string(), kind: z.enum(ORDER_KINDS), status: z.enum(SALES_ORDER_STATUSES),
  customer_id: z.int(), customer_name: z.string(), license_id: z.int().nullable(),
  license_number: z.string().nullable(), title: z.string().nullable(), division: divisionCode,
  currency: currencyCode, warehouse_id: z.int(), warehouse_name: z.string(), ship_on: z.string().nullable(),
  shipped_on: z.string().nullable(), return_due_on: z.string().nullable(), pieces: z.int(),
  /** Still with the customer. */
  outstanding: z.int(), total_minor: z.int(),
  /** Ordered by the customer in the shop. */
  from_portal: z.boolean(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type SalesOrderRow = z.infer<typeof salesOrderRow>;

/** Why pieces are not reserved, the nearest remedy first; a draft reserves nothing yet. */
export const WAITS = ['file', 'service', 'release', 'pick', 'others', 'return', 'inspection', 'stock'] as const;
export const lineWaiting = z.object({
  why: z.enum(WAITS), pieces: z.int(),
  /** On the shelf of the order's warehouse and promised to nobody. */
  free: z.int(), warehouse_name: z.string(),
  /** The first day on which pieces that are out are due back there. */
  back_on: z.string().nullable(),
  /** Another warehouse that has some free, the fullest. */
  elsewhere: z.object({ warehouse_name: z.string(), free: z.int() }).nullable(),
});
export type LineWaiting = z.infer<typeof lineWaiting>;

/** Quantities of one material held by an order of a license. */
export const orderedLine = z.object({ material_id: z.int(), order_id: z.int(), order_number: z.string(),
  status: z.enum(SALES_ORDER_STATUSES), reserved: z.int(), waiting: lineWaiting.nullable() });
export type OrderedLine = z.infer<typeof orderedLine>;

export const salesOrderLine = z.object({
  id: z.int(), material_id: z.int().nullable(), sales_item_id: z.int().nullable(), item_number: z.string(),
  description: z.string(), serial_tracked: z.boolean(), physical: z.boolean(), return_required: z.boolean(),
  quantity: z.int(), qty_reserved: z.int(), qty_picked: z.int(), qty_shipped: z.int(), qty_cancelled: z.int(),
  qty_returned_good: z.int(), qty_returned_damaged: z.int(), qty_lost: z.int(), unit_price_minor: z.int(),
  /** Each, as the license bills it, 0 where its package includes it; null: no material of a license. */
  license_price_minor: z.int().nullable(),
  shipping_minor: z.int(), replacement_minor: z.int(), copies: z.array(copyRow.pick({ id: true, barcode: true,
    location: true, condition: true })),
  /** Null: every open piece is reserved or picked, or nothing is open. */
  waiting: lineWaiting.nullable(),
});
export type SalesOrderLine = z.infer<typeof salesOrderLine>;

export const salesOrderDetail = salesOrderRow.extend({
  ship_to: address.nullable(), ship_to_name: z.string(), email: z.string().nullable(), phone: z.string().nullable(),
  rush: z.boolean(), carrier: z.string(),
  /** Whom the warehouse sends with, as it keeps them. */
  carriers: z.array(z.string()), tracking: z.array(z.string()), delivered_on: z.string().nullable(),
  returned_on: z.string().nullable(), notes: z.string(), cancel_reason: z.string(),
  lines: z.array(salesOrderLine),
  events: z.array(z.object({ id: z.int(), event: z.string(), from_status: z.string(), to_status: z.string(),
    note: z.string(), actor_name: z.string().nullable(), occurred_at: z.string() })),
  invoices: z.array(z.object({ id: z.int(), number: z.string().nullable(),
    reason: z.enum(['shipment', 'missing', 'prepaid']), total_minor: z.int(),
    /** A pro forma that waits for its payment; nothing is packed before. */
    unpaid: z.boolean() })),
  /** Events that the state allows now and for which the lines leave something to do. */
  allowed: z.array(z.enum(ORDER_EVENTS)),
});
export type SalesOrderDetail = z.infer<typeof salesOrderDetail>;

const code = z.string().trim().toUpperCase().min(1, 'Scan or type an item').max(48);
const pieces = z.int('Quantity is a whole number').min(1, 'At least one').max(100_000, 'At most 100,000');
export const orderLineInput = z.strictObject({ code, quantity: pieces,
  /** Left out: the price of the item; nothing for what the licence bills. */
  unit_price_minor: positiveMinor.optional() });
const head = {
  warehouse_id: z.int().min(1).optional(),
  ship_to: address.nullable().optional(),
  ship_to_name: z.string().trim().max(160).optional(),
  ship_on: isoDate.nullable().optional(),
  return_due_on: isoDate.nullable().optional(),
  rush: z.boolean().optional(),
  notes: z.string().trim().max(2000).optional(),
};
export const salesOrderInput = z.strictObject({ customer_id: z.int('Choose the customer').min(1),
  license_id: z.int().min(1).nullable().default(null), kind: z.enum(ORDER_KINDS, 'Choose the kind of order'),
  lines: z.array(orderLineInput).min(1, 'An order has at least one line').max(500), ...head });
export type SalesOrderInput = z.output<typeof salesOrderInput>;
export const salesOrderUpdate = z.strictObject({ version,
  lines: z.array(orderLineInput).min(1, 'An order has at least one line').max(500).optional(), ...head });

export const eventLine = z.strictObject({ line_id: z.int().min(1), quantity: pieces.optional(),
  barcodes: z.array(code).max(1000).optional(), condition: z.enum(RETURN_CONDITIONS).optional() });
export const orderEventInput = z.strictObject({ event: z.enum(ORDER_EVENTS, 'Choose what happened'), version,
  lines: z.array(eventLine).max(500).optional(), carrier: z.string().trim().max(80).optional(),
  tracking: z.array(z.string().trim().min(1).max(80)).max(20).optional(), return_due_on: isoDate.optional(),
  rush: z.boolean().optional(), reason: z.string().trim().max(300).default('') });
export type OrderEventInput = z.output<typeof orderEventInput>;

const path = '/api/admin/staff/sales_orders';
const item = `${path}/{id}` as const;
const filters = { status: z.enum(SALES_ORDER_STATUSES).optional(), kind: z.enum(ORDER_KINDS).optional(),
  division: divisionCode.optional(), customer_id: z.coerce.number().int().min(1).optional(),
  license_id: z.coerce.number().int().min(1).optional(), warehouse_id: z.coerce.number().int().min(1).optional(),
  /** Orders that name it; with `holds` those whose pieces, of it or at all, are there. */
  material_id: z.coerce.number().int().min(1).optional(), holds: z.enum(ORDER_HOLDS).optional(),
  /** Only what is out with customers, the next due first. */
  due_back: z.stringbool().optional() };
const sort = ['updated_at', 'number', 'ship_on', 'return_due_on'] as const;

export const salesOrderEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license_material.list'), summary: 'Sales orders',
    response: many(salesOrderRow), query: listQuery({ filters, sort }) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('license_material.show'), summary: 'A sales order',
    response: one(salesOrderDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('license_material.create'), summary: 'Draft a sales order',
    body: salesOrderInput, response: one(salesOrderDetail), status: 201 }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('license_material.update'),
    summary: 'Change a sales order: its lines while it is a draft', body: salesOrderUpdate,
    response: one(salesOrderDetail) }),
  status: endpoint({ method: 'PUT', path: `${item}/status` as const, auth: staff('license_material.update'),
    summary: 'Release, pick, pack, ship, scan in, charge, close or cancel a sales order', body: orderEventInput,
    response: one(salesOrderDetail) }),
  document: endpoint({ method: 'GET', path: `${item}/document` as const, auth: staff('license_material.show'),
    summary: 'Picking list, packing list or label of a sales order', response: 'file',
    query: z.strictObject({ type: z.enum(['pick_list', 'packing_list', 'label']) }) }),
  ofCustomer: endpoint({ method: 'GET', path: '/api/admin/staff/customers/{id}/sales_orders',
    auth: staff('license_material.list'), summary: 'Sales orders of a customer', response: many(salesOrderRow),
    query: listQuery({ filters: { status: filters.status }, sort }) }),
  /** Everything that is sent for it and not ordered yet, one order for each day on which something leaves. */
  ofLicense: endpoint({ method: 'POST', path: '/api/admin/staff/licenses/{licenseId}/sales_orders',
    auth: staff('license_material.create'), summary: 'Draft the sales orders of a licence from its materials',
    response: all(salesOrderRow), status: 201, idempotent: true }),
};

export const salesOrderBulk = bulk(salesOrderEndpoints.list,
  { noun: ['order', 'orders'], href: '/admin/sales-and-royalties/sales-orders/{id}', named: ['number'] }, [
    { label: 'Release', endpoint: salesOrderEndpoints.status, body: { event: 'release' } },
    { label: 'Cancel', endpoint: salesOrderEndpoints.status, body: { event: 'cancel' }, danger: true,
      asks: { field: 'reason', label: 'Reason', kind: 'text', max: 300 } },
  ]);
