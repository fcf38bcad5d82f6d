/** Venues of a licence with their ticketing tables (SPEC.md section 3, Ticket row; domain.md 2.1). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint, pagedQuery, many, one } from '#kit/endpoint.ts';
import { address, id, knownAddress, oneLine, version } from '#kit/field.ts';
import { DEDUCTION_TYPES } from '#kernel/pricing/rate-card.ts';
import { PERFORMANCE_TYPES, performanceInput } from '../performances/performance.contract.ts';

const text = (label: string, max: number) => z.string().trim().max(max, `${label} is longer than ${max} characters`);
const line = (label: string, max: number) => oneLine(label, text(label, max));
const decimals = (places: number) => new RegExp(`^-?\\d+(\\.\\d{1,${places}})?$`);

/** SPEC's names and types: a price is a number with two decimals, a weight a number with at most four. */
export const ticketRow = z.strictObject({
  number_of_seats: z.int('Seats must be a whole number').min(0, 'Seats cannot be negative')
    .max(200_000, 'At most 200,000 seats'),
  price: z.number('Price must be a number').min(0, 'A price cannot be negative').max(99_999.99, 'At most 99,999.99')
    .refine((price) => decimals(2).test(String(price)), 'Use at most two decimals'),
  weight: z.number('Weight must be a number').min(0, 'A weight cannot be negative').max(1_000_000, 'At most 1,000,000')
    .refine((weight) => decimals(4).test(String(weight)), 'Use at most four decimals'),
  label: line('Label', 120).optional(),
  /** Seats and prices of one type of performance; null or absent: of every type without bands of its own. */
  performance_type: z.enum(PERFORMANCE_TYPES).nullable().optional(),
});
export type TicketRow = z.infer<typeof ticketRow>;
export const ticketing = z.array(ticketRow).max(200, 'At most 200 price bands');

/** Deductions of a venue from the gross, at most in parts per million of it. */
export const venueDeductions = z.array(z.strictObject({ type: z.enum(DEDUCTION_TYPES),
  cap_ppm: z.int('Enter the percentage').min(0).max(1_000_000, 'At most 100%') })).max(20)
  .refine((rows) => new Set(rows.map((row) => row.type)).size === rows.length, 'A deduction is named twice');

const place = {
  /** A venue of ours; without one the name is required and the address is the licence's own. */
  venue_id: id.nullable().optional(),
  name: line('Venue name', 200).optional(),
  address: address.nullable().optional(),
  lat: z.number().min(-90).max(90).nullable().optional(),
  lng: z.number().min(-180).max(180).nullable().optional(),
  time_zone: text('Time zone', 60).optional(),
  capacity: z.int().min(0).max(200_000).nullable().optional(),
  expected_attendance: z.int().min(0).max(200_000).nullable().optional(),
};

/** A venue as an application, a preview or an amendment names it: place, price bands, performances. */
export const venueInput = z.strictObject({
  id: id.optional(), ...place, ticketing: ticketing.optional(), deductions: venueDeductions.optional(),
  performances: z.array(performanceInput).max(1000, 'At most 1,000 performances').optional(),
});
export type VenueInput = z.infer<typeof venueInput>;
export const venueInputs = z.array(venueInput).max(100, 'At most 100 venues');

export const licenseVenueRow = z.object({
  id: z.int(),
  license_id: z.int(),
  venue_id: z.int().nullable(),
  name: z.string(),
  address: knownAddress.nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  time_zone: z.string(),
  capacity: z.int().nullable(),
  seats_offered: z.int().nullable(),
  expected_attendance: z.int().nullable(),
  opening_on: z.string().nullable(),
  closing_on: z.string().nullable(),
  number_of_performances: z.int(),
  currency: z.string(),
  capacity_gross_minor: z.int().nullable(),
  weighted_gross_minor: z.int().nullable(),
  weighted_avg_price_minor: z.int().nullable(),
  unit_fee_minor: z.int().nullable(),
  royalty_minor: z.int().nullable(),
  sort: z.int(),
  ticketing: z.array(ticketRow),
  deductions: venueDeductions,
  version: z.int(),
});
export type LicenseVenueRow = z.infer<typeof licenseVenueRow>;

const path = '/api/admin/staff/licenses/{licenseId}/license_venues';

export const licenseVenueEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('license.show'), summary: 'Venues of a licence',
    query: pagedQuery({ filters: {}, sort: ['sort'] }), response: many(licenseVenueRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('license.update'), summary: 'Add a venue', body: venueInput,
    response: one(licenseVenueRow), status: 201 }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('license.update'),
    summary: 'Change a venue and its price bands', body: z.strictObject({ ...venueInput.shape, version }),
    response: one(licenseVenueRow) }),
  remove: endpoint({ method: 'DELETE', path: `${path}/{id}`, auth: staff('license.update'),
    summary: 'Take a venue off a draft', response: null }),
  sync: endpoint({ method: 'POST', path: `${path}/sync`, auth: staff('license.update'),
    summary: 'Replace the venues of a draft, price bands and (where given) performances included',
    body: z.strictObject({ license_venues: venueInputs }), response: all(licenseVenueRow) }),
};
