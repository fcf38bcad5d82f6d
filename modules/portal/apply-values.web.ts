/** The application form's own values and what of them goes over the wire; pure. Prices are minor units. */
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import { offerExpiresAt, SHIP_LEAD_DAYS } from '#kernel/licensing/clocks.ts';
import type { BodyIn } from '#kit/endpoint.ts';
import type { applicationEndpoints, CustomerApplication,
} from '#modules/licensing/applications/application.contract.ts';
import type { Address } from '#web/controls/address-rules.ts';
import type { Place, PriceQuestion } from './use-live.web.ts';

export interface Night { day: string; time: string | null }
export interface Band { key: number; label: string; seats: number | null; price: number | null }
export interface ApplyValues {
  /** null: a place of its own, by name and address. */
  venue_id: number | null;
  venue_name: string;
  address: Address;
  nights: readonly Night[];
  bands: readonly Band[];
  producing_organisation: string;
  cast_size: number | null;
  purpose: 'season' | 'competition' | 'fundraiser' | 'camp' | 'excerpt';
  union_status: 'none' | 'AEA' | 'SPT' | 'guest_artist' | 'LORT' | 'Equity UK';
  is_free_admission: boolean;
  needs_video: boolean;
  needs_streaming: boolean;
  message: string;
  /** Ids of other titles for the same nights: one of them all is played. */
  others: readonly number[];
}
export type ApplyBody = Omit<BodyIn<typeof applicationEndpoints.customerUpdate>, 'version'>;

export const NO_PLACE: Address = {
  country_code: 'US', thoroughfare: '', premise: '', locality: '', administrative_area: '', postal_code: '',
};

export function emptyApplication(organisation: string, venueId: number | null): ApplyValues {
  return {
    venue_id: venueId, venue_name: '', address: NO_PLACE, nights: [],
    bands: [{ key: 1, label: 'All seats', seats: 200, price: 1500 }], producing_organisation: organisation,
    cast_size: null, purpose: 'season', union_status: 'none', is_free_admission: false, needs_video: false,
    needs_streaming: false, message: '', others: [],
  };
}

/** A saved draft of this show, read back. */
export function valuesOf(row: CustomerApplication, showId: number): ApplyValues {
  const [venue] = row.license_venues;
  return {
    venue_id: venue?.venue_id ?? null, venue_name: venue?.venue_id ? '' : venue?.name ?? '',
    address: { ...NO_PLACE, ...venue?.address },
    nights: (venue?.performances ?? []).map((one) => ({ day: one.local_date, time: one.local_time })),
    bands: (venue?.ticketing ?? []).map((band, index) => ({ key: index + 1, label: band.label ?? '',
      seats: band.number_of_seats, price: Math.round(band.price * 100) })),
    producing_organisation: row.producing_organisation, cast_size: row.cast_size, purpose: row.purpose,
    union_status: row.union_status, is_free_admission: row.is_free_admission, needs_video: row.needs_video,
    needs_streaming: row.needs_streaming, message: row.message,
    others: row.shows.map((show) => show.show_id).filter((id) => id !== showId),
  };
}

function addressOf(address: Address) {
  const whole = address.thoroughfare.trim() && address.locality.trim() && address.postal_code.trim();
  return whole ? { ...address, premise: address.premise ?? '' } : null;
}

/** Where it is played, as the rights are asked for. */
export function placeOf(values: ApplyValues): Place {
  if (values.venue_id) return { venue_id: values.venue_id };
  const { country_code: country, administrative_area: region, postal_code: code } = values.address;
  return { country_code: country, ...(region && { region }), ...(code && { postal_code: code }) };
}

/** The venue with its bands and nights. A band counts by its seats. */
export function venueOf(values: ApplyValues) {
  const bands = values.bands.filter((band) => band.seats !== null && band.price !== null);
  const seats = bands.reduce((sum, band) => sum + (band.seats ?? 0), 0);
  const place = values.venue_id ? { venue_id: values.venue_id }
    : { name: values.venue_name.trim(), address: addressOf(values.address) };
  return {
    ...place, ...(seats > 0 && { capacity: seats }),
    ticketing: bands.map((band) => ({ number_of_seats: band.seats ?? 0, weight: band.seats ?? 0, label: band.label,
      price: values.is_free_admission ? 0 : (band.price ?? 0) / 100 })),
    performances: values.nights.flatMap((night) => (night.time === null ? []
      : [{ local_date: night.day, local_time: night.time, is_free: values.is_free_admission }])),
  };
}

const hasPlace = (values: ApplyValues): boolean => values.venue_id !== null || values.venue_name.trim() !== '';

/** The shows in the order they were chosen in: as saved, then what came since. */
function showIdsOf(showId: number, others: readonly number[], saved?: CustomerApplication): number[] {
  const wanted = [showId, ...others];
  const kept = (saved?.shows ?? []).map((show) => show.show_id).filter((id) => wanted.includes(id));
  return [...new Set([...kept, ...wanted])];
}

/** The whole draft. A licence for several venues keeps the others as they were saved. */
export function bodyOf(values: ApplyValues, showId: number, saved?: CustomerApplication): ApplyBody {
  const { venue_id: _v, venue_name: _n, address: _a, nights: _d, bands: _b, others: titles, ...rest } = values;
  const [first, ...others] = saved?.license_venues ?? [];
  const kept = others.map(({ time_zone: zone, ...venue }) => ({ ...venue, ...(zone && { time_zone: zone }) }));
  const own = hasPlace(values) ? [{ ...venueOf(values), ...(first && { id: first.id }) }] : [];
  const shows = showIdsOf(showId, titles, saved);
  // Named only when they change: a show that is no longer offered refuses every other change otherwise.
  const same = saved !== undefined && shows.join() === saved.shows.map((show) => show.show_id).join();
  return { ...rest, message: rest.message.trim(), license_venues: [...own, ...kept],
    ...(!same && { show_ids: shows }) };
}

/** What a price needs; null while something is missing. */
export function priceQuestion(values: ApplyValues, showId: number): PriceQuestion | null {
  const venue = venueOf(values);
  if (venue.performances.length === 0 || venue.ticketing.length === 0) return null;
  const named = hasPlace(values) ? venue : { ...venue, name: 'Our house' };
  return { show_id: showId, with_package: true, extra_periods: 0, license_venues: [named] };
}

/** The same with a night more, the day after the last: what one more performance costs. */
export function oneMoreQuestion(values: ApplyValues, showId: number): PriceQuestion | null {
  const last = values.nights.at(-1);
  return last ? priceQuestion({ ...values, nights: [...values.nights, { day: addDays(last.day, 1),
    time: last.time ?? '19:30' }] }, showId) : null;
}

/** Days from `on` that an offer made that day keeps its price; null where it would end the day it is made. */
export function priceHoldsFor(values: ApplyValues, on: string): number | null {
  const [first] = values.nights;
  if (!first) return null;
  const days = diffDays(on, offerExpiresAt({ issued_on: on, first_performance_on: first.day,
    ship_lead_days: SHIP_LEAD_DAYS }));
  return days > 0 ? days : null;
}

/** What keeps the application from being handed in, and the step where it is said; empty when nothing does. */
export function missingOf(values: ApplyValues): { step: number; text: string }[] {
  const said: [step: number, missing: boolean, text: string][] = [
    [0, !hasPlace(values), 'Say where you play'],
    [0, values.venue_id === null && hasPlace(values) && !addressOf(values.address), 'Give the address of the place'],
    [0, values.nights.length === 0, 'Choose at least one night'],
    [0, values.nights.some((night) => night.time === null), 'Give every night its time'],
    [1, !values.bands.some((band) => (band.seats ?? 0) > 0 && band.price !== null), 'Say how many seats you sell'],
    [2, values.producing_organisation.trim() === '', 'Say who produces'],
  ];
  return said.flatMap(([step, missing, text]) => (missing ? [{ step, text }] : []));
}
