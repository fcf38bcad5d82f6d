/**
 * Mail that comes in, as a mail service posts it: the raw message under a secret. Outside /api: no session and no token
 * against forgery. The secret is compared before the body is read.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { receiveMail, type MailOutcome } from '#modules/licensing/licensing.public.server.ts';
import type { Ports } from '#server/context.ts';
import { MOST_MAIL_BYTES } from '#server/inbound-mail.ts';

const TEXTS: Readonly<Record<MailOutcome, string>> = {
  placed: 'The message is in its conversation.', unplaced: 'Kept: the mail names no conversation.',
  automatic: 'Kept: nobody wrote this mail.', bounce: 'The returned mail is noted.',
  duplicate: 'The mail was here before.', unreadable: 'The body is no mail that can be read.',
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function inboundMailRoutes(ports: Ports): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    await app.register(async (inner) => {
      inner.removeAllContentTypeParsers();
      inner.addContentTypeParser(['message/rfc822', 'application/octet-stream', 'text/plain'],
        { parseAs: 'buffer', bodyLimit: MOST_MAIL_BYTES }, (_request, body, done) => { done(null, body); });
      inner.addHook('onRequest', async (request, reply) => {
        const { mail_in } = ports.settings;
        if (mail_in === null) return reply.status(404).send({ message: 'Mail does not come in here.' });
        const given = request.headers.authorization ?? '';
        if (!timingSafeEqual(digest(given), digest(`Bearer ${mail_in.secret}`))) {
          return reply.status(401).send({ message: 'The secret is wrong.' });
        }
        return undefined;
      });
      inner.post('/mail/in', async (request, reply) => {
        const raw = request.body;
        if (!Buffer.isBuffer(raw) || raw.length === 0) return reply.status(400).send({ message: TEXTS.unreadable });
        const outcome = await receiveMail(ports, raw);
        return reply.status(outcome === 'unreadable' ? 400 : 200).send({ outcome, message: TEXTS[outcome] });
      });
    });
  };
}
