/**
 * Sign-ins per second through the product, and whether the time of an answer tells a known address from an unknown one:
 * sign-in with a wrong password, the reset link and registration, known and unknown in turn so that a busy machine
 * weighs on both alike. Settings: SECONDS (10), CLIENTS (8), SAMPLES (200).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { hashPassword } from '#modules/identity/session/password.server.ts';
import { readSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { load, median, say, table } from './support/measure.ts';

const SECONDS = Number(process.env.SECONDS ?? 10);
const CLIENTS = Number(process.env.CLIENTS ?? 8);
const SAMPLES = Number(process.env.SAMPLES ?? 200);
const PASSWORD = 'seven lanterns under the bridge';
const PEOPLE = 50;

async function fill(database: BenchDatabase): Promise<void> {
  const hash = await hashPassword(PASSWORD);
  await database.root.exec(sql`insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
    select 'bench-' || g || '@x.test', 'B', 'B', 'customer', ${hash}, now() from generate_series(1, ${PEOPLE}) g`);
}

type Post = (path: string, body: object) => Promise<number>;

/** A visitor with a session of their own. */
async function visitor(app: FastifyInstance): Promise<Post> {
  const first = await app.inject({ url: '/sanctum/csrf-cookie' });
  const cookies = new Map(first.cookies.map((cookie) => [cookie.name, cookie.value]));
  return async (path, payload) => {
    const answer = await app.inject({ method: 'POST', url: `/api/auth/${path}`, payload,
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '' } });
    for (const cookie of answer.cookies) cookies.set(cookie.name, cookie.value);
    return answer.statusCode;
  };
}

async function throughput(app: FastifyInstance): Promise<string[]> {
  let done = 0;
  const took: number[] = [];
  const cpu = process.cpuUsage();
  const started = performance.now();
  const until = started + SECONDS * 1000;
  await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => {
    const post = await visitor(app);
    while (performance.now() < until) {
      const before = performance.now();
      const status = await post('login', { email: `bench-${1 + client % PEOPLE}@x.test`, password: PASSWORD });
      if (status !== 200) throw new Error(`sign-in answered ${status}`);
      took.push(performance.now() - before);
      done += 1;
    }
  }));
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  return [(done / seconds).toFixed(1), ((used.user + used.system) / 1000 / done).toFixed(1), median(took).toFixed(0)];
}

const BODIES = {
  login: (email: string) => ({ email, password: 'wrong wrong wrong wrong' }),
  'forgot-password': (email: string) => ({ email }),
  register: (email: string) => ({ first_name: 'Ada', last_name: 'Reed', email, organisation: 'Fairmount School',
    password: PASSWORD, password_confirmation: PASSWORD }),
};

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

/** Share of random pairs in which the slower one is the known one: 0.5 reveals nothing, 1 everything. */
function tells(known: readonly number[], unknown: readonly number[]): number {
  let slower = 0;
  for (const one of known) for (const other of unknown) slower += one > other ? 1 : one === other ? 0.5 : 0;
  return slower / known.length / unknown.length;
}

async function compare(app: FastifyInstance, path: keyof typeof BODIES): Promise<(string | number)[][]> {
  const post = await visitor(app);
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let n = 0; n < SAMPLES * 2; n += 1) {
    const kind = n % 2 ? 'known' : 'unknown';
    const email = kind === 'known' ? `bench-${1 + n % PEOPLE}@x.test` : `nobody-${path}-${n}@x.test`;
    const before = performance.now();
    await post(path, BODIES[path](email));
    if (n >= 20) times[kind].push(performance.now() - before);
  }
  return (['known', 'unknown'] as const).map((kind) => [path, kind,
    ...[0.1, 0.5, 0.9].map((part) => quantile(times[kind], part).toFixed(1)),
    kind === 'known' ? tells(times.known, times.unknown).toFixed(2) : '']);
}

const database = await benchDatabase({ max: 20 });
try {
  await fill(database);
  const settings = { ...readSettings({ RATE_LIMITS: '0' }, '/'), log_level: 'error',
    data_dir: join(tmpdir(), 'grand-rights-bench-sign-in') };
  const { app, close } = await compose({ settings, webFolder: null, log: () => undefined,
    connections: loginsOf(database.urlFor) });
  say(`${database.version}, load ${load()}`);
  say(table(['sign-ins/s', 'CPU ms each', `median ms with ${CLIENTS} clients`], [await throughput(app)]));
  const rows = [];
  for (const path of ['login', 'forgot-password', 'register'] as const) rows.push(...await compare(app, path));
  say(table(['call', 'address', 'p10 ms', 'p50 ms', 'p90 ms', 'known is the slower one'], rows));
  say(`load ${load()}`);
  await close();
} finally {
  await database.stop();
}
