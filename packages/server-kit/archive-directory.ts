/**
 * The directory of a zip archive, read before anything is unpacked: what lies in it and how large it says it is
 * (APPNOTE.TXT 4.3.12). Limits of workbooks: reliability.md 3.3.
 */
export interface ArchiveEntry {
  name: string;
  encrypted: boolean;
  /** 0 stored, 8 deflated. */
  method: number;
  packed: number;
  size: number;
  /** Offset of its own header. */
  at: number;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
/** A comment may stand after the end. */
const FAR = 65_535 + END_LENGTH;

/** The entries; null where the file is no whole archive. After `most`, one more tells that there are more. */
export function archiveDirectory(content: Buffer, most: number): ArchiveEntry[] | null {
  let end = content.length - END_LENGTH;
  while (end >= 0 && content.length - end <= FAR && content.readUInt32LE(end) !== END) end -= 1;
  if (end < 0 || content.length - end > FAR) return null;
  const entries: ArchiveEntry[] = [];
  let at = content.readUInt32LE(end + 16);
  const count = content.readUInt16LE(end + 10);
  for (let n = 0; n < count && entries.length <= most; n += 1) {
    if (at + ENTRY_LENGTH > content.length || content.readUInt32LE(at) !== ENTRY) return null;
    const length = content.readUInt16LE(at + 28);
    entries.push({ name: content.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + length),
      encrypted: (content.readUInt16LE(at + 8) & 1) === 1, method: content.readUInt16LE(at + 10),
      packed: content.readUInt32LE(at + 20), size: content.readUInt32LE(at + 24), at: content.readUInt32LE(at + 42) });
    at += ENTRY_LENGTH + length + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32);
  }
  return entries;
}

/** The packed bytes of an entry; null where the archive ends before. */
export function packedBytes(content: Buffer, entry: ArchiveEntry): Buffer | null {
  if (entry.at + 30 > content.length) return null;
  const start = entry.at + 30 + content.readUInt16LE(entry.at + 26) + content.readUInt16LE(entry.at + 28);
  return start + entry.packed > content.length ? null : content.subarray(start, start + entry.packed);
}
