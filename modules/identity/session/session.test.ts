import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { TEST_PASSWORD, testApp, type Answer } from '#tests/support/app.ts';
import { currentUser } from './session.contract.ts';
import { firstAdministrator } from './staff-invite.server.ts';
import { hashPassword, passwordProblem, verifyPassword } from './password.server.ts';

const test = testApp();

describe('signing in', () => {
  it('sets a session and a CSRF cookie for a guest', async () => {
    const page = test.visitor();
    const answer = await page.get('/sanctum/csrf-cookie');
    expect(answer.status).toBe(204);
    expect(page.cookies.has('XSRF-TOKEN')).toBe(true);
    expect(String(answer.headers['set-cookie'])).toMatch(/app_session=[^;]+;.*HttpOnly.*SameSite=Lax/);
  });

  it('refuses an unsafe call without the token before anything else', async () => {
    const answer = await test.visitor().post('/api/auth/login', { nonsense: true });
    expect(answer.status).toBe(419);
    expect(answer.body.message).toBe('CSRF token mismatch.');
  });

  it('answers the same for a wrong password and an unknown address', async () => {
    const known = await test.signedIn('staff_admin');
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    const wrong = await page.post('/api/auth/login', { email: known.email, password: 'wrong wrong wrong' });
    const unknown = await page.post('/api/auth/login', { email: 'nobody@test.example', password: TEST_PASSWORD });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors).toEqual({ email: ['These credentials do not match our records.'] });
    expect({ ...unknown.body, error_id: '' }).toEqual({ ...wrong.body, error_id: '' });
  });

  it('changes the session id at sign-in and tells who is there', async () => {
    const known = await test.signedIn('staff_user', { permissions: ['venue.list', 'venue.show'] });
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    const before = page.cookies.get('app_session');
    await page.post('/api/auth/login', { email: known.email.toUpperCase(), password: TEST_PASSWORD });
    expect(page.cookies.get('app_session')).not.toBe(before);
    const me = await page.get('/api/users/me');
    expect(me.body.data).toMatchObject({
      role: 'staff_user', user_type: 'STAFF_USER', system_admin: false,
      permission_values: ['venue.list', 'venue.show'],
    });
  });

  it.each([
    ['customer', null], ['staff_admin', 'STAFF_ADMIN'], ['staff_user', 'STAFF_USER'], ['system_admin', 'SYSTEM'],
    ['vendor', null],
  ] as const)('tells of a %s what they are [R30] [C18]', async (role, user_type) => {
    const me = await (await test.signedIn(role)).get('/api/users/me');
    expect(me.body.data).toMatchObject({ role, roles: [role], user_type, system_admin: role === 'system_admin' });
  });

  it('sends instants as ISO text, null for what is not known, and leaves out what is not there [R28] [R29] [C21]',
    async () => {
      const person = await test.signedIn('staff_admin');
      await test.database.db.exec(sql`update users set email_verified_at = null where id = ${person.user_id}`);
      const { data } = (await person.get('/api/users/me')).body;
      expect(data).toMatchObject({ email_verified_at: null, avatar_file_name: null });
      expect(data).not.toHaveProperty('avatar_url');
      expect(data).not.toHaveProperty('staff_group');
      for (const instant of [data.created_at, data.updated_at]) {
        expect(instant).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/);
        expect(Number.isNaN(Date.parse(instant))).toBe(false);
      }
    });

  it('an avatar is absent or a web address [R2]', () => {
    const avatar = currentUser.shape.avatar_url;
    expect([undefined, 'https://files.example/a.png'].every((one) => avatar.safeParse(one).success)).toBe(true);
    expect(['', 'a.png', 'javascript:alert(1)', null].some((one) => avatar.safeParse(one).success)).toBe(false);
  });

  it('ends: the old cookie is dead after sign-out', async () => {
    const page = await test.signedIn('staff_admin');
    const cookie = page.cookies.get('app_session')!;
    expect((await page.post('/api/auth/logout')).status).toBe(204);
    const old = test.visitor();
    old.cookies.set('app_session', cookie);
    expect((await old.get('/api/users/me')).status).toBe(401);
  });

  it('ends by idleness and absolutely, by the injected clock', async () => {
    const page = await test.signedIn('staff_admin');
    test.clock.set('2026-11-20T17:00:01Z');
    expect((await page.get('/api/users/me')).status).toBe(401);
    test.clock.set('2026-11-20T15:00:00Z');
    const busy = await test.signedIn('staff_admin');
    for (let hour = 16; hour < 24; hour += 1) {
      test.clock.set(`2026-11-20T${hour}:00:00Z`);
      expect((await busy.get('/api/users/me')).status).toBe(200);
    }
    for (const hour of ['00', '01', '02']) {
      test.clock.set(`2026-11-21T${hour}:00:00Z`);
      expect((await busy.get('/api/users/me')).status).toBe(200);
    }
    test.clock.set('2026-11-21T03:00:01Z');
    expect((await busy.get('/api/users/me')).status).toBe(401);
    test.clock.set('2026-11-20T15:00:00Z');
  });

  it('takes a password ten years on: none has to be changed for its age', async () => {
    const person = await test.signedIn('staff_admin');
    test.clock.set('2036-11-20T15:00:00Z');
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    expect((await page.post('/api/auth/login', { email: person.email, password: TEST_PASSWORD })).status).toBe(200);
    expect((await page.get('/api/users/me')).status).toBe(200);
    test.clock.set('2026-11-20T15:00:00Z');
  });

  it('a disabled person is out on the next request', async () => {
    const page = await test.signedIn('staff_admin');
    await test.database.db.exec(sql`update users set disabled_at = now() where id = ${page.user_id}`);
    expect((await page.get('/api/users/me')).status).toBe(401);
  });

  it('a changed password signs every other device out', async () => {
    const page = await test.signedIn('staff_admin');
    const other = test.visitor();
    await other.get('/sanctum/csrf-cookie');
    await other.post('/api/auth/login', { email: page.email, password: TEST_PASSWORD });
    const fresh = 'an entirely other sentence';
    const answer = await page.put(`/api/users/${page.user_id}/change-password`,
      { current_password: TEST_PASSWORD, password: fresh, password_confirmation: fresh });
    expect(answer.status).toBe(200);
    expect((await page.get('/api/users/me')).status).toBe(200);
    expect((await other.get('/api/users/me')).status).toBe(401);
  });
});

describe('registering', () => {
  it('keeps kind, country and phone, and the mail leads back to the title that was to be applied for', async () => {
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    const body = { first_name: 'Tom', last_name: 'Ash', email: 'tom@kent.example', organisation: 'Kent Grammar School',
      kind: 'school_k12', country: 'GB', phone: '+44 1622 000000', next: '/apply/MIKADO?country=GB',
      password: 'stage left in the rain', password_confirmation: 'stage left in the rain' };
    for (const next of ['https://elsewhere.example/apply/MIKADO', '//elsewhere.example', '/apply/../login',
      '/apply/MIKADO?country=GB&x=1']) {
      const refused = await page.post('/api/auth/register', { ...body, next });
      expect([refused.status, Object.keys(refused.body.errors)], next).toEqual([422, ['next']]);
    }
    const empty = await page.post('/api/auth/register', { ...body, kind: null, country: null, phone: ' ' });
    expect(empty.body.errors).toEqual({ kind: ['Choose a kind'], country: ['Choose a country'],
      phone: ['Phone is required'] });
    expect((await page.post('/api/auth/register', body)).status).toBe(202);
    const row = await test.database.db.one(sql`
      select c.kind, c.default_division, c.default_currency, c.divisions, c.tax_country, c.phone, u.phone as own
      from customers c join customer_users m on m.customer_id = c.id join users u on u.id = m.user_id
      where u.email = ${body.email}`);
    expect(row).toEqual({ kind: 'school_k12', default_division: 'UK', default_currency: 'GBP', divisions: ['UK'],
      tax_country: 'GB', phone: body.phone, own: body.phone });
    await page.post('/api/auth/email/resend', { email: body.email, next: body.next });
    const mails = await test.database.db.query<{ body_text: string }>(sql`
      select body_text from mail_outbox where ${body.email} = any (recipients) order by id`);
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(mail.body_text).toMatch(/\/verify-email\/[\w-]+\?next=/);
      expect(mail.body_text).toContain(`?next=${encodeURIComponent(body.next)}`);
    }
  });

  it('answers the same for a new and a known address, and only mail tells', async () => {
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    const body = { first_name: 'Ada', last_name: 'Reed', email: 'ada@school.example', organisation: 'Fairmount School',
      password: 'stage left in the rain', password_confirmation: 'stage left in the rain' };
    const first = await page.post('/api/auth/register', body);
    const second = await page.post('/api/auth/register', body);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    const mails = await test.database.db.query<{ template: string; body_text: string }>(sql`
      select template, body_text from mail_outbox where 'ada@school.example' = any (recipients) order by id`);
    expect(mails.map((mail) => mail.template)).toEqual(['account.verify', 'account.exists']);
    const token = /verify-email\/(\S+)/.exec(mails[0]!.body_text)![1]!;

    await page.post('/api/auth/login', { email: body.email, password: body.password });
    expect((await page.get('/api/users/me')).body.data).toMatchObject({ role: 'customer', email_verified_at: null });
    const blocked = await page.put('/api/users/1/change-password',
      { current_password: 'x', password: 'y', password_confirmation: 'y' });
    expect(blocked.body.message).toBe('Your email address is not verified.');
    expect((await page.post('/api/auth/email/verify', { token })).status).toBe(204);
    expect((await page.post('/api/auth/email/verify', { token })).status).toBe(422);
    const me = await page.get('/api/users/me');
    expect(me.body.data.customers).toMatchObject([{ name: 'Fairmount School', role: 'admin', status: 'pending' }]);
  });
});

describe('a link to choose a new password', () => {
  const link = (token: string) => test.visitor().get(`/api/auth/password-resets/${token}`);
  const seen = ({ status, body }: Answer) => ({ status, body: { ...body, error_id: '' } });
  const linkFor = async (email: string) => {
    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    await guest.post('/api/auth/forgot-password', { email });
    const mail = await test.database.db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where ${email} = any (recipients) order by id desc limit 1`);
    return { guest, token: /password-reset\/([^?\s]+)/.exec(mail.body_text)![1]! };
  };

  it('says whether it works before a password is chosen, and neither whose it is nor why it does not', async () => {
    const person = await test.signedIn('customer');
    const { guest, token } = await linkFor(person.email);
    expect((await link(token)).body).toEqual({ data: { expires_at: '2026-11-20T16:00:00Z' } });
    const password = 'a new sentence for the old house';
    const reset = () => guest.post('/api/auth/reset-password',
      { token, email: person.email, password, password_confirmation: password });
    test.clock.set('2026-11-20T16:00:01Z');
    const expired = seen(await link(token));
    expect(expired).toMatchObject({ status: 404, body: { message: 'This link no longer works.' } });
    expect((await reset()).body.errors).toEqual({ email: ['This password reset token is invalid.'] });
    test.clock.set('2026-11-20T15:00:00Z');
    expect((await reset()).status).toBe(200);
    expect((await reset()).status).toBe(422);
    expect([seen(await link(token)), seen(await link('invented'))]).toEqual([expired, expired]);
  });
});

describe('the first administrator', () => {
  it('comes by a one-time link and is not offered twice', async () => {
    await test.database.db.exec(sql`update users set disabled_at = now() where role = 'system_admin'`);
    const text = await firstAdministrator(test.ports);
    const token = /register-staff\/create\/(\S+)/.exec(text!)![1]!;
    const page = test.visitor();
    await page.get('/sanctum/csrf-cookie');
    expect((await page.get(`/api/auth/staff-invites/${token}`)).body.data).toEqual({
      email: null,
      role: 'system_admin',
    });
    const body = { token, first_name: 'Nell', last_name: 'Gwyn', email: 'nell@house.example',
      password: 'orange seller at drury', password_confirmation: 'orange seller at drury' };
    expect((await page.post('/api/auth/register-staff', body)).status).toBe(201);
    expect((await page.post('/api/auth/register-staff', body)).status).toBe(404);
    await page.post('/api/auth/login', { email: body.email, password: body.password });
    expect((await page.get('/api/users/me')).body.data).toMatchObject({ role: 'system_admin', system_admin: true });
    expect(await firstAdministrator(test.ports)).toBeNull();
  });
});

describe('passwords', () => {
  it('verifies what it hashed and does the work for nobody, too', async () => {
    const hash = await hashPassword('correct horse battery staple');
    expect(await verifyPassword('correct horse battery staple', hash)).toBe(true);
    expect(await verifyPassword('correct horse battery stapl', hash)).toBe(false);
    expect(await verifyPassword('anything', null)).toBe(false);
  });
  it.each(['short', 'elevenchars', 'Password1234', 'grandrights2026', 'aaaaaaaaaaaaaa'])('refuses %s', (text) => {
    expect(passwordProblem(text)).not.toBeNull();
  });
  it.each(['twelve chars', 'Ünïcödé 🎭 stage door', 'lantern '.repeat(15) + 'over seven bridges',
  ])('accepts %s', (text) => {
    expect(passwordProblem(text)).toBeNull();
  });
});
