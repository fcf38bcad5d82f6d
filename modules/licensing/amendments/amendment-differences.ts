/** Changes of an amendment, read from the two frozen versions: nights and lines, never today's rows. Pure. */
import type { OfferSnapshot } from '../documents/offer-snapshot.server.ts';

export interface Night { venue_name: string; local_date: string; local_time: string }
export interface LineDifference { description: string; before_minor: number; after_minor: number; delta_minor: number }
export interface Differences { added: Night[]; removed: Night[]; lines: LineDifference[] }

type Version = Pick<OfferSnapshot, 'venues' | 'lines'>;

/** Nights that came and went (a night that moves does both), and every line with its tax before and after. */
export function differencesOf(before: Version, after: Version): Differences {
  const old = nightsOf(before);
  const now = nightsOf(after);
  return { added: without(now, old), removed: without(old, now), lines: linesOf(before, after) };
}

function nightsOf(version: Version): Night[] {
  return version.venues.flatMap((venue) => venue.performances.map((row) => ({
    venue_name: venue.name, local_date: row.local_date, local_time: row.local_time })));
}

const keyOf = (night: Night): string => `${night.local_date} ${night.local_time} ${night.venue_name}`;

/** Two performances at the same hour in one house are two: each takes away one. */
function without(nights: readonly Night[], others: readonly Night[]): Night[] {
  const left = others.map(keyOf);
  return nights.filter((night) => {
    const at = left.indexOf(keyOf(night));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  }).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function linesOf(before: Version, after: Version): LineDifference[] {
  const sums = new Map<string, LineDifference>();
  const at = (line: Version['lines'][number]): LineDifference => {
    const key = `${line.kind} ${line.label}`;
    const row = sums.get(key) ?? { description: line.label, before_minor: 0, after_minor: 0, delta_minor: 0 };
    sums.set(key, row);
    return row;
  };
  for (const line of before.lines) at(line).before_minor += line.total_minor;
  for (const line of after.lines) at(line).after_minor += line.total_minor;
  return [...sums.values()].map((row) => ({ ...row, delta_minor: row.after_minor - row.before_minor }));
}
