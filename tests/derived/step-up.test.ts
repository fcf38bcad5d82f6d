/**
 * Step-up confirmation before granting rights (reliability.md 1.3): every call whose body names a role, permissions or
 * groups, and the calls that let somebody in without naming any of it in the body.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#apps/server/src/routes.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { exampleOf } from '#tests/support/example.ts';
import { makeCustomer } from '#tests/support/principals.ts';

const GIVES = new Set(['role', 'permission_values', 'staff_group_ids', 'staff_group_id']);
/** Let somebody in, or mail the way in, as it was written down before. */
const WITHOUT_A_WORD = /\/(activate|resend|groups\/\{id\}\/users)$/;

const keysOf = (schema: unknown): string[] => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
const labelOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

const endpoints = routes.map(({ endpoint }) => endpoint)
  .filter(({ auth, method }) => auth.kind !== 'open' && method !== 'GET');
/** An author's part in a work is called a role as well. */
const giving = endpoints.filter(({ method, path, body }) => (keysOf(body).some((key) => GIVES.has(key))
  && !path.startsWith('/api/admin/staff/show_royaltors'))
  || (method !== 'DELETE' && /\/(staff\/(users|invites|groups)|invitations)\b/.test(path)
    && WITHOUT_A_WORD.test(path)));

const test = testApp();
let admin: SignedIn, customer: SignedIn, house = 0;
beforeAll(async () => {
  house = await makeCustomer(test, 'Astoria Players');
  admin = await test.signedIn('system_admin');
  customer = await test.signedIn('customer', { customers: [{ id: house, role: 'admin' }] });
});

it('the calls that give rights are found', () => {
  expect(giving.map(labelOf)).toEqual(expect.arrayContaining([
    'POST /api/admin/staff/users', 'PUT /api/admin/staff/users/{id}/role', 'PUT /api/admin/staff/users/{id}/activate',
    'POST /api/admin/staff/invites', 'POST /api/admin/staff/invites/{id}/resend', 'POST /api/admin/staff/groups',
    'PUT /api/admin/staff/groups/{id}', 'POST /api/admin/staff/groups/{id}/users', 'POST /api/customers/{id}/users',
    'PUT /api/customers/{id}/users/{userId}', 'POST /api/admin/staff/customers/{id}/users',
    'PUT /api/admin/staff/customers/{id}/users/{userId}/role',
  ]));
});

it.each(giving.map((endpoint) => ({ endpoint, label: labelOf(endpoint) })))('$label', async ({ endpoint }) => {
  const caller = endpoint.auth.kind === 'customer' ? customer : admin;
  const url = endpoint.path.replace(/\{\w+\}/, String(house)).replace(/\{\w+\}/g, '1');
  const body = endpoint.body ? exampleOf(endpoint.body) : undefined;
  const answer = await caller.call(endpoint.method, url, body === undefined ? {} : { body });
  expect([answer.status, answer.body.code]).toEqual([423, 'confirmation_required']);
});

describe('the sign-in of somebody with rights that the caller lacks', () => {
  it('is left alone: neither sessions nor second factor', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['user.update', 'user.show'] });
    await clerk.confirm();
    const chief = await test.signedIn('staff_user', { permissions: ['user.update', 'payment.create'] });
    const equal = await test.signedIn('staff_user', { permissions: ['user.show'] });
    const path = (id: number, what: string): string => `/api/admin/staff/users/${id}/${what}`;
    for (const what of ['sessions', 'two_factor']) {
      expect((await clerk.remove(path(chief.user_id, what))).status, what).toBe(403);
    }
    expect((await clerk.get(path(chief.user_id, 'security'))).body.data.refused).toMatch('has rights that you do not');
    expect((await chief.get('/api/users/me')).status).toBe(200);
    expect((await clerk.remove(path(equal.user_id, 'sessions'))).status).toBe(204);
    expect((await equal.get('/api/users/me')).status).toBe(401);
  });

  it('is left alone by staff administrators where it is a system administrator\'s', async () => {
    const office = await test.signedIn('staff_admin');
    await office.confirm();
    expect((await office.remove(`/api/admin/staff/users/${admin.user_id}/sessions`)).status).toBe(403);
    expect(await test.database.db.one(sql`
      select count(*)::int as n from sessions where user_id = ${admin.user_id}`)).toEqual({ n: 1 });
  });
});
