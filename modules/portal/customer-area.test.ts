/** Contents of a customer's own area, and that a person of another customer finds none of them there. */
import { expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture, makeCustomer } from '#modules/licensing/testing/licensing-fixtures.ts';

const test = testApp();
const API = '/api/admin/staff';

it('[S119] shows, materials, people, notifications and licences are there; a licence is applied for', async () => {
  const { db } = test.database;
  const house = await licensingFixture(db);
  const staff = await test.signedIn('staff_admin');
  const edition = await staff.post(`${API}/materials`, { item_number: `${house.show_code}-ED`, name: 'Acting edition',
    show_code: house.show_code, category: 'scripts', type: 'sale', sellable_in_portal: true, prices: { usd: 12.5 } });
  expect(edition.status, JSON.stringify(edition.body)).toBe(201);
  const run = (from: string) => [{ venue_id: house.venue_id, ticketing: E2_TICKETS, performances: evenings(from, 3) }];
  const license = await staff.post(`${API}/licenses`, { customer_id: house.customer_id, show_id: house.show_id,
    category: 'Amateur', division: 'US', currency: 'USD', producing_organisation: 'Springfield Players',
    license_venues: run('2027-04-01') });
  expect(license.status, JSON.stringify(license.body)).toBe(201);
  const { id } = license.body.data;
  await staff.post(`${API}/licenses/${id}/license_documents/generate-offer`, {});
  const { version } = (await staff.get(`${API}/licenses/${id}`)).body.data;
  const sent = await staff.put(`${API}/licenses/${id}/phase`, { event: 'send_offer', version });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);

  const signer = await test.signedIn('customer', { customers: [{ id: house.customer_id, role: 'signer' }] });
  await db.exec(sql`insert into notifications (user_id, customer_id, kind, title)
    values (${signer.user_id}, ${house.customer_id}, 'license.offer_sent', 'An offer waits for your signature')`);
  const home = `/api/customers/${house.customer_id}`;
  const idsOf = async (list: string, by: Browser = signer): Promise<unknown[]> => {
    const answer = await by.get(`${home}/${list}`);
    expect(answer.status, `${list}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body.data.map((row: { id: number }) => row.id);
  };
  expect(await idsOf('shows')).toEqual([house.show_id]);
  expect(await idsOf('materials')).toEqual([edition.body.data.id]);
  expect(await idsOf('users')).toEqual([signer.user_id]);
  expect((await signer.get(`${home}/notifications`)).body.data[0].title).toBe('An offer waits for your signature');
  expect(await idsOf('licenses')).toEqual([id]);

  const draft = await signer.post(`${home}/license-applications`, { show_id: house.show_id,
    license_venues: run('2027-05-06') });
  expect(draft.status, JSON.stringify(draft.body)).toBe(201);
  const application = `${home}/license-applications/${draft.body.data.id}`;
  const applied = await signer.put(`${application}/status`, { event: 'submit', version: draft.body.data.version });
  expect([applied.status, applied.body.data.status]).toEqual([200, 'submitted']);
  expect(await idsOf('license-applications')).toEqual([draft.body.data.id]);

  const other = await makeCustomer(db);
  const stranger = await test.signedIn('customer', { customers: [{ id: other, role: 'admin' }] });
  for (const list of ['shows', 'materials', 'users', 'notifications', 'licenses', 'license-applications']) {
    expect((await stranger.get(`${home}/${list}`)).status, list).toBe(404);
  }
  for (const list of ['notifications', 'licenses', 'license-applications']) {
    expect((await stranger.get(`/api/customers/${other}/${list}`)).body.data, list).toEqual([]);
  }
});
