import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { TEST_NOW, TEST_PASSWORD, testApp, type Browser, type SignedIn, type TestApp } from '#tests/support/app.ts';
import { codeOf, stepAt } from './totp.server.ts';

const test = testApp();
const TWO_FACTOR = '/api/users/me/two-factor';
const CHALLENGE = '/api/auth/two-factor-challenge';
const at = (seconds: number): string => new Date(Date.parse(TEST_NOW) + seconds * 1000).toISOString();
const codeNow = (app: TestApp, secret: string): string => codeOf(secret, stepAt(app.clock.now()));

/** Somebody with an authenticator app in use since now. */
async function withApp(app: TestApp): Promise<SignedIn & { secret: string; codes: string[] }> {
  const page = await app.signedIn('staff_admin');
  await page.confirm();
  const { secret } = (await page.post(TWO_FACTOR)).body.data as { secret: string };
  const done = await page.put(TWO_FACTOR, { code: codeNow(app, secret) });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  return { ...page, secret, codes: done.body.data.recovery_codes as string[] };
}

async function firstStep(app: TestApp, email: string): Promise<Browser> {
  const page = app.visitor();
  await page.get('/sanctum/csrf-cookie');
  const answer = await page.post('/api/auth/login', { email, password: TEST_PASSWORD });
  expect(answer.body).toMatchObject({ two_factor: true });
  return page;
}

beforeEach(() => test.clock.set(TEST_NOW));

describe('setting up an authenticator app', () => {
  it('asks who is there, shows the secret once and takes it with its first code [X173] [X174] [X175]', async () => {
    const page = await test.signedIn('customer');
    expect((await page.post(TWO_FACTOR)).status).toBe(423);
    await page.confirm();
    const started = await page.post(TWO_FACTOR);
    const { secret, otpauth_url } = started.body.data as { secret: string; otpauth_url: string };
    expect(otpauth_url).toContain(secret);
    expect((await page.get(TWO_FACTOR)).body.data).toMatchObject({ enabled: false, code: false });
    const wrong = await page.put(TWO_FACTOR, { code: '000000' === codeNow(test, secret) ? '000001' : '000000' });
    expect(wrong.body.errors.code).toHaveLength(1);
    const done = await page.put(TWO_FACTOR, { code: codeNow(test, secret) });
    expect(done.body.data.recovery_codes).toHaveLength(8);
    expect(done.body.data.recovery_codes[0]).toMatch(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/);
    expect((await page.get(TWO_FACTOR)).body.data).toMatchObject({ enabled: true, code: true, recovery_codes_left: 8 });
  });

  it('keeps the secret sealed, the codes hashed, and neither in the audit trail nor among stored answers', async () => {
    const { secret, codes, user_id } = await withApp(test);
    const rows = await test.database.db.query<{ text: string }>(sql`
      select t::text as text from totp_factors t where user_id = ${user_id}
      union all select r::text from recovery_codes r where user_id = ${user_id}
      union all select a::text from audit_events a union all select k::text from idempotency_keys k
      union all select m::text from mail_outbox m`);
    const all = rows.map((row) => row.text).join('\n');
    const bare = codes.map((code) => code.replaceAll('-', ''));
    for (const text of [secret, Buffer.from(secret).toString('hex'), ...codes, ...bare]) {
      expect(all).not.toContain(text);
    }
  });

  it('a second start leaves the app in use as it is until the new one is confirmed', async () => {
    const page = await withApp(test);
    await page.post(TWO_FACTOR);
    test.clock.set(at(60));
    const next = await firstStep(test, page.email);
    expect((await next.post(CHALLENGE, { code: codeNow(test, page.secret) })).status).toBe(204);
  });

  it('tells the person by mail', async () => {
    const page = await withApp(test);
    const mail = await test.database.db.query<{ subject: string }>(sql`
      select subject from mail_outbox where template = 'account.security' and ${page.email} = any (recipients)`);
    expect(mail.map((one) => one.subject)).toEqual(['Two-factor sign-in is on']);
  });
});

describe('the second step', () => {
  it('opens nothing before it is taken, and a new session after [X170]', async () => {
    const person = await withApp(test);
    test.clock.set(at(60));
    const page = await firstStep(test, person.email);
    const before = page.cookies.get('app_session');
    expect((await page.get('/api/users/me')).status).toBe(401);
    expect((await page.post(CHALLENGE, { code: codeNow(test, person.secret) })).status).toBe(204);
    expect(page.cookies.get('app_session')).not.toBe(before);
    expect((await page.get('/api/users/me')).body.data.id).toBe(person.user_id);
  });

  it('refuses a code that was used, by anybody, in the same 30 seconds', async () => {
    const person = await withApp(test);
    test.clock.set(at(60));
    const code = codeNow(test, person.secret);
    expect((await (await firstStep(test, person.email)).post(CHALLENGE, { code })).status).toBe(204);
    const again = await (await firstStep(test, person.email)).post(CHALLENGE, { code });
    expect(again.body.errors.code).toEqual(['This code was used already. Wait for the next one.']);
  });

  it('refuses the older of two codes once the newer was used', async () => {
    const person = await withApp(test);
    test.clock.set(at(90));
    const step = stepAt(test.clock.now());
    await (await firstStep(test, person.email)).post(CHALLENGE, { code: codeOf(person.secret, step) });
    const page = await firstStep(test, person.email);
    const older = await page.post(CHALLENGE, { code: codeOf(person.secret, step - 1) });
    expect(older.status).toBe(422);
  });

  it('two requests with the same code at once: one gets in', async () => {
    const person = await withApp(test);
    test.clock.set(at(60));
    const pages = await Promise.all([1, 2, 3, 4].map(() => firstStep(test, person.email)));
    const code = codeNow(test, person.secret);
    const answers = await Promise.all(pages.map((page) => page.post(CHALLENGE, { code })));
    expect(answers.map((one) => one.status).sort()).toEqual([204, 422, 422, 422]);
  });

  it('accepts a recovery code once, written as it comes, and says by mail how many are left', async () => {
    const person = await withApp(test);
    const [first = ''] = person.codes;
    const page = await firstStep(test, person.email);
    expect((await page.post(CHALLENGE, { recovery_code: first.toLowerCase().replaceAll('-', ' ') })).status).toBe(204);
    expect((await page.get(TWO_FACTOR)).body.data.recovery_codes_left).toBe(7);
    const again = await (await firstStep(test, person.email)).post(CHALLENGE, { recovery_code: first });
    expect(again.body.errors.recovery_code).toHaveLength(1);
    const mail = await test.database.db.query<{ body_text: string }>(sql`
      select body_text from mail_outbox
      where subject = 'A recovery code was used' and ${person.email} = any (recipients)`);
    expect(mail[0]?.body_text).toContain('7 are left');
  });

  it('is awaited for ten minutes, from the session of the first step alone', async () => {
    const person = await withApp(test);
    const page = await firstStep(test, person.email);
    test.clock.set(at(599));
    const stranger = test.visitor();
    await stranger.get('/sanctum/csrf-cookie');
    expect((await stranger.post(CHALLENGE, { code: codeNow(test, person.secret) })).status).toBe(401);
    test.clock.set(at(601));
    expect((await page.post(CHALLENGE, { code: codeNow(test, person.secret) })).status).toBe(401);
  });

  it('a password changed in between ends it', async () => {
    const person = await withApp(test);
    const page = await firstStep(test, person.email);
    const fresh = 'an entirely other sentence';
    await person.put(`/api/users/${person.user_id}/change-password`,
      { current_password: TEST_PASSWORD, password: fresh, password_confirmation: fresh });
    test.clock.set(at(60));
    expect((await page.post(CHALLENGE, { code: codeNow(test, person.secret) })).status).toBe(401);
  });

  it.each([[{}], [{ code: '123456', recovery_code: 'x' }], [{ code: '12345' }], [{ code: 'abcdef' }]])(
    'refuses %j: one way at a time', async (body) => {
      const page = await firstStep(test, (await withApp(test)).email);
      expect((await page.post(CHALLENGE, body)).status).toBe(422);
    });

  it('a password reset does not take it away', async () => {
    const person = await withApp(test);
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    await page.post('/api/auth/forgot-password', { email: person.email });
    const mail = await test.database.db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where template = 'account.reset' and ${person.email} = any (recipients)`);
    const token = /password-reset\/([\w-]+)/.exec(mail.body_text)![1]!;
    const password = 'a sentence nobody has said';
    await page.post('/api/auth/reset-password',
      { token, email: person.email, password, password_confirmation: password });
    expect((await page.post('/api/auth/login', { email: person.email, password })).body.two_factor).toBe(true);
  });
});

describe('guessing', () => {
  const strict = testApp({ rateLimits: true });
  it('is stopped after five tries in a minute, from every session together', async () => {
    const person = await withApp(strict);
    strict.clock.set(at(120));
    const pages = [await firstStep(strict, person.email), await firstStep(strict, person.email)];
    const answers = [];
    for (let n = 0; n < 6; n += 1) {
      answers.push(await pages[n % 2]!.post(CHALLENGE, { recovery_code: `WRONG-${n}` }));
    }
    expect(answers.map((one) => one.status)).toEqual([422, 422, 422, 422, 422, 429]);
    expect(Number(answers[5]!.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('taking it away', () => {
  it('asks who is there, and then the password alone signs in [X176]', async () => {
    const person = await withApp(test);
    test.clock.set(at(16 * 60));
    expect((await person.remove(TWO_FACTOR)).status).toBe(423);
    expect((await person.post('/api/auth/confirm-password', { code: codeNow(test, person.secret) })).status).toBe(201);
    expect((await person.remove(TWO_FACTOR)).body.data).toMatchObject({ enabled: false, recovery_codes_left: 0 });
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    const answer = await page.post('/api/auth/login', { email: person.email, password: TEST_PASSWORD });
    expect(answer.body).toEqual({ two_factor: false });
  });

  it('new recovery codes void the old ones [X177]', async () => {
    const person = await withApp(test);
    const fresh = (await person.post(`${TWO_FACTOR}/recovery-codes`)).body.data.recovery_codes as string[];
    expect(fresh.some((code) => person.codes.includes(code))).toBe(false);
    const old = await (await firstStep(test, person.email)).post(CHALLENGE, { recovery_code: person.codes[0] });
    expect(old.status).toBe(422);
    const own = await (await firstStep(test, person.email)).post(CHALLENGE, { recovery_code: fresh[0] });
    expect(own.status).toBe(204);
  });

  it('without a factor there are no recovery codes to make', async () => {
    const page = await test.signedIn('customer');
    await page.confirm();
    expect((await page.post(`${TWO_FACTOR}/recovery-codes`)).status).toBe(409);
    expect((await page.remove(TWO_FACTOR)).status).toBe(409);
  });
});
