/** What an application would get: rights and price per show, live while it is open, as frozen once it is handed in. */
import { addMonths, diffDays } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import type { AvailabilityAnswer } from '../availability/availability.contract.ts';
import { checkRights, type RightsVenue } from '../availability/check-availability.server.ts';
import type { VenueInput } from '../license-venues/license-venue.contract.ts';
import { previewPrice } from '../pricing/preview-price.server.ts';
import type { PriceAnswer } from '../pricing/pricing.contract.ts';
import type { ApplicationDetail } from './application.contract.ts';
import { applicationVenues, type Application } from './application-record.server.ts';

/** Sooner than this is possible, but says so (domain.md 1.2). */
export const LEAD_DAYS = 42;
/** Further ahead nobody promises rights: hard for customers, a reason for staff. */
export const MONTHS_AHEAD = 18;

export async function warningsOf(ctx: WorkContext, application: Application): Promise<string[]> {
  const first = application.first_performance_on;
  if (first === null || !['draft', 'submitted', 'in_review', 'info_requested'].includes(application.status)) return [];
  const today = await ctx.today(application.division);
  const days = diffDays(today, first);
  if (days < 0) return ['The first performance lies in the past.'];
  if (days < LEAD_DAYS) {
    return [`The first performance is in ${days} days. We usually need ${LEAD_DAYS} days: we will do what we can.`];
  }
  return first > addMonths(today, MONTHS_AHEAD)
    ? [`The first performance is more than ${MONTHS_AHEAD} months ahead.`] : [];
}

type Outlook = ApplicationDetail['outlook'];

export async function outlookOf(
  ctx: WorkContext, application: Application, shows: readonly { show_id: number; title: string }[],
): Promise<Outlook> {
  if (application.status !== 'draft' && application.status !== 'info_requested') {
    return shows.map((show) => ({ show_id: show.show_id, title: show.title,
      availability: application.availability_result?.[String(show.show_id)] ?? null,
      price: application.price_preview?.[String(show.show_id)] ?? null }));
  }
  const out: Outlook = [];
  for (const show of shows) {
    out.push({ show_id: show.show_id, title: show.title,
      availability: await availabilityFor(ctx, application, show.show_id),
      price: await priceFor(ctx, application, show.show_id) });
  }
  return out;
}

export async function availabilityFor(
  ctx: WorkContext, application: Application, showId: number,
): Promise<AvailabilityAnswer> {
  const venues = await applicationVenues(ctx, application.id);
  return checkRights(ctx, {
    show_id: showId, division: application.division, category: application.category,
    classification_id: application.customer_classification_id, license_id: null,
    media: ['stage', ...application.needs_streaming ? ['stream' as const] : [],
      ...application.needs_video ? ['record' as const] : []],
    venues: venues.flatMap((venue): RightsVenue[] => {
      const days = venue.performances.map((row) => row.local_date).toSorted();
      if (days.length === 0) return [];
      return [{ name: venue.name, country: venue.address?.country_code ?? '',
        region: venue.address?.administrative_area ?? null,
        point: venue.lat === null || venue.lng === null ? null : { lat: venue.lat, lng: venue.lng },
        first_performance_on: days[0]!, last_performance_on: days.at(-1)! }];
    }),
  });
}

export async function priceFor(ctx: WorkContext, application: Application, showId: number): Promise<PriceAnswer> {
  const venues = await applicationVenues(ctx, application.id);
  return previewPrice(ctx, {
    show_id: showId, category: application.category, division: application.division, currency: application.currency,
    customer_id: application.customer_id, classification_id: application.customer_classification_id,
    license_venues: venues.map((venue): VenueInput => ({ name: venue.name, address: venue.address, lat: venue.lat,
      lng: venue.lng, time_zone: venue.time_zone, capacity: venue.capacity,
      expected_attendance: venue.expected_attendance, ticketing: venue.ticketing,
      performances: venue.performances.map((row) => ({ ...row, expected_attendance: null })) })),
  });
}
