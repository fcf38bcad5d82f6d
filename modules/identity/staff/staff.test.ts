import { beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS, type Permission } from '#kit/permission.ts';
import { sql } from '#server/sql.ts';
import { confirmedPeople, TEST_PASSWORD, testApp, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const signedIn = confirmedPeople(test);
const USERS = '/api/admin/staff/users';
const GROUPS = '/api/admin/staff/groups';
let admin: SignedIn;
let system: SignedIn;
beforeAll(async () => {
  admin = await signedIn('staff_admin');
  system = await signedIn('system_admin');
});

const show = async (id: number) => (await admin.get(`${USERS}/${id}`)).body.data;
const roleOf = async (by: SignedIn, id: number, role: string) => {
  const { version } = (await system.get(`${USERS}/${id}`)).body.data;
  return by.put(`${USERS}/${id}/role`, { role, version });
};
const activity = async (path: string): Promise<string[]> =>
  (await admin.get(`${path}/activity`)).body.data.map((row: { action: string }) => row.action);

describe('the staff', () => {
  it('are listed by name, found by search, role, group and state; customers are not among them', async () => {
    const person = await signedIn('staff_user', { permissions: ['venue.list'] });
    const customer = await signedIn('customer');
    await test.database.db.exec(sql`update users set first_name = 'Renée', last_name = 'Aaron', job_title = 'Archivist'
      where id = ${person.user_id}`);
    const ids = async (query: string): Promise<number[]> =>
      (await admin.get(`${USERS}?per_page=100&${query}`)).body.data.map((row: { id: number }) => row.id);
    expect(await ids('search=renee+aaron')).toEqual([person.user_id]);
    expect(await ids('search=archivist')).toEqual([person.user_id]);
    const { groups } = await show(person.user_id);
    expect(await ids(`group_id=${groups[0].id}`)).toEqual([person.user_id]);
    expect((await ids('role=system_admin'))).toContain(system.user_id);
    const all = await ids('');
    expect(all).not.toContain(customer.user_id);
    expect(all[0]).toBe(person.user_id);
    expect((await admin.get(`${USERS}/${customer.user_id}`)).status).toBe(404);
  });

  it('[S107] [C48] the latest are five, by created_at descending', async () => {
    for (let day = 1; day <= 6; day += 1) {
      const person = await signedIn('staff_user');
      await test.database.db.exec(sql`update users set created_at = ${`2030-01-0${day}T00:00:00Z`}
        where id = ${person.user_id}`);
    }
    const { data } = (await admin.get(`${USERS}/latest`)).body;
    expect(data.map((row: { created_at: string }) => row.created_at.slice(0, 10)))
      .toEqual(['2030-01-06', '2030-01-05', '2030-01-04', '2030-01-03', '2030-01-02']);
  });

  it('[C84] roles of type staff say who may give them', async () => {
    const given = async (by: SignedIn) => (await by.get('/api/admin/staff/roles?type=staff')).body.data
      .filter((row: { grantable: boolean }) => row.grantable).map((row: { value: string }) => row.value);
    expect(await given(system)).toEqual(['system_admin', 'staff_admin', 'staff_user']);
    expect(await given(admin)).toEqual(['staff_admin', 'staff_user']);
    expect(await given(await signedIn('staff_user', { permissions: ['super'] }))).toEqual(['staff_user']);
    expect((await admin.get('/api/admin/staff/roles?type=customer')).status).toBe(422);
  });

  it('are added with a link to choose a password, which also verifies the address', async () => {
    const body = { email: 'New.Hand@house.example', first_name: 'New', last_name: 'Hand', role: 'staff_user' };
    const made = await admin.post(USERS, body);
    expect([made.status, made.body.data.email]).toEqual([201, 'new.hand@house.example']);
    expect((await admin.post(USERS, body)).body.errors).toHaveProperty('email');
    const mail = await test.database.db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where 'new.hand@house.example' = any (recipients)`);
    const token = /password-reset\/([^?]+)/.exec(mail.body_text)![1]!;
    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    const password = 'curtain up at half past seven';
    const chosen = await guest.post('/api/auth/reset-password',
      { token, email: 'new.hand@house.example', password, password_confirmation: password });
    expect(chosen.status).toBe(200);
    await guest.post('/api/auth/login', { email: 'new.hand@house.example', password });
    expect((await guest.get('/api/users/me')).body.data.email_verified_at).not.toBeNull();
  });

  it('see their own record and change their own settings without a right; others\' need one', async () => {
    const person = await signedIn('staff_user');
    const other = await signedIn('staff_user');
    const own = await person.get(`${USERS}/${person.user_id}`);
    expect(own.body.data).toMatchObject({ id: person.user_id, above: null });
    expect((await person.get(`${USERS}/${other.user_id}`)).status).toBe(403);
    const settings = { job_title: ' Librarian ', start_page: '/admin/customers', version: own.body.data.version };
    const saved = await person.put(`${USERS}/${person.user_id}/settings`, settings);
    expect(saved.body.data).toMatchObject({ job_title: 'Librarian', start_page: '/admin/customers' });
    expect((await person.put(`${USERS}/${person.user_id}/settings`, settings)).status).toBe(412);
    expect((await person.put(`${USERS}/${other.user_id}/settings`, { version: 1 })).status).toBe(403);
    const bad = await admin.put(`${USERS}/${person.user_id}/settings`, { start_page: '//evil.example', version: 2 });
    expect(bad.body.errors).toHaveProperty('start_page');
    // Without customer.list the page would refuse them: they begin at the dashboard.
    expect((await person.get('/api/users/me')).body.data.start_page).toBeNull();
  });
});

describe('roles', () => {
  it('need the right and a confirmation, and hold on the person\'s next request', async () => {
    const person = await signedIn('staff_user');
    expect((await person.get(GROUPS)).status).toBe(403);
    const early = await roleOf(await test.signedIn('staff_admin'), person.user_id, 'staff_admin');
    expect([early.status, early.body.code]).toEqual([423, 'confirmation_required']);
    expect((await roleOf(admin, person.user_id, 'staff_admin')).body.data.role).toBe('staff_admin');
    expect((await person.get(GROUPS)).status).toBe(200);
    expect((await roleOf(admin, person.user_id, 'staff_user')).status).toBe(200);
    expect((await person.get(GROUPS)).status).toBe(403);
    expect(await activity(`${USERS}/${person.user_id}`)).toEqual(['change_role', 'change_role']);
  });

  it('nobody gives one above their own, takes one from above, or changes their own', async () => {
    const person = await signedIn('staff_user');
    const clerk = await signedIn('staff_user', { permissions: ['user.manage_role', 'user.show'] });
    for (const who of [admin, clerk, system]) await who.confirm();
    const above = await roleOf(admin, person.user_id, 'system_admin');
    expect([above.status, Object.keys(above.body.errors)]).toEqual([422, ['role']]);
    expect((await roleOf(clerk, person.user_id, 'staff_admin')).body.errors).toHaveProperty('role');
    expect((await roleOf(admin, system.user_id, 'staff_user')).status).toBe(403);
    expect((await roleOf(clerk, admin.user_id, 'staff_user')).status).toBe(403);
    for (const who of [admin, clerk, system]) {
      expect((await roleOf(who, who.user_id, 'staff_user')).status, who.email).toBe(403);
    }
    expect((await roleOf(admin, person.user_id, 'customer')).status).toBe(422);
  });

  it('the last system administrator stays, also when two remove each other at once', async () => {
    await test.database.db.exec(sql`update users set disabled_at = now() where role = 'system_admin'
      and id <> ${system.user_id}`);
    const second = await signedIn('system_admin');
    await system.confirm();
    await second.confirm();
    const both = await Promise.all([roleOf(system, second.user_id, 'staff_user'),
      roleOf(second, system.user_id, 'staff_user')]);
    expect(both.map((answer) => answer.status).sort()).not.toEqual([200, 200]);
    const left = await test.database.db.one<{ n: number }>(sql`
      select count(*)::int as n from users where role = 'system_admin' and disabled_at is null`);
    expect(left.n).toBe(1);
    await test.database.db.exec(sql`update users set role = 'system_admin' where id = ${system.user_id}`);
    await test.database.db.exec(sql`update users set role = 'staff_user' where id = ${second.user_id}`);
  });
});

describe('deactivation', () => {
  it('ends the sessions, keeps the history, and can be taken back', async () => {
    const person = await signedIn('staff_admin');
    const invited = await person.post('/api/admin/staff/invites', { email: 'late@house.example', role: 'staff_user' });
    expect((await admin.remove(`${USERS}/${person.user_id}`)).status).toBe(204);
    expect((await person.get('/api/users/me')).status).toBe(401);
    const { data } = (await admin.get(`/api/admin/staff/invites/${invited.body.data[0].id}`)).body;
    expect([data.status, data.invited_by_name]).toEqual(['revoked', `Test ${(await show(person.user_id)).last_name}`]);
    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    const login = () => guest.post('/api/auth/login', { email: person.email, password: TEST_PASSWORD });
    expect((await login()).status).toBe(422);
    const { version, active } = await show(person.user_id);
    expect(active).toBe(false);
    expect((await admin.put(`${USERS}/${person.user_id}/activate`, { version })).body.data.active).toBe(true);
    expect((await login()).status).toBe(200);
    expect(await activity(`${USERS}/${person.user_id}`)).toEqual(['sign_in', 'activate', 'deactivate']);
  });

  it('is refused for oneself, for people above and without user.update', async () => {
    const clerk = await signedIn('staff_user', { permissions: ['user.update'] });
    const shower = await signedIn('staff_user', { permissions: ['user.show'] });
    expect((await admin.remove(`${USERS}/${admin.user_id}`)).status).toBe(403);
    expect((await admin.remove(`${USERS}/${system.user_id}`)).status).toBe(403);
    expect((await clerk.remove(`${USERS}/${admin.user_id}`)).status).toBe(403);
    expect((await shower.remove(`${USERS}/${clerk.user_id}`)).status).toBe(403);
  });
});

describe('groups', () => {
  const make = async (name: string, permission_values: string[] = []) =>
    (await admin.post(GROUPS, { name, permission_values })).body.data;

  it('[R79] [R80] [R81] carry values that exist; the placeholder and unknown ones are refused', async () => {
    const group = await make('Every right', [...PERMISSIONS]);
    expect(group.permission_values).toHaveLength(210);
    for (const value of ['REPLACE', 'venue.fly', 'VENUE.list', '', 'venue']) {
      const answer = await admin.put(`${GROUPS}/${group.id}`, { permission_values: [value], version: 1 });
      expect([answer.status, Object.keys(answer.body.errors)[0]]).toEqual([422, 'permission_values.0']);
    }
    const words = (await admin.get('/api/admin/staff/permissions')).body.data;
    expect(words.map((row: { value: string }) => row.value).sort()).toEqual([...PERMISSIONS].sort());
    expect(words.every((row: { words: string }) => row.words.startsWith('May '))).toBe(true);
  });

  it('a change holds on the next request of someone who is signed in', async () => {
    const person = await signedIn('staff_user');
    const group = await make('Front of house', ['venue.list']);
    const venues = async () => (await person.get('/api/admin/staff/venues')).status;
    expect(await venues()).toBe(403);
    await admin.post(`${GROUPS}/${group.id}/users`, { user_id: person.user_id });
    expect(await venues()).toBe(200);
    const after = await admin.put(`${GROUPS}/${group.id}`, { permission_values: ['customer.list'], version: 1 });
    expect(await venues()).toBe(403);
    expect((await admin.put(`${GROUPS}/${group.id}`, { permission_values: ['venue.list'], version: 1 })).status)
      .toBe(412);
    await admin.put(`${GROUPS}/${group.id}`, { permission_values: ['venue.list'], version: after.body.data.version });
    expect(await venues()).toBe(200);
    await admin.remove(`${GROUPS}/${group.id}/users/${person.user_id}`);
    expect(await venues()).toBe(403);
    const told = (await admin.get(`${GROUPS}/${group.id}/activity`)).body.data;
    expect(told.map((row: { action: string }) => row.action))
      .toEqual(['remove_person', 'update', 'update', 'add_person', 'create']);
    expect(told[2].changes).toEqual([{ field: 'permission_values', before: 'venue.list', after: 'customer.list' }]);
    expect(await activity(`${USERS}/${person.user_id}`)).toEqual(['leave_group', 'join_group']);
  });

  it('are for administrators and super alone, hold only staff, and go when they are empty', async () => {
    const group = await make('Press', ['show.list']);
    const all = PERMISSIONS.filter((value) => value !== 'super');
    const clerk = await signedIn('staff_user', { permissions: all });
    expect((await clerk.get(`${GROUPS}/${group.id}`)).status).toBe(403);
    const sup = await signedIn('staff_user', { permissions: ['super'] });
    expect((await sup.get(`${GROUPS}/${group.id}`)).status).toBe(200);
    const customer = await signedIn('customer');
    const refused = await admin.post(`${GROUPS}/${group.id}/users`, { user_id: customer.user_id });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['user_id']]);
    expect((await admin.post(GROUPS, { name: 'PRESS' })).body.errors).toHaveProperty('name');
    await admin.post(`${GROUPS}/${group.id}/users`, { user_id: clerk.user_id });
    expect((await admin.remove(`${GROUPS}/${group.id}`)).body.code).toBe('staff_group.in_use');
    await admin.remove(`${GROUPS}/${group.id}/users/${clerk.user_id}`);
    expect((await admin.remove(`${GROUPS}/${group.id}`)).status).toBe(204);
  });

  it('who holds what is told by value, group and person', async () => {
    const person = await signedIn('staff_user', { permissions: ['bill.forceDelete'] as Permission[] });
    const { data } = (await admin.get('/api/admin/staff/permission_holders?search=bill.forceDelete')).body;
    expect(data[0].words).toBe('May remove a bill from the trash for good');
    const all = await admin.get('/api/admin/staff/permission_holders?per_page=100');
    expect(all.body.meta.total).toBe(210);
    const { people } = (await admin.get('/api/admin/staff/permission_holders/bill.forceDelete')).body.data;
    const found = (id: number) => people.find((row: { id: number }) => row.id === id)?.through;
    expect(found(admin.user_id)).toBe('Staff administrator');
    expect(found(person.user_id)).toMatch(/^Group /);
    expect((await admin.get('/api/admin/staff/permission_holders/REPLACE')).status).toBe(404);
  });
});

describe('teams', () => {
  const TEAMS = '/api/admin/staff/teams';
  it('have a lead, members and a history; staff without super only read them', async () => {
    const lead = await signedIn('staff_user', { permissions: ['user.show'] });
    const body = { name: 'Library', description: 'Scores and parts', email: 'library@house.example',
      lead_id: lead.user_id };
    const made = await admin.post(TEAMS, body);
    expect(made.body.data).toMatchObject({ name: 'Library', members_count: 1 });
    const path = `${TEAMS}/${made.body.data.id}`;
    expect((await admin.post(TEAMS, { ...body, name: 'library' })).body.errors).toHaveProperty('name');
    expect((await lead.get(path)).status).toBe(200);
    expect((await lead.put(path, { name: 'Mine', version: 1 })).status).toBe(403);
    expect((await admin.post(`${path}/members`, { user_id: admin.user_id })).body.data.members_count).toBe(2);
    expect((await admin.post(`${path}/members`, { user_id: admin.user_id })).body.errors).toHaveProperty('user_id');
    expect((await lead.get(`${path}/members`)).body.meta.total).toBe(2);
    expect((await admin.remove(`${path}/members/${lead.user_id}`)).status).toBe(204);
    expect((await admin.get(path)).body.data).toMatchObject({ lead_id: null, members_count: 1 });
    expect(await activity(path)).toEqual(['remove_member', 'add_member', 'create']);
    expect((await admin.remove(path)).status).toBe(204);
    const customer = await signedIn('customer');
    expect((await admin.post(TEAMS, { ...body, lead_id: customer.user_id })).body.errors).toHaveProperty('lead_id');
  });
});
