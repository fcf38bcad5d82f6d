/**
 * Bodies that no honest client sends, at calls that need no sign-in: how long the event loop stands still and how much
 * comes back. Without rate limits, so that each sample is read as far as the first was. Settings: BYTES (850000),
 * SAMPLES (20).
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AddressInfo } from 'node:net';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { readSettings } from '#server/settings.ts';
import { benchDatabase } from './support/database.ts';
import { median, say, table } from './support/measure.ts';

const BYTES = Number(process.env.BYTES ?? 850_000);
const SAMPLES = Number(process.env.SAMPLES ?? 20);

function fill(piece: (n: number) => string, bytes: number): string {
  const pieces: string[] = [];
  for (let length = 0; length < bytes; length += pieces.at(-1)!.length + 1) pieces.push(piece(pieces.length));
  return pieces.join(',');
}

const BODIES: Readonly<Record<string, (bytes: number) => string>> = {
  'unknown fields': (bytes) => `{${fill((n) => `"k${n}":1`, bytes)}}`,
  'one long name': (bytes) => `{"${'k'.repeat(bytes)}":1}`,
  'deep lists': (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  'a list of objects': (bytes) => `{"email":[${fill(() => '{"a":1}', bytes)}]}`,
};

const database = await benchDatabase({ max: 8 });
const composition = await compose({
  settings: { ...readSettings({ RATE_LIMITS: '0' }, '/'), log_level: 'error',
    data_dir: join(tmpdir(), 'grand-rights-bench-bodies') },
  connections: loginsOf(database.urlFor), log: () => undefined, webFolder: null,
});
await composition.app.listen({ host: '127.0.0.1', port: 0 });
const base = `http://127.0.0.1:${(composition.app.server.address() as AddressInfo).port}`;
const first = await fetch(`${base}/sanctum/csrf-cookie`);
const cookies = first.headers.getSetCookie().map((line) => line.split(';')[0]!);
const token = decodeURIComponent(cookies.find((one) => one.startsWith('XSRF-TOKEN='))!.split('=')[1]!);

const rows: string[][] = [];
for (const path of ['/api/auth/login', '/api/client-errors']) {
  for (const [name, make] of Object.entries(BODIES)) {
    const body = make(BYTES);
    const took: number[] = [];
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    let status = 0, answered = 0;
    for (let n = 0; n < SAMPLES; n += 1) {
      const started = performance.now();
      const answer = await fetch(base + path, { method: 'POST', body, headers: { 'content-type': 'application/json',
        cookie: cookies.join('; '), 'x-xsrf-token': token } });
      answered = (await answer.arrayBuffer()).byteLength;
      status = answer.status;
      took.push(performance.now() - started);
    }
    delay.disable();
    rows.push([path, name, String(status), String(answered), median(took).toFixed(1), (delay.max / 1e6).toFixed(1)]);
  }
}
say(table(['call', `body of ${BYTES} bytes`, 'status', 'bytes back', 'ms', 'longest pause, ms'], rows));
await composition.close();
await database.stop();
