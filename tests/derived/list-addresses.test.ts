/** Lists say where they stand: the address that was asked for, ids filled in and filters kept, in every link. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';
import { licensingFixture, makeCustomer } from '#modules/licensing/testing/licensing-fixtures.ts';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const slow = { timeout: 240_000 };
const shapeOf = (schema: unknown): Record<string, unknown> =>
  (schema as { shape?: Record<string, unknown> } | null | undefined)?.shape ?? {};
const isPaged = ({ method, response }: AnyEndpoint): boolean =>
  method === 'GET' && response !== 'file' && 'meta' in shapeOf(response);
const lists = routes.map((route) => route.endpoint).filter(isPaged);

let customerId = 0;
let admin: Browser;
let customer: Browser;
beforeAll(async () => {
  admin = await test.signedIn('system_admin');
  customerId = await makeCustomer(test.database.db);
  customer = await test.signedIn('customer', { customers: [{ id: customerId, role: 'admin' }] });
});

/** Faults in the address of each list that answers. */
async function askAll(asked: readonly AnyEndpoint[], by: Browser) {
  const wrong: string[] = [];
  let answered = 0;
  for (const { path, query } of asked) {
    const filled = path.split('?')[0]!.replace('/api/customers/{id}', `/api/customers/${customerId}`)
      .replace(/\{\w+\}/g, '1');
    const search = 'search' in shapeOf(query) ? 'search=a+b&' : '';
    const answer = await by.get(`${filled}?${search}page=2&per_page=3`);
    if (answer.status !== 200) continue;
    answered += 1;
    const { links, meta } = answer.body;
    if (meta.path !== filled) wrong.push(`${path}: path ${meta.path}`);
    if (links.first !== `${filled}?${search}page=1&per_page=3`) wrong.push(`${path}: first ${links.first}`);
    if (links.prev !== links.first) wrong.push(`${path}: prev ${links.prev}`);
    if (!links.last.startsWith(`${filled}?${search}page=`)) wrong.push(`${path}: last ${links.last}`);
  }
  return { wrong, answered };
}

describe('the address of a list', () => {
  it('is the one that was asked for, with its ids and filters, for staff', slow, async () => {
    const { wrong, answered } = await askAll(lists.filter(({ auth }) => auth.kind === 'staff'), admin);
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(60);
  });

  it('is the one that was asked for, for customers', slow, async () => {
    const { wrong, answered } = await askAll(lists.filter(({ auth }) => auth.kind === 'customer'), customer);
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(10);
  });
});

describe('the list of licences', () => {
  const path = '/api/admin/staff/licenses';
  it('gives materials and BOMs with each licence, in both ways of naming them', async () => {
    const { customer_id, show_id } = await licensingFixture(test.database.db);
    const made = await admin.post(path, { customer_id, show_id, category: 'Amateur' });
    const bom = await admin.post(`${path}/${made.body.data.id}/license_boms`, { name: 'By hand' });
    expect(bom.status, JSON.stringify(bom.body)).toBe(201);
    for (const named of ['materials,license_boms', '["materials","license_boms"]']) {
      const listed = await admin.get(`${path}?customer_id=${customer_id}&with=${encodeURIComponent(named)}`);
      expect(listed.status, JSON.stringify(listed.body)).toBe(200);
      expect(listed.body.data[0]).toMatchObject({ materials: [], license_boms: [{ name: 'By hand' }] });
      const one = await admin.get(`${path}/${made.body.data.id}?with=${encodeURIComponent(named)}`);
      expect(one.body.data).toMatchObject({ materials: [], license_boms: [{ name: 'By hand' }] });
    }
    const narrow = await test.signedIn('staff_user', { permissions: ['license.list'] });
    expect((await narrow.get(`${path}?with=materials`)).status).toBe(403);
    expect((await narrow.get(`${path}?with=customer`)).status).toBe(200);
  });

  it('takes every parameter that SPEC section 7 names', async () => {
    const asked = 'page=1&per_page=5&search=x&category=Amateur&with=customer&fields=number,phase&phase=draft';
    expect((await admin.get(`${path}?${asked}&sort_by=updated_at&sort_direction=desc`)).status).toBe(200);
  });
});
