/** The test processor as a browser and the SDK meet it: its page, its errors, its idempotency keys, its file. */
import Fastify from 'fastify';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestProcessor } from '#modules/receivables/receivables.public.server.ts';
import { readSettings } from '#server/settings.ts';
import { startTestProcessor, testPaymentPages } from './test-payments.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-payments-'));
const settings = { ...readSettings({}, '/'), data_dir: folder };
const app = Fastify();
let processor: TestProcessor;
let stripe: Stripe;

beforeAll(async () => {
  processor = (await startTestProcessor(settings, async () => 200))!;
  await testPaymentPages(processor)(app);
  const { hostname, port } = new URL(settings.stripe!.api_url!);
  stripe = new Stripe(settings.stripe!.keys.get('US')!, { host: hostname, port, protocol: 'http', telemetry: false });
});
afterAll(async () => {
  await processor.close();
  await app.close();
});

const checkout = (amount: number, idempotencyKey: string) => stripe.checkout.sessions.create({ mode: 'payment',
  allowed_payment_method_types: ['card'], success_url: 'http://localhost/back', cancel_url: 'http://localhost/no',
  line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: amount,
    product_data: { name: 'INV <1>' } } }] }, { idempotencyKey });

it('shows what is paid, says that no money moves, and sends the customer back', async () => {
  const session = await checkout(128_400, 'page');
  const { pathname } = new URL(session.url!);
  const page = await app.inject({ url: pathname });
  expect(page.body).toContain('Test payment, no money moves.');
  expect(page.body).toContain('INV &#60;1&#62;');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const press = (how: string) => app.inject({ method: 'POST', url: pathname, payload: `how=${how}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  expect((await press('decline')).headers.location).toBe(session.url);
  expect((await app.inject({ url: pathname })).body).toContain('Your card was declined.');
  expect(await press('pay')).toMatchObject({ statusCode: 303, headers: { location: 'http://localhost/back' } });
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete',
    payment_status: 'paid' });
  expect((await app.inject({ url: '/test-payments/cs_none' })).statusCode).toBe(404);
});

it('answers a key again, refuses other parameters, and has the error shapes of the SDK', async () => {
  const [first, second] = [await checkout(500, 'once'), await checkout(500, 'once')];
  expect(second.id).toBe(first.id);
  await expect(checkout(501, 'once')).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  await expect(stripe.checkout.sessions.retrieve('cs_none')).rejects.toMatchObject({ statusCode: 404,
    code: 'resource_missing' });
  const wrong = new Stripe('sk_test_wrong', { host: '127.0.0.1', port: new URL(settings.stripe!.api_url!).port,
    protocol: 'http', telemetry: false });
  await expect(wrong.payouts.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  await stripe.checkout.sessions.expire(first.id);
  await expect(stripe.checkout.sessions.expire(first.id)).rejects.toMatchObject({ statusCode: 400 });
});

it('keeps its accounts from one start to the next, and stays away where a key is set or nothing is shown', async () => {
  const session = await checkout(700, 'kept');
  const again = new TestProcessor({ file: join(folder, 'test-processor.json'), now: () => new Date(),
    pageUrl: (id) => id });
  expect(again.account('US').sessions[session.id]).toMatchObject({ amount_total: 700 });
  expect(await startTestProcessor({ ...settings, demo: false, stripe: null }, async () => 200)).toBeNull();
  expect(await startTestProcessor(settings, async () => 200)).toBeNull();
});

it('settings name divisions and want a webhook for each key', () => {
  const read = (STRIPE_KEYS: string, STRIPE_WEBHOOK_SECRETS = '') =>
    readSettings({ STRIPE_KEYS, STRIPE_WEBHOOK_SECRETS }, '/').stripe;
  expect(read('')).toBeNull();
  expect(read('US=sk_a, UK=sk_b', 'US=w1,US=w2,UK=w3')?.webhook_secrets.get('US')).toEqual(['w1', 'w2']);
  expect(() => read('US=sk_a')).toThrow('no secret for US');
  expect(() => read('sk_live_1')).toThrow('STRIPE_KEYS lists DIVISION=value');
});
