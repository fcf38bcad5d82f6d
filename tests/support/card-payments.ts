/** The test processor beside a test's server: the SDK talks to it, and a test decides when its events come. */
import { afterAll, beforeAll } from 'vitest';
import {
  settleOnlinePayments, signedByTestProcessor, TestProcessor, type TestHow,
} from '#modules/receivables/receivables.public.server.ts';
import type { Answer, Browser, TestApp } from './app.ts';

export interface CardPayments {
  processor: TestProcessor;
  /** Begins a payment in the portal; answers the checkout. */
  begin(payer: Browser, path: string, amount: number, method?: string): Promise<string>;
  /** Begins, pays on the page and lets the job book it, without any webhook. */
  pay(payer: Browser, path: string, amount: number, how?: TestHow): Promise<void>;
  /** Sends a webhook with the body as the processor signs it. */
  hook(division: string, event: unknown, signature?: string): Promise<Answer['status']>;
  /** Events the account has sent so far. */
  told(division: string): { id: string; type: string }[];
  settle(): Promise<void>;
}

export function cardPayments(test: TestApp): CardPayments {
  const cards = {} as CardPayments;
  beforeAll(async () => {
    cards.processor = new TestProcessor({ file: null, now: () => test.clock.now(),
      pageUrl: (id) => `https://pay.example/${id}`, bankDelayMs: 60_000 });
    test.ports.settings.stripe = await cards.processor.listen();
  });
  afterAll(() => cards.processor.close());
  const settle = () => settleOnlinePayments(test.ports);
  return Object.assign(cards, {
    settle,
    async begin(payer: Browser, path: string, amount: number, method = 'card') {
      const answer = await payer.post(`${path}/pay`, { method, amount_minor: amount });
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return new URL(answer.body.data.redirect_to as string).pathname.slice(1);
    },
    async pay(payer: Browser, path: string, amount: number, how: TestHow = 'pay') {
      cards.processor.pay(await cards.begin(payer, path, amount), how);
      await payer.post(`${path}/check_payment`, {});
      await settle();
    },
    async hook(division: string, event: unknown, signature?: string) {
      const payload = JSON.stringify(event);
      const reply = await test.app.inject({ method: 'POST', url: `/webhooks/stripe/${division}`, payload,
        headers: { 'content-type': 'application/json',
          'stripe-signature': signature ?? signedByTestProcessor(division, payload) } });
      return reply.statusCode;
    },
    told: (division: string) => cards.processor.account(division).events,
  });
}
