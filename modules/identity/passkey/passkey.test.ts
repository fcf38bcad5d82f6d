import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { TEST_PASSWORD, testApp, type Browser, type SignedIn } from '#tests/support/app.ts';
import { Authenticator } from '#tests/support/authenticator.ts';

const test = testApp();
/** Origin of these tests' requests. */
const origin = 'http://localhost';
const PASSKEYS = '/api/users/me/passkeys';

async function visitor(): Promise<Browser> {
  const page = test.visitor();
  await page.get('/sanctum/csrf-cookie');
  return page;
}
const optionsOf = async (page: Browser) =>
  (await page.post('/api/auth/passkey-options')).body.data as { challenge: string; allowCredentials?: unknown[] };

async function withPasskey(): Promise<{ person: SignedIn; key: Authenticator; id: number; codes: string[] }> {
  const person = await test.signedIn('customer');
  await person.confirm();
  const key = new Authenticator(origin);
  const { options } = (await person.post(PASSKEYS, { name: 'Laptop' })).body.data;
  const stored = await person.post(PASSKEYS, { name: 'Laptop', attestation: key.make(options) });
  expect(stored.status, JSON.stringify(stored.body)).toBe(200);
  return { person, key, id: stored.body.data.passkey.id as number, codes: stored.body.data.recovery_codes as string[] };
}

describe('making a passkey', () => {
  it('asks who is there, stores the public key and answers recovery codes once [X178] [X179]', async () => {
    const early = await (await test.signedIn('customer')).post(PASSKEYS, { name: 'Laptop' });
    expect(early.status).toBe(423);
    const { person, codes } = await withPasskey();
    expect(codes).toHaveLength(8);
    expect((await person.get(PASSKEYS)).body.data).toMatchObject([{ name: 'Laptop', last_used_at: null }]);
    const second = new Authenticator(origin);
    const { options } = (await person.post(PASSKEYS, { name: 'Telephone' })).body.data;
    expect(options.excludeCredentials).toHaveLength(1);
    const stored = await person.post(PASSKEYS, { name: 'Telephone', attestation: second.make(options) });
    expect(stored.body.data.recovery_codes).toBeNull();
  });

  it.each([
    ['made for another address', { origin: 'https://grandrights.evil.example' }],
    ['made for another name', { rpId: 'evil.example' }],
    ['of another challenge', { challenge: 'AAAA' }],
    ['that did not verify its person', { flags: 0x41 }],
  ])('refuses one %s', async (_, lie) => {
    const person = await test.signedIn('customer');
    await person.confirm();
    const { options } = (await person.post(PASSKEYS, { name: 'x' })).body.data;
    const attestation = new Authenticator(origin).make(options, lie);
    const answer = await person.post(PASSKEYS, { name: 'x', attestation });
    expect(answer.body.errors.attestation).toHaveLength(1);
  });
});

describe('signing in with a passkey', () => {
  it('alone: no address, no password', async () => {
    const { person, key } = await withPasskey();
    const page = await visitor();
    const options = await optionsOf(page);
    expect(options.allowCredentials ?? []).toEqual([]);
    const answer = await page.post('/api/auth/passkey-login', { passkey: key.answer(options) });
    expect(answer.body).toEqual({ two_factor: false });
    expect((await page.get('/api/users/me')).body.data.id).toBe(person.user_id);
  });

  it('as the second step', async () => {
    const { person, key } = await withPasskey();
    const page = await visitor();
    const login = await page.post('/api/auth/login', { email: person.email, password: TEST_PASSWORD });
    expect(login.body).toEqual({ two_factor: true, methods: ['passkey', 'recovery_code'] });
    const options = await optionsOf(page);
    expect(options.allowCredentials).toHaveLength(1);
    expect((await page.post('/api/auth/two-factor-challenge', { passkey: key.answer(options) })).status).toBe(204);
    expect((await page.get('/api/users/me')).status).toBe(200);
  });

  it('confirms who is there', async () => {
    const { person, key } = await withPasskey();
    test.clock.set('2026-11-20T15:20:00Z');
    const answer = await person.post('/api/auth/confirm-password', { passkey: key.answer(await optionsOf(person)) });
    expect(answer.status).toBe(201);
    test.clock.set('2026-11-20T15:00:00Z');
  });

  it('refuses the same answer twice: a challenge is good once', async () => {
    const { key } = await withPasskey();
    const page = await visitor();
    const passkey = key.answer(await optionsOf(page));
    expect((await page.post('/api/auth/passkey-login', { passkey })).status).toBe(200);
    const thief = await visitor();
    expect((await thief.post('/api/auth/passkey-login', { passkey })).status).toBe(422);
    await optionsOf(thief);
    expect((await thief.post('/api/auth/passkey-login', { passkey })).status).toBe(422);
  });

  it.each([
    ['from another address', { origin: 'https://evil.example' }],
    ['for another name', { rpId: 'evil.example' }],
    ['of another challenge', { challenge: 'AAAA' }],
    ['without its person verified', { flags: 0x01 }],
  ])('refuses an answer %s', async (_, lie) => {
    const { key } = await withPasskey();
    const page = await visitor();
    const answer = await page.post('/api/auth/passkey-login', { passkey: key.answer(await optionsOf(page), lie) });
    expect(answer.status).toBe(422);
    expect((await page.get('/api/users/me')).status).toBe(401);
  });

  it('refuses a counter that went back: the passkey was copied', async () => {
    const { key } = await withPasskey();
    const first = await visitor();
    await first.post('/api/auth/passkey-login', { passkey: key.answer(await optionsOf(first), { counter: 9 }) });
    const page = await visitor();
    const answer = await page.post('/api/auth/passkey-login',
      { passkey: key.answer(await optionsOf(page), { counter: 9 }) });
    expect(answer.status).toBe(422);
  });

  it('refuses a challenge older than five minutes', async () => {
    const { key } = await withPasskey();
    const page = await visitor();
    const passkey = key.answer(await optionsOf(page));
    test.clock.set('2026-11-20T15:05:01Z');
    expect((await page.post('/api/auth/passkey-login', { passkey })).status).toBe(422);
    test.clock.set('2026-11-20T15:00:00Z');
  });

  it('refuses the passkey of somebody else as the second step, and one of a disabled person', async () => {
    const one = await withPasskey();
    const two = await withPasskey();
    const page = await visitor();
    await page.post('/api/auth/login', { email: one.person.email, password: TEST_PASSWORD });
    const passkey = two.key.answer(await optionsOf(page));
    const foreign = await page.post('/api/auth/two-factor-challenge', { passkey });
    expect(foreign.status).toBe(422);
    await test.database.db.exec(sql`update users set disabled_at = now() where id = ${two.person.user_id}`);
    const late = await visitor();
    const answer = await late.post('/api/auth/passkey-login', { passkey: two.key.answer(await optionsOf(late)) });
    expect(answer.status).toBe(422);
  });
});

describe('removing a passkey', () => {
  it('is for its owner, and takes the recovery codes with the last one [X180]', async () => {
    const { person, id } = await withPasskey();
    const other = await test.signedIn('customer');
    await other.confirm();
    expect((await other.remove(`${PASSKEYS}/${id}`)).status).toBe(404);
    expect((await person.remove(`${PASSKEYS}/${id}`)).status).toBe(204);
    expect((await person.get('/api/users/me/two-factor')).body.data)
      .toMatchObject({ enabled: false, recovery_codes_left: 0 });
  });
});
