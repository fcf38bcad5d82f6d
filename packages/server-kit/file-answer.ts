/** Files leave the house as attachments in a sandbox, never sniffed, never cached (reliability.md 2.4). */
import type { FastifyReply } from 'fastify';
import type { FileAnswer } from './context.ts';

/** Types the browser may show itself; everything else is saved. */
const INLINE = new Set(['application/pdf', 'audio/mpeg', 'audio/mp4', 'audio/wav',
  'image/png', 'image/jpeg', 'image/webp', 'text/csv']);

/** @param shared seconds that any cache may keep it, where it is the same for everybody */
export function sendFile(file: FileAnswer, reply: FastifyReply, shared?: number): FastifyReply {
  const inline = file.inline === true && INLINE.has(file.content_type.split(';')[0]!);
  const { content } = file;
  if (shared !== undefined && Buffer.isBuffer(content)) {
    void reply.header('Accept-Ranges', 'bytes');
    const part = rangeOf(reply.request.headers, content.length);
    if (part === 'none') {
      return reply.status(416).header('Content-Range', `bytes */${content.length}`).send();
    }
    if (part !== null) {
      void reply.status(206).header('Content-Range', `bytes ${part.from}-${part.to}/${content.length}`);
      file = { ...file, content: content.subarray(part.from, part.to + 1) };
    }
  }
  return reply
    .header('Content-Type', file.content_type)
    .header('Content-Disposition', disposition(inline ? 'inline' : 'attachment', file.filename))
    .header('X-Content-Type-Options', 'nosniff')
    .header('Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .header('Cache-Control', shared === undefined ? keptBy(file) : `public, max-age=${shared}, immutable`)
    .send(file.content);
}

/**
 * One range of bytes (RFC 9110, 14.1.2), as players of sound ask for it; null where the whole is to be sent: several
 * ranges, another unit, or a part of a version that may have gone.
 */
export function rangeOf(
  headers: { range?: string | undefined; 'if-range'?: string | string[] | undefined }, size: number,
): { from: number; to: number } | 'none' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  if ((first === '' && last === '') || headers['if-range'] !== undefined) return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last));
  if (first !== '' && last !== '' && Number(last) < from) return null;
  return from >= size || from > to ? 'none' : { from, to };
}

const keptBy = ({ keep_seconds: seconds }: FileAnswer): string =>
  seconds === undefined ? 'private, no-store' : `private, max-age=${seconds}, immutable`;

/** RFC 6266: an ASCII name for old clients and the exact one for the rest. */
export function disposition(kind: 'inline' | 'attachment', filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const exact = encodeURIComponent(filename)
    .replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
