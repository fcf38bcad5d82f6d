/**
 * Duration of the preview and the import of a long list, and the wait of other requests meanwhile: a separate thread
 * requests /health/ready every 20 ms. Settings: ROWS (5000), ONLY ("shows|materials"), WORK (0: previews only).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { hashToken, newToken, SESSION_COOKIE } from '#modules/identity/session/session.server.ts';
import { workImports } from '#modules/data-exchange/imports/work-imports.server.ts';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { readSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { LISTS } from '#tests/support/import-lists.ts';
import { load, say, table } from './support/measure.ts';

const ROWS = Number(process.env.ROWS ?? 5000);
const ONLY = process.env.ONLY?.split('|');
const WORK = process.env.WORK !== '0';

const WATCH = `
const { parentPort, workerData } = require('node:worker_threads');
let seen = [];
parentPort.on('message', () => { parentPort.postMessage(seen); seen = []; });
(async () => {
  for (;;) {
    const started = performance.now();
    const answer = await fetch('http://127.0.0.1:' + workerData + '/health/ready');
    await answer.text();
    seen.push(answer.ok ? performance.now() - started : Infinity);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
})();`;

async function signIn({ root }: BenchDatabase): Promise<Record<string, string>> {
  const [token, csrf] = [newToken(), newToken()];
  await root.exec(sql`insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
    values ('bench@x.test', 'B', 'B', 'staff_admin', 'none', now())`);
  await root.exec(sql`insert into sessions (token_hash, user_id, csrf_token, epoch, created_at, last_seen_at,
    expires_at)
    select ${hashToken(token)}, id, ${csrf}, session_epoch, now(), now(), now() + interval '1 hour' from users`);
  return { cookie: `${SESSION_COOKIE}=${token}; XSRF-TOKEN=${csrf}`, 'x-xsrf-token': csrf };
}

interface Waits { median: number; p99: number; most: number }

async function waits(watcher: Worker): Promise<Waits> {
  const seen = await new Promise<number[]>((resolve) => {
    watcher.once('message', resolve);
    watcher.postMessage('tell');
  });
  const sorted = seen.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0 };
}

const milliseconds = (value: number): string => value.toFixed(0);
const inWords = ({ median, p99, most }: Waits): string[] => [median, p99, most].map(milliseconds);

async function main(database: BenchDatabase): Promise<void> {
  const settings = { ...readSettings({ RATE_LIMITS: '0' }, '/'), log_level: 'error' as const,
    data_dir: join(tmpdir(), `bench-import-${process.pid}`) };
  const composition = await compose({ settings, webFolder: null, connections: loginsOf((role) => database.urlFor(role)),
    log: (level, message, facts) => {
      if (level === 'error') process.stderr.write(`${message} ${JSON.stringify(facts)}\n`);
    } });
  await composition.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = composition.app.server.address() as { port: number };
  const headers = await signIn(database);
  const base = `http://127.0.0.1:${port}/api/admin/staff`;
  const watcher = new Worker(WATCH, { eval: true, workerData: port });
  const lines: (string | number)[][] = [];
  for (const [name, { model, file }] of Object.entries(LISTS)) {
    if (ONLY && !ONLY.includes(name)) continue;
    const template = await database.root.one<{ id: number }>(sql`
      select id from import_templates where model_name = ${model} order by id limit 1`);
    const form = new FormData();
    form.set('import_template_id', String(template.id));
    form.set('file', new Blob([`${file(ROWS)}\n`], { type: 'text/csv' }), 'many.csv');
    const uploaded = await fetch(`${base}/imports`, { method: 'POST', body: form,
      headers: { ...headers, 'idempotency-key': crypto.randomUUID() } });
    if (uploaded.status !== 201) throw new Error(await uploaded.text());
    const { data: { id } } = await uploaded.json() as { data: { id: number } };
    await waits(watcher);
    let started = performance.now();
    const preview = await fetch(`${base}/imports/${id}/preview`, { headers });
    const { data: { counts } } = await preview.json() as { data: { counts: Record<string, number> } };
    const previewed = performance.now() - started;
    const beside = await waits(watcher);
    started = performance.now();
    if (WORK) {
      await fetch(`${base}/imports/${id}/process`, { method: 'POST',
        headers: { ...headers, 'idempotency-key': crypto.randomUUID() } });
      await workImports(composition.ports);
    }
    const worked = performance.now() - started;
    lines.push([name, counts.ready!, counts.refused!, (previewed / 1000).toFixed(1), ...inWords(beside),
      ...WORK ? [(worked / 1000).toFixed(1), ...inWords(await waits(watcher))] : []]);
    say(lines.at(-1)!.join(' | '));
  }
  await watcher.terminate();
  say(`\n${ROWS} rows, load ${load()}`);
  say(table(['list', 'ready', 'asked or left out', 'preview, s', 'wait median, ms', '99 of 100', 'longest',
    ...WORK ? ['work, s', 'wait median, ms', '99 of 100', 'longest'] : []], lines));
  await composition.close();
}

const database = await benchDatabase({ max: 10 });
try {
  await main(database);
} finally {
  await database.stop();
}
