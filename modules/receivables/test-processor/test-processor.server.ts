/**
 * A card processor that moves no money: the demo season and the tests point the unmodified SDK at it. It keeps one
 * account per division, serves the API on a port of its own machine, shows the page where customers pay, and tells what
 * happened by signed webhooks.
 */
import { createHmac } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { DIVISIONS } from '#kernel/money/division.ts';
import type { StripeSettings } from '#server/settings.ts';
import { answerApi, errorAnswer, type ApiAnswer } from './test-api.ts';
import { answerRefund } from './test-back.ts';
import { answerDebit, payOn, payOut, type How } from './test-money.ts';
import { testPage } from './test-page.ts';
import { emptyAccount, type TestAccount, type TestEvent, type TestSession } from './test-state.ts';

export interface TestProcessorOptions {
  /** File that keeps accounts between restarts; null: in memory only. */
  file: string | null;
  now: () => Date;
  /** Address of the page of a checkout. */
  pageUrl: (id: string) => string;
  /** Hands a webhook over; answers its HTTP status. Absent: events only wait in the account. */
  deliver?: (division: string, raw: string, signature: string) => Promise<number>;
  /** Time a bank takes to answer a debit, and time money stays before it is paid out. */
  bankDelayMs?: number;
  payoutDelayMs?: number;
}

const TICK_MS = 5000;
const DELIVERY_ATTEMPTS = 5;
const keyOf = (division: string): string => `sk_test_${division}_no_money_moves`;
const secretOf = (division: string): string => `whsec_test_${division}`;

/** As the processor signs: the time of sending and the body under the secret of the webhook. */
export function signed(division: string, raw: string, at = new Date()): string {
  const t = Math.floor(at.getTime() / 1000);
  return `t=${t},v1=${createHmac('sha256', secretOf(division)).update(`${t}.${raw}`).digest('hex')}`;
}

export class TestProcessor {
  readonly #options: TestProcessorOptions;
  readonly #accounts: Record<string, TestAccount>;
  #server: FastifyInstance | null = null;
  #timer: NodeJS.Timeout | null = null;
  #sending: { division: string; event: TestEvent; attempts: number }[] = [];

  constructor(options: TestProcessorOptions) {
    this.#options = options;
    this.#accounts = stored(options.file) ?? Object.fromEntries(DIVISIONS.map((code) => [code, emptyAccount()]));
  }

  account(division: string): TestAccount {
    return this.#accounts[division]!;
  }

  /** Serves the API on loopback; answers the settings that point the SDK at it. */
  async listen(): Promise<StripeSettings> {
    const server = Fastify();
    server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' },
      (_request, body, done) => { done(null, new URLSearchParams(body as string)); });
    server.all('/*', async (request, reply) => {
      const { status, body } = this.#answer(request);
      return reply.status(status).header('request-id', 'req_test').send(body);
    });
    const api_url = await server.listen({ host: '127.0.0.1', port: 0 });
    this.#server = server;
    this.#timer = setInterval(() => { void this.tick(); }, TICK_MS).unref();
    return { api_url, keys: new Map(DIVISIONS.map((code) => [code, keyOf(code)])),
      webhook_secrets: new Map(DIVISIONS.map((code) => [code, [secretOf(code)]])) };
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#server?.server.closeAllConnections();
    await this.#server?.close();
  }

  /** Banks answer, money is paid out, webhooks go out. */
  async tick(): Promise<void> {
    const now = this.#options.now();
    for (const division of Object.keys(this.#accounts)) {
      this.change(division, (account) => {
        for (const intent of Object.values(account.intents)) {
          if (intent.answer && intent.answer.at <= now.getTime()) answerDebit(account, intent, intent.answer.ok, now);
        }
        for (const refund of Object.values(account.refunds)) {
          if (refund.answer && refund.answer.at <= now.getTime()) answerRefund(account, refund, refund.answer.ok, now);
        }
        const before = Math.floor((now.getTime() - (this.#options.payoutDelayMs ?? Infinity)) / 1000);
        for (const currency of new Set(account.balance.map((line) => line.currency))) {
          payOut(account, currency, before, now);
        }
      });
    }
    await this.#send();
  }

  /** Changes an account; what it tells by that goes out. */
  change<T>(division: string, work: (account: TestAccount, now: Date) => T): T {
    const account = this.account(division);
    const before = account.events.length;
    const result = work(account, this.#options.now());
    const told = account.events.slice(before);
    if (this.#options.deliver) {
      this.#sending.push(...told.map((event) => ({ division, event, attempts: 0 })));
      setImmediate(() => { void this.#send(); });
    }
    if (told.length > 0) this.#keep();
    return result;
  }

  #find(id: string): [division: string, session: TestSession] | null {
    for (const [division, account] of Object.entries(this.#accounts)) {
      const session = account.sessions[id];
      if (session) return [division, session];
    }
    return null;
  }

  /** The page of a checkout; null: there is none. */
  page(id: string): string | null {
    const [division, session] = this.#find(id) ?? [];
    if (!division || !session) return null;
    const intent = session.payment_intent === null ? null : this.account(division).intents[session.payment_intent];
    return testPage(session, intent?.last_payment_error?.message ?? null);
  }

  /** Pays as the customer does there; returns the next address for their browser. */
  pay(id: string, how: How): string | null {
    const [division, session] = this.#find(id) ?? [];
    if (!division || !session) return null;
    this.change(division, (account, now) => {
      payOn(account, session, how, now, this.#options.bankDelayMs ?? Infinity);
    });
    return session.status === 'complete' ? session.success_url : session.url;
  }

  #answer(request: FastifyRequest): ApiAnswer {
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const division = DIVISIONS.find((code) => keyOf(code) === key);
    if (!division) return errorAnswer(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
    const url = new URL(request.url, 'http://localhost');
    const header = request.headers['idempotency-key'];
    const answer = this.change(division, (account, now) => answerApi({ account, now,
      pageUrl: this.#options.pageUrl, refundDelayMs: this.#options.bankDelayMs }, {
      method: request.method, path: url.pathname, query: url.searchParams,
      body: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
      idempotencyKey: typeof header === 'string' ? header : null }));
    if (request.method === 'POST') this.#keep();
    return answer;
  }

  /** In order, each until it is answered with 2xx; one that is refused comes again with the next tick. */
  async #send(): Promise<void> {
    const waiting = this.#sending;
    this.#sending = [];
    for (const one of waiting) {
      const raw = JSON.stringify(one.event);
      const status = await this.#options.deliver?.(one.division, raw, signed(one.division, raw)).catch(() => 0) ?? 200;
      if ((status < 200 || status > 299) && one.attempts + 1 < DELIVERY_ATTEMPTS) {
        this.#sending.push({ ...one, attempts: one.attempts + 1 });
      }
    }
  }

  #keep(): void {
    const { file } = this.#options;
    if (file === null) return;
    writeFileSync(`${file}.new`, JSON.stringify(this.#accounts));
    renameSync(`${file}.new`, file);
  }
}

function stored(file: string | null): Record<string, TestAccount> | null {
  if (file === null) return null;
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, TestAccount>;
    // A file of a release that knew fewer kinds of objects.
    return Object.fromEntries(Object.entries(kept).map(([code, account]) => [code, { ...emptyAccount(), ...account }]));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}
