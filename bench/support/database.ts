/** A database for a measurement: the embedded server with fsync on, or the one that DATABASE_URL_BENCH names. */
import { mkdtempSync, chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ensureDatabase, ensureRoles } from '#server/cluster-setup.ts';
import { createDb, type Db } from '#server/db.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import { migrate } from '#server/migrate.ts';

export interface BenchDatabase {
  /** As the application: role app_rw, `max` connections. */
  app: Db;
  /** The same login, for a server that makes its own pool. */
  app_url: string;
  /** Login URL of each role. */
  urlFor(role: string): string;
  /** As superuser: what only a measurement may do (tables without triggers, generated rows). */
  root: Db;
  version: string;
  /** CPU seconds of the whole server so far; 0 where /proc does not tell. */
  serverCpu(): number;
  stop(): Promise<void>;
}

const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url));

export async function benchDatabase(options: { max: number }): Promise<BenchDatabase> {
  const given = process.env.DATABASE_URL_BENCH;
  const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'bench-'));
  chmodSync(folder, 0o755);
  const server = given ? null : await startEmbeddedPostgres({ dataDir: folder, durable: true });
  const urlFor = (database: string, user: string): string => {
    if (server) return server.urlFor(database, user);
    const url = new URL(given!);
    url.pathname = `/${database}`;
    url.username = user;
    return url.href;
  };
  const superuser = server?.superuser ?? new URL(given!).username;
  const admin: pg.ClientConfig = { connectionString: urlFor('postgres', superuser) };
  await ensureRoles(admin);
  const name = `bench_${process.pid}`;
  if (server) await server.ensureDatabase(name);
  else await ensureDatabase(admin, name);
  const root = createDb({ connectionString: urlFor(name, superuser), max: 2, statementTimeoutMs: 0 });
  await root.pool.query('alter schema public owner to app_migrate');
  await migrate(urlFor(name, 'app_migrate'), MIGRATIONS);
  const app = createDb({ connectionString: urlFor(name, 'app_rw'), max: options.max, statementTimeoutMs: 0 });
  const found = await root.pool.query<{ version: string; pid: number
    }>(`select current_setting('server_version') as version,
    pg_backend_pid() as pid`);
  const postmaster = parentOf(found.rows[0]!.pid);
  return {
    app, app_url: urlFor(name, 'app_rw'), urlFor: (role) => urlFor(name, role), root,
    version: found.rows[0]!.version,
    serverCpu: () => cpuBelow(postmaster),
    async stop() {
      await app.close();
      await root.close();
      if (!server) {
        const client = new pg.Client(admin);
        await client.connect();
        await client.query(`drop database ${name} with (force)`);
        await client.end();
      }
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const TICKS_PER_SECOND = 100;
/** Fields of /proc/<pid>/stat after the command's name: parent, then CPU of the process and of its ended children. */
function stat(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! };
  } catch {
    return null;
  }
}
const parentOf = (pid: number): number => stat(pid)?.parent ?? 0;

function cpuBelow(postmaster: number): number {
  const top = postmaster > 1 ? stat(postmaster) : null;
  if (!top) return 0;
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((name) => stat(Number(name)))
    .filter((found) => found?.parent === postmaster).reduce((total, found) => total + found!.own, 0);
  return (top.own + top.ended + children) / TICKS_PER_SECOND;
}
