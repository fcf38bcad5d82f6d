import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { confirmedPeople, TEST_PASSWORD, testApp, type Browser } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/principals.ts';

const test = testApp();
const signedIn = confirmedPeople(test);
const PASSWORD = 'stage left in the rain';
type Person = Browser & { user_id: number; email: string };
interface House { id: number; admin: Person; signer: Person; member: Person; home: string }

let houses = 0;
async function house(): Promise<House> {
  houses += 1;
  const id = await makeCustomer(test, `Riverside Players ${houses}`);
  const as = (role: string) => signedIn('customer', { customers: [{ id, role }] });
  return { id, admin: await as('admin'), signer: await as('signer'), member: await as('member'),
    home: `/api/customers/${id}` };
}

interface MailRow { template: string; subject: string; body_text: string }
const mailsTo = (email: string): Promise<MailRow[]> => test.database.db.query<MailRow>(sql`
  select template, subject, body_text from mail_outbox where ${email} = any (recipients) order by id`);
const lastMail = async (email: string): Promise<MailRow> => (await mailsTo(email)).at(-1)!;
const linkIn = (mail: MailRow, path: string): string => new RegExp(`${path}/(\\S+)`).exec(mail.body_text)![1]!;
const rolesOf = async (customerId: number): Promise<string[]> => (await test.database.db.query<{ role: string }>(sql`
  select role from customer_users where customer_id = ${customerId} order by role`)).map((row) => row.role);

async function guest(): Promise<Browser> {
  const page = test.visitor();
  await page.get('/sanctum/csrf-cookie');
  return page;
}

async function signIn(email: string, password = PASSWORD): Promise<Browser> {
  const page = await guest();
  expect((await page.post('/api/auth/login', { email, password })).status).toBe(200);
  return page;
}

const newcomer = (email: string, organisation: string) => ({ first_name: 'Nora', last_name: 'Vance', email,
  organisation, password: PASSWORD, password_confirmation: PASSWORD });

async function register(email: string, organisation: string): Promise<Browser> {
  const page = await guest();
  expect((await page.post('/api/auth/register', newcomer(email, organisation))).status).toBe(202);
  const token = linkIn(await lastMail(email), 'verify-email');
  expect((await page.post('/api/auth/email/verify', { token })).status).toBe(204);
  return signIn(email);
}

describe('people of a customer', () => {
  it('show to every member; only admins change them, whatever the call', async () => {
    const { admin, signer, member, home, id } = await house();
    for (const person of [admin, signer, member]) {
      const answer = await person.get(`${home}/users`);
      expect(answer.body.data.map((row: { role: string }) => row.role).toSorted())
        .toEqual(['admin', 'member', 'signer']);
    }
    const calls: [string, string, unknown][] = [
      ['POST', '/users', { email: 'x@y.example', role: 'member' }],
      ['PUT', `/users/${member.user_id}`, { role: 'admin' }],
      ['DELETE', `/users/${admin.user_id}`, undefined], ['GET', '/invitations', undefined],
      ['GET', '/join_requests', undefined], ['PUT', '/join_requests/1', { decision: 'accept' }],
      ['GET', '/user_events', undefined], ['DELETE', '/invitations/1', undefined],
    ];
    for (const person of [signer, member]) {
      for (const [method, path, body] of calls) {
        expect((await person.call(method, home + path, { body })).status, `${method} ${path}`).toBe(403);
      }
    }
    const other = await house();
    for (const [method, path, body] of calls) {
      expect((await other.admin.call(method, home + path, { body })).status, `${method} ${path}`).toBe(404);
    }
    expect(await rolesOf(id)).toEqual(['admin', 'member', 'signer']);
  });

  it('a role changes on the next request, is told by mail and stands in the activity', async () => {
    const { admin, member, home } = await house();
    const answer = await admin.put(`${home}/users/${member.user_id}`, { role: 'admin' });
    expect(answer.body.data).toMatchObject({ id: member.user_id, role: 'admin' });
    expect((await member.get(`${home}/invitations`)).status).toBe(200);
    expect(await lastMail(member.email)).toMatchObject({ template: 'people.role_changed',
      body_text: expect.stringContaining('admin (applies, signs, pays and manages users)') });
    const events = await admin.get(`${home}/user_events`);
    expect(events.body.data[0]).toMatchObject({ action: 'change_user_role', role_before: 'member',
      role_after: 'admin', actor: expect.stringContaining('Test Person') });
  });

  it('the last admin stays: neither detached nor lowered, by themselves or by staff', async () => {
    const { admin, member, home, id } = await house();
    const staff = await signedIn('staff_admin');
    const refused = [await admin.remove(`${home}/users/${admin.user_id}`),
      await admin.put(`${home}/users/${admin.user_id}`, { role: 'member' }),
      await staff.remove(`/api/admin/staff/customers/${id}/users/${admin.user_id}`),
      await staff.put(`/api/admin/staff/customers/${id}/users/${admin.user_id}/role`, { role: 'signer' })];
    expect(refused.map((one) => [one.status, one.body.code])).toEqual(
      refused.map(() => [409, 'customer.last_admin']));
    expect((await admin.remove(`${home}/users/${member.user_id}`)).status).toBe(204);
    expect(await lastMail(member.email)).toMatchObject({ template: 'people.removed' });
    expect((await member.get(`${home}/users`)).status).toBe(404);
  });

  it('of 32 admins who remove each other at once, at least one is left', { timeout: 180_000 }, async () => {
    const id = await makeCustomer(test, 'Thirty-two Admins');
    const people: Person[] = [];
    for (let n = 0; n < 32; n += 1) {
      people.push(await signedIn('customer', { customers: [{ id, role: 'admin' }] }));
    }
    const answers = await Promise.all(people.map((person, n) =>
      person.remove(`/api/customers/${id}/users/${people[(n + 1) % people.length]!.user_id}`)));
    const left = await rolesOf(id);
    expect(left.length).toBeGreaterThan(0);
    expect(new Set(left)).toEqual(new Set(['admin']));
    // Admins who had been removed by then removed nobody: 403, or 404 if the request came in after the removal.
    const removed = answers.filter((answer) => answer.status === 204).length;
    expect(removed).toBe(32 - left.length);
    expect(answers.every(({ status }) => [204, 403, 404, 409].includes(status))).toBe(true);
  });

  it('of two admins who remove each other at once one is left, in sixteen houses at a time', { timeout: 180_000 },
    async () => {
      const pairs: { id: number; people: [Person, Person] }[] = [];
      for (let n = 0; n < 16; n += 1) {
        const id = await makeCustomer(test, `Two Admins ${n}`);
        const as = () => signedIn('customer', { customers: [{ id, role: 'admin' }] });
        pairs.push({ id, people: [await as(), await as()] });
      }
      const answers = await Promise.all(pairs.flatMap(({ id, people: [one, other] }) => [
        one.remove(`/api/customers/${id}/users/${other.user_id}`),
        other.remove(`/api/customers/${id}/users/${one.user_id}`)]));
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(16);
      for (const { id } of pairs) expect(await rolesOf(id)).toEqual(['admin']);
    });

  it('while a system administrator acts for the customer, people can be read', async () => {
    const { id, home } = await house();
    const page = await signedIn('system_admin');
    await test.database.db.exec(sql`update sessions set acting_customer_id = ${id}, acting_until = '2100-01-01'
      where user_id = ${page.user_id}`);
    expect((await page.get(`${home}/users`)).body.data).toHaveLength(3);
  });
});

describe('invitations', () => {
  const invite = (admin: Browser, home: string, email: string, role = 'signer') =>
    admin.post(`${home}/users`, { email, role });
  const joinBody = { first_name: 'Ivo', last_name: 'Marsh', password: PASSWORD, password_confirmation: PASSWORD };

  it('answer the same for an address with an account and one without', async () => {
    const { admin, home } = await house();
    const known = await signedIn('customer');
    const answers = [await invite(admin, home, known.email.toUpperCase()),
      await invite(admin, home, 'new@inv.example')];
    expect(answers.map((one) => one.status)).toEqual([202, 202]);
    const shape = (body: { data: object }) => Object.keys(body.data).toSorted();
    expect(shape(answers[0]!.body)).toEqual(shape(answers[1]!.body));
    const subjects = [(await lastMail(known.email)).subject, (await lastMail('new@inv.example')).subject];
    expect(subjects[0]).toBe(subjects[1]);
    expect((await admin.get(`${home}/invitations`)).body.data).toHaveLength(2);
  });

  it('someone new joins with name and password, verified, in the role of the invitation, once', async () => {
    const { admin, home, id } = await house();
    await invite(admin, home, 'ivo@inv.example');
    const token = linkIn(await lastMail('ivo@inv.example'), 'join');
    const page = await guest();
    expect((await page.get(`/api/auth/invitations/${token}`)).body.data).toMatchObject({ role: 'signer',
      email: 'ivo@inv.example', has_account: false });
    const weak = { ...joinBody, password: 'short' };
    expect((await page.post(`/api/auth/invitations/${token}/join`, weak)).status).toBe(422);
    const both = await Promise.all([1, 2].map(async () =>
      (await guest()).post(`/api/auth/invitations/${token}/join`, joinBody)));
    expect(both.map((one) => one.status).toSorted()).toEqual([201, 404]);
    const ivo = await signIn('ivo@inv.example');
    expect((await ivo.get('/api/users/me')).body.data.customers).toMatchObject([{ id, role: 'signer' }]);
    expect((await lastMail(admin.email)).template).toBe('people.joined');
    expect((await page.get(`/api/auth/invitations/${token}`)).status).toBe(404);
  });

  it('someone with an account accepts signed in under that address, nobody else can', async () => {
    const { admin, home, id } = await house();
    const known = await signedIn('customer');
    const stranger = await signedIn('customer');
    await invite(admin, home, known.email, 'member');
    const token = linkIn(await lastMail(known.email), 'join');
    const link = `/api/auth/invitations/${token}`;
    expect((await (await guest()).post(`${link}/accept`)).status).toBe(401);
    expect((await stranger.post(`${link}/accept`)).body.code).toBe('invitation.other_account');
    expect((await (await guest()).post(`${link}/join`, joinBody)).body.code).toBe('invitation.has_account');
    expect((await known.post(`${link}/accept`)).status).toBe(200);
    expect((await known.get(`${home}/users`)).status).toBe(200);
    expect(await rolesOf(id)).toEqual(['admin', 'member', 'member', 'signer']);
    expect((await invite(admin, home, known.email)).body.errors.email).toEqual(
      ['This person belongs to the organization already']);
  });

  it('an address of staff is told on the page, never to the inviter', async () => {
    const { admin, home } = await house();
    const staff = await signedIn('staff_admin');
    expect((await invite(admin, home, staff.email)).status).toBe(202);
    const token = linkIn(await lastMail(staff.email), 'join');
    expect((await staff.post(`/api/auth/invitations/${token}/accept`)).body.code).toBe('invitation.not_a_customer');
  });

  it('expired, revoked, renewed and invented links are all the same to whoever holds them', async () => {
    const { admin, home } = await house();
    const read = async (token: string) => (await (await guest()).get(`/api/auth/invitations/${token}`)).status;
    await invite(admin, home, 'late@inv.example');
    const first = linkIn(await lastMail('late@inv.example'), 'join');
    const [row] = (await admin.get(`${home}/invitations`)).body.data;
    expect((await admin.put(`${home}/invitations/${row.id}/resend`)).status).toBe(200);
    const second = linkIn(await lastMail('late@inv.example'), 'join');
    expect([await read(first), await read(second), await read('invented')]).toEqual([404, 200, 404]);
    test.clock.set('2026-11-27T15:00:01Z');
    expect(await read(second)).toBe(404);
    test.clock.set('2026-11-20T15:00:00Z');
    const other = await house();
    expect((await other.admin.remove(`${other.home}/invitations/${row.id}`)).status).toBe(404);
    expect((await admin.remove(`${home}/invitations/${row.id}`)).status).toBe(204);
    expect(await read(second)).toBe(404);
    expect((await admin.get(`${home}/invitations`)).body.data).toEqual([]);
  });

  it('declined by whoever got it, told to the admins', async () => {
    const { admin, home } = await house();
    await invite(admin, home, 'no@inv.example');
    const token = linkIn(await lastMail('no@inv.example'), 'join');
    expect((await (await guest()).post(`/api/auth/invitations/${token}/decline`)).status).toBe(204);
    expect((await lastMail(admin.email)).template).toBe('people.invitation_declined');
  });

  it('inviting the same address at the same time leaves one invitation with the last link working', async () => {
    const { admin, home } = await house();
    const answers = await Promise.all([1, 2, 3, 4].map(() => invite(admin, home, 'twice@inv.example')));
    expect(answers.map((one) => one.status)).toEqual([202, 202, 202, 202]);
    expect((await admin.get(`${home}/invitations`)).body.data).toHaveLength(1);
    const tokens = (await mailsTo('twice@inv.example')).map((mail) => linkIn(mail, 'join'));
    const page = await guest();
    const alive = await Promise.all(tokens.map(async (token) =>
      (await page.get(`/api/auth/invitations/${token}`)).status));
    expect(alive.filter((status) => status === 200)).toHaveLength(1);
  });
});

describe('signing up for an organisation', () => {
  it('a known one asks its admins once the address is verified; accepted, the person is in', async () => {
    const { admin, id, home } = await house();
    const { name } = await test.database.db.one<{ name: string }>(sql`select name from customers where id = ${id}`);
    const page = await guest();
    const email = 'nora@join.example';
    await page.post('/api/auth/register', newcomer(email, `  ${name.toUpperCase()} `));
    expect((await admin.get(`${home}/join_requests`)).body.data).toEqual([]);
    expect(await mailsTo(admin.email)).toEqual([]);
    await page.post('/api/auth/email/verify', { token: linkIn(await lastMail(email), 'verify-email') });
    expect((await lastMail(admin.email)).template).toBe('people.join_request');
    const nora = await signIn(email);
    expect((await nora.get('/api/users/me')).body.data.customers).toEqual([]);
    expect((await nora.get(`${home}/licenses`)).status).toBe(404);

    const [request] = (await admin.get(`${home}/join_requests`)).body.data;
    expect(request).toMatchObject({ email, first_name: 'Nora' });
    const decide = (decision: string) => admin.put(`${home}/join_requests/${request.id}`, { decision, role: 'signer' });
    const answers = await Promise.all([decide('accept'), decide('refuse')]);
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 404]);
    const won = answers[0]!.status === 200;
    expect((await lastMail(email)).template).toBe(won ? 'people.join_accepted' : 'people.join_refused');
    expect((await nora.get(`${home}/licenses`)).status).toBe(won ? 200 : 404);
  });

  it('a request is accepted with the role that the admin chose, and refused ones hear of it', async () => {
    const { admin, id, home } = await house();
    const { name } = await test.database.db.one<{ name: string }>(sql`select name from customers where id = ${id}`);
    const yes = await register('yes@join.example', name);
    await register('no@join.example', name);
    const requests = (await admin.get(`${home}/join_requests`)).body.data as { id: number; email: string }[];
    const idOf = (email: string) => requests.find((row) => row.email === email)!.id;
    await admin.put(`${home}/join_requests/${idOf('yes@join.example')}`, { decision: 'accept', role: 'signer' });
    await admin.put(`${home}/join_requests/${idOf('no@join.example')}`, { decision: 'refuse' });
    expect((await yes.get('/api/users/me')).body.data.customers).toMatchObject([{ id, role: 'signer' }]);
    expect((await lastMail('no@join.example')).template).toBe('people.join_refused');
    expect((await admin.get(`${home}/join_requests`)).body.data).toEqual([]);
  });

  it('an unknown one becomes a pending customer that staff confirm, and its people hear of it', async () => {
    const nell = await register('nell@unknown.example', 'The Unheard-of Company');
    const [own] = (await nell.get('/api/users/me')).body.data.customers;
    expect(own).toMatchObject({ name: 'The Unheard-of Company', role: 'admin', status: 'pending' });
    expect((await nell.get(`/api/customers/${own.id}/shows`)).status).toBe(200);
    const staff = await signedIn('staff_user',
      { permissions: ['customer.list', 'customer.show', 'customer.update'] });
    const list = await staff.get('/api/admin/staff/customers?status=pending&per_page=100');
    expect(list.body.data.some((row: { id: number }) => row.id === own.id)).toBe(true);
    expect((await staff.put(`/api/admin/staff/customers/${own.id}/activate`, {})).status).toBe(200);
    expect((await lastMail('nell@unknown.example')).template).toBe('customer.confirmed');
  });

  it('staff decline a pending one with a reason, and only a pending one', async () => {
    const page = await register('spam@unknown.example', 'Not a theatre');
    const [own] = (await page.get('/api/users/me')).body.data.customers;
    const staff = await signedIn('staff_admin');
    const path = `/api/admin/staff/customers/${own.id}/decline`;
    expect((await staff.put(path, { version: 1, reason: ' ' })).body.errors.reason).toEqual(
      ['Give a reason: it is emailed to them']);
    expect((await staff.put(path, { version: 9, reason: 'x' })).status).toBe(412);
    expect((await staff.put(path, { version: 1, reason: 'We license to theatres only.' })).status).toBe(200);
    expect((await lastMail('spam@unknown.example')).body_text).toContain('We license to theatres only.');
    expect((await staff.put(path, { version: 2, reason: 'again' })).body.code).toBe('customer.not_pending');
  });

  it('staff fold a pending one into the customer it is: people and applications go over', async () => {
    const { id, home } = await house();
    const nora = await register('nora@merge.example', 'Riverside Group under another name');
    const [own] = (await nora.get('/api/users/me')).body.data.customers;
    await test.database.db.exec(sql`
      insert into license_applications (customer_id, source, division, category, currency)
      values (${own.id}, 'portal', 'US', 'Amateur', 'USD')`);
    await test.database.db.exec(sql`
      insert into tax_exemption_certificates (customer_id, country, state, kind, number, valid_from)
      values (${own.id}, 'US', 'OH', 'school', 'OH-77', '2026-01-01')`);
    await test.database.db.exec(sql`
      insert into customer_shipping_addresses (customer_id, label, address, is_default)
      select ${own.id}, 'Loading dock', '{"thoroughfare": "1 Main St", "locality": "Dayton",
        "administrative_area": "OH", "postal_code": "45402", "country_code": "US"}'::jsonb, true`);
    await test.database.db.exec(sql`
      insert into customer_change_requests (customer_id, changes, old_values, summary, asked_by_id)
      select ${own.id}, '{"name": "x"}', '{"name": "y"}', 'Name', user_id from customer_users
      where customer_id = ${own.id}`);
    expect(own.asks_details).toBe(true);
    const staff = await signedIn('staff_admin');
    const merge = (into: number) => staff.post(`/api/admin/staff/customers/${own.id}/merge`,
      { version: 1, into_customer_id: into, role: 'signer' });
    expect((await merge(own.id)).body.errors.into_customer_id).toEqual(['Choose another customer']);
    expect((await merge(id)).status).toBe(200);
    expect((await nora.get('/api/users/me')).body.data.customers).toMatchObject([{ id, role: 'signer' }]);
    expect((await nora.get(`${home}/license-applications`)).body.data).toHaveLength(1);
    expect(await test.database.db.query(sql`select number, status from tax_exemption_certificates
      where customer_id = ${id}`)).toEqual([{ number: 'OH-77', status: 'pending' }]);
    expect(await test.database.db.query(sql`select label from customer_shipping_addresses
      where customer_id = ${id} and not is_default`)).toEqual([{ label: 'Loading dock' }]);
    expect(await test.database.db.query(sql`select status from customer_change_requests
      where customer_id = ${own.id}`)).toEqual([{ status: 'withdrawn' }]);
    expect((await staff.get(`/api/admin/staff/customers/${own.id}`)).status).toBe(404);
    expect((await lastMail('nora@merge.example')).template).toBe('customer.merged');
  });

  it('names never become headers of a mail, and cannot dress up as something else', async () => {
    const page = await guest();
    for (const first_name of ['Ann\r\nBcc: all@world.example', 'Ann\u0007', 'Ann\u0000']) {
      const answer = await page.post('/api/auth/register', { ...newcomer('ann@naughty.example', 'House'), first_name });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual(['first_name']);
    }
    const { admin, id, home } = await house();
    // Staff may have stored such a name long ago: the mail holds one plain line all the same.
    await test.database.db.exec(sql`update customers set name = ${'Night\u202Elaw\r\nBcc: all@world.example'}
      where id = ${id}`);
    expect((await admin.post(`${home}/users`, { email: 'fine@naughty.example', role: 'member' })).status).toBe(202);
    const { subject } = await lastMail('fine@naughty.example');
    expect(subject).toBe('Night law Bcc: all@world.example invites you to Grand Rights');
  });
});

describe('staff and a customer\'s people', () => {
  it('invite, decide about requests and see one person, each with its permission', async () => {
    const { id, member } = await house();
    const { name } = await test.database.db.one<{ name: string }>(sql`select name from customers where id = ${id}`);
    await register('asks@staffside.example', name);
    const staff = await signedIn('staff_user', { permissions: ['customer.manage_users', 'user.show'] });
    const path = `/api/admin/staff/customers/${id}`;
    expect((await staff.post(`${path}/invitations`, { email: 'x@staffside.example', role: 'admin' })).status).toBe(202);
    expect((await staff.get(`${path}/invitations`)).body.data).toMatchObject([{ email: 'x@staffside.example' }]);
    const [request] = (await staff.get(`${path}/join_requests`)).body.data;
    expect((await staff.put(`${path}/join_requests/${request.id}`, { decision: 'accept', role: 'member' })).status)
      .toBe(200);
    const shown = await staff.get(`${path}/users/${member.user_id}`);
    expect(shown.body.data).toMatchObject({ email: member.email, houses: [{ id, role: 'member' }] });
    expect((await staff.get(`${path}/users/${staff.user_id}`)).status).toBe(404);
    expect((await (await signedIn('staff_user')).get(`${path}/users/${member.user_id}`)).status).toBe(403);
  });

  it('attaching tells the person by mail', async () => {
    const { id } = await house();
    const staff = await signedIn('staff_admin');
    const person = await signedIn('customer');
    await staff.post(`/api/admin/staff/customers/${id}/users`, { user_id: person.user_id, role: 'member' });
    expect((await lastMail(person.email)).template).toBe('people.added');
    expect(TEST_PASSWORD).not.toBe(PASSWORD);
  });
});
