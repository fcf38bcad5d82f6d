/**
 * The whole server over a database of its own, without a network port: requests go through Fastify's inject, with
 * cookies and CSRF as a browser would send them. The clock stands still until a test moves it.
 */
import type { LightMyRequestResponse } from 'fastify';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { Role } from '#kit/auth.ts';
import type { Permission } from '#kit/permission.ts';
import { hashPassword } from '#modules/identity/session/password.server.ts';
import { startSession } from '#modules/identity/session/session.server.ts';
import { fixedClock } from '#server/clock.ts';
import type { Ctx } from '#server/context.ts';
import type { Gate } from '#server/gates.ts';
import type { Route } from '#server/routes.ts';
import { readSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { compose, loginsOf, type Composition } from '#apps/server/src/compose.ts';
import { clusterOfRun, testDatabase, type TestDatabase } from './database.ts';
import { ensureSeason, type Season } from './season.ts';

export const TEST_PASSWORD = 'correct horse battery staple';
export const TEST_NOW = '2026-11-20T15:00:00Z';

export interface Answer {
  status: number;
  // oxlint-disable-next-line no-explicit-any -- tests look into any answer
  body: any;
  headers: LightMyRequestResponse['headers'];
  raw: Buffer;
}

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** POSTs get a fresh key unless one is named; null sends none. */
  idempotencyKey?: string | null;
  multipart?: { fields: Record<string, string>; file?: { field: string; name: string; type: string; content: Buffer } };
}

export interface Browser {
  cookies: Map<string, string>;
  call(method: string, url: string, options?: CallOptions): Promise<Answer>;
  get(url: string): Promise<Answer>;
  post(url: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  put(url: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  remove(url: string): Promise<Answer>;
}

export interface TestApp extends Composition {
  database: TestDatabase;
  clock: ReturnType<typeof fixedClock>;
  /** A visitor without a session. */
  visitor(): Browser;
  /** A new person with this role, signed in. */
  signedIn(role: Role, options?: { permissions?: Permission[]; customers?: { id: number; role: string }[] }): Promise<
    SignedIn>;
}

export interface SignedIn extends Browser {
  user_id: number;
  email: string;
  /** As if they had confirmed that it is them: for endpoints with `confirm`, 15 minutes of the test's clock. */
  confirm(): Promise<void>;
}

let passwordHash: Promise<string> | undefined;

export interface TestAppOptions {
  disabledGates?: ReadonlySet<Gate>;
  rateLimits?: boolean;
  plantedRoutes?: readonly Route[];
  /** Settings as the environment gives them. */
  env?: Readonly<Record<string, string>>;
  /** With the demo season in it, as it is seen from today: the clock begins now. */
  season?: boolean;
}

export function testApp(options: TestAppOptions = {}): TestApp {
  let season: Season | null = null;
  const database = options.season ? testDatabase(async () => {
    const cluster = clusterOfRun();
    season = await ensureSeason(cluster, cluster.template);
    return season.database;
  }) : testDatabase();
  const clock = fixedClock(options.season ? new Date().toISOString() : TEST_NOW);
  const test = { database, clock } as TestApp;
  beforeAll(async () => {
    const settings = {
      ...readSettings({ RATE_LIMITS: options.rateLimits ? '1' : '0', ...options.env }, '/'), log_level: 'error',
      data_dir: join(tmpdir(), `grand-rights-test-${randomUUID()}`),
    };
    await season?.copyFiles(settings.data_dir);
    const composition = await compose({
      settings, clock, webFolder: null,
      connections: loginsOf((role) => database.urls[role]),
      log: (level, message, facts) => {
        if (level === 'error') process.stderr.write(`${message} ${JSON.stringify(facts, null, 1)}\n`);
      },
      ...(options.disabledGates ? { disabledGates: options.disabledGates } : {}),
      ...(options.plantedRoutes ? { plantedRoutes: options.plantedRoutes } : {}),
    });
    Object.assign(test, composition);
    test.visitor = () => browser(test);
    test.signedIn = (role, rights) => signIn(test, role, rights);
  });
  afterAll(() => test.close());
  return test;
}

function browser(test: TestApp): Browser {
  const cookies = new Map<string, string>();
  const call = async (method: string, url: string, options: CallOptions = {}): Promise<Answer> => {
    const payload = options.multipart ? multipartBody(options.multipart) : jsonBody(options.body);
    const key = options.idempotencyKey === undefined ? randomUUID() : options.idempotencyKey;
    const response = await test.app.inject({
      method: method as 'GET', url,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(cookies.has('XSRF-TOKEN') ? { 'x-xsrf-token': cookies.get('XSRF-TOKEN')! } : {}),
        ...(method === 'POST' && key !== null ? { 'idempotency-key': key } : {}),
        ...payload.headers, ...options.headers,
      },
      ...(payload.body === undefined ? {} : { payload: payload.body }),
    });
    for (const cookie of response.cookies) {
      if (cookie.value === '') cookies.delete(cookie.name);
      else cookies.set(cookie.name, decodeURIComponent(cookie.value));
    }
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    return {
      status: response.statusCode, headers: response.headers, raw: response.rawPayload,
      body: isJson && response.body !== '' ? response.json() : response.body,
    };
  };
  return {
    cookies, call,
    get: (url) => call('GET', url),
    post: (url, body, options) => call('POST', url, { ...options, body }),
    put: (url, body, options) => call('PUT', url, { ...options, body }),
    remove: (url) => call('DELETE', url),
  };
}

function jsonBody(body: unknown): { headers: Record<string, string>; body?: string } {
  if (body === undefined) return { headers: {} };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function multipartBody(
  parts: NonNullable<CallOptions['multipart']>,
): { headers: Record<string, string>; body: Buffer } {
  const boundary = `----test${randomUUID()}`;
  const chunks: Buffer[] = Object.entries(parts.fields).map(([name, value]) => Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  if (parts.file) {
    const { field, name, type, content } = parts.file;
    chunks.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n`
      + `Content-Type: ${type}\r\n\r\n`), content, Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: Buffer.concat(chunks) };
}

let people = 0;

/** A new person of a server that a test has composed, signed in. */
export async function signIn(
  test: TestApp, role: Role,
  rights: { permissions?: Permission[]; customers?: { id: number; role: string }[] } = {},
): Promise<SignedIn> {
  passwordHash ??= hashPassword(TEST_PASSWORD);
  const { db } = test.database;
  people += 1;
  const email = `person-${people}-${randomUUID().slice(0, 8)}@test.example`;
  const user = await db.one<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
    values (${email}, 'Test', ${`Person ${people}`}, ${role}, ${await passwordHash}, now()) returning id`);
  if (rights.permissions) {
    const group = await db.one<{ id: number }>(sql`
      insert into staff_groups (name, permission_values) values (${`Group ${people} ${randomUUID()}`},
        ${rights.permissions}) returning id`);
    await db.exec(sql`insert into staff_group_users (staff_group_id, user_id) values (${group.id}, ${user.id})`);
  }
  for (const membership of rights.customers ?? []) {
    await db.exec(sql`insert into customer_users (customer_id, user_id, role)
      values (${membership.id}, ${user.id}, ${membership.role})`);
  }
  const page = browser(test);
  // A session as signing in makes it, but without the cost of a password, which is high on purpose.
  const ctx = {
    db, session: null, ports: test.ports, now: () => test.clock.now(), ip: '127.0.0.1', user_agent: 'test',
    setCookie: (name: string, value: string) => { page.cookies.set(name, value); },
  } as unknown as Ctx;
  const session = await startSession(ctx, { id: user.id, role, session_epoch: 1 }, null);
  const confirm = async (): Promise<void> => {
    await db.exec(sql`update sessions set confirmed_at = ${test.clock.now().toISOString()} where id = ${session.id}`);
  };
  return { ...page, user_id: user.id, email, confirm };
}

/** People who have confirmed who they are, for tests about something else than being asked (step-up.test.ts is). */
export function confirmedPeople(test: TestApp): TestApp['signedIn'] {
  return async (role, rights) => {
    const person = await test.signedIn(role, rights);
    await person.confirm();
    return person;
  };
}
