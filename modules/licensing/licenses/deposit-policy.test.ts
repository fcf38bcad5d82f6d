/** A UK amateur licence on takings: a deposit on account executes it, the royalty follows the report (2.3, 2.7). */
import { expect, it } from 'vitest';
import { recordReceipt } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

it('is quoted with VAT, asks for the deposit at acceptance and is valid when that is paid', async () => {
  const { db } = test.database;
  const staff = await test.signedIn('staff_admin');
  const fixture = await licensingFixture(db, { division: 'UK' });
  const address = JSON.stringify({ country_code: 'GB', thoroughfare: '1 High Street', locality: 'Leeds',
    administrative_area: '', postal_code: 'LS1 1AA' });
  await db.exec(sql`update customers set billing_address = ${address}, is_business = true, business_evidence = 'charity'
    where id = ${fixture.customer_id}`);
  await db.exec(sql`
    update venues set address = ${address}, time_zone = 'Europe/London' where id = ${fixture.venue_id}`);
  const card = await db.one<{ id: number }>(sql`
    insert into rate_cards (show_id, category, division, effective_from, currency, fee_method, rate_ppm,
      guarantee_scope, min_per_performance_minor, deposit_kind, deposit_minor, execution_policy)
    values (${fixture.show_id}, 'Amateur', 'UK', '2021-01-01', 'GBP', 'percent_actual', 150000, 'run', 9500,
      'on_account', 50000, 'deposit_paid') returning id`);
  await db.exec(sql`update rate_cards set status = 'approved', approved_by_id = ${fixture.approver_id},
    approved_at = now() where id = ${card.id}`);
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings('2027-04-01', 10) }] });
  const { id, version } = made.body.data;
  expect(made.body.data).toMatchObject({ execution_policy: 'deposit_paid', royalty_total_minor: 95_000,
    tax_total_minor: 19_000, deposit_minor: 50_000 });
  const plan = (await staff.get(`${LICENSES}/${id}/price_trace`)).body.data.payment_plan;
  expect(plan.map((row: { label: string; due_event: string; amount_minor: number }) => [row.label, row.due_event,
    row.amount_minor])).toEqual([['Deposit', 'acceptance', 50_000], ['After the box-office report', 'report', 64_000]]);
  const sent = await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'admin' }] });
  const home = `/api/customers/${fixture.customer_id}/licenses/${id}`;
  const { hash } = (await signer.get(`${home}/quote`)).body.data;
  const signed = await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'S', signer_title: '',
    accept: true });
  expect(signed.body.data).toMatchObject({ phase: 'accepted', next_actions: [{ kind: 'pay', amount_minor: 50_000 }] });
  await test.ports.db.tx(async (tx) => {
    const ctx = workContext(test.ports, tx, SYSTEM_ACTOR);
    const deposit = await tx.one<{ id: number; vat_minor: number }>(sql`
      select id, vat_minor from deposits where license_id = ${id}`);
    expect(deposit.vat_minor).toBe(8_333);
    await recordReceipt(ctx, { customer_id: fixture.customer_id, division: 'UK', currency: 'GBP', method: 'bacs',
      amount_minor: 50_000, received_on: await ctx.today('UK'), reference: '', license_id: id,
      deposit_id: deposit.id });
  });
  const licensed = (await staff.get(`${LICENSES}/${id}`)).body.data;
  expect(licensed.phase).toBe('licensed');
  const reports = await db.query<{ status: string }>(sql`
    select status from box_office_reports where license_id = ${id}`);
  expect(reports).toEqual([{ status: 'expected' }]);
});
