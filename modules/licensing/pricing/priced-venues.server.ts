/** The venues of a licence as pricing reads them: ticket prices, attendance, performances. */
import { parseWeight, type TicketingRow } from '#kernel/pricing/potentials.ts';
import type { PriceVenue } from '#kernel/pricing/price-types.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

interface TicketJson { number_of_seats: number; price_minor: number; weight: string | number }

export function ticketingRows(rows: readonly TicketJson[]): TicketingRow[] {
  return rows.map((row) => ({ number_of_seats: row.number_of_seats, price_minor: BigInt(row.price_minor),
    weight_e4: parseWeight(String(row.weight)) ?? 0n }));
}

export async function pricedVenues(
  db: Queryable, licenseId: number,
): Promise<{ venues: PriceVenue[]; addresses: Map<number, Record<string, string> | null> }> {
  const venues = await db.query<{ id: number; name: string; address: Record<string, string> | null;
    expected_attendance: number | null; tickets: TicketJson[] }>(sql`
    select v.id, v.name, v.address, v.expected_attendance,
      coalesce((select jsonb_agg(jsonb_build_object('number_of_seats', number_of_seats, 'price_minor', price_minor,
        'weight', weight::text) order by sort, id) from license_venue_tickets where license_venue_id = v.id), '[]')
        as tickets
    from license_venues v where v.license_id = ${licenseId} order by v.sort, v.id`);
  const performances = await db.query<{ id: number; license_venue_id: number; starts_at: string; local_date: string;
    is_free: boolean; status: 'planned' | 'performed' | 'cancelled' | 'postponed'; expected_attendance: number | null;
    tickets: TicketJson[] }>(sql`
    select p.id, p.license_venue_id, p.starts_at, p.local_date, p.is_free, p.status, p.expected_attendance,
      coalesce((select jsonb_agg(jsonb_build_object('number_of_seats', number_of_seats, 'price_minor', price_minor,
        'weight', weight::text) order by sort, id) from performance_tickets where performance_id = p.id),
          '[]') as tickets
    from performances p where p.license_id = ${licenseId} order by p.starts_at, p.id`);
  return {
    venues: venues.map((venue) => ({
      id: venue.id, name: venue.name, ticketing: ticketingRows(venue.tickets),
      expected_attendance: venue.expected_attendance,
      performances: performances.filter((row) => row.license_venue_id === venue.id).map((row) => ({
        id: row.id, starts_at: row.starts_at, local_date: row.local_date, is_free: row.is_free, status: row.status,
        expected_attendance: row.expected_attendance,
        ticketing_override: row.tickets.length > 0 ? ticketingRows(row.tickets) : null,
      })),
    })),
    addresses: new Map(venues.map((venue) => [venue.id, venue.address])),
  };
}
