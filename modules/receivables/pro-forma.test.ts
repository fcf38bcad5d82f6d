/** From the payment plan of a licence to its money: pro forma, payment, tax invoice, deposit, what is told to
 * others. */
import { beforeAll, expect, test } from 'vitest';
import { moneyEvents } from '#apps/server/src/money-events.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { MoneyEvents } from '#server/money-events.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, makeLicense, movement, testPorts, type TestLicense } from '#tests/support/receivables.ts';
import {
  issueInstalment, issueProForma, recordReceipt, releaseForPerformance, unapplyReceipt, voidProFormas,
} from './receivables.public.server.ts';

const database = testDatabase();
let ports: Ports;
const told: [string, Record<string, unknown>][] = [];
const note = (event: string) => async (_ctx: unknown, about: unknown) => {
  told.push([event, about as Record<string, unknown>]);
};
const noteEach = (event: string) => async (ctx: unknown, rows: readonly unknown[]) => {
  for (const row of rows) await note(event)(ctx, row);
};
const money: MoneyEvents<WorkContext> = {
  receivables: moneyEvents.receivables, payables: moneyEvents.payables,
  licensing: { ...moneyEvents.licensing, licensePaid: note('licensePaid') },
  royalties: { invoicesIssued: noteEach('invoiceIssued'), incomesEarned: noteEach('incomeEarned'),
    receiptApplied: note('receiptApplied'), receiptUnapplied: note('receiptUnapplied'),
    incomeCredited: note('incomeCredited') },
};
beforeAll(() => {
  ports = { ...testPorts(database.db), money };
});

/** Royalty 5,910.00 less a discount of 10.00, rental 595.00 with tax 52.81, in instalments as given. */
async function plan(license: TestLicense, instalments: { kinds: string[]; amount: number; deposit?: boolean }[]) {
  const charge = (kind: string, item_class: string, net: number, tax: number, bearing: boolean) => database.db.exec(sql`
    insert into license_charges (license_id, license_venue_id, kind, description, unit_minor, net_minor, item_class,
      royalty_bearing, tax_minor, total_minor)
    values (${license.id}, ${license.venue_id}, ${kind}, ${kind}, ${net}, ${net}, ${item_class}, ${bearing}, ${tax},
      ${net + tax})`);
  await charge('royalty', 'performing_licence', 591_000, 0, true);
  await charge('discount', 'performing_licence', -1_000, 0, false);
  await charge('rental', 'rental', 59_500, 5_281, false);
  const ids: number[] = [];
  for (const [sort, one] of instalments.entries()) {
    const row = await database.db.one<{ id: number }>(sql`
      insert into license_instalments (license_id, sort, label, due_event, line_kinds, share_ppm, is_deposit, net_minor,
        amount_minor)
      values (${license.id}, ${sort}, 'Instalment', 'execution', ${one.kinds}, ${one.deposit ? null : 1_000_000},
        ${one.deposit ?? false}, ${one.amount}, ${one.amount}) returning id`);
    ids.push(row.id);
  }
  return ids;
}

const pay = (license: TestLicense, invoice_id: number, amount_minor: number) => command(ports, (ctx) =>
  recordReceipt(ctx, { customer_id: license.customer_id, division: license.division, currency: license.currency,
    amount_minor, method: 'wire', received_on: DAY, apply_to: [{ invoice_id, amount_minor }] }));

test('a pro forma posts nothing; its payment posts the invoice and the receipt, and tells licensing once', async () => {
  const license = await makeLicense(database.db, 'US');
  const [instalment_id] = await plan(license, [{ kinds: [], amount: 654_781 }]);
  let invoice_id = 0;
  const silent = await movement(database.db, async () => {
    const made = await command(ports, (ctx) => issueProForma(ctx, { license_id: license.id,
      instalment_id: instalment_id! }));
    invoice_id = made.invoice_id!;
  });
  expect(silent).toEqual({});
  const proForma = await database.db.one(sql`select kind, status, invoice_number, total_minor, tax_minor from invoices
    where id = ${invoice_id}`);
  expect(proForma).toEqual({ kind: 'proforma', status: 'proforma', invoice_number: null, total_minor: 654_781,
    tax_minor: 5_281 });
  await expect(pay(license, invoice_id, 100_000)).rejects.toThrow(/paid whole: 6,547.81/);
  told.length = 0;
  const moved = await movement(database.db, () => pay(license, invoice_id, 654_781));
  expect(moved).toEqual({ 1000: 654_781, 2100: -649_500, 2310: -5_281 });
  expect(told.map(([event]) => event)).toEqual(['invoiceIssued', 'receiptApplied', 'licensePaid']);
  expect(told[1]![1]).toMatchObject({ net_minor: 590_000, license_id: license.id });
  const [plannedNow] = await database.db.query(sql`select status from license_instalments where id = ${instalment_id}`);
  expect(plannedNow).toEqual({ status: 'paid' });
  const charges = await database.db.query(sql`select kind, invoiced_net_minor from license_charges
    where license_id = ${license.id} order by id`);
  expect(charges).toEqual([{ kind: 'royalty', invoiced_net_minor: 590_000 }, { kind: 'discount',
    invoiced_net_minor: 0 },
    { kind: 'rental', invoiced_net_minor: 59_500 }]);
  const money = await database.db.one(sql`select invoiced_minor, paid_minor, balance_minor from licenses
    where id = ${license.id}`);
  expect(money).toEqual({ invoiced_minor: 654_781, paid_minor: 654_781, balance_minor: 0 });
  await expect(pay(license, invoice_id, 654_781)).rejects.toThrow(/is paid/);
});

test('two payments of one pro forma at the same moment: one counts', async () => {
  const license = await makeLicense(database.db, 'US');
  const [instalment_id] = await plan(license, [{ kinds: [], amount: 654_781 }]);
  const { invoice_id } = await command(ports, (ctx) =>
    issueProForma(ctx, { license_id: license.id, instalment_id: instalment_id! }));
  const both = await Promise.allSettled([pay(license, invoice_id!, 654_781), pay(license, invoice_id!, 654_781)]);
  expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
  const invoices = await database.db.query(sql`select 1 from invoices where license_id = ${license.id}
    and kind = 'invoice'`);
  expect(invoices).toHaveLength(1);
});

test('a plan by kinds: the royalty and the rest are billed apart, to the cent, and never twice', async () => {
  const license = await makeLicense(database.db, 'US');
  const [first, second, third] = await plan(license, [{ kinds: ['royalty'], amount: 200_000 },
    { kinds: ['royalty'], amount: 390_000 }, { kinds: ['rental'], amount: 64_781 }]);
  const bill = (instalment_id: number) => command(ports, (ctx) =>
    issueInstalment(ctx, { license_id: license.id, instalment_id, on: DAY }));
  for (const id of [first!, second!, third!]) await bill(id);
  await expect(bill(first!)).rejects.toThrow(/billed already/);
  const left = await database.db.one(sql`select sum(net_minor - invoiced_net_minor)::bigint as net,
    sum(tax_minor - invoiced_tax_minor)::bigint as tax from license_charges
    where license_id = ${license.id} and kind <> 'discount'`);
  expect(left).toEqual({ net: 1_000, tax: 0 });
});

test('a deposit of the plan is a request; withdrawing takes pro formas and requests back', async () => {
  const license = await makeLicense(database.db, 'UK');
  const [deposit, rest] = await plan(license, [{ kinds: ['royalty'], amount: 50_000, deposit: true },
    { kinds: [], amount: 604_781 }]);
  const made = await command(ports, (ctx) => issueProForma(ctx, { license_id: license.id, instalment_id: deposit! }));
  expect(made.invoice_id).toBeNull();
  await command(ports, (ctx) => issueProForma(ctx, { license_id: license.id, instalment_id: rest! }));
  await command(ports, (ctx) => voidProFormas(ctx, license.id, 'Declined'));
  const states = await database.db.query(sql`
    select status from invoices where license_id = ${license.id}
    union all select status from deposits where license_id = ${license.id}
    union all select status from license_instalments where license_id = ${license.id}`);
  expect(states.map((row) => (row as { status: string }).status).sort()).toEqual(['cancelled', 'planned', 'planned',
    'void']);
});

test('royalties hear of income and of cash on royalty-bearing lines only, and of what is taken back', async () => {
  const license = await makeLicense(database.db, 'US');
  const [instalment_id] = await plan(license, [{ kinds: [], amount: 654_781 }]);
  const { invoice_id } = await command(ports, (ctx) =>
    issueProForma(ctx, { license_id: license.id, instalment_id: instalment_id! }));
  const { payment_id, invoice_ids } = await pay(license, invoice_id!, 654_781);
  told.length = 0;
  await command(ports, (ctx) => releaseForPerformance(ctx, { performance_id: license.performance_ids[0]!,
    on: '2026-10-01' }));
  expect(told).toEqual([['incomeEarned', expect.objectContaining({ amount_minor: 295_000, income_account: '4000' })]]);
  told.length = 0;
  await command(ports, (ctx) => unapplyReceipt(ctx, { payment_id, invoice_id: invoice_ids[0]!, on: DAY }));
  expect(told).toEqual([['receiptUnapplied', expect.objectContaining({ net_minor: -590_000 })]]);
});
