/** Requests of the bootstrap to npm, seen by a fake npm that only records its arguments. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const START = 'apps/server/src/main.ts';
const TEST = 'tools/test.ts';
const FAKE_NPM = `
  const { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync } = require('node:fs');
  const [command, ...rest] = process.argv.slice(2);
  appendFileSync('asked', [command, ...rest.filter((word) => /dev|save/.test(word))].join(' ') + '\\n');
  if (existsSync('refuse-' + command)) process.exit(1);
  if (command === 'ci') rmSync('node_modules', { recursive: true, force: true });
  const names = ['darwin-arm64', 'bin-darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win-x64'];
  for (const bin of names.map((name) => 'node_modules/node-' + name + '/bin')) {
    mkdirSync(bin, { recursive: true });
    rmSync(bin + '/node', { force: true });
    symlinkSync(process.execPath, bin + '/node');
  }
  setTimeout(() => {}, 300);`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'house-bootstrap-'));
  for (const folder of ['tools', 'apps/server/src', 'npm']) mkdirSync(join(root, folder), { recursive: true });
  cpSync(fileURLToPath(new URL('bootstrap.mjs', import.meta.url)), join(root, 'tools/bootstrap.mjs'));
  for (const script of [START, TEST]) writeFileSync(join(root, script), '');
  writeFileSync(join(root, 'npm/npm-cli.js'), FAKE_NPM);
  writeFileSync(join(root, 'asked'), '');
  writeFileSync(join(root, 'package-lock.json'), 'one');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const asked = (): string[] => readFileSync(join(root, 'asked'), 'utf8').split('\n').filter(Boolean);

function run(script: string): Promise<number | null> {
  const env = { ...process.env, npm_execpath: join(root, 'npm/npm-cli.js'), npm_node_execpath: process.execPath };
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap.mjs'), script], { cwd: root, env });
  return new Promise((resolve) => { child.on('exit', resolve); });
}

it('installs for a start what a start needs, once, and adds the rest when tests ask for it', async () => {
  expect([await run(START), await run(START)]).toEqual([0, 0]);
  expect(asked()).toEqual(['ci --omit=dev']);
  expect([await run(TEST), await run(TEST), await run(START)]).toEqual([0, 0, 0]);
  expect(asked()).toEqual(['ci --omit=dev', 'install --no-save --include=dev']);
});

it('takes nothing away from a checkout that had everything when the lock file changes', async () => {
  await run(TEST);
  writeFileSync(join(root, 'package-lock.json'), 'two');
  expect(await run(START)).toBe(0);
  expect(asked()).toEqual(['ci --include=dev', 'ci --include=dev']);
});

it('reads the stamp of a time when every script installed everything', async () => {
  await run(TEST);
  const stamp = join(root, 'node_modules/.house-stamp');
  writeFileSync(stamp, readFileSync(stamp, 'utf8').split(' ')[0]!);
  expect(await run(TEST)).toBe(0);
  expect(asked()).toHaveLength(1);
});

it('installs everything anew where adding fails', async () => {
  await run(START);
  writeFileSync(join(root, 'refuse-install'), '');
  expect(await run(TEST)).toBe(0);
  expect(asked().slice(1)).toEqual(['install --no-save --include=dev', 'ci --include=dev']);
});

it('lets two commands of one moment install one after the other', async () => {
  expect(await Promise.all([run(START), run(TEST), run(START)])).toEqual([0, 0, 0]);
  // Either may come first; the second never redoes the work of the first.
  expect(['ci --omit=dev,install --no-save --include=dev', 'ci --include=dev']).toContain(asked().join());
});

/** Runs a start whose server does what `script` says, until it ends; answers what it printed. */
function start(script: string, env: Record<string, string> = {}): { output: () => string; ended: Promise<number | null>;
  stop: () => void } {
  writeFileSync(join(root, START), script);
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap.mjs'), START], { cwd: root,
    env: { ...process.env, ...env, npm_execpath: join(root, 'npm/npm-cli.js'), npm_node_execpath: process.execPath } });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => { output += chunk.toString(); });
  return { output: () => output, stop: () => { child.kill('SIGTERM'); },
    ended: new Promise((resolve) => { child.on('exit', resolve); }) };
}

const COUNT = `import { appendFileSync, readFileSync } from 'node:fs';
  appendFileSync('starts', 'x');
  const starts = readFileSync('starts', 'utf8').length;`;

it('starts a server again that dies while it serves, and says so in the log', async () => {
  const { output, ended } = start(`${COUNT}
    process.send('ready');
    if (starts === 1) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
    else if (starts === 2) setTimeout(() => { throw new Error('a fault'); }, 100);
    else console.log('serves again');`);
  expect(await ended).toBe(0);
  expect(readFileSync(join(root, 'starts'), 'utf8')).toBe('xxx');
  const logged = output().split('\n').filter((line) => line.startsWith('{')).map((line) =>
    JSON.parse(line) as Record<string, unknown>);
  expect(logged).toMatchObject([{ level: 'error', signal: 'SIGKILL', wait_ms: 1000 },
    { level: 'error', code: 1, wait_ms: 2000 }]);
  expect(logged[0]!.message).toMatch('The server ended unexpectedly (SIGKILL); starting it again in 1 s.');
  expect(output()).toMatch('serves again');
});

it('does not start one again that never served, that was stopped, or where the operator does it', async () => {
  expect(await start(`${COUNT} process.exit(3);`).ended).toBe(3);
  expect(await start(`${COUNT} process.send('ready'); process.exitCode = 4;`, { RESTART: '0' }).ended).toBe(4);
  expect(readFileSync(join(root, 'starts'), 'utf8')).toBe('xx');
  const stopped = start(`${COUNT} process.send('ready'); console.log('up');
    process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000);`);
  await expect.poll(stopped.output, { timeout: 30_000 }).toMatch('up');
  stopped.stop();
  expect(await stopped.ended).toBe(5);
  expect(readFileSync(join(root, 'starts'), 'utf8')).toBe('xxx');
});
