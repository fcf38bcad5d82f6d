/**
 * Migrations: SQL files in order of their number, each in its own transaction, each once. Two starts at the same
 * moment wait for each other on an advisory lock. A file that changed after it was applied stops the start; only
 * `access.sql`, which says who may see what and says it whole, is applied again whenever it changed, after all others.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const ACCESS = 'access.sql';
const MIGRATION_LOCK = 7_231_964;

export interface MigrationResult {
  applied: string[];
  version: string;
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
    const known = new Map<string, string>(
      (await client.query('select name, checksum from schema_migrations')).rows.map((r) => [r.name, r.checksum]));
    const applied: string[] = [];
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      if (known.get(file) === checksum) continue;
      if (known.has(file) && file !== ACCESS) throw new Error(`migration ${file} changed after it was applied`);
      await apply(client, file, text, checksum);
      applied.push(file);
      log(file);
    }
    if (applied.length > 0) await client.query('analyze');
    return { applied, version: files.findLast((file) => file !== ACCESS) ?? '' };
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, file: string, text: string, checksum: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query(`insert into schema_migrations (name, checksum) values ($1, $2)
      on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`, [file, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${file} failed: ${(error as Error).message}`, { cause: error });
  }
}
