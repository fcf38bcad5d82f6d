import { describe, expect, it } from 'vitest';
import { TEST_NOW, TEST_PASSWORD, testApp, type Browser } from '#tests/support/app.ts';
import { deviceOf } from './device-name.server.ts';
import type { OwnSession } from './own-session.contract.ts';

const test = testApp();
const SESSIONS = '/api/users/me/sessions';

async function elsewhere(email: string, userAgent = 'curl/8.5'): Promise<Browser> {
  const page = test.visitor();
  await page.get('/sanctum/csrf-cookie');
  await page.post('/api/auth/login', { email, password: TEST_PASSWORD }, { headers: { 'user-agent': userAgent } });
  return page;
}
const listOf = async (page: Browser) => (await page.get(SESSIONS)).body.data as OwnSession[];

describe('the own sessions', () => {
  it('are listed with device, place and last use, this one first, nobody else\'s [X181]', async () => {
    const page = await test.signedIn('customer');
    await test.signedIn('customer');
    await elsewhere(page.email, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, '
      + 'like Gecko) Version/18.1 Mobile/15E148 Safari/604.1');
    const rows = await listOf(page);
    expect(rows.map((row) => [row.current, row.device, row.kind])).toEqual([
      [true, 'test', 'program'], [false, 'Safari on iPhone', 'phone']]);
    expect(rows[1]).toMatchObject({ ip: '127.0.0.1', second_factor: null, created_at: '2026-11-20T15:00:00Z' });
  });

  it('one is ended, and its next request is refused; others cannot be named [X182]', async () => {
    const page = await test.signedIn('customer');
    const other = await elsewhere(page.email);
    const stranger = await test.signedIn('customer');
    const id = (await listOf(page)).find((row) => !row.current)!.id;
    expect((await page.remove(`${SESSIONS}/${id}`)).status).toBe(423);
    await stranger.confirm();
    expect((await stranger.remove(`${SESSIONS}/${id}`)).status).toBe(404);
    expect((await other.get('/api/users/me')).status).toBe(200);
    await page.confirm();
    expect((await page.remove(`${SESSIONS}/${id}`)).status).toBe(204);
    expect((await other.get('/api/users/me')).status).toBe(401);
  });

  it('all others are ended at once, this one goes on [X183]', async () => {
    const page = await test.signedIn('customer');
    const others = [await elsewhere(page.email), await elsewhere(page.email)];
    await page.confirm();
    expect((await page.remove(SESSIONS)).status).toBe(204);
    for (const other of others) expect((await other.get('/api/users/me')).status).toBe(401);
    expect(await listOf(page)).toHaveLength(1);
  });

  it('what is over by idleness, time or a changed password is not listed', async () => {
    const page = await test.signedIn('staff_admin');
    await elsewhere(page.email);
    test.clock.set('2026-11-20T16:30:00Z');
    await page.get('/api/users/me');
    test.clock.set('2026-11-20T17:00:01Z');
    expect(await listOf(page)).toHaveLength(1);
    test.clock.set(TEST_NOW);
  });
});

describe('an administrator signs somebody out everywhere [X184]', () => {
  const path = (id: number) => `/api/admin/staff/users/${id}/sessions`;
  it('with user.update, and never above the own role', async () => {
    const person = await test.signedIn('staff_user');
    const helper = await test.signedIn('staff_user', { permissions: ['user.update'] });
    const admin = await test.signedIn('staff_admin');
    const system = await test.signedIn('system_admin');
    expect((await person.remove(path(helper.user_id))).status).toBe(403);
    expect((await helper.remove(path(admin.user_id))).status).toBe(403);
    expect((await admin.remove(path(system.user_id))).status).toBe(403);
    expect((await system.get('/api/users/me')).status).toBe(200);
    expect((await helper.remove(path(person.user_id))).status).toBe(204);
    expect((await person.get('/api/users/me')).status).toBe(401);
    expect((await system.remove(path(admin.user_id))).status).toBe(204);
    expect((await admin.get('/api/users/me')).status).toBe(401);
    expect((await system.remove(path(999_999_999))).status).toBe(404);
  });

  it('shows how somebody signs in, and takes lost factors away after a confirmation', async () => {
    const person = await test.signedIn('staff_user');
    await person.confirm();
    await person.post('/api/users/me/two-factor');
    const admin = await test.signedIn('staff_admin');
    const shown = await admin.get(`/api/admin/staff/users/${person.user_id}/security`);
    expect(shown.body.data).toMatchObject({ two_factor: false, sessions: 1, refused: null });
    const factors = `/api/admin/staff/users/${person.user_id}/two_factor`;
    expect((await admin.remove(factors)).status).toBe(423);
    await admin.confirm();
    expect((await admin.remove(factors)).status).toBe(204);
    expect((await person.get('/api/users/me')).status).toBe(401);
  });
});

describe('a browser in words', () => {
  const webkit = (system: string, rest: string): string =>
    `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`;
  it.each([
    [webkit('Windows NT 10.0; Win64; x64', 'Chrome/142.0 Safari/537.36 Edg/142.0'), 'Edge on Windows', 'computer'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Windows', 'computer'],
    [webkit('Macintosh; Intel Mac OS X 10_15_7', 'Version/18.1 Safari/605.1.15'), 'Safari on Mac', 'computer'],
    [webkit('Linux; Android 15; Pixel 9', 'Chrome/142.0 Mobile Safari/537.36'), 'Chrome on Android', 'phone'],
    [webkit('iPad; CPU OS 18_1 like Mac OS X', 'CriOS/142.0 Mobile Safari/604.1'), 'Chrome on iPad', 'tablet'],
    ['curl/8.5.0', 'curl', 'program'], ['', 'Unknown device', 'program'], [null, 'Unknown device', 'program'],
    ['<script>alert(1)</script>', 'Unknown device', 'program'],
  ] as const)('%s', (text, device, kind) => {
    expect(deviceOf(text)).toEqual({ device, kind });
  });
});
