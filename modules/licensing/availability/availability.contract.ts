/** Whether the rights are free: restrictions of the show, its proximity rule and offers that hold (domain.md 1.5). */
import * as z from 'zod';
import { customer, staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { divisionCode, id, isoDate, version } from '#kit/field.ts';

export const VERDICTS = ['clear', 'needs_clearance', 'blocked'] as const;

export const availabilityRule = z.object({
  source: z.enum(['show', 'restriction', 'proximity']),
  id: z.int().nullable(),
  verdict: z.enum(VERDICTS),
  reason_public: z.string(),
  reason_internal: z.string(),
  venue_name: z.string().nullable(),
});
export const availabilityAnswer = z.object({
  verdict: z.enum(VERDICTS),
  reason_public: z.string(),
  reason_internal: z.string(),
  rules: z.array(availabilityRule),
  /** Dates nearby that are free, in the length asked for. */
  alternatives: z.array(z.object({ from: z.string(), to: z.string() })),
});
export type AvailabilityAnswer = z.infer<typeof availabilityAnswer>;
export const publicAvailability = availabilityAnswer.omit({ reason_internal: true, rules: true });

const place = {
  from: isoDate, to: isoDate,
  venue_id: z.coerce.number().int().min(1).optional(),
  country_code: z.string().length(2).optional(),
  region: z.string().max(120).optional(),
  postal_code: z.string().max(20).optional(),
  category: z.enum(['Amateur', 'Pro']).optional(),
};

export const availabilityEndpoints = {
  check: endpoint({ method: 'GET', path: '/api/admin/staff/availability', auth: staff('license.show'),
    summary: 'Are the rights free?', response: one(availabilityAnswer),
    query: z.strictObject({ show_id: z.coerce.number().int().min(1), ...place, division: divisionCode.optional(),
      media: z.enum(['stage', 'stream', 'record']).optional() }) }),
  customerCheck: endpoint({ method: 'GET', path: '/api/customers/{id}/shows/{showId}/availability', auth: customer(),
    summary: 'Are the rights free?', query: z.strictObject(place), response: one(publicAvailability) }),
  /** For a calendar: the stretches that are not free, in order; the days between are. */
  customerDays: endpoint({ method: 'GET', path: '/api/customers/{id}/shows/{showId}/availability/days',
    auth: customer(), summary: 'Unavailable days, up to 124', query: z.strictObject(place),
    response: all(z.object({ from: z.string(), to: z.string(), verdict: z.enum(VERDICTS),
      reason_public: z.string() })) }),
  ofLicense: endpoint({ method: 'GET', path: '/api/admin/staff/licenses/{licenseId}/availability',
    auth: staff('license.show'), summary: 'Current rights check of a licence',
    response: one(availabilityAnswer.extend({ override_reason: z.string().nullable(),
      override_by_name: z.string().nullable() })) }),
  clear: endpoint({ method: 'PUT', path: '/api/admin/staff/licenses/{licenseId}/clearance',
    auth: staff('license.update'), summary: 'Record that the rights are cleared although a rule says otherwise',
    body: z.strictObject({ version: version, reason: z.string().trim().min(1, 'Give a reason').max(2000).nullable() }),
    response: one(z.object({ license_id: id, version: z.int() })) }),
};
