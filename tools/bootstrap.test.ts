/** What the bootstrap asks npm for, seen by an npm that only writes down what it was told. */
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
  // Which comes first is theirs; the second never begins anew what the first has made.
  expect(['ci --omit=dev,install --no-save --include=dev', 'ci --include=dev']).toContain(asked().join());
});
