/**
 * Webhooks of the card processor. Outside /api: no session, no token against forgery, the raw body as it was signed.
 * The SDK's signature check is the only way in, so a wrong one is 400 and nothing is stored.
 */
import type { FastifyInstance } from 'fastify';
import { MIB } from '#kit/endpoint.ts';
import { receiveEvent } from '#modules/receivables/receivables.public.server.ts';
import type { Ports } from '#server/context.ts';

const ANSWERS = { 200: 'stored', 400: 'The signature is wrong.', 404: 'This division has no account.' } as const;

export function webhookRoutes(ports: Ports): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    await app.register(async (inner) => {
      inner.removeAllContentTypeParsers();
      inner.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: MIB },
        (_request, body, done) => { done(null, body); });
      inner.post<{ Params: { division: string } }>('/webhooks/stripe/:division', async (request, reply) => {
        const signature = request.headers['stripe-signature'];
        const status = await receiveEvent(ports, request.params.division.toUpperCase(), request.body as Buffer,
          typeof signature === 'string' ? signature : '');
        return reply.status(status).send({ message: ANSWERS[status] });
      });
    });
  };
}
