/** Bookings: performances of what is licensed, by day (A281). */
import { describe, expect, it } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';
import { E2_TICKETS, evenings, licensingFixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const PATH = '/api/admin/staff/bookings';

describe('bookings', () => {
  it('hold performances of licensed productions only, between the days asked for', async () => {
    const fixture = await licensingFixture(test.database.db);
    const staff = await test.signedIn('staff_user', { permissions: ['license.list', 'license.create'] });
    const made = await staff.post('/api/admin/staff/licenses', { customer_id: fixture.customer_id,
      show_id: fixture.show_id,
      category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
        performances: evenings('2027-04-01', 6) }] });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const of = async (query: string) => (await staff.get(`${PATH}?customer_id=${fixture.customer_id}&${query}`)).body;
    expect((await of('')).meta.total).toBe(0);
    for (const phase of ['sent', 'accepted', 'licensed']) {
      await test.database.owner.exec(sql`update licenses set phase = ${phase}, offer_version = 1,
        offer_sent_at = now(), offer_expires_at = now(), accepted_at = now(), license_number = 'L-TEST-1',
        executed_at = now() where id = ${made.body.data.id}`);
    }
    expect((await of('')).meta.total).toBe(6);
    const some = await of('from=2027-04-02&to=2027-04-03&division=US');
    expect(some.data.map((row: { local_date: string; local_time: string }) => `${row.local_date} ${row.local_time}`))
      .toEqual(['2027-04-02 19:30', '2027-04-03 19:30']);
    expect(some.data[0]).toMatchObject({ license_id: made.body.data.id, phase: 'licensed', status: 'planned' });
    expect((await of('division=UK')).data).toEqual([]);
    expect((await of('phase=closed')).data).toEqual([]);
    expect((await of('search=gardener')).meta.total).toBe(6);
    expect((await of('search=nothing-like-it')).meta.total).toBe(0);
  });

  it('is refused without license.list', async () => {
    const staff = await test.signedIn('staff_user', { permissions: ['show.list'] });
    expect((await staff.get(PATH)).status).toBe(403);
  });
});
