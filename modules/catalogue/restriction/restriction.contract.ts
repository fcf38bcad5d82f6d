/** Restrictions that close a show: place, time and licensees, with the reason in plain words (domain.md 1.5). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, id, isoDate, localTime, version } from '#kit/field.ts';
import { CATEGORIES } from '../rate-card/rate-card.contract.ts';

export const RESTRICTION_KINDS = ['blocked', 'needs_clearance', 'max_n'] as const;
export const MEDIA = ['stage', 'stream', 'record'] as const;

/** Empty lists and nulls match everything. */
export const restrictionInput = z.strictObject({
  kind: z.enum(RESTRICTION_KINDS, 'Choose what the rule does'),
  max_n: z.int().min(0).max(10_000).nullable().default(null),
  division: divisionCode.nullable().default(null),
  country: z.string().regex(/^[A-Z]{2}$/, 'Choose a country').nullable().default(null),
  region: z.string().trim().min(1).max(120).nullable().default(null),
  lat: z.number().min(-90).max(90).nullable().default(null),
  lng: z.number().min(-180).max(180).nullable().default(null),
  radius_km: z.number().min(0.001, 'Farther than 0').max(20_040).nullable().default(null),
  date_from: isoDate,
  date_to: isoDate.nullable().default(null),
  categories: z.array(z.enum(CATEGORIES)).max(2).default([]),
  customer_classification_id: id.nullable().default(null),
  media: z.array(z.enum(MEDIA)).max(3).default([]),
  starts_from: localTime.nullable().default(null),
  starts_before: localTime.nullable().default(null),
  reason_public: z.string().trim().min(1, 'Say why, in words a customer may read').max(500),
  reason_internal: z.string().trim().max(2000).default(''),
});
export type RestrictionInput = z.output<typeof restrictionInput>;

export const restrictionRow = z.object({
  id: z.int(), show_id: z.int(), ...restrictionInput.shape,
  classification_name: z.string().nullable(),
  /** The licence whose exclusive run made this rule. */
  source_license_id: z.int().nullable(),
  /** "Pro · United States · within 80 km": where and to whom, in words. */
  scope: z.string(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type RestrictionRow = z.infer<typeof restrictionRow>;

export const DAY_VERDICTS = ['clear', 'partly', 'limited', 'needs_clearance', 'blocked'] as const;
export type DayVerdict = (typeof DAY_VERDICTS)[number];
/** One day of the availability calendar. `partly`: a rule closes some places or customers that day, not all. */
export const calendarDay = z.object({
  date: isoDate,
  verdict: z.enum(DAY_VERDICTS),
  reasons: z.array(z.object({ restriction_id: z.int().nullable(), kind: z.string(), scope: z.string(),
    reason_public: z.string(), reason_internal: z.string() })),
});
export type CalendarDay = z.infer<typeof calendarDay>;

const path = '/api/admin/staff/shows/{showId}/restrictions';

export const restrictionEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('show.show'), summary: 'List the restrictions of a show',
    query: listQuery({ filters: {}, sort: ['date_from', 'updated_at'] }), response: many(restrictionRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('show.update'), summary: 'Restrict a show',
    body: restrictionInput, response: one(restrictionRow), status: 201 }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}` as const, auth: staff('show.update'),
    summary: 'Change a restriction', body: z.strictObject({ ...restrictionInput.shape, version }),
    response: one(restrictionRow) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}` as const, auth: staff('show.update'),
    summary: 'Lift a restriction', response: null }),
  calendar: endpoint({ method: 'GET', path: '/api/admin/staff/shows/{showId}/availability_calendar',
    auth: staff('show.show'), summary: 'Availability of a show, day by day', response: all(calendarDay),
    query: z.strictObject({ from: isoDate, to: isoDate, division: divisionCode.optional(),
      category: z.enum(CATEGORIES).optional(), country: z.string().length(2).optional(),
      medium: z.enum(MEDIA).optional() }) }),
};
