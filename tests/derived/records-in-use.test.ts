/** Records referenced by others never go to the trash, whoever asks; everything else does, and can be restored. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/principals.ts';
import { makeLicense } from '#tests/support/receivables.ts';

const test = testApp();
const API = '/api/admin/staff';
let staff: SignedIn;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

/** A customer that has a licence, and the show of it. */
async function licensee(name: string): Promise<{ customer: number; license: number; venue: number }> {
  const customer = await makeCustomer(test, name);
  const { id: license } = await makeLicense(test.database.db, 'US', 1, customer);
  const { id: venue } = await test.database.db.one<{ id: number }>(sql`
    insert into venues (name) values (${`Hall of ${name}`}) returning id`);
  await test.database.db.exec(sql`update license_venues set venue_id = ${venue} where license_id = ${license}`);
  return { customer, license, venue };
}

describe('a customer', () => {
  it('with a license or a perusal stays: 409 says what it has', async () => {
    const { customer, license } = await licensee('Astoria Players');
    const refused = await staff.remove(`${API}/customers/${customer}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use']);
    expect(refused.body.message).toMatch(/^This customer has licenses.*\. Deactivate it instead\.$/);
    const reader = await makeCustomer(test, 'Reading Room');
    await test.database.db.exec(sql`
      insert into perusals (customer_id, requested_by_id, show_id, division, format, days, currency)
      select ${reader}, ${staff.user_id}, show_id, division, 'digital', 14, currency from licenses
      where id = ${license}`);
    expect((await staff.remove(`${API}/customers/${reader}`)).body.message).toMatch('has perusals.');
  });

  it('that nothing names goes to the trash, out of every list and search, and comes back', async () => {
    const id = await makeCustomer(test, 'Vanishing Players');
    const names = async (path: string): Promise<string[]> => ((await staff.get(path)).body.data as { name: string }[])
      .map(({ name }) => name);
    const inList = () => names(`${API}/customers?search=vanishing`);
    const found = async () => JSON.stringify((await staff.get('/api/admin/search?search=vanishing')).body);
    expect(await inList()).toEqual(['Vanishing Players']);
    expect((await staff.remove(`${API}/customers/${id}`)).status).toBe(204);
    expect([await inList(), await names(`${API}/customers/trash?search=vanishing`)]).toEqual(
      [[], ['Vanishing Players']]);
    expect(await found()).not.toMatch('Vanishing Players');
    expect((await staff.get(`${API}/customers/${id}`)).status).toBe(404);
    expect((await staff.put(`${API}/customers/${id}/restore`)).body.data.name).toBe('Vanishing Players');
    expect([await inList(), await names(`${API}/customers/trash?search=vanishing`)]).toEqual(
      [['Vanishing Players'], []]);
  });

  it('is trashed, listed there and restored with customer.delete alone', async () => {
    const id = await makeCustomer(test, 'Guarded Players');
    const clerk = await test.signedIn('staff_user', { permissions: ['customer.list', 'customer.update'] });
    const chief = await test.signedIn('staff_user', { permissions: ['customer.delete'] });
    expect((await clerk.remove(`${API}/customers/${id}`)).status).toBe(403);
    expect((await clerk.get(`${API}/customers/trash`)).status).toBe(403);
    expect((await chief.remove(`${API}/customers/${id}`)).status).toBe(204);
    expect((await clerk.put(`${API}/customers/${id}/restore`)).status).toBe(403);
    expect((await chief.put(`${API}/customers/${id}/restore`)).status).toBe(200);
  });

  it('that was merged into another is no waste: neither listed nor restored', async () => {
    const [into, gone] = [await makeCustomer(test, 'The House'), await makeCustomer(test, 'The Same House')];
    await test.database.db.exec(sql`
      update customers set merged_into_id = ${into}, deleted_at = now() where id = ${gone}`);
    expect((await staff.get(`${API}/customers/trash?search=same`)).body.data).toEqual([]);
    expect((await staff.put(`${API}/customers/${gone}/restore`)).body.message).toMatch('merged into The House');
  });
});

it('the database itself keeps what is named, whatever a call forgets to ask', async () => {
  const { customer, venue } = await licensee('Kept Players');
  const { db } = test.database;
  const { id: vendor } = await db.one<{ id: number }>(sql`insert into vendors (name, divisions)
    values ('Printer', '{US}') returning id`);
  await db.exec(sql`update vendors set deleted_at = now() where id = ${vendor}`);
  for (const statement of [sql`update customers set deleted_at = now() where id = ${customer}`,
    sql`update venues set deleted_at = now() where id = ${venue}`]) {
    await expect(db.exec(statement)).rejects.toMatchObject({ code: '23503' });
  }
  const refused = await staff.remove(`${API}/venues/${venue}`);
  expect([refused.status, refused.body.message]).toEqual([409,
    'This venue has licenses. Make it inactive instead.']);
});
