/**
 * One app process of several on the same database: what `apps/server/src/main.ts` serves, without migrations and jobs.
 * DATABASE_URL_APP, _PORTAL and _COUNTER name the logins, WEB_FOLDER the built web app. Says its port when it listens.
 */
import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { createLog } from '#server/log.ts';
import { readSettings } from '#server/settings.ts';

const settings = readSettings(process.env, fileURLToPath(new URL('../../', import.meta.url)));
const urls = { app_rw: settings.database_url_app, app_portal: settings.database_url_portal,
  app_counter: settings.database_url_counter };
const composition = await compose({
  settings, log: createLog(settings.log_level), webFolder: process.env.WEB_FOLDER || null,
  connections: loginsOf((role) => urls[role] ?? ''),
});
await composition.app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`port ${(composition.app.server.address() as AddressInfo).port}\n`);
process.on('SIGTERM', () => { void composition.close().then(() => process.exit(0)); });
