/**
 * The Broadway file (31,296 rows) through upload, mapping, checks, royalties and postings, then its questions answered;
 * beside it COPY of the same file into a bare table, before and after (performance.md 6). Prints rows per second, the
 * ratio, the largest memory seen and the CPU of both sides.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { uploadImport } from '#modules/data-exchange/imports/upload-import.server.ts';
import { answerImport, processImport } from '#modules/data-exchange/imports/start-import.server.ts';
import { workImport } from '#modules/data-exchange/imports/work-imports.server.ts';
import { customerEvents } from '#apps/server/src/customer-events.ts';
import { moneyEvents } from '#apps/server/src/money-events.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { systemClock } from '#server/clock.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { diskFiles } from '#server/files.ts';
import { closedHub } from '#server/live.ts';
import { outboxMailer } from '#server/mail.ts';
import { readSettings } from '#server/settings.ts';
import { Sql, sql } from '#server/sql.ts';
import {
  BROADWAY_CSV, BROADWAY_ROWS, BROADWAY_TOTAL_MINOR, broadwayIsHere, makeBroadwayLicenses,
} from '#tests/support/broadway.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';

const say = (text: string): void => { process.stdout.write(`${text}\n`); };
const perSecond = (seconds: number): number => Math.round(BROADWAY_ROWS / seconds);

/** The server reads the file itself: the fastest way a row can arrive. */
async function copySeconds(database: BenchDatabase): Promise<number> {
  const run = (text: string) => database.root.query(new Sql([text], []));
  await run('drop table if exists copied');
  const columns = Array.from({ length: 12 }, (_, n) => `c${n} text`).join(', ');
  await run(`create table copied (id bigint generated always as identity primary key, ${columns})`);
  const names = Array.from({ length: 12 }, (_, n) => `c${n}`).join(', ');
  const started = performance.now();
  await run(`copy copied (${names}) from '${BROADWAY_CSV.replaceAll("'", "''")}' with (format csv, header)`);
  return (performance.now() - started) / 1000;
}

function watchMemory(): () => number {
  let most = 0;
  const timer = setInterval(() => { most = Math.max(most, process.memoryUsage().rss); }, 100);
  return () => { clearInterval(timer); return Math.round(most / 1e6); };
}

async function main(): Promise<void> {
  if (!broadwayIsHere()) return;
  const database = await benchDatabase({ max: 8 });
  try {
    const ports: Ports = { db: database.app, limits: database.app, clock: systemClock, settings: readSettings({}, '/'),
      money: moneyEvents, customers: customerEvents, openItems: [], wake: () => {},
      files: diskFiles(mkdtempSync(join(tmpdir(), 'bench-files-'))), mail: outboxMailer(), live: closedHub(),
      log: () => {} };
    const run = <T>(work: (ctx: WorkContext) => Promise<T>): Promise<T> =>
      database.app.tx((tx) => work(workContext(ports, tx, SYSTEM_ACTOR)));
    await makeBroadwayLicenses(database.app);
    await database.root.query(new Sql(['analyze'], []));
    const template = await database.app.one<{ id: number }>(sql`select id from import_templates order by id limit 1`);
    const before = await copySeconds(database);
    const content = readFileSync(BROADWAY_CSV);
    const [memory, client, server] = [watchMemory(), process.cpuUsage(), database.serverCpu()];
    const started = performance.now();
    const id = await run((ctx) => uploadImport(ctx, template.id,
      { field: 'file', filename: 'broadway.csv', content_type: 'text/csv', content }));
    await run((ctx) => processImport(ctx, id));
    await workImport(ports, id);
    const imported = (performance.now() - started) / 1000;
    await run((ctx) => answerImport(ctx, id, ''));
    await workImport(ports, id);
    const whole = (performance.now() - started) / 1000;
    const own = process.cpuUsage(client);
    const after = await copySeconds(database);
    await proved(database, id);
    const copy = (before + after) / 2;
    say(`PostgreSQL ${database.version}, load average ${loadavg()[0]?.toFixed(1)}`);
    say(`COPY of the file        ${copy.toFixed(2)} s  ${perSecond(copy)} rows/s`);
    say(`import                  ${imported.toFixed(1)} s  ${perSecond(imported)} rows/s`);
    const share = (copy / whole).toFixed(4);
    say(`import with the answers ${whole.toFixed(1)} s  ${perSecond(whole)} rows/s, ${share} of COPY`);
    const [node, postgres] = [(own.user + own.system) / 1e6, database.serverCpu() - server];
    say(`CPU: node ${node.toFixed(1)} s, server ${postgres.toFixed(1)} s`);
    say(`largest memory of the process ${memory()} MB`);
  } finally {
    await database.stop();
  }
}

/** A figure counts only where the result is right. */
async function proved(database: BenchDatabase, id: number): Promise<void> {
  const found = await database.app.one<{ n: number; earned: number; sum: number }>(sql`
    select count(*) as n, sum(earned_minor)::bigint as earned,
      (select sum(base_debit_minor - base_credit_minor)::bigint from ledger_balances) as sum
    from box_office_reports where import_id = ${id} and status = 'accepted' and not minimum_pending`);
  if (found.n !== BROADWAY_ROWS || found.earned !== BROADWAY_TOTAL_MINOR || found.sum !== 0) {
    throw new Error(`the import is wrong: ${JSON.stringify(found)}`);
  }
}

await main();
