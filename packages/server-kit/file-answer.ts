/** Files leave the house as attachments in a sandbox, never sniffed, never cached (reliability.md 2.4). */
import type { FastifyReply } from 'fastify';
import type { FileAnswer } from './context.ts';

/** Types the browser may show itself; everything else is saved. */
const INLINE = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'text/csv']);

/** @param shared seconds that any cache may keep it, where it is the same for everybody */
export function sendFile(file: FileAnswer, reply: FastifyReply, shared?: number): FastifyReply {
  const inline = file.inline === true && INLINE.has(file.content_type.split(';')[0]!);
  return reply
    .header('Content-Type', file.content_type)
    .header('Content-Disposition', disposition(inline ? 'inline' : 'attachment', file.filename))
    .header('X-Content-Type-Options', 'nosniff')
    .header('Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .header('Cache-Control', shared === undefined ? keptBy(file) : `public, max-age=${shared}, immutable`)
    .send(file.content);
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
