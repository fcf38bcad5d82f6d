import { beforeAll, expect, it } from 'vitest';
import { testApp, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const GROUPS = '/api/admin/staff/email_groups';
let admin: SignedIn;
beforeAll(async () => { admin = await test.signedIn('staff_admin'); });
const press = { name: 'Press', emailRoute: 'press@house.example', description: 'Papers and magazines', members: 14 };

it('an email group has the fields of the specification and is listed, changed and removed', async () => {
  const made = await admin.post(GROUPS, press);
  expect(made.status).toBe(201);
  expect(made.body.data).toMatchObject({ ...press, id: expect.any(Number) });
  const path = `${GROUPS}/${made.body.data.id}`;
  expect((await admin.get(`${GROUPS}?search=PRESS@`)).body.data).toEqual([made.body.data]);
  const changed = await admin.put(path, { members: 15, version: 1 });
  expect(changed.body.data).toMatchObject({ ...press, members: 15, version: 2 });
  expect((await admin.put(path, { members: 16, version: 1 })).status).toBe(412);
  expect((await admin.remove(path)).status).toBe(204);
  expect((await admin.get(path)).status).toBe(404);
});

it('two groups never share a name, and each has an address that mail can go to', async () => {
  expect((await admin.post(GROUPS, { ...press, name: 'Twice' })).status).toBe(201);
  expect((await admin.post(GROUPS, { ...press, name: 'twice' })).body.errors).toHaveProperty('name');
  const refused = await admin.post(GROUPS, { ...press, name: 'None', emailRoute: 'nowhere', members: 0 });
  expect(refused.status).toBe(422);
  expect(Object.keys(refused.body.errors).sort()).toEqual(['emailRoute', 'members']);
});

it('whoever sends documents reads the groups; only staff administrators change them', async () => {
  const sender = await test.signedIn('staff_user', { permissions: ['license_document.update'] });
  expect((await sender.get(GROUPS)).status).toBe(200);
  expect((await sender.post(GROUPS, { ...press, name: 'Mine' })).status).toBe(403);
  const other = await test.signedIn('staff_user', { permissions: ['venue.list'] });
  expect((await other.get(GROUPS)).status).toBe(403);
});
