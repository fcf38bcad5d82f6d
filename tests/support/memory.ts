/**
 * A tablespace of the test cluster in memory. A clone of the migrated database is 1,900 files: PostgreSQL makes them in
 * a tenth of the time there that a disk takes. Where the system has no such place, clones lie beside the cluster.
 */
// cspell:ignore spcname dattablespace
import { createHash } from 'node:crypto';
import { chown, mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';

const MEMORY = '/dev/shm';
const NAME = 'memory';
const LOCK = 7_231_968;
/** Bytes: a dozen clones and what tests write into them. */
const LEAST_FREE = 2 ** 30;

/** Prefix of the databases of this process, by which a later run knows those that a killed one left. */
export const cloneName = (what: string): string => `${what}_p${process.pid}_`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Drops databases of processes that are gone: they would stay in memory. */
export async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where datname ~ '_p[0-9]+_[0-9a-f]+$'");
  for (const { datname } of rows) {
    if (!isAlive(Number(/_p(\d+)_/.exec(datname)![1]))) {
      await client.query(`drop database if exists ${datname} with (force)`);
    }
  }
}

/** After a start of the machine the tablespace is there and its folder is not. */
async function isUsable(client: pg.Client, folder: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_tablespace where spcname = $1', [NAME]);
  return rowCount === 1 && await stat(folder).then(() => true, () => false);
}

async function forget(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(`select datname from pg_database d
    join pg_tablespace t on t.oid = d.dattablespace where t.spcname = $1`, [NAME]);
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.query(`drop tablespace if exists ${NAME}`);
}

async function hasRoom(): Promise<boolean> {
  const place = await statfs(MEMORY).catch(() => null);
  return place !== null && place.bavail * place.bsize >= LEAST_FREE;
}

/** Makes the tablespace of the cluster in this folder where it is missing; its name, or null without memory for it. */
export async function ensureMemory(client: pg.Client, dataDir: string): Promise<string | null> {
  const mark = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16);
  const folder = join(MEMORY, `grand-rights-${process.getuid?.() ?? 0}-${mark}`);
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    await dropAbandoned(client);
    if (await isUsable(client, folder)) return await hasRoom() ? NAME : null;
    await forget(client);
    if (!await hasRoom()) return null;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    const owner = await stat(join(dataDir, 'pg'));
    if (process.getuid?.() === 0) await chown(folder, owner.uid, owner.gid);
    await client.query(`create tablespace ${NAME} location '${folder}'`);
    return NAME;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}
