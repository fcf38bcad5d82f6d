/** Migrations that the baseline replaces, and how the list of a database differs from them. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Why a database cannot be used by this release, in words for the operator. */
export class MigrationRefusal extends Error {}

export interface Replaced {
  /** The last release that ran them. */
  release: string;
  /** Checksum by name. */
  checksums: ReadonlyMap<string, string>;
}

/** Reads `replaces.txt` beside the baseline: `release <tag>`, then a checksum and a name per line. Null without one. */
export async function readReplaced(folder: string): Promise<Replaced | null> {
  const file = join(folder, 'replaces.txt');
  if (!existsSync(file)) return null;
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const [[, release = ''] = [], ...rows] = lines.map((line) => line.split(/ +/));
  return { release, checksums: new Map(rows.map(([checksum = '', name = '']) => [name, checksum])) };
}

/** Explains why a database that ran `ran` is not on the baseline, with what to do; null where it ran exactly those. */
export function differenceFromReplaced(ran: ReadonlyMap<string, string>, replaced: Replaced): string | null {
  const { release, checksums } = replaced;
  const strange = [...ran].filter(([name, checksum]) => checksums.get(name) !== checksum).map(([name]) => name);
  if (strange.length > 0) {
    return `This database cannot be upgraded: it ran ${strange.slice(0, 3).join(', ')}${
      strange.length > 3 ? ` and ${strange.length - 3} more migrations` : ''}, which no release had in this form. `
      + `Restore a backup of release ${release}, then start this release with it.`;
  }
  const missing = [...checksums.keys()].filter((name) => !ran.has(name));
  return missing.length === 0 ? null
    : `This database is older than release ${release}: ${missing.length} of ${checksums.size} migrations are missing, `
      + `the first is ${missing[0]}. Start release ${release} with it once, which runs them, then start this release. `
      + 'Or restore a backup taken since then.';
}
