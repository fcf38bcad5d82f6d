/** The file port: bytes under random keys outside the web root; who may read them is decided by the parent record. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

export interface FileStore {
  put(content: Buffer): Promise<{ storage_key: string; sha256: string; size: number }>;
  get(storageKey: string): Promise<Buffer>;
  remove(storageKey: string): Promise<void>;
}

export function newStorageKey(): string {
  const key = randomBytes(16).toString('hex');
  return `${key.slice(0, 2)}/${key}`;
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Files in a folder: the default of a one-command start. */
export function diskFiles(folder: string): FileStore {
  const root = resolve(folder);
  const pathOf = (key: string): string => {
    const path = resolve(join(root, key));
    if (!path.startsWith(root + sep)) throw new Error('a storage key leaves its folder');
    return path;
  };
  return {
    async put(content) {
      const storage_key = newStorageKey();
      const path = pathOf(storage_key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // A crash while writing leaves a .part file, never half a file under its final name.
      await writeFile(`${path}.part`, content, { mode: 0o600 });
      await rename(`${path}.part`, path);
      return { storage_key, sha256: sha256(content), size: content.length };
    },
    get: (key) => readFile(pathOf(key)),
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
