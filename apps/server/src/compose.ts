/** Puts the server together from settings: the only place that knows every part. */
import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';
import { openapi } from '#kit/openapi.ts';
import { SECURE_SESSION_COOKIE, SESSION_COOKIE, sessionPort } from '#modules/identity/session/session.server.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import type { Ports } from '#server/context.ts';
import { createDb, type Db } from '#server/db.ts';
import { diskFiles } from '#server/files.ts';
import type { Gate } from '#server/gates.ts';
import type { ReadyCheck } from '#server/health.ts';
import { buildApp } from '#server/http.ts';
import type { Log } from '#server/log.ts';
import { liveHub } from '#server/live.ts';
import { outboxMailer, smtpMailer } from '#server/mail.ts';
import type { Settings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { routes } from './routes.ts';

export interface Connections {
  /** Login (or role) of the application; never the owner. */
  app_url: string;
  app_role: string | null;
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
}

const POOL_SIZE = 16;

export async function compose(options: ComposeOptions): Promise<Composition> {
  const { settings, log } = options;
  const db = createDb({
    connectionString: options.connections.app_url,
    ...(options.connections.app_role === null ? {} : { role: options.connections.app_role }),
    max: POOL_SIZE, prepare: settings.prepare,
    onSlow: (text, ms) => log('warn', 'slow query', { ms: Math.round(ms), text: text.slice(0, 300) }),
    onError: (error) => log('warn', 'database connection lost', { error: error.message }),
  });
  const clock = options.clock ?? systemClock;
  const ports: Ports = {
    db, clock, settings, log,
    files: settings.files_url === null ? diskFiles(join(settings.data_dir, 'files'))
      : (await import('#server/s3-files.ts')).s3Files(settings.files_url),
    mail: settings.mail_url === null ? outboxMailer()
      : smtpMailer(settings.mail_url, 'Grand Rights <office@grandrights.example>'),
    live: liveHub({ connectionString: options.connections.app_url, log }),
    wake: () => {},
  };
  const cookieName = settings.production ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
  const app = await buildApp({
    ports, routes,
    sessions: sessionPort(db, clock, cookieName),
    openapi: () => openapi(routes.map((route) => route.endpoint)),
    ready: readiness(db),
    webFolder: options.webFolder,
    ...(options.disabledGates ? { disabledGates: options.disabledGates } : {}),
  });
  return {
    app, ports,
    async close() {
      await app.close();
      await db.close();
    },
  };
}

const READY_MS = 500;

/** Ready when the database answers in time. */
function readiness(db: Db): ReadyCheck {
  return async () => {
    const timeout = new Promise<string>((resolve) => {
      setTimeout(() => resolve('the database does not answer in time'), READY_MS).unref();
    });
    const answer = db.query(sql`select 1`).then(() => null, () => 'the database cannot be reached');
    const reason = await Promise.race([answer, timeout]);
    return { ready: reason === null, reasons: reason === null ? [] : [reason] };
  };
}
