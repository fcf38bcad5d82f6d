/**
 * A customer's own legal name, kind, billing address, phone and VAT number. Its admins ask for changes in the portal;
 * staff confirm or decline them in the approvals inbox. Until then nothing changes.
 */
import * as z from 'zod';
import { customer, customerInPerson, staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { address, oneLine, version } from '#kit/field.ts';
import { CUSTOMER_KINDS } from '../customer/customer.contract.ts';

const text = (label: string, most: number) =>
  oneLine(label, z.string().trim().max(most, `${label} has at most ${most} characters`)).nullable();
const details = z.strictObject({
  legal_name: text('Legal name', 200), kind: z.enum(CUSTOMER_KINDS, 'Choose a kind'),
  phone: text('Phone', 40), vat_number: text('VAT number', 20), billing_address: address.nullable(),
});
export type OwnDetails = z.infer<typeof details>;

const STATUSES = ['waiting', 'confirmed', 'declined', 'withdrawn'] as const;
const request = z.object({ id: z.int(), summary: z.string(), status: z.enum(STATUSES), asked_by_name: z.string(),
  reason: z.string(), version: z.int(), created_at: z.string() });
export const ownDetails = z.object({
  id: z.int(), name: z.string(), country: z.string().nullable(),
  legal_name: z.string().nullable(), kind: z.enum(CUSTOMER_KINDS), phone: z.string().nullable(),
  vat_number: z.string().nullable(), billing_address: z.record(z.string(), z.string()).nullable(),
  /** The last one; null where none was ever asked for. */
  request: request.nullable(),
});

const home = '/api/customers/{id}/details';
const office = '/api/admin/staff/customers/{id}/details';

export const ownDetailsEndpoints = {
  show: endpoint({ method: 'GET', path: home, auth: customer(),
    summary: 'The organisation’s own details and its pending change', response: one(ownDetails) }),
  ask: endpoint({ method: 'POST', path: home, auth: customerInPerson('admin'),
    summary: 'Ask to change the details; replaces a pending request',
    body: details.partial().extend({ ship_here: z.boolean().optional() }), response: one(ownDetails) }),
  asked: endpoint({ method: 'PUT', path: `${home}/asked`, auth: customerInPerson('admin'),
    summary: 'Do not ask for the details at the next sign-in', body: z.strictObject({}), response: one(ownDetails) }),
  withdraw: endpoint({ method: 'PUT', path: `${home}/{changeId}/withdraw`, auth: customerInPerson('admin'),
    summary: 'Withdraw the pending change', body: z.strictObject({ version }), response: one(ownDetails) }),
};

export const changeRequestEndpoints = {
  show: endpoint({ method: 'GET', path: office, auth: staff('customer.show'),
    summary: 'A customer’s own details and its pending change', response: one(ownDetails) }),
  approve: endpoint({ method: 'PUT', path: `${office}/{changeId}/confirm`, auth: staff('customer.update'),
    summary: 'Confirm a change requested by a customer', body: z.strictObject({ version }),
    response: one(ownDetails) }),
  decline: endpoint({ method: 'PUT', path: `${office}/{changeId}/decline`, auth: staff('customer.update'),
    summary: 'Decline a change requested by a customer', response: one(ownDetails),
    body: z.strictObject({ version,
      reason: z.string().trim().min(1, 'Give a reason: it is emailed to them').max(500, 'At most 500 characters') }) }),
};
