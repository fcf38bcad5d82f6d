/** The representative of a production, as its customer meets them: name, phone, mail, and a picture that opens. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

it('has a picture that the people of the customer may open, and nobody without a session', async () => {
  const fixture = await licensingFixture(test.database.db, {});
  const staff = await test.signedIn('staff_admin');
  await test.database.db.exec(sql`update users set phone = '+1 212 555 0100' where id = ${staff.user_id}`);
  const content = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'teal' } }).png().toBuffer();
  const picture = await staff.call('POST', `/api/users/${staff.user_id}/avatar`, { multipart: { fields: {},
    file: { field: 'avatar', name: 'me.png', type: 'image/png', content } } });
  expect(picture.status, JSON.stringify(picture.body)).toBe(201);
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_rep_id: staff.user_id, license_venues: [{ venue_id: fixture.venue_id,
      ticketing: E2_TICKETS, performances: evenings('2027-04-01', 2) }] });
  const { id, version } = made.body.data;
  await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
  const member = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'member' }] });
  const { license_rep: rep } = (await member.get(`/api/customers/${fixture.customer_id}/licenses/${id}`)).body.data;
  expect(rep).toMatchObject({ name: expect.stringContaining(' '), phone: '+1 212 555 0100', email: staff.email });
  const { pathname } = new URL(rep.avatar_url as string);
  const shown = await member.get(pathname);
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/webp']);
  expect((await test.visitor().get(pathname)).status).toBe(401);
});
