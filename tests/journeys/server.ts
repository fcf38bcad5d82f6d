/**
 * The server the journeys talk to: the built web app over a database of its own with the demo season, in a folder that
 * goes away at the end. JOURNEYS_PORT says where it listens, JOURNEYS_PAIR_PORT where two processes behind a plain
 * proxy do, over the same database and with the limits of sign-in. They post what they are asked to and run no
 * background jobs but those that a person waits for: files that are imported, large runs of statements.
 * JOURNEYS_REPLICAS=2 has two processes answer at the first address as well.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Connections } from '#apps/server/src/compose.ts';
import { workImports } from '#modules/data-exchange/imports/work-imports.server.ts';
import { workStatementRuns } from '#modules/royalties/royalties.public.server.ts';
import { createLog, type Log } from '#server/log.ts';
import { readSettings, type Settings } from '#server/settings.ts';
import { ensureTemplate } from '#tests/support/cluster.ts';
import { startReplicas } from '#tests/support/replicas.ts';
import { ensureSeason } from '#tests/support/season.ts';
import { ROOT } from '../../tools/steps.ts';
import { buildWeb } from '../../tools/build-web.ts';
import { cloneDatabase } from './clone.ts';

const say = (line: string): void => console.log(line);

/** A clone of the season, with its files in `dataDir`. */
const prepareDatabase = (dataDir: string): ReturnType<typeof cloneDatabase> => cloneDatabase(async (cluster) => {
  const season = await ensureSeason(cluster, await ensureTemplate(cluster), say);
  await season.copyFiles(dataDir);
  return season.database;
});

/** Cleans up on a signal too, even if the run is ended while the season is still loading. */
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

type Serve = (settings: Settings, connections: Connections, log: Log, web: string | null) => Promise<
  () => Promise<void>>;

const serveAlone: Serve = async (settings, connections, log, webFolder) => {
  const composition = await compose({ settings, connections, log, webFolder });
  await composition.app.listen({ host: settings.host, port: settings.port });
  return () => composition.close();
};

/** As an operator runs it, but for TLS: building the web app has said NODE_ENV=production, whose cookies ask for it. */
const serveBehindProxy = (port: number, limits: '0' | '1'): Serve => async (settings, connections, _log, web) => {
  const replicas = await startReplicas({ port,
    logins: { app_rw: connections.app.url, app_portal: connections.portal.url, app_counter: connections.counter.url },
    env: { NODE_ENV: '', WEB_FOLDER: web ?? '', DATA_DIR: settings.data_dir, DEMO: '1', RATE_LIMITS: limits } });
  return () => replicas.stop();
};

const WORK_EVERY_MS = 500;

/** Works what somebody has asked for and waits for on the screen, in a process that answers nobody. */
async function startWork(settings: Settings, connections: Connections, log: Log): Promise<() => Promise<void>> {
  const { ports, close } = await compose({ settings, connections, log, webFolder: null });
  let last: Promise<void> = Promise.resolve();
  const work = async (): Promise<void> => {
    await workImports(ports);
    await workStatementRuns(ports);
  };
  const again = setInterval(() => {
    last = last.then(work).catch((error: Error) => log('error', 'work of the journeys failed', { error: error.stack }));
  }, WORK_EVERY_MS);
  return async () => {
    clearInterval(again);
    await last;
    await close();
  };
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
  const { connections, stop } = await prepareDatabase(dataDir);
  closing.push(stop);
  closing.push(await startWork(settings, connections, log));
  const alone = Number(process.env.JOURNEYS_REPLICAS ?? 1) < 2;
  const serve = alone ? serveAlone : serveBehindProxy(settings.port, '0');
  const pair = process.env.JOURNEYS_PAIR_PORT;
  if (pair) closing.push(await serveBehindProxy(Number(pair), '1')(settings, connections, log, webFolder));
  closing.push(await serve(settings, connections, log, webFolder));
  say(`The journeys talk to http://127.0.0.1:${settings.port}`);
}

await main();
