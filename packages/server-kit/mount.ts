/** One route of the contract on Fastify: gates, validation, confirmation, transaction with idempotency, answer. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { MIB, type Endpoint } from '#kit/endpoint.ts';
import { invalid, refuse } from '#kit/errors.ts';
import { workContext, type Ctx, type FileAnswer, type Ports, type UploadedFile } from './context.ts';
import { fieldErrors, unknownFields } from './error-answer.ts';
import { sendFile } from './file-answer.ts';
import { checkGates, type Gate } from './gates.ts';
import { claimKey, fingerprint, storeAnswer } from './idempotency.ts';
import { ifMatchOf, withIfMatch } from './if-match.ts';
import type { Db, Queryable } from './db.ts';
import type { Page } from './list.ts';
import type { Session } from './principal.ts';
import type { Route } from './routes.ts';
import { sendToAll } from './shared-answer.ts';
import { boundTo, type CustomerDbs } from './tenant.ts';
import { readUpload, refuseTooLarge } from './upload.ts';
import { inLanguage, languageOf } from './reader-language.ts';

export interface MountOptions {
  ports: Ports;
  customers: CustomerDbs;
  disabledGates: ReadonlySet<Gate>;
  sessionOf: (request: FastifyRequest) => Session | null;
}

interface Parsed {
  params: unknown;
  query: unknown;
  body: unknown;
  file: UploadedFile | null;
}

const toFastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

export function mount(app: FastifyInstance, route: Route, options: MountOptions): void {
  const { endpoint } = route;
  app.route({
    method: endpoint.method,
    url: toFastifyPath(endpoint.path),
    config: { endpoint },
    bodyLimit: bodyLimitOf(endpoint),
    // `anonymous`: one answer for everybody, which caches may keep.
    handler: (request, reply) => inLanguage(endpoint.anonymous ? 'en-US' : languageOf(request),
      () => answer(route, request, reply, options)),
  });
}

async function answer(
  route: Route, request: FastifyRequest, reply: FastifyReply, options: MountOptions,
): Promise<unknown> {
  const { endpoint } = route;
  const session = options.sessionOf(request);
  checkGates(endpoint.auth, session?.principal ?? null, gatedId(endpoint, request), options.disabledGates);
  if (endpoint.upload) refuseTooLarge(request, endpoint.upload);
  const parsed = await parse(endpoint, request);
  // After validation, so that a wrong field is named before a password is asked for.
  if (endpoint.confirm && session?.confirmed !== true && !options.disabledGates.has('confirm')) {
    throw refuse('confirmation_required');
  }
  return send(endpoint, await run(route, parsed, request, reply, session, options), request, reply);
}

/** Bytes of JSON that somebody who is not signed in may send: no form of theirs needs a tenth of it. */
export const OPEN_BODY_LIMIT = 16 * 1024;

export const bodyLimitOf = ({ auth }: Endpoint): number => (auth.kind === 'open' ? OPEN_BODY_LIMIT : MIB);

/** Id of the customer, or person, in the path, where the gates ask whose record it is. */
function gatedId({ auth }: Endpoint, request: FastifyRequest): number | null {
  return auth.kind === 'customer' || (auth.kind === 'staff' && auth.own === true) ? pathId(request) : null;
}

const pathId = (request: FastifyRequest): number => idOf((request.params as Record<string, string>).id ?? '');

/** An address whose id is no id names no record: 404. */
function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1) throw refuse('not_found');
  return Number(text);
}

async function parse(endpoint: Endpoint, request: FastifyRequest): Promise<Parsed> {
  const params = parseParams(endpoint, request.params as Record<string, string>);
  const query = endpoint.query ? validated(endpoint.query, request.query) : noneExpected(request.query);
  const upload = endpoint.upload ? await readUpload(request, endpoint.upload) : null;
  const sent = withIfMatch(endpoint, ifMatchOf(request), upload ? upload.fields : request.body ?? undefined);
  // Files that come without a body's schema have fields, too.
  if (!endpoint.body) refuseBrokenText(sent, '');
  const body = endpoint.body ? validated(endpoint.body, sent ?? {}) : noneExpected(sent ?? {});
  return { params, query, body, file: upload?.file ?? null };
}

function noneExpected(value: unknown): Record<string, never> {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.length > 0) throw invalid(unknownFields(keys));
  return {};
}

function parseParams(endpoint: Endpoint, params: Record<string, string>): unknown {
  if (endpoint.params) {
    const result = endpoint.params.safeParse(params);
    if (!result.success) throw refuse('not_found');
    return result.data;
  }
  return Object.fromEntries(Object.entries(params).map(([key, text]) => [key, idOf(text)]));
}

function validated(schema: z.ZodType, value: unknown): unknown {
  refuseBrokenText(value, '');
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(fieldErrors(result.error));
  return result.data;
}

const MAX_DEPTH = 30;

/** Why PostgreSQL cannot store the text: U+0000 or an unpaired surrogate (reliability.md D10); null if it can. */
function brokenText(text: string): string | null {
  if (text.includes('\u0000')) return 'The text holds a NUL character, which cannot be stored';
  return text.isWellFormed() ? null : 'The text holds half a character, which cannot be stored';
}

/** 422 at the field that holds text which cannot be stored, before any schema; names of fields count too. */
function refuseBrokenText(value: unknown, path: string, depth = 0): void {
  if (depth > MAX_DEPTH) throw refuse('bad_request', 'The request is nested too deeply.');
  const fault = typeof value === 'string' ? brokenText(value) : null;
  if (fault !== null) throw invalid({ [path]: [fault] });
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    const nameFault = brokenText(key);
    if (nameFault !== null) throw invalid({ [path]: [nameFault] });
    refuseBrokenText(inner, path === '' ? key : `${path}.${key}`, depth + 1);
  }
}

async function run(
  route: Route, parsed: Parsed, request: FastifyRequest, reply: FastifyReply, session: Session | null,
  options: MountOptions,
): Promise<unknown> {
  const { endpoint } = route;
  const call = { params: parsed.params, query: parsed.query, body: parsed.body };
  const { ports, portal } = poolsFor(endpoint, request, session, options);
  const contextOn = (db: Queryable): Ctx => makeContext(ports, db, request, reply, session, parsed.file);
  if (endpoint.method === 'GET' && portal) {
    const page = await portal.read((tx) => route.handler({ ...contextOn(tx), counter: ports.db }, call));
    return withRequestLinks(page, request);
  }
  if (endpoint.method === 'GET' || endpoint.readOnly) {
    return withRequestLinks(await route.handler(contextOn(ports.db), call), request);
  }
  // A repeated request with a password or code is asked again: neither it nor its answer is kept.
  const key = endpoint.secret ? null : idempotencyKey(endpoint, request);
  return ports.db.tx(async (tx) => {
    if (key === null) return route.handler(contextOn(tx), call);
    const claim = {
      user_id: session?.principal?.user_id ?? null, key,
      fingerprint: fingerprint(request.method, request.url, parsed.body, parsed.file?.content),
    };
    const stored = await claimKey(tx, claim);
    if (stored) {
      reply.header('Idempotent-Replayed', 'true');
      return stored.body;
    }
    const answer = await route.handler(contextOn(tx), call);
    await storeAnswer(tx, claim, { status: endpoint.status ?? 200, body: answer });
    return answer;
  });
}

/** Links of a page keep the path and the filters of this request, whatever the handler wrote. */
function withRequestLinks(answer: unknown, request: FastifyRequest): unknown {
  const page = answer as Partial<Page<unknown>> | null;
  if (!page?.meta?.path || !page.links) return answer;
  const [path = '', asked = ''] = request.url.split('?');
  const at = (link: string | null): string | null => {
    if (link === null) return null;
    const query = new URLSearchParams(asked);
    for (const [name, value] of new URLSearchParams(link.split('?')[1])) query.set(name, value);
    return `${path}?${query.toString()}`;
  };
  const links = Object.fromEntries(Object.entries(page.links).map(([rel, link]) => [rel, at(link)]));
  return { ...page, links, meta: { ...page.meta, path } };
}

/**
 * Pools that a request works on (tenant.ts). A call of a customer gets `app_counter` as its `ports.db`: all tables, but
 * only the rows of this customer; its GETs run on `app_portal`, from which `ctx.counter` reads what the portal cannot.
 * Every other call works on the house's pool.
 */
function poolsFor(
  endpoint: Endpoint, request: FastifyRequest, session: Session | null, options: MountOptions,
): { ports: Ports; portal: Db | null } {
  const { ports } = options;
  if (endpoint.auth.kind !== 'customer' || options.disabledGates.has('row_security')) return { ports, portal: null };
  const { portal, counter } = boundTo(options.customers, session?.principal ?? null, pathId(request));
  return { ports: { ...ports, db: counter }, portal };
}

function idempotencyKey(endpoint: Endpoint, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') {
    if (endpoint.idempotent) throw refuse('idempotency_key_required');
    return null;
  }
  if (key.length > 255) throw refuse('bad_request', 'The Idempotency-Key has more than 255 characters.');
  return key;
}

function makeContext(
  ports: Ports, db: Queryable, request: FastifyRequest, reply: FastifyReply, session: Session | null,
  file: UploadedFile | null,
): Ctx {
  const principal = session?.principal ?? null;
  const work = workContext(ports, db, {
    actor_id: principal?.user_id ?? null,
    on_behalf_of_customer_id: principal?.acting_customer_id ?? null,
    session_id: session?.id ?? null,
    ip: request.ip,
    request_id: request.id,
  });
  return {
    ...work,
    principal,
    get user() {
      if (!principal) throw refuse('unauthenticated');
      return principal;
    },
    session,
    ip: request.ip,
    port: request.ip === request.socket.remoteAddress ? request.socket.remotePort ?? null : null,
    origin: `${request.protocol}://${request.host}`,
    user_agent: request.headers['user-agent']?.slice(0, 400) ?? null,
    file,
    ifMatch: ifMatchOf(request),
    lastEventId: lastEventId(request),
    setCookie: (name, value, cookie) => {
      void reply.setCookie(name, value, {
        path: '/', sameSite: 'lax', secure: ports.settings.production,
        httpOnly: cookie.httpOnly, maxAge: cookie.maxAge,
      });
    },
    header: (name, value) => { void reply.header(name, value); },
  };
}

function lastEventId(request: FastifyRequest): number | null {
  const sent = request.headers['last-event-id'];
  return typeof sent === 'string' && /^\d{1,15}$/.test(sent) ? Number(sent) : null;
}

/** Proxies pass every event on as it comes; none of them compresses or keeps it. */
function sendEvents(stream: NodeJS.ReadableStream, reply: FastifyReply): FastifyReply {
  return reply
    .header('Content-Type', 'text/event-stream; charset=utf-8')
    .header('Cache-Control', 'no-store, no-transform')
    .header('X-Accel-Buffering', 'no')
    .send(stream);
}

function send(endpoint: Endpoint, answer: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  const keepSeconds = endpoint.method === 'GET' ? endpoint.anonymous?.keep_seconds : undefined;
  if (endpoint.response === 'file') return sendFile(answer as FileAnswer, reply, keepSeconds);
  if (endpoint.response === 'events') return sendEvents(answer as NodeJS.ReadableStream, reply);
  if (endpoint.response === null) return reply.status(204).send();
  const result = endpoint.response.safeParse(answer);
  if (!result.success) {
    const call = `${endpoint.method} ${endpoint.path}`;
    throw new Error(`${call} answers something else than it declares: ${result.error.message}`);
  }
  if (keepSeconds !== undefined) {
    return sendToAll(JSON.stringify(result.data), 'application/json; charset=utf-8', keepSeconds, request, reply);
  }
  const version = (result.data as { data?: { version?: unknown } } | null)?.data?.version;
  if (typeof version === 'number') void reply.header('ETag', `"v${version}"`);
  return reply.status(endpoint.status ?? 200).send(result.data);
}
