/**
 * Cost of the second line of defense: a customer's list of productions, read as `app_portal` through row-level security
 * in its own transaction, beside the same licenses in the staff list; and the share of a staff list that goes to the
 * session query and the gates. Measured in turn, so that a busy machine affects both alike.
 * Settings: ROUNDS (7), SECONDS (2), CLIENTS (8), LICENSES (20000).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { hashToken, newToken, SESSION_COOKIE, sessionPort } from '#modules/identity/session/session.server.ts';
import { staff } from '#kit/auth.ts';
import { checkGates } from '#server/gates.ts';
import { readSettings } from '#server/settings.ts';
import { systemClock } from '#server/clock.ts';
import { Sql, sql } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { drive, load, median, say, table, type Round } from './support/measure.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const SECONDS = Number(process.env.SECONDS ?? 2);
const CLIENTS = Number(process.env.CLIENTS ?? 8);
const LICENSES = Number(process.env.LICENSES ?? 20_000);
const CUSTOMERS = 200;
const HOUSE = 7;

interface Tokens { staff: string; customer: string }

async function fill(database: BenchDatabase): Promise<Tokens> {
  const run = (text: string) => database.root.query(new Sql([text], []));
  await run(`insert into customers (name, status, divisions, default_division, default_currency)
    select 'House ' || g, 'active', '{US}', 'US', 'USD' from generate_series(1, ${CUSTOMERS}) g`);
  await run(`insert into shows (show_code, type, title, sort_title) values ('BEN', 'play', 'Bench', 'Bench')`);
  await database.root.tx(async (tx) => {
    await tx.exec(sql`set local session_replication_role = replica`);
    await tx.exec(new Sql([`insert into licenses (number, customer_id, show_id, show_code, show_type, category,
        division, currency, title_on_license, execution_policy, phase, offer_version, offer_expires_at)
      select 'Q-' || g, 1 + g % ${CUSTOMERS}, s.id, 'BEN', 'play', 'Pro', 'US', 'USD', 'Bench ' || g, 'advance_paid',
        'sent', 1, now() + interval '1 year' from generate_series(1, ${LICENSES}) g, shows s`], []));
  });
  const signedIn = async (role: string): Promise<{ id: number; token: string }> => {
    const token = newToken();
    const { id } = await database.root.one<{ id: number }>(sql`insert into users (email, first_name, last_name, role,
      password_hash, email_verified_at) values (${`${role}@x.test`}, 'B', 'B', ${role}, 'none', now()) returning id`);
    await database.root.exec(sql`insert into sessions (token_hash, user_id, csrf_token, epoch, created_at, last_seen_at,
      expires_at) select ${hashToken(token)}, id, 'x', session_epoch, now(), now(), now() + interval '1 hour'
      from users where id = ${id}`);
    return { id, token };
  };
  const clerk = await signedIn('staff_user');
  const ruth = await signedIn('customer');
  const group = await database.root.one<{ id: number }>(sql`insert into staff_groups (name, permission_values)
    values ('Bench', ${['license.list', 'venue.list']}) returning id`);
  await database.root.exec(sql`insert into staff_group_users (staff_group_id, user_id)
    values (${group.id}, ${clerk.id})`);
  await database.root.exec(sql`insert into customer_users (customer_id, user_id, role)
    values (${HOUSE}, ${ruth.id}, 'admin')`);
  await run('vacuum analyze');
  return { staff: clerk.token, customer: ruth.token };
}

function asker(app: FastifyInstance, token: string, url: string): () => Promise<{ id: number }[]> {
  return async () => {
    const answer = await app.inject({ url, headers: { cookie: `${SESSION_COOKIE}=${token}` } });
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
    return answer.json<{ data: { id: number }[] }>().data;
  };
}

async function measure(database: BenchDatabase, app: FastifyInstance, tokens: Tokens): Promise<void> {
  const staffList = asker(app, tokens.staff, `/api/admin/staff/licenses?customer_id=${HOUSE}&per_page=20`);
  const portalList = asker(app, tokens.customer, `/api/customers/${HOUSE}/licenses?per_page=20`);
  const ids = async (list: typeof staffList): Promise<string> =>
    (await list()).map((row) => row.id).toSorted((a, b) => a - b).join();
  const same = await ids(staffList) === await ids(portalList);
  say(`the first pages of both lists name ${same ? 'the same' : 'different'} licences`);
  const sessions = sessionPort(database.app, systemClock, SESSION_COOKIE);
  const auth = staff('license.list');
  const works = {
    'staff list': async () => { await staffList(); },
    'portal list': async () => { await portalList(); },
    'session and gates': async () => {
      const session = await sessions.load(tokens.staff, false);
      checkGates(auth, session?.principal ?? null, null, new Set());
    },
  };
  const seen = new Map<string, Round[]>(Object.keys(works).map((name) => [name, []]));
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    for (const [name, work] of Object.entries(works)) {
      const measured = await drive(database, CLIENTS, SECONDS, work);
      if (turn > 0) seen.get(name)!.push(measured);
    }
  }
  const speed = (name: string): number[] => seen.get(name)!.map((one) => one.per_second);
  const cpu = (name: string): number[] => seen.get(name)!.map((one) => one.client_cpu_ms + one.server_cpu_ms);
  const ratio = (a: number[], b: number[]): number => median(a.map((value, index) => value / b[index]!));
  say(table(['', 'per second', 'CPU ms each'], [...seen.keys()].map((name) =>
    [name, Math.round(median(speed(name))), median(cpu(name)).toFixed(2)])));
  say(`portal of staff list: ${ratio(speed('portal list'), speed('staff list')).toFixed(2)} by the clock, ${
    ratio(cpu('staff list'), cpu('portal list')).toFixed(2)} by CPU (aim 0.5)`);
  say(`session and gates: ${(100 * ratio(cpu('session and gates'), cpu('staff list'))).toFixed(0)}% of a staff `
    + 'list\'s CPU (aim 20% at most)');
}

const database = await benchDatabase({ max: 16 });
try {
  const tokens = await fill(database);
  const settings = { ...readSettings({ RATE_LIMITS: '0' }, '/'), log_level: 'error',
    data_dir: join(tmpdir(), `bench-portal-${process.pid}`) };
  const { app, close } = await compose({ settings, webFolder: null, log: () => undefined,
    connections: loginsOf(database.urlFor) });
  say(`${database.version}, load ${load()}`);
  await measure(database, app, tokens);
  say(`load ${load()}`);
  await close();
} finally {
  await database.stop();
}
