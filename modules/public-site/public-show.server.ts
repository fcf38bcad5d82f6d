/** Titles, dates and estimates for visitors: the calls, and the same answers for the pages. */
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import { marketOf, PUBLIC_DIVISIONS, type Market, type PublicDivision } from '#kernel/licensing/public-market.ts';
import type { Verdict } from '#kernel/licensing/availability.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import { checkPublicDates, previewPrice } from '#modules/licensing/licensing.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { limit, type LimitContext } from '#server/rate-limit.ts';
import { inLanguage } from '#server/reader-language.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import {
  MOST_DAYS, publicShowEndpoints, type DatesAnswer, type DatesQuestion, type EstimateAnswer, type EstimateQuestion,
  type PublicShow, type PublicShowRow,
} from './public-show.contract.ts';

/** Visitor, as far as questions are counted: the address, and nothing else is known. */
export type VisitorContext = WorkContext & LimitContext & { ip: string };

const imageUrl = sql`'/api/public/images/' || f.sha256`;
const sampleUrl = sql`'/api/public/samples/' || f.sha256`;
const columns = sql`t.show_code, t.type, t.title, t.authors_credit, t.synopsis, t.year, t.running_time_minutes,
  t.cast_min, t.cast_max, t.age_rating, t.orchestrations, t.available_from,
  (select ${imageUrl} from show_images i join files f on f.id = coalesce(i.small_file_id, i.file_id)
    where i.show_id = t.id and i.public order by i.sort, i.id limit 1) as image_url`;

/** Active titles that the division may license: what the public may know of. */
const offered = (division: PublicDivision): Sql => sql`t.active and t.deleted_at is null
  and ${division} = any (t.divisions)`;

export function publicShows(
  ctx: WorkContext, market: Market, query: ListArgs & { type?: string | undefined },
): Promise<Page<PublicShowRow>> {
  return listPage<PublicShowRow>(ctx.db, {
    base: sql`shows t`, columns, defaultSort: 'title', sorts: { title: sql`t.sort_title collate "und-x-icu"` },
    conditions: compact([offered(market.division), query.type !== undefined && sql`t.type = ${query.type}`,
      query.search !== undefined && query.search !== '' && matches(sql`t.search_text`, query.search)]),
  }, query, '/api/public/shows');
}

/** Null where the title does not exist or is not offered there: visitors cannot tell one from the other. */
export async function publicShow(ctx: WorkContext, code: string, market: Market): Promise<PublicShow | null> {
  const row = await ctx.db.maybeOne<Omit<PublicShow, 'images' | 'samples' | 'division'>>(sql`
    select ${columns}, t.cast_women, t.cast_men, t.cast_any, t.content_notes, t.songs, t.versions, t.excerpt,
      t.territory,
      (select functional_currency from divisions where code = ${market.division}) as currency
    from shows t where t.show_code = ${code} and ${offered(market.division)}`);
  if (!row) return null;
  const images = await ctx.db.query<PublicShow['images'][number]>(sql`
    select ${imageUrl} as url, i.caption, i.width, i.height from show_images i join files f on f.id = i.file_id
    join shows t on t.id = i.show_id where t.show_code = ${code} and i.public order by i.sort, i.id`);
  const samples = await ctx.db.query<PublicShow['samples'][number]>(sql`
    select ${sampleUrl} as url, s.title from show_samples s join files f on f.id = s.file_id
    join shows t on t.id = s.show_id where t.show_code = ${code} and s.public order by s.sort, s.id`);
  return { ...row, images, samples, division: market.division };
}

/** Divisions in which the public may see the title, in order; none where it is not offered. */
export async function divisionsOfShow(ctx: WorkContext, code: string): Promise<PublicDivision[]> {
  const row = await ctx.db.maybeOne<{ divisions: string[] }>(sql`
    select divisions from shows where show_code = ${code} and active and deleted_at is null`);
  return PUBLIC_DIVISIONS.filter((division) => row?.divisions.includes(division));
}

async function offeredId(ctx: WorkContext, code: string, market: Market): Promise<number> {
  const row = await ctx.db.maybeOne<{ id: number }>(sql`
    select t.id from shows t where t.show_code = ${code} and ${offered(market.division)}`);
  if (!row) throw refuse('not_found');
  return row.id;
}

const MINUTE = 60;
const DAY = 86_400;
const ANSWERS: Readonly<Record<Verdict, DatesAnswer['answer']>> = {
  clear: 'free', needs_clearance: 'ask_us', blocked: 'not_available',
};

/** One venue and one range of days; an address asks 20 times a minute and 200 times a day. */
export async function publicDates(ctx: VisitorContext, code: string, asked: DatesQuestion): Promise<DatesAnswer> {
  await limit(ctx, `public_dates:${ctx.ip}`, 20, MINUTE);
  await limit(ctx, `public_dates_of_day:${ctx.ip}`, 200, DAY);
  const market = marketOf(asked.country);
  const show_id = await offeredId(ctx, code, market);
  if (asked.to < asked.from) throw invalidField('to', 'The last day is before the first');
  if (diffDays(asked.from, asked.to) >= MOST_DAYS) {
    throw invalidField('to', `Ask for at most ${MOST_DAYS} days at once`);
  }
  if (asked.from <= await ctx.today(market.division)) throw invalidField('from', 'Choose a day in the future');
  return { answer: ANSWERS[await checkPublicDates(ctx, { ...asked, show_id, division: market.division })] };
}

/** A season ahead: the rate card in force then counts. */
const DAYS_AHEAD = 180;

/** One or two prices, sold in the proportion of their seats (domain.md 2.1). */
const bandsOf = ({ seats, price, seats_2, price_2 }: EstimateQuestion) => [
  { number_of_seats: seats, price, weight: seats },
  ...(seats_2 === undefined || price_2 === undefined ? []
    : [{ number_of_seats: seats_2, price: price_2, weight: seats_2 }])];

/** By the house's own pricing, for a customer whom nobody knows: no class, no discount, no certificate. */
export async function publicEstimate(
  ctx: VisitorContext, code: string, asked: EstimateQuestion,
): Promise<EstimateAnswer> {
  await limit(ctx, `public_estimate:${ctx.ip}`, 30, MINUTE);
  const market = marketOf(asked.country);
  const show_id = await offeredId(ctx, code, market);
  const first = addDays(await ctx.today(market.division), DAYS_AHEAD);
  const answer = await inLanguage(market.language, () => previewPrice(ctx, {
    show_id, category: asked.category, division: market.division, customer_id: null, classification_id: null,
    license_venues: [{ name: 'Your venue', capacity: asked.seats + (asked.seats_2 ?? 0), ticketing: bandsOf(asked),
      performances: Array.from({ length: asked.performances }, (_, at) =>
        ({ local_date: addDays(first, at), local_time: '19:30', type: 'public' as const, is_free: false })) }],
  }));
  const { currency, priced, rows, totals, promise } = answer;
  return { currency, priced, rows: rows.map(({ label, net_minor }) => ({ label, amount_minor: net_minor })),
    message: priced ? null : 'We price this show individually. Apply for a quote.',
    net_minor: totals.net_minor,
    promise: promise && { headline: promise.headline, facts: promise.facts } };
}

/** Offered by some division that the public deals with. */
const anywhere = sql`t.active and t.deleted_at is null and t.divisions && ${[...PUBLIC_DIVISIONS]}::text[]`;

async function sample(ctx: Ctx, digest: string) {
  const file = await ctx.db.maybeOne<{ storage_key: string; mime_type: string }>(sql`
    select f.storage_key, f.mime_type from files f join show_samples s on s.file_id = f.id
    join shows t on t.id = s.show_id where f.sha256 = ${digest} and s.public and ${anywhere} limit 1`);
  if (!file) throw refuse('not_found');
  return { filename: digest.slice(0, 12), content_type: file.mime_type, inline: true,
    content: await ctx.ports.files.get(file.storage_key) };
}

async function image(ctx: Ctx, digest: string) {
  const file = await ctx.db.maybeOne<{ storage_key: string }>(sql`
    select f.storage_key from files f join show_images i on f.id in (i.file_id, i.small_file_id)
    join shows t on t.id = i.show_id where f.sha256 = ${digest} and i.public and ${anywhere} limit 1`);
  if (!file) throw refuse('not_found');
  return { filename: `${digest.slice(0, 12)}.webp`, content_type: 'image/webp', inline: true,
    content: await ctx.ports.files.get(file.storage_key) };
}

export const publicShowRoutes: Route[] = serve(publicShowEndpoints, {
  list: (ctx, { query: { country, ...query } }) => publicShows(ctx, marketOf(country), query),
  async show(ctx, { params, query }) {
    const row = await publicShow(ctx, params.code, marketOf(query.country));
    if (!row) throw refuse('not_found');
    return { data: row };
  },
  dates: async (ctx, { params, query }) => ({ data: await publicDates(ctx, params.code, query) }),
  estimate: async (ctx, { params, body }) => ({ data: await publicEstimate(ctx, params.code, body) }),
  image: (ctx, { params }) => image(ctx, params.digest),
  sample: (ctx, { params }) => sample(ctx, params.digest),
});
