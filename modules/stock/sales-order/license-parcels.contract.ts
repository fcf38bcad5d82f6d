/** Parcels of a production, as its customer follows them in the portal: what left, when and with which carrier. */
import * as z from 'zod';
import { customer } from '#kit/auth.ts';
import { all, endpoint } from '#kit/endpoint.ts';
import { address } from '#kit/field.ts';
import { SALES_ORDER_STATUSES } from '#kernel/licensing/sales-order-machine.ts';

export const licenseParcel = z.object({
  id: z.int(), number: z.string(), status: z.enum(SALES_ORDER_STATUSES),
  /** Empty until the parcel leaves. */
  carrier: z.string(), tracking: z.array(z.string()),
  shipped_on: z.string().nullable(), delivered_on: z.string().nullable(), return_due_on: z.string().nullable(),
  ship_to_name: z.string(), ship_to: address.nullable(),
  lines: z.array(z.object({ id: z.int(), description: z.string(),
    /** Without what was called off. */
    quantity: z.int(), qty_shipped: z.int(),
    /** Rented pieces that are still with the customer. */
    outstanding: z.int() })),
});
export type LicenseParcel = z.infer<typeof licenseParcel>;

export const licenseParcelEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/customers/{id}/licenses/{licenseId}/parcels', auth: customer(),
    summary: 'Parcels of a production, first to leave first', response: all(licenseParcel) }),
};
