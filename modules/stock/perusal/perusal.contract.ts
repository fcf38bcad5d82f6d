/**
 * Perusals: a customer reads a title before it applies (domain.md 1.4; A280, X117-X119 of staff, X156-X158 of the
 * customer). Digital ones are read page by page in the browser until a day; physical ones travel as sales orders.
 */
import * as z from 'zod';
import { customer, staff } from '#kit/auth.ts';
import { bulk } from '#kit/bulk.ts';
import { endpoint, listQuery, pagedQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate, version } from '#kit/field.ts';
import { PERUSAL_STATUSES } from '#kernel/licensing/perusal-machine.ts';
import { activityRow } from '#modules/customers/customer/customer.contract.ts';
import { RETURN_CONDITIONS } from '../sales-order/sales-order.contract.ts';

export const PERUSAL_FORMATS = ['digital', 'physical'] as const;
export type PerusalFormat = (typeof PERUSAL_FORMATS)[number];
/** Events of a perusal triggered by staff (X119); the rest happens by the calendar or with its sales order. */
export const PERUSAL_STAFF_EVENTS = ['approve', 'decline', 'extend', 'ship', 'return', 'charge_lost', 'close'] as const;
export type PerusalStaffEvent = (typeof PERUSAL_STAFF_EVENTS)[number];

export const perusalRow = z.object({
  id: z.int(), number: z.string(), status: z.enum(PERUSAL_STATUSES), format: z.enum(PERUSAL_FORMATS),
  customer_id: z.int(), customer_name: z.string(), division: divisionCode, show_id: z.int(), show_code: z.string(),
  show_title: z.string(), show_type: z.enum(['play', 'musical']), requested_by_name: z.string(),
  currency: currencyCode, fee_minor: z.int(), shipping_minor: z.int(), opens_at: z.string().nullable(),
  expires_at: z.string().nullable(), due_back_on: z.string().nullable(), returned_on: z.string().nullable(),
  sales_order_id: z.int().nullable(), sales_order_number: z.string().nullable(),
  /** Reading period in days, by the customer's terms at the time of the request. */
  days: z.int(), version: z.int(),
  created_at: z.string(), updated_at: z.string(),
});
export type PerusalRow = z.infer<typeof perusalRow>;

const material = z.object({ id: z.int(), item_number: z.string(), name: z.string(), serial_tracked: z.boolean(),
  /** Pages that can be read on the screen; 0: nothing is uploaded. */
  pages: z.int(), unit_price_minor: z.int(), shipping_minor: z.int() });
export const perusalDetail = perusalRow.extend({
  message: z.string(), reason: z.string(), approved_at: z.string().nullable(), approved_by_name: z.string().nullable(),
  materials: z.array(material),
  /** Readers, each with distinct pages read, first and last time. */
  readers: z.array(z.object({ user_id: z.int(), name: z.string(), email: z.string(), pages: z.int(), views: z.int(),
    first_at: z.string(), last_at: z.string() })),
  /** Barcodes of the copies that are with the customer or packed for it. */
  copies: z.array(z.object({ barcode: z.string(), material_id: z.int(), location: z.string() })),
  order_status: z.string().nullable(),
  /** Warehouse its books are taken from; null if none are sent. */
  warehouse_name: z.string().nullable(),
  allowed: z.array(z.enum(PERUSAL_STAFF_EVENTS)),
});
export type PerusalDetail = z.infer<typeof perusalDetail>;

const materialIds = z.array(z.int().min(1)).min(1, 'Choose what to read').max(20);
const text = (max: number) => z.string().trim().max(max, `At most ${max} characters`).default('');
const asked = { show_id: z.int('Choose the show').min(1), material_ids: materialIds,
  format: z.enum(PERUSAL_FORMATS, 'Choose how to read'), message: text(1000) };

export const perusalEvent = z.strictObject({
  event: z.enum(PERUSAL_STAFF_EVENTS, 'Choose what happened'), version,
  /** Last day to read, or day the books are due back; left out: what the house gives (domain.md 1.4). */
  until: isoDate.optional(), reason: text(500),
  /** Of copies that are shipped. */
  barcodes: z.array(z.string().trim().toUpperCase().min(1).max(48)).max(100).optional(),
  carrier: z.string().trim().max(80).optional(), tracking: z.string().trim().max(80).optional(),
  condition: z.enum(RETURN_CONDITIONS).optional(),
});
export type PerusalEventInput = z.output<typeof perusalEvent>;

/** Readable formats of a show, and their cost for this customer. */
export const perusalOptions = z.object({
  currency: currencyCode,
  digital: z.array(z.object({ id: z.int(), name: z.string(), pages: z.int() })),
  physical: z.array(z.object({ id: z.int(), name: z.string(), unit_price_minor: z.int(), shipping_minor: z.int() })),
  days_digital: z.int(), days_physical: z.int(),
  /** One fee for all books of a perusal; null: the price of each. */
  fee_minor: z.int().nullable(),
  /** Number the customer's terms allow at a time. */
  most_open: z.int(),
  /** Number of further ones that may be open at a time; 0: one has to end first. */
  left: z.int(),
  /** The one of this show that is open already. */
  open_id: z.int().nullable(),
});
export type PerusalOptions = z.infer<typeof perusalOptions>;

const path = '/api/admin/staff/perusals';
const filters = { status: z.enum(PERUSAL_STATUSES).optional(), format: z.enum(PERUSAL_FORMATS).optional(),
  show_id: z.coerce.number().int().min(1).optional(), customer_id: z.coerce.number().int().min(1).optional(),
  division: divisionCode.optional() };
const sort = ['updated_at', 'number', 'expires_at', 'due_back_on'] as const;

export const perusalEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license_material.list'), summary: 'Perusals',
    response: many(perusalRow), query: listQuery({ filters, sort }) }),
  show: endpoint({ method: 'GET', path: `${path}/{id}`, auth: staff('license_material.show'), summary: 'A perusal',
    response: one(perusalDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('license_material.create'),
    summary: 'Ask for a perusal on behalf of a customer', response: one(perusalDetail), status: 201,
    body: z.strictObject({ customer_id: z.int('Choose the customer').min(1), ...asked }) }),
  status: endpoint({ method: 'PUT', path: `${path}/{id}/status`, auth: staff('license_material.update'),
    summary: 'Approve, decline, extend, ship, take back, charge or close a perusal', body: perusalEvent,
    response: one(perusalDetail) }),
  activity: endpoint({ method: 'GET', path: `${path}/{id}/activity`, auth: staff('license_material.show'),
    summary: 'Activity of a perusal', response: many(activityRow), query: pagedQuery({ filters: {}, sort: ['id'] }) }),
  options: endpoint({ method: 'GET', path: `${path}/options`, auth: staff('license_material.create'),
    summary: 'Materials of a show that can be sent for perusal',
    query: z.strictObject({ customer_id: z.coerce.number().int().min(1), show_id: z.coerce.number().int().min(1) }),
    response: one(perusalOptions) }),
};

/** Perusal as the customer sees it: no staff names, no stock. */
export const portalPerusal = perusalRow.omit({ customer_name: true, sales_order_id: true, sales_order_number: true,
  division: true }).extend({ reason: z.string(), message: z.string() });
export type PortalPerusal = z.infer<typeof portalPerusal>;
export const portalPerusalDetail = portalPerusal.extend({
  /** Pages to read now; 0 where nothing is open. */
  pages: z.int(),
  /** Its parts in the order of reading, each with the number of its first page. */
  parts: z.array(z.object({ name: z.string(), first_page: z.int(), pages: z.int() })),
  materials: z.array(z.object({ id: z.int(), name: z.string() })),
});

const home = '/api/customers/{id}/perusals';
const page = `${home}/{perusalId}/pages/{page}` as const;
export const portalPerusalEndpoints = {
  list: endpoint({ method: 'GET', path: home, auth: customer(), summary: "The customer's perusals",
    response: many(portalPerusal), query: pagedQuery({ filters: { status: filters.status, show_id: filters.show_id },
      sort: ['updated_at', 'expires_at'] }) }),
  show: endpoint({ method: 'GET', path: `${home}/{perusalId}`, auth: customer(), summary: 'One perusal',
    response: one(portalPerusalDetail) }),
  create: endpoint({ method: 'POST', path: home, auth: customer(), summary: 'Ask to read a show', status: 201,
    body: z.strictObject(asked), response: one(portalPerusalDetail) }),
  page: endpoint({ method: 'GET', path: page, auth: customer(),
    summary: 'One page as a picture, marked with the reader; each view is logged', response: 'file' }),
  pageText: endpoint({ method: 'GET', path: `${page}/text`, auth: customer(),
    summary: 'Text of one page, for screen readers; each view is logged',
    response: one(z.object({ page: z.int(), text: z.string() })) }),
  options: endpoint({ method: 'GET', path: '/api/customers/{id}/shows/{showId}/perusal_options', auth: customer(),
    summary: 'Materials of a show that can be read before applying', response: one(perusalOptions) }),
};

export const perusalBulk = bulk(perusalEndpoints.list,
  { noun: ['perusal', 'perusals'], href: '/admin/perusals/{id}', named: ['number', 'show_title'] }, [
    { label: 'Approve', endpoint: perusalEndpoints.status, body: { event: 'approve' } },
    { label: 'Decline', endpoint: perusalEndpoints.status, body: { event: 'decline' }, danger: true,
      asks: { field: 'reason', label: 'Reason', kind: 'text', max: 500 } },
  ]);
