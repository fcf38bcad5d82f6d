/** Rights and price per show of an application, live while it is open, frozen once it is submitted. */
import { addDays, addMonths, diffDays } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { AvailabilityAnswer } from '../availability/availability.contract.ts';
import { checkRights, type RightsVenue } from '../availability/check-availability.server.ts';
import type { VenueInput } from '../licenses/venues/license-venue.contract.ts';
import type { AddOnChoice } from '../licenses/pricing/offered-add-ons.server.ts';
import { previewPrice } from '../licenses/pricing/preview-price.server.ts';
import type { PriceAnswer } from '../licenses/pricing/pricing.contract.ts';
import { requestedAddOns, type RequestedAddOns } from '../licenses/pricing/requested-add-ons.server.ts';
import type { ApplicationDetail } from './application.contract.ts';
import {
  applicationAddOns, applicationAlternatives, applicationVenues, movedVenues, type Application,
} from './application-record.server.ts';

/** Sooner than this is possible, but says so (domain.md 1.2). */
export const LEAD_DAYS = 42;
/** Further ahead nobody promises rights: hard for customers, a reason for staff. */
export const MONTHS_AHEAD = 18;

export async function warningsOf(ctx: WorkContext, application: Application): Promise<string[]> {
  const first = application.first_performance_on;
  if (first === null || !['draft', 'submitted', 'in_review', 'info_requested'].includes(application.status)) return [];
  return [...await dateWarnings(ctx, application, first), ...await addOnWarnings(ctx, application)];
}

/** An add-on that is not sold for these dates is no part of the price: it is said, never left out in silence. */
async function addOnWarnings(ctx: WorkContext, application: Application): Promise<string[]> {
  const chosen = await applicationAddOns(ctx, application);
  const shows = [...new Set(chosen.map((one) => one.show_id))];
  const sold = (await Promise.all(shows.map((showId) => addOnsFor(ctx, application, showId)))).flat();
  return chosen.filter((one) => !sold.some((row) => row.add_on_id === one.add_on_id))
    .map((one) => `${one.name} is not offered for these dates.`);
}

async function dateWarnings(ctx: WorkContext, application: Application, first: string): Promise<string[]> {
  const today = await ctx.today(application.division);
  const days = diffDays(today, first);
  if (days < 0) return ['The first performance is in the past.'];
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

/** Verdict for the dates applied for, or with the whole run moved by `days`. */
export async function availabilityFor(
  ctx: WorkContext, application: Application, showId: number, days = 0,
): Promise<AvailabilityAnswer> {
  const venues = movedVenues(await applicationVenues(ctx, application.id), days);
  return checkRights(ctx, {
    show_id: showId, division: application.division, category: application.category,
    classification_id: application.customer_classification_id, license_id: null,
    media: ['stage', ...application.needs_streaming ? ['stream' as const] : [],
      ...application.needs_video ? ['record' as const] : []],
    venues: venues.flatMap((venue): RightsVenue[] => {
      const dates = venue.performances.map((row) => row.local_date).toSorted();
      if (dates.length === 0) return [];
      return [{ name: venue.name, country: venue.address?.country_code ?? '',
        region: venue.address?.administrative_area ?? null,
        point: venue.lat === null || venue.lng === null ? null : { lat: venue.lat, lng: venue.lng },
        first_performance_on: dates[0]!, last_performance_on: dates.at(-1)! }];
    }),
  });
}

/** Other dates with their verdicts: live while the application is open, as frozen afterwards. */
export async function alternativesOf(
  ctx: WorkContext, application: Application, shows: readonly { show_id: number }[],
): Promise<ApplicationDetail['alternatives']> {
  const { first_performance_on: first, last_performance_on: last } = application;
  const rows = await applicationAlternatives(ctx, application.id);
  const open = application.status === 'draft' || application.status === 'info_requested';
  const out: ApplicationDetail['alternatives'] = [];
  for (const row of rows) {
    const days = first === null ? 0 : diffDays(first, row.first_performance_on);
    const verdicts: ApplicationDetail['alternatives'][number]['verdicts'] = [];
    for (const { show_id } of shows) {
      verdicts.push({ show_id, availability: open ? await availabilityFor(ctx, application, show_id, days)
        : row.availability_result?.[String(show_id)] ?? null });
    }
    out.push({ rank: row.rank, first_performance_on: row.first_performance_on,
      last_performance_on: last === null ? row.first_performance_on : addDays(last, days), verdicts });
  }
  return out;
}

/** Keeps the verdicts of other dates as they are at this moment. */
export async function freezeAlternatives(
  ctx: WorkContext, application: Application, shows: readonly { show_id: number }[],
): Promise<void> {
  const first = application.first_performance_on;
  if (first === null) return;
  for (const row of await applicationAlternatives(ctx, application.id)) {
    const result: Record<string, AvailabilityAnswer> = {};
    for (const { show_id } of shows) {
      result[String(show_id)] = await availabilityFor(ctx, application, show_id,
        diffDays(first, row.first_performance_on));
    }
    await ctx.db.exec(sql`update license_application_alternatives set availability_result = ${JSON.stringify(result)}
      where license_application_id = ${application.id} and rank = ${row.rank}`);
  }
}

export async function priceFor(ctx: WorkContext, application: Application, showId: number): Promise<PriceAnswer> {
  return previewPrice(ctx, {
    show_id: showId, category: application.category, division: application.division, currency: application.currency,
    customer_id: application.customer_id, classification_id: application.customer_classification_id,
    license_venues: venuesToLicense(application, await applicationVenues(ctx, application.id)),
    add_ons: await addOnsFor(ctx, application, showId),
  });
}

/** The add-ons that a licence for this show starts with. */
export async function addOnsFor(
  ctx: WorkContext, application: Application, showId: number,
): Promise<AddOnChoice[]> {
  return (await requestedFor(ctx, application, showId)).add_ons;
}

/** The same, with the rights that were asked for and that the show sells at no price. */
export async function requestedFor(
  ctx: WorkContext, application: Application, showId: number,
): Promise<RequestedAddOns> {
  return requestedAddOns(ctx.db, { show_id: showId, division: application.division, category: application.category,
    currency: application.currency, first_performance_on: application.first_performance_on,
    chosen: await applicationAddOns(ctx, application),
    needs_video: application.needs_video, needs_streaming: application.needs_streaming });
}

/** The venues as a licence takes them: what is estimated is what is quoted. */
export function venuesToLicense(
  application: Application, venues: ApplicationDetail['license_venues'],
): VenueInput[] {
  return venues.map(({ id: _id, ...venue }): VenueInput => ({ ...venue,
    performances: venue.performances.map(({ id: _performance, ...row }) => ({ ...row,
      is_free: row.is_free || application.is_free_admission })) }));
}
