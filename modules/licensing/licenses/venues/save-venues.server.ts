/**
 * Writes venues, price bands and performances of a licence and counts the run anew. A draft replaces what is not
 * named; a signed licence never loses a performance: what is not named stays, what goes is cancelled with its reason.
 */
import { invalid, invalidField, type FieldErrors } from '#kit/errors.ts';
import { decimalPrice, parseMinor } from '#kernel/money/money.ts';
import { zoneOfPlace } from '#kernel/address/place-zone.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../license-record.server.ts';
import { countRun, savePerformances } from '../performances/save-performances.server.ts';
import type { TicketRow, VenueInput } from './license-venue.contract.ts';

export interface Place {
  venue_id: number | null;
  name: string;
  address: Record<string, string> | null;
  lat: number | null;
  lng: number | null;
  time_zone: string;
  capacity: number | null;
  expected_attendance: number | null;
  deductions: { type: string; cap_ppm: number }[];
}

/** Saves the venues in the order given and answers their ids. `replace` deletes the ones that are not named (draft). */
export async function saveVenues(
  ctx: WorkContext, license: License, venues: readonly VenueInput[], options: { replace: boolean; at?: string },
): Promise<number[]> {
  const known = await ctx.db.query<{ id: number }>(sql`
    select id from license_venues where license_id = ${license.id}`);
  const own = new Set(known.map((row) => row.id));
  const foreign = venues.findIndex((venue) => venue.id !== undefined && !own.has(venue.id));
  if (foreign >= 0) throw invalidField(at(options, foreign, 'id'), spell`This venue belongs to another license`);
  if (options.replace) await dropOthers(ctx.db, license.id, venues.flatMap((venue) => venue.id ?? []));
  const ids: number[] = [];
  for (const [index, venue] of venues.entries()) {
    const id = venue.id === undefined ? await insertVenue(ctx.db, license, venue, index, options)
      : await updateVenue(ctx.db, venue.id, venue, options.replace ? index : null, options);
    ids.push(id);
    if (venue.performances) {
      await savePerformances(ctx, license, id, venue.performances,
        { replace: options.replace, at: at(options, index, 'performances') });
    }
  }
  await countRun(ctx.db, license.id);
  return ids;
}

function at(options: { at?: string }, index: number, field: string): string {
  return `${options.at ?? 'license_venues'}.${index}.${field}`;
}

async function dropOthers(db: Queryable, licenseId: number, kept: number[]): Promise<void> {
  const gone = sql`select id from license_venues where license_id = ${licenseId} and id <> all (${kept})`;
  await db.exec(sql`delete from license_charges where license_venue_id in (${gone})`);
  await db.exec(sql`delete from performance_tickets where performance_id in
    (select id from performances where license_venue_id in (${gone}))`);
  await db.exec(sql`delete from performances where license_venue_id in (${gone})`);
  await db.exec(sql`delete from license_venue_tickets where license_venue_id in (${gone})`);
  await db.exec(sql`delete from license_venues where license_id = ${licenseId} and id <> all (${kept})`);
}

/** The place a venue input names: a venue of ours with what the input overrides, or one of the licence's own. */
export async function placeOf(
  db: Queryable, venue: VenueInput, field: (name: string) => string, before: Partial<Place> = {},
): Promise<Place> {
  const named = venue.venue_id ? await db.maybeOne<Place & { name: string }>(sql`
    select id as venue_id, name, address, lat, lng, time_zone, capacity, null::integer as expected_attendance,
      '[]'::jsonb as deductions
    from venues where id = ${venue.venue_id} and deleted_at is null`) : null;
  if (venue.venue_id && !named) throw invalidField(field('venue_id'), 'This venue does not exist');
  const base = named ?? before;
  const address = venue.address === undefined ? base.address ?? null : venue.address as Place['address'];
  const place: Place = {
    venue_id: venue.venue_id === undefined ? before.venue_id ?? null : venue.venue_id,
    name: venue.name || base.name || '',
    address,
    lat: venue.lat === undefined ? base.lat ?? null : venue.lat,
    lng: venue.lng === undefined ? base.lng ?? null : venue.lng,
    time_zone: venue.time_zone || base.time_zone || zoneOfPlace(address) || 'America/New_York',
    capacity: venue.capacity === undefined ? base.capacity ?? null : venue.capacity,
    expected_attendance: venue.expected_attendance === undefined ? before.expected_attendance ?? null
      : venue.expected_attendance,
    deductions: venue.deductions ?? before.deductions ?? [],
  };
  const errors: FieldErrors = {};
  if (place.name === '') errors[field('name')] = ['The name of the venue is required'];
  if (!isTimeZone(place.time_zone)) errors[field('time_zone')] = ['This time zone does not exist'];
  if ((place.lat === null) !== (place.lng === null)) errors[field('lat')] = ['Give latitude and longitude together'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return place;
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

async function insertVenue(
  db: Queryable, license: License, venue: VenueInput, index: number, options: { at?: string },
): Promise<number> {
  const place = await placeOf(db, venue, (name) => at(options, index, name));
  const row = await db.one<{ id: number }>(sql`
    insert into license_venues (license_id, venue_id, name, address, lat, lng, time_zone, capacity,
      expected_attendance, deductions, sort)
    values (${license.id}, ${place.venue_id}, ${place.name}, ${json(place.address)}, ${place.lat}, ${place.lng},
      ${place.time_zone}, ${place.capacity}, ${place.expected_attendance}, ${JSON.stringify(place.deductions)},
      (select coalesce(max(sort) + 1, 0) from license_venues where license_id = ${license.id})) returning id`);
  await saveTickets(db, row.id, venue.ticketing ?? await defaultTickets(db, place.venue_id, license.currency));
  return row.id;
}

async function updateVenue(
  db: Queryable, id: number, venue: VenueInput, sort: number | null, options: { at?: string },
): Promise<number> {
  const before = await db.one<Place>(sql`
    select venue_id, name, address, lat, lng, time_zone, capacity, expected_attendance, deductions from license_venues
    where id = ${id}`);
  const moved = venue.venue_id !== undefined && venue.venue_id !== before.venue_id;
  const place = await placeOf(db, venue, (name) => at(options, sort ?? 0, name),
    moved ? { venue_id: null, expected_attendance: before.expected_attendance, deductions: before.deductions }
      : before);
  await db.exec(sql`
    update license_venues set venue_id = ${place.venue_id}, name = ${place.name}, address = ${json(place.address)},
      lat = ${place.lat}, lng = ${place.lng}, time_zone = ${place.time_zone}, capacity = ${place.capacity},
      expected_attendance = ${place.expected_attendance}, deductions = ${JSON.stringify(place.deductions)},
      sort = coalesce(${sort}, sort), version = version + 1
    where id = ${id}`);
  if (place.time_zone !== before.time_zone) {
    await db.exec(sql`update performances set starts_at = (local_date + local_time) at time zone ${place.time_zone}
      where license_venue_id = ${id}`);
  }
  if (venue.ticketing) await saveTickets(db, id, venue.ticketing);
  return id;
}

async function saveTickets(db: Queryable, venueId: number, rows: readonly TicketRow[]): Promise<void> {
  await db.exec(sql`delete from license_venue_tickets where license_venue_id = ${venueId}`);
  if (rows.length > 0) {
    await db.exec(sql`
      insert into license_venue_tickets (license_venue_id, sort, label, number_of_seats, price_minor, weight,
        performance_type)
      select ${venueId}, r.sort - 1, r.label, r.seats, r.price_minor, r.weight, r.type
      from unnest(${rows.map((row) => row.label ?? '')}::text[], ${rows.map((row) => row.number_of_seats)}::int[],
        ${rows.map((row) => priceMinor(row.price))}::bigint[], ${rows.map((row) => String(row.weight))}::numeric[],
        ${rows.map((row) => row.performance_type ?? null)}::text[])
        with ordinality as r (label, seats, price_minor, weight, type, sort)`);
  }
  await db.exec(sql`
    update license_venues v set seats_offered = (select coalesce(max(seats), 0) from (
      select sum(number_of_seats) as seats from license_venue_tickets where license_venue_id = v.id
      group by performance_type) k) where id = ${venueId}`);
}

/** Of a price as SPEC writes it (a number with two decimals), through its decimal text, never by multiplication. */
export function priceMinor(price: number): number {
  const minor = parseMinor(String(price));
  if (minor === null) throw invalidField('price', 'Use at most two decimals');
  return Number(minor);
}

/** The rows a licence at this venue starts from; SPEC's empty row where the venue has none. */
async function defaultTickets(db: Queryable, venueId: number | null, currency: string): Promise<TicketRow[]> {
  const rows = venueId === null ? [] : await db.query<{ label: string; number_of_seats: number; price_minor: number;
    weight: string }>(sql`
    select label, number_of_seats, price_minor, weight from venue_default_tickets
    where venue_id = ${venueId} and currency = ${currency} order by sort, id`);
  if (rows.length === 0) return [{ number_of_seats: 0, price: 0, weight: 0 }];
  return rows.map((row) => ({ label: row.label, number_of_seats: row.number_of_seats,
    price: decimalPrice(row.price_minor), weight: Number(row.weight) }));
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
