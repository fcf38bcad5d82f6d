/** Box-office reports billed together: the same rows and amounts as one by one. */
import { expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, makeLicense, testPorts } from '#tests/support/receivables.ts';
import {
  creditInvoice, issueInvoice, issueReportInvoices, recordReceipt, requestDeposit,
} from './receivables.public.server.ts';

const database = testDatabase();

test('[I2] a credit that set money free stays off the licence when reports are billed together', async () => {
  const ports = testPorts(database.db);
  const license = await makeLicense(database.db, 'US');
  const of = { license_id: license.id, customer_id: license.customer_id, division: license.division,
    currency: license.currency };
  const report = (day: string) => database.db.one<{ id: number }>(sql`
    insert into box_office_reports (license_id, division, scope, period_from, period_to, currency)
    values (${license.id}, 'US', 'week', ${day}, ${day}, 'USD') returning id`);
  const reports = [await report('2026-02-01'), await report('2026-02-08')];
  const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
    kind: 'on_account', amount_minor: 40_000, due_on: DAY }));
  await command(ports, (ctx) => recordReceipt(ctx, { ...of, amount_minor: 40_000, method: 'wire', received_on: DAY,
    deposit_id }));
  const { invoice_id } = await command(ports, (ctx) => issueInvoice(ctx, { ...of, issued_on: DAY,
    deposit_ids: [deposit_id], lines: [{ kind: 'royalty', description: 'License fee',
      item_class: 'performing_licence', net_minor: 100_000 }] }));
  await command(ports, (ctx) => creditInvoice(ctx, { invoice_id, reason: 'Cancelled', on: DAY }));
  const made = await command(ports, (ctx) => issueReportInvoices(ctx, reports.map(({ id }, k) => ({ ...of,
    box_office_report_id: id, license_venue_id: license.venue_id, description: `Week ${k + 1}`,
    net_minor: 20_000 * (k + 1), issued_on: DAY }))));
  expect(await database.db.one(sql`
    select invoiced_minor, paid_minor, balance_minor from licenses where id = ${license.id}`))
    .toEqual({ invoiced_minor: 60_000, paid_minor: 0, balance_minor: 60_000 });
  const audited = await database.db.query(sql`
    select entity_id, after -> 'total_minor' as total, after ->> 'invoice_number' as number from audit_events
    where action = 'issue' and entity = 'invoice' and entity_id = any(${made.map((one) => one.invoice_id)}::bigint[])
    order by id`);
  const numbers = await database.db.query<{ number: string }>(sql`
    select invoice_number as number from invoices where id = any(${made.map((one) => one.invoice_id)}::bigint[])
    order by id`);
  expect(audited).toEqual(made.map(({ invoice_id: id }, k) => ({ entity_id: id, total: 20_000 * (k + 1),
    number: numbers[k]!.number })));
});
