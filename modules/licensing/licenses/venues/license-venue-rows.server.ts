/** Rows of licence venues with their price bands, as every screen reads them. */
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { LicenseVenueRow } from './license-venue.contract.ts';

export const licenseVenueColumns = sql`t.id, t.license_id, t.venue_id, t.name, t.address, t.lat, t.lng, t.time_zone,
  t.capacity, t.seats_offered, t.expected_attendance, t.opening_on, t.closing_on, t.number_of_performances, l.currency,
  t.capacity_gross_minor, t.weighted_gross_minor, t.weighted_avg_price_minor, t.unit_fee_minor, t.royalty_minor,
  t.sort, t.deductions, t.version,
  coalesce((select jsonb_agg(jsonb_build_object('number_of_seats', k.number_of_seats,
    'price', round(k.price_minor / 100.0, 2), 'weight', k.weight, 'label', k.label, 'performance_type',
    k.performance_type) order by k.sort, k.id)
    from license_venue_tickets k where k.license_venue_id = t.id), '[]') as ticketing`;

export function licenseVenueRows(db: Queryable, condition: Sql): Promise<LicenseVenueRow[]> {
  return db.query<LicenseVenueRow>(sql`
    select ${licenseVenueColumns} from license_venues t join licenses l on l.id = t.license_id
    where ${condition} order by t.license_id, t.sort, t.id`);
}
