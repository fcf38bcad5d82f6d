/**
 * Memory by length of an imported file: the rows of the Broadway file over and over under names of shows that nobody
 * licenses, so that every row is read, looked up and named with its reason, and none is posted. Each length is a run of
 * its own in a process of its own. Settings: ROWS ("10000,50000,200000"); POSTING=1 licenses the shows first, so that
 * every row posts, up to the length of the file itself: a row that comes again is the same week once more. "Kept" is
 * what is left when the garbage of the moment is collected, once a second: what grows with the file would grow there.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processImport } from '#modules/data-exchange/imports/start-import.server.ts';
import { uploadImport } from '#modules/data-exchange/imports/upload-import.server.ts';
import { workImport } from '#modules/data-exchange/imports/work-imports.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { systemClock } from '#server/clock.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { diskFiles } from '#server/files.ts';
import { closedHub } from '#server/live.ts';
import { outboxMailer } from '#server/mail.ts';
import { readSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { customerEvents } from '#apps/server/src/customer-events.ts';
import { moneyEvents } from '#apps/server/src/money-events.ts';
import { BROADWAY_CSV, BROADWAY_ROWS, broadwayIsHere, makeBroadwayLicenses } from '#tests/support/broadway.ts';
import { benchDatabase } from './support/database.ts';
import { load, say } from './support/measure.ts';

const POSTING = process.env.POSTING === '1';

/** At most 25 MiB may be uploaded, which is what two hundred thousand rows of this width come to. */
function fileOf(rows: number): Buffer {
  const [head = '', ...lines] = readFileSync(BROADWAY_CSV, 'utf8').trimEnd().split('\n');
  const made = Array.from({ length: rows }, (_, n) => lines[n % lines.length]!);
  return Buffer.from(`${[head, ...made].join('\n')}\n`);
}

async function one(rows: number): Promise<void> {
  const database = await benchDatabase({ max: 4 });
  try {
    const ports: Ports = { db: database.app, limits: database.app, clock: systemClock, settings: readSettings({}, '/'),
      files: diskFiles(mkdtempSync(join(tmpdir(), 'bench-files-'))), mail: outboxMailer(), live: closedHub(),
      money: moneyEvents, customers: customerEvents, openItems: [], wake: () => {}, log: () => {} };
    const run = <T>(work: (ctx: WorkContext) => Promise<T>): Promise<T> =>
      database.app.tx((tx) => work(workContext(ports, tx, SYSTEM_ACTOR)));
    if (POSTING) {
      await makeBroadwayLicenses(database.app);
    }
    const template = await database.app.one<{ id: number }>(sql`select id from import_templates order by id limit 1`);
    let content: Buffer | null = fileOf(rows);
    const megabytes = (content.length / 1e6).toFixed(1);
    globalThis.gc?.();
    let most = 0;
    let kept = 0;
    const look = (): void => { most = Math.max(most, process.memoryUsage().rss); };
    const collect = (): void => {
      globalThis.gc?.();
      const { heapUsed, external } = process.memoryUsage();
      kept = Math.max(kept, heapUsed + external);
    };
    const timer = setInterval(look, 50);
    const before = process.memoryUsage().rss;
    const started = performance.now();
    const id = await run((ctx) => uploadImport(ctx, template.id,
      { field: 'file', filename: 'many.csv', content_type: 'text/csv', content: content! }));
    content = null;
    globalThis.gc?.();
    look();
    const uploaded = most;
    most = 0;
    const collector = setInterval(collect, 1000);
    await run((ctx) => processImport(ctx, id));
    await workImport(ports, id);
    clearInterval(collector);
    clearInterval(timer);
    look();
    const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
    const { posted } = await database.app.one<{ posted: number }>(sql`select count(*) as posted from transactions`);
    say(`| ${rows} | ${posted} | ${megabytes} | ${mb(before)} | ${mb(uploaded)} | ${mb(most)} | ${mb(kept)} | `
      + `${((performance.now() - started) / 1000).toFixed(0)} |`);
  } finally {
    await database.stop();
  }
}

const own = process.env.ROWS_OF_THIS_PROCESS;
if (own !== undefined) {
  await one(Number(own));
} else if (broadwayIsHere()) {
  say(`load ${load()}\n`
    + '| rows | postings | file, MB | before, MB | largest while uploading | largest while working '
    + '| most that is kept | seconds |');
  say('|---|---|---|---|---|---|---|---|');
  const lengths = process.env.ROWS ?? (POSTING ? `5000,15000,${BROADWAY_ROWS}` : '10000,50000,200000');
  for (const rows of lengths.split(',')) {
    spawnSync(process.execPath, ['--expose-gc', import.meta.filename],
      { stdio: 'inherit', env: { ...process.env, ROWS_OF_THIS_PROCESS: rows } });
  }
}
