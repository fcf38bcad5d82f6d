/**
 * A zip archive that is written while it is read: files go in one after the other, in pieces, and wait where the reader
 * is slow. All files have the instant that is given, so the same content gives the same bytes.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { Zip, ZipDeflate } from 'fflate';

export interface PackedFile { name: string; bytes: number; sha256: string }
export interface ZipWriter {
  add(name: string, content: AsyncIterable<Buffer | string> | Buffer | string): Promise<PackedFile>;
}

/** As a zip archive has it, without a time zone: a given day is the same everywhere. */
const dayOf = (at: Date): Date => new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());

async function* piecesOf(content: Parameters<ZipWriter['add']>[1]): AsyncGenerator<Buffer> {
  if (typeof content === 'string' || Buffer.isBuffer(content)) yield Buffer.from(content as string);
  else for await (const piece of content) yield Buffer.from(piece as string);
}

/** The archive as a stream; an error of `fill` ends it. */
export function zipStream(made_at: Date, fill: (zip: ZipWriter) => Promise<void>): Readable {
  const out = new PassThrough();
  const archive = new Zip((error, data) => {
    if (error) out.destroy(error);
    else if (!out.destroyed) out.write(data);
  });
  const ready = async (): Promise<void> => {
    if (out.destroyed) throw new Error('nobody reads the archive any more');
    if (out.writableNeedDrain) await Promise.race([once(out, 'drain'), once(out, 'close')]);
  };
  const add: ZipWriter['add'] = async (name, content) => {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = dayOf(made_at);
    archive.add(file);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of piecesOf(content)) {
      await ready();
      hash.update(piece);
      bytes += piece.length;
      file.push(piece);
    }
    file.push(new Uint8Array(0), true);
    return { name, bytes, sha256: hash.digest('hex') };
  };
  fill({ add }).then(() => {
    archive.end();
    out.end();
  }, (error: Error) => out.destroy(error));
  return out;
}
