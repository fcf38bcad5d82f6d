/**
 * The server the journeys talk to: the built web app over a database of its own with the demo season, in a folder that
 * goes away at the end. JOURNEYS_PORT says where it listens. It posts what it is asked to and runs no background jobs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { DATABASE_NAME, type PreparedDatabase } from '#apps/server/src/database.ts';
import { ensureDemo } from '#apps/server/src/demo.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import { createLog } from '#server/log.ts';
import { migrate } from '#server/migrate.ts';
import { readSettings } from '#server/settings.ts';
import { ROOT } from '../../tools/steps.ts';
import { buildWeb } from '../../tools/build-web.ts';

const say = (line: string): void => console.log(line);

/** Crash safety is for people's data: this cluster lives as long as the run. */
async function prepareDatabase(dataDir: string): Promise<PreparedDatabase> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  await server.ensureDatabase(DATABASE_NAME);
  const owner_url = server.urlFor(DATABASE_NAME, 'app_migrate');
  await migrate(owner_url, join(ROOT, 'db/migrations'));
  return {
    connections: loginsOf((role) => server.urlFor(DATABASE_NAME, role)),
    owner_url, lock_url: server.urlFor('postgres', server.superuser), reset: null, stop: () => server.stop(),
  };
}

/** Whoever ends the run while the season is still loading leaves nothing behind either. */
function stopOnSignals(): (() => unknown)[] {
  const closing: (() => unknown)[] = [];
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    try {
      for (const close of closing.reverse()) await close();
    } finally {
      process.exit(0);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => { void stop(); });
  return closing;
}

async function main(): Promise<void> {
  const closing = stopOnSignals();
  const dataDir = mkdtempSync(join(tmpdir(), 'grand-rights-journeys-'));
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const settings = readSettings({
    PORT: process.env.JOURNEYS_PORT, DATA_DIR: dataDir, DEMO: '1', RATE_LIMITS: '0', LOG_LEVEL: 'error',
  }, ROOT);
  const log = createLog(settings.log_level);
  const webFolder = await buildWeb(say);
  const database = await prepareDatabase(dataDir);
  closing.push(() => database.stop());
  await ensureDemo(settings, database, log, say);
  const composition = await compose({ settings, connections: database.connections, log, webFolder });
  closing.push(() => composition.close());
  await composition.app.listen({ host: settings.host, port: settings.port });
  say(`The journeys talk to http://127.0.0.1:${settings.port}`);
}

await main();
