/** The venues of a licence as pricing reads them: ticket prices by type, attendance, performances. */
import { parseWeight, type TicketingRow } from '#kernel/pricing/potentials.ts';
import { bandsOfType, performancesOfType, usualBands } from '#kernel/pricing/price-bands.ts';
import type { PricePerformance, PriceVenue } from '#kernel/pricing/price-types.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

interface TicketJson {
  number_of_seats: number; price_minor: number; weight: string | number; performance_type?: string | null;
}

export function ticketingRows(rows: readonly TicketJson[]): TicketingRow[] {
  return rows.map((row) => ({ number_of_seats: row.number_of_seats, price_minor: BigInt(row.price_minor),
    weight_e4: parseWeight(String(row.weight)) ?? 0n }));
}

/** A venue as stored or typed, its bands not yet given to its performances. */
interface BandedVenue {
  id: number; name: string; expected_attendance: number | null; tickets: readonly TicketJson[];
  performances: readonly (Omit<PricePerformance, 'kind' | 'ticketing_override'>
    & { type: string; tickets: readonly TicketJson[] })[];
}

/** Every performance with the bands that count for it: its own, those of its type, those of the venue. */
export function withBands(venue: BandedVenue): PriceVenue {
  const { tickets, performances, ...place } = venue;
  return {
    ...place, ticketing: ticketingRows(usualBands(tickets)),
    performances: performances.map(({ type, tickets: own, ...performance }) => {
      const ofType = bandsOfType(tickets, type);
      const rows = own.length > 0 ? own : ofType.rows;
      return { ...performance, ticketing_override: ticketingRows(rows),
        ...(own.length === 0 && ofType.own && { kind: performancesOfType(type) }) };
    }),
  };
}

export async function pricedVenues(
  db: Queryable, licenseId: number,
): Promise<{ venues: PriceVenue[]; addresses: Map<number, Record<string, string> | null> }> {
  const venues = await db.query<{ id: number; name: string; address: Record<string, string> | null;
    expected_attendance: number | null; tickets: TicketJson[] }>(sql`
    select v.id, v.name, v.address, v.expected_attendance,
      coalesce((select jsonb_agg(jsonb_build_object('number_of_seats', number_of_seats, 'price_minor', price_minor,
        'weight', weight::text, 'performance_type', performance_type) order by sort, id)
        from license_venue_tickets where license_venue_id = v.id), '[]') as tickets
    from license_venues v where v.license_id = ${licenseId} order by v.sort, v.id`);
  const performances = await db.query<BandedVenue['performances'][number] & { license_venue_id: number }>(sql`
    select p.id, p.license_venue_id, p.starts_at, p.local_date, p.type, p.is_free, p.status, p.expected_attendance,
      coalesce((select jsonb_agg(jsonb_build_object('number_of_seats', number_of_seats, 'price_minor', price_minor,
        'weight', weight::text) order by sort, id) from performance_tickets where performance_id = p.id),
          '[]') as tickets
    from performances p where p.license_id = ${licenseId} order by p.starts_at, p.id`);
  return {
    venues: venues.map(({ address: _address, ...venue }) => withBands({ ...venue,
      performances: performances.filter((row) => row.license_venue_id === venue.id)
        .map(({ license_venue_id: _venue, ...row }) => row) })),
    addresses: new Map(venues.map((venue) => [venue.id, venue.address])),
  };
}
