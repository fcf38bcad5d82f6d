/** Performances of a licence: dates and times as the venue's clock shows them (domain.md 2.2, 7). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, pagedQuery, many, one } from '#kit/endpoint.ts';
import { id, isoDate, localTime, version } from '#kit/field.ts';

export const PERFORMANCE_TYPES = ['public', 'preview', 'matinee', 'school', 'dress_invited', 'gala', 'competition',
  'stream_live', 'stream_vod'] as const;
export const PERFORMANCE_STATUSES = ['planned', 'performed', 'cancelled', 'postponed'] as const;

export const performanceInput = z.strictObject({
  /** Of a performance that stays; without it a new one is made. */
  id: id.optional(),
  local_date: isoDate,
  local_time: localTime,
  type: z.enum(PERFORMANCE_TYPES).default('public'),
  is_free: z.boolean().default(false),
  expected_attendance: z.int().min(0).max(200_000).nullable().optional(),
});
export type PerformanceInput = z.infer<typeof performanceInput>;

export const performanceRow = z.object({
  id: z.int(),
  license_id: z.int(),
  license_venue_id: z.int(),
  venue_name: z.string(),
  ordinal: z.int().nullable(),
  starts_at: z.string(),
  local_date: z.string(),
  local_time: z.string(),
  type: z.enum(PERFORMANCE_TYPES),
  is_free: z.boolean(),
  status: z.enum(PERFORMANCE_STATUSES),
  expected_attendance: z.int().nullable(),
  unit_fee_minor: z.int().nullable(),
  fee_rule: z.string().nullable(),
  currency: z.string(),
  cancel_reason: z.string().nullable(),
  version: z.int(),
});
export type PerformanceRow = z.infer<typeof performanceRow>;

const path = '/api/admin/staff/licenses/{licenseId}/performances';

export const performanceEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.show'), summary: 'Performances of a licence',
    query: pagedQuery({ filters: { license_venue_id: z.coerce.number().int().min(1).optional() },
      sort: ['starts_at'] }),
    response: many(performanceRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('license.update'), summary: 'Add one or many performances',
    body: z.strictObject({ license_venue_id: id,
      rows: z.array(performanceInput.omit({ id: true })).min(1, 'Enter at least one performance').max(1000) }),
    response: all(performanceRow), status: 201 }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('license.update'),
    summary: 'Move a performance of a draft, or set its state',
    body: z.strictObject({
      local_date: isoDate.optional(), local_time: localTime.optional(), type: z.enum(PERFORMANCE_TYPES).optional(),
      is_free: z.boolean().optional(), expected_attendance: z.int().min(0).max(200_000).nullable().optional(),
      status: z.enum(PERFORMANCE_STATUSES).optional(), reason: z.string().trim().max(2000).optional(), version,
    }), response: one(performanceRow) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: staff('license.update'),
    summary: 'Take a performance off a draft', response: null }),
};
