/** `npm start`: database, migrations, demo season, web app, server; says what it does while it works. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoSignIns } from '#db/demo/accounts.ts';
import { EmbeddedPostgresError } from '#server/embedded-postgres-place.ts';
import { MigrationRefusal } from '#server/migrate-baseline.ts';
import { firstAdministrator } from '#modules/identity/session/staff-invite.server.ts';
import { refreshProcessorKeys } from '#modules/receivables/receivables.public.server.ts';
import { linkTo, readSettings, SettingError, type Settings } from '#server/settings.ts';
import { createLog, type Log } from '#server/log.ts';
import { startJobs } from '#server/jobs.ts';
import { buildWebBeside } from '../../../tools/build-web-beside.ts';
import { compose } from './compose.ts';
import { prepareDatabase, type PreparedDatabase } from './database.ts';
import { ensureDemo } from './demo.ts';
import { jobs } from './jobs.ts';
import { startTestProcessor } from './test-payments.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const say = (line: string): void => { process.stdout.write(`${line}\n`); };

const KEYS_EVERY_MS = 30_000;

async function main(): Promise<void> {
  const settings = readSettings(process.env, root);
  const log = createLog(settings.log_level);
  if (process.env.AUTO_OFFERS) say('AUTO_OFFERS has no effect: switch automatic offers on under System, Divisions.');
  const [database, webFolder] = await Promise.all([fillDatabase(settings, log), buildWebBeside(say)]);
  const testProcessor = await startTestProcessor(settings, (division, payload, signature) => composition.app.inject({
    method: 'POST', url: `/webhooks/stripe/${division}`, payload,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  }).then((reply) => reply.statusCode));
  const composition = await compose({ settings, connections: database.connections, log, webFolder, testProcessor });
  await refreshProcessorKeys(composition.ports);
  // Another process may have taken a key: each looks by itself.
  setInterval(() => { void refreshProcessorKeys(composition.ports).catch(() => undefined); }, KEYS_EVERY_MS).unref();
  const queue = await startJobs(database.connections.app.url, jobs, composition.ports);
  composition.ports.wake = queue.wake;
  await listen(composition.app, settings);
  say(`\nGrand Rights is ready: ${linkTo(settings, '/')}\n`);
  // Under `npm start`: from now on a server that dies is started again (tools/bootstrap.mjs).
  process.send?.('ready');
  if (settings.demo) say(`${demoSignIns()}\n`);
  const invitation = await firstAdministrator(composition.ports);
  if (invitation) say(`${invitation}\n`);
  stopOnSignals(async () => {
    await testProcessor?.close();
    await composition.app.close();
    await queue.stop();
    await composition.close();
    await database.stop();
  });
}

/** The database with its tables and, where asked for, the demo season. */
async function fillDatabase(settings: Settings, log: Log): Promise<PreparedDatabase> {
  const database = await prepareDatabase(settings, join(root, 'db/migrations'), say);
  await ensureDemo(settings, database, log, say);
  return database;
}

async function listen(app: Awaited<ReturnType<typeof compose>>['app'], settings: Settings): Promise<void> {
  try {
    await app.listen({ host: settings.host, port: settings.port });
  } catch (error) {
    if ((error as { code?: string }).code === 'EADDRINUSE') {
      throw new SettingError(`Port ${settings.port} is taken. Stop the other program or set PORT.`);
    }
    throw error;
  }
}

const STOP_LIMIT_MS = 10_000;

function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) return;
    stopping = true;
    say('Stopping …');
    const late = setTimeout(() => process.exit(1), STOP_LIMIT_MS);
    late.unref();
    stop().then(() => process.exit(0), (error: Error) => {
      say(`Could not stop cleanly: ${error.message}`);
      process.exit(1);
    });
  };
  // `on`, not `once`: Ctrl-C arrives twice, from the terminal and from the bootstrap.
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

main().catch((error: Error) => {
  const known = error instanceof SettingError || error instanceof EmbeddedPostgresError
    || error instanceof MigrationRefusal;
  say(known ? error.message : `Could not start: ${error.stack ?? error.message}`);
  process.exit(1);
});
