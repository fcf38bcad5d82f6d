/** Writes the venues of an application with their price bands, deductions and performances; they replace the former. */
import { MOST_PERFORMANCES, sameTime, tooManyText } from '#kernel/licensing/performance-series.ts';
import { invalidField } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { TicketRow, VenueInput } from '../licenses/venues/license-venue.contract.ts';
import { placeOf, priceMinor } from '../licenses/venues/save-venues.server.ts';
import type { PerformanceInput } from '../licenses/performances/performance.contract.ts';

/** Errors: 422 at the venue, the performance or the price band. */
export async function saveApplicationVenues(db: Queryable, id: number, venues: readonly VenueInput[]): Promise<void> {
  refuseTwice(venues);
  refuseTooMany(venues);
  const own = sql`select id from license_application_venues where license_application_id = ${id}`;
  await db.exec(sql`delete from license_application_tickets where license_application_venue_id in (${own})`);
  await db.exec(sql`delete from license_application_performances where license_application_venue_id in (${own})`);
  await db.exec(sql`delete from license_application_venues where license_application_id = ${id}`);
  for (const [index, venue] of venues.entries()) await saveVenue(db, id, venue, index);
}

function refuseTwice(venues: readonly VenueInput[]): void {
  const seen = new Set<number>();
  for (const [index, { venue_id: venueId }] of venues.entries()) {
    if (venueId && seen.has(venueId)) {
      throw invalidField(`license_venues.${index}.venue_id`,
        'This venue is on the list already: enter its other dates there');
    }
    if (venueId) seen.add(venueId);
  }
}

function refuseTooMany(venues: readonly VenueInput[]): void {
  let count = 0;
  let over = 0;
  for (const [index, venue] of venues.entries()) {
    count += venue.performances?.length ?? 0;
    if (count <= MOST_PERFORMANCES) over = index + 1;
  }
  if (count > MOST_PERFORMANCES) throw invalidField(`license_venues.${over}.performances`, tooManyText(count));
}

async function saveVenue(db: Queryable, id: number, venue: VenueInput, index: number): Promise<void> {
  const at = (field: string): string => `license_venues.${index}.${field}`;
  const place = await placeOf(db, venue, at);
  const row = await db.one<{ id: number }>(sql`
    insert into license_application_venues (license_application_id, venue_id, name, address, lat, lng, time_zone,
      capacity, expected_attendance, deductions, sort)
    values (${id}, ${place.venue_id}, ${place.name}, ${place.address === null ? null : JSON.stringify(place.address)},
      ${place.lat}, ${place.lng}, ${place.time_zone}, ${place.capacity}, ${place.expected_attendance},
      ${JSON.stringify(place.deductions)}, ${index})
    returning id`);
  await saveTickets(db, row.id, venue.ticketing ?? []);
  await savePerformances(db, row.id, venue.performances ?? [], at);
}

async function saveTickets(db: Queryable, venueId: number, rows: readonly TicketRow[]): Promise<void> {
  await db.exec(sql`
    insert into license_application_tickets (license_application_venue_id, sort, label, number_of_seats, price_minor,
      weight, performance_type)
    select ${venueId}, r.sort - 1, r.label, r.seats, r.price_minor, r.weight, r.type
    from unnest(${rows.map((row) => row.label ?? '')}::text[], ${rows.map((row) => row.number_of_seats)}::int[],
      ${rows.map((row) => priceMinor(row.price))}::bigint[], ${rows.map((row) => String(row.weight))}::numeric[],
      ${rows.map((row) => row.performance_type ?? null)}::text[])
      with ordinality as r (label, seats, price_minor, weight, type, sort)`);
}

async function savePerformances(
  db: Queryable, venueId: number, rows: readonly PerformanceInput[], at: (field: string) => string,
): Promise<void> {
  const twice = sameTime(rows);
  if (twice >= 0) {
    throw invalidField(at(`performances.${twice}.local_time`), 'Another performance starts at this time');
  }
  await db.exec(sql`
    insert into license_application_performances (license_application_venue_id, local_date, local_time, type, is_free)
    select ${venueId}, r.d, r.t, r.type, r.is_free
    from unnest(${rows.map((row) => row.local_date)}::date[], ${rows.map((row) => row.local_time)}::time[],
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.is_free)}::boolean[])
      as r (d, t, type, is_free)`);
}
