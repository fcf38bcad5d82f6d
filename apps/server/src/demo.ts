/**
 * The demo season at start: loaded once, by one process, into an empty database. A load that was cut off is begun
 * again from nothing where the database is our own; on a server of the operator's it is said instead.
 */
import pg from 'pg';
import { demoState, isEmpty, loadDemo } from '#db/demo/load.ts';
import { fixedClock, localDate, systemClock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { SettingError, type Settings } from '#server/settings.ts';
import { compose, type Composition } from './compose.ts';
import { DATABASE_NAME, type PreparedDatabase } from './database.ts';

/** Two starts at the same moment: the second waits here until the first has loaded the season. */
const DEMO_LOCK = 7_231_966;

export async function ensureDemo(
  settings: Settings, database: PreparedDatabase, log: Log, say: (line: string) => void,
): Promise<void> {
  if (!settings.demo) return;
  const lock = new pg.Client({ connectionString: database.lock_url, application_name: 'grand-rights demo lock' });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [DEMO_LOCK]);
    await loadWhereMissing(settings, database, log, say);
  } finally {
    await lock.end();
  }
}

async function loadWhereMissing(
  settings: Settings, database: PreparedDatabase, log: Log, say: (line: string) => void,
): Promise<void> {
  const state = await withComposition(settings, database, log, async ({ ports }) => {
    const known = await demoState(ports.db);
    return known === 'absent' && !(await isEmpty(ports.db)) ? 'occupied' : known;
  });
  if (state === 'loaded') return;
  if (state === 'occupied') {
    if (settings.demo_asked) throw new SettingError('DEMO=1 needs an empty database; this one holds records already.');
    return;
  }
  if (state === 'loading') {
    if (!database.reset) {
      throw new SettingError('The demo season was cut off while it was loaded. Empty the database and start again.');
    }
    say('The demo season was cut off while it was loaded: beginning again.');
    await database.reset();
  }
  const clock = fixedClock(systemClock.now().toISOString());
  const today = localDate(systemClock.now(), 'America/New_York');
  await withoutWaitingForDisk(database, () =>
    withComposition(settings, database, log, (composition) => loadDemo({ composition, clock, today, say }), clock));
}

/**
 * In our own database the season need not survive a crash before it is whole: a cut-off load is begun again. Commits
 * do not wait for the disk meanwhile; the last one does, and it writes out everything before it.
 */
async function withoutWaitingForDisk(database: PreparedDatabase, load: () => Promise<void>): Promise<void> {
  if (!database.reset) return load();
  const owner = new pg.Client({ connectionString: database.lock_url });
  await owner.connect();
  try {
    await owner.query(`alter database ${DATABASE_NAME} set synchronous_commit = off`);
    await load();
    await owner.query(`alter database ${DATABASE_NAME} reset synchronous_commit`);
  } finally {
    await owner.end();
  }
}

async function withComposition<T>(
  settings: Settings, database: PreparedDatabase, log: Log, work: (composition: Composition) => Promise<T>,
  clock = systemClock,
): Promise<T> {
  const quiet: Log = (level, message, facts) => { if (level === 'error') log(level, message, facts); };
  const composition = await compose({
    settings: { ...settings, rate_limits: false }, connections: database.connections, log: quiet, clock,
    webFolder: null,
  });
  try {
    return await work(composition);
  } finally {
    await composition.close();
  }
}
