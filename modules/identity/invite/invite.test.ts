import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { confirmedPeople, testApp, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const signedIn = confirmedPeople(test);
const PATH = '/api/admin/staff/invites';
let admin: SignedIn;
beforeAll(async () => { admin = await signedIn('staff_admin'); });

const tokenTo = async (email: string): Promise<string> => {
  const mail = await test.database.db.one<{ body_text: string }>(sql`
    select body_text from mail_outbox where ${email} = any (recipients) order by id desc limit 1`);
  return /register-staff\/create\/(\S+)/.exec(mail.body_text)![1]!;
};
const read = async (token: string) => test.visitor().get(`/api/auth/staff-invites/${token}`);
const accept = async (token: string, extra: object = {}) => {
  const guest = test.visitor();
  await guest.get('/sanctum/csrf-cookie');
  const password = 'half a league onward';
  const answer = await guest.post('/api/auth/register-staff', { token, first_name: 'Nell', last_name: 'Gwyn', password,
    password_confirmation: password, ...extra });
  return { answer, guest, password };
};
const states = async (): Promise<Record<string, string>> => Object.fromEntries(
  (await admin.get(`${PATH}?per_page=100`)).body.data.map((row: { email: string; status: string }) =>
    [row.email, row.status]));

describe('inviting', () => {
  it('several at once, in a role with groups; the person arrives with both, once', async () => {
    const group = await admin.post('/api/admin/staff/groups',
      { name: 'Box office', permission_values: ['venue.list'] });
    const sent = await admin.post(PATH, { emails: ['Ada@house.example', 'ben@house.example', 'ada@house.example'],
      role: 'staff_user', staff_group_ids: [group.body.data.id], note: 'Welcome.' });
    expect([sent.status, sent.body.data.map((row: { email: string }) => row.email)])
      .toEqual([201, ['ada@house.example', 'ben@house.example']]);
    const token = await tokenTo('ada@house.example');
    expect((await read(token)).body.data).toEqual({ email: 'ada@house.example', role: 'staff_user' });
    const { answer, guest, password } = await accept(token, { email: 'other@house.example' });
    expect(answer.status).toBe(201);
    await guest.post('/api/auth/login', { email: 'ada@house.example', password });
    expect((await guest.get('/api/users/me')).body.data)
      .toMatchObject({ role: 'staff_user', permission_values: ['venue.list'] });
    expect((await accept(token)).answer.status).toBe(404);
    expect(await states()).toMatchObject({ 'ada@house.example': 'accepted', 'ben@house.example': 'pending' });
  });

  it('tells the staff, at the field, why an address cannot be invited, and sends nothing', async () => {
    const customer = await signedIn('customer');
    await admin.post(PATH, { email: 'twice@house.example', role: 'staff_user' });
    const answer = await admin.post(PATH, { role: 'staff_user',
      emails: ['fresh@house.example', admin.email, customer.email, 'twice@house.example'] });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.emails.sort()).toEqual([
      `${admin.email} is on the staff already.`,
      `${customer.email} is the sign-in of a customer. Invite another address of this person.`,
      'twice@house.example has an open invitation. Send that one again.',
    ].sort());
    expect(await states()).not.toHaveProperty('fresh@house.example');
    expect((await admin.post(PATH, { role: 'staff_user', emails: ['no address'] })).status).toBe(422);
    expect((await admin.post(PATH, { role: 'staff_user' })).body.errors).toHaveProperty('emails');
    // To whoever is not invited, a made-up link says nothing of anybody.
    expect((await read('made-up')).body.message).toBe('This invitation is no longer valid.');
  });

  it('sends again with a new link, also when it has expired; revoked ones stay revoked', async () => {
    const { id } = (await admin.post(PATH, { email: 'slow@house.example', role: 'staff_user' })).body.data[0];
    const first = await tokenTo('slow@house.example');
    test.clock.set('2026-11-27T15:00:01Z');
    admin = await signedIn('staff_admin');
    expect((await read(first)).status).toBe(404);
    expect((await states())['slow@house.example']).toBe('expired');
    expect((await accept(first)).answer.status).toBe(404);
    const again = await admin.post(`${PATH}/${id}/resend`);
    expect(again.body.data).toMatchObject({ status: 'pending', sent_times: 2 });
    const second = await tokenTo('slow@house.example');
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);
    expect((await admin.remove(`${PATH}/${id}`)).status).toBe(204);
    expect((await read(second)).status).toBe(404);
    expect((await admin.post(`${PATH}/${id}/resend`)).body.code).toBe('staff_invite.revoked');
    expect((await admin.post(PATH, { email: 'slow@house.example', role: 'staff_user' })).status).toBe(201);
    test.clock.set('2026-11-20T15:00:00Z');
    admin = await signedIn('staff_admin');
  });

  it('nobody invites someone above themselves, or into a group with rights that they lack', async () => {
    const clerk = await signedIn('staff_user', { permissions: ['staff_invite.create', 'staff_invite.list'] });
    const group = await admin.post('/api/admin/staff/groups', { name: 'Vault', permission_values: ['payment.create'] });
    const send = (body: object) => clerk.post(PATH, { email: 'up@house.example', role: 'staff_user', ...body });
    expect((await send({ role: 'staff_admin' })).body.errors).toHaveProperty('role');
    expect((await send({ staff_group_ids: [group.body.data.id] })).body.errors).toHaveProperty('staff_group_ids');
    expect((await admin.post(PATH, { email: 'up@house.example', role: 'system_admin' })).body.errors)
      .toHaveProperty('role');
    expect((await send({})).status).toBe(201);
    expect((await clerk.get(`${PATH}/1`)).status).toBe(403);
  });

  it('two who open one link at once become one person', async () => {
    await admin.post(PATH, { email: 'race@house.example', role: 'staff_user' });
    const token = await tokenTo('race@house.example');
    const both = await Promise.all([accept(token), accept(token)]);
    expect(both.map(({ answer }) => answer.status).sort()).toEqual([201, 404]);
  });
});
