import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { closedParent, defaultDataDir } from './embedded-postgres-place.ts';

// Real servers on a busy machine: the limit only ends a hang, and later than the server's own, which says why.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const folders: string[] = [];
const running: EmbeddedPostgres[] = [];

function makeDataDir(name = ''): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gr-pg-'));
  fs.chmodSync(folder, 0o755);
  folders.push(folder);
  return path.join(folder, name);
}

async function start(dataDir: string, durable = false): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durable });
  running.push(server);
  return server;
}

async function ask<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const pidOf = (dataDir: string): number =>
  Number(fs.readFileSync(path.join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]);

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

it('gives a database of its own to app_migrate, with the extensions and no powerful role', async () => {
  const server = await start(makeDataDir());
  await server.ensureDatabase('house_test');
  await server.ensureDatabase('house_test');
  const url = server.urlFor('house_test', 'app_migrate');
  await ask(url, 'create table t (id int)');
  const extensions = await ask<{ extname: string }>(url, 'select extname from pg_extension order by 1');
  expect(extensions.map((row) => row.extname)).toEqual(
    ['btree_gist', 'pg_stat_statements', 'pg_trgm', 'pgcrypto', 'plpgsql'],
  );
  const roles = await ask(url, `select rolname, rolsuper, rolbypassrls from pg_roles
    where rolname like 'app\\_%' and rolcanlogin order by 1`);
  expect(roles).toEqual(['app_counter', 'app_migrate', 'app_portal', 'app_rw'].map(
    (rolname) => ({ rolname, rolsuper: false, rolbypassrls: false }),
  ));
  await expect(ask(server.urlFor('house_test', 'app_rw'), 'create table x (id int)')).rejects.toThrow(/permission/);
  await expect(server.ensureDatabase('a"b')).rejects.toThrow('Not a database name');
});

it('attaches to a running server; the last one out stops it', async () => {
  const dataDir = makeDataDir();
  const first = await start(dataDir);
  const second = await start(dataDir);
  expect([first.attached, second.attached]).toEqual([false, true]);
  await first.stop();
  expect(await ask(second.urlFor('postgres', 'postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  const pid = pidOf(dataDir);
  await second.stop();
  expect(fs.existsSync(path.join(dataDir, 'pg', 'postmaster.pid'))).toBe(false);
  expect(() => process.kill(pid, 0)).toThrow();
});

it('who comes later leaves the rules of a running server alone, and mends old ones', async () => {
  const dataDir = makeDataDir();
  const rules = path.join(dataDir, 'pg', 'pg_ident.conf');
  await start(dataDir);
  const written = fs.statSync(rules);
  const text = fs.readFileSync(rules, 'utf8');
  await start(dataDir);
  expect(fs.statSync(rules).mtimeMs).toBe(written.mtimeMs);

  // An older version of the product knew fewer roles.
  fs.writeFileSync(rules, text.split('\n').slice(0, 2).join('\n'));
  const old = fs.statSync(rules);
  await start(dataDir);
  expect(fs.readFileSync(rules, 'utf8')).toBe(text);
  const mended = fs.statSync(rules);
  expect([mended.ino !== old.ino, mended.uid, mended.mode & 0o777]).toEqual([true, old.uid, 0o600]);
});

it('survives kill -9 of the server: the next start recovers what was committed', async () => {
  const dataDir = makeDataDir();
  const first = await start(dataDir, true);
  await first.ensureDatabase('kept');
  await ask(first.urlFor('kept', 'app_migrate'), 'create table t as select 7 as n');
  process.kill(pidOf(dataDir), 'SIGKILL');
  await sleep(50);
  const second = await start(dataDir, true);
  expect(await ask(second.urlFor('kept', 'app_migrate'), 'select n from t')).toEqual([{ n: 7 }]);
  await first.stop();
  await second.stop();
  expect(fs.existsSync(path.join(dataDir, 'pg', 'postmaster.pid'))).toBe(false);
});

it('comes back by itself when it is killed, where that was asked for', async () => {
  const dataDir = makeDataDir();
  const server = await startEmbeddedPostgres({ dataDir, durable: true, keepRunning: true });
  running.push(server);
  await server.ensureDatabase('kept');
  const before = pidOf(dataDir);
  process.kill(before, 'SIGKILL');
  await expect.poll(() => ask(server.urlFor('kept', 'app_migrate'), 'select 1 as n').catch(() => null),
    { timeout: 60_000 }).toEqual([{ n: 1 }]);
  expect(pidOf(dataDir)).not.toBe(before);
  // The presence is held again as well: whoever leaves meanwhile does not stop the server.
  const other = await start(dataDir, true);
  await expect.poll(async () => (await ask(server.urlFor('kept', 'postgres'),
    "select 1 from pg_stat_activity where application_name = 'grand-rights presence'")).length,
  { timeout: 60_000 }).toBe(2);
  await other.stop();
  expect(await ask(server.urlFor('kept', 'app_migrate'), 'select 1 as n')).toEqual([{ n: 1 }]);
});

it('survives kill -9 of the process that started it: the next one attaches', async () => {
  const dataDir = makeDataDir();
  const script = `import { startEmbeddedPostgres } from '${path.join(import.meta.dirname, 'embedded-postgres.ts')}';
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    console.log('up'); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio: 'pipe' });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const next = await start(dataDir);
  expect(next.attached).toBe(true);
});

it('two first starts at the same moment share one server', async () => {
  const dataDir = makeDataDir();
  const both = await Promise.all([start(dataDir), start(dataDir)]);
  expect(both.map((server) => server.attached).sort()).toEqual([false, true]);
  await Promise.all(both.map((server) => server.ensureDatabase('shared')));
  expect(await ask(both[0].urlFor('shared', 'app_migrate'), 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('pg'))).toEqual(['pg']);
});

it('two leaving at the same moment leave no server behind', async () => {
  const dataDir = makeDataDir();
  const both = [await start(dataDir), await start(dataDir)];
  await Promise.all(both.map((server) => server.stop()));
  expect(fs.existsSync(path.join(dataDir, 'pg', 'postmaster.pid'))).toBe(false);
});

it('a data folder with a path too long for a socket still works', async () => {
  const server = await start(makeDataDir('a'.repeat(120)));
  expect(server.socketDir.startsWith('/tmp/grand-rights-')).toBe(true);
  await server.stop();
  fs.rmSync(server.socketDir, { recursive: true });
});

it.runIf(process.getuid?.() === 0)('as root, names a folder others cannot enter, and DATA_DIR', async () => {
  const dataDir = makeDataDir('closed/inside');
  fs.mkdirSync(path.dirname(dataDir), { mode: 0o700 });
  await expect(start(dataDir)).rejects.toThrow(/other users cannot enter .*closed.*DATA_DIR/s);
  expect(closedParent(dataDir)).toBe(path.dirname(dataDir));
  expect(defaultDataDir(dataDir)).toMatch(/^\/var\/lib\/grand-rights-/);
});
