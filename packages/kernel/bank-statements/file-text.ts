/** From bytes to text: files that are no text are refused by name, the encoding is found, never assumed. */
import { refused } from './bank-file.ts';

/** Decodes bytes with a label of the Encoding Standard; a label that is not known answers null. Never throws. */
export type Decode = (bytes: Uint8Array, encoding: string) => string | null;

const HEAD = 65_536;

function startsWith(bytes: Uint8Array, ...signature: number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes: Uint8Array, length: number): string {
  let text = '';
  const end = Math.min(length, bytes.length);
  for (let at = 0; at < end; at += 1) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

/** The name of a stream in a workbook with a password, in UTF-16. */
const PROTECTED = 'E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e';

function refuseNoText(bytes: Uint8Array): void {
  if (bytes.length === 0) throw refused('file_empty', 'The file is empty.');
  const head = ascii(bytes, 2048);
  if (head.slice(0, 1024).includes('%PDF-')) throw refused('file_pdf', 'This is a PDF, whatever its name says.');
  if (head.startsWith('PK')) refuseArchive(bytes, head);
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw ascii(bytes, HEAD).includes(PROTECTED)
      ? refused('file_protected', 'This workbook is protected by a password.')
      : refused('file_workbook', 'This is an old Excel file (xls).');
  }
  if (startsWith(bytes, 0x1f, 0x8b) || /^(BZh\d|7z\u00bc\u00af|Rar!|\u00fd7zXZ)/.test(head)) {
    throw refused('file_archive', 'This file is compressed.');
  }
  if (/^\s*-----BEGIN PGP|^\s*-----BEGIN (CMS|PKCS7)/.test(head) || startsWith(bytes, 0x30, 0x82)) {
    throw refused('file_protected', 'This file is encrypted.');
  }
  if (/^(\u0089PNG|\u00ff\u00d8\u00ff|GIF8|II\*\0|MM\0\*)/.test(head)) {
    throw refused('file_binary', 'This is a picture.');
  }
}

/** Bit 0 of the flags of a local file header says that the entry is encrypted. */
function refuseArchive(bytes: Uint8Array, head: string): never {
  if (((bytes[6] ?? 0) & 1) === 1) throw refused('file_protected', 'This archive is protected by a password.');
  throw head.includes('[Content_Types].xml') || head.includes('xl/')
    ? refused('file_workbook', 'This workbook cannot be read.')
    : refused('file_archive', 'This is an archive (zip).');
}

/** Latin text as UTF-16 has a zero in nearly every second byte, on the same side throughout. */
function wideEncoding(bytes: Uint8Array): string | null {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  const end = Math.min(HEAD, bytes.length);
  let even = 0;
  let odd = 0;
  for (let at = 0; at < end; at += 1) {
    if (bytes[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const half = end / 2;
  if (odd > half * 0.6 && even < half * 0.05) return 'utf-16le';
  return even > half * 0.6 && odd < half * 0.05 ? 'utf-16be' : null;
}

/** Characters of several bytes that are whole, and bytes that begin or go on with none. */
function utf8In(bytes: Uint8Array): { right: number; wrong: number } {
  let right = 0;
  let wrong = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      at += 1;
      continue;
    }
    const length = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    let whole = length > 0;
    for (let n = 1; n < length; n += 1) whole &&= ((bytes[at + n] ?? 0) & 0xc0) === 0x80;
    if (whole) right += 1;
    else wrong += 1;
    at += whole ? length : 1;
  }
  return { right, wrong };
}

/** Some banks send the whole header on one line. */
const CHARSET = /(?:^|[\r\n]|USASCII|UNICODE)\s*CHARSET:\s*([A-Za-z0-9-]{3,20}?)\s*(?:[\r\n]|COMPRESSION)/;

/** Encoding declared by the file itself: in the header of OFX 1 (CHARSET, ENCODING) or the XML declaration. */
function declaredEncoding(head: string): string | null {
  const xml = /^[^<]{0,8}<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{2,40})["']/.exec(head)?.[1];
  if (xml) return xml.toLowerCase();
  const charset = CHARSET.exec(head)?.[1];
  if (!charset) return null;
  if (/^\d{4}$/.test(charset)) return `windows-${charset}`;
  return charset.toUpperCase() === 'NONE' ? null : charset.toLowerCase();
}

const ONE_BYTE = /^(windows-\d{3,4}|iso-?8859-?\d{1,2}|latin\d|koi8-[ru]|ibm866|x-mac-cyrillic|macintosh)$/;
const MANY_BYTES = /^(gb18030|gbk|gb2312|big5|shift_jis|euc-jp|euc-kr|iso-2022-jp)$/;

/** The encoding of a text: its mark, the zeros of UTF-16, UTF-8 where the bytes are it, else what it says of itself. */
function encodingOf(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  const wide = wideEncoding(bytes);
  if (wide) return wide;
  const { right, wrong } = utf8In(bytes);
  if (wrong === 0 || right > wrong) return 'utf-8';
  const declared = declaredEncoding(ascii(bytes, 2048));
  return declared && (ONE_BYTE.test(declared) || MANY_BYTES.test(declared)) ? declared : 'windows-1252';
}

/** The text of a file without its byte-order mark. Refuses, by name, what is no text. */
export function fileText(bytes: Uint8Array, decode: Decode): string {
  refuseNoText(bytes);
  const encoding = encodingOf(bytes);
  const decoded = decode(bytes, encoding) ?? decode(bytes, 'windows-1252') ?? '';
  const text = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
  if (text.trim() === '') throw refused('file_empty', 'The file is empty.');
  const zero = text.indexOf('\0');
  if (zero >= 0) {
    throw refused('file_binary', 'The file is damaged or is no text: it holds bytes that no statement has.',
      lineAt(text, zero));
  }
  return text;
}

/** The line of a position, as an editor numbers it. Read when a file is refused, once. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = 0; at < position && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) line += 1;
  }
  return line;
}

/** Line and column of a position. */
export function placeAt(text: string, position: number): { line: number; column: number } {
  const begin = Math.max(text.lastIndexOf('\n', position - 1), text.lastIndexOf('\r', position - 1));
  return { line: lineAt(text, position), column: position - begin };
}

/** Lines of positions that only grow: a long file is counted once. */
export class LineCounter {
  readonly #text: string;
  #position = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  at(position: number): number {
    if (position < this.#position) return lineAt(this.#text, position);
    for (; this.#position < position; this.#position += 1) {
      const code = this.#text.charCodeAt(this.#position);
      if (code === 10 || (code === 13 && this.#text.charCodeAt(this.#position + 1) !== 10)) this.#line += 1;
    }
    return this.#line;
  }
}
