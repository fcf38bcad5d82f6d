/** [I8] No two licences hold the same rights without a recorded clearance, however many are sent at once (1.5). */
import { describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';
import {
  E2_TICKETS, evenings, licensingFixture, makeCustomer, payWhatIsAsked, type Fixture,
} from '../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

async function draft(staff: Browser, fixture: Fixture, from = '2027-04-01', customer = fixture.customer_id) {
  const answer = await staff.post(LICENSES, { customer_id: customer, show_id: fixture.show_id, category: 'Amateur',
    license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS, performances: evenings(from, 2) }] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const send = (staff: Browser, license: { id: number; version: number }) =>
  staff.put(`${LICENSES}/${license.id}/phase`, { event: 'send_offer', version: license.version });

/** Retries while somebody else is at it, as the answer says to; a slow machine gives that answer more often. */
async function sendUntilAnswered(staff: Browser, license: { id: number; version: number }) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(staff, license);
    if (answer.body.code !== 'in_progress' || attempt === 5) return answer;
  }
}

describe('rights', () => {
  it('[I8] of sixteen offers for the same town and month, sent at the same moment, one goes out', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const drafts: { id: number; version: number }[] = [];
    for (let k = 0; k < 16; k += 1) drafts.push(await draft(staff, fixture));
    const answers = await Promise.all(drafts.map((license) => sendUntilAnswered(staff, license)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const refused = answers.filter((answer) => answer.status === 409);
    expect(refused).toHaveLength(15);
    for (const { body } of refused) {
      expect(body).toMatchObject({ code: 'license.precondition', unmet: [{ guard: 'rights_cleared' }] });
    }
    const holding = await test.database.db.one<{ n: number }>(sql`
      select count(*) as n from licenses where show_id = ${fixture.show_id} and phase = 'sent'
        and availability_override_reason is null`);
    expect(holding.n).toBe(1);
  });

  it('a clearance with its reason lets the second one out; new dates take the clearance away', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    await send(staff, await draft(staff, fixture));
    const second = await draft(staff, fixture, '2027-05-01');
    expect(second.availability).toBe('needs_clearance');
    const cleared = await staff.put(`${LICENSES}/${second.id}/clearance`, { version: second.version,
      reason: 'Both houses agreed' });
    expect(cleared.status).toBe(200);
    const venue = (await staff.get(`${LICENSES}/${second.id}/license_venues`)).body.data[0];
    await staff.put(`${LICENSES}/${second.id}/license_venues/${venue.id}`, { version: venue.version,
      performances: evenings('2027-05-10', 2) });
    const moved = (await staff.get(`${LICENSES}/${second.id}`)).body.data;
    expect((await send(staff, moved)).status).toBe(409);
    const again = await staff.put(`${LICENSES}/${second.id}/clearance`, { version: moved.version, reason: 'Agreed' });
    expect((await send(staff, { id: second.id, version: again.body.data.version })).status).toBe(200);
  });

  it('what was granted is not asked for again by an amendment; other days are', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const first = await draft(staff, fixture, '2027-04-01');
    await send(staff, first);
    const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
    const home = `/api/customers/${fixture.customer_id}/licenses/${first.id}`;
    const { hash } = (await signer.get(`${home}/quote`)).body.data;
    await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'S', signer_title: '', accept: true,
      confirm_name: true });
    await payWhatIsAsked(test.ports, first.id);
    // A house nearby comes later, cleared by hand.
    const later = await draft(staff, fixture, '2027-05-01');
    const cleared = await staff.put(`${LICENSES}/${later.id}/clearance`, { version: later.version, reason: 'Agreed' });
    expect((await send(staff, { id: later.id, version: cleared.body.data.version })).status).toBe(200);
    const path = `${LICENSES}/${first.id}`;
    const nights = (await staff.get(`${path}/performances`)).body.data as { id: number; local_date: string }[];
    const amend = async (changes: object) => {
      const preview = await staff.post(`${path}/amendments/preview`, { changes });
      const { version } = (await staff.get(path)).body.data;
      const { status } = await staff.post(`${path}/amendments`, { version, changes, reason: 'Asked for' });
      return [preview.body.data.verdict, status];
    };
    const [opening, closing] = nights as [typeof nights[number], typeof nights[number]];
    expect(await amend({ fee: { fee_per_performance_minor: 90_000, reason: 'Hall' } })).toEqual(['clear', 201]);
    expect(await amend({ performances: [{ id: opening.id, local_date: opening.local_date, local_time: '20:00' }] }))
      .toEqual(['clear', 201]);
    expect(await amend({ performances: [{ id: closing.id, local_date: '2027-04-03' }] }))
      .toEqual(['needs_clearance', 409]);
    expect(await amend({ performances: [{ id: closing.id, cancel: true }] })).toEqual(['clear', 201]);
  });

  it('a restriction that overlaps refuses with its public reason and names free dates', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    await test.database.db.exec(sql`
      insert into show_restrictions (show_id, kind, country, date_from, date_to, reason_public, reason_internal)
      values (${fixture.show_id}, 'blocked', 'US', '2027-03-20', '2027-04-10', 'A tour holds the rights.', 'Tour X')`);
    const license = await draft(staff, fixture);
    expect(license.availability).toBe('blocked');
    expect((await send(staff, license)).status).toBe(409);
    const customer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'member' }] });
    const answer = (await customer.get(`/api/customers/${fixture.customer_id}/shows/${fixture.show_id}/availability`
      + `?from=2027-04-01&to=2027-04-02&venue_id=${fixture.venue_id}`)).body.data;
    expect(answer).toMatchObject({ verdict: 'blocked', reason_public: 'A tour holds the rights.' });
    expect(answer).not.toHaveProperty('reason_internal');
    expect(answer.alternatives[0]).toEqual({ from: '2027-04-15', to: '2027-04-16' });
    const days = (await customer.get(`/api/customers/${fixture.customer_id}/shows/${fixture.show_id}/availability/days`
      + `?from=2027-03-01&to=2027-04-30&venue_id=${fixture.venue_id}`)).body.data;
    expect(days).toEqual([{ from: '2027-03-20', to: '2027-04-10', verdict: 'blocked',
      reason_public: 'A tour holds the rights.' }]);
  });

  it('an offer that has lapsed holds nothing', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    await send(staff, await draft(staff, fixture));
    await test.database.db.exec(sql`
      update licenses set offer_expires_at = '2026-11-01' where show_id = ${fixture.show_id}`);
    const other = await makeCustomer(test.database.db);
    expect((await send(staff, await draft(staff, fixture, '2027-04-01', other))).status).toBe(200);
  });
});
