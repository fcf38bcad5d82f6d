import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { archiveDirectory, packedBytes } from './archive-directory.ts';
import { zipStream, type PackedFile, type ZipWriter } from './zip.ts';

async function bytesOf(fill: (zip: ZipWriter) => Promise<void>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of zipStream(new Date('2026-10-31T00:00:00Z'), fill)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
async function* long(): AsyncGenerator<string> {
  for (let n = 0; n < 3_000; n += 1) yield `line ${n} of a long file – £\r\n`;
}

it('an archive holds what was put into it, the same bytes each time', async () => {
  const told: PackedFile[] = [];
  const fill = async (zip: ZipWriter) => {
    told.push(await zip.add('long.csv', long()), await zip.add('empty.csv', ''), await zip.add('a.pdf',
      Buffer.from([0, 255, 1])));
  };
  const first = await bytesOf(fill);
  expect(first.equals(await bytesOf(fill))).toBe(true);
  const contents = archiveDirectory(first, 10)!.map((entry) => ({ name: entry.name,
    content: inflateRawSync(packedBytes(first, entry)!) }));
  expect(contents.map((one) => one.name)).toEqual(['long.csv', 'empty.csv', 'a.pdf']);
  expect(contents[0]!.content.toString().split('\r\n')).toHaveLength(3_001);
  expect(contents.map(({ name, content }) => ({ name, bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex') }))).toEqual(told.slice(0, 3));
});

it('an archive that fails half way is broken off, not ended', async () => {
  await expect(bytesOf(async (zip) => {
    await zip.add('a.csv', 'a');
    throw new Error('the books were lost');
  })).rejects.toThrow('the books were lost');
});
