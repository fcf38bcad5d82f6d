/** The stored application with its shows and venues, as domain code reads it. */
import type { ApplicationStatus } from '#kernel/licensing/application-machine.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { empty, sql } from '#server/sql.ts';
import type { AvailabilityAnswer } from '../availability/availability.contract.ts';
import { priceIn } from '../licenses/pricing/offered-add-ons.server.ts';
import type { PriceAnswer } from '../licenses/pricing/pricing.contract.ts';
import type { ApplicationDetail } from './application.contract.ts';

/** The stored record as domain code reads it. */
export interface Application {
  id: number; number: string | null; status: ApplicationStatus; customer_id: number; source: string;
  division: 'US' | 'EU' | 'UK' | 'PROD'; category: 'Amateur' | 'Pro'; currency: 'USD' | 'EUR' | 'GBP';
  customer_classification_id: number | null; producing_organisation: string; cast_size: number | null;
  orchestration: 'full' | 'reduced' | 'piano' | 'tracks' | null; needs_streaming: boolean; needs_video: boolean;
  first_performance_on: string | null; last_performance_on: string | null; number_of_performances: number;
  license_rep_id: number | null; sla_due_at: string | null; sla_paused_at: string | null; is_free_admission: boolean;
  clearance_expected_on: string | null; override_reason: string | null; message: string;
  availability_result: Record<string, AvailabilityAnswer> | null; price_preview: Record<string, PriceAnswer> | null;
  version: number; updated_at: string; submitted_by_user_id: number | null;
}

export async function findApplication(
  ctx: Pick<WorkContext, 'db'>, id: number, options: { lock?: boolean; customer_id?: number } = {},
): Promise<Application> {
  const row = await ctx.db.maybeOne<Application>(sql`
    select * from license_applications where id = ${id} ${options.lock ? sql`for update` : empty}`);
  if (!row || (options.customer_id !== undefined && row.customer_id !== options.customer_id)) throw refuse('not_found');
  return row;
}

type VenueRow = ApplicationDetail['license_venues'][number];

export function applicationVenues(ctx: WorkContext, id: number): Promise<VenueRow[]> {
  return ctx.db.query<VenueRow>(sql`
    select v.id, v.venue_id, v.name, v.address, v.lat, v.lng, v.time_zone, v.capacity, v.expected_attendance,
      v.deductions,
      coalesce((select jsonb_agg(jsonb_build_object('number_of_seats', number_of_seats, 'price',
        round(price_minor / 100.0, 2), 'weight', weight, 'label', label, 'performance_type',
        performance_type) order by sort, id)
        from license_application_tickets where license_application_venue_id = v.id), '[]') as ticketing,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'local_date', local_date, 'local_time',
        to_char(local_time, 'HH24:MI'), 'type', type, 'is_free', is_free) order by local_date, local_time, id)
        from license_application_performances where license_application_venue_id = v.id), '[]') as performances
    from license_application_venues v where v.license_application_id = ${id} order by v.sort, v.id`);
}

export function applicationShows(ctx: WorkContext, id: number): Promise<ApplicationDetail['shows']> {
  return ctx.db.query(sql`
    select x.show_id, s.show_code, s.title, s.type, x.rank, x.chosen from license_application_shows x
    join shows s on s.id = x.show_id where x.license_application_id = ${id} order by x.rank`);
}

/** Add-ons chosen with the show, priced in the application's currency. */
export function applicationAddOns(ctx: WorkContext, application: Application): Promise<ApplicationDetail['add_ons']> {
  return ctx.db.query(sql`
    select c.add_on_id, t.show_id, t.name, t.kind, t.pricing_model, c.quantity,
      ${priceIn(application.currency)} as price_minor, t.rate_ppm as share_ppm
    from license_application_add_ons c join add_ons t on t.id = c.add_on_id
    where c.license_application_id = ${application.id} order by t.show_id, t.name collate "und-x-icu", t.id`);
}

export interface Alternative {
  rank: number; first_performance_on: string; availability_result: Record<string, AvailabilityAnswer> | null;
}

export function applicationAlternatives(ctx: WorkContext, id: number): Promise<Alternative[]> {
  return ctx.db.query<Alternative>(sql`
    select rank, first_performance_on, availability_result from license_application_alternatives
    where license_application_id = ${id} order by rank`);
}

/** The run moved by whole days. */
export function movedVenues(venues: readonly VenueRow[], days: number): VenueRow[] {
  return venues.map((venue) => ({ ...venue, performances: venue.performances.map((row) => ({ ...row,
    local_date: addDays(row.local_date, days) })) }));
}
