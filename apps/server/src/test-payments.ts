/** Pages of the test processor, on the address of the product: "Test payment, no money moves". */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { join } from 'node:path';
import { refuse } from '#kit/errors.ts';
import { TestProcessor, type TestHow } from '#modules/receivables/receivables.public.server.ts';
import { systemClock } from '#server/clock.ts';
import { linkTo, type Settings } from '#server/settings.ts';

const PATH = '/test-payments';
const WAYS: ReadonlySet<string> = new Set<TestHow>(['pay', 'pay_refund_waits', 'pay_refund_fails', 'pay_disputed',
  'decline', 'bank_pays', 'bank_refuses']);
const MINUTE = 60_000;

/** For the demo season where no real account is set: the settings point at it from then on. */
export async function startTestProcessor(
  settings: Settings, deliver: (division: string, raw: string, signature: string) => Promise<number>,
): Promise<TestProcessor | null> {
  if (!settings.demo || settings.stripe !== null) return null;
  const processor = new TestProcessor({ file: join(settings.data_dir, 'test-processor.json'),
    now: () => systemClock.now(), pageUrl: (id) => linkTo(settings, `${PATH}/${id}`), deliver,
    bankDelayMs: MINUTE, payoutDelayMs: 10 * MINUTE });
  settings.stripe = await processor.listen();
  return processor;
}

const page = (reply: FastifyReply, html: string): FastifyReply => reply
  .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    + "base-uri 'none'; frame-ancestors 'none'")
  .header('Cache-Control', 'no-store').type('text/html; charset=utf-8').send(html);

export function testPaymentPages(processor: TestProcessor): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    await app.register(async (inner) => {
      inner.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 1000 },
        (_request, body, done) => { done(null, new URLSearchParams(body as string)); });
      inner.get<{ Params: { id: string } }>(`${PATH}/:id`, async (request, reply) => {
        const html = processor.page(request.params.id);
        if (html === null) throw refuse('not_found');
        return page(reply, html);
      });
      inner.post<{ Params: { id: string }; Body: URLSearchParams }>(`${PATH}/:id`, async (request, reply) => {
        const how = request.body.get('how') ?? '';
        const next = WAYS.has(how) ? processor.pay(request.params.id, how as TestHow) : null;
        if (next === null) throw refuse('not_found');
        return reply.redirect(next, 303);
      });
    });
  };
}
