/** `npm run dev`: the server restarts when its files change; the web app is rebuilt on every restart that needs it. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const paths = ['apps', 'db', 'modules', 'packages'].map((folder) => `--watch-path=${root}${folder}`);
const child = spawn(process.execPath, [...paths, `${root}apps/server/src/main.ts`], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => { process.exitCode = code ?? 1; });
