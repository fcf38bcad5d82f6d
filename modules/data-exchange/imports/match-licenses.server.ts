/** License that a report belongs to: by show, venue and period, or by the number it names (domain.md 1.4). */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { RowProblem } from './read-cell.ts';
import type { ReadRow } from './read-row.ts';

export interface Place {
  license_id: number;
  license_venue_id: number;
  show_id: number;
  venue_id: number | null;
  /** The number people quote. */
  number: string;
  currency: string;
  phase: string;
  opens: string | null;
  closes: string | null;
}

/** Licences of which box office can be reported at all. */
const REPORTABLE = ['licensed', 'in_production', 'settlement', 'closed'];
const PLACE = sql`l.id as license_id, v.id as license_venue_id, l.show_id, v.venue_id,
  coalesce(l.license_number, l.number) as number, l.currency, l.phase,
  coalesce(v.opening_on, l.first_performance_on) as opens, coalesce(v.closing_on, l.last_performance_on) as closes`;

export interface LicenseBook {
  byPlace: Map<string, Place[]>;
  byNumber: Map<string, Place[]>;
}

export const placeKey = (showId: number, venueId: number): string => `${showId}/${venueId}`;

/** Reads the licences of a chunk in two statements. */
export async function licenseBook(
  db: Queryable, places: readonly { show_id: number; venue_id: number }[], numbers: readonly string[],
): Promise<LicenseBook> {
  const byPlace = new Map<string, Place[]>();
  const byNumber = new Map<string, Place[]>();
  const rows = places.length === 0 ? [] : await db.query<Place & { wanted_venue: number }>(sql`
    select ${PLACE}, u.venue_id as wanted_venue
    from unnest(${places.map((one) => one.show_id)}::bigint[], ${places.map((one) => one.venue_id)}::bigint[])
      u (show_id, venue_id)
    join licenses l on l.show_id = u.show_id and l.deleted_at is null and l.phase = any(${REPORTABLE}::text[])
    join license_venues v on v.license_id = l.id
    left join venues n on n.id = v.venue_id
    where coalesce(n.merged_into_id, n.id) = u.venue_id
    order by l.id, v.sort, v.id`);
  for (const { wanted_venue, ...place } of rows) add(byPlace, placeKey(place.show_id, wanted_venue), place);
  const named = numbers.length === 0 ? [] : await db.query<Place & { wanted: string }>(sql`
    select ${PLACE}, u.number as wanted from unnest(${[...numbers]}::text[]) u (number)
    join licenses l on (l.number = u.number or l.license_number = u.number) and l.deleted_at is null
    join license_venues v on v.license_id = l.id order by l.id, v.sort, v.id`);
  for (const { wanted, ...place } of named) add(byNumber, wanted, place);
  return { byPlace, byNumber };
}

function add(map: Map<string, Place[]>, key: string, place: Place): void {
  const known = map.get(key);
  if (known) known.push(place);
  else map.set(key, [place]);
}

function problem(reason_code: string, reason: string, field: RowProblem['field'], value: string): RowProblem {
  return { reason_code, reason, field, value };
}

function overlaps(place: Place, row: ReadRow): boolean {
  return (place.opens === null || place.opens <= row.period_to)
    && (place.closes === null || place.closes >= row.period_from);
}

/** The one licence a row speaks of, or why there is none. `showId` and `venueId` are null where the row names none. */
export function placeOf(
  row: ReadRow, showId: number | null, venueId: number | null, book: LicenseBook,
): Place | RowProblem {
  if (row.license_number !== '') return byNumber(row, showId, venueId, book);
  const all = book.byPlace.get(placeKey(showId ?? 0, venueId ?? 0)) ?? [];
  const fitting = all.filter((place) => overlaps(place, row));
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) {
    return problem('several_licenses', spell`${fitting.map((place) => place.number).join(' and ')} both fit: name the
      license number`, 'license_number', row.show);
  }
  const near = all[0];
  return problem('no_license', near
    ? spell`No license for ${row.show} at ${row.venue} covers ${dateInWords(row.period_from)} to ${
      dateInWords(row.period_to)}; ${near.number} runs ${near.opens ? dateInWords(near.opens) : 'from the start'} to ${
      near.closes ? dateInWords(near.closes) : 'open end'}`
    : spell`No issued license for ${row.show} at ${row.venue}`, 'show', row.show);
}

function byNumber(row: ReadRow, showId: number | null, venueId: number | null, book: LicenseBook): Place | RowProblem {
  const all = book.byNumber.get(row.license_number) ?? [];
  if (all.length === 0) {
    return problem('unknown_license', spell`There is no license ${row.license_number}`, 'license_number',
      row.license_number);
  }
  if (!REPORTABLE.includes(all[0]!.phase)) {
    return problem('no_license', `${row.license_number} has not been issued: there is nothing to report yet`,
      'license_number', row.license_number);
  }
  const fitting = all.filter((place) => (showId === null || place.show_id === showId)
    && (venueId === null || place.venue_id === venueId));
  if (fitting.length === 1) return fitting[0]!;
  return fitting.length === 0
    ? problem('other_license', `${row.license_number} is for another show or venue`, 'license_number',
      row.license_number)
    : problem('which_venue', `${row.license_number} has several venues: name the venue`, 'venue', row.license_number);
}
