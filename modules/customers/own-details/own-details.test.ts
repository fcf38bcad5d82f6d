/** Customers ask for changes of their own details; nothing changes before staff confirm it. */
import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/principals.ts';

const test = testApp();
const ADDRESS = { country_code: 'US', thoroughfare: '12 Elm Street', locality: 'Columbus', administrative_area: 'OH',
  postal_code: '43004' };
let houses = 0;

async function house() {
  houses += 1;
  const id = await makeCustomer(test, `Elm Street Players ${houses}`);
  const as = (role: string) => test.signedIn('customer', { customers: [{ id, role }] });
  return { id, path: `/api/customers/${id}/details`, office: `/api/admin/staff/customers/${id}/details`,
    admin: await as('admin'), signer: await as('signer'), staff: await test.signedIn('staff_admin') };
}

const stored = (id: number) => test.database.db.one<Record<string, unknown>>(sql`
  select legal_name, kind, billing_address from customers where id = ${id}`);

describe('own details of a customer', () => {
  it('change once staff confirm what an admin asked for, and not before', async () => {
    const { id, path, office, admin, signer, staff } = await house();
    const before = await stored(id);
    expect((await signer.post(path, { legal_name: 'Mine' })).status).toBe(403);
    const asked = await admin.post(path, { legal_name: 'Elm Street Players, Inc.', kind: 'community',
      billing_address: ADDRESS });
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    expect(asked.body.data.request).toMatchObject({ status: 'waiting' });
    expect(asked.body.data.request.summary).toContain('Legal name: none → Elm Street Players, Inc.');
    expect(await stored(id)).toEqual(before);
    const inbox = await staff.get('/api/admin/staff/approvals?kind=customer_details&per_page=100');
    const row = inbox.body.data.find((one: { params: { id: number } }) => one.params.id === id);
    expect(row.detail).toContain('12 Elm Street');
    expect((await signer.get(path)).body.data.request.status).toBe('waiting');
    const { params: { changeId } } = row;
    expect((await staff.put(`${office}/${changeId}/confirm`, row.approve_body)).status).toBe(200);
    expect(await stored(id)).toMatchObject({ legal_name: 'Elm Street Players, Inc.', kind: 'community',
      billing_address: ADDRESS });
    expect((await staff.put(`${office}/${changeId}/confirm`, row.approve_body)).body.code)
      .toBe('customer.no_change_waits');
    const mails = await test.database.db.query<{ template: string }>(sql`
      select template from mail_outbox where ${admin.email} = any (recipients) order by id`);
    expect(mails.map((mail) => mail.template)).toContain('customer.change_confirmed');
  });

  it('stay as they are when declined, withdrawn or asked for as they are', async () => {
    const { id, path, office, admin, staff } = await house();
    const before = await stored(id);
    expect((await admin.post(path, { legal_name: '' })).body.code).toBe('customer.details_same');
    const first = (await admin.post(path, { legal_name: 'First' })).body.data.request;
    const second = (await admin.post(path, { legal_name: 'Second' })).body.data.request;
    expect((await staff.put(`${office}/${first.id}/confirm`, { version: first.version })).body.code)
      .toBe('customer.no_change_waits');
    const decline = `${office}/${second.id}/decline`;
    expect((await staff.put(decline, { version: second.version + 7, reason: 'No' })).status).toBe(412);
    expect((await staff.put(decline, { version: second.version, reason: ' ' })).status).toBe(422);
    const declined = await staff.put(decline, { version: second.version, reason: 'Send us the papers' });
    const { data: told } = (await admin.get(`/api/customers/${id}/notifications`)).body;
    expect(told[0]).toMatchObject({ kind: 'details.decided', body: 'Send us the papers' });
    expect(declined.body.data.request).toMatchObject({ status: 'declined', reason: 'Send us the papers' });
    const third = (await admin.post(path, { legal_name: 'Third' })).body.data.request;
    expect((await admin.put(`${path}/${third.id}/withdraw`, { version: third.version })).body.data.request.status)
      .toBe('withdrawn');
    expect(await stored(id)).toEqual(before);
  });

  it('are not confirmed over a change that staff made in the meantime', async () => {
    const { id, path, office, admin, staff } = await house();
    const { request } = (await admin.post(path, { legal_name: 'Theirs', kind: 'youth' })).body.data;
    await test.database.db.exec(sql`update customers set legal_name = 'Ours' where id = ${id}`);
    const answer = await staff.put(`${office}/${request.id}/confirm`, { version: request.version });
    expect(answer.body).toMatchObject({ code: 'customer.details_moved' });
    expect(answer.body.message).toContain('Legal name is now Ours');
    expect(await stored(id)).toMatchObject({ legal_name: 'Ours' });
  });

  it('are asked for at the first sign-in of an admin until it answers or skips', async () => {
    const { id, path, admin, signer } = await house();
    await test.database.db.exec(sql`update customers set billing_address = null where id = ${id}`);
    const asks = async (person: typeof admin): Promise<boolean> =>
      (await person.get('/api/users/me')).body.data.customers[0].asks_details;
    expect([await asks(admin), await asks(signer)]).toEqual([true, false]);
    const sent = await admin.post(path, { billing_address: ADDRESS, ship_here: true });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    expect((await admin.get(`/api/customers/${id}/shipping_addresses`)).body.data[0]).toMatchObject({
      address: ADDRESS, is_default: true });
    expect((await admin.put(`${path}/asked`, {})).status).toBe(200);
    expect(await asks(admin)).toBe(false);
  });

  it('of another customer are neither read nor asked for', async () => {
    const [ours, theirs] = [await house(), await house()];
    expect((await ours.admin.get(theirs.path)).status).toBe(404);
    expect((await ours.admin.post(theirs.path, { legal_name: 'Ours' })).status).toBe(404);
  });
});
