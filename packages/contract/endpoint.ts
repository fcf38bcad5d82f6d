/**
 * An endpoint is plain data about HTTP: one declaration that the server mounts, the client calls, the documentation
 * prints and the derived tests walk (architecture.md 6). The browser gets it without its schemas, and zod as what
 * zod-in-browser.ts is (docs/decisions/0020).
 *
 * @example
 * export const venueEndpoints = {
 *   close: endpoint({
 *     method: 'PUT', path: '/api/admin/staff/venues/{id}/close', auth: staff('venue.update'),
 *     summary: 'Close a venue', body: z.strictObject({ version: z.int() }), response: one(venueRow),
 *   }),
 * };
 */
import * as z from 'zod';
import type { Auth } from './auth.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Names of the path's parameters: `/a/{id}/b/{userId}` gives `'id' | 'userId'`. */
export type PathParams<P extends string> =
  P extends `${string}{${infer K}}${infer Rest}` ? K | PathParams<Rest> : never;

/** Rule for uploaded files (reliability.md 3.3). */
export interface UploadRule {
  field: string;
  /** Extensions in lower case without the dot; the content's magic bytes must agree. */
  types: readonly string[];
  max_bytes: number;
  required?: boolean;
}

export const MIB = 1024 * 1024;
/** Every upload is refused beyond this size, with the limit in words. */
export const UPLOAD_LIMIT = 25 * MIB;

type Schema = z.ZodType | undefined;
type ResponseSchema = z.ZodType | null | 'file' | 'events';

export interface Endpoint<
  P extends string = string,
  PS extends Schema = Schema,
  QS extends Schema = Schema,
  BS extends Schema = Schema,
  RS extends ResponseSchema = ResponseSchema,
> {
  readonly method: Method;
  readonly path: P;
  readonly auth: Auth;
  readonly summary: string;
  /** Path parameters other than positive whole numbers. */
  readonly params?: PS;
  readonly query?: QS;
  readonly body?: BS;
  /** The answer; `null` is 204 without content, `'file'` a file, `'events'` a stream of server-sent events. */
  readonly response: RS;
  readonly status?: 200 | 201 | 202;
  readonly upload?: UploadRule;
  /** POSTs that create money or documents demand an Idempotency-Key (reliability.md 5.2). */
  readonly idempotent?: boolean;
  /** A POST that stores nothing (previews, calculations): no transaction, no audit. */
  readonly readOnly?: boolean;
  /**
   * Demands that the person confirmed within the last quarter of an hour who they are (reliability.md 1.3): email,
   * role, bank data, two-factor. The server answers 423 `confirmation_required`; the web client asks and repeats.
   */
  readonly confirm?: boolean;
  /** Carries passwords or codes: neither a digest of the request nor the answer is kept for repetitions. */
  readonly secret?: boolean;
  /** The handler compares `If-Match` itself, as a removal does; elsewhere the body's `version` says it. */
  readonly conditional?: boolean;
  /**
   * Answered alike to everybody who asks: no session is read, no cookie set, no token against forgery asked for, and
   * any cache may keep what a GET answers for so many seconds. It changes nothing.
   */
  readonly anonymous?: { readonly keep_seconds: number };
  /** Asked by the browser by itself: does not keep the session alive (reliability.md 1.5). */
  readonly background?: boolean;
}

export function endpoint<
  const P extends string,
  RS extends ResponseSchema,
  PS extends Schema = undefined,
  QS extends Schema = undefined,
  BS extends Schema = undefined,
>(definition: Endpoint<P, PS, QS, BS, RS>): Endpoint<P, PS, QS, BS, RS> {
  return definition;
}

export type AnyEndpoint = Endpoint;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;
/** Path parameters as the handler receives them: numbers, unless the endpoint says otherwise. */
export type ParamsOf<E> = E extends Endpoint<infer P, infer PS, infer _Q, infer _B, infer _R>
  ? PS extends z.ZodType ? z.output<PS> : { [K in PathParams<P>]: number } : never;
export type QueryOf<E> = E extends { query?: infer QS } ? Out<NonNullable<QS>> : undefined;
export type QueryIn<E> = E extends { query?: infer QS } ? In<NonNullable<QS>> : undefined;
export type BodyOf<E> = E extends { body?: infer BS } ? Out<NonNullable<BS>> : undefined;
export type BodyIn<E> = E extends { body?: infer BS } ? In<NonNullable<BS>> : undefined;
/** Type the handler returns and the client receives; files and empty answers are `undefined` here. */
export type ResponseOf<E> = E extends { response: infer RS } ? Out<RS> : undefined;
export type ResponseIn<E> = E extends { response: infer RS } ? In<RS> : undefined;

/** True where the body of the call names the version that it changes. */
export function namesVersion({ body }: { body?: Schema }): boolean {
  return body instanceof z.ZodObject && 'version' in body.shape;
}

/** `{data}` around one row. */
export function one<T extends z.ZodType>(row: T): z.ZodObject<{ data: T }> {
  return z.object({ data: row });
}

export const pageMeta = z.object({
  current_page: z.int(),
  from: z.int().nullable(),
  last_page: z.int(),
  per_page: z.int(),
  to: z.int().nullable(),
  total: z.int(),
  /** false when the count stopped at its cap: "10,000+". */
  total_is_exact: z.boolean(),
  path: z.string(),
});
export type PageMeta = z.infer<typeof pageMeta>;

export const pageLinks = z.object({
  first: z.string(),
  last: z.string(),
  prev: z.string().nullable(),
  next: z.string().nullable(),
});

/** `{data: row[], links, meta}`: one page of a list. */
export function many<T extends z.ZodType>(
  row: T,
): z.ZodObject<{ data: z.ZodArray<T>; links: typeof pageLinks; meta: typeof pageMeta }> {
  return z.object({ data: z.array(row), links: pageLinks, meta: pageMeta });
}

/** `{data: row[]}`: a short list that is never paged. */
export function all<T extends z.ZodType>(row: T): z.ZodObject<{ data: z.ZodArray<T> }> {
  return z.object({ data: z.array(row) });
}

/** SPEC.md section 9: tables show 10 rows, latest lists 5, category calls 20; at most 100 (gaps G64). */
export const PAGE_SIZE = 10;
export const LATEST_SIZE = 5;
export const CATEGORY_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

interface ListOptions<F extends z.ZodRawShape, S extends readonly [string, ...string[]]> {
  filters: F;
  sort: S;
  perPage?: number;
}

/** Query of a list that is read through, not searched: page, per_page, sort and the given filters. */
export function pagedQuery<F extends z.ZodRawShape, S extends readonly [string, ...string[]]>(
  options: ListOptions<F, S>,
) {
  return z.strictObject({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    per_page: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(options.perPage ?? PAGE_SIZE),
    sort_by: z.enum(options.sort).optional(),
    sort_direction: z.enum(['asc', 'desc']).optional(),
    ...options.filters,
  });
}

/** Query of a list: page, per_page, search, sort and the given filters; unknown keys are refused. */
export function listQuery<F extends z.ZodRawShape, S extends readonly [string, ...string[]]>(
  options: ListOptions<F, S>,
) {
  return pagedQuery({ ...options, filters: { search: z.string().trim().max(200).optional(), ...options.filters } });
}

/** Arguments of every list handler, whatever its filters. */
export interface ListArgs {
  page: number;
  per_page: number;
  search?: string | undefined;
  sort_by?: string | undefined;
  sort_direction?: 'asc' | 'desc' | undefined;
}
