/** Theatres, halls and other places where shows are staged; returns know them under several names (aliases). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, restoring, switching, trashing } from '#kit/bulk.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

export const VENUE_KINDS = ['theatre', 'school_hall', 'arena', 'church', 'outdoor', 'other'] as const;

export const venue = resource({
  name: 'venue', path: '/api/admin/staff/venues', label: ['venue', 'venues'],
  fields: {
    name: field.text('Name', { max: 160 }),
    kind: field.choice('Kind', VENUE_KINDS, { initial: 'theatre' }),
    address: field.partlyKnownAddress(),
    time_zone: field.text('Time zone', { max: 60, initial: 'America/New_York',
      pattern: /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/, message: 'Name a time zone such as America/New_York' }),
    capacity: field.optionalInteger('Capacity', { max: 200_000 }),
    phone: field.optionalText('Phone', { max: 40 }),
    website: field.optionalUrl('Website'),
    active: field.bool('Active', { initial: true }),
  },
  extra: {
    number: z.string(), locality: z.string().nullable(), country_code: z.string().nullable(),
    lat: z.number().nullable(), lng: z.number().nullable(), aliases: z.array(z.string()),
  },
  filters: {
    kind: z.enum(VENUE_KINDS).optional(), country_code: z.string().length(2).optional(),
    active: z.stringbool().optional(), customer_id: z.coerce.number().int().optional(),
  },
  sort: ['name', 'updated_at', 'capacity', 'locality'],
  permissions: {
    list: 'venue.list', show: 'venue.show', create: 'venue.create', update: 'venue.update', remove: 'venue.delete',
  },
});

export type VenueRow = z.infer<typeof venue.row>;
export type VenueInput = z.output<typeof venue.create>;

/** SPEC.md section 3, Ticket row: the rows a new licence at this venue starts from. */
export const venueTicket = z.strictObject({
  label: z.string().trim().max(60).default(''),
  number_of_seats: z.int().min(0).max(200_000).default(0),
  price: z.number().min(0).max(99_999.99).multipleOf(0.01, 'Prices have at most two decimals').default(0),
  weight: z.number().min(0).max(1_000_000).default(0),
});

/** A row as it is answered: prices stand in this currency. */
export const venueTicketRow = venueTicket.extend({ currency: currencyCode });

export const venueEndpoints = {
  ...venue.endpoints,
  aliases: endpoint({ method: 'PUT', path: '/api/admin/staff/venues/{id}/aliases', auth: staff('venue.update'),
    summary: 'Replace the names under which imports know a venue',
    body: z.strictObject({ aliases: z.array(z.string().trim().min(1).max(160)).max(50), version: z.int() }),
    response: one(venue.row) }),
  tickets: endpoint({ method: 'GET', path: '/api/admin/staff/venues/{id}/tickets', auth: staff('venue.show'),
    summary: 'Ticketing preset of a venue', response: all(venueTicketRow) }),
  saveTickets: endpoint({ method: 'PUT', path: '/api/admin/staff/venues/{id}/tickets', auth: staff('venue.update'),
    summary: 'Replace the ticketing preset of a venue', response: all(venueTicketRow),
    body: z.strictObject({ currency: currencyCode, tickets: z.array(venueTicket).max(100) }) }),
};

const VENUES = { noun: ['venue', 'venues'], href: '/admin/venues/{id}' } as const;
export const venueBulk = bulk(venueEndpoints.list, VENUES, [
  ...switching(venueEndpoints.update, 'active', ['Activate', 'Deactivate']), trashing(venueEndpoints),
]);
export const venueTrashBulk = bulk(venueEndpoints.trash, { ...VENUES, href: null }, [restoring(venueEndpoints)]);
