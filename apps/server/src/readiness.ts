/** Whether this process can do its work now: the database answers and takes writes, and files can be stored. */
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '#server/db.ts';
import type { ReadyCheck } from '#server/health.ts';
import { sql } from '#server/sql.ts';

const ANSWER_MS = 2000;
const MIB = 1024 * 1024;
/** Below this a day's log or one upload fills the disk: another server should take the requests. */
const LEAST_FREE = 64 * MIB;

export interface ReadinessOptions {
  db: Db;
  /** Folder of files and of the embedded database; null where neither lies on this machine. */
  data_dir: string | null;
  /** Free bytes of the disk below a folder. */
  freeBytes?: (folder: string) => Promise<number>;
}

export function readiness({ db, data_dir, freeBytes = freeOf }: ReadinessOptions): ReadyCheck {
  return async () => {
    const checks = await Promise.all([inTime(databaseReason(db)),
      data_dir === null ? null : diskReason(data_dir, freeBytes)]);
    const reasons = checks.filter((reason) => reason !== null);
    return { ready: reasons.length === 0, reasons };
  };
}

async function inTime(check: Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('the database does not answer in time'), ANSWER_MS);
  });
  try {
    return await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A real write: a standby, a server without space and one that somebody set to read only answer reads as well. */
async function databaseReason(db: Db): Promise<string | null> {
  try {
    await db.exec(sql`
      insert into rate_limits (bucket, window_start) values ('ready', date_trunc('hour', now()))
      on conflict (bucket, window_start) do update set hits = rate_limits.hits + 1`);
    return null;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '25006') return 'the database is read only';
    if (code === '53100') return 'the disk of the database is full';
    return 'the database cannot be reached';
  }
}

const freeOf = async (folder: string): Promise<number> => {
  const disk = await statfs(folder);
  return disk.bavail * disk.bsize;
};

async function diskReason(folder: string, freeBytes: (folder: string) => Promise<number>): Promise<string | null> {
  const probe = join(folder, `.ready-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    if (await freeBytes(folder) < LEAST_FREE) return 'the disk is full';
    await writeFile(probe, 'ready');
    await rm(probe, { force: true });
    return null;
  } catch (error) {
    const { code } = error as { code?: string };
    return code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : 'the data folder cannot be written';
  }
}
