/** Archives for tests, with a directory that may lie. */
import { crc32, deflateRawSync } from 'node:zlib';

function record(...fields: readonly (readonly [2 | 4, number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

/** `size`: what the directory says of each part instead of its size. */
export function zipOf(parts: Readonly<Record<string, Buffer>>, lie: { size?: number } = {}): Buffer {
  const files: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const packed = deflateRawSync(content);
    const said = [[4, crc32(content)], [4, packed.length], [4, lie.size ?? content.length],
      [2, Buffer.byteLength(name)], [2, 0]] as const;
    const file = Buffer.concat([record([4, 0x04034b50], [2, 20], [2, 0x0800], [2, 8], [4, 0], ...said),
      Buffer.from(name), packed]);
    central.push(record([4, 0x02014b50], [2, 20], [2, 20], [2, 0x0800], [2, 8], [4, 0], ...said, [2, 0], [2, 0], [2, 0],
      [4, 0], [4, at]), Buffer.from(name));
    files.push(file);
    at += file.length;
  }
  const directory = Buffer.concat(central);
  const count = Object.keys(parts).length;
  return Buffer.concat([...files, directory, record([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count],
    [4, directory.length], [4, at], [2, 0])]);
}
