/**
 * Uploads: limits in words before the body is read, type by magic bytes, extension must agree, the file can be opened
 * (reliability.md 3.3).
 */
import type { FastifyRequest } from 'fastify';
import { MIB, UPLOAD_LIMIT, type UploadRule } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { UploadedFile } from './context.ts';
import { refuseUnreadable } from './readable-file.ts';

/** Room for the multipart frame around the file. */
const FRAME = 64 * 1024;

export function refuseTooLarge(request: FastifyRequest, rule: UploadRule): void {
  const length = Number(request.headers['content-length'] ?? 0);
  const limit = Math.min(rule.max_bytes, UPLOAD_LIMIT);
  if (length > limit + FRAME) throw refuse('payload_too_large', tooLarge(limit));
}

function tooLarge(limit: number): string {
  return `The file is larger than ${Math.floor(limit / MIB)} MiB. Split it, or ask us to load it for you.`;
}

/** Reads the one file and the text fields of a multipart request; JSON will do where the file may be left out: null. */
export async function readUpload(
  request: FastifyRequest, rule: UploadRule,
): Promise<{ file: UploadedFile | null; fields: Record<string, string> } | null> {
  if (!request.isMultipart() && rule.required === false) return null;
  if (!request.isMultipart()) throw refuse('unsupported_media_type', 'Send the file as multipart/form-data.');
  refuseTooLarge(request, rule);
  const limit = Math.min(rule.max_bytes, UPLOAD_LIMIT);
  const fields: Record<string, string> = {};
  let file: UploadedFile | null = null;
  for await (const part of request.parts({ limits: { fileSize: limit, files: 1, fields: 50, fieldSize: MIB } })) {
    if (part.type === 'field') {
      fields[part.fieldname] = String(part.value);
      continue;
    }
    const content = await part.toBuffer();
    if (part.file.truncated) throw refuse('payload_too_large', tooLarge(limit));
    if (part.fieldname !== rule.field) throw invalidField(part.fieldname, `${part.fieldname} is not a field we know`);
    file = { field: part.fieldname, filename: safeName(part.filename), content_type: part.mimetype, content };
  }
  if (file === null && rule.required !== false) throw invalidField(rule.field, 'Choose a file');
  if (file) {
    checkType(file, rule);
    await refuseUnreadable(file, rule.field);
  }
  return { file, fields };
}

/** Only the last path part, without control characters, at most 200 characters. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed here
  const clean = last.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '').slice(-200);
  return clean === '' ? 'file' : clean;
}

const MAGIC: Record<string, (head: Buffer) => boolean> = {
  pdf: (h) => h.subarray(0, 5).toString('latin1') === '%PDF-',
  png: (h) => h.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  jpg: (h) => h[0] === 0xff && h[1] === 0xd8 && h[2] === 0xff,
  jpeg: (h) => h[0] === 0xff && h[1] === 0xd8 && h[2] === 0xff,
  webp: (h) => h.subarray(0, 4).toString('latin1') === 'RIFF' && h.subarray(8, 12).toString('latin1') === 'WEBP',
  mp3: (h) => h.subarray(0, 3).toString('latin1') === 'ID3' || isMpegFrame(h),
  wav: (h) => h.subarray(0, 4).toString('latin1') === 'RIFF' && h.subarray(8, 12).toString('latin1') === 'WAVE',
  m4a: (h) => h.subarray(4, 8).toString('latin1') === 'ftyp',
  flac: (h) => h.subarray(0, 4).toString('latin1') === 'fLaC',
  docx: isZip,
  xlsx: isZip,
  ods: isZip,
  zip: isZip,
  ttf: (h) => h.readUInt32BE(0) === 0x00010000,
  otf: (h) => h.subarray(0, 4).toString('latin1') === 'OTTO',
};

/** The header of a frame of layer III (ISO 11172-3, 2.4.2.3): sync word, a known version, bit rate and sample rate. */
function isMpegFrame(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = head;
  return first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08 && third >> 4 !== 0xf
    && (third & 0x0c) !== 0x0c;
}

function isZip(head: Buffer): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

/** 422 at the field where the name or the first bytes are of another type. */
export function checkType(file: UploadedFile, rule: UploadRule): void {
  const extension = file.filename.split('.').at(-1)?.toLowerCase() ?? '';
  if (!rule.types.includes(extension)) {
    throw invalidField(rule.field, `Choose a file of type ${rule.types.join(', ')}; this one is "${file.filename}"`);
  }
  const looksRight = MAGIC[extension];
  if (looksRight && !looksRight(file.content.subarray(0, 16))) {
    throw invalidField(rule.field, `"${file.filename}" is named .${extension} but its content is something else`);
  }
}
