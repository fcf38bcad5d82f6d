/** Scheduled effects on money: income by date, deposits on account (accounting.md 2.1, 2.7). */
import { beforeAll, expect, test } from 'vitest';
import { fixedClock } from '#server/clock.ts';
import { type Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, makeLicense, movement, testPorts } from '#tests/support/receivables.ts';
import {
  applyDepositsOnAccount, issueInvoice, recordReceipt, releaseIncomeDue, requestDeposit,
} from './receivables.public.server.ts';

const database = testDatabase();
const clock = fixedClock(`${DAY}T12:00:00Z`);
let ports: Ports;
beforeAll(() => { ports = { ...testPorts(database.db), clock }; });

/** Postings of releases: day, and what they made income. */
const released = (invoiceId: number) => database.db.query<{ on: string; amount: number }>(sql`
  select t.transaction_at as on, sum(e.amount_minor)::bigint as amount from transactions t
    join journal_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.ledger_account_id
  where t.kind = 'release' and e.invoice_id = ${invoiceId} and a.code = '2100' group by t.id, t.transaction_at
  order by t.transaction_at, t.id`);

test('hire becomes income month by month as the clock passes, each part on its own day and once', async () => {
  clock.set(`${DAY}T12:00:00Z`);
  const license = await makeLicense(database.db, 'US');
  const { invoice_id } = await command(ports, (ctx) => issueInvoice(ctx, {
    license_id: license.id, customer_id: license.customer_id, division: 'US', currency: 'USD', issued_on: DAY,
    due_on: DAY, lines: [{ kind: 'rental', description: 'Hire', item_class: 'rental', net_minor: 92_00, tax_minor: 0,
      release_rule: 'straight_line', release_from: '2026-08-01', release_to: '2026-10-31' }] }));
  await releaseIncomeDue(ports);
  expect(await released(invoice_id)).toEqual([]);
  clock.set('2026-09-01T12:00:00Z');
  expect(await releaseIncomeDue(ports)).toEqual({ released: 1, failed: 0 });
  expect(await released(invoice_id)).toEqual([{ on: '2026-08-31', amount: 31_00 }]);
  expect(await releaseIncomeDue(ports)).toEqual({ released: 0, failed: 0 });
  // A server that slept for two months posts each part on its own day all the same.
  clock.set('2026-11-02T12:00:00Z');
  await releaseIncomeDue(ports);
  expect(await released(invoice_id)).toEqual([{ on: '2026-08-31', amount: 31_00 },
    { on: '2026-09-30', amount: 30_00 }, { on: '2026-10-31', amount: 31_00 }]);
});

test('what fell due in a month that is locked by now becomes income today', async () => {
  clock.set(`${DAY}T12:00:00Z`);
  const license = await makeLicense(database.db, 'EU');
  const { invoice_id } = await command(ports, (ctx) => issueInvoice(ctx, {
    license_id: license.id, customer_id: license.customer_id, division: 'EU', currency: 'EUR', issued_on: DAY,
    due_on: DAY, lines: [{ kind: 'rental', description: 'Hire', item_class: 'rental', net_minor: 30_00, tax_minor: 0,
      release_rule: 'straight_line', release_from: '2026-04-01', release_to: '2026-04-30' }] }));
  await database.owner.exec(sql`update periods set sales_locked_through = ends
    where division = 'EU' and period = 202604`);
  clock.set('2026-05-04T12:00:00Z');
  expect(await releaseIncomeDue(ports)).toEqual({ released: 1, failed: 0 });
  expect(await released(invoice_id)).toEqual([{ on: '2026-05-04', amount: 30_00 }]);
});

test('a deposit on account pays the invoices of its licence in the order they fall due', async () => {
  clock.set(`${DAY}T12:00:00Z`);
  const license = await makeLicense(database.db, 'UK');
  const bill = (net_minor: number, due_on: string) => command(ports, (ctx) => issueInvoice(ctx, {
    license_id: license.id, customer_id: license.customer_id, division: 'UK', currency: 'GBP', issued_on: DAY, due_on,
    lines: [{ kind: 'royalty', description: 'Licence fee', item_class: 'performing_licence', net_minor }] }));
  const later = await bill(50_000, '2026-05-01');
  const sooner = await bill(20_000, '2026-04-01');
  await command(ports, async (ctx) => {
    const { deposit_id } = await requestDeposit(ctx, { license_id: license.id, amount_minor: 50_000 });
    await recordReceipt(ctx, { customer_id: license.customer_id, division: 'UK', currency: 'GBP', method: 'bacs',
      amount_minor: 50_000, received_on: DAY, license_id: license.id, deposit_id });
  });
  clock.set('2026-03-03T04:00:00Z');
  const moved = await movement(database.db, async () => {
    expect(await applyDepositsOnAccount(ports)).toEqual({ applied: 2, failed: 0 });
  });
  // 240.00 and 260.00 of the 500.00, with the tax that was due at its receipt: 83.33.
  expect(moved).toEqual({ 1100: -50_000, 2160: 41_667, 2300: 8_333 });
  const balances = await database.db.query<{ id: number; balance_minor: number }>(sql`
    select id, balance_minor from invoices where license_id = ${license.id} and kind = 'invoice' order by id`);
  expect(balances).toEqual([{ id: later.invoice_id, balance_minor: 34_000 },
    { id: sooner.invoice_id, balance_minor: 0 }]);
  expect(await applyDepositsOnAccount(ports)).toEqual({ applied: 0, failed: 0 });
});
