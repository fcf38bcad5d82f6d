/** Large statement runs in the background: killed and gone on, worked by two at once, nothing made twice, told why. */
import { beforeAll, expect, test } from 'vitest';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { FULL } from '#tests/support/full.ts';
import { command, giveForeignAccount, makeCustomer, testPorts } from '#tests/support/receivables.ts';
import { makeDeal, makeShow } from '../testing/royalty-fixtures.ts';
import { AT_ONCE, lockBooks } from './calculate-run.server.ts';
import { workChunk, workStatementRuns } from './work-runs.server.ts';

const app = testApp();
const RUNS = '/api/admin/staff/royalty_statement_runs';
/** More than a request calculates itself, and not a whole number of chunks. */
const PARTIES = AT_ONCE + 1;
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

/** Many authors who share 1% of one fee of 10,000.00, due at once. */
async function earn(on: string, currency = 'USD'): Promise<void> {
  const { db } = app.database;
  const show = await makeShow(db, Array.from({ length: PARTIES }, () => ({ rate_ppm: 10_000,
    accrual_basis: 'on_invoice' as const })));
  const deal = await makeDeal(db, show, { customer_id: customer, currency, performances: ['2027-06-01'] });
  await command(ports, (ctx) => issueInvoice(ctx, { license_id: deal.license_id, customer_id: customer, division: 'US',
    currency: currency as 'USD', issued_on: on,
    lines: [{ kind: 'royalty', item_class: 'performing_licence',
      description: 'Fee', net_minor: 1_000_000, royalty_bearing: true }] }));
}

const period = (month: string, currency = 'USD') => ({ division: 'US', currency, period_from: `2026-${month}-01`,
  period_to: `2026-${month}-28` });
const show = async (id: number) => (await ann.get(`${RUNS}/${id}`)).body.data;

test('a large run is calculated and issued in the background, across a kill and by two workers', async () => {
  await earn('2026-03-02');
  const asked = await ann.post(RUNS, period('03'));
  expect(asked).toMatchObject({ status: 202, body: { data: { status: 'draft', work: 'calculate', work_done: 0,
    work_total: PARTIES, statements: [] } } });
  const { id } = asked.body.data;
  expect(await ann.post(RUNS, period('03'))).toMatchObject({ status: 409,
    body: { message: 'The statements of this period are being calculated.' } });
  // One chunk, then the worker is gone: what it finished is there, and nobody decides yet.
  expect(await workChunk(ports, id)).toBe(true);
  const half = await show(id);
  expect(half).toMatchObject({ work: 'calculate', work_done: 25, work_total: PARTIES });
  expect(half.statements).toHaveLength(25);
  expect(await bob.put(`/api/admin/staff/royalty_statements/${half.statements[0].id}/approve`,
    { version: half.statements[0].version })).toMatchObject({ status: 409 });
  expect(await bob.put(`${RUNS}/${id}/approve`, { version: half.version })).toMatchObject({ status: 409 });

  // Longer than the time limit of a lock: who finds the books held leaves the run as it is.
  await ports.db.tx(async (tx) => {
    await lockBooks(tx, { division: 'US', currency: 'USD' });
    await workStatementRuns(ports);
  });
  expect(await show(id)).toMatchObject({ work: 'calculate', work_done: 25, failure: null });

  await Promise.all([workStatementRuns(ports), workStatementRuns(ports)]);
  const done = await show(id);
  expect(done).toMatchObject({ status: 'calculated', work: null, statement_count: PARTIES,
    net_minor: 10_000 });
  expect(new Set(done.statements.map((one: { royaltor_id: number }) => one.royaltor_id)).size).toBe(PARTIES);
  // Four eyes hold: who asked for the run calculated it.
  expect(await ann.put(`${RUNS}/${id}/approve`, { version: done.version }))
    .toMatchObject({ body: { code: 'four_eyes' } });

  const approved = (await bob.put(`${RUNS}/${id}/approve`, { version: done.version })).body.data;
  const issuing = (await bob.put(`${RUNS}/${id}/issue`, { version: approved.version })).body.data;
  expect(issuing).toMatchObject({ status: 'approved', work: 'issue', work_total: PARTIES });
  await workChunk(ports, id);
  await Promise.all([workStatementRuns(ports), workStatementRuns(ports)]);
  expect(await show(id)).toMatchObject({ status: 'issued', work: null });
  const { numbers, documents } = await app.database.db.one<{ numbers: number; documents: number }>(sql`
    select count(distinct number) as numbers, count(distinct document_id) as documents from royalty_statements
    where royalty_statement_run_id = ${id} and status = 'issued'`);
  expect([numbers, documents]).toEqual([PARTIES, PARTIES]);
}, 300_000);

const AGAIN = 'calculating again replaces the statements; a fault is told at the run, and trying again goes on';

test.runIf(FULL)(AGAIN, async () => {
  await app.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-01-01', '1.10', 'manual')`);
  await giveForeignAccount(ports, 'US', 'EUR');
  await earn('2026-02-03', 'EUR');
  const { id } = (await ann.post(RUNS, period('02', 'EUR'))).body.data;
  await workStatementRuns(ports);
  await ann.post(RUNS, period('02', 'EUR'));
  await workStatementRuns(ports);
  const run = await show(id);
  expect(run).toMatchObject({ status: 'calculated', statement_count: PARTIES });

  const approved = (await bob.put(`${RUNS}/${id}/approve`, { version: run.version })).body.data;
  await app.database.db.exec(sql`delete from exchange_rates`);
  await bob.put(`${RUNS}/${id}/issue`, { version: approved.version });
  await workStatementRuns(ports);
  const stopped = await show(id);
  expect(stopped).toMatchObject({ status: 'approved', work: null });
  expect(stopped.failure).toMatch(/^Enter the rate of EUR in USD/);
  await app.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-01-01', '1.10', 'manual')`);
  await bob.put(`${RUNS}/${id}/issue`, { version: stopped.version });
  await workStatementRuns(ports);
  expect(await show(id)).toMatchObject({ status: 'issued', failure: null });
}, 300_000);
