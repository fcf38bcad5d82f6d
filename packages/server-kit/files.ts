/** The file port: bytes under random keys outside the web root; who may read them is decided by the parent record. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

export interface FileStore {
  put(content: Buffer): Promise<{ storage_key: string; sha256: string; size: number }>;
  /** A file of any size from this place on disk, which is free afterwards. */
  putFile(path: string): Promise<{ storage_key: string; sha256: string; size: number }>;
  get(storageKey: string): Promise<Buffer>;
  /** The content piece by piece, for what may be large. */
  read(storageKey: string): Promise<NodeJS.ReadableStream>;
  remove(storageKey: string): Promise<void>;
}

export function newStorageKey(): string {
  const key = randomBytes(16).toString('hex');
  return `${key.slice(0, 2)}/${key}`;
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Digest and bytes of a file on disk, read piece by piece. */
export async function factsOf(path: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex'), size };
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
    async putFile(source) {
      const storage_key = newStorageKey();
      const path = pathOf(storage_key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const facts = await factsOf(source);
      await copyFile(source, `${path}.part`);
      await rename(`${path}.part`, path);
      return { storage_key, ...facts };
    },
    get: (key) => readFile(pathOf(key)),
    // Opened before it is promised: a file that is gone is an error of the request, not of its answer.
    read: async (key) => (await open(pathOf(key))).createReadStream(),
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
