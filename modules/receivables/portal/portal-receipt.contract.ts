/** A payment that a customer made: what it settled, what is left of it, and its receipt. */
import * as z from 'zod';
import { customer } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode } from '#kit/field.ts';

const portalReceipt = z.object({
  id: z.int(), number: z.string(), division: divisionCode, currency: currencyCode, amount_minor: z.int(),
  paid_on: z.string(), method: z.string(), reference: z.string(),
  /** Day on which the bank took it back. */
  returned_on: z.string().nullable(),
  settled: z.array(z.object({ invoice_id: z.int(), number: z.string().nullable(),
    license_title: z.string().nullable(), settled_minor: z.int() })),
  /** The deposit that it is, whole. */
  deposit: z.object({ id: z.int(), license_title: z.string() }).nullable(),
  /** On account, for the next invoices. */
  left_minor: z.int(),
  /** Refunded to the customer, or taken back by the bank or the card company. */
  given_back_minor: z.int(),
});
export type PortalReceipt = z.infer<typeof portalReceipt>;

const path = '/api/customers/{id}/receipts/{receiptId}';
export const portalReceiptEndpoints = {
  show: endpoint({ method: 'GET', path, auth: customer(), summary: 'A payment received from a customer',
    response: one(portalReceipt) }),
  document: endpoint({ method: 'GET', path: `${path}/document`, auth: customer(),
    summary: 'The receipt of a customer as PDF', response: 'file' }),
};
