/** Events 1 to 10 and 25 of the posting table, each on the amounts of accounting.md 2.2 and domain.md 2. */
import { beforeAll, describe, expect, test } from 'vitest';
import { fixedClock } from '#server/clock.ts';
import { type Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, giveForeignAccount, makeCustomer, makeLicense, movement, testPorts, type TestLicense }
  from '#tests/support/receivables.ts';
import {
  applyReceiptToInvoice, creditInvoice, disposeDeposit, issueInvoice, recordReceipt, refundReceipt,
  releaseForPerformance, requestDeposit, returnReceipt, unapplyReceipt, writeOff, type InvoiceLineInput,
} from './receivables.public.server.ts';

const database = testDatabase();
let ports: Ports;
// Some events are of days after DAY: money moves today or before.
beforeAll(() => { ports = { ...testPorts(database.db), clock: fixedClock('2026-03-31T12:00:00Z') }; });

const royalty = (net_minor: number, more: Partial<InvoiceLineInput> = {}): InvoiceLineInput => ({
  kind: 'royalty', description: 'Licence fee', item_class: 'performing_licence', net_minor, ...more });

function issue(license: TestLicense, lines: InvoiceLineInput[], on = DAY) {
  return command(ports, (ctx) => issueInvoice(ctx, {
    license_id: license.id, customer_id: license.customer_id, division: license.division, currency: license.currency,
    lines, issued_on: on, due_on: on }));
}

function receive(license: TestLicense, amount_minor: number, invoice_id?: number, more = {}) {
  return command(ports, (ctx) => recordReceipt(ctx, {
    customer_id: license.customer_id, division: license.division, currency: license.currency, amount_minor,
    method: 'wire', received_on: DAY, ...(invoice_id ? { apply_to: [{ invoice_id, amount_minor }] } : {}), ...more }));
}

const invoiceRow = (id: number) => database.db.one<{ invoice_number: string; status: string; balance_minor: number;
  paid_minor: number; tax_minor: number; total_minor: number }>(sql`
    select invoice_number, status, balance_minor, paid_minor, tax_minor, total_minor from invoices where id = ${id}`);

describe('invoices', () => {
  test('event 1: US invoice, each line deferred, tax on materials by jurisdiction', async () => {
    const license = await makeLicense(database.db, 'US');
    let invoice_id = 0;
    const moved = await movement(database.db, async () => {
      ({ invoice_id } = await issue(license, [royalty(100_000),
        { kind: 'rental', description: 'Rental', item_class: 'rental', net_minor: 20_000, tax_minor: 1_900 },
        { kind: 'sale', description: 'Scripts', item_class: 'printed_script', net_minor: 4_500, tax_minor: 500 },
        { kind: 'shipping', description: 'Delivery', item_class: 'shipping', net_minor: 1_500, tax_minor: 0 }]));
    });
    expect(moved).toEqual({ 1100: 128_400, 2100: -126_000, 2310: -2_400 });
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'issued', balance_minor: 128_400, tax_minor: 2_400 });
    const parts = await database.db.query(sql`select jurisdiction, tax_minor from invoice_tax_lines
      where invoice_id = ${invoice_id} and tax_minor > 0 order by id`);
    expect(parts).toHaveLength(6);
  });

  test('event 1b: UK invoice, 20% is never deferred', async () => {
    const license = await makeLicense(database.db, 'UK');
    const moved = await movement(database.db, () => issue(license, [royalty(100_000)]));
    expect(moved).toEqual({ 1100: 120_000, 2100: -100_000, 2300: -20_000 });
  });

  test('event 21b: reverse charge to a business of another member state', async () => {
    const customer = await makeCustomer(database.db, 'EU', { business: true, country: 'DE' });
    const license = await makeLicense(database.db, 'EU', 2, customer);
    const moved = await movement(database.db, () => issue(license, [royalty(100_000)]));
    expect(moved).toEqual({ 1100: 100_000, 2100: -100_000 });
    const [row] = await database.db.query<{ legal_texts: string[] }>(sql`
      select legal_texts from invoices where license_id = ${license.id}`);
    expect(row!.legal_texts.join(' ')).toMatch(/article 196/);
  });

  test('event 2: the fee becomes income performance by performance, each once', async () => {
    const license = await makeLicense(database.db, 'US', 3);
    await issue(license, [royalty(100_000)]);
    const held = (k: number) => movement(database.db, () => command(ports, (ctx) =>
      releaseForPerformance(ctx, { performance_id: license.performance_ids[k]!, on: '2026-10-01' })));
    expect(await held(0)).toEqual({ 2100: 33_334, 4000: -33_334 });
    expect(await held(0)).toEqual({});
    expect(await held(1)).toEqual({ 2100: 33_333, 4000: -33_333 });
    expect(await held(2)).toEqual({ 2100: 33_333, 4000: -33_333 });
  });

  test('event 3: a report is earned when billed', async () => {
    const license = await makeLicense(database.db, 'US');
    const moved = await movement(database.db, () => issue(license, [
      { kind: 'overage', description: 'Royalty above the minimum', item_class: 'performing_licence',
        net_minor: 35_000 }]));
    expect(moved).toEqual({ 1100: 35_000, 4010: -35_000 });
  });

  test('a fee is income at once', async () => {
    const license = await makeLicense(database.db, 'US');
    const moved = await movement(database.db, () => issue(license, [
      { kind: 'fee', description: 'Late report', item_class: 'fee', net_minor: 2_500 }]));
    expect(moved).toEqual({ 1100: 2_500, 4400: -2_500 });
  });

  test('numbers are gapless: a refused issue gives its number back', async () => {
    const license = await makeLicense(database.db, 'PROD');
    const first = await issue(license, [royalty(100)]);
    await expect(issue(license, [royalty(-1)])).rejects.toThrow(/negative/);
    await expect(command(ports, async (ctx) => {
      await issueInvoice(ctx, { license_id: license.id, customer_id: license.customer_id, division: 'PROD',
        currency: 'USD', lines: [royalty(100)], issued_on: DAY });
      throw new Error('stop');
    })).rejects.toThrow('stop');
    const second = await issue(license, [royalty(100)]);
    expect((await invoiceRow(first.invoice_id)).invoice_number).toBe('INV-PROD-2026-000001');
    expect((await invoiceRow(second.invoice_id)).invoice_number).toBe('INV-PROD-2026-000002');
  });
});

describe('receipts', () => {
  test('events 5 and 6: a receipt pays its invoice', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, [royalty(128_400)]);
    expect(await movement(database.db, () => receive(license, 128_400, invoice_id)))
      .toEqual({ 1000: 128_400, 1100: -128_400 });
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'paid', balance_minor: 0 });
  });

  test('E13: 1,000.00 over royalty 1,600.00 and rental 595.00 with tax 41.65', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, [royalty(160_000),
      { kind: 'rental', description: 'Rental', item_class: 'rental', net_minor: 59_500, tax_minor: 4_165 }]);
    const { payment_id } = await receive(license, 100_000, invoice_id);
    const rows = await database.db.query(sql`select amount_minor, net_minor, tax_minor from payment_allocations
      where payment_id = ${payment_id} order by id`);
    expect(rows).toEqual([{ amount_minor: 71_536, net_minor: 71_536, tax_minor: 0 },
      { amount_minor: 28_464, net_minor: 26_602, tax_minor: 1_862 }]);
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'part_paid', balance_minor: 123_665 });
  });

  test('event 6b: customer withholding and a short payment inside the tolerance', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, [royalty(100_000)]);
    const moved = await movement(database.db, () => receive(license, 89_500, invoice_id,
      { withheld_minor: 10_000, accept_short: true }));
    expect(moved).toEqual({ 1000: 89_500, 1100: -100_000, 1310: 10_000, 7090: 500 });
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'paid', balance_minor: 0 });
    const other = await issue(license, [royalty(100_000)]);
    await expect(receive(license, 99_000, other.invoice_id, { accept_short: true })).rejects.toThrow(/be written off/);
  });

  test('event 7: what is on account is refunded, never more', async () => {
    const license = await makeLicense(database.db, 'US');
    const { payment_id } = await receive(license, 28_400);
    const refund = (amount_minor: number) => command(ports, (ctx) =>
      refundReceipt(ctx, { payment_id, amount_minor, reason: 'Paid twice', on: DAY }));
    await expect(refund(28_401)).rejects.toThrow(/Only 284.00/);
    expect(await movement(database.db, () => refund(28_400))).toEqual({ 1100: 28_400, 2000: -28_400 });
    await expect(refund(1)).rejects.toThrow(/Only 0.00/);
  });

  test('event 8: a returned receipt opens the invoice again; the charge is an item of its own', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, [royalty(128_400)]);
    const { payment_id } = await receive(license, 128_400, invoice_id);
    const back = () => command(ports, (ctx) => returnReceipt(ctx, {
      payment_id, on: '2026-03-05', reason: 'Insufficient funds', fee_minor: 2_500, recharge: true }));
    expect(await movement(database.db, back)).toEqual({ 1000: -130_900, 1100: 130_900 });
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'issued', balance_minor: 128_400, paid_minor: 0 });
    await expect(back()).rejects.toThrow(/returned/);
    const items = await database.db.query(sql`select i.open_minor from open_items i
      where i.party_type = 'customer' and i.party_id = ${license.customer_id} and i.open_minor <> 0 order by
        open_minor`);
    expect(items).toEqual([{ open_minor: 2_500 }, { open_minor: 128_400 }]);
  });

  test('un-applying leaves the receipt on account, and it can be applied again', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, [royalty(50_000)]);
    const { payment_id } = await receive(license, 50_000, invoice_id);
    const moved = await movement(database.db, async () => {
      await command(ports, (ctx) => unapplyReceipt(ctx, { payment_id, invoice_id, on: DAY }));
      await command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id, invoice_id, amount_minor: 20_000,
        on: DAY }));
    });
    expect(moved).toEqual({});
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'part_paid', balance_minor: 30_000 });
    await expect(command(ports, (ctx) => applyReceiptToInvoice(ctx, {
      payment_id, invoice_id, amount_minor: 30_001, on: DAY }))).rejects.toThrow(/Only 300.00/);
  });

  test('event 19: EUR 1,000 at 1.10, paid at 1.12, ends at nothing on 1100', async () => {
    const license = await makeLicense(database.db, 'US');
    await database.db.exec(sql`update licenses set currency = 'EUR' where id = ${license.id}`);
    await database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
      values ('EUR', 'USD', '2026-03-01', 1.10, 'manual'), ('EUR', 'USD', '2026-03-04', 1.12, 'manual')`);
    await giveForeignAccount(ports, 'US', 'EUR');
    const euro = { ...license, currency: 'EUR' };
    const { invoice_id } = await issue(euro, [royalty(100_000)]);
    await receive(euro, 100_000, invoice_id, { received_on: '2026-03-04' });
    const rows = await database.db.query(sql`select a.code, sum(e.base_amount_minor)::bigint as base
      from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id
      join transactions t on t.id = e.transaction_id
      where t.division = 'US' and (e.currency = 'EUR' or t.kind = 'fx') group by a.code order by a.code`);
    expect(rows).toEqual([{ code: '1001', base: 112_000 }, { code: '1100', base: 0 }, { code: '2100', base: -110_000 },
      { code: '7000', base: -2_000 }]);
    for (const performance_id of license.performance_ids) {
      await command(ports, (ctx) => releaseForPerformance(ctx, { performance_id, on: '2026-10-05' }));
    }
    const left = await database.db.one(sql`select sum(e.base_amount_minor)::bigint as base from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id
      where a.code = '2100' and a.division = 'US' and e.currency = 'EUR'`);
    expect(left).toEqual({ base: 0 });
  });
});

describe('credit notes', () => {
  test('event 4: everything back before anything was earned', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, [royalty(100_000),
      { kind: 'rental', description: 'Rental', item_class: 'rental', net_minor: 26_000, tax_minor: 2_400 }]);
    const moved = await movement(database.db, () => command(ports, (ctx) =>
      creditInvoice(ctx, { invoice_id, reason: 'Cancelled', on: DAY })));
    expect(moved).toEqual({ 1100: -128_400, 2100: 126_000, 2310: 2_400 });
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'credited', balance_minor: 0 });
    await expect(command(ports, (ctx) => creditInvoice(ctx, { invoice_id, reason: 'Again', on: DAY })))
      .rejects.toThrow(/Nothing is left/);
  });

  test('event 4b: what is income already debits its account; the money is on account and refunded', async () => {
    const license = await makeLicense(database.db, 'UK', 1);
    const { invoice_id } = await issue(license, [royalty(10_000)]);
    const { payment_id } = await receive(license, 12_000, invoice_id);
    await command(ports, (ctx) => releaseForPerformance(ctx, { performance_id: license.performance_ids[0]!,
      on: '2026-10-01' }));
    const moved = await movement(database.db, () => command(ports, (ctx) =>
      creditInvoice(ctx, { invoice_id, reason: 'Goodwill', on: '2026-10-02' })));
    expect(moved).toEqual({ 1100: -12_000, 2300: 2_000, 4000: 10_000 });
    const back = await movement(database.db, () => command(ports, (ctx) =>
      refundReceipt(ctx, { payment_id, amount_minor: 12_000, reason: 'Goodwill', on: '2026-10-02' })));
    expect(back).toEqual({ 1100: 12_000, 2000: -12_000 });
  });

  test('a partial credit takes the latest unreleased row first', async () => {
    const license = await makeLicense(database.db, 'UK', 3);
    const { invoice_id } = await issue(license, [royalty(90_000)]);
    const [item] = await database.db.query<{ id: number }>(sql`select id from invoice_items where invoice_id =
      ${invoice_id}`);
    await command(ports, (ctx) => creditInvoice(ctx, { invoice_id, reason: 'Two performances off', on: DAY,
      lines: [{ invoice_item_id: item!.id, amount_minor: 40_000 }] }));
    const rows = await database.db.query(sql`select credited_minor, status from release_schedule
      where invoice_item_id = ${item!.id} order by on_date`);
    expect(rows).toEqual([{ credited_minor: 0, status: 'planned' }, { credited_minor: 10_000, status: 'planned' },
      { credited_minor: 30_000, status: 'cancelled' }]);
    expect(await invoiceRow(invoice_id)).toMatchObject({ balance_minor: 60_000 });
  });

  test('event 25: a write-off is an expense and closes the debt', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, [royalty(10_000)]);
    expect(await movement(database.db, () => command(ports, (ctx) =>
      writeOff(ctx, { invoice_id, amount_minor: 10_000, reason: 'Insolvent', on: DAY }))))
      .toEqual({ 1100: -10_000, 6000: 10_000 });
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'written_off' });
  });
});

describe('deposits', () => {
  async function held(division: string, amount: number, kind?: 'security' | 'on_account') {
    const license = await makeLicense(database.db, division);
    const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, {
      license_id: license.id, amount_minor: amount, ...(kind ? { kind } : {}) }));
    let moved = {};
    moved = await movement(database.db, () => receive(license, amount, undefined, { deposit_id }));
    return { license, deposit_id, moved };
  }

  test('[I7] events 9 and 10: a security deposit is a liability, returned less damage', async () => {
    const { license, deposit_id, moved } = await held('US', 50_000);
    expect(moved).toEqual({ 1000: 50_000, 2150: -50_000 });
    const back = () => command(ports, (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id, on: DAY,
      dispositions: [{ type: 'refund', amount_minor: 42_000 }, { type: 'forfeit', amount_minor: 8_000,
        reason: 'Damage' }] }));
    expect(await movement(database.db, back)).toEqual({ 2000: -42_000, 2150: 50_000, 4500: -8_000 });
    await expect(back()).rejects.toThrow(/settled/);
    const row = await database.db.one(sql`select status, amount_minor, applied_minor, refunded_minor, forfeited_minor,
      remaining_minor from deposits where id = ${deposit_id}`);
    expect(row).toEqual({ status: 'settled', amount_minor: 50_000, applied_minor: 0, refunded_minor: 42_000,
      forfeited_minor: 8_000, remaining_minor: 0 });
  });

  test('what is kept for a supply carries its tax inside: 120.00 in the UK is 100.00 and VAT 20.00', async () => {
    const { license, deposit_id } = await held('UK', 50_000, 'security');
    const kept = await movement(database.db, () => command(ports, (ctx) => disposeDeposit(ctx, {
      license_id: license.id, deposit_id, on: DAY, dispositions: [
        { type: 'forfeit', amount_minor: 12_000, reason: 'Returned six weeks late', taxed_as: 'fee' },
        { type: 'forfeit', amount_minor: 3_000, reason: 'Torn vocal score', taxed_as: null }] })));
    expect(kept).toEqual({ 2150: 15_000, 2300: -2_000, 4500: -13_000 });
  });

  test('[I7] a disposal beyond what is held is refused whole', async () => {
    const { license, deposit_id } = await held('US', 50_000);
    const moved = await movement(database.db, async () => {
      await expect(command(ports, (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id, on: DAY,
        dispositions: [{ type: 'refund', amount_minor: 40_000 }, { type: 'forfeit', amount_minor: 10_001,
          reason: 'x' }] })))
        .rejects.toThrow(/Only 100.00/);
    });
    expect(moved).toEqual({});
  });

  test('E6: events 9b and 9c, 500.00 on account and the final invoice of 2,708.50', async () => {
    const { license, moved } = await held('UK', 50_000);
    expect(moved).toEqual({ 1000: 50_000, 2160: -41_667, 2300: -8_333 });
    let invoice_id = 0;
    const report = await database.db.one<{ id: number }>(sql`
      insert into box_office_reports (license_id, division, scope, period_from, period_to, currency)
      values (${license.id}, 'UK', 'run', '2026-10-01', '2026-10-05', 'GBP') returning id`);
    const final = await movement(database.db, async () => {
      ({ invoice_id } = await issue(license, [
        royalty(193_125, { box_office_report_id: report.id }),
        { kind: 'rental', description: 'Hire, 3 months and 1', item_class: 'rental', net_minor: 29_500,
          release_from: '2026-11-01', release_to: '2027-02-28' },
        { kind: 'add_on', description: 'Logo', item_class: 'logo', net_minor: 6_500, release_rule: 'access' },
        { kind: 'shipping', description: 'Carriage', item_class: 'shipping', net_minor: 1_800 }], '2026-10-12'));
    });
    expect(final).toEqual({ 1100: 220_850, 2100: -37_800, 2160: 41_667, 2300: -31_592, 4010: -193_125 });
    expect(await invoiceRow(invoice_id)).toMatchObject({ total_minor: 270_850, tax_minor: 39_925,
      balance_minor: 220_850 });
  });

  test('a deposit on account refunded instead of set off gives its tax back', async () => {
    const { license, deposit_id } = await held('UK', 50_000);
    const back = () => command(ports, (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id, on: DAY,
      dispositions: [{ type: 'refund', amount_minor: 50_000 }] }));
    expect(await movement(database.db, back)).toEqual({ 2000: -50_000, 2160: 41_667, 2300: 8_333 });
  });

  test('a security deposit pays an open invoice', async () => {
    const { license, deposit_id } = await held('US', 50_000);
    const { invoice_id } = await issue(license, [royalty(30_000)]);
    const moved = await movement(database.db, () => command(ports, (ctx) => disposeDeposit(ctx, {
      license_id: license.id, deposit_id, on: DAY, dispositions: [{ type: 'apply', amount_minor: 30_000,
        invoice_id }] })));
    expect(moved).toEqual({ 1100: -30_000, 2150: 30_000 });
    expect(await invoiceRow(invoice_id)).toMatchObject({ status: 'paid' });
  });
});
