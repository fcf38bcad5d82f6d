/** Activity of a customer: every kind of thing that happened, none of another customer, none of a draft. */
import { describe, expect, it } from 'vitest';
import { makeDeal, makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { stockWorld } from '#tests/support/stock.ts';
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

  it('shows perusals, orders, parcels and box-office reports as they move on', async () => {
    const { db } = test.database;
    const customer = await makeCustomer(db, 'US');
    const deal = await makeDeal(db, await makeShow(db, []), { customer_id: customer, performances: ['2026-02-01'] });
    const staff = await test.signedIn('staff_admin');
    const member = await test.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
    await stockWorld(staff);
    const { id: perusal } = await db.one<{ id: number }>(sql`
      insert into perusals (number, customer_id, requested_by_id, show_id, division, format, currency, days)
      select 'PR-A1', ${customer}, ${member.user_id}, show_id, 'US', 'digital', 'USD', 14 from licenses
      where id = ${deal.license_id} returning id`);
    const { id: order } = await db.one<{ id: number }>(sql`
      insert into sales_orders (number, kind, customer_id, division, currency, warehouse_id, from_portal,
        quoted_net_minor, quoted_tax_minor)
      select 'SO-A1', 'book_order', ${customer}, 'US', 'USD', min(id), true, 0, 0 from warehouses returning id`);
    const report = await member.post(`/api/customers/${customer}/licenses/${deal.license_id}/box_office_reports`, {
      license_venue_id: deal.license_venue_id, scope: 'week', period_from: '2026-02-01', period_to: '2026-02-01',
      gross_minor: 50_000, currency: 'USD', performances_held: 1, certified_name: 'Sam Signer' });
    expect(report.status, JSON.stringify(report.body)).toBe(201);
    const labels = async () => new Set(((await member.get(`/api/customers/${customer}/activity?per_page=100`)).body
      .data as { kind: string; event_label: string }[]).map((row) => `${row.kind}: ${row.event_label}`));
    const asked = ['perusal: Perusal requested', 'order: Order placed', 'report: Box office reported'];
    expect(await labels()).toEqual(new Set(asked));
    await test.database.owner.exec(sql`update perusals set approved_at = now() where id = ${perusal}`);
    await test.database.owner.exec(sql`update sales_orders set shipped_on = '2026-11-20' where id = ${order}`);
    const { id, version } = report.body.data;
    const accepted = await staff.put(`${LICENSES}/${deal.license_id}/box_office_reports/${id}/review`,
      { event: 'accept', version });
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
    const seen = await labels();
    for (const label of [...asked, 'perusal: Perusal granted', 'order: Parcel shipped', 'report: Box office accepted',
      'invoice: Invoice issued']) expect(seen).toContain(label);
  });
});
