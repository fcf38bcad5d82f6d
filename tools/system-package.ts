/** Programs of the operating system that tests use, installed with its package manager where it lets us. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** Every place of PATH that has a program of this name. */
export function onPath(name: string): string[] {
  return (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name))
    .filter((file) => fs.existsSync(file));
}

function apt(...args: string[]): boolean {
  return spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;
}

/** Whether the package is installed now; false without apt-get or the right to use it. */
export function aptInstall(name: string): boolean {
  if (process.getuid?.() !== 0 || onPath('apt-get').length === 0) return false;
  const install = () => apt('install', '-y', '-q', '--no-install-recommends', name);
  return install() || (apt('update', '-q') && install());
}

/** hledger, with which tests compare the books: another program that reads the same journal. */
export function ensureHledger(log: (message: string) => void): boolean {
  if (onPath('hledger').length > 0) return true;
  log('No hledger here: installing a system package ...');
  return aptInstall('hledger') && onPath('hledger').length > 0;
}
