/** The history of a record through X200: what changed, for whoever may open the record and nobody else. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { ACTIVITY_PERMISSIONS } from './activity.contract.ts';

const app = testApp();
const PATH = '/api/admin/staff/activity';

test('says what happened to a record, the latest first, by the right to open it', async () => {
  const staff = await app.signedIn('staff_admin');
  const { body: { data } } = await staff.post('/api/admin/staff/vendors', { name: 'Lumen Press',
    default_currency: 'USD', divisions: ['US'] });
  await staff.put(`/api/admin/staff/vendors/${data.id}`, { phone: '212 555 0100', version: data.version });
  const url = `${PATH}?entity=vendor&entity_id=${data.id}`;
  const rows = (await staff.get(url)).body.data as { action: string; changes: { field: string; after: string }[] }[];
  expect(rows.map((row) => row.action)).toEqual(['update', 'create']);
  expect(rows[0]?.changes).toEqual([{ field: 'phone', before: '', after: '212 555 0100' }]);
  const reader = await app.signedIn('staff_user', { permissions: ['vendor.show'] });
  expect((await reader.get(url)).body.data).toHaveLength(2);
  const other = await app.signedIn('staff_user', { permissions: ['vendor.list'] });
  expect((await other.get(url)).status).toBe(403);
  expect((await staff.get(`${PATH}?entity=session&entity_id=1`)).body.errors).toHaveProperty('entity');
  expect((await staff.get(`${PATH}?entity=vendor`)).body.errors).toHaveProperty('entity_id');
});

test('every record whose change is told beside a form is one that may be asked about', () => {
  const told = globSync('modules/**/*.web.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/record: \{ entity: '(\w+)'/g)].map((match) => match[1]!));
  expect(told.length).toBeGreaterThan(10);
  expect(told.filter((entity) => !Object.hasOwn(ACTIVITY_PERMISSIONS, entity))).toEqual([]);
});
