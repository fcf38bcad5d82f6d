/** `npm run audit:verify`: recomputes every link of the audit chain; exit code 1 where one is broken. */
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import { createDb } from '#server/db.ts';
import { readSettings } from '#server/settings.ts';
import { DATABASE_NAME } from '#apps/server/src/database.ts';
import { verifyAudit } from '#modules/system/system.public.server.ts';

const settings = readSettings(process.env, fileURLToPath(new URL('../', import.meta.url)));
const given = settings.database_url_app ?? settings.database_url;
const server = given === null ? await startEmbeddedPostgres({ dataDir: settings.data_dir, log: () => {} }) : null;
const db = createDb({ connectionString: given ?? server!.urlFor(DATABASE_NAME, 'app_rw'), max: 1,
  ...(given !== null && settings.database_url_app === null ? { role: 'app_rw' } : {}) });
try {
  const { linked, breaks } = await verifyAudit(db);
  for (const { audit_event_id, seq, problem } of breaks) {
    console.log(`event ${audit_event_id}${seq === null ? '' : `, link ${seq}`}: ${problem}`);
  }
  console.log(breaks.length === 0 ? `The chain is whole: ${linked} events.`
    : `The chain is broken in ${breaks.length} places; ${linked} events are linked.`);
  process.exitCode = breaks.length === 0 ? 0 : 1;
} finally {
  await db.close();
  await server?.stop();
}
