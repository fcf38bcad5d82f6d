/**
 * Finds a Chromium for the browser tests, or installs one: first the system's, then the system's package manager,
 * then Playwright's own download. A browser is believed only after it has started once. The headless shell, which
 * never draws a window, goes before the whole browser: the same pages take a sixth less time.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { aptInstall, onPath } from './system-package.ts';

export type Chromium = { executablePath: string; version: string } | { executablePath: null; reason: string };

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Names of the program inside Playwright's cache, by platform and kind. */
const PROGRAM = /(^|[\\/])(chrome|chrome-headless-shell|headless_shell|Google Chrome for Testing)(\.exe)?$/;

function playwrightCache(): string[] {
  const home = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(os.homedir(), process.platform === 'darwin'
    ? 'Library/Caches/ms-playwright' : '.cache/ms-playwright');
  if (!fs.existsSync(home)) return [];
  return fs.readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((file) => PROGRAM.test(file))
    .map((file) => path.join(home, file)).filter((file) => fs.statSync(file).isFile());
}

/** The version it prints, or null where it does not start. */
export function tryBrowser(executablePath: string): string | null {
  const { status, stdout } = spawnSync(executablePath, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 ? stdout.trim() : null;
}

function firstWorking(candidates: readonly string[]): Chromium | null {
  for (const executablePath of candidates) {
    const version = tryBrowser(executablePath);
    if (version) return { executablePath, version };
  }
  return null;
}

/** A browser that is already here. `CHROMIUM` names one and is then the only candidate. */
export function findChromium(): Chromium {
  const named = process.env.CHROMIUM;
  if (named) return firstWorking([named]) ?? { executablePath: null, reason: `CHROMIUM=${named} does not start` };
  return firstWorking([...NAMES.flatMap(onPath), ...playwrightCache()])
    ?? { executablePath: null, reason: 'no Chromium on this system' };
}

function installWithApt(log: (message: string) => void): void {
  log('No Chromium here: installing a system package ...');
  if (!aptInstall('chromium-headless-shell')) aptInstall('chromium');
}

function installWithPlaywright(root: string, log: (message: string) => void): void {
  log("Fetching the test runner's own Chromium ...");
  const cli = path.join(root, 'node_modules', 'playwright-core', 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium-headless-shell'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Finds or installs a Chromium; the answer says why where there is none. */
export function ensureChromium(root: string, log: (message: string) => void): Chromium {
  let found = findChromium();
  if (found.executablePath !== null || process.env.CHROMIUM) return found;
  for (const attempt of [installWithApt, (_log: typeof log) => installWithPlaywright(root, log)]) {
    attempt(log);
    found = findChromium();
    if (found.executablePath !== null) return found;
  }
  return {
    executablePath: null,
    reason: 'no Chromium on this system, nor from its package manager, nor by download; name one in CHROMIUM',
  };
}
