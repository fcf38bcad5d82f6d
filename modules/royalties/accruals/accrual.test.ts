/** Accruals on the wire: the list with its filters, the drawer, royalties by royaltor, and who may read them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { issueInvoice, recordReceipt } from '#modules/receivables/receivables.public.server.ts';
import { acceptReport, submitReport } from '#modules/licensing/box-office/box-office.public.server.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { command, makeCustomer, movement, testPorts } from '#tests/support/receivables.ts';
import { sql } from '#server/sql.ts';
import { makeDeal, makeShow, type TestDeal, type TestShow } from '../testing/royalty-fixtures.ts';

const app = testApp();
let show: TestShow;
let deal: TestDeal;
let staff: Browser;

beforeAll(async () => {
  const { db } = app.database;
  const ports = testPorts(db);
  show = await makeShow(db, [{ name: 'Ada Author', rate_ppm: 800_000 }, { name: 'Cy Composer', rate_ppm: 800_000 },
    { name: 'Lou Lyricist', rate_ppm: 800_000 }]);
  deal = await makeDeal(db, show, { customer_id: await makeCustomer(db, 'US'), rate_ppm: 100_000 });
  await command(ports, async (ctx) => {
    const { report_id } = await submitReport(ctx, { ...deal, source: 'staff', scope: 'week', currency: 'USD',
      period_from: '2026-01-05', period_to: '2026-01-11', gross_minor: 1_000_000, performances_held: 8 });
    await acceptReport(ctx, { report_id });
    const invoice = await ctx.db.one<{ id: number; total_minor: number }>(sql`
      select id, total_minor from invoices where license_id = ${deal.license_id}`);
    await recordReceipt(ctx, { customer_id: deal.customer_id, division: 'US', currency: 'USD', amount_minor: 50_000,
      method: 'wire', received_on: '2026-03-02', apply_to: [{ invoice_id: invoice.id, amount_minor: 50_000 }] });
  });
  staff = await app.signedIn('staff_user', {
    permissions: ['show_royaltor.list', 'show_royaltor.show', 'royaltor.list'] });
});

describe('accruals', () => {
  test('E9: 1,000.00 at 80% to three equal authors, cost by the report, half due by the receipt', async () => {
    const cost = await staff.get(`/api/admin/staff/royalty_accruals?show_id=${show.show_id}&state=cost`
      + '&sort_by=amount_minor&sort_direction=desc');
    expect(cost.status).toBe(200);
    expect(cost.body.data.map((row: { amount_minor: number }) => row.amount_minor)).toEqual([26_667, 26_667, 26_666]);
    const due = await staff.get(`/api/admin/staff/royalty_accruals?show_id=${show.show_id}&state=due`);
    expect(due.body.data.map((row: { amount_minor: number }) => row.amount_minor).sort())
      .toEqual([13_333, 13_333, 13_334]);
    const earnedIn = async (currency: string) => (await staff.get(
      `/api/admin/staff/royalty_accruals?show_id=${show.show_id}&currency=${currency}&state=cost`)).body.meta.total;
    expect([await earnedIn('USD'), await earnedIn('EUR')]).toEqual([3, 0]);
  });

  test('the drawer names the term, the formula and every party with its exact share', async () => {
    const list = await staff.get(`/api/admin/staff/royalty_accruals?show_id=${show.show_id}&state=cost`);
    const { body } = await staff.get(`/api/admin/staff/royalty_accruals/${list.body.data[0].id}`);
    expect(body.data).toMatchObject({ amount_minor: 100_000, house_minor: 20_000, method: 'plain',
      base_formula: 'receipts of 1,000.00' });
    expect(body.data.allocation).toHaveLength(4);
    expect(body.data.allocation[0]).toMatchObject({ name: 'Ada Author', exact_share: '266.6667', weight: '800000',
      weight_total: '3000000', paid_minor: 26_667 });
    expect((await staff.get('/api/admin/staff/royalty_accruals/999999')).status).toBe(404);
  });

  test('royalties by royaltor hold what was earned, is payable and waits', async () => {
    const { body, status } = await staff.get('/api/admin/staff/sales_and_royalties/royalties?search=Ada');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ royaltor_name: 'Ada Author', earned_minor: 26_667, due_minor: 13_334,
      payable_minor: 13_334, not_due_minor: 13_333, paid_minor: 0 }]);
  });

  test('E11: what the house collects of a pool is cost by points, 7,000.00 and 1,166.67 (3p, 11)', async () => {
    const { db } = app.database;
    const pool = await makeShow(db, [{ name: 'Pool author', rate_ppm: 1_000_000, share_points: 600 },
      { name: 'Pool underlying', rate_ppm: 1_000_000, share_points: 100 }]);
    const week = await makeDeal(db, pool, { customer_id: deal.customer_id });
    const ports = testPorts(db);
    const moved = await movement(db, () => command(ports, (ctx) => issueInvoice(ctx, {
      license_id: week.license_id, customer_id: deal.customer_id, division: 'US', currency: 'USD',
      issued_on: '2026-03-02', lines: [{ kind: 'overage', item_class: 'performing_licence', description: 'Pool week',
        net_minor: 816_667, royalty_bearing: true }] })));
    expect(moved).toEqual({ 1100: 816_667, 4010: -816_667, 5000: 816_667, 2210: -816_667 });
    const { body } = await staff.get(`/api/admin/staff/royalty_accruals?show_id=${pool.show_id}&state=cost`
      + '&sort_by=amount_minor&sort_direction=desc');
    expect(body.data.map((row: { amount_minor: number }) => row.amount_minor)).toEqual([700_000, 116_667]);
  });

  test('without the permission the answer is 403', async () => {
    const other = await app.signedIn('staff_user', { permissions: ['license.list'] });
    expect((await other.get('/api/admin/staff/royalty_accruals')).status).toBe(403);
  });
});
