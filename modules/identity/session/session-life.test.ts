/** The life of a session: born new, dead everywhere at once, worth nothing when copied (ASVS 7.2 to 7.4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compose, loginsOf, type Composition } from '#apps/server/src/compose.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, TEST_PASSWORD, testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const COOKIE = 'app_session';

/** A second server on the same database. */
let second: Composition;
beforeAll(async () => {
  second = await compose({ settings: test.ports.settings, clock: test.clock, webFolder: null, log: () => undefined,
    connections: loginsOf((role) => test.database.urls[role]) });
});
afterAll(() => second.close());

const onSecond = async (page: Browser): Promise<number> => (await second.app.inject({ url: '/api/users/me',
  headers: { cookie: `${COOKIE}=${page.cookies.get(COOKIE)}` } })).statusCode;

describe('a session', () => {
  it('is never the one somebody brought along: a chosen id and a guest\'s id are both left behind', async () => {
    const person = await test.signedIn('customer');
    const victim = test.visitor();
    victim.cookies.set(COOKIE, 'chosen-by-the-attacker');
    await victim.get('/sanctum/csrf-cookie');
    const guest = victim.cookies.get(COOKIE)!;
    expect(guest).not.toBe('chosen-by-the-attacker');
    const token = victim.cookies.get('XSRF-TOKEN')!;
    await victim.post('/api/auth/login', { email: person.email, password: TEST_PASSWORD });
    expect(victim.cookies.get(COOKIE)).not.toBe(guest);
    expect(victim.cookies.get('XSRF-TOKEN')).not.toBe(token);
    const attacker = test.visitor();
    attacker.cookies.set(COOKIE, guest);
    expect((await attacker.get('/api/users/me')).status).toBe(401);
    const old = await victim.put(`/api/users/${person.user_id}/change-password`, {});
    expect(old.status).toBe(422);
    const stale = await victim.call('PUT', `/api/users/${person.user_id}/change-password`,
      { body: {}, headers: { 'x-xsrf-token': token } });
    expect(stale.status).toBe(419);
  });

  it('holds 256 random bits, kept as a hash, in a cookie that scripts do not see', async () => {
    const page = test.visitor();
    const answer = await page.get('/sanctum/csrf-cookie');
    const value = page.cookies.get(COOKIE)!;
    expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    const cookie = [answer.headers['set-cookie']].flat().find((one) => String(one).startsWith(COOKIE));
    expect(String(cookie)).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/i);
    const rows = await test.database.db.query<{ text: string }>(sql`select s::text as text from sessions s`);
    expect(rows.some((row) => row.text.includes(value))).toBe(false);
  });

  it('works on every server, and ends on all of them with the next request', async () => {
    const page = await test.signedIn('staff_admin');
    expect(await onSecond(page)).toBe(200);
    const cookie = page.cookies.get(COOKIE)!;
    await page.post('/api/auth/logout');
    page.cookies.set(COOKIE, cookie);
    expect(await onSecond(page)).toBe(401);
  });

  it.each([
    ['the person is disabled', sql`update users set disabled_at = now()`],
    ['all sessions are revoked', sql`update users set session_epoch = session_epoch + 1`],
  ])('dies on the other server, too, when %s', async (_, change) => {
    const page = await test.signedIn('staff_admin');
    expect(await onSecond(page)).toBe(200);
    await test.database.db.exec(sql`${change} where id = ${page.user_id}`);
    expect(await onSecond(page)).toBe(401);
  });

  it('rights that were taken away are gone on the other server with the next request', async () => {
    const page = await test.signedIn('staff_user', { permissions: ['venue.list'] });
    const read = () => second.app.inject({ url: '/api/admin/staff/venues',
      headers: { cookie: `${COOKIE}=${page.cookies.get(COOKIE)}` } });
    expect((await read()).statusCode).toBe(200);
    await test.database.db.exec(sql`delete from staff_group_users where user_id = ${page.user_id}`);
    expect((await read()).statusCode).toBe(403);
  });

  it('of a customer lives a day, of staff half a day, however busy', async () => {
    const customer = await test.signedIn('customer');
    const staff = await test.signedIn('staff_user');
    const seen: string[] = [];
    for (let hour = 1; hour <= 25; hour += 1) {
      test.clock.set(new Date(Date.parse(TEST_NOW) + hour * 3_600_000 - 1000).toISOString());
      const alive = [await staff.get('/api/users/me'), await customer.get('/api/users/me')].map(({ status }) => status);
      if (alive.join() !== seen.at(-1)?.split(' ')[1]) seen.push(`${hour} ${alive.join()}`);
    }
    expect(seen).toEqual(['1 200,200', '13 401,200', '25 401,401']);
    test.clock.set(TEST_NOW);
  });

  it('is not kept awake by what a page asks by itself', async () => {
    const page = await test.signedIn('customer');
    for (const minutes of [60, 119]) {
      test.clock.set(new Date(Date.parse(TEST_NOW) + minutes * 60_000).toISOString());
      expect((await page.call('GET', '/api/users/me', { headers: { 'x-background': '1' } })).status).toBe(200);
    }
    test.clock.set(new Date(Date.parse(TEST_NOW) + 121 * 60_000).toISOString());
    expect((await page.get('/api/users/me')).status).toBe(401);
    test.clock.set(TEST_NOW);
  });
});
