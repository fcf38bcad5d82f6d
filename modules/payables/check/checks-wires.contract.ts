/** Checks and wires out (A105): every payment that left or will leave by check or wire. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many } from '#kit/endpoint.ts';
import { currencyCode, divisionCode } from '#kit/field.ts';

const STATUSES = ['draft', 'approved', 'posted', 'cleared', 'returned', 'void', 'reversed'] as const;
export const checkWireRow = z.object({
  id: z.int(), number: z.string(), kind: z.string(), method: z.enum(['check', 'wire']), status: z.enum(STATUSES),
  division: divisionCode, currency: currencyCode, payee: z.string(), bank_account: z.string(), amount_minor: z.int(),
  paid_on: z.string(), check_id: z.int().nullable(), check_number: z.string().nullable(), updated_at: z.string(),
});
export type CheckWireRow = z.infer<typeof checkWireRow>;

export const checksWiresEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/accounts_payable/checks_wires',
    auth: staff('payment.list'), summary: 'List payments by check and wire', response: many(checkWireRow),
    query: listQuery({ filters: { method: z.enum(['check', 'wire']).optional(), division: divisionCode.optional(),
      status: z.enum(STATUSES).optional() }, sort: ['paid_on', 'number', 'amount_minor'] }) }),
};
