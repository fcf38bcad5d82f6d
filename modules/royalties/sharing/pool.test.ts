/** Royalty pools from the return of a week to the royaltors' accounts (domain.md 3.5, E11; F34 to F36). */
import { beforeAll, describe, expect, test } from 'vitest';
import { acceptReport, submitReport } from '#modules/licensing/box-office/box-office.public.server.ts';
import { tieOut } from '../reports/tie-out.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { command, makeCustomer, movement, testPorts } from '#tests/support/receivables.ts';
import { makeDeal, makeShow, type TestDeal, type TestShow } from '../testing/royalty-fixtures.ts';

const app = testApp();
let staff: Browser;
let customer: number;

beforeAll(async () => {
  customer = await makeCustomer(app.database.db, 'US');
  staff = await app.signedIn('staff_admin');
});

/** The author has 6 and the underlying work 1 of 15 points, each guaranteed 200.00 a week. */
async function stage(more: Parameters<typeof makeDeal>[2] | object = {}): Promise<{ show: TestShow; deal: TestDeal }> {
  const { db } = app.database;
  const pool = (points: number) => ({ points, total: 1_500, guarantee: 20_000 });
  const show = await makeShow(db, [{ name: 'Pool author', rate_ppm: 350_000, pool: pool(600) },
    { name: 'Pool underlying', rate_ppm: 350_000, pool: pool(100) }]);
  return { show, deal: await makeDeal(db, show, { customer_id: customer, rate_ppm: 50_000, ...more }) };
}

const week = (deal: TestDeal, gross_minor: number, running_costs_minor: number | null, more: object = {}) => ({
  license_id: deal.license_id, license_venue_id: deal.license_venue_id, source: 'staff' as const,
  scope: 'week' as const, currency: 'USD' as const, period_from: '2026-01-05', period_to: '2026-01-11', gross_minor,
  running_costs_minor, performances_held: 8, ...more });

const accept = (deal: TestDeal, gross: number, costs: number | null, more: object = {}) =>
  command(testPorts(app.database.db), async (ctx) => {
    const { report_id } = await submitReport(ctx, week(deal, gross, costs, more));
    await acceptReport(ctx, { report_id });
    return report_id;
  });

/** Amounts both parties earned so far, in their order. */
async function earned(show: TestShow): Promise<number[]> {
  const rows = await app.database.db.query<{ earned: number }>(sql`
    select coalesce((select sum(a.amount_minor) from royalty_accruals a where a.show_royaltor_id = g.id
      and a.cost_on is not null), 0)::bigint as earned from show_royaltors g
    where g.show_id = ${show.show_id} order by g.id`);
  return rows.map((row) => row.earned);
}

describe('a royalty pool', () => {
  test('E11: gross 400,000.00, running costs 350,000.00: 7,000.00 and 1,166.67, cost and not yet due', async () => {
    const { show, deal } = await stage();
    const moved = await movement(app.database.db, () => accept(deal, 40_000_000, 35_000_000));
    expect(moved).toMatchObject({ 5000: 816_667, 2210: -816_667, 4010: -2_000_000 });
    expect(await earned(show)).toEqual([700_000, 116_667]);
    const list = await staff.get(`/api/admin/staff/royalty_accruals?show_id=${show.show_id}`
      + '&sort_by=amount_minor&sort_direction=desc');
    const { data } = (await staff.get(`/api/admin/staff/royalty_accruals/${list.body.data[0].id}`)).body;
    expect(data).toMatchObject({ house_minor: 1_183_333,
      base_formula: 'the operating profit: gross of 400,000.00 less running costs of 350,000.00',
      share_formula: '35% is 17,500.00, not less than the guarantee of 3,000.00 (200.00 per point); 6 of 15 points' });
    expect(data.allocation[0]).toMatchObject({ name: 'Pool author', weight: '600', weight_total: '1500',
      paid_minor: 700_000 });
    expect(await tieOut(app.database.db, 'US', true)).toEqual([]);
  });

  test('E11c: a week with little profit brings the guarantee, 1,200.00 and 200.00', async () => {
    const { show, deal } = await stage();
    await accept(deal, 35_800_000, 35_000_000);
    expect(await earned(show)).toEqual([120_000, 20_000]);
  });

  test('two venues of a week are one week: the second return brings the difference', async () => {
    const { show, deal } = await stage();
    const { id } = await app.database.db.one<{ id: number }>(sql`
      insert into license_venues (license_id, name, address) select license_id, 'Second house', address
      from license_venues where id = ${deal.license_venue_id} returning id`);
    await accept(deal, 36_000_000, 35_000_000);
    expect(await earned(show)).toEqual([140_000, 23_333]);
    await accept(deal, 4_000_000, 0, { license_venue_id: id });
    expect(await earned(show)).toEqual([700_000, 116_667]);
  });

  test('a return that replaces another brings the week to what it is worth', async () => {
    const { show, deal } = await stage();
    const first = await accept(deal, 36_000_000, 35_000_000);
    await accept(deal, 40_000_000, 35_000_000, { replaces_report_id: first });
    expect(await earned(show)).toEqual([700_000, 116_667]);
  });

  test('a week without its running costs is held; counted all the same, it brings the guarantee', async () => {
    const { show, deal } = await stage();
    const base = `/api/admin/staff/licenses/${deal.license_id}/box_office_reports`;
    const { license_id: _l, source: _s, ...body } = week(deal, 40_000_000, null);
    const { data: held } = (await staff.post(base, body)).body;
    expect(held).toMatchObject({ held: true, asks_running_costs: true, running_costs_minor: null });
    expect(held.questions.map((one: { kind: string }) => one.kind)).toEqual(['no_running_costs']);
    const refused = await staff.put(`${base}/${held.id}/review`, { event: 'accept', version: held.version });
    expect(refused.status).toBe(409);
    const corrected = await staff.put(`${base}/${held.id}`, { ...body, running_costs_minor: 35_000_000,
      version: held.version });
    expect(corrected.body.data).toMatchObject({ held: false, running_costs_minor: 35_000_000 });

    const later = { ...body, period_from: '2026-01-12', period_to: '2026-01-18' };
    const { data: other } = (await staff.post(base, later)).body;
    const counted = await staff.put(`${base}/${other.id}/questions/${other.questions[0].id}`,
      { answer: 'add', note: 'The producer opens no books' });
    expect(counted.body.data.held).toBe(false);
    await staff.put(`${base}/${other.id}/review`, { event: 'accept', version: counted.body.data.version });
    expect(await earned(show)).toEqual([120_000, 20_000]);
  });

  test('the customer is asked for the running costs, and reads them back', async () => {
    const { deal } = await stage({ performances: ['2026-01-06'] });
    const home = await app.signedIn('customer', { customers: [{ id: customer, role: 'admin' }] });
    const { license_id: _l, source: _s, ...body } = week(deal, 40_000_000, 35_000_000, { performances_held: 1 });
    const path = `/api/customers/${customer}/licenses/${deal.license_id}/box_office_reports`;
    const made = await home.post(path, { ...body, certified_name: 'Paul Producer' });
    expect(made.status).toBe(201);
    expect((await home.get(`${path}/${made.body.data.id}`)).body.data)
      .toMatchObject({ asks_running_costs: true, running_costs_minor: 35_000_000, held: false });
  });
});

test('the database holds a pool whole: its fields, its income, its points and its one other rate', async () => {
  const { show } = await stage();
  const { db } = app.database;
  const set = (change: ReturnType<typeof sql>) => db.exec(sql`update royalty_terms set ${change}
    where id = ${show.parties[0]!.term_id}`);
  await expect(set(sql`pool_of = null`)).rejects.toThrow(/royalty_terms_pool/);
  await expect(set(sql`basis = 'receipts'`)).rejects.toThrow(/royalty_terms_pool/);
  await expect(set(sql`pool_points_x100 = 1501`)).rejects.toThrow(/royalty_terms_pool_points/);
  await expect(set(sql`match_income_types = '{}'`)).rejects.toThrow(/royalty_terms_pool_income/);
  await expect(set(sql`min_per_performance_minor = 1`)).rejects.toThrow(/royalty_terms_pool_income/);
  await expect(db.exec(sql`insert into royalty_term_tiers (royalty_term_id, from_minor, rate_ppm)
    values (${show.parties[0]!.term_id}, 100, 400000)`)).rejects.toThrow(/the one after recoupment/);
});
