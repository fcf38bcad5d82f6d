/** Statements of one subject follow each other in time: each opens with what the one before it closed with. */
import { beforeAll, expect, test } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/report/integrity.server.ts';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { command, makeCustomer, testPorts } from '#tests/support/receivables.ts';
import { tieOut } from '../reports/tie-out.server.ts';
import { makeDeal, makeShow, type TestDeal } from '../testing/royalty-fixtures.ts';

const app = testApp();
let ports: Ports;
let ann: Browser & { user_id: number };
let bob: Browser & { user_id: number };
let customer: number;

beforeAll(async () => {
  ports = testPorts(app.database.db);
  ann = await app.signedIn('staff_admin');
  bob = await app.signedIn('staff_admin');
  customer = await makeCustomer(app.database.db, 'US');
});

const RUNS = '/api/admin/staff/royalty_statement_runs';
const STATEMENTS = '/api/admin/staff/royalty_statements';
const ok = <T extends { status: number; body: unknown }>(answer: T): T => {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer;
};
const QUARTERS = [['2026-01-01', '2026-03-31'], ['2026-04-01', '2026-06-30'], ['2026-07-01', '2026-09-30']] as const;

interface Author { royaltor_id: number; show_royaltor_id: number; deal: TestDeal }

async function author(more: object = {}): Promise<Author> {
  const show = await makeShow(app.database.db, [{ rate_ppm: 1_000_000, accrual_basis: 'on_invoice', ...more }]);
  const deal = await makeDeal(app.database.db, show, { customer_id: customer, performances: ['2027-06-01'] });
  return { ...show.parties[0]!, deal };
}

const bill = ({ deal }: Author, on: string, net_minor: number) => command(ports, (ctx) => issueInvoice(ctx, {
  license_id: deal.license_id, customer_id: customer, division: 'US', currency: 'USD', issued_on: on,
  lines: [{ kind: 'royalty', item_class: 'performing_licence', description: 'Licence fee', net_minor,
    royalty_bearing: true }] }));

async function correct({ show_royaltor_id }: Author, on_date: string, amount_minor: number): Promise<void> {
  const { data } = ok(await ann.post('/api/admin/staff/royalty_adjustments', { show_royaltor_id, amount_minor, on_date,
    currency: 'USD', reason: 'Overpaid' })).body;
  ok(await bob.put(`/api/admin/staff/royalty_adjustments/${data.id}/approve`, {}));
}

async function calculate({ royaltor_id }: Author, quarter: number) {
  const [period_from, period_to] = QUARTERS[quarter]!;
  const { data } = ok(await ann.post(RUNS, { division: 'US', currency: 'USD', period_from, period_to,
    royaltor_ids: [royaltor_id] })).body;
  return data.statements.find((one: { royaltor_id: number; status: string }) => one.royaltor_id === royaltor_id
    && one.status !== 'void');
}

const show = async ({ id }: { id: number }) => ok(await ann.get(`${STATEMENTS}/${id}`)).body.data;
const decide = async (one: { id: number }, event: string, more: object = {}) =>
  bob.put(`${STATEMENTS}/${one.id}/${event}`, { version: (await show(one)).version, ...more });
async function issue(one: { id: number }): Promise<void> {
  if ((await show(one)).status === 'calculated') ok(await decide(one, 'approve'));
  ok(await decide(one, 'issue'));
}

test('a balance below zero is carried, whichever is calculated or issued first', async () => {
  const her = await author();
  await correct(her, '2026-02-01', -10_000);
  await bill(her, '2026-05-04', 30_000);
  const first = await calculate(her, 0);
  const second = await calculate(her, 1);
  expect(second).toMatchObject({ opening_minor: -10_000, payable_minor: 20_000 });
  ok(await decide(second, 'approve'));
  expect(await decide(second, 'issue')).toMatchObject({ status: 409,
    body: { code: 'royalty_statement.earlier_open' } });
  await expect(app.database.db.exec(sql`
    update royalty_statements set issued_at = now() where id = ${second.id}`)).rejects.toThrow(/order of its period/);

  ok(await decide(first, 'void', { reason: 'The correction was wrong' }));
  expect(await show(second)).toMatchObject({ status: 'calculated', opening_minor: 0, payable_minor: 30_000 });
  const again = await calculate(her, 0);
  expect(await show(second)).toMatchObject({ opening_minor: -10_000, payable_minor: 20_000 });
  ok(await decide(second, 'approve'));
  await issue(again);
  expect(await show(second)).toMatchObject({ status: 'approved', opening_minor: -10_000 });
  await issue(second);
  expect(await tieOut(app.database.db, 'US', true)).toEqual([]);
  expect((await ledgerIntegrity(app.database.db)).filter((one) => !one.ok)).toEqual([]);
});

test('an advance and a reserve that an earlier statement takes are not taken again by the next', async () => {
  const her = await author({ reserve_schedule_ppm: [1_000_000], reserve_ppm: 100_000 });
  await app.database.db.exec(sql`
    insert into royalty_advances (show_royaltor_id, division, currency, amount_minor, status, paid_on,
      paid_functional_minor) values (${her.show_royaltor_id}, 'US', 'USD', 50000, 'paid', '2026-01-02', 50000)`);
  await bill(her, '2026-02-02', 40_000);
  await bill(her, '2026-05-04', 30_000);
  const [first, second] = [await calculate(her, 0), await calculate(her, 1)];
  expect(first).toMatchObject({ recouped_minor: 36_000, reserves_taken_minor: 4_000,
    closing_unrecouped_minor: 14_000 });
  expect(second).toMatchObject({ recouped_minor: 14_000, reserves_released_minor: 0, payable_minor: 13_000 });
  await issue(first);
  // The reserve exists from its issue on, and the next period releases it.
  expect(await show(second)).toMatchObject({ recouped_minor: 14_000, reserves_released_minor: 4_000,
    payable_minor: 17_000 });
  await issue(second);
});

test('once a later statement is issued an earlier period makes none: what is due goes on the next', async () => {
  const her = await author();
  await bill(her, '2026-05-04', 30_000);
  await issue(await calculate(her, 1));
  await correct(her, '2026-02-01', -5_000);
  expect(await calculate(her, 0)).toBeUndefined();
  expect(await calculate(her, 2)).toMatchObject({ opening_minor: 0, adjustments_minor: -5_000 });
});

test('the tie-out sees a balance that was not carried', async () => {
  const her = await author();
  await correct(her, '2026-02-01', -10_000);
  await issue(await calculate(her, 0));
  await bill(her, '2026-05-04', 30_000);
  const second = await calculate(her, 1);
  await issue(second);
  const differences = async () => (await tieOut(app.database.db, 'US', true))
    .filter((row) => row.royaltor_id === her.royaltor_id);
  expect(await differences()).toEqual([]);
  // As statements issued out of order left it.
  await app.database.db.exec(sql`
    update royalty_statements set opening_minor = 0, available_minor = available_minor + 10000,
      net_minor = net_minor + 10000 where id = ${second.id}`);
  expect(await differences()).toMatchObject([{ account: '2200', difference_minor: -10_000 }]);
  expect((await ledgerIntegrity(app.database.db)).filter((one) => !one.ok).map((one) => one.key))
    .toEqual(['statements_carry', 'royalty_tie_out']);
});
