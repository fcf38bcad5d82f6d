/** Several venues in one application: the next city of a tour, seats and prices copied on; pure. */
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import { newRows, type SeriesRow } from '#kernel/licensing/performance-series.ts';
import {
  byHour, emptyStop, nextKey, type Band, type Night, type PerformanceType, type Stop,
} from './apply-values.web.ts';

interface House { id: number; name: string }

export function stopName(stop: Stop, venues: readonly House[]): string {
  return venues.find((venue) => venue.id === stop.venue_id)?.name ?? stop.venue_name.trim();
}

/** Whole weeks from the first night of a stop to a week with no night of it. */
function weeksOf(nights: readonly Night[]): number {
  const days = nights.map((night) => night.day).toSorted();
  return days.length === 0 ? 0 : Math.floor(diffDays(days[0]!, days.at(-1)!) / 7) + 1;
}

/** The next venue: the nights of the one before a week on, with its seats, prices and deductions. */
export function nextStop(stops: readonly Stop[], venues: readonly House[]): Stop {
  const last = stops.at(-1);
  const free = venues.find((venue) => stops.every((stop) => stop.venue_id !== venue.id));
  const stop = emptyStop(nextKey(stops), free?.id ?? null);
  if (!last) return stop;
  const move = weeksOf(last.nights) * 7;
  return { ...stop, address: { ...stop.address, country_code: last.address.country_code }, bands: last.bands,
    deductions: last.deductions, nights: last.nights.map((night) => ({ ...night, day: addDays(night.day, move) })) };
}

/** Seats, prices and deductions of one venue for every other. */
export function copyBands(stops: readonly Stop[], from: Stop): Stop[] {
  return stops.map((stop) => ({ ...stop, bands: from.bands, deductions: from.deductions }));
}

/** Deductions of one venue for every other, where seats and prices are each its own. */
export function copyDeductions(stops: readonly Stop[], from: Stop): Stop[] {
  return stops.map((stop) => ({ ...stop, deductions: from.deductions }));
}

/** Types of performance that a stop plays, evenings first. */
export function typesOf(stop: Stop): PerformanceType[] {
  const types = [...new Set(stop.nights.map((night) => night.type))];
  return types.toSorted((a, b) => Number(b === 'public') - Number(a === 'public'));
}

/** The usual bands once more, for one type of performance. */
export function withOwnBands(bands: readonly Band[], type: PerformanceType): Band[] {
  const usual = bands.filter((band) => band.type === null);
  const key = nextKey(bands);
  return [...bands, ...usual.map((band, at) => ({ ...band, key: key + at, type }))];
}

/** The nights with those of a series that are not there yet. */
export function withSeries(nights: readonly Night[], rows: readonly SeriesRow[]): Night[] {
  const known = nights.map((night) => ({ local_date: night.day, local_time: night.time ?? '', type: night.type }));
  const key = nextKey(nights);
  return [...nights, ...newRows(rows, known).map((row, at): Night => ({ key: key + at, day: row.local_date,
    time: row.local_time, type: row.type as PerformanceType }))].toSorted(byHour);
}
