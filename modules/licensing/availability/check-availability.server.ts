/**
 * The rights check: rows by SQL, the decision by the kernel (domain.md 1.5). Whoever is about to take the rights holds
 * the lock of the show, so two offers sent at the same moment can never both pass.
 */
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import {
  checkAvailability, worst, type Availability, type AvailabilityQuery, type Medium, type Point, type ProximityRule,
  type ShowRestriction, type StandingLicense, type Verdict,
} from '#kernel/licensing/availability.ts';
import type { Division } from '#kernel/money/division.ts';
import { invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { AvailabilityAnswer } from './availability.contract.ts';

export interface RightsVenue {
  name: string | null;
  country: string;
  region: string | null;
  point: Point | null;
  first_performance_on: string;
  last_performance_on: string;
}

export interface RightsQuestion {
  show_id: number;
  division: Division;
  category: 'Amateur' | 'Pro';
  classification_id: number | null;
  media: readonly Medium[];
  venues: readonly RightsVenue[];
  /** The licence that asks. */
  license_id: number | null;
}

interface ShowRow {
  show_code: string; title: string; active: boolean; divisions: string[]; available_from: string | null;
  proximity_radius_km: number; proximity_months: number;
}

/** Range, ahead and back, in which other dates are considered. */
const ALTERNATIVE_WEEKS = 40;
const ALTERNATIVES = 3;

/** Serialises everything that takes rights of one show, until the transaction ends. */
export async function lockShowRights(db: Queryable, showCode: string): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended('rights:' || ${showCode}, 0))`);
}

async function showOf(db: Queryable, showId: number): Promise<ShowRow> {
  const show = await db.maybeOne<ShowRow>(sql`
    select show_code, title, active, divisions, available_from, proximity_radius_km, proximity_months
    from shows where id = ${showId} and deleted_at is null`);
  if (!show) throw invalidField('show_id', 'This show does not exist');
  return show;
}

/** A stretch of days with one answer. */
export interface RightsStretch { from: string; to: string; verdict: Verdict; reason_public: string }

/**
 * The days of the question's first venue, each asked by itself, as stretches that are not free; the facts are read
 * once. The venue's first and last performance are the days asked for.
 */
export async function checkRightsByDay(ctx: WorkContext, question: RightsQuestion): Promise<RightsStretch[]> {
  const show = await showOf(ctx.db, question.show_id);
  const restrictions = await restrictionsOf(ctx.db, question.show_id, show.show_code, question.license_id);
  const standing = await standingLicenses(ctx, question.show_id, show);
  const proximity = { radius_km: show.proximity_radius_km, months_each_side: show.proximity_months };
  const stretches: RightsStretch[] = [];
  const [place] = question.venues;
  if (!place) return stretches;
  for (let day = place.first_performance_on; day <= place.last_performance_on; day = addDays(day, 1)) {
    const venue = { ...place, first_performance_on: day, last_performance_on: day };
    const refused = showRule(show, { ...question, venues: [venue] });
    const { verdict, reasons } = refused ? { verdict: refused.verdict, reasons: [refused] }
      : checkAvailability(queryOf(question, show, venue, 0), restrictions, standing, proximity);
    if (verdict === 'clear') continue;
    const text = [...new Set(reasons.filter((one) => one.verdict === verdict).map((one) =>
      one.reason_public))].join(' ');
    const last = stretches.at(-1);
    const goesOn = last && last.verdict === verdict && last.reason_public === text && addDays(last.to, 1) === day;
    if (goesOn) last.to = day;
    else stretches.push({ from: day, to: day, verdict, reason_public: text });
  }
  return stretches;
}

export async function checkRights(ctx: WorkContext, question: RightsQuestion): Promise<AvailabilityAnswer> {
  const show = await showOf(ctx.db, question.show_id);
  const refusedShow = showRule(show, question);
  if (refusedShow) return answerOf('blocked', [refusedShow], []);
  if (question.venues.length === 0) return answerOf('clear', [], []);
  const restrictions = await restrictionsOf(ctx.db, question.show_id, show.show_code, question.license_id);
  const standing = await standingLicenses(ctx, question.show_id, show);
  const proximity = { radius_km: show.proximity_radius_km, months_each_side: show.proximity_months };
  const decide = (shift: number): { verdict: Verdict; answers: Availability[] } => {
    const answers = question.venues.map((venue) =>
      checkAvailability(queryOf(question, show, venue, shift), restrictions, standing, proximity));
    return { verdict: worst(answers).verdict, answers };
  };
  const now = decide(0);
  const rules = now.answers.flatMap((answer, index) => answer.reasons.map((reason) => ({
    source: reason.rule, id: reason.restriction_id ?? reason.license_id, verdict: reason.verdict,
    reason_public: reason.reason_public, reason_internal: reason.reason_internal,
    venue_name: question.venues[index]!.name,
  })));
  if (now.verdict === 'clear') return answerOf('clear', [], []);
  return answerOf(now.verdict, rules, await alternatives(ctx, question, decide, proximity));
}

type Rule = AvailabilityAnswer['rules'][number];

function answerOf(verdict: Verdict, rules: Rule[], found: AvailabilityAnswer['alternatives']): AvailabilityAnswer {
  const decisive = rules.filter((rule) => rule.verdict === verdict);
  const texts = (pick: (rule: Rule) => string): string => [...new Set(decisive.map(pick))].join(' ');
  const free = 'Rights are available for these dates at this venue.';
  return { verdict, rules, alternatives: found,
    reason_public: verdict === 'clear' ? free : texts((rule) => rule.reason_public),
    reason_internal: verdict === 'clear' ? '' : texts((rule) => rule.reason_internal) };
}

function showRule(show: ShowRow, question: RightsQuestion): Rule | null {
  const first = question.venues.map((venue) => venue.first_performance_on).sort()[0];
  const blocked = (text: string): Rule => ({ source: 'show', id: question.show_id, verdict: 'blocked',
    reason_public: text, reason_internal: text, venue_name: null });
  if (!show.active) return blocked(`${show.title} is not available for licensing at present.`);
  if (!show.divisions.includes(question.division)) return blocked(`${show.title} is not available in this territory.`);
  if (show.available_from !== null && first !== undefined && first < show.available_from) {
    return blocked(`${show.title} can be performed from ${dateInWords(show.available_from)} on.`);
  }
  return null;
}

function queryOf(question: RightsQuestion, show: ShowRow, venue: RightsVenue, shift: number): AvailabilityQuery {
  return {
    show_code: show.show_code, division: question.division, category: question.category,
    classification_id: question.classification_id, media: question.media, country: venue.country,
    region: venue.region, point: venue.point, license_id: question.license_id,
    first_performance_on: addDays(venue.first_performance_on, shift),
    last_performance_on: addDays(venue.last_performance_on, shift),
  };
}

/** Whole weeks earlier and later, nearest first, never in the past. */
async function alternatives(
  ctx: WorkContext, question: RightsQuestion, decide: (shift: number) => { verdict: Verdict },
  proximity: ProximityRule,
): Promise<AvailabilityAnswer['alternatives']> {
  const first = question.venues.map((venue) => venue.first_performance_on).sort()[0]!;
  const last = question.venues.map((venue) => venue.last_performance_on).sort().at(-1)!;
  const today = await ctx.today(question.division);
  const weeks = Math.max(ALTERNATIVE_WEEKS, proximity.months_each_side * 10);
  const found: AvailabilityAnswer['alternatives'] = [];
  for (let week = 1; week <= weeks && found.length < ALTERNATIVES; week += 1) {
    for (const shift of [week * 7, -week * 7]) {
      const from = addDays(first, shift);
      if (from > today && found.length < ALTERNATIVES && decide(shift).verdict === 'clear') {
        found.push({ from, to: addDays(last, shift) });
      }
    }
  }
  return found;
}

/** Every rule of the show but the exclusivity that the asking licence itself holds. */
async function restrictionsOf(
  db: Queryable, showId: number, showCode: string, licenseId: number | null,
): Promise<ShowRestriction[]> {
  const rows = await db.query<Omit<ShowRestriction, 'centre' | 'radius_km' | 'classifications' | 'show_code'> & {
    lat: number | null; lng: number | null; radius: string | null; customer_classification_id: number | null }>(sql`
    select id, division, country, region, lat, lng, radius_km::text as radius, date_from, date_to, categories,
      customer_classification_id, media, kind, max_n, reason_internal, reason_public
    from show_restrictions where show_id = ${showId} and deleted_at is null
      and source_license_id is distinct from ${licenseId ?? 0}`);
  return rows.map((row) => ({ ...row, show_code: showCode,
    centre: row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng },
    radius_km: row.radius === null ? null : Number(row.radius),
    classifications: row.customer_classification_id === null ? [] : [row.customer_classification_id] }));
}

/** Licences that hold the rights: an offer to its expiry and 48 hours after it was taken back; one row per venue. */
async function standingLicenses(ctx: WorkContext, showId: number, show: ShowRow): Promise<StandingLicense[]> {
  const now = ctx.now().toISOString();
  const rows = await ctx.db.query<Omit<StandingLicense, 'point' | 'show_code'> & { lat: number | null;
    lng: number | null }>(sql`
    select * from standing_licenses(${showId}, ${now})`);
  return rows.map((row) => ({ ...row, show_code: show.show_code,
    point: row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng } }));
}

/** The question a stored licence asks; its terms say which media it needs. */
export async function licenseRights(ctx: WorkContext, licenseId: number): Promise<RightsQuestion> {
  const license = await ctx.db.one<{ show_id: number; division: Division; category: 'Amateur' | 'Pro';
    customer_classification_id: number | null; rights: string[] | null }>(sql`
    select l.show_id, l.division, l.category, l.customer_classification_id, t.rights_granted as rights
    from licenses l left join license_terms t on t.license_id = l.id where l.id = ${licenseId}`);
  const venues = await ctx.db.query<{ name: string; country: string | null; region: string | null; lat: number | null;
    lng: number | null; opening_on: string; closing_on: string }>(sql`
    select name, address ->> 'country_code' as country, address ->> 'administrative_area' as region, lat, lng,
      opening_on, closing_on from license_venues where license_id = ${licenseId} and opening_on is not null`);
  return {
    show_id: license.show_id, division: license.division, category: license.category,
    classification_id: license.customer_classification_id, media: mediaOf(license.rights ?? ['stage']),
    license_id: licenseId, venues: venues.map((venue) => ({
      name: venue.name, country: venue.country ?? '', region: venue.region,
      point: venue.lat === null || venue.lng === null ? null : { lat: venue.lat, lng: venue.lng },
      first_performance_on: venue.opening_on, last_performance_on: venue.closing_on,
    })),
  };
}

export function mediaOf(rights: readonly string[]): Medium[] {
  const media = rights.map((right): Medium => (right.startsWith('stream') ? 'stream'
    : right === 'video_archival' ? 'record' : 'stage'));
  return [...new Set(media)];
}

/** Checks a licence and stores the verdict with its reasons. */
export async function checkLicenseRights(ctx: WorkContext, licenseId: number): Promise<AvailabilityAnswer> {
  const answer = await checkRights(ctx, await licenseRights(ctx, licenseId));
  await ctx.db.exec(sql`
    update licenses set availability_result = ${JSON.stringify(answer)} where id = ${licenseId}`);
  return answer;
}
