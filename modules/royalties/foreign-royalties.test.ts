/**
 * A licence in euros in the books of the US division, from the invoice to the bank: each rate where it belongs, every
 * difference realised once, nothing left over in either currency (accounting.md 2.1, 2.2 events 11 to 14d; domain.md
 * 3.2, 3.5 steps 6 and 12). EUR in USD: 1.10 in March, 1.12 in April, 1.15 in May, 1.20 and 1.21 in July.
 */
import { beforeAll, expect, test } from 'vitest';
import { issueInvoice, recordReceipt, releaseLicense } from '#modules/receivables/receivables.public.server.ts';
import { fixedClock } from '#server/clock.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, giveForeignAccount, makeCustomer, testPorts } from '#tests/support/receivables.ts';
import { returnPayment } from './payments/decide-batch.server.ts';
import { approveBatch, makeRoyaltyRun, payBatch } from '#modules/payables/payables.public.server.ts';
import { approveRun, calculateRun, issueRun, tieOut, type BatchInput }
  from './royalties.public.server.ts';
import { makeDeal, makeRoyaltor, makeShow, type TestDeal, type TestShow } from './testing/royalty-fixtures.ts';

const database = testDatabase();
let db: Db;
let ports: Ports;
let people: number[];
let customer: number;
let author: number;
let show: TestShow;
let deal: TestDeal;

beforeAll(async () => {
  db = database.db;
  ports = { ...testPorts(db), clock: fixedClock('2026-07-31T12:00:00Z') };
  customer = await makeCustomer(db, 'US');
  await giveForeignAccount(ports, 'US', 'EUR');
  const rates = { '2026-03-01': '1.10', '2026-04-01': '1.12', '2026-05-01': '1.15', '2026-07-10': '1.20',
    '2026-07-20': '1.21' };
  for (const [on, rate] of Object.entries(rates)) {
    await db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
      values ('EUR', 'USD', ${on}, ${rate}, 'manual')`);
  }
  people = (await db.query<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role, email_verified_at) values
      ('ada@rates.example', 'Ada', 'One', 'staff_admin', now()),
      ('bea@rates.example', 'Bea', 'Two', 'staff_admin', now()) returning id`)).map((row) => row.id);
  author = await makeRoyaltor(db, { name: 'Emil Author', country: 'DE', form: 'none', tin: false });
  await db.exec(sql`update royaltors set currency = 'EUR' where id = ${author}`);
  show = await makeShow(db, [{ rate_ppm: 700_000, royaltor_id: author }]);
  deal = await makeDeal(db, show, { customer_id: customer, currency: 'EUR',
    performances: ['2026-05-04', '2026-05-05'] });
});

const as = <T>(who: 0 | 1, work: (ctx: WorkContext) => Promise<T>): Promise<T> => command(ports, (ctx) =>
  work({ ...ctx, actor: { ...ctx.actor, actor_id: people[who]! } }));

/** Postings of the work per account: { '2200': ['EUR -700.00', -78400] } with the base amount in cents of a dollar. */
async function posted(work: () => Promise<unknown>): Promise<Record<string, [string, number][]>> {
  const { id } = await db.one<{ id: number }>(sql`select coalesce(max(id), 0)::bigint as id from transactions`);
  await work();
  const rows = await db.query<{ code: string; currency: string; amount: number; base: number }>(sql`
    select a.code, e.currency, sum(e.amount_minor)::bigint as amount, sum(e.base_amount_minor)::bigint as base
    from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id > ${id}
    group by a.code, e.currency having sum(e.amount_minor) <> 0 or sum(e.base_amount_minor) <> 0
    order by a.code, e.currency`);
  return Object.fromEntries([...Map.groupBy(rows, (row) => row.code)].map(([code, own]) =>
    [code, own.map((row): [string, number] => [`${row.currency} ${row.amount / 100}`, row.base])]));
}

async function pay(more: Partial<BatchInput> & { pay_on: string }): Promise<number> {
  const { batch_id } = await as(0, (ctx) => makeRoyaltyRun(ctx, { division: 'US', method: 'wire', statement_ids: [],
    advance_ids: [], ...more }));
  await as(1, (ctx) => approveBatch(ctx, batch_id, 1));
  await as(0, (ctx) => payBatch(ctx, batch_id, 2));
  return batch_id;
}

const statement = () => db.one<Record<string, number> & { id: number; status: string }>(sql`
  select * from royalty_statements where royaltor_id = ${author}`);

test('[I3] [I4] [I11] invoice at 1.10, receipt at 1.12, advance at 1.15, payment at 1.20: 46.00 are lost', async () => {
  const { invoice_id } = await command(ports, (ctx) => issueInvoice(ctx, { license_id: deal.license_id,
    customer_id: customer, division: 'US', currency: 'EUR', issued_on: '2026-03-02', lines: [{ kind: 'royalty',
      item_class: 'performing_licence', description: 'Licence fee', net_minor: 100_000, royalty_bearing: true }] }));
  // 11d: due before the run at the receipt's rate; 20.00 are gained on the receivable (19).
  expect(await posted(() => command(ports, (ctx) => recordReceipt(ctx, { customer_id: customer, division: 'US',
    currency: 'EUR', amount_minor: 100_000, method: 'wire', received_on: '2026-04-02',
    apply_to: [{ invoice_id, amount_minor: 100_000 }] })))).toEqual({
    1001: [['EUR 1000', 112_000]], 1100: [['EUR -1000', -110_000]], 1140: [['EUR 700', 78_400]],
    2200: [['EUR -700', -78_400]], 7000: [['USD -20', -2_000]] });
  // 2 and 11: income at the invoice's rate, its cost at what 1140 is carried at.
  await db.exec(sql`update performances set status = 'performed' where license_id = ${deal.license_id}`);
  expect(await posted(() => command(ports, (ctx) => releaseLicense(ctx, { license_id: deal.license_id,
    up_to: '2026-05-05' })))).toEqual({
    1140: [['EUR -700', -78_400]], 2100: [['EUR 1000', 110_000]], 4000: [['EUR -1000', -110_000]],
    5000: [['EUR 700', 78_400]] });

  const advance = await db.one<{ id: number }>(sql`
    insert into royalty_advances (show_royaltor_id, division, currency, amount_minor)
    values (${show.parties[0]!.show_royaltor_id}, 'US', 'EUR', 20000) returning id`);
  // 12: 200.00 less 30%; the authority is owed dollars.
  expect(await posted(() => pay({ pay_on: '2026-05-04', advance_ids: [advance.id] }))).toEqual({
    1001: [['EUR -140', -16_100]], 1150: [['EUR 200', 23_000]], 2320: [['USD -69', -6_900]] });

  const { run_id } = await as(0, (ctx) => calculateRun(ctx, { division: 'US', currency: 'EUR',
    period_from: '2026-04-01', period_to: '2026-06-30' }));
  await as(1, (ctx) => approveRun(ctx, run_id, 2));
  // 13: 200.00 of 2200 carried at 1.12 against an advance at 1.15.
  expect(await posted(() => as(1, (ctx) => issueRun(ctx, run_id, 3, '2026-07-02')))).toEqual({
    1150: [['EUR -200', -23_000]], 2200: [['EUR 200', 22_400]], 7000: [['USD 6', 600]] });
  expect(await statement()).toMatchObject({ earnings_minor: 70_000, recouped_minor: 20_000, net_minor: 50_000,
    expected_wht_minor: 15_000, payable_minor: 35_000, carried_minor: 56_000 });
  expect(await tieOut(db, 'US', true)).toEqual([]);

  // 14 and 14c: 500.00 carried at 560.00 dollars cost 600.00 of them.
  const statement_ids = [(await statement()).id];
  let batch_id = 0;
  expect(await posted(async () => { batch_id = await pay({ pay_on: '2026-07-10', statement_ids }); })).toEqual({
    1001: [['EUR -350', -42_000]], 2200: [['EUR 500', 56_000]], 2320: [['USD -180', -18_000]],
    7000: [['USD 40', 4_000]] });
  expect(await statement()).toMatchObject({ status: 'paid', closing_minor: 0, carried_minor: 0 });
  expect(await tieOut(db, 'US', true)).toEqual([]);

  // 14d: the bank sends it back; he is paid dollars instead, at the rate of that day.
  const payment = await db.one<{ id: number }>(sql`
    select id from payments where royalty_payment_batch_id = ${batch_id}`);
  await as(1, (ctx) => returnPayment(ctx, batch_id, payment.id, { returned_on: '2026-07-14', reason: 'Closed' }));
  expect(await statement()).toMatchObject({ status: 'issued', carried_minor: 56_000 });
  expect(await tieOut(db, 'US', true)).toEqual([]);
  await db.exec(sql`update royaltors set currency = 'GBP', bank_verified_at = '2100-01-01' where id = ${author}`);
  expect(await posted(() => pay({ pay_on: '2026-07-20', statement_ids }))).toEqual({
    1000: [['USD -423.5', -42_350]], 2200: [['EUR 500', 56_000]], 2320: [['USD -181.5', -18_150]],
    7000: [['USD 45', 4_500]] });
  expect(await tieOut(db, 'US', true)).toEqual([]);

  const left = await db.query(sql`
    select a.code from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id
    where a.code in ('1100', '1140', '1150', '2100', '2200', '2210')
    group by a.code having sum(e.base_amount_minor) <> 0`);
  expect(left).toEqual([]);
});

test('a batch pays in one currency, and not without a rate', async () => {
  const [dollars, euros] = [await makeRoyaltor(db), await makeRoyaltor(db)];
  await db.exec(sql`update royaltors set currency = 'EUR' where id = ${euros}`);
  const both = await makeShow(db, [{ rate_ppm: 1, royaltor_id: dollars }, { rate_ppm: 1, royaltor_id: euros }]);
  const advances = await db.query<{ id: number }>(sql`
    insert into royalty_advances (show_royaltor_id, division, currency, amount_minor)
    select id, 'US', 'GBP', 10000 from unnest(${both.parties.map((one) => one.show_royaltor_id)}::bigint[]) u (id)
    returning id`);
  const advance_ids = advances.map((row) => row.id);
  const batch = (ids: number[]) => as(0, (ctx) => makeRoyaltyRun(ctx, { division: 'US', method: 'wire',
    pay_on: '2026-07-10', statement_ids: [], advance_ids: ids }));
  await expect(batch(advance_ids)).rejects.toThrow(/Everything in a batch is paid in one currency/);
  await expect(batch([advance_ids[1]!])).rejects.toThrow(/US pays this in EUR. Enter the rate of GBP in EUR/);
});

test('net presentation: deferred income and the royaltors\' part of it end at nothing in both currencies', async () => {
  await db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-09-01', '1.2345', 'manual')`);
  const net = await makeShow(db, [{ rate_ppm: 700_000 }], 'net');
  const days = ['2026-09-11', '2026-09-12', '2026-09-13'];
  const run = await makeDeal(db, net, { customer_id: customer, currency: 'EUR', performances: days });
  const moved = await posted(async () => {
    await command(ports, (ctx) => issueInvoice(ctx, { license_id: run.license_id, customer_id: customer,
      division: 'US', currency: 'EUR', issued_on: '2026-09-01', lines: [{ kind: 'royalty',
        item_class: 'performing_licence', description: 'Fee', net_minor: 10_001, royalty_bearing: true }] }));
    for (const [n, day] of days.entries()) {
      await db.exec(sql`update performances set status = 'performed' where id = ${run.performance_ids[n]}`);
      await command(ports, (ctx) => releaseLicense(ctx, { license_id: run.license_id, up_to: day }));
    }
  });
  expect(moved).toEqual({ 1100: [['EUR 100.01', 12_346]], 2210: [['EUR -70.01', -8_643]],
    4000: [['EUR -30', -3_703]] });
  expect(await tieOut(db, 'US', true)).toEqual([]);
});
