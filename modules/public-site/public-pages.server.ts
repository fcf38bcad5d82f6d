/**
 * Pages for anybody, as complete HTML: neither session nor cookie, and one script, which the estimate does not need.
 * They are no calls of the API; their questions are the calls below /api/public, with the same limits.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addDays } from '#kernel/calendar/calendar.ts';
import { HOME_COUNTRIES, marketOf, PUBLIC_DIVISIONS, type Market, type PublicDivision,
} from '#kernel/licensing/public-market.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { AppError, type FieldErrors } from '#kit/errors.ts';
import { workContext, type Ports } from '#server/context.ts';
import { fieldErrors } from '#server/error-answer.ts';
import { escapeHtml } from '#server/html.ts';
import { houseSetting } from '#server/house-settings.ts';
import { sendToAll } from '#server/shared-answer.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import type * as z from 'zod';
import { catalogPage, countryPage, notFoundPage } from './catalog-pages.server.ts';
import { contactPage, privacyPage, termsPage, type Office } from './house-pages.server.ts';
import { isCountry } from '#modules/reference/places/place.contract.ts';
import { datesQuestion, estimateQuestion } from './public-show.contract.ts';
import { divisionsOfShow, publicDates, publicEstimate, publicShow, publicShows, type VisitorContext,
} from './public-show.server.ts';
import { showPage, type Question } from './show-page.server.ts';

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
  + "media-src 'self'; "
  + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/** Seconds that any cache may keep a page. */
const KEEP = 300;
const PER_PAGE = 24;
const MOST_PAGES = 1000;

type Query = Record<string, string | string[] | undefined>;
const textOf = (query: Query, name: string): string => {
  const value = query[name];
  return (typeof value === 'string' ? value : '').replaceAll('\u0000', '').toWellFormed().trim().slice(0, 200);
};

/** Undefined: asked for none; null: named one that there is not. */
function marketFrom(query: Query): Market | null | undefined {
  const country = textOf(query, 'country').toUpperCase();
  if (country === '') return undefined;
  return isCountry(country) ? marketOf(country) : null;
}

function visitor(ports: Ports, request: FastifyRequest, reply: FastifyReply): VisitorContext {
  const work = workContext(ports, ports.db, { actor_id: null, on_behalf_of_customer_id: null, session_id: null,
    ip: request.ip, request_id: request.id });
  return { ...work, ip: request.ip, header: (name, value) => { void reply.header(name, value); } };
}

/** An answer to a question of one visitor is kept by nobody. */
function send(page: string, request: FastifyRequest, reply: FastifyReply, status: 200 | 404 | 429 | 'asked' = 200) {
  void reply.header('Content-Security-Policy', POLICY);
  if (status === 200) return sendToAll(page, 'text/html; charset=utf-8', KEEP, request, reply);
  return reply.status(status === 'asked' ? 200 : status).header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8').send(page);
}

/** Addresses of a page by division, in the country where the division is at home. */
function addressesOf(origin: string, path: string, divisions: readonly PublicDivision[]) {
  const at = (division: PublicDivision): string => `${origin}${path}?country=${HOME_COUNTRIES[division]}`;
  return { canonical: at, alternates: divisions.map((division) => ({ href: at(division),
    lang: division === 'EU' ? 'en-IE' : documentLanguage(division) })) };
}

/** The answer to a question in the address, or what is wrong with it at each field. */
async function ask<Values, Answer>(
  schema: z.ZodType<Values>, sent: Record<string, unknown>, values: Record<string, string>,
  work: (values: Values) => Promise<Answer>,
): Promise<Question<Answer>> {
  const read = schema.safeParse(sent);
  if (!read.success) return { values, answer: null, errors: fieldErrors(read.error) };
  try {
    return { values, answer: await work(read.data), errors: {} };
  } catch (error) {
    if (!(error instanceof AppError) || ![422, 429].includes(error.status)) throw error;
    return { values, answer: null, errors: (error.errors ?? { '': [error.message] }) as FieldErrors };
  }
}

const notAsked = (values: Record<string, string>) => ({ values, answer: null, errors: {} });
const valuesOf = (query: Query, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, textOf(query, name)]));
const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text));

async function questions(ctx: VisitorContext, code: string, market: Market, query: Query) {
  const asked = textOf(query, 'ask');
  const { country } = market;
  const typed = valuesOf(query, ['from', 'to', 'postal_code', 'category', 'seats', 'price', 'seats_2', 'price_2',
    'performances']);
  const { from, to, postal_code, category, seats = '', price = '', seats_2 = '', price_2 = '', performances = ''
  } = typed;
  const isAsked = asked === 'dates' || asked === 'estimate';
  // One form carries what was typed into the other: its answer stays on the page.
  const complete = (...texts: readonly (string | undefined)[]): boolean => isAsked && texts.every(Boolean);
  return {
    dates: asked !== 'dates' && !complete(from, to, postal_code) ? notAsked(typed)
      : await ask(datesQuestion, { country, from, to, postal_code, category }, typed,
        (values) => publicDates(ctx, code, values)),
    estimate: asked !== 'estimate' && !complete(seats, price, performances) ? notAsked(typed)
      : await ask(estimateQuestion, { country, category, seats: numberOf(seats), price: numberOf(price),
        ...(seats_2 === '' ? {} : { seats_2: numberOf(seats_2) }),
        ...(price_2 === '' ? {} : { price_2: numberOf(price_2) }),
        performances: numberOf(performances) }, typed, (values) => publicEstimate(ctx, code, values)),
    asked: isAsked,
  };
}

async function show(ports: Ports, request: FastifyRequest, reply: FastifyReply) {
  const { code } = request.params as { code: string };
  const query = request.query as Query;
  const ctx = visitor(ports, request, reply);
  const market = marketFrom(query);
  const origin = linkTo(ports.settings, '');
  const divisions = await divisionsOfShow(ctx, code);
  if (divisions.length === 0) return send(notFoundPage(market ?? null), request, reply, 404);
  if (!market) {
    const known = await publicShow(ctx, code, marketOf(HOME_COUNTRIES[divisions[0]!]));
    return send(countryPage({ path: `/shows/${code}`, origin, wrong: market === null, show: known?.title }), request,
      reply);
  }
  const row = await publicShow(ctx, code, market);
  if (!row) return send(notFoundPage(market), request, reply, 404);
  const { canonical, alternates } = addressesOf(origin, `/shows/${code}`, divisions);
  const found = await questions(ctx, code, market, query);
  return send(showPage({ show: row, market, origin, canonical: canonical(market.division), alternates,
    tomorrow: addDays(await ctx.today(market.division), 1), ...found }), request, reply, found.asked ? 'asked' : 200);
}

async function catalog(ports: Ports, request: FastifyRequest, reply: FastifyReply) {
  const query = request.query as Query;
  const market = marketFrom(query);
  const origin = linkTo(ports.settings, '');
  if (!market) return send(countryPage({ path: '/shows', origin, wrong: market === null }), request, reply);
  const search = textOf(query, 'search');
  const type = ['play', 'musical'].find((one) => one === textOf(query, 'type')) ?? '';
  const asked = Number(textOf(query, 'page'));
  const page = await publicShows(visitor(ports, request, reply), market, { per_page: PER_PAGE, search,
    page: Number.isInteger(asked) && asked >= 1 && asked <= MOST_PAGES ? asked : 1,
    type: type === '' ? undefined : type });
  const { canonical, alternates } = addressesOf(origin, '/shows', PUBLIC_DIVISIONS);
  return send(catalogPage({ market, origin, page, search, type, alternates, canonical: canonical(market.division) }),
    request, reply);
}

async function contact(ports: Ports, request: FastifyRequest, reply: FastifyReply) {
  const offices = await ports.db.query<Office>(sql`
    select legal_entity_name, address, home_country from divisions where code = any (${[...PUBLIC_DIVISIONS]}::text[])
    order by id`);
  const sender = await houseSetting(ports.db, 'mail_from');
  return send(contactPage({ market: marketFrom(request.query as Query) ?? null, offices,
    canonical: linkTo(ports.settings, '/contact'), email: /<([^<>\s]+@[^<>\s]+)>/.exec(sender)?.[1] ?? null }), request,
  reply);
}

async function sitemap(ports: Ports, request: FastifyRequest, reply: FastifyReply) {
  const rows = await ports.db.query<{ show_code: string; divisions: string[]; day: string }>(sql`
    select show_code, divisions, to_char(updated_at, 'YYYY-MM-DD') as day from shows
    where active and deleted_at is null and divisions && ${[...PUBLIC_DIVISIONS]}::text[] 
    order by show_code limit 15000`);
  const origin = linkTo(ports.settings, '');
  const entry = (address: string, day?: string): string => `<url><loc>${escapeHtml(address)}</loc>${
    day === undefined ? '' : `<lastmod>${day}</lastmod>`}</url>`;
  const pages = [...PUBLIC_DIVISIONS.map((one) => entry(`${origin}/shows?country=${HOME_COUNTRIES[one]}`)),
    ...['/contact', '/terms', '/privacy'].map((path) => entry(`${origin}${path}`)),
    ...rows.flatMap(({ show_code, divisions, day }) => PUBLIC_DIVISIONS.filter((one) => divisions.includes(one))
      .map((one) => entry(`${origin}/shows/${show_code}?country=${HOME_COUNTRIES[one]}`, day)))];
  const set = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  return sendToAll(`<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${set}">${pages.join('\n')}</urlset>\n`,
    'application/xml; charset=utf-8', 3600, request, reply);
}

/** Search engines read the public pages and nothing behind the sign-in. */
const robots = (ports: Ports): string => ['User-agent: *', 'Allow: /shows', 'Allow: /contact', 'Allow: /terms',
  'Allow: /privacy', 'Allow: /public-site/', 'Allow: /api/public/images/', 'Allow: /api/public/samples/', 'Disallow: /',
  `Sitemap: ${linkTo(ports.settings, '/sitemap.xml')}`, ''].join('\n');

/** Everybody may read every one of them. */
export function publicPages(ports: Ports): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.get('/shows', (request, reply) => catalog(ports, request, reply));
    app.get('/shows/:code', (request, reply) => show(ports, request, reply));
    app.get('/contact', (request, reply) => contact(ports, request, reply));
    for (const [path, page] of [['/terms', termsPage], ['/privacy', privacyPage]] as const) {
      app.get(path, (request, reply) => send(page({ market: marketFrom(request.query as Query) ?? null,
        canonical: linkTo(ports.settings, path) }), request, reply));
    }
    app.get('/sitemap.xml', (request, reply) => sitemap(ports, request, reply));
    app.get('/robots.txt', (request, reply) =>
      sendToAll(robots(ports), 'text/plain; charset=utf-8', 3600, request, reply));
    return Promise.resolve();
  };
}
