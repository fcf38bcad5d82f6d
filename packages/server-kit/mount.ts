/** One route of the contract on Fastify: gates, validation, transaction, idempotency, answer. */
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
    handler: (request, reply) => inLanguage(endpoint.anonymous ? 'en-US' : languageOf(request),
      () => answer(route, request, reply, options)),
  });
}

async function answer(
  route: Route, request: FastifyRequest, reply: FastifyReply, options: MountOptions,
): Promise<unknown> {
  const { endpoint } = route;
  const session = options.sessionOf(request);
  checkGates(endpoint.auth, session?.principal ?? null, namedBy(endpoint, request), options.disabledGates);
  if (endpoint.upload) refuseTooLarge(request, endpoint.upload);
  const parsed = await parse(endpoint, request);
  // After validation: whoever has to correct a field is not asked for a password first.
  if (endpoint.confirm && session?.confirmed !== true && !options.disabledGates.has('confirm')) {
    throw refuse('confirmation_required');
  }
  return send(endpoint, await run(route, parsed, request, reply, session, options), request, reply);
}

/** Bytes of JSON that somebody who is not signed in may send: no form of theirs needs a tenth of it. */
export const OPEN_BODY_LIMIT = 16 * 1024;

export const bodyLimitOf = ({ auth }: Endpoint): number => (auth.kind === 'open' ? OPEN_BODY_LIMIT : MIB);

/** The customer, or the person, whose record the path names, where the gates ask for it. */
function namedBy({ auth }: Endpoint, request: FastifyRequest): number | null {
  return auth.kind === 'customer' || (auth.kind === 'staff' && auth.own === true) ? pathId(request) : null;
}

function pathId(request: FastifyRequest): number {
  const id = Number((request.params as Record<string, string>).id);
  if (!Number.isSafeInteger(id) || id < 1) throw refuse('not_found');
  return id;
}

async function parse(endpoint: Endpoint, request: FastifyRequest): Promise<Parsed> {
  const params = parseParams(endpoint, request.params as Record<string, string>);
  const query = endpoint.query ? read(endpoint.query, request.query) : noneExpected(request.query);
  const upload = endpoint.upload ? await readUpload(request, endpoint.upload) : null;
  const sent = withIfMatch(endpoint, ifMatchOf(request), upload ? upload.fields : request.body ?? undefined);
  refuseBrokenText(sent, '');
  const body = endpoint.body ? read(endpoint.body, sent ?? {}) : noneExpected(sent ?? {});
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
  const numbers: Record<string, number> = {};
  for (const [key, text] of Object.entries(params)) {
    const number = Number(text);
    // An address whose id is no id names no record.
    if (!/^\d{1,15}$/.test(text) || number < 1) throw refuse('not_found');
    numbers[key] = number;
  }
  return numbers;
}

function read(schema: z.ZodType, value: unknown): unknown {
  refuseBrokenText(value, '');
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(fieldErrors(result.error));
  return result.data;
}

const MAX_DEPTH = 30;

/** Text PostgreSQL cannot store, or null: U+0000, and an unpaired surrogate (reliability.md D10). */
function brokenText(text: string): string | null {
  if (text.includes('\u0000')) return 'The text holds a NUL character, which cannot be stored';
  return text.isWellFormed() ? null : 'The text holds half a character, which cannot be stored';
}

/** Refuses such text at its field, whatever the schema says of the rest; names of fields count too. */
function refuseBrokenText(value: unknown, path: string, depth = 0): void {
  if (depth > MAX_DEPTH) throw refuse('bad_request', 'The request is nested too deeply.');
  const fault = typeof value === 'string' ? brokenText(value) : null;
  if (fault !== null) throw invalid({ [path]: [fault] });
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    const named = brokenText(key);
    if (named !== null) throw invalid({ [path]: [named] });
    refuseBrokenText(inner, path === '' ? key : `${path}.${key}`, depth + 1);
  }
}

async function run(
  route: Route, parsed: Parsed, request: FastifyRequest, reply: FastifyReply, session: Session | null,
  options: MountOptions,
): Promise<unknown> {
  const { endpoint } = route;
  const call = { params: parsed.params, query: parsed.query, body: parsed.body };
  const { ports, portal } = workplace(endpoint, request, session, options);
  const contextOn = (db: Queryable): Ctx => makeContext(ports, db, request, reply, session, parsed.file);
  if (endpoint.method === 'GET' && portal) {
    return asAsked(await portal.read((tx) => route.handler({ ...contextOn(tx), counter: ports.db }, call)), request);
  }
  if (endpoint.method === 'GET' || endpoint.readOnly) {
    return asAsked(await route.handler(contextOn(ports.db), call), request);
  }
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

/**
 * The address of a page, and those of the pages around it, are the one that was asked for with all its filters: no
 * handler can name another list, or one whose id is not filled in.
 */
function asAsked(answer: unknown, request: FastifyRequest): unknown {
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

/** Staff work on the house's pool; a customer's request sees the counter in its place and reads from the portal's. */
function workplace(
  endpoint: Endpoint, request: FastifyRequest, session: Session | null, options: MountOptions,
): { ports: Ports; portal: Db | null } {
  const { ports } = options;
  if (endpoint.auth.kind !== 'customer' || options.disabledGates.has('row_security')) return { ports, portal: null };
  const { portal, counter } = boundTo(options.customers, session?.principal ?? null, pathId(request));
  return { ports: { ...ports, db: counter }, portal };
}

function idempotencyKey(endpoint: Endpoint, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (typeof key === 'string' && key.length >= 1 && key.length <= 255) return key;
  if (endpoint.idempotent) throw refuse('idempotency_key_required');
  return null;
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
  const shared = endpoint.method === 'GET' ? endpoint.anonymous?.keep_seconds : undefined;
  if (endpoint.response === 'file') return sendFile(answer as FileAnswer, reply, shared);
  if (endpoint.response === 'events') return sendEvents(answer as NodeJS.ReadableStream, reply);
  if (endpoint.response === null) return reply.status(204).send();
  const result = endpoint.response.safeParse(answer);
  if (!result.success) {
    const call = `${endpoint.method} ${endpoint.path}`;
    throw new Error(`${call} answers something else than it declares: ${result.error.message}`);
  }
  if (shared !== undefined) {
    return sendToAll(JSON.stringify(result.data), 'application/json; charset=utf-8', shared, request, reply);
  }
  const version = (result.data as { data?: { version?: unknown } } | null)?.data?.version;
  if (typeof version === 'number') void reply.header('ETag', `"v${version}"`);
  return reply.status(endpoint.status ?? 200).send(result.data);
}
