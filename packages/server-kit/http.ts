/**
 * The HTTP application: one Fastify instance with sessions, CSRF, gates, error shapes, health, metrics and the web
 * files. It refuses to be built when a route does not say who may call it.
 */
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { MIB } from '#kit/endpoint.ts';
import { refuse } from '#kit/errors.ts';
import { isPermission } from '#kit/permission.ts';
import type { Ports } from './context.ts';
import { checkCsrf, checkSite } from './csrf.ts';
import { answerFor } from './error-answer.ts';
import type { Gate } from './gates.ts';
import { healthRoutes, type ReadyCheck } from './health.ts';
import { mount } from './mount.ts';
import type { Session } from './principal.ts';
import { limit } from './rate-limit.ts';
import { inLanguage, languageOf } from './reader-language.ts';
import type { Route } from './routes.ts';
import type { CustomerDbs } from './tenant.ts';
import { webRoutes } from './web.ts';

export interface SessionPort {
  /** The session of a request's cookie, touched unless `background`; null without a valid one. */
  load(token: string | undefined, background: boolean): Promise<Session | null>;
  cookieName: string;
  /** Lifetime of the XSRF cookie, in seconds. */
  cookieSeconds: number;
}

export interface AppOptions {
  ports: Ports;
  /** Pools of the roles that serve customers. */
  customers: CustomerDbs;
  sessions: SessionPort;
  routes: readonly Route[];
  openapi: () => unknown;
  ready: ReadyCheck;
  /** Folder of the built web app; null serves the API alone. */
  webFolder: string | null;
  /** Plugins that are neither API nor web app: webhooks of third parties. */
  beside?: readonly ((app: FastifyInstance) => Promise<void>)[];
  /** Gates switched off to prove that the tests notice. */
  disabledGates?: ReadonlySet<Gate>;
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null;
    /** Code of the error that was answered: the request's line in the log says why it was refused. */
    refusal: string | null;
  }
  interface FastifyContextConfig {
    endpoint?: Route['endpoint'];
  }
}

/**
 * A client that sends its headers or its body too slowly is cut off, and so is one that opens a connection and says
 * nothing; ms. The check runs every five seconds (reliability.md 4, slowhttptest).
 */
const SLOW_CLIENTS = { requestTimeout: 30_000, http: { headersTimeout: 15_000, connectionsCheckingInterval: 5000 } };

const REQUEST_ID = /^[\w-]{8,64}$/;

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { ports } = options;
  refuseUndeclared(options.routes);
  const app = Fastify({
    logger: false,
    bodyLimit: MIB,
    trustProxy: ports.settings.trust_proxy.length > 0 ? [...ports.settings.trust_proxy] : false,
    ...SLOW_CLIENTS,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    genReqId: (raw) => {
      const given = raw.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
  });
  app.decorateRequest('session', null);
  app.decorateRequest('refusal', null);
  await app.register(cookie);
  // A form of another site can send text: what is not JSON or a file is 415.
  app.removeContentTypeParser('text/plain');
  await app.register(multipart);
  await app.register(helmet, { contentSecurityPolicy: false, crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' }, hsts: ports.settings.production });
  addHooks(app, options);
  addErrors(app, options);
  // Streams never end by themselves: a server that stops would wait for them for ever.
  app.addHook('preClose', () => ports.live.close());
  for (const route of options.routes) {
    mount(app, route, {
      ports, customers: options.customers, disabledGates: options.disabledGates ?? new Set(),
      sessionOf: (request) => request.session,
    });
  }
  healthRoutes(app, ports, options.ready, options.openapi);
  for (const add of options.beside ?? []) await add(app);
  await webRoutes(app, options.webFolder, ports.settings.maps_key);
  return app;
}

/** A route without a declared gate, with a permission nobody can hold or twice the same address stops the start. */
export function refuseUndeclared(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { endpoint } of routes) {
    const label = `${endpoint.method} ${endpoint.path}`;
    const auth = endpoint.auth as typeof endpoint.auth | undefined;
    if (!auth) throw new Error(`${label} does not say who may call it`);
    if (endpoint.confirm && auth.kind === 'open') throw new Error(`${label} asks nobody to confirm who they are`);
    if (endpoint.anonymous && (auth.kind !== 'open' || (endpoint.method !== 'GET' && !endpoint.readOnly))) {
      throw new Error(`${label} asks nobody for a session and is not open, or changes something`);
    }
    const needed = auth.kind === 'staff' && auth.permission !== null ? [auth.permission].flat() : [];
    for (const value of needed) if (!isPermission(value)) throw new Error(`${label} needs unknown permission ${value}`);
    if (auth.kind === 'customer' && !endpoint.path.startsWith('/api/customers/{id}')) {
      throw new Error(`${label} is for customers but does not name one`);
    }
    const address = label.replace(/\{\w+\}/g, '{}');
    if (seen.has(address)) throw new Error(`${label} is declared twice`);
    seen.add(address);
  }
}

function addHooks(app: FastifyInstance, options: AppOptions): void {
  const { ports, sessions } = options;
  const csrfOff = options.disabledGates?.has('csrf') ?? false;
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-Id', request.id);
    if (!isApi(request)) return;
    void reply.header('Cache-Control', 'no-store').header('X-API-Version', '1')
      .header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    checkVersion(request);
    if (request.routeOptions.config.endpoint?.anonymous) {
      if (!csrfOff) checkSite(request, ports.settings.app_origins);
      await limitStrangers(request, reply, ports);
      return;
    }
    const token = request.cookies[sessions.cookieName];
    const background = request.headers['x-background'] === '1'
      || request.routeOptions.config.endpoint?.background === true;
    request.session = await sessions.load(token, background);
    if (!csrfOff) checkCsrf(request, request.session, ports.settings.app_origins);
    await limitStrangers(request, reply, ports);
    if (request.session) setXsrf(request.session, reply, sessions, ports);
  });
}

/** Attempts of one address in a minute at one call that needs no sign-in; calls have narrower limits besides. */
const OPEN_CALLS_PER_MINUTE = 60;

/** Counted before the body is read: whoever is over the limit costs no parsing and no validation. */
async function limitStrangers(request: FastifyRequest, reply: FastifyReply, ports: Ports): Promise<void> {
  const { endpoint } = request.routeOptions.config;
  if (endpoint?.auth.kind !== 'open' || endpoint.method === 'GET') return;
  await limit({ ports, now: () => ports.clock.now(), header: (name, value) => { void reply.header(name, value); } },
    `open:${endpoint.path}|${request.ip}`, OPEN_CALLS_PER_MINUTE, 60);
}

function setXsrf(
  session: Session, reply: { setCookie: (n: string, v: string, o: object) => unknown }, sessions: SessionPort,
  ports: Ports,
): void {
  reply.setCookie('XSRF-TOKEN', session.csrf_token, {
    path: '/', sameSite: 'lax', httpOnly: false, maxAge: sessions.cookieSeconds,
    secure: ports.settings.production,
  });
}

function isApi(request: FastifyRequest): boolean {
  return request.url.startsWith('/api/') || request.url.startsWith('/sanctum/');
}

function checkVersion(request: FastifyRequest): void {
  const version = request.headers['x-api-version'];
  if (version !== undefined && version !== '1') throw refuse('unsupported_version');
}

function addErrors(app: FastifyInstance, { ports }: AppOptions): void {
  app.setErrorHandler((error, request, reply) => {
    const answer = inLanguage(languageOf(request),
      () => answerFor(error, request.id, request.routeOptions.bodyLimit));
    request.refusal = String(answer.body.code);
    if (answer.unexpected) {
      ports.log('error', 'request failed', {
        id: request.id, method: request.method, url: request.routeOptions.url, error: (error as Error).stack,
      });
    }
    if (answer.missed) {
      const { message, code } = error as { message?: string; code?: string };
      ports.log('warn', 'the database refused a value', {
        id: request.id, method: request.method, url: request.routeOptions.url, code, error: message,
      });
    }
    if (answer.status === 503) void reply.header('Retry-After', '2');
    return reply.status(answer.status).send(answer.body);
  });
  app.addHook('onResponse', async (request, reply) => {
    if (!isApi(request)) return;
    ports.log('info', 'request', {
      id: request.id, method: request.method, route: request.routeOptions.url ?? null, status: reply.statusCode,
      ms: Math.round(reply.elapsedTime), user: request.session?.principal?.user_id ?? null,
      ...(request.refusal === null ? {} : { refused: request.refusal }),
    });
  });
}
