/**
 * A database connection that is lost costs the request that used it a 503 and nothing else (reliability.md 4): the
 * process lives and connects again. A PostgreSQL of its own, since `kill -9` of a backend restarts the whole server.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/embedded-postgres.ts';
import { migrate } from '#server/migrate.ts';
import { MIGRATIONS } from '#tests/support/cluster.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };
const dataDir = mkdtempSync(join(tmpdir(), 'gr-lost-'));
let server: EmbeddedPostgres;
let child: ChildProcess;
let port = 0;

function nextMessage(): Promise<Record<string, number>> {
  return new Promise((resolve) => { child.once('message', (message) => resolve(message as Record<string, number>)); });
}

async function asSuperuser<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: server.urlFor('lost', server.superuser) });
  // It may be gone with all the others; who asks, asks again.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const status = async (path: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
const isReady = (): Promise<number> => status('/health/ready');

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir, durable: false });
  await server.ensureDatabase('lost');
  await migrate(server.urlFor('lost', 'app_migrate'), MIGRATIONS);
  const url = (role: string): string => server.urlFor('lost', role);
  child = fork(fileURLToPath(new URL('../support/interrupted-server.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: url('app_migrate'), DATABASE_URL_APP: url('app_rw'),
      DATABASE_URL_PORTAL: url('app_portal'), DATABASE_URL_COUNTER: url('app_counter') },
  });
  port = (await nextMessage()).port!;
}, 240_000);
afterAll(async () => {
  child.kill('SIGKILL');
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => expect.poll(isReady, PATIENCE).toBe(200));

/** A request that holds a transaction, and the backend it holds it on. */
async function held(how: 'busy' | 'idle'): Promise<{ answer: Promise<number>; pid: number }> {
  const message = nextMessage();
  const answer = status(`/api/auth/held?how=${how}`);
  return { answer, pid: (await message).pid! };
}

const isGone = (pid: number) => async (): Promise<boolean> =>
  (await asSuperuser('select 1 from pg_stat_activity where pid = $1', [pid])).length === 0;

async function livesOn(): Promise<void> {
  await expect.poll(isReady, PATIENCE).toBe(200);
  expect(child.exitCode ?? child.signalCode).toBeNull();
}

it('a busy connection that an operator ends: 503 for its request, and the server lives', async () => {
  const { answer, pid } = await held('busy');
  await expect.poll(async () => (await asSuperuser<{ query: string }>(
    'select query from pg_stat_activity where pid = $1', [pid]))[0]?.query, PATIENCE).toMatch('pg_sleep');
  await asSuperuser('select pg_terminate_backend($1)', [pid]);
  expect(await answer).toBe(503);
  await livesOn();
});

it('a transaction that lies idle too long: 503 for its request, and the server lives', async () => {
  const { answer, pid } = await held('idle');
  await expect.poll(isGone(pid), PATIENCE).toBe(true);
  child.send('go on');
  expect(await answer).toBe(503);
  await livesOn();
});

it('a machine that pauses in a transaction: 503 for its request when it wakes, and the server lives', async () => {
  const { answer, pid } = await held('idle');
  child.kill('SIGSTOP');
  await expect.poll(isGone(pid), PATIENCE).toBe(true);
  child.kill('SIGCONT');
  child.send('go on');
  expect(await answer).toBe(503);
  await livesOn();
});

it('kill -9 of an idle backend, which restarts PostgreSQL: the server lives and connects again', async () => {
  let idle: number | undefined;
  // The request before may have ended the last connection: a request brings one.
  await expect.poll(async () => {
    await status('/api/users/me');
    idle = (await asSuperuser<{ pid: number }>(`
      select pid from pg_stat_activity where application_name = 'grand-rights' and state = 'idle' limit 1`))[0]?.pid;
    return idle;
  }, PATIENCE).toBeDefined();
  process.kill(idle!, 'SIGKILL');
  await livesOn();
  expect(await status('/api/users/me')).toBe(401);
});
