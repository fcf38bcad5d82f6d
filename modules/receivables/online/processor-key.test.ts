/** Keys of the card processor that a system administrator enters: sealed, tried first, never shown, used at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { signedByTestProcessor, TestProcessor } from '#modules/receivables/receivables.public.server.ts';
import { takesOnline } from './processor.server.ts';
import { refreshProcessorKeys } from './processor-keys.server.ts';

const app = testApp();
const KEYS = '/api/admin/system/processor_keys';
const KEY = 'sk_test_UK_no_money_moves';
const SECRET = 'whsec_test_UK';
const LAST4 = KEY.slice(-4).toUpperCase();
let admin: SignedIn;
let processor: TestProcessor;

beforeAll(async () => {
  processor = new TestProcessor({ file: null, now: () => app.clock.now(),
    pageUrl: (id) => `https://pay.example/${id}` });
  const all = await processor.listen();
  // No demo season, and the environment knows the US alone.
  app.ports.settings.demo = false;
  app.ports.settings.stripe = { ...all, keys: new Map([['US', all.keys.get('US')!]]),
    webhook_secrets: new Map([['US', all.webhook_secrets.get('US')!]]) };
  admin = await app.signedIn('system_admin');
});
afterAll(() => processor.close());

const rowOf = async (division: string) => (await admin.get(KEYS)).body.data
  .find((row: { division: string }) => row.division === division);
const save = (body: object) => admin.put(`${KEYS}/UK`, { version: 0, ...body });
const hook = async (secretOf: string): Promise<number> => {
  const payload = JSON.stringify({ id: `evt_${secretOf}`, object: 'event', type: 'x.y', api_version: 'x', created: 1,
    data: { object: { id: 'x' } } });
  return (await app.app.inject({ method: 'POST', url: '/webhooks/stripe/UK', payload, headers: {
    'content-type': 'application/json', 'stripe-signature': signedByTestProcessor(secretOf, payload) } })).statusCode;
};

test('is for system administrators who confirm that it is they', async () => {
  expect((await (await app.signedIn('staff_admin')).get(KEYS)).status).toBe(403);
  expect(await save({ key: KEY, webhook_secret: SECRET })).toMatchObject({ status: 423 });
  await admin.confirm();
  expect(await rowOf('US')).toMatchObject({ source: 'environment', last4: LAST4, is_test: true, version: 0 });
  expect(await rowOf('UK')).toMatchObject({ source: 'none', last4: null, version: 0 });
});

test('a key that is none, or that the processor does not know, is refused at its field', async () => {
  const problems = async (body: object) => (await save(body)).body.errors;
  expect(await problems({})).toEqual({ key: ['Secret key is required'],
    webhook_secret: ['Webhook secret is required'] });
  expect(await problems({ key: 'pk_live_1', webhook_secret: 'abc' })).toEqual({
    key: ['Enter the secret key. It begins with sk_live_ or sk_test_'],
    webhook_secret: ['Enter the signing secret of the webhook. It begins with whsec_'] });
  expect(await problems({ key: 'sk_test_of_nobody', webhook_secret: SECRET })).toEqual({
    key: ['The card processor does not know this key'] });
  expect(takesOnline(app.ports.settings, 'UK')).toBe(false);
});

test('an accepted key is sealed, in use at once, and told to nobody', async () => {
  const answer = await save({ key: KEY, webhook_secret: SECRET });
  expect(answer.body.data).toMatchObject({ source: 'settings', last4: LAST4, is_test: true, version: 1 });
  expect(JSON.stringify(answer.body)).not.toContain(KEY);
  expect(takesOnline(app.ports.settings, 'UK')).toBe(true);
  expect(await hook('UK')).toBe(200);
  const { stored } = await app.database.db.one<{ stored: string }>(sql`
    select encode(key_encrypted, 'escape') || encode(webhook_secret_encrypted, 'escape') as stored
    from processor_keys`);
  expect(stored).not.toContain('no_money_moves');
  const { told } = await app.database.db.one<{ told: number }>(sql`
    select count(*)::int as told from audit_events where action = 'set_processor_key' and after is null`);
  expect(told).toBe(1);
  expect((await save({ key: KEY })).status).toBe(412);
});

test('a new webhook secret is accepted beside the one before it, and the key stays', async () => {
  const answer = await save({ webhook_secret: 'whsec_test_EU', version: 1 });
  expect(answer.body.data).toMatchObject({ last4: LAST4, version: 2 });
  expect([await hook('UK'), await hook('EU'), await hook('PROD')]).toEqual([200, 200, 400]);
});

test('another process takes it by the clock, and a key sealed by another installation is left out', async () => {
  const settings = { ...app.ports.settings, stripe: null };
  await refreshProcessorKeys({ ...app.ports, settings });
  expect([...settings.stripe === null ? [] : (settings.stripe as { keys: Map<string, string> }).keys])
    .toEqual([['UK', KEY]]);
  const told: string[] = [];
  const other = { ...app.ports.settings, stripe: null, encryption_key: 'of another installation' };
  await refreshProcessorKeys({ ...app.ports, settings: other, log: (_level, message) => { told.push(message); } });
  expect([other.stripe, told]).toEqual([null, ['key of the card processor does not open']]);
});

test('removed, the environment counts again', async () => {
  expect((await save({ remove: true, version: 2 })).body.data).toMatchObject({ source: 'none', version: 0 });
  expect(takesOnline(app.ports.settings, 'UK')).toBe(false);
  expect(takesOnline(app.ports.settings, 'US')).toBe(true);
});
