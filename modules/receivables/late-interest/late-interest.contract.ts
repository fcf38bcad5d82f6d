/** Interest on an overdue invoice: how it came about, billed or waived by a person. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, isoDate } from '#kit/field.ts';
import { amountMinor, invoiceDetail, reason } from '../invoices/invoice.contract.ts';

export const NO_INTEREST = ['not_overdue', 'not_agreed', 'no_business', 'no_rate', 'interest_itself',
  'disputed'] as const;

const step = z.object({ from_on: z.string(), to_on: z.string(), days: z.int(), principal_minor: z.int(),
  interest_minor: z.int() });
export const interestCharge = z.object({
  id: z.int(), from_on: z.string(), to_on: z.string(), state: z.enum(['billed', 'waived']), amount_minor: z.int(),
  rate_ppm: z.int(), rate_per: z.enum(['month', 'year']),
  interest_invoice_id: z.int().nullable(), interest_invoice_number: z.string().nullable(), reason: z.string(),
  /** Its bill was credited in full: the days are open again. */
  credited_at: z.string().nullable(), created_by_name: z.string().nullable(), created_at: z.string(),
});
export type InterestCharge = z.infer<typeof interestCharge>;
export const lateInterestDetail = z.object({
  invoice_id: z.int(), currency: currencyCode, due_on: z.string().nullable(), to_on: z.string(),
  /** Null: none can be billed, for the reason beside it. */
  rate: z.object({ ppm: z.int(), per: z.enum(['month', 'year']), basis: z.enum(['contract', 'statutory']),
    license_number: z.string().nullable(), signed_on: z.string().nullable() }).nullable(),
  none: z.enum(NO_INTEREST).nullable(),
  /** Days that are neither billed nor waived, by the amount that was open. */
  steps: z.array(step), amount_minor: z.int(), charges: z.array(interestCharge),
});
export type LateInterestDetail = z.infer<typeof lateInterestDetail>;

const path = '/api/admin/staff/invoices/{id}/late_interest';
export const lateInterestEndpoints = {
  show: endpoint({ method: 'GET', path, auth: staff('invoice.view'),
    summary: 'Interest on an overdue invoice to a day', query: z.strictObject({ to_on: isoDate.optional() }),
    response: one(lateInterestDetail) }),
  bill: endpoint({ method: 'POST', path, auth: staff('invoice.manage_payments'),
    summary: 'Bill the interest on an overdue invoice', status: 201, idempotent: true, response: one(invoiceDetail),
    body: z.strictObject({ to_on: isoDate,
      /** As it was shown; money that came meanwhile changes it (409 `invoice.interest_changed`). */
      amount_minor: amountMinor }) }),
  waive: endpoint({ method: 'POST', path: `${path}/waive`, auth: staff('invoice.manage_payments'),
    summary: 'Waive the interest on an overdue invoice', idempotent: true, response: one(lateInterestDetail),
    body: z.strictObject({ to_on: isoDate, amount_minor: amountMinor, reason }) }),
};
