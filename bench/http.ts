/**
 * The list and the creation of a venue through the product, beside bare `node:http` on the same pool that sends the
 * session query, makes the permission test and sends the page query and the count (performance.md, Method). The
 * session query is the very one the product was seen to send, page and count are the plain ones for the same rows; a
 * creation is one statement with its audit row.
 * Settings: ROUNDS (5), SECONDS (2), CLIENTS (16), VENUES (50000).
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { hashToken, newToken, SESSION_COOKIE } from '#modules/identity/session/session.server.ts';
import { compose, loginsOf, type Composition } from '#apps/server/src/compose.ts';
import { readSettings } from '#server/settings.ts';
import { Sql, sql } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { load, median, say, table } from './support/measure.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.SECONDS ?? 2);
const CLIENTS = Number(process.env.CLIENTS ?? 16);
const VENUES = Number(process.env.VENUES ?? 50_000);
const PATH = '/api/admin/staff/venues';
const LIST = `${PATH}?page=1&per_page=20&sort_by=name`;
const VENUE = { kind: 'theatre', time_zone: 'America/New_York', active: true };

interface Sent { text: string; values: unknown[]; name: string }
interface Answer { status: number; body: string }
interface Measured { per_second: number; server_ms: number; database_ms: number }

/** A member of staff with two permissions and a session, and the rows of the list. */
async function fill(database: BenchDatabase): Promise<{ token: string; csrf: string }> {
  const token = newToken();
  const csrf = newToken();
  const run = (text: string) => database.root.query(new Sql([text], []));
  await run(`insert into venues (name, kind, capacity) select 'Venue ' || g, 'theatre', 100 + g % 900
    from generate_series(1, ${VENUES}) g`);
  const user = await database.root.one<{ id: number }>(sql`insert into users (email, first_name, last_name, role,
    password_hash, email_verified_at) values ('bench@x.test', 'B', 'B', 'staff_user', 'none', now()) returning id`);
  const group = await database.root.one<{ id: number }>(sql`insert into staff_groups (name, permission_values)
    values ('Bench', ${['venue.list', 'venue.create']}) returning id`);
  await database.root.exec(sql`insert into staff_group_users (staff_group_id, user_id) values (${group.id},
    ${user.id})`);
  await database.root.exec(sql`insert into sessions (token_hash, user_id, csrf_token, epoch, created_at, last_seen_at,
    expires_at) select ${hashToken(token)}, id, ${csrf}, session_epoch, now(), now(), now() + interval '1 hour'
    from users where id = ${user.id}`);
  await run('vacuum analyze');
  return { token, csrf };
}

/** The statements that the product sends for one request, as they go to the pool. */
async function watch(pool: pg.Pool, work: () => Promise<unknown>): Promise<Sent[]> {
  const seen: Sent[] = [];
  const original = pool.query.bind(pool) as (config: unknown) => Promise<pg.QueryResult>;
  pool.query = ((config: Sent) => { seen.push(config); return original(config); }) as typeof pool.query;
  await work();
  pool.query = original as typeof pool.query;
  return seen;
}

const cookieOf = (header: string): string => /app_session=([^;]+)/.exec(header)?.[1] ?? '';
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(value));
}

/** Bare: the same questions to the same pool and nothing between them. */
function bareServer(pool: pg.Pool, session: Sent): Server {
  const signIn = async (cookie: string, permission: string) => {
    const values = session.values.map((value) => Buffer.isBuffer(value) ? hashToken(cookieOf(cookie))
      : new Date().toISOString());
    const found = await pool.query<{ user_id: number; permissions: string[] }>({ ...session, values: fit(session,
      values) });
    return found.rows[0]?.permissions.includes(permission) ? found.rows[0] : null;
  };
  const list = async (cookie: string, response: ServerResponse) => {
    if (!await signIn(cookie, 'venue.list')) return send(response, 403, {});
    const data = await pool.query({ name: 'bare_page', text: BARE_PAGE, values: [20, 0] });
    const total = await pool.query<{ n: number }>({ name: 'bare_count', text: BARE_COUNT, values: [10_001] });
    return send(response, 200, { data: data.rows, meta: { total: total.rows[0]!.n } });
  };
  const create = async (cookie: string, text: string, response: ServerResponse) => {
    const user = await signIn(cookie, 'venue.create');
    if (!user) return send(response, 403, {});
    const body = JSON.parse(text) as { name: string; kind: string; time_zone: string; active: boolean };
    const made = await pool.query({ name: 'bare_create', text: BARE_CREATE,
      values: [body.name, body.kind, body.time_zone, body.active, user.user_id] });
    return send(response, 201, { data: made.rows[0] as unknown });
  };
  return createServer((request, response) => {
    const cookie = request.headers.cookie ?? '';
    if (request.method === 'GET') return void list(cookie, response);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => void create(cookie, Buffer.concat(parts).toString(), response));
  });
}

const fit = (session: Sent, values: unknown[]): unknown[] =>
  session.values.map((value, index) => typeof value === 'number' ? value : values[index]);

/** The ids of the page first, then their rows: the cheaper way, as in performance.md 4. */
const BARE_PAGE = `with page as (select t.id from venues t where t.deleted_at is null
    order by t.name collate "und-x-icu" asc, t.id asc limit $1 offset $2)
  select t.id, t.name, t.kind, t.address, t.time_zone, t.capacity, t.phone, t.website, t.active, t.version,
    t.created_at, t.updated_at, t.number, t.locality, t.country_code, t.lat, t.lng,
    coalesce((select array_agg(a.alias order by a.alias) from venue_aliases a where a.venue_id = t.id), '{}') as aliases
  from page join venues t on t.id = page.id order by t.name collate "und-x-icu" asc, t.id asc`;
const BARE_COUNT = `select count(*) as n from (select 1 from venues t where t.deleted_at is null limit $1) counted`;

const BARE_CREATE = `with made as (insert into venues (name, kind, time_zone, active) values ($1, $2, $3, $4)
    returning *),
  audited as (insert into audit_events (actor_id, action, entity, entity_id, after)
    select $5, 'create', 'venue', id, to_jsonb(made) from made)
  select id, name, kind, address, time_zone, capacity, phone, website, active, version, created_at, updated_at, number,
    locality, country_code, lat, lng from made`;

function drive(child: ChildProcess, job: object): Promise<{ done: number; wrong: number; seconds: number }> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: { done: number; wrong: number; seconds: number; error?: string }) =>
      message.error ? reject(new Error(message.error)) : resolve(message));
    child.send(job);
  });
}

async function round(database: BenchDatabase, child: ChildProcess, job: object): Promise<Measured> {
  const cpu = process.cpuUsage();
  const server = database.serverCpu();
  const { done, wrong, seconds } = await drive(child, { ...job, clients: CLIENTS, seconds: SECONDS });
  if (wrong > 0) throw new Error(`${wrong} of ${done} requests were refused`);
  const own = process.cpuUsage(cpu);
  return { per_second: done / seconds, server_ms: (own.user + own.system) / 1000 / done,
    database_ms: (database.serverCpu() - server) * 1000 / done };
}

async function compare(
  database: BenchDatabase, child: ChildProcess, ports: { product: number; bare: number }, job: object,
): Promise<(string | number)[][]> {
  const seen: Record<'product' | 'bare', Measured[]> = { product: [], bare: [] };
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    for (const side of turn % 2 === 0 ? ['bare', 'product'] as const : ['product', 'bare'] as const) {
      const measured = await round(database, child, { ...job, port: ports[side] });
      if (turn > 0) seen[side].push(measured);
    }
  }
  const middle = (side: 'product' | 'bare', key: keyof Measured) => median(seen[side].map((one) => one[key]));
  const cpu = (one: Measured) => one.server_ms + one.database_ms;
  const ratio = median(seen.product.map((one, index) => one.per_second / seen.bare[index]!.per_second));
  const cpuRatio = median(seen.product.map((one, index) => cpu(seen.bare[index]!) / cpu(one)));
  return (['bare', 'product'] as const).map((side) => [side, Math.round(middle(side, 'per_second')),
    middle(side, 'server_ms').toFixed(2), middle(side, 'database_ms').toFixed(2),
    side === 'bare' ? '' : `${ratio.toFixed(2)}`, side === 'bare' ? '' : `${cpuRatio.toFixed(2)}`]);
}

async function fetchText(port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { status: answer.status, body: await answer.text() };
}

async function run(database: BenchDatabase, composition: Composition, keys: { token: string; csrf: string }) {
  const { pool } = composition.ports.db;
  const headers = { cookie: `${SESSION_COOKIE}=${keys.token}; XSRF-TOKEN=${keys.csrf}`, 'x-xsrf-token': keys.csrf };
  await composition.app.listen({ port: 0, host: '127.0.0.1' });
  const product = (composition.app.server.address() as { port: number }).port;
  const statements = await watch(pool, () => fetchText(product, LIST, headers));
  if (statements.length !== 3) throw new Error(`a list sends ${statements.length} statements, not three`);
  const bareHttp = bareServer(pool, statements[0]!);
  await new Promise<void>((resolve) => { bareHttp.listen(0, '127.0.0.1', resolve); });
  const bare = (bareHttp.address() as { port: number }).port;
  const [ours, theirs] = await Promise.all([product, bare].map((port) => fetchText(port, LIST, headers)));
  const rowsOf = (answer: Answer) => JSON.stringify((JSON.parse(answer.body) as { data: object[] }).data.map((row) =>
    Object.entries(row).toSorted(([a], [b]) => a < b ? -1 : 1)));
  if (rowsOf(ours!) !== rowsOf(theirs!)) throw new Error('the two lists answer different rows');
  const child = fork(fileURLToPath(new URL('./support/http-load.ts', import.meta.url)));
  const head = ['', 'requests/s', 'server CPU ms', 'database CPU ms', 'ratio of throughput', 'ratio of CPU'];
  const list = await compare(database, child, { product, bare }, { method: 'GET', path: LIST, headers, body: null });
  const before = await rowCounts(database);
  const create = await compare(database, child, { product, bare }, { method: 'POST', path: PATH, headers,
    body: JSON.stringify({ name: 'Bench #', ...VENUE }) });
  const after = await rowCounts(database);
  child.disconnect();
  bareHttp.close();
  say(table(head, [...list.map((row) => [`list, ${row[0]}`, ...row.slice(1)]),
    ...create.map((row) => [`create, ${row[0]}`, ...row.slice(1)])]));
  say(`both lists answered the same rows; ${after.venues - before.venues} venues made, `
    + `${after.audits - before.audits} audit rows`);
  if (after.venues - before.venues !== after.audits - before.audits) process.exitCode = 1;
}

const rowCounts = (database: BenchDatabase) => database.root.one<{ venues: number; audits: number }>(sql`
  select (select count(*) from venues) as venues, (select count(*) from audit_events) as audits`);

const database = await benchDatabase({ max: 2 });
try {
  const keys = await fill(database);
  const settings = { ...readSettings({}, '/'), data_dir: join(tmpdir(), `bench-files-${process.pid}`) };
  const composition = await compose({ settings, connections: loginsOf(database.urlFor),
    webFolder: null, log: (level, message, facts) => {
      if (level === 'error') say(`${message} ${JSON.stringify(facts)}`);
    } });
  say(`PostgreSQL ${database.version}, ${VENUES} venues, ${CLIENTS} clients, ${ROUNDS} rounds of ${SECONDS} s in turn, `
    + `load before ${load()}`);
  await run(database, composition, keys);
  say(`load after ${load()}`);
  await composition.close();
} finally {
  await database.stop();
}
