/**
 * Prerequisites of a cluster before migrations run: four roles and the extensions. Used for the embedded cluster and
 * for a stand-alone test cluster; on a production cluster an operator does the same once (docs/operating/settings.md).
 *
 * app_migrate owns the schema; app_rw serves staff; customers read as app_portal and act as app_counter: both have the
 * rights of app_rw, narrowed to one customer by restrictive policies. None of them is a superuser or may bypass
 * row-level security: the database role is the last line of defense (decision 10).
 */
/* oxlint-disable house/tagged-sql -- DDL takes no parameters; every name is from a closed list or checked here. */
import pg from 'pg';

export const ROLES = ['app_migrate', 'app_rw', 'app_portal', 'app_counter'] as const;
export const EXTENSIONS = ['pg_trgm', 'btree_gist', 'pgcrypto', 'pg_stat_statements'] as const;
/** One number for every session that changes roles or databases, so two starts at once queue up. */
const SETUP_LOCK = 7_261_001;

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates the roles where they are missing. `admin` connects as a superuser. */
export async function ensureRoles(admin: pg.ClientConfig): Promise<void> {
  await withClient(admin, async (client) => {
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    const found = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
      [...ROLES],
    ]);
    const present = new Set(found.rows.map((row) => row.rolname));
    for (const role of ROLES) {
      if (present.has(role)) continue;
      const createdb = role === 'app_migrate' ? 'createdb' : 'nocreatedb';
      await client.query(`create role ${role} login nosuperuser nobypassrls nocreaterole ${createdb}`);
    }
    // Said again where it holds already: a role of an older installation has no member yet.
    await client.query('grant app_rw to app_counter');
    if (present.size < ROLES.length) await client.query('select pg_reload_conf()');
  });
}

/**
 * Creates the database `name`, owned by app_migrate, with the extensions, where missing. Safe to call at every start
 * and from two processes at once.
 * @throws where `name` is no plain lower-case identifier.
 */
export async function ensureDatabase(admin: pg.ClientConfig, name: string): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`Not a database name: ${name}`);
  await withClient(admin, async (client) => {
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${name} owner app_migrate`);
    await withClient({ ...admin, database: name }, async (inside) => {
      for (const extension of EXTENSIONS) await inside.query(`create extension if not exists ${extension}`);
    });
  });
}
