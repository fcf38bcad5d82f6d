import { describe, expect, it } from 'vitest';
import type { Gate } from '#server/gates.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, TEST_PASSWORD, testApp } from '#tests/support/app.ts';

const test = testApp();
const CONFIRM = '/api/auth/confirm-password';

describe('confirming that it is you', () => {
  it('holds for 15 minutes of this session and for no other [X171] [X172]', async () => {
    const page = await test.signedIn('staff_admin');
    const other = test.visitor();
    await other.get('/sanctum/csrf-cookie');
    await other.post('/api/auth/login', { email: page.email, password: TEST_PASSWORD });
    expect((await page.get(CONFIRM)).body.confirmed).toBe(false);
    expect((await page.post(CONFIRM, { password: TEST_PASSWORD })).status).toBe(201);
    expect((await page.get(CONFIRM)).body.confirmed).toBe(true);
    expect((await other.get(CONFIRM)).body.confirmed).toBe(false);
    test.clock.set('2026-11-20T15:14:59Z');
    expect((await page.get(CONFIRM)).body.confirmed).toBe(true);
    test.clock.set('2026-11-20T15:15:00Z');
    expect((await page.get(CONFIRM)).body.confirmed).toBe(false);
    test.clock.set(TEST_NOW);
  });

  it('refuses a wrong password at its field and stays unconfirmed', async () => {
    const page = await test.signedIn('staff_admin');
    const answer = await page.post(CONFIRM, { password: 'wrong wrong wrong' });
    expect([answer.status, answer.body.errors]).toEqual([422, { password: ['The password is not right'] }]);
    expect((await page.get(CONFIRM)).body.confirmed).toBe(false);
  });

  it('changes the session token: the one from before is worth nothing', async () => {
    const page = await test.signedIn('staff_admin');
    const before = page.cookies.get('app_session')!;
    await page.post(CONFIRM, { password: TEST_PASSWORD });
    expect(page.cookies.get('app_session')).not.toBe(before);
    const thief = test.visitor();
    thief.cookies.set('app_session', before);
    expect((await thief.get('/api/users/me')).status).toBe(401);
  });

  it('keeps no digest of the password, though the client names an idempotency key', async () => {
    const page = await test.signedIn('staff_admin');
    await page.post(CONFIRM, { password: TEST_PASSWORD }, { idempotencyKey: 'confirm-once-00001' });
    const kept = await test.database.db.query(sql`select 1 from idempotency_keys where key = 'confirm-once-00001'`);
    expect(kept).toEqual([]);
  });
});

describe('the gate', () => {
  const off = testApp({ disabledGates: new Set<Gate>(['confirm']) });
  it('is what refuses: without it bank details are written at once', async () => {
    for (const [app, status] of [[test, 423], [off, 200]] as const) {
      const staff = await app.signedIn('staff_admin');
      const { id } = (await staff.post('/api/admin/staff/royaltors', { name: 'Ada', currency: 'USD' })).body.data;
      const answer = await staff.put(`/api/admin/staff/royaltors/${id}/tax_id`, { tin: '12-3456789', version: 1 });
      expect(answer.status).toBe(status);
    }
  });
});

describe('guessing', () => {
  const strict = testApp({ rateLimits: true });
  it('is stopped after five tries in a minute, with the right answer too', async () => {
    const page = await strict.signedIn('staff_admin');
    for (let n = 0; n < 5; n += 1) expect((await page.post(CONFIRM, { password: `wrong ${n}` })).status).toBe(422);
    expect((await page.post(CONFIRM, { password: TEST_PASSWORD })).status).toBe(429);
  });
});
