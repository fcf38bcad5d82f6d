/**
 * Shipping addresses of a customer for books and parts: kept by its own people in the portal and by staff. Orders use
 * the default one unless they say otherwise; shipments in transit keep the address they were sent to.
 */
import * as z from 'zod';
import { customer, customerInPerson, staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { address, version } from '#kit/field.ts';

/** A customer keeps so many. */
export const MOST_PLACES = 20;

export const shippingAddress = z.object({
  id: z.int(), label: z.string(), attention: z.string(), address, is_default: z.boolean(), version: z.int(),
});
export type ShippingAddress = z.infer<typeof shippingAddress>;

const body = {
  label: z.string().trim().min(1, 'Name this address').max(80),
  /** Recipient; empty: the organization. */
  attention: z.string().trim().max(160).default(''),
  address,
  is_default: z.boolean().default(false),
};
const created = z.strictObject(body);
const changed = z.strictObject({ ...body, version });

const house = '/api/admin/staff/customers/{id}/shipping_addresses';
const home = '/api/customers/{id}/shipping_addresses';

export const shippingAddressEndpoints = {
  list: endpoint({ method: 'GET', path: house, auth: staff('customer.show'),
    summary: 'Shipping addresses of a customer, the default first', response: all(shippingAddress) }),
  create: endpoint({ method: 'POST', path: house, auth: staff('customer.update'), status: 201,
    summary: 'Add a shipping address', body: created, response: one(shippingAddress) }),
  update: endpoint({ method: 'PUT', path: `${house}/{addressId}`, auth: staff('customer.update'),
    summary: 'Change a shipping address', body: changed, response: one(shippingAddress) }),
  remove: endpoint({ method: 'DELETE', path: `${house}/{addressId}`, auth: staff('customer.update'),
    summary: 'Remove a shipping address', response: null }),
};

export const portalShippingAddressEndpoints = {
  list: endpoint({ method: 'GET', path: home, auth: customer(),
    summary: 'Shipping addresses of the organisation, the default first', response: all(shippingAddress) }),
  create: endpoint({ method: 'POST', path: home, auth: customerInPerson('admin', 'signer'), status: 201,
    summary: 'Add a shipping address', body: created, response: one(shippingAddress) }),
  update: endpoint({ method: 'PUT', path: `${home}/{addressId}`, auth: customerInPerson('admin', 'signer'),
    summary: 'Change a shipping address', body: changed, response: one(shippingAddress) }),
  remove: endpoint({ method: 'DELETE', path: `${home}/{addressId}`, auth: customerInPerson('admin', 'signer'),
    summary: 'Remove a shipping address', response: null }),
};
