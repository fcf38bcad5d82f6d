/** What goes on with licences, newest first: last event, performances, takings, royalty (A285). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many } from '#kit/endpoint.ts';
import { currencyCode, divisionCode } from '#kit/field.ts';

export const licenseActivityRow = z.object({
  id: z.int(), license_number: z.string(), title: z.string(), customer_id: z.int(), customer_name: z.string(),
  division: divisionCode, currency: currencyCode, phase: z.string(), last_event: z.string().nullable(),
  last_event_at: z.string().nullable(), performances: z.int(), performed: z.int(), reports: z.int(),
  gross_minor: z.int(), royalty_minor: z.int(), updated_at: z.string(),
});
export type LicenseActivityRow = z.infer<typeof licenseActivityRow>;

export const licenseActivityEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/admin/staff/sales_and_royalties/license_activity',
    auth: staff('license.list'), summary: 'Activity of licences with their performances, takings and royalty',
    response: many(licenseActivityRow), query: listQuery({ filters: { division: divisionCode.optional(),
      phase: z.enum(['licensed', 'in_production', 'settlement', 'closed']).optional() }, sort: ['updated_at'] }) }),
};
