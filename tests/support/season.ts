/**
 * The demo season as a template database, played once for all that need it: the tests on the season and the servers of
 * the journeys get clones. Its name changes with whatever the season depends on and with the day it is seen from, so
 * that a second run of the same day finds it.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { loginsOf } from '#apps/server/src/compose.ts';
import { ensureDemo } from '#apps/server/src/demo.ts';
import { localDate } from '#server/clock.ts';
import { defaultDataDir } from '#server/embedded-postgres-place.ts';
import { createLog } from '#server/log.ts';
import { readSettings } from '#server/settings.ts';
import type { Cluster } from './cluster.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['packages/kernel', 'packages/contract', 'packages/server-kit', 'modules', 'apps/server', 'db'];
/** Files that make up a season: code of the server and the records it posts, no screens and no tests. */
const IS_SOURCE = /\.(ts|sql|json|mjs)$/;
const IS_APART = /\.(test|bench|web|pages)\.ts$|\/node_modules\//;
const LOCK = 7_231_967;

export interface Season {
  /** Name of the template database. */
  database: string;
  /** Puts what the season keeps in files, keys included, into the data folder of a server. */
  copyFiles(dataDir: string): Promise<void>;
}

async function seasonHash(template: string): Promise<string> {
  const hash = createHash('sha256').update(template);
  for (const folder of SOURCES) {
    const files = await readdir(join(root, folder), { recursive: true });
    for (const file of files.filter((name) => IS_SOURCE.test(name) && !IS_APART.test(name)).toSorted()) {
      hash.update(file).update(await readFile(join(root, folder, file)));
    }
  }
  return hash.update(await readFile(join(root, 'package-lock.json'))).digest('hex').slice(0, 16);
}

/** Plays the season where it is missing; `template` is the migrated database it is played in. */
export async function ensureSeason(
  cluster: Pick<Cluster, 'urlFor' | 'superuser'>, template: string, say: (line: string) => void = () => {},
): Promise<Season> {
  const day = localDate(new Date(), 'America/New_York').replaceAll('-', '');
  const database = `season_${await seasonHash(template)}_${day}`;
  const seasons = join(process.env.TEST_DATA_DIR ?? join(defaultDataDir(root), 'test'), 'seasons');
  const files = join(seasons, database);
  const client = new pg.Client({ connectionString: cluster.urlFor('postgres', cluster.superuser) });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const known = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (!known.rowCount || !existsSync(files)) {
      await forgetSeasons(client, seasons);
      await play(cluster, client, { template, database, files }, say);
    }
  } finally {
    await client.end();
  }
  return { database, copyFiles: (dataDir) => cp(files, dataDir, { recursive: true }) };
}

/** Seasons of earlier code and earlier days. */
async function forgetSeasons(client: pg.Client, seasons: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where datname like 'season\\_%'");
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await rm(seasons, { recursive: true, force: true });
}

interface Place { template: string; database: string; files: string }

async function play(
  cluster: Pick<Cluster, 'urlFor' | 'superuser'>, client: pg.Client, { template, database, files }: Place,
  say: (line: string) => void,
): Promise<void> {
  const [made, folder] = [`${database}_new`, `${files}_new`];
  await mkdir(folder, { recursive: true });
  await client.query(`create database ${made} template ${template} owner app_migrate`);
  const settings = readSettings({ DATA_DIR: folder, DEMO: '1', RATE_LIMITS: '0', LOG_LEVEL: 'error' }, root);
  const prepared = {
    connections: loginsOf((role) => cluster.urlFor(made, role)), owner_url: cluster.urlFor(made, 'app_migrate'),
    lock_url: cluster.urlFor('postgres', cluster.superuser), reset: null, stop: async () => {},
  };
  await ensureDemo(settings, prepared, createLog('error'), say);
  await rename(folder, files);
  await client.query(`alter database ${made} rename to ${database}`);
}
