/** Deposits of both kinds in the life of a licence (domain.md 1.1, 2.3, 2.7). */
import { expect, it } from 'vitest';
import { addDays } from '#kernel/calendar/calendar.ts';
import { recordReceipt } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { lendBooks } from '#tests/support/stock.ts';
import { runLicenseClocks } from '../phase/license-clocks.server.ts';
import { E2_TICKETS, evenings, licensingFixture, securityCard } from '../../testing/licensing-fixtures.ts';

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
    accept: true, confirm_name: true });
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

/** Draft to licensed for a US house whose rate card asks for a security deposit of 400.00; everything paid. */
async function licensedWithSecurity(): Promise<{ id: number; customer_id: number }> {
  const { db } = test.database;
  const staff = await test.signedIn('staff_admin');
  const fixture = await licensingFixture(db);
  await securityCard(db, fixture);
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings('2027-04-01', 2) }] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id, version } = made.body.data;
  await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
  const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'admin' }] });
  const home = `/api/customers/${fixture.customer_id}/licenses/${id}`;
  const { hash } = (await signer.get(`${home}/quote`)).body.data;
  await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'S', signer_title: '', accept: true,
    confirm_name: true });
  await test.ports.db.tx(async (tx) => {
    const ctx = workContext(test.ports, tx, SYSTEM_ACTOR);
    const asked = await tx.query<{ id: number; total_minor: number }>(sql`
      select id, total_minor from invoices where license_id = ${id} and status = 'proforma'`);
    const deposit = await tx.one<{ id: number }>(sql`select id from deposits where license_id = ${id}`);
    const receipt = { customer_id: fixture.customer_id, division: 'US', currency: 'USD', method: 'wire' as const,
      received_on: await ctx.today('US'), license_id: id };
    await recordReceipt(ctx, { ...receipt, amount_minor: 40_000, deposit_id: deposit.id });
    await recordReceipt(ctx, { ...receipt, amount_minor: asked[0]!.total_minor,
      apply_to: [{ invoice_id: asked[0]!.id, amount_minor: asked[0]!.total_minor }] });
  });
  return { id, customer_id: fixture.customer_id };
}

it('gives a security deposit back once what was lent is back, through a refund that a person approves', async () => {
  const { db } = test.database;
  const license = await licensedWithSecurity();
  const read = () => db.one<{ phase: string; settlement_due_on: string | null }>(sql`
    select phase, settlement_due_on from licenses where id = ${license.id}`);
  const deposit = () => db.one<{ status: string; refunded_minor: number }>(sql`
    select status, refunded_minor from deposits where license_id = ${license.id}`);
  const clocks = (day: string) => {
    test.clock.set(`${day}T15:00:00Z`);
    return runLicenseClocks(workContext(test.ports, db, SYSTEM_ACTOR), day);
  };
  expect((await read()).phase).toBe('licensed');
  for (const day of ['2027-04-01', '2027-04-03']) await clocks(day);
  const settling = await read();
  expect(settling.phase).toBe('settlement');
  expect(await deposit()).toEqual({ status: 'held', refunded_minor: 0 });
  await clocks(addDays(settling.settlement_due_on!, -2));
  expect(await deposit()).toEqual({ status: 'held', refunded_minor: 0 });
  const line = await lendBooks(test, license.id);
  await clocks(settling.settlement_due_on!);
  const staff = await test.signedIn('staff_admin');
  const { version } = (await staff.get(`${LICENSES}/${license.id}`)).body.data;
  const refused = await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'close', version });
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.body)).toContain('Materials are still out.');
  await db.exec(sql`update sales_order_lines set qty_returned_good = 8 where id = ${line}`);
  await clocks(addDays(settling.settlement_due_on!, 1));
  expect([(await read()).phase, (await deposit()).status]).toEqual(['settlement', 'held']);
  await db.exec(sql`update sales_order_lines set qty_returned_damaged = 1, qty_lost = 1 where id = ${line}`);
  await clocks(addDays(settling.settlement_due_on!, 2));
  expect((await read()).phase).toBe('closed');
  expect(await deposit()).toEqual({ status: 'settled', refunded_minor: 40_000 });
  const refund = await db.one<{ id: number; status: string; amount_minor: number; version: number }>(sql`
    select id, status, amount_minor, version from payments where kind = 'refund' and license_id = ${license.id}`);
  expect(refund).toMatchObject({ status: 'draft', amount_minor: 40_000 });
  const mail = await db.query(sql`
    select 1 from mail_outbox where template = 'deposit.settled' and entity_id = ${license.id}`);
  expect(mail).toHaveLength(1);
  const approver = await test.signedIn('staff_admin');
  const status = `/api/admin/staff/accounting/payments/${refund.id}/status`;
  const approved = await approver.put(status, { status: 'approved', version: refund.version });
  const paid = await approver.put(status, { status: 'posted', version: approved.body.data.version });
  expect(paid.body.data, JSON.stringify(paid.body)).toMatchObject({ status: 'posted' });
  // The next night finds nothing to do.
  await clocks(addDays(settling.settlement_due_on!, 3));
  expect(await db.query(sql`select 1 from payments where kind = 'refund' and license_id = ${license.id}`))
    .toHaveLength(1);
});
