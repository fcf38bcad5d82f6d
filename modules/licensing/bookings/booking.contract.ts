/** Bookings: performances of everything licensed, by day, for the list and the month (gaps G20, G107; A281). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many } from '#kit/endpoint.ts';
import { divisionCode, isoDate } from '#kit/field.ts';
import { PERFORMANCE_STATUSES, PERFORMANCE_TYPES } from '../licenses/performances/performance.contract.ts';

/** Phases in which a licence is a booking. */
export const BOOKED_PHASES = ['licensed', 'in_production', 'settlement', 'closed', 'cancelled'] as const;

export const bookingRow = z.object({
  /** Of the performance. */
  id: z.int(),
  license_id: z.int(),
  license_number: z.string(),
  phase: z.enum(BOOKED_PHASES),
  division: divisionCode,
  title: z.string(),
  customer_id: z.int(),
  customer_name: z.string(),
  venue_name: z.string(),
  time_zone: z.string(),
  local_date: z.string(),
  local_time: z.string(),
  ordinal: z.int().nullable(),
  type: z.enum(PERFORMANCE_TYPES),
  status: z.enum(PERFORMANCE_STATUSES),
});
export type BookingRow = z.infer<typeof bookingRow>;

export const bookingEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/admin/staff/bookings', auth: staff('license.list'),
    summary: 'Performances of licensed productions by day',
    query: listQuery({ filters: { from: isoDate.optional(), to: isoDate.optional(), division: divisionCode.optional(),
      phase: z.enum(BOOKED_PHASES).optional(), status: z.enum(PERFORMANCE_STATUSES).optional(),
      customer_id: z.coerce.number().int().min(1).optional() }, sort: ['local_date'] }),
    response: many(bookingRow) }),
};
