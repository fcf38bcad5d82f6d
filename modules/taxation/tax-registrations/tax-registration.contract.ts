/** Tax registrations of a division by place and period: without a registration nothing is charged there. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { divisionCode, isoDate, version } from '#kit/field.ts';
import { stateCode } from '../jurisdiction.contract.ts';

export const TAX_SCHEMES = ['vat', 'oss', 'sales_tax', 'ein'] as const;
export const registrationRow = z.object({
  id: z.int(), division: divisionCode, jurisdiction: z.string(), scheme: z.enum(TAX_SCHEMES),
  number: z.string().nullable(), valid_from: z.string(), valid_to: z.string().nullable(),
  state: z.enum(['planned', 'valid', 'ended']), version: z.int(),
});
export type RegistrationRow = z.infer<typeof registrationRow>;

const number = z.string().trim().max(60).nullable();
const path = '/api/admin/staff/accounting/tax_registrations';
export const registrationEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), summary: 'Tax registrations of a division',
    response: all(registrationRow), query: z.strictObject({ division: divisionCode.default('US') }) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.update'), summary: 'Add a tax registration',
    response: one(registrationRow), status: 201, body: z.strictObject({ division: divisionCode,
      jurisdiction: stateCode,
      scheme: z.enum(TAX_SCHEMES), number: number.default(null), valid_from: isoDate }) }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('transaction.update'),
    summary: 'Enter the number of a tax registration, or end it', response: one(registrationRow),
    body: z.strictObject({ number: number.optional(), valid_to: isoDate.nullable().optional(), version }) }),
};
