/** Content that is made piece by piece into the file store, over a file on this machine: memory stays flat. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Ports } from '#server/context.ts';

export interface KeptFile { storage_key: string; sha256: string; size: number }

/** `make` hands its content to `write` once; nothing is kept where either fails. */
export async function keepContent(
  ports: Ports, make: (write: (content: NodeJS.ReadableStream) => Promise<void>) => Promise<void>,
): Promise<KeptFile> {
  const folder = await mkdtemp(join(tmpdir(), 'grand-rights-export-'));
  try {
    const path = join(folder, 'file');
    await make((content) => pipeline(content, createWriteStream(path, { mode: 0o600 })));
    return await ports.files.putFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
