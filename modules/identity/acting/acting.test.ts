import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/principals.ts';

const test = testApp();
const ADDRESS = '/api/auth/acting-as';
let house = 0;
let other = 0;
beforeAll(async () => {
  house = await makeCustomer(test, 'Acted Players');
  other = await makeCustomer(test, 'Other Players');
});

const actor = async () => {
  const person = await test.signedIn('system_admin');
  const answer = await person.post(ADDRESS, { customer_id: house });
  expect(answer.status).toBe(200);
  return person;
};

describe('acting for a customer', () => {
  it('is for system administrators alone', async () => {
    for (const role of ['staff_admin', 'staff_user', 'customer', 'vendor'] as const) {
      const answer = await (await test.signedIn(role)).post(ADDRESS, { customer_id: house });
      expect(answer.status, role).toBe(403);
    }
    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    expect((await guest.post(ADDRESS, { customer_id: house })).status).toBe(401);
  });

  it('refuses a customer that does not exist, at its field', async () => {
    const answer = await (await test.signedIn('system_admin')).post(ADDRESS, { customer_id: 999_999 });
    expect(answer.body.errors).toEqual({ customer_id: ['This customer does not exist'] });
  });

  it('opens the portal of that customer, of no other, and closes the office meanwhile', async () => {
    const person = await actor();
    expect((await person.get('/api/users/me')).body.data.acting_customer).toMatchObject({ id: house,
      name: 'Acted Players' });
    expect((await person.get(`/api/customers/${house}/applications`)).status).not.toBe(403);
    expect((await person.get(`/api/customers/${house}/notifications`)).status).toBe(200);
    expect((await person.get(`/api/customers/${other}/notifications`)).status).toBe(404);
    const office = await person.get('/api/admin/staff/customers');
    expect(office.body).toMatchObject({ code: 'acting_refused', message: 'Stop acting for the customer first.' });
    const stopped = await person.call('DELETE', ADDRESS);
    expect(stopped.body.data).toEqual({ stopped: true });
    expect((await person.get(`/api/customers/${house}/notifications`)).status).toBe(404);
    expect((await person.get('/api/admin/staff/customers')).status).toBe(200);
    expect((await person.call('DELETE', ADDRESS)).body.data).toEqual({ stopped: false });
  });

  it('moves no money, signs and decides nothing', async () => {
    const person = await actor();
    const licence = `/api/customers/${house}/licenses/1`;
    for (const path of [`${licence}/sign`, `${licence}/sign_addendum`, `${licence}/decline`, `${licence}/amendments`,
      `${licence}/cancellation_requests`, `/api/customers/${house}/invoices/1/pay`]) {
      const answer = await person.post(path, {});
      expect(answer.body, path).toMatchObject({ code: 'acting_refused',
        message: 'This cannot be done while acting for a customer.' });
    }
  });

  it('names both in every audit row of what is done meanwhile', async () => {
    const person = await actor();
    const made = await person.put(`/api/customers/${house}/notifications/mark_all_read`, { up_to_id: 1 });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    await person.call('DELETE', ADDRESS);
    const rows = await test.database.db.query<{ action: string; actor_id: number; customer: number }>(sql`
      select action, actor_id, on_behalf_of_customer_id as customer from audit_events
      where actor_id = ${person.user_id} order by id`);
    expect(rows).toEqual(expect.arrayContaining([
      { action: 'act_for', actor_id: person.user_id, customer: house },
      { action: 'mark_all_read', actor_id: person.user_id, customer: house },
      { action: 'stop_acting', actor_id: person.user_id, customer: house }]));
  });

  it('ends by itself after an hour, and changes the session\'s token at both ends', async () => {
    const person = await test.signedIn('system_admin');
    const tokens = [person.cookies.get('app_session')];
    await person.post(ADDRESS, { customer_id: house });
    tokens.push(person.cookies.get('app_session'));
    await person.call('DELETE', ADDRESS);
    tokens.push(person.cookies.get('app_session'));
    expect(new Set(tokens).size).toBe(3);
    await person.post(ADDRESS, { customer_id: house });
    const now = test.clock.now();
    test.clock.set(new Date(now.getTime() + 61 * 60_000).toISOString());
    expect((await person.get(`/api/customers/${house}/notifications`)).status).toBe(404);
    expect((await person.get('/api/users/me')).body.data.acting_customer).toBeNull();
    test.clock.set(now.toISOString());
  });
});
