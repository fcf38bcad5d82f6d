/**
 * The embedded PostgreSQL: a real server from platform packages, created on first use and shared by every process of
 * this checkout. A server that outlived a killed process is attached to; the last process to stop takes it down.
 *
 * PostgreSQL itself judges stale lock files: we only ever start it or attach to it, and never delete a lock file.
 */
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ensureDatabase, ensureRoles, ROLES } from './cluster-setup.ts';
import {
  chooseRunner, EmbeddedPostgresError, findBinaries, makeOwnedFolder, prepareDataDir, prepareSocketDir, type Runner,
} from './embedded-postgres-place.ts';

export interface EmbeddedPostgresOptions {
  /** Everything the cluster writes lives below: pg/ (data), run/ (socket). */
  dataDir: string;
  log?: (message: string) => void;
  /** false gives up crash safety for speed: test clusters only. */
  durable?: boolean;
  /** Comes back by itself when PostgreSQL dies: it is started again, or attached to where somebody else did. */
  keepRunning?: boolean;
  /** Folder of other PostgreSQL binaries (15 or newer), for tests against an older server. */
  binDir?: string;
}

export interface EmbeddedPostgres {
  socketDir: string;
  port: 5432;
  superuser: string;
  /** true where a running server was found. */
  attached: boolean;
  /** A connection string that pg understands; authentication is the operating-system user's. */
  urlFor(database: string, user: string): string;
  /** Creates a database owned by app_migrate, with the extensions, where missing. */
  ensureDatabase(name: string): Promise<void>;
  /** Leaves; stops the server where no other process of ours uses it. Safe to call twice. */
  stop(): Promise<void>;
}

const PORT = 5432;
const SUPERUSER = 'postgres';
/** Each process holds one connection under this name; counting them tells who is last. */
const PRESENCE = 'grand-rights presence';
const LEAVING = 'grand-rights leaving';
/** Attaching shares this lock, stopping takes it alone: nobody attaches to a server that is about to stop. */
const PRESENCE_LOCK = 7_261_002;
/** Recovery after a power cut can take a while on a large database. */
const START_LIMIT_MS = 120_000;

interface Cluster {
  dir: string;
  socketDir: string;
  binDir: string;
  runner: Runner;
  durable: boolean;
}

interface PidFile {
  pid: number;
  socketDir: string;
  ready: boolean;
}

function readPidFile(cluster: Cluster): PidFile | null {
  try {
    const lines = fs.readFileSync(path.join(cluster.dir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, socketDir: (lines[4] ?? '').trim(), ready: (lines[7] ?? '').trim() === 'ready' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function adminConfig(socketDir: string, database = 'postgres'): pg.ClientConfig {
  return { host: socketDir, port: PORT, user: SUPERUSER, database };
}

interface Finished {
  code: number | null;
  output: string;
}

function run(cluster: Cluster, program: string, args: string[]): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const { uid, gid } = cluster.runner;
    const child = spawn(path.join(cluster.binDir, program), args, {
      cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => { output += chunk.toString(); });
    child.stderr.on('data', (chunk: Buffer) => { output += chunk.toString(); });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/**
 * Replaces `file` whole, and only where it says something else: a running server may be asked to read it at this very
 * moment. Found emptied, to be written anew, it counts as rules that admit nobody, until the next reload.
 */
function replaceRules(file: string, text: string, { uid, gid }: Runner): void {
  if (fs.readFileSync(file, 'utf8') === text) return;
  const unfinished = `${file}.${process.pid}`;
  fs.writeFileSync(unfinished, text, { mode: 0o600 });
  if (uid !== undefined && gid !== undefined) fs.chownSync(unfinished, uid, gid);
  fs.renameSync(unfinished, file);
}

/** peer: only the named operating-system users get in, each as any of our database users, without a password. */
function writeAccessRules(dir: string, runner: Runner): void {
  const users = [SUPERUSER, ...ROLES];
  const map = runner.osUsers.flatMap((osUser) => users.map((user) => `house "${osUser}" ${user}`));
  replaceRules(path.join(dir, 'pg_hba.conf'), 'local all all peer map=house\n', runner);
  replaceRules(path.join(dir, 'pg_ident.conf'), `${map.join('\n')}\n`, runner);
}

async function supportsBuiltinLocale(cluster: Cluster): Promise<boolean> {
  const { output } = await run(cluster, 'postgres', ['--version']);
  return Number(/\) (\d+)/.exec(output)?.[1] ?? 0) >= 17;
}

/** Creates the data files beside their final place and renames, so that two first starts cannot mix. */
async function createCluster(cluster: Cluster): Promise<void> {
  const unfinished = `${cluster.dir}.${process.pid}.${Date.now()}`;
  makeOwnedFolder(unfinished, cluster.runner);
  const locale = await supportsBuiltinLocale(cluster)
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8'];
  const { code, output } = await run(cluster, 'initdb', [
    '-D', unfinished, '-U', SUPERUSER, '-A', 'peer', '-E', 'UTF8', ...locale, '--no-instructions',
    ...(cluster.durable ? [] : ['--no-sync']),
  ]);
  if (code !== 0) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL could not create its data folder ${cluster.dir}:\n${output.trim()}\n`
      + 'Set DATA_DIR to another place, or DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  writeAccessRules(unfinished, cluster.runner);
  try {
    fs.renameSync(unfinished, cluster.dir);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    if (!fs.existsSync(path.join(cluster.dir, 'PG_VERSION'))) throw error;
  }
}

/** One look: a live, ready server over exactly this data folder, with our presence registered; else null. */
async function attach(cluster: Cluster, seen?: (error: unknown) => void): Promise<{
  presence: pg.Client; socketDir: string;
} | null> {
  const file = readPidFile(cluster);
  if (!file?.ready || !isAlive(file.pid)) return null;
  const presence = new pg.Client({
    ...adminConfig(file.socketDir), application_name: PRESENCE, connectionTimeoutMillis: 5_000,
  });
  presence.on('error', () => undefined);
  try {
    await presence.connect();
    await presence.query('select pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)', [PRESENCE_LOCK]);
    const shown = await presence.query<{ data_directory: string }>('show data_directory');
    if (fs.realpathSync(shown.rows[0]?.data_directory ?? '/') !== fs.realpathSync(cluster.dir)) {
      throw new Error('another cluster answers');
    }
    return { presence, socketDir: file.socketDir };
  } catch (error) {
    seen?.(error);
    await presence.end().catch(() => undefined);
    return null;
  }
}

function serverArguments(cluster: Cluster): string[] {
  const settings = [
    'listen_addresses=', 'unix_socket_permissions=0700', 'max_connections=200',
    // Cost on a solid-state disk. At the default of 4, a page of ten licenses read all shows to look up its own.
    'random_page_cost=1.1',
    'shared_preload_libraries=pg_stat_statements', 'logging_collector=on', 'log_filename=postgresql-%a.log',
    'log_truncate_on_rotation=on', 'log_rotation_age=1d', 'log_rotation_size=0',
    ...(cluster.durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  return ['-D', cluster.dir, '-k', cluster.socketDir, '-p', String(PORT), ...settings.flatMap((line) => ['-c', line])];
}

/** Starts of this process: two at the same moment write two reports. */
let starts = 0;

/** Starts the server in a session of its own (Ctrl-C must not reach it) and waits until it is ready or has given up. */
async function startServer(cluster: Cluster): Promise<'ready' | 'locked'> {
  const report = path.join(cluster.socketDir, `start-${process.pid}-${starts += 1}.log`);
  const descriptor = fs.openSync(report, 'w', 0o600);
  const { uid, gid } = cluster.runner;
  const child = spawn(path.join(cluster.binDir, 'postgres'), serverArguments(cluster), {
    cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }, detached: true,
    stdio: ['ignore', descriptor, descriptor], ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  });
  fs.closeSync(descriptor);
  let failure: Error | null = null;
  child.on('error', (error) => { failure = error; });
  child.unref();
  try {
    const limit = performance.now() + START_LIMIT_MS;
    while (performance.now() < limit) {
      const file = readPidFile(cluster);
      if (file?.ready && file.pid === child.pid) return 'ready';
      if (failure || child.exitCode !== null || child.signalCode !== null) {
        const output = fs.readFileSync(report, 'utf8').trim();
        if (/lock file .* already exists|is another (postmaster|postgres)/s.test(output)) return 'locked';
        throw new EmbeddedPostgresError(
          `The embedded PostgreSQL did not start:\n${output || String(failure ?? '')}\n`
          + `Its log is in ${path.join(cluster.dir, 'log')}. Set DATABASE_URL to use a PostgreSQL of your own instead.`,
        );
      }
      await sleep(10);
    }
    throw new EmbeddedPostgresError(`The embedded PostgreSQL was not ready after ${START_LIMIT_MS / 1000} seconds.`);
  } finally {
    fs.rmSync(report, { force: true });
  }
}

/** True where nobody else holds a presence; then the lock is kept, so nobody can come in before the server is down. */
async function isLastOut(presence: pg.Client): Promise<boolean> {
  await presence.query('select pg_advisory_lock($1)', [PRESENCE_LOCK]);
  await presence.query("select set_config('application_name', $1, false)", [LEAVING]);
  const others = await presence.query<{ n: string }>(
    'select count(*) as n from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()', [PRESENCE],
  );
  return Number(others.rows[0]?.n) === 0;
}

async function leave(cluster: Cluster, presence: pg.Client): Promise<void> {
  let last: boolean;
  try {
    last = await isLastOut(presence);
  } catch {
    // The presence died with a server that crashed or was stopped by hand: whoever attached since then stops it.
    const again = await attach(cluster);
    if (!again) return;
    presence = again.presence;
    last = await isLastOut(presence);
  }
  const file = readPidFile(cluster);
  if (last && file) {
    process.kill(file.pid, 'SIGINT');
    const limit = performance.now() + 60_000;
    while (readPidFile(cluster)?.pid === file.pid && performance.now() < limit) await sleep(10);
    // Its file goes a moment before it does. Where nobody collects ended processes it stays listed: then not for long.
    const gone = performance.now() + 2_000;
    while (isAlive(file.pid) && performance.now() < gone) await sleep(5);
  }
  await presence.end().catch(() => undefined);
}

async function startOrAttach(cluster: Cluster): Promise<{ presence: pg.Client; socketDir: string; started: boolean }> {
  const limit = performance.now() + START_LIMIT_MS;
  let started = false;
  let refusal: unknown = null;
  while (performance.now() < limit) {
    const found = await attach(cluster, (error) => { refusal = error; });
    if (found) return { ...found, started };
    started = await startServer(cluster) === 'ready';
    if (!started) await sleep(100);
  }
  throw new EmbeddedPostgresError(
    `A PostgreSQL holds ${cluster.dir} but does not answer${refusal instanceof Error ? ` (${refusal.message})` : ''}; `
    + `see ${path.join(cluster.dir, 'log')}.`,
  );
}

const COME_BACK_MS = 1_000;

/** A presence on the server that recovered, or that is started here; null where this process leaves meanwhile. */
async function comeBack(
  cluster: Cluster, isLeaving: () => boolean, log: (message: string) => void,
): Promise<pg.Client | null> {
  log('PostgreSQL is gone; waiting for it to come back');
  for (;;) {
    await sleep(COME_BACK_MS, undefined, { ref: false });
    if (isLeaving()) return null;
    try {
      const { presence, started } = await startOrAttach(cluster);
      if (isLeaving()) {
        await leave(cluster, presence);
        return null;
      }
      log(started ? 'PostgreSQL was started again' : 'PostgreSQL is back');
      return presence;
    } catch (error) {
      log(`PostgreSQL does not come back: ${(error as Error).message}`);
    }
  }
}

/**
 * Starts the embedded PostgreSQL over `dataDir`, or attaches to the one that runs there, with the roles of
 * cluster-setup.ts in place.
 * @throws EmbeddedPostgresError with the setting that helps, where it cannot run.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const dataDir = path.resolve(options.dataDir);
  const dir = path.join(dataDir, 'pg');
  const runner = chooseRunner(dir);
  prepareDataDir(dataDir, runner);
  const cluster: Cluster = {
    dir, runner, durable: options.durable ?? true,
    socketDir: prepareSocketDir(dataDir, runner),
    binDir: options.binDir ?? findBinaries(dataDir, runner),
  };
  if (!fs.existsSync(path.join(dir, 'PG_VERSION'))) {
    log(`creating the database in ${dir}`);
    await createCluster(cluster);
  }
  // Written at every start: a folder of an older version does not know the roles that came later.
  writeAccessRules(dir, runner);
  const { presence, socketDir, started } = await startOrAttach(cluster);
  log(started ? 'PostgreSQL started' : 'found PostgreSQL running, attached to it');
  await ensureRoles(adminConfig(socketDir));
  let stopped: Promise<void> | null = null;
  let present = presence;
  const watch = (): void => {
    present.once('end', () => {
      if (stopped === null) void comeBack(cluster, () => stopped !== null, log).then((again) => {
        if (again === null) return;
        present = again;
        watch();
      });
    });
  };
  if (options.keepRunning) watch();
  return {
    socketDir, port: PORT, superuser: SUPERUSER, attached: !started,
    urlFor: (database, user) =>
      `postgres://${user}@localhost:${PORT}/${database}?host=${encodeURIComponent(socketDir)}`,
    ensureDatabase: (name) => ensureDatabase(adminConfig(socketDir), name),
    stop: () => (stopped ??= leave(cluster, present)),
  };
}
