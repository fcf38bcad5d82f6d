/**
 * One PostgreSQL for a test run: the server that DATABASE_URL_TEST names (its login must be superuser), else an
 * embedded cluster of its own without fsync. A template database is migrated once and cloned for every test file.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ensureRoles, ROLES } from '#server/cluster-setup.ts';
import { migrate } from '#server/migrate.ts';
import { defaultDataDir } from '#server/embedded-postgres-place.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import { ensureMemory } from './memory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const MIGRATIONS = join(root, 'db/migrations');

export interface Cluster {
  /** URL of a database on this server for a login. */
  urlFor(database: string, user: string): string;
  superuser: string;
  /** Clause that makes clones, after `create database`: copied as files, in memory where possible. */
  cloneClause: string;
  stop(): Promise<void>;
}

const AS_FILES = 'strategy file_copy';

export async function startCluster(): Promise<Cluster> {
  const given = process.env.DATABASE_URL_TEST;
  if (given) {
    const base = new URL(given);
    return {
      superuser: base.username,
      cloneClause: AS_FILES,
      urlFor: (database, user) => {
        const url = new URL(given);
        url.pathname = `/${database}`;
        url.username = user;
        return url.href;
      },
      stop: async () => {},
    };
  }
  const dataDir = process.env.TEST_DATA_DIR ?? join(defaultDataDir(root), 'test');
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const memory = await withClient(server.urlFor('postgres', server.superuser), (client) =>
    ensureMemory(client, dataDir)).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return {
    superuser: server.superuser,
    cloneClause: memory === null ? AS_FILES : `${AS_FILES} tablespace ${memory}`,
    urlFor: (database, user) => server.urlFor(database, user),
    stop: () => server.stop(),
  };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const TEMPLATE_LOCK = 7_231_965;

/** Makes the migrated template database if it is missing and answers its name, which changes with the migrations. */
export async function ensureTemplate(cluster: Pick<Cluster, 'urlFor' | 'superuser'>): Promise<string> {
  const name = `template_${(await migrationsHash()).slice(0, 16)}`;
  const client = new pg.Client({ connectionString: cluster.urlFor('postgres', cluster.superuser) });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureRoles({ connectionString: cluster.urlFor('postgres', cluster.superuser) });
    for (const login of ROLES) await client.query(`alter role ${login} login`);
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (known.rowCount) return name;
    await client.query(`create database ${name}_new owner app_migrate template template0 encoding 'UTF8'`);
    await createExtensions(cluster, `${name}_new`);
    await migrate(cluster.urlFor(`${name}_new`, 'app_migrate'), MIGRATIONS);
    await client.query(`alter database ${name}_new rename to ${name}`);
    return name;
  } catch (error) {
    await client.query(`drop database if exists ${name}_new with (force)`).catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
}

async function createExtensions(cluster: Pick<Cluster, 'urlFor' | 'superuser'>, database: string): Promise<void> {
  await withClient(cluster.urlFor(database, cluster.superuser), async (client) => {
    for (const extension of ['pg_trgm', 'pgcrypto', 'btree_gist']) {
      await client.query(`create extension if not exists ${extension}`);
    }
    await client.query('alter schema public owner to app_migrate');
  });
}

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  const files = await readdir(MIGRATIONS, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.sql')).sort()) {
    hash.update(file).update(await readFile(join(MIGRATIONS, file)));
  }
  return hash.digest('hex');
}
