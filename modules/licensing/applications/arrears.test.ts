/** An invoice under a purchase order is no arrear before its due date has passed. */
import { expect, it } from 'vitest';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { autoOfferFor } from './auto-offer-rules.server.ts';

const test = testApp();

it('holds nothing against a customer through the due date of a purchase order, and the day after does', async () => {
  test.clock.set('2027-02-01T15:00:00Z');
  const staff = await test.signedIn('staff_admin');
  const customer_id = await makeCustomer(test.database.db, 'US');
  await test.database.db.exec(sql`update customers set payment_terms_days = 0 where id = ${customer_id}`);
  const { data: draft } = (await staff.post('/api/admin/staff/invoices', { customer_id, license_id: null,
    division: 'US', currency: 'USD', purchase_order_no: 'PO-7', items: [{ kind: 'rental', item_class: 'rental',
      description: 'Hire', net_minor: 5_000 }] })).body;
  const issued = await staff.post(`/api/admin/staff/invoices/${draft.id}/issue`, { version: draft.version,
    issued_on: '2027-02-01' });
  expect(issued.body.data, JSON.stringify(issued.body)).toMatchObject({ due_on: '2027-03-03' });
  const holds = async (day: string): Promise<boolean> => {
    test.clock.set(`${day}T15:00:00Z`);
    const { rules } = await test.database.db.tx((tx) => autoOfferFor(workContext(test.ports, tx, SYSTEM_ACTOR), {
      customer_id, division: 'US', category: 'Amateur', availability: 'clear', performances: 1, rate_card: null,
      capacity: 100, total_minor: 1n, first_performance_on: '2027-09-01', needs_streaming_or_video: false }));
    return rules.find((rule) => rule.rule === 'no_arrears')!.holds;
  };
  expect([await holds('2027-02-01'), await holds('2027-03-03'), await holds('2027-03-04')])
    .toEqual([true, true, false]);
});
