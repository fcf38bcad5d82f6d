/** The application form's own values and what of them goes over the wire; pure. Prices are minor units. */
import { decimalPrice, minorOf } from '#kernel/money/money.ts';
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import { offerExpiresAt, SHIP_LEAD_DAYS } from '#kernel/licensing/clocks.ts';
import { MOST_PERFORMANCES, sameTime, tooManyText } from '#kernel/licensing/performance-series.ts';
import { bandsOfType, performancesOfType } from '#kernel/pricing/price-bands.ts';
import type { DeductionType } from '#kernel/pricing/rate-card.ts';
import type { BodyIn } from '#kit/endpoint.ts';
import type { applicationEndpoints, CustomerApplication,
} from '#modules/licensing/applications/application.contract.ts';
import type { PERFORMANCE_TYPES } from '#modules/licensing/licenses/performances/performance.contract.ts';
import type { Address } from '#web/controls/address/address-rules.ts';
import type { Place, PriceQuestion } from './use-live.web.ts';

export type PerformanceType = (typeof PERFORMANCE_TYPES)[number];
export interface Night { key: number; day: string; time: string | null; type: PerformanceType }
/** `type` null: of every type without bands of its own. */
export interface Band { key: number; label: string; seats: number | null; price: number | null;
  type: PerformanceType | null }
export interface Deduction { key: number; type: DeductionType | null; cap_ppm: number | null }

/** One venue with its own dates, seats, prices and deductions. */
export interface Stop {
  key: number;
  /** null: a place of its own, by name and address. */
  venue_id: number | null;
  venue_name: string;
  address: Address;
  nights: readonly Night[];
  bands: readonly Band[];
  deductions: readonly Deduction[];
}

export interface ApplyValues {
  stops: readonly Stop[];
  producing_organisation: string;
  cast_size: number | null;
  purpose: 'season' | 'competition' | 'fundraiser' | 'camp' | 'excerpt';
  union_status: 'none' | 'AEA' | 'SPT' | 'guest_artist' | 'LORT' | 'Equity UK';
  is_free_admission: boolean;
  needs_video: boolean;
  needs_streaming: boolean;
  add_ons: readonly { add_on_id: number; quantity: number }[];
  /** Other days for the first performance; null while one is being chosen. */
  alternatives: readonly (string | null)[];
  message: string;
  /** Ids of other titles for the same nights: one of them all is played. */
  others: readonly number[];
}
export type ApplyBody = Omit<BodyIn<typeof applicationEndpoints.customerUpdate>, 'version'>;

export const NO_PLACE: Address = {
  country_code: 'US', thoroughfare: '', premise: '', locality: '', administrative_area: '', postal_code: '',
};

export const emptyBand = (key: number, type: PerformanceType | null = null): Band =>
  ({ key, label: '', seats: null, price: null, type });

export function emptyStop(key: number, venueId: number | null, country = 'US'): Stop {
  return { key, venue_id: venueId, venue_name: '', address: { ...NO_PLACE, country_code: country }, nights: [],
    bands: [emptyBand(1)], deductions: [] };
}

export function emptyApplication(organisation: string, venueId: number | null, country?: string): ApplyValues {
  return {
    stops: [emptyStop(1, venueId, country)], producing_organisation: organisation,
    cast_size: null, purpose: 'season', union_status: 'none', is_free_admission: false, needs_video: false,
    needs_streaming: false, add_ons: [], alternatives: [], message: '', others: [],
  };
}

export const nextKey = (rows: readonly { key: number }[]): number => Math.max(0, ...rows.map((row) => row.key)) + 1;

type SavedVenue = CustomerApplication['license_venues'][number];

function stopOf(venue: SavedVenue, at: number): Stop {
  const bands = venue.ticketing.map((band, index): Band => ({ key: index + 1, label: band.label ?? '',
    seats: band.number_of_seats, price: minorOf(band.price), type: band.performance_type ?? null }));
  return {
    key: at + 1, venue_id: venue.venue_id, venue_name: venue.venue_id ? '' : venue.name,
    address: { ...NO_PLACE, ...venue.address },
    nights: venue.performances.map((one, index) => ({ key: index + 1, day: one.local_date, time: one.local_time,
      type: one.type })),
    bands: bands.length > 0 ? bands : [emptyBand(1)],
    deductions: venue.deductions.map((one, index) => ({ key: index + 1, ...one })),
  };
}

/** A saved draft of this show, read back. */
export function valuesOf(row: CustomerApplication, showId: number): ApplyValues {
  const stops = row.license_venues.map(stopOf);
  return {
    stops: stops.length > 0 ? stops : [emptyStop(1, null)],
    producing_organisation: row.producing_organisation, cast_size: row.cast_size, purpose: row.purpose,
    union_status: row.union_status, is_free_admission: row.is_free_admission, needs_video: row.needs_video,
    needs_streaming: row.needs_streaming, message: row.message,
    add_ons: row.add_ons.map(({ add_on_id, quantity }) => ({ add_on_id, quantity })),
    alternatives: row.alternatives.map((one) => one.first_performance_on),
    others: row.shows.map((show) => show.show_id).filter((id) => id !== showId),
  };
}

function addressOf(address: Address) {
  const whole = address.thoroughfare.trim() && address.locality.trim() && address.postal_code.trim();
  return whole ? { ...address, premise: address.premise ?? '' } : null;
}

/** Place of performance, as used to ask for the rights. */
export function placeOf(stop: Stop): Place {
  if (stop.venue_id) return { venue_id: stop.venue_id };
  const { country_code: country, administrative_area: region, postal_code: code } = stop.address;
  return { country_code: country, ...(region && { region }), ...(code && { postal_code: code }) };
}

/** Every night of the application in the order of days and hours. */
export function nightsOf(values: ApplyValues): Night[] {
  return values.stops.flatMap((stop) => stop.nights).toSorted(byHour);
}

export function byHour(a: Night, b: Night): number {
  return `${a.day} ${a.time ?? ''}` < `${b.day} ${b.time ?? ''}` ? -1 : 1;
}

/** Seats offered at one performance: the most of any type. */
export function seatsOf(bands: readonly Band[]): number {
  const types = [...new Set(bands.map((band) => band.type))];
  return Math.max(0, ...types.map((type) => bands.filter((band) => band.type === type)
    .reduce((sum, band) => sum + (band.seats ?? 0), 0)));
}

/** The venue with its bands and nights. A band counts by its seats. */
export function venueOf(stop: Stop, isFree: boolean) {
  const bands = stop.bands.filter((band) => band.seats !== null && (isFree || band.price !== null));
  const seats = seatsOf(bands);
  const place = stop.venue_id ? { venue_id: stop.venue_id }
    : { name: stop.venue_name.trim(), address: addressOf(stop.address) };
  return {
    ...place, ...(seats > 0 && { capacity: seats }),
    ticketing: bands.map((band) => ({ number_of_seats: band.seats ?? 0, weight: band.seats ?? 0, label: band.label,
      price: isFree ? 0 : decimalPrice(band.price ?? 0), performance_type: band.type })),
    deductions: stop.deductions.flatMap(({ type, cap_ppm }) => (type === null || cap_ppm === null ? []
      : [{ type, cap_ppm }])),
    performances: stop.nights.flatMap((night) => (night.time === null ? []
      : [{ local_date: night.day, local_time: night.time, type: night.type, is_free: isFree }])),
  };
}

export const hasPlace = (stop: Stop): boolean => stop.venue_id !== null || stop.venue_name.trim() !== '';

/** The shows in the order they were chosen in: as saved, then what came since. */
function showIdsOf(showId: number, others: readonly number[], saved?: CustomerApplication): number[] {
  const wanted = [showId, ...others];
  const kept = (saved?.shows ?? []).map((show) => show.show_id).filter((id) => wanted.includes(id));
  return [...new Set([...kept, ...wanted])];
}

/** The whole draft, as far as it can be kept: of two nights at one time the second waits until its time is changed. */
export function bodyOf(values: ApplyValues, showId: number, saved?: CustomerApplication): ApplyBody {
  const { stops, others: titles, alternatives, add_ons, ...rest } = values;
  const shows = showIdsOf(showId, titles, saved);
  // Named only when they change: a show that is no longer offered refuses every other change otherwise.
  const same = saved !== undefined && shows.join() === saved.shows.map((show) => show.show_id).join();
  return { ...rest, message: rest.message.trim(), add_ons: [...add_ons],
    alternatives: [...new Set(alternatives.filter((day) => day !== null))],
    license_venues: stops.filter(hasPlace).map((stop) => keptVenue(stop, values.is_free_admission)),
    ...(!same && { show_ids: shows }) };
}

function keptVenue(stop: Stop, isFree: boolean) {
  const venue = venueOf(stop, isFree);
  const performances = [...venue.performances];
  for (let twice = sameTime(performances); twice >= 0; twice = sameTime(performances)) performances.splice(twice, 1);
  return { ...venue, performances };
}

/** Input for a price; null while something is missing: prices are shown for actual entries, never for a guess. */
export function priceQuestion(values: ApplyValues, showId: number): PriceQuestion | null {
  const venues = values.stops.map((stop) => {
    const venue = keptVenue(stop, values.is_free_admission);
    return hasPlace(stop) ? venue : { ...venue, name: 'Our venue' };
  });
  const whole = venues.length > 0 && venues.every((venue) => venue.performances.length > 0
    && (values.is_free_admission || venue.performances.every((night) =>
      bandsOfType(venue.ticketing, night.type).rows.some((band) => band.number_of_seats > 0))));
  return whole ? { show_id: showId, with_package: true, extra_periods: 0, license_venues: venues,
    add_ons: [...values.add_ons], needs_video: values.needs_video, needs_streaming: values.needs_streaming } : null;
}

/** The same with a night more, the day after the last: what one more performance costs. */
export function oneMoreQuestion(values: ApplyValues, showId: number): PriceQuestion | null {
  const last = nightsOf(values).at(-1);
  if (!last) return null;
  const stops = values.stops.map((stop) => (stop.nights.includes(last) ? { ...stop, nights: [...stop.nights,
    { ...last, key: nextKey(stop.nights), day: addDays(last.day, 1), time: last.time ?? '19:30' }] } : stop));
  return priceQuestion({ ...values, stops }, showId);
}

/** Days from `on` that an offer made that day keeps its price; null where it would end the day it is made. */
export function priceHoldsFor(values: ApplyValues, on: string): number | null {
  const [first] = nightsOf(values);
  if (!first) return null;
  const days = diffDays(on, offerExpiresAt({ issued_on: on, first_performance_on: first.day,
    ship_lead_days: SHIP_LEAD_DAYS }));
  return days > 0 ? days : null;
}

type Missing = [step: number, missing: boolean, text: string];

/** Reasons why the application cannot be submitted, each with its step; empty if there are none. */
export function missingOf(values: ApplyValues): { step: number; text: string }[] {
  const count = nightsOf(values).length;
  const ids = values.stops.flatMap((stop) => stop.venue_id ?? []);
  const said: Missing[] = [
    ...ofStops(values),
    [0, new Set(ids).size < ids.length, 'A venue is on the list twice: enter all of its dates in one place'],
    [0, count > MOST_PERFORMANCES, tooManyText(count)],
    [2, values.producing_organisation.trim() === '', 'Say who produces'],
  ];
  return said.flatMap(([step, missing, text]) => (missing ? [{ step, text }] : []));
}

/** The step, from 1, at which something is missing first; the review where nothing is. */
export const firstOpenStep = (values: ApplyValues): number => (missingOf(values)[0]?.step ?? REVIEW) + 1;
/** Place of the last step, from 0 (apply.web.tsx). */
const REVIEW = 3;

/** Once for all venues that lack the same, with the first of their names. */
function ofStops(values: ApplyValues): Missing[] {
  const { stops, is_free_admission: isFree } = values;
  const said = stops.flatMap((stop, at) => missingOfStop(stop, isFree).filter(([, missing]) => missing)
    .map(([step, , text]) => ({ step, text, name: stop.venue_name.trim() || `venue ${at + 1}` })));
  const texts = new Map(said.map((one) => [one.text, one.step]));
  return [...texts].map(([text, step]): Missing => {
    const names = said.filter((one) => one.text === text).map((one) => one.name);
    return [step, true, stops.length === 1 ? text : `${text}: ${names.length > 3
      ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ')}`];
  }).toSorted((a, b) => a[0] - b[0]);
}

function missingOfStop(stop: Stop, isFree: boolean): Missing[] {
  const bands = stop.bands.filter((band) => (band.seats ?? 0) > 0 && (isFree || band.price !== null))
    .map((band) => ({ ...band, performance_type: band.type }));
  const bare = isFree ? undefined : stop.nights.find((night) => bandsOfType(bands, night.type).rows.length === 0);
  const plain = bands.length === 0 || stop.nights.length === 0;
  const rows = stop.nights.map((night) => ({ local_date: night.day, local_time: night.time ?? '', type: night.type }));
  return [
    [0, !hasPlace(stop), 'Enter where you will perform'],
    [0, stop.venue_id === null && hasPlace(stop) && !addressOf(stop.address), 'Give the address of the place'],
    [0, stop.nights.length === 0, 'Choose at least one night'],
    [0, stop.nights.some((night) => night.time === null), 'Enter a time for every performance'],
    [0, sameTime(rows.filter((row) => row.local_time !== '')) >= 0, 'Two performances start at the same time'],
    [1, isFree ? false : plain ? bands.length === 0 : bare !== undefined,
      plain || !bare || !stop.bands.some((band) => band.type !== null) ? 'Enter the number of seats'
        : `Enter seats and prices of the ${performancesOfType(bare.type)}`],
  ];
}
