/** Activity of a customer: every kind of thing that happened, none of another customer, none of a draft. */
import { describe, expect, it } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture, payWhatIsAsked } from '../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

describe('activity in the portal', () => {
  it('shows steps, papers, requests for payment, payments and messages, newest first', async () => {
    const fixture = await licensingFixture(test.database.db, {});
    const staff = await test.signedIn('staff_admin');
    const customers = [{ id: fixture.customer_id, role: 'signer' }];
    const signer = await test.signedIn('customer', { customers });
    const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
      category: 'Amateur', license_rep_id: staff.user_id, license_venues: [{ venue_id: fixture.venue_id,
        ticketing: E2_TICKETS, performances: evenings('2027-04-01', 6) }] });
    const { id, version } = made.body.data;
    const kinds = async () => {
      const answer = await signer.get(`/api/customers/${fixture.customer_id}/activity?per_page=100`);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.data as { kind: string; event_label: string; created_at: string }[];
    };
    expect(await kinds()).toEqual([]);
    await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
    const home = `/api/customers/${fixture.customer_id}/licenses/${id}`;
    const { hash } = (await signer.get(`${home}/quote`)).body.data;
    await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'S. Signer', signer_title: '',
      accept: true, confirm_name: true });
    await payWhatIsAsked(test.ports, id);
    await signer.post(`${home}/messages`, { body: 'Paid.' });
    const rows = await kinds();
    expect(new Set(rows.map((row) => row.kind))).toEqual(
      new Set(['message', 'payment', 'invoice', 'production', 'document']));
    expect(rows.find((row) => row.kind === 'payment')).toMatchObject({ event_label: 'Payment received',
      amount_minor: expect.any(Number) });
    expect(rows.map((row) => row.created_at)).toEqual(rows.map((row) => row.created_at).toSorted().toReversed());
    const other = await licensingFixture(test.database.db, {});
    const stranger = await test.signedIn('customer', { customers: [{ id: other.customer_id, role: 'admin' }] });
    expect((await stranger.get(`/api/customers/${other.customer_id}/activity`)).body.data).toEqual([]);
  });
});
