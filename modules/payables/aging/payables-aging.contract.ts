/** Payables aging: amounts owed by payee and age (A106), and when they are expected to be paid. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate } from '#kit/field.ts';

const amounts = {
  current_minor: z.int(), days_1_30_minor: z.int(), days_31_60_minor: z.int(), days_61_90_minor: z.int(),
  days_91_minor: z.int(),
  /** Vendor credits and payments that are applied to nothing: negative. */
  unapplied_minor: z.int(), total_minor: z.int(),
};
export const payablesAging = z.object({
  division: divisionCode, as_of: z.string(), functional_currency: currencyCode,
  rows: z.array(z.object({ party_type: z.string(), party_id: z.int(), party_name: z.string(), currency: currencyCode,
    ...amounts, total_base_minor: z.int() })),
  totals: z.array(z.object({ currency: currencyCode, ...amounts })),
  /** By currency and week, from Monday: what falls due. The first row holds what is due already (`from` null). */
  outflow: z.array(z.object({ currency: currencyCode, from: z.string().nullable(), to: z.string().nullable(),
    minor: z.int(), items: z.int() })),
  /** Base of the open items against the control account. */
  checks: z.array(z.object({ name: z.string(), expected_minor: z.int(), actual_minor: z.int(), ok: z.boolean() })),
});
export type PayablesAging = z.infer<typeof payablesAging>;

export const payablesAgingEndpoints = {
  aging: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/accounts_payable/aging',
    auth: staff('bill.list'), summary: 'Payables by age as of a day, with the expected outflow by week',
    response: one(payablesAging),
    query: z.strictObject({ division: divisionCode.default('US'), as_of: isoDate.optional() }) }),
};
