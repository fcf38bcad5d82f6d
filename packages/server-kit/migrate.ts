/**
 * Migrations. `baseline/` makes the whole schema, by domain; the other files change it, in order of their names, which
 * start with the time they were written (the oldest with a number). Each file runs once, in a transaction of its own
 * unless its first line is `-- no-transaction`. Two starts at the same moment wait for each other on an advisory lock.
 * `access.sql`, which declares who may see which table, runs last and again whenever it changed.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { differenceFromReplaced, MigrationRefusal, readReplaced, type Replaced } from './migrate-baseline.ts';

const ACCESS = 'access.sql';
const BASELINE = 'baseline';
const OUTSIDE = '-- no-transaction\n';
const MIGRATION_LOCK = 7_231_964;

export interface MigrationResult {
  applied: string[];
  version: string;
  /** The database ran the migrations that the baseline replaces, and was marked as being on the baseline. */
  adopted: boolean;
}

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** Runs what is missing as the role of `connectionString` (the owner). `log` hears each file's name. */
export async function migrate(
  connectionString: string, folder: string, log: (line: string) => void = () => {},
): Promise<MigrationResult> {
  const client = new pg.Client({ connectionString, application_name: 'grand-rights migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const files = await readFolder(folder);
    const adopted = await adopt(client, files, await readReplaced(join(folder, BASELINE)));
    const pending = pendingOf(files, await applied(client));
    for (const file of pending) {
      await run(client, file);
      log(file.name);
    }
    if (pending.length > 0) await client.query('analyze');
    return { applied: pending.map(({ name }) => name), adopted,
      version: files.findLast(({ name }) => name !== ACCESS)?.name ?? '' };
  } finally {
    await client.end();
  }
}

/** Files in the order in which they run: the baseline, what changes it, access.sql. */
async function readFolder(folder: string): Promise<Migration[]> {
  const sqlFiles = async (from: string): Promise<string[]> =>
    (await readdir(from)).filter((file) => file.endsWith('.sql')).sort();
  const baseline = join(folder, BASELINE);
  const names = [
    ...(existsSync(baseline) ? await sqlFiles(baseline) : []).map((file) => `${BASELINE}/${file}`),
    ...await sqlFiles(folder),
  ];
  return Promise.all(names.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8');
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  }));
}

async function applied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations');
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/**
 * Marks a database that ran exactly the replaced migrations as being on the baseline, which makes the same schema.
 * @throws where it ran others: nothing is known about its schema then.
 */
async function adopt(client: pg.Client, files: readonly Migration[], replaced: Replaced | null): Promise<boolean> {
  const ran = await applied(client);
  const ours = new Set(files.map(({ name }) => name));
  const baseline = files.filter(({ name }) => name.startsWith(`${BASELINE}/`));
  const others = new Map([...ran].filter(([name]) => !ours.has(name) && name !== ACCESS));
  if (!replaced || baseline.length === 0 || baseline.some(({ name }) => ran.has(name))) {
    refuseNewer([...others.keys()]);
    return false;
  }
  if (ran.size === 0) return false;
  const difference = differenceFromReplaced(others, replaced);
  if (difference) throw new MigrationRefusal(difference);
  await inTransaction(client, async () => {
    await client.query('delete from schema_migrations where name = any($1)', [[...others.keys()]]);
    for (const { name, checksum } of baseline) {
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    }
    await client.query(`insert into audit_events (action, entity, before, after)
      values ('adopt_baseline', 'schema', $1, $2)`,
    [{ migrations: others.size, last: [...others.keys()].sort().at(-1) }, { migrations: baseline.length }]);
  });
  return true;
}

/** An older release may not work on what a newer one has changed. */
function refuseNewer(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  throw new MigrationRefusal(`This database was used by a newer release: it ran ${unknown.join(', ')}, which this `
    + 'release does not have. Start the newer release, or restore a backup taken before it.');
}

/** @throws where a file changed after it ran, or comes before one that ran. */
function pendingOf(files: readonly Migration[], ran: ReadonlyMap<string, string>): Migration[] {
  const changed = files.find(({ name, checksum }) => name !== ACCESS && (ran.get(name) ?? checksum) !== checksum);
  if (changed) throw new MigrationRefusal(`migration ${changed.name} changed after it was applied`);
  const pending = files.filter(({ name, checksum }) => ran.get(name) !== checksum);
  const late = pending.find(({ name }) => /^\d{8}T/.test(name));
  const after = files.findLast(({ name }) => name !== ACCESS && ran.has(name));
  if (late && after && late.name < after.name && !after.name.startsWith(`${BASELINE}/`)) {
    throw new MigrationRefusal(`migration ${late.name} is older than ${after.name}, which this database ran already. `
      + 'Rename it with the present time, so that every database runs both in one order.');
  }
  return pending;
}

async function run(client: pg.Client, file: Migration): Promise<void> {
  const record = `insert into schema_migrations (name, checksum) values ($1, $2)
    on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`;
  try {
    if (file.text.startsWith(OUTSIDE)) {
      // Several statements in one query would share a transaction; each ends with its line.
      for (const statement of file.text.split(/;[ \t]*(?:\n|$)/)) await client.query(statement);
      await client.query(record, [file.name, file.checksum]);
      return;
    }
    await inTransaction(client, async () => {
      await client.query(file.text);
      await client.query(record, [file.name, file.checksum]);
    });
  } catch (error) {
    throw new Error(`migration ${file.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
