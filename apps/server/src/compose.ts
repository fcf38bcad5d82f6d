/** Puts the server together from settings: the only place that knows every part. */
import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';
import { openapi } from '#kit/openapi.ts';
import { SECURE_SESSION_COOKIE, SESSION_COOKIE, sessionPort } from '#modules/identity/session/session.server.ts';
import { publicPages } from '#modules/public-site/public-site.public.server.ts';
import type { TestProcessor } from '#modules/receivables/receivables.public.server.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import type { Ports } from '#server/context.ts';
import { createDb, type Db } from '#server/db.ts';
import { diskFiles } from '#server/files.ts';
import type { Gate } from '#server/gates.ts';
import { buildApp } from '#server/http.ts';
import type { Log } from '#server/log.ts';
import { liveHub } from '#server/live.ts';
import type { Route } from '#server/routes.ts';
import { outboxMailer, smtpMailer } from '#server/mail.ts';
import type { Settings } from '#server/settings.ts';
import { inboundMailRoutes } from './inbound-mail.ts';
import { customerEvents } from './customer-events.ts';
import { moneyEvents } from './money-events.ts';
import { openItems } from './open-items.ts';
import { readiness } from './readiness.ts';
import { routes } from './routes.ts';
import { testPaymentPages } from './test-payments.ts';
import { webhookRoutes } from './webhooks.ts';

/** A login, and the role to become where the login is another's. */
export interface Login {
  url: string;
  role: string | null;
}

/** Logins of the unprivileged roles; never the owner. */
export interface Connections {
  /** Staff and jobs. */
  app: Login;
  /** Customer reads. */
  portal: Login;
  /** Customer actions. */
  counter: Login;
}

/** Connections in which each role logs in as itself. */
export function loginsOf(urlFor: (role: 'app_rw' | 'app_portal' | 'app_counter') => string): Connections {
  const login = (role: 'app_rw' | 'app_portal' | 'app_counter'): Login => ({ url: urlFor(role), role: null });
  return { app: login('app_rw'), portal: login('app_portal'), counter: login('app_counter') };
}

export interface Composition {
  app: FastifyInstance;
  ports: Ports;
  close(): Promise<void>;
}

export interface ComposeOptions {
  settings: Settings;
  connections: Connections;
  log: Log;
  clock?: Clock;
  webFolder: string | null;
  disabledGates?: ReadonlySet<Gate>;
  /** Routes that only a test has, to prove what the house around them does. */
  plantedRoutes?: readonly Route[];
  /** Test processor whose pages are served as well: payments that move no money. */
  testProcessor?: TestProcessor | null;
}

/** 32 at most for each server; they open when they are needed. */
const POOL_SIZES = { app: 16, portal: 8, counter: 6, limits: 2 } as const;

function poolFor(options: ComposeOptions, name: keyof typeof POOL_SIZES): Db {
  const { url, role } = options.connections[name === 'limits' ? 'app' : name];
  return createDb({
    connectionString: url, ...(role === null ? {} : { role }), max: POOL_SIZES[name],
    prepare: options.settings.prepare, pipeline: name === 'portal',
    applicationName: name === 'app' ? 'grand-rights' : `grand-rights ${name}`,
    onSlow: (text, ms) => options.log('warn', 'slow query', { ms: Math.round(ms), text: text.slice(0, 300) }),
    onError: (error) => options.log('warn', 'database connection lost', { error: error.message }),
  });
}

export async function compose(options: ComposeOptions): Promise<Composition> {
  const { settings, log } = options;
  const db = poolFor(options, 'app');
  const customers = { portal: poolFor(options, 'portal'), counter: poolFor(options, 'counter') };
  const clock = options.clock ?? systemClock;
  const ports: Ports = {
    db, clock, settings, log, limits: poolFor(options, 'limits'),
    files: settings.files_url === null ? diskFiles(join(settings.data_dir, 'files'))
      : (await import('#server/s3-files.ts')).s3Files(settings.files_url),
    mail: settings.mail_url === null ? outboxMailer()
      : smtpMailer(settings.mail_url),
    money: moneyEvents, customers: customerEvents, openItems,
    live: liveHub({ connectionString: options.connections.app.url, log }),
    wake: () => {},
  };
  const cookieName = settings.production ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
  const app = await buildApp({
    ports, customers, routes: [...routes, ...options.plantedRoutes ?? []],
    sessions: sessionPort(db, clock, cookieName),
    openapi: () => openapi(routes.map((route) => route.endpoint)),
    ready: readiness({ db: ports.limits,
      data_dir: settings.database_url === null || settings.files_url === null ? settings.data_dir : null }),
    webFolder: options.webFolder,
    beside: [webhookRoutes(ports), inboundMailRoutes(ports), publicPages(ports),
      ...(options.testProcessor ? [testPaymentPages(options.testProcessor)] : [])],
    ...(options.disabledGates ? { disabledGates: options.disabledGates } : {}),
  });
  return {
    app, ports,
    async close() {
      await app.close();
      await Promise.all([db, ports.limits, customers.portal, customers.counter].map((pool) => pool.close()));
    },
  };
}
