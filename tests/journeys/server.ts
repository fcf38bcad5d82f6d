/**
 * The server the journeys talk to: the built web app over a database of its own with the demo season, in a folder that
 * goes away at the end. JOURNEYS_PORT says where it listens, JOURNEYS_PAIR_PORT where two processes behind a plain
 * proxy do, over the same database and with the limits of sign-in. They post what they are asked to and run no
 * background jobs. JOURNEYS_REPLICAS=2 has two processes answer at the first address as well.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { DATABASE_NAME, type PreparedDatabase } from '#apps/server/src/database.ts';
import { ensureDemo } from '#apps/server/src/demo.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import { createLog, type Log } from '#server/log.ts';
import { migrate } from '#server/migrate.ts';
import { readSettings, type Settings } from '#server/settings.ts';
import { startReplicas } from '#tests/support/replicas.ts';
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

type Serve = (settings: Settings, database: PreparedDatabase, log: Log, web: string | null) => Promise<
  () => Promise<void>>;

const serveAlone: Serve = async (settings, { connections }, log, webFolder) => {
  const composition = await compose({ settings, connections, log, webFolder });
  await composition.app.listen({ host: settings.host, port: settings.port });
  return () => composition.close();
};

/** As an operator runs it, but for TLS: building the web app has said NODE_ENV=production, whose cookies ask for it. */
const serveBehindProxy = (port: number, limits: '0' | '1'): Serve => async (settings, { connections }, _log, web) => {
  const replicas = await startReplicas({ port,
    logins: { app_rw: connections.app.url, app_portal: connections.portal.url, app_counter: connections.counter.url },
    env: { NODE_ENV: '', WEB_FOLDER: web ?? '', DATA_DIR: settings.data_dir, DEMO: '1', RATE_LIMITS: limits } });
  return () => replicas.stop();
};

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
  const alone = Number(process.env.JOURNEYS_REPLICAS ?? 1) < 2;
  const serve = alone ? serveAlone : serveBehindProxy(settings.port, '0');
  const pair = process.env.JOURNEYS_PAIR_PORT;
  if (pair) closing.push(await serveBehindProxy(Number(pair), '1')(settings, database, log, webFolder));
  closing.push(await serve(settings, database, log, webFolder));
  say(`The journeys talk to http://127.0.0.1:${settings.port}`);
}

await main();
