/**
 * A server with its jobs as a child process, for tests that take the database away from it: /api/auth/held opens a
 * transaction, sends the id of its backend to the parent and goes on when the parent says so.
 */
import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { jobs } from '#apps/server/src/jobs.ts';
import { open } from '#kit/auth.ts';
import { endpoint } from '#kit/endpoint.ts';
import { startJobs } from '#server/jobs.ts';
import { createLog } from '#server/log.ts';
import { serve } from '#server/routes.ts';
import { readSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';

const held = endpoint({ method: 'GET', path: '/api/auth/held', auth: open, summary: 'Holds a transaction',
  query: z.strictObject({ how: z.enum(['busy', 'idle']) }), response: null });

const routes = serve({ held }, {
  held: (ctx, { query }) => ctx.ports.db.tx(async (tx) => {
    if (query.how === 'idle') await tx.exec(sql`set local idle_in_transaction_session_timeout = 300`);
    const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const told = new Promise<void>((resolve) => { process.once('message', () => resolve()); });
    process.send?.({ pid });
    if (query.how === 'busy') await tx.exec(sql`select pg_sleep(600)`);
    await told;
    await tx.exec(sql`select 1`);
  }),
});

const settings = readSettings(process.env, fileURLToPath(new URL('../../', import.meta.url)));
const urls = { app_rw: settings.database_url_app, app_portal: settings.database_url_portal,
  app_counter: settings.database_url_counter };
const composition = await compose({
  settings, log: createLog('warn'), webFolder: null, plantedRoutes: routes,
  connections: loginsOf((role) => urls[role] ?? ''),
});
const queue = await startJobs(urls.app_rw ?? '', jobs, composition.ports);
await composition.app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (composition.app.server.address() as AddressInfo).port });
process.on('SIGTERM', () => {
  void queue.stop().then(() => composition.close()).then(() => process.exit(0));
});
