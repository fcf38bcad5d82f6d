/**
 * Titles as anybody may see them, without an account. The country decides division, currency and spelling. Answers name
 * no id of the database, no price but an estimate, and nothing of customers.
 */
import * as z from 'zod';
import { open } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, isoDate } from '#kit/field.ts';
import { PUBLIC_DIVISIONS } from '#kernel/licensing/public-market.ts';
import { isCountry } from '#modules/reference/places/place.contract.ts';

const country = z.string().regex(/^[A-Z]{2}$/, 'Choose a country').refine(isCountry, 'Choose a country');
const category = z.enum(['Amateur', 'Pro'], 'Choose amateur or professional');

/** Days one question about dates may span. */
export const MOST_DAYS = 92;
export const MOST_PERFORMANCES = 60;

export const publicShowRow = z.object({
  show_code: z.string(), type: z.enum(['play', 'musical']), title: z.string(), authors_credit: z.string(),
  synopsis: z.string(), year: z.int().nullable(), running_time_minutes: z.int().nullable(),
  cast_min: z.int().nullable(), cast_max: z.int().nullable(), age_rating: z.string(),
  orchestrations: z.array(z.string()), available_from: z.string().nullable(),
  /** Address of the first public picture, small where there is a small one. */
  image_url: z.string().nullable(),
});
export type PublicShowRow = z.infer<typeof publicShowRow>;

export const publicShow = publicShowRow.extend({
  cast_women: z.int().nullable(), cast_men: z.int().nullable(), cast_any: z.int().nullable(),
  content_notes: z.string(),
  /** One on each line. */
  songs: z.string(),
  /** One on each line. */
  versions: z.string(), excerpt: z.string(), territory: z.string(),
  images: z.array(z.object({ url: z.string(), caption: z.string(), width: z.int(), height: z.int() })),
  samples: z.array(z.object({ url: z.string(), title: z.string() })),
  division: z.enum(PUBLIC_DIVISIONS), currency: currencyCode,
});
export type PublicShow = z.infer<typeof publicShow>;

/** Nothing but one of three words: no reason, no other dates. */
export const datesAnswer = z.strictObject({ answer: z.enum(['free', 'ask_us', 'not_available']) });
export type DatesAnswer = z.infer<typeof datesAnswer>;

export const datesQuestion = z.strictObject({
  country, from: isoDate, to: isoDate, category,
  /** Of the venue. */
  postal_code: z.string().trim().min(1, 'Enter the postal code of the venue').max(12),
});
export type DatesQuestion = z.infer<typeof datesQuestion>;

const seats = z.int('Seats must be a whole number').min(1, 'Enter the seats').max(20_000, 'At most 20,000 seats');
const price = z.number('Price must be a number').min(0, 'A price cannot be negative').max(9999.99, 'At most 9,999.99')
  .refine((amount) => Number.isInteger(Math.round(amount * 1e6) / 1e4), 'Use at most two decimals');

export const estimateQuestion = z.strictObject({
  country, category, seats,
  /** Of an average ticket, or of these seats where others have a second price; in the currency of the division. */
  price,
  seats_2: seats.optional(), price_2: price.optional(),
  performances: z.int('Performances must be a whole number').min(1, 'Enter the performances')
    .max(MOST_PERFORMANCES, `At most ${MOST_PERFORMANCES} performances`),
}).refine((asked) => asked.seats_2 === undefined || asked.price_2 !== undefined,
  { path: ['price_2'], message: 'Enter the price of these seats' })
  .refine((asked) => asked.price_2 === undefined || asked.seats_2 !== undefined,
    { path: ['seats_2'], message: 'Enter the seats at this price' });
export type EstimateQuestion = z.infer<typeof estimateQuestion>;

export const estimateAnswer = z.object({
  currency: currencyCode,
  /** False: we quote by hand, and `message` says so. */
  priced: z.boolean(), message: z.string().nullable(),
  rows: z.array(z.object({ label: z.string(), amount_minor: z.int() })),
  /** Before tax. */
  net_minor: z.int(),
  /** Percentage that follows the takings, and its terms; null where the price is the whole price. */
  promise: z.object({ headline: z.string(), facts: z.array(z.object({ label: z.string(), text: z.string() })) })
    .nullable(),
});
export type EstimateAnswer = z.infer<typeof estimateAnswer>;

const base = '/api/public/shows';
const code = z.object({ code: z.string().regex(/^[A-Z0-9][A-Z0-9-]{0,23}$/) });
const digest = z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/) });
const MINUTES_5 = { keep_seconds: 300 };

export const publicShowEndpoints = {
  list: endpoint({ method: 'GET', path: base, auth: open, anonymous: MINUTES_5,
    summary: 'Titles that can be licensed in a country',
    query: listQuery({ filters: { country, type: z.enum(['play', 'musical']).optional() }, sort: ['title'] }),
    response: many(publicShowRow) }),
  show: endpoint({ method: 'GET', path: `${base}/{code}`, auth: open, anonymous: MINUTES_5, params: code,
    summary: 'One title', query: z.strictObject({ country }), response: one(publicShow) }),
  dates: endpoint({ method: 'GET', path: `${base}/{code}/availability`, auth: open, anonymous: { keep_seconds: 60 },
    params: code, summary: 'Are the rights free at a venue on these days? Free, ask us, not available',
    query: datesQuestion, response: one(datesAnswer) }),
  estimate: endpoint({ method: 'POST', path: `${base}/{code}/estimate`, auth: open, anonymous: { keep_seconds: 0 },
    params: code, readOnly: true, summary: 'Price estimate before tax; stores nothing', body: estimateQuestion,
    response: one(estimateAnswer) }),
  image: endpoint({ method: 'GET', path: '/api/public/images/{digest}', auth: open,
    anonymous: { keep_seconds: 86_400 }, params: digest,
    summary: 'A public picture of a title, as WebP', response: 'file' }),
  sample: endpoint({ method: 'GET', path: '/api/public/samples/{digest}', auth: open,
    anonymous: { keep_seconds: 86_400 }, params: digest, summary: 'A public audio sample of a title',
    response: 'file' }),
};
