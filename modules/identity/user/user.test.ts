import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { TEST_PASSWORD, testApp, type Answer, type Browser } from '#tests/support/app.ts';
import { AVATAR_SIZES } from '#kit/avatar.ts';

const test = testApp();

interface MailRow { template: string; recipients: string[]; body_text: string }
const mailsTo = (email: string): Promise<MailRow[]> => test.database.db.query<MailRow>(sql`
  select template, recipients, body_text from mail_outbox where ${email} = any (recipients) order by id`);
const linkIn = (mails: MailRow[]): string => /verify-email\/(\S+)/.exec(mails.at(-1)!.body_text)![1]!;
const signInAs = async (email: string): Promise<number> => {
  const page = test.visitor();
  await page.get('/sanctum/csrf-cookie');
  return (await page.post('/api/auth/login', { email, password: TEST_PASSWORD })).status;
};

describe('one\'s own account', () => {
  it('changes name and telephone, and refuses a stale version', async () => {
    const person = await test.signedIn('customer');
    const path = `/api/users/${person.user_id}`;
    const phone = '+1 212 555 0100';
    const saved = await person.put(path, { first_name: ' Ada ', last_name: 'Reed', phone, version: 1 });
    expect(saved.body.data).toMatchObject({ first_name: 'Ada', last_name: 'Reed', phone, version: 2 });
    expect((await person.put(path, { first_name: 'Late', version: 1 })).status).toBe(412);
    expect((await person.get('/api/users/me')).body.data).toMatchObject({ first_name: 'Ada', version: 2 });
  });

  it('chooses American or British English for screens, or follows the organization again', async () => {
    const { db } = test.database;
    const { id } = await db.one<{ id: number }>(sql`
      insert into customers (name, status, divisions, default_division, default_currency)
      values ('Leith Amateur Dramatics', 'active', '{UK}', 'UK', 'GBP') returning id`);
    const person = await test.signedIn('customer', { customers: [{ id, role: 'admin' }] });
    const path = `/api/users/${person.user_id}`;
    const read = async () => (await person.get('/api/users/me')).body.data;
    expect(await read()).toMatchObject({ language: null, customers: [{ id, language: 'en-GB' }] });
    expect((await person.put(path, { language: 'en-US' })).body.data.language).toBe('en-US');
    expect(await read()).toMatchObject({ language: 'en-US' });
    expect((await person.put(path, { language: null })).body.data.language).toBeNull();
    const wrong = await person.put(path, { language: 'fr' });
    expect(wrong.body.errors).toEqual({ language: ['Choose American or British English'] });
  });

  it.each([['first_name', ''], ['first_name', 'a\r\nBcc: x@y.example'], ['email', 'no address'],
    ['phone', 'x'.repeat(41)], ['role', 'system_admin']])('refuses %s %j at its field [R1]', async (field, value) => {
    const person = await test.signedIn('customer');
    const answer = await person.put(`/api/users/${person.user_id}`, { [field]: value });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });

  it('nobody else\'s account exists for a customer or a vendor', async () => {
    const other = await test.signedIn('customer');
    for (const role of ['customer', 'vendor', 'staff_user'] as const) {
      const page = await test.signedIn(role);
      expect((await page.put(`/api/users/${other.user_id}`, { first_name: 'Taken' })).status, role).toBe(404);
      expect((await page.remove(`/api/users/${other.user_id}/avatar`)).status, role).toBe(404);
    }
  });
});

describe('a new address', () => {
  it('counts when its own mailbox has confirmed it; the old one is told twice', async () => {
    const person = await test.signedIn('staff_user');
    const wanted = `new-${person.user_id}@test.example`;
    const early = await person.put(`/api/users/${person.user_id}`, { email: wanted });
    expect([early.status, early.body.code]).toEqual([423, 'confirmation_required']);
    await person.confirm();
    const asked = await person.put(`/api/users/${person.user_id}`, { email: wanted.toUpperCase() });
    expect(asked.body.data).toMatchObject({ email: person.email, pending_email: wanted });
    expect((await mailsTo(person.email)).map((mail) => mail.template)).toEqual(['account.address_asked']);
    expect(await signInAs(wanted)).toBe(422);

    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    const token = linkIn(await mailsTo(wanted));
    expect((await guest.post('/api/auth/email/verify', { token })).status).toBe(204);
    expect((await guest.post('/api/auth/email/verify', { token })).status).toBe(422);
    expect((await person.get('/api/users/me')).body.data).toMatchObject({ email: wanted, pending_email: null });
    expect((await mailsTo(person.email)).map((mail) => mail.template)).toEqual(['account.address_asked',
      'account.address_changed']);
    expect([await signInAs(person.email), await signInAs(wanted)]).toEqual([422, 200]);
  });

  it('answers the same where the address has an account, and nothing happens', async () => {
    const person = await test.signedIn('customer');
    const other = await test.signedIn('customer');
    await person.confirm();
    const asked = await person.put(`/api/users/${person.user_id}`, { email: other.email });
    expect(asked.body.data).toMatchObject({ pending_email: other.email, email: person.email });
    const mail = (await mailsTo(other.email)).at(-1)!;
    expect(mail.body_text).toMatch(/already has an account/);
    expect(mail.body_text).not.toMatch(/verify-email/);
  });

  it('only the newest link works, for a day, and typing the old address takes it back', async () => {
    const person = await test.signedIn('staff_admin');
    const path = `/api/users/${person.user_id}`;
    await person.confirm();
    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    const use = async (token: string) => (await guest.post('/api/auth/email/verify', { token })).status;
    const ask = async (email: string) => { await person.put(path, { email }); return linkIn(await mailsTo(email)); };
    const first = await ask('one@change.example');
    const second = await ask('two@change.example');
    expect(await use(first)).toBe(422);
    expect((await person.put(path, { email: person.email })).body.data.pending_email).toBeNull();
    expect(await use(second)).toBe(422);
    const third = await ask('three@change.example');
    test.clock.set('2026-11-21T15:00:01Z');
    await guest.get('/sanctum/csrf-cookie');
    expect(await use(third)).toBe(422);
    test.clock.set('2026-11-20T15:00:00Z');
  });

  it('kills links to the old mailbox that would choose a new password', async () => {
    const person = await test.signedIn('staff_admin');
    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    await guest.post('/api/auth/forgot-password', { email: person.email });
    const reset = /password-reset\/([^?\s]+)/.exec((await mailsTo(person.email)).at(-1)!.body_text)![1]!;
    await person.confirm();
    await person.put(`/api/users/${person.user_id}`, { email: 'moved@change.example' });
    await guest.post('/api/auth/email/verify', { token: linkIn(await mailsTo('moved@change.example')) });
    const password = 'an entirely other sentence';
    const late = await guest.post('/api/auth/reset-password',
      { token: reset, email: person.email, password, password_confirmation: password });
    expect(late.status).toBe(422);
  });
});

describe('another one\'s account', () => {
  it('needs user.update, and the right to each field that changes', async () => {
    const whom = await test.signedIn('staff_user');
    const path = `/api/users/${whom.user_id}`;
    const clerk = await test.signedIn('staff_user', { permissions: ['user.update'] });
    expect((await clerk.put(path, { phone: '555 0199' })).status).toBe(200);
    const named = await clerk.put(path, { first_name: 'Other', email: 'taken@over.example' });
    expect([named.status, Object.keys(named.body.errors)]).toEqual([403, ['first_name', 'email']]);
    expect((await clerk.put(path, { email: whom.email, first_name: 'Test', phone: '1' })).status).toBe(200);
    const naming = await test.signedIn('staff_user', { permissions: ['user.update', 'user.manage_name'] });
    expect((await naming.put(path, { first_name: 'Renamed' })).body.data.first_name).toBe('Renamed');
    const mailing = await test.signedIn('staff_user', { permissions: ['user.update', 'user.manage_email'] });
    await mailing.confirm();
    expect((await mailing.put(path, { email: 'given@house.example' })).body.data.pending_email)
      .toBe('given@house.example');
  });

  it('is out of reach where they have rights that the caller lacks', async () => {
    const clerk = await test.signedIn('staff_user',
      { permissions: ['user.update', 'user.manage_name', 'user.manage_email', 'user.manage_avatar'] });
    const more = await test.signedIn('staff_user', { permissions: ['payment.create'] });
    const admin = await test.signedIn('staff_admin');
    const system = await test.signedIn('system_admin');
    for (const [caller, whom, status] of [
      [clerk, more, 403], [clerk, admin, 403], [clerk, system, 403], [admin, system, 403], [admin, more, 200],
      [system, admin, 200],
    ] as const) {
      const answer = await caller.put(`/api/users/${whom.user_id}`, { first_name: `By ${caller.user_id}` });
      expect(answer.status, `${caller.email} changes ${whom.email}`).toBe(status);
    }
  });
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#486' } });
async function send(page: Browser, id: number, content: Buffer, name = 'me.png', method = 'POST'): Promise<Answer> {
  return page.call(method, `/api/users/${id}/avatar`,
    { multipart: { fields: {}, file: { field: 'avatar', name, type: 'image/png', content } } });
}

describe('pictures', () => {
  it('are written anew in every size, upright and without what else the file held [C76]', async () => {
    const page = await test.signedIn('customer');
    const sent = await picture(600, 400).withExif({ IFD0: { Copyright: 'SECRET-PLACE' } }).jpeg().toBuffer();
    expect(sent.includes('SECRET-PLACE')).toBe(true);
    const saved = await send(page, page.user_id, sent, 'me.jpg');
    expect(saved.status).toBe(201);
    const { avatar_url, avatar_file_name } = saved.body.data;
    expect(avatar_url).toMatch(new RegExp(`^http.*/api/users/${page.user_id}/avatars/${avatar_file_name}$`));
    const at = new URL(avatar_url).pathname;
    for (const [size, pixels] of Object.entries(AVATAR_SIZES)) {
      const shown = await page.get(`${at}?size=${size}`);
      const { width, height, format } = await sharp(shown.raw).metadata();
      expect([width, height, format]).toEqual([pixels * 2, pixels * 2, 'webp']);
      expect(shown.raw.includes('SECRET-PLACE')).toBe(false);
      expect(shown.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=2592000, immutable' });
      expect(shown.headers['content-disposition']).toMatch(/^inline/);
      expect(shown.headers['content-security-policy']).toMatch(/sandbox; default-src 'none'/);
    }
    expect((await page.get('/api/users/me')).body.data).toMatchObject({ avatar_url, avatar_file_name });
  });

  it('are replaced under a new address and removed for good', async () => {
    const page = await test.signedIn('staff_user');
    const first = (await send(page, page.user_id, await picture(80, 80).png().toBuffer())).body.data.avatar_url;
    const second = await send(page, page.user_id, await picture(90, 90).webp().toBuffer(), 'b.webp', 'PUT');
    expect(second.body.data.avatar_url).not.toBe(first);
    expect((await page.get(new URL(first).pathname)).status).toBe(404);
    expect((await page.get(new URL(second.body.data.avatar_url).pathname)).status).toBe(200);
    expect((await test.visitor().get(new URL(second.body.data.avatar_url).pathname)).status).toBe(401);
    expect((await page.remove(`/api/users/${page.user_id}/avatar`)).status).toBe(204);
    expect((await page.get(new URL(second.body.data.avatar_url).pathname)).status).toBe(404);
    expect((await page.get('/api/users/me')).body.data).not.toHaveProperty('avatar_url');
    const left = await test.database.db.query(sql`select 1 from user_avatars where user_id = ${page.user_id}`);
    expect(left).toEqual([]);
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  it.each([
    ['an SVG', 'me.svg', svg], ['an SVG named PNG', 'me.png', svg],
    ['HTML', 'me.html', Buffer.from('<script>1</script>')],
    ['HTML named JPG', 'me.jpg', Buffer.from('<html></html>')], ['nothing', 'me.png', Buffer.alloc(0)],
    ['only the first bytes of a PNG', 'me.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])],
    ['a JPEG that ends early', 'me.jpg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(64)])],
  ])('refuses %s at the field', async (_, name, content) => {
    const page = await test.signedIn('customer');
    const answer = await send(page, page.user_id, content, name);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['avatar']]);
    expect((await page.get('/api/users/me')).body.data.avatar_file_name).toBeNull();
  });

  it('refuses a pixel bomb, a speck and a file over the limit', async () => {
    const page = await test.signedIn('customer');
    // A small PNG whose head promises 12,000 × 12,000 pixels.
    const bomb = await picture(60, 60).png().toBuffer();
    bomb.writeUInt32BE(12_000, 16);
    bomb.writeUInt32BE(12_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    expect((await send(page, page.user_id, bomb)).body.errors.avatar[0]).toMatch(/144 million pixels/);
    const speck = await picture(10, 200).png().toBuffer();
    expect((await send(page, page.user_id, speck)).body.errors.avatar[0]).toMatch(/at least 48/);
    const large = Buffer.concat([await picture(80, 80).png().toBuffer(), Buffer.alloc(6 * 1024 * 1024)]);
    expect((await send(page, page.user_id, large)).status).toBe(413);
  });

  it('of others need user.manage_avatar', async () => {
    const whom = await test.signedIn('staff_user');
    const image = await picture(60, 60).png().toBuffer();
    const without = await test.signedIn('staff_user', { permissions: ['user.update'] });
    const having = await test.signedIn('staff_user', { permissions: ['user.manage_avatar'] });
    expect((await send(without, whom.user_id, image)).status).toBe(404);
    expect((await send(having, whom.user_id, image)).status).toBe(201);
  });
});
