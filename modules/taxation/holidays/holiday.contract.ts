/** Holidays behind every "business day" of a division (X101 to X103). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { divisionCode, isoDate, oneLine } from '#kit/field.ts';

export const holidayRow = z.object({ id: z.int(), division: divisionCode, on: z.string(), name: z.string() });
const path = '/api/admin/staff/accounting/holidays';
export const holidayEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), summary: 'Holidays of a division',
    response: all(holidayRow), query: z.strictObject({ division: divisionCode.default('US'),
      year: z.coerce.number().int().min(2000).max(2100).optional() }) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.update'), summary: 'Add a holiday',
    response: one(holidayRow), status: 201, body: z.strictObject({ division: divisionCode, on: isoDate,
      name: oneLine('Name', z.string().trim().min(1, 'Name is required').max(120)) }) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: staff('transaction.update'),
    summary: 'Remove a holiday', response: null }),
};
