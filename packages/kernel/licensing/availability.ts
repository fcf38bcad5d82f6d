/** Are the rights free? Restrictions and the proximity rule; the worst match decides (domain.md 1.5). */
import { spell } from '../text/english.ts';
import { addMonths, dateInWords, type IsoDate } from '../calendar/calendar.ts';
import type { Division } from '../money/division.ts';
import type { LicensePhase } from './license-machine.ts';

export type Verdict = 'clear' | 'needs_clearance' | 'blocked';
export type Medium = 'stage' | 'stream' | 'record';

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** null and an empty list stand for any. Dates are inclusive. */
export interface ShowRestriction {
  readonly id: number;
  readonly show_code: string;
  readonly division: Division | null;
  readonly country: string | null;
  readonly region: string | null;
  readonly centre: Point | null;
  readonly radius_km: number | null;
  readonly date_from: IsoDate | null;
  readonly date_to: IsoDate | null;
  readonly categories: readonly string[];
  readonly classifications: readonly number[];
  readonly media: readonly Medium[];
  readonly kind: 'blocked' | 'needs_clearance' | 'max_n';
  /** For max_n: so many licences may stand within the rule; the next one is blocked. */
  readonly max_n: number | null;
  readonly reason_internal: string;
  readonly reason_public: string;
}

/** Default of the show: 80 km and 3 months on each side. */
export interface ProximityRule {
  readonly radius_km: number;
  readonly months_each_side: number;
}
export const DEFAULT_PROXIMITY: ProximityRule = { radius_km: 80, months_each_side: 3 };

/** A licence, or an offer that still holds the rights, with one row per venue. */
export interface StandingLicense {
  readonly id: number;
  readonly number: string;
  readonly show_code: string;
  readonly phase: LicensePhase;
  readonly division: Division;
  readonly category: string;
  readonly classification_id: number | null;
  readonly country: string;
  readonly region: string | null;
  readonly point: Point | null;
  readonly first_performance_on: IsoDate;
  readonly last_performance_on: IsoDate;
}

export interface AvailabilityQuery {
  readonly show_code: string;
  readonly division: Division;
  readonly category: string;
  readonly classification_id: number | null;
  readonly media: readonly Medium[];
  readonly country: string;
  readonly region: string | null;
  /** The venue, else the middle of its postal area; null when neither is known. */
  readonly point: Point | null;
  readonly first_performance_on: IsoDate;
  readonly last_performance_on: IsoDate;
  /** The licence that asks: it never stands in its own way. */
  readonly license_id: number | null;
}

export interface AvailabilityReason {
  readonly verdict: Exclude<Verdict, 'clear'>;
  readonly rule: 'restriction' | 'proximity';
  readonly restriction_id: number | null;
  readonly license_id: number | null;
  /** Plain words that never name another customer, venue or licence. */
  readonly reason_public: string;
  readonly reason_internal: string;
}

export interface Availability {
  readonly verdict: Verdict;
  readonly reasons: readonly AvailabilityReason[];
}

const EARTH_KM = 6371.0088;
const HOLDING: readonly LicensePhase[] = ['sent', 'accepted', 'licensed', 'in_production'];
const SEVERITY: Record<Verdict, number> = { clear: 0, needs_clearance: 1, blocked: 2 };

/** Great-circle distance in kilometres (haversine). */
export function distanceKm(a: Point, b: Point): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const dLat = Math.sin(rad(b.lat - a.lat) / 2);
  const dLng = Math.sin(rad(b.lng - a.lng) / 2);
  const h = dLat * dLat + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * dLng * dLng;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** One venue of one show; a licence with several venues takes the worst of their answers (`worst`). */
export function checkAvailability(
  query: AvailabilityQuery, restrictions: readonly ShowRestriction[], standing: readonly StandingLicense[],
  proximity: ProximityRule | null = DEFAULT_PROXIMITY,
): Availability {
  const others = standing.filter((other) =>
    other.show_code === query.show_code && other.id !== query.license_id && HOLDING.includes(other.phase));
  const reasons = [
    ...restrictions.flatMap((rule) => restrictionReason(query, rule, others) ?? []),
    ...(proximity ? others.flatMap((other) => proximityReason(query, other, proximity) ?? []) : []),
  ];
  reasons.sort((a, b) => SEVERITY[b.verdict] - SEVERITY[a.verdict]);
  return { verdict: reasons[0]?.verdict ?? 'clear', reasons };
}

export function worst(answers: readonly Availability[]): Availability {
  const reasons = answers.flatMap((answer) => answer.reasons)
    .sort((a, b) => SEVERITY[b.verdict] - SEVERITY[a.verdict]);
  return { verdict: reasons[0]?.verdict ?? 'clear', reasons };
}

type Placed = Omit<AvailabilityQuery, 'media' | 'license_id'>;

/** true, false, or null when the rule has a radius and the place of the venue is not known. */
function covers(rule: ShowRestriction, placed: Placed): boolean | null {
  const matches = rule.show_code === placed.show_code
    && (rule.division === null || rule.division === placed.division)
    && (rule.country === null || rule.country === placed.country)
    && (rule.region === null || rule.region === placed.region)
    && (rule.date_from === null || rule.date_from <= placed.last_performance_on)
    && (rule.date_to === null || placed.first_performance_on <= rule.date_to)
    && (rule.categories.length === 0 || rule.categories.includes(placed.category))
    && (rule.classifications.length === 0
      || (placed.classification_id !== null && rule.classifications.includes(placed.classification_id)));
  if (!matches || rule.centre === null || rule.radius_km === null) return matches;
  return placed.point === null ? null : distanceKm(rule.centre, placed.point) <= rule.radius_km;
}

function restrictionReason(
  query: AvailabilityQuery, rule: ShowRestriction, others: readonly StandingLicense[],
): AvailabilityReason | null {
  const covered = covers(rule, query);
  const media = rule.media.length === 0 || rule.media.some((medium) => query.media.includes(medium));
  if (covered === false || !media) return null;
  const base = { rule: 'restriction', restriction_id: rule.id, license_id: null } as const;
  if (covered === null) {
    return { ...base, verdict: 'needs_clearance', reason_public: 'We need to check the place of this venue.',
      reason_internal: `The venue has no position; ${rule.reason_internal}` };
  }
  if (rule.kind !== 'max_n') {
    return { ...base, verdict: rule.kind, reason_public: publicText(rule), reason_internal: rule.reason_internal };
  }
  const limit = rule.max_n ?? 0;
  const count = new Set(others.filter((other) => covers(rule, other) !== false).map((other) => other.id)).size;
  if (count < limit) return null;
  return { ...base, verdict: 'blocked', reason_public: publicText(rule),
    reason_internal: spell`${rule.reason_internal} (${count} of ${limit} licenses stand)` };
}

function publicText(rule: ShowRestriction): string {
  const fallback = rule.kind === 'needs_clearance'
    ? 'The rights for this production have to be cleared first.'
    : 'The rights are not available for these dates and this place.';
  const until = rule.date_to === null ? '' : ` The restriction ends on ${dateInWords(rule.date_to)}.`;
  return rule.reason_public === '' ? `${fallback}${until}` : rule.reason_public;
}

/** Another production within the radius and the months on each side: a person decides, so a clearance is needed. */
function proximityReason(
  query: AvailabilityQuery, other: StandingLicense, rule: ProximityRule,
): AvailabilityReason | null {
  const from = addMonths(query.first_performance_on, -rule.months_each_side);
  const to = addMonths(query.last_performance_on, rule.months_each_side);
  if (other.last_performance_on < from || to < other.first_performance_on) return null;
  const known = query.point !== null && other.point !== null;
  if (!known && query.country !== other.country) return null;
  const km = known ? distanceKm(query.point, other.point) : null;
  if (km !== null && km > rule.radius_km) return null;
  const place = km === null ? 'its distance is not known' : `${Math.round(km)} km away`;
  return {
    verdict: 'needs_clearance', rule: 'proximity', restriction_id: null, license_id: other.id,
    reason_public: 'Another production of this show is planned nearby at about the same time.',
    reason_internal: `${other.number} (${other.phase}), ${place}, ${dateInWords(other.first_performance_on)} to `
      + dateInWords(other.last_performance_on),
  };
}
