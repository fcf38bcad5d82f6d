/** Money that goes back and forth: nothing is trapped, nothing is made, every figure of a customer says the same. */
import { beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#kit/errors.ts';
import { fixedClock } from '#server/clock.ts';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, giveForeignAccount, makeLicense, movement, testPorts, type TestLicense }
  from '#tests/support/receivables.ts';
import { agingReport } from './aging/aging.server.ts';
import { accountStatement } from './aging/account-statement.server.ts';
import { customerFinance } from './aging/customer-finance.server.ts';
import { holdReceiptAsDeposit } from './deposits/receive-deposit.server.ts';
import { invoiceTotals } from './invoices/invoice-queries.server.ts';
import { recoverWriteOff } from './invoices/write-off.server.ts';
import { postDatedChecks, withdrawPlanned } from './payments/post-dated.server.ts';
import {
  applyReceiptToInvoice, creditInvoice, disposeDeposit, issueInvoice, issueProFormaOf, recordReceipt, refundReceipt,
  requestDeposit, returnReceipt, writeOff, type InvoiceLineInput,
} from './receivables.public.server.ts';

const database = testDatabase();
let ports: Ports;
beforeAll(() => { ports = testPorts(database.db); });

const royalty = (net_minor: number): InvoiceLineInput => ({ kind: 'royalty', description: 'Licence fee',
  item_class: 'performing_licence', net_minor, royalty_bearing: true });
const of = (license: TestLicense) => ({ customer_id: license.customer_id, division: license.division,
  currency: license.currency });
const issue = (license: TestLicense, net: number) => command(ports, (ctx) => issueInvoice(ctx, { ...of(license),
  license_id: license.id, issued_on: DAY, lines: [royalty(net)] }));
const receive = (license: TestLicense, amount_minor: number, more: Partial<Parameters<typeof recordReceipt>[1]> = {}) =>
  command(ports, (ctx) => recordReceipt(ctx, { ...of(license), amount_minor, method: 'wire', received_on: DAY,
    ...more }));
const credit = (invoice_id: number) => command(ports, (ctx) =>
  creditInvoice(ctx, { invoice_id, reason: 'Cancelled', on: DAY }));

/** Open and on-account amounts of the customer, from every place that shows them; fails if they differ. */
async function standing(license: TestLicense): Promise<{ open: number; on_account: number; to_pay: number[] }> {
  return command(ports, async (ctx) => {
    const finance = (await customerFinance(ctx, license.customer_id)).accounts;
    const aging = (await agingReport(ctx, license.division, DAY)).rows
      .filter((row) => row.customer_id === license.customer_id);
    const { accounts } = await accountStatement(ctx, license.customer_id, {});
    const totals = await invoiceTotals(ctx, { customer_id: license.customer_id } as never);
    const control = await ctx.db.one<{ ar: number; balances: number[]; free: number }>(sql`
      select coalesce((select sum(e.amount_minor) from journal_entries e join ledger_accounts a
          on a.id = e.ledger_account_id where a.code = '1100' and e.party_type = 'customer'
          and e.party_id = ${license.customer_id}), 0)::bigint as ar,
        coalesce((select jsonb_agg(balance_minor order by id) from invoices where customer_id = ${license.customer_id}
          and kind = 'invoice' and balance_minor > 0), '[]') as balances,
        coalesce((select sum(unapplied_minor) from payments where customer_id = ${license.customer_id}
          and direction = 'in' and status = 'posted'), 0)::bigint as free`);
    const open = finance.reduce((all, row) => all + row.open_minor, 0);
    const onAccount = finance.reduce((all, row) => all + row.on_account_minor, 0);
    expect(aging.reduce((all, row) => all + row.total_minor - row.unapplied_minor, 0)).toBe(open);
    expect(aging.reduce((all, row) => all + row.unapplied_minor, 0) + onAccount).toBe(0);
    expect(accounts.reduce((all, row) => all + row.closing_minor, 0)).toBe(open - onAccount);
    expect(totals.reduce((all, row) => all + row.balance_minor, 0)).toBe(open);
    expect(control.ar).toBe(open - onAccount);
    expect(control.free).toBe(onAccount);
    for (const row of finance) {
      expect(row.invoiced_minor - row.credited_minor - row.paid_minor - row.written_off_minor + row.other_minor)
        .toBe(row.open_minor - row.on_account_minor);
    }
    return { open, on_account: onAccount, to_pay: control.balances };
  });
}
const balanceOf = async (code: string, license: TestLicense) => (await database.db.one<{ minor: number }>(sql`
  select coalesce(sum(e.amount_minor), 0)::bigint as minor from journal_entries e
    join ledger_accounts a on a.id = e.ledger_account_id join transactions t on t.id = e.transaction_id
  where a.code = ${code} and (e.license_id = ${license.id} or (e.party_type = 'customer'
    and e.party_id = ${license.customer_id}))`)).minor;

async function depositSetOff() {
  const license = await makeLicense(database.db, 'UK');
  const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
    amount_minor: 60_000 }));
  await receive(license, 60_000, { deposit_id });
  const { invoice_id } = await issue(license, 100_000);
  const { payment_id } = await receive(license, 60_000, { apply_to: [{ invoice_id, amount_minor: 60_000 }] });
  return { license, invoice_id, payment_id };
}

describe('a credit note is a source of money', () => {
  test('a deposit that was set off is not trapped when its invoice is credited', async () => {
    const { license, invoice_id } = await depositSetOff();
    const moved = await movement(database.db, () => credit(invoice_id));
    expect(moved).toEqual({ 1100: -120_000, 2100: 100_000, 2300: 20_000 });
    expect(await standing(license)).toEqual({ open: 0, on_account: 120_000, to_pay: [] });
    expect(await database.db.query(sql`select kind, unapplied_minor from payments
      where customer_id = ${license.customer_id} and unapplied_minor > 0 order by id`)).toEqual([
      { kind: 'receipt', unapplied_minor: 60_000 }, { kind: 'credit', unapplied_minor: 60_000 }]);
    for (const code of ['2100', '2160', '2210', '2200']) expect([code, await balanceOf(code, license)])
      .toEqual([code, 0]);
    expect(await balanceOf('2300', license)).toBe(0);
    expect(await database.db.one(sql`select invoiced_minor, paid_minor, balance_minor from licenses
      where id = ${license.id}`)).toEqual({ invoiced_minor: 0, paid_minor: 0, balance_minor: 0 });
  });

  test('what it leaves over is refunded, or pays another invoice', async () => {
    const { license, invoice_id } = await depositSetOff();
    await credit(invoice_id);
    const note = await database.db.one<{ id: number }>(sql`
      select id from payments where customer_id = ${license.customer_id} and kind = 'credit'`);
    const next = await issue(license, 25_000);
    await command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id: note.id, invoice_id: next.invoice_id,
      amount_minor: 30_000, on: DAY }));
    expect(await standing(license)).toEqual({ open: 0, on_account: 90_000, to_pay: [] });
    expect(await movement(database.db, () => command(ports, (ctx) => refundReceipt(ctx, { payment_id: note.id,
      amount_minor: 30_000, reason: 'Cancelled', on: DAY })))).toEqual({ 1100: 30_000, 2000: -30_000 });
    expect(await standing(license)).toEqual({ open: 0, on_account: 60_000, to_pay: [] });
    await expect(command(ports, (ctx) => returnReceipt(ctx, { payment_id: note.id, on: DAY, reason: 'x' })))
      .rejects.toThrow();
  });

  test('eight people refund, apply and refund what it left: it moves once', async () => {
    const { license, invoice_id } = await depositSetOff();
    await credit(invoice_id);
    const note = await database.db.one<{ id: number }>(sql`
      select id from payments where customer_id = ${license.customer_id} and kind = 'credit'`);
    const next = await issue(license, 50_000);
    const done = await Promise.allSettled(Array.from({ length: 8 }, (_, k) => command<unknown>(ports, (ctx) =>
      (k % 2 === 0 ? refundReceipt(ctx, { payment_id: note.id, amount_minor: 60_000, reason: 'x', on: DAY })
        : applyReceiptToInvoice(ctx, { payment_id: note.id, invoice_id: next.invoice_id, amount_minor: 60_000,
          on: DAY })))));
    expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    await standing(license);
  });
});

describe('what was written off', () => {
  test('is taken back before the invoice is credited: only the cash stands on account', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 100_000);
    await receive(license, 60_000, { apply_to: [{ invoice_id, amount_minor: 60_000 }] });
    await command(ports, (ctx) => writeOff(ctx, { invoice_id, amount_minor: 40_000, reason: 'Closed', on: DAY }));
    expect(await movement(database.db, () => credit(invoice_id)))
      .toEqual({ 1100: -60_000, 2100: 100_000, 6000: -40_000 });
    expect(await standing(license)).toEqual({ open: 0, on_account: 60_000, to_pay: [] });
  });

  test('a forgiven difference is taken back too, tax that was withheld stays the customer\'s', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 100_000);
    await receive(license, 89_500, { withheld_minor: 10_000, accept_short: true,
      apply_to: [{ invoice_id, amount_minor: 89_500 }] });
    await credit(invoice_id);
    expect(await standing(license)).toEqual({ open: 0, on_account: 99_500, to_pay: [] });
  });

  test('a person takes it back, in parts, never more than stands', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 100_000);
    await command(ports, (ctx) => writeOff(ctx, { invoice_id, amount_minor: 40_000, reason: 'Closed', on: DAY }));
    await command(ports, (ctx) => writeOff(ctx, { invoice_id, amount_minor: 60_000, reason: 'Closed', on: DAY }));
    const recover = (amount_minor: number) => command(ports, (ctx) =>
      recoverWriteOff(ctx, { invoice_id, amount_minor, reason: 'Paid after all', on: DAY }));
    expect(await movement(database.db, () => recover(70_000))).toEqual({ 1100: 70_000, 6000: -70_000 });
    expect(await standing(license)).toEqual({ open: 70_000, on_account: 0, to_pay: [70_000] });
    await expect(recover(30_001)).rejects.toThrow(/Only 300.00/);
    const done = await Promise.allSettled(Array.from({ length: 8 }, () => recover(30_000)));
    expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(await standing(license)).toEqual({ open: 100_000, on_account: 0, to_pay: [100_000] });
  });
});

describe('a bank charge billed on', () => {
  async function returned() {
    const license = await makeLicense(database.db, 'UK');
    const { invoice_id } = await issue(license, 100_000 / 1.2 | 0);
    const { balance } = await database.db.one<{ balance: number }>(sql`
      select balance_minor as balance from invoices where id = ${invoice_id}`);
    const { payment_id } = await receive(license, balance, { apply_to: [{ invoice_id, amount_minor: balance }] });
    const moved = await movement(database.db, () => command(ports, (ctx) => returnReceipt(ctx, { payment_id, on: DAY,
      reason: 'No funds', fee_minor: 2_500, recharge: true })));
    expect(moved).toEqual({ 1000: -(balance + 2_500), 1100: balance + 2_500 });
    const charge = await database.db.one<{ id: number }>(sql`
      select i.id from invoices i join invoice_items t on t.invoice_id = i.id
      where i.customer_id = ${license.customer_id} and t.kind = 'bank_charge'`);
    return { license, invoice_id, balance, charge: charge.id };
  }

  test('one receipt over both clears the customer everywhere', async () => {
    const { license, invoice_id, balance, charge } = await returned();
    expect((await standing(license)).to_pay).toEqual([balance, 2_500]);
    await receive(license, balance + 2_500, { apply_to: [{ invoice_id, amount_minor: balance },
      { invoice_id: charge, amount_minor: 2_500 }] });
    expect(await standing(license)).toEqual({ open: 0, on_account: 0, to_pay: [] });
  });

  test('it is waived by a credit note against the bank fees', async () => {
    const { license, invoice_id, balance, charge } = await returned();
    expect(await movement(database.db, () => credit(charge))).toEqual({ 1100: -2_500, 6100: 2_500 });
    await receive(license, balance, { apply_to: [{ invoice_id, amount_minor: balance }] });
    expect(await standing(license)).toEqual({ open: 0, on_account: 0, to_pay: [] });
  });
});

describe('the day of money', () => {
  const late = (license: TestLicense, method: 'wire' | 'check', received_on: string, more = {}) =>
    receive(license, 50_000, { method, received_on, ...more });

  test('money is not received, returned or applied after today of the division', async () => {
    const license = await makeLicense(database.db, 'US');
    await expect(late(license, 'wire', '2026-03-03')).rejects.toThrow(/Only a check can be post-dated/);
    const { payment_id } = await receive(license, 50_000);
    const { invoice_id } = await issue(license, 50_000);
    await expect(command(ports, (ctx) => returnReceipt(ctx, { payment_id, on: '2026-03-03', reason: 'x' })))
      .rejects.toThrow('Enter March 2, 2026 or an earlier date');
    await expect(command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id, invoice_id, amount_minor: 1,
      on: '2026-03-03' }))).rejects.toThrow('Enter March 2, 2026 or an earlier date');
  });

  test('at 23:30 in New York today is still today', async () => {
    const evening = { ...ports, clock: fixedClock('2026-03-03T04:30:00Z') };
    const license = await makeLicense(database.db, 'US');
    const record = (received_on: string) => command(evening, (ctx) => recordReceipt(ctx, { ...of(license),
      amount_minor: 100, method: 'wire', received_on }));
    await record('2026-03-02');
    await expect(record('2026-03-03')).rejects.toThrow('Enter today’s date or an earlier one');
  });

  test('a check dated ahead is recorded, and posts on its day, once', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 50_000);
    const { payment_id } = await late(license, 'check', '2026-03-09', { apply_to: [{ invoice_id,
      amount_minor: 50_000 }] });
    expect(await movement(database.db, () => postDatedChecks(ports))).toEqual({});
    expect(await standing(license)).toEqual({ open: 50_000, on_account: 0, to_pay: [50_000] });
    const onItsDay = { ...ports, clock: fixedClock('2026-03-09T12:00:00Z') };
    const moved = await movement(database.db, () => Promise.all(Array.from({ length: 8 }, () =>
      postDatedChecks(onItsDay))));
    expect(moved).toEqual({ 1010: 50_000, 1100: -50_000 });
    expect(await database.db.one(sql`select status, applied_minor from payments where id = ${payment_id}`))
      .toEqual({ status: 'posted', applied_minor: 50_000 });
  });

  test('its invoice was paid meanwhile: it stands on account; given back before, it never posts', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 50_000);
    const paid = await late(license, 'check', '2026-03-09', { apply_to: [{ invoice_id, amount_minor: 50_000 }] });
    const gone = await late(license, 'check', '2026-03-08');
    await receive(license, 50_000, { apply_to: [{ invoice_id, amount_minor: 50_000 }] });
    await command(ports, (ctx) => withdrawPlanned(ctx, gone.payment_id, 'Handed back'));
    await postDatedChecks({ ...ports, clock: fixedClock('2026-03-09T12:00:00Z') });
    expect(await database.db.query(sql`select id, status, unapplied_minor from payments
      where id = any(${[paid.payment_id, gone.payment_id]}::bigint[]) order by id`)).toEqual([
      { id: paid.payment_id, status: 'posted', unapplied_minor: 50_000 },
      { id: gone.payment_id, status: 'void', unapplied_minor: 50_000 }]);
  });
});

describe('a receipt', () => {
  test('pays a pro forma or a requested deposit; a likely duplicate is asked about', async () => {
    const license = await makeLicense(database.db, 'US');
    const asked = await command(ports, (ctx) => issueProFormaOf(ctx, { ...of(license),
      issued_on: DAY, lines: [{ ...royalty(117_300), kind: 'sale', item_class: 'logo', royalty_bearing: false }] }));
    const record = (more: object) => receive(license, 117_300, { reference: 'WIRE 7', duplicate_confirmed: false,
      ...more });
    const { total } = await database.db.one<{ total: number }>(sql`
      select total_minor as total from invoices where id = ${asked.invoice_id}`);
    const { invoice_ids } = await record({ amount_minor: total, apply_to: [{ invoice_id: asked.invoice_id,
      amount_minor: total }] });
    expect(invoice_ids).toHaveLength(1);
    await record({});
    await expect(record({})).rejects.toThrow(/already recorded for this date: /);
    const other = await makeLicense(database.db, 'US');
    await expect(receive(other, 117_300, { reference: 'wire 7', duplicate_confirmed: false }))
      .rejects.toMatchObject({ status: 409, code: 'payment.likely_duplicate' } satisfies Partial<AppError>);
    await record({ duplicate_confirmed: true });
    const done = await Promise.allSettled(Array.from({ length: 8 }, () => receive(license, 4_711,
      { duplicate_confirmed: false })));
    expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  });

  test('on account pays a pro forma, or becomes the deposit that was asked for; returned, both are open again',
    async () => {
    const license = await makeLicense(database.db, 'UK');
    const asked = await command(ports, (ctx) => issueProFormaOf(ctx, { ...of(license), issued_on: DAY,
      lines: [{ ...royalty(100_000), royalty_bearing: false }] }));
    const { total } = await database.db.one<{ total: number }>(sql`
      select total_minor as total from invoices where id = ${asked.invoice_id}`);
    const first = await receive(license, total);
    await expect(command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id: first.payment_id,
      invoice_id: asked.invoice_id, amount_minor: total - 1, on: DAY }))).rejects.toThrow(/paid whole/);
    const pay = () => command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id: first.payment_id,
      invoice_id: asked.invoice_id, amount_minor: total, on: DAY }));
    expect((await Promise.allSettled([pay(), pay(), pay(), pay()])).filter((one) => one.status === 'fulfilled'))
      .toHaveLength(1);
    expect(await standing(license)).toEqual({ open: 0, on_account: 0, to_pay: [] });

    const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
      amount_minor: 60_000 }));
    const second = await receive(license, 60_000);
    const hold = () => command(ports, (ctx) => holdReceiptAsDeposit(ctx, { payment_id: second.payment_id, deposit_id,
      on: DAY }));
    expect(await movement(database.db, hold)).toEqual({ 1100: 60_000, 2160: -50_000, 2300: -10_000 });
    await expect(hold()).rejects.toThrow();
    expect(await standing(license)).toEqual({ open: 0, on_account: 0, to_pay: [] });
    expect(await movement(database.db, () => command(ports, (ctx) => returnReceipt(ctx, {
      payment_id: second.payment_id, on: DAY, reason: 'No funds' })))).toEqual({ 1000: -60_000, 2160: 50_000,
      2300: 10_000 });
    expect(await database.db.one(sql`select status from deposits where id = ${deposit_id}`))
      .toEqual({ status: 'requested' });
    expect(await standing(license)).toEqual({ open: 0, on_account: 0, to_pay: [] });
  });

  test('tax that the customer withheld may equal the cash, and goes back with a returned receipt', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 100_000);
    const { payment_id } = await receive(license, 50_000, { withheld_minor: 50_000,
      apply_to: [{ invoice_id, amount_minor: 50_000 }] });
    expect(await standing(license)).toEqual({ open: 0, on_account: 0, to_pay: [] });
    await command(ports, (ctx) => returnReceipt(ctx, { payment_id, on: DAY, reason: 'x' }));
    expect(await standing(license)).toEqual({ open: 100_000, on_account: 0, to_pay: [100_000] });
  });

  test('withheld tax and a forgiven difference count when a receipt on account is applied', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 100_000);
    const { payment_id } = await receive(license, 89_500);
    const apply = (more: object) => command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id, invoice_id,
      amount_minor: 89_500, on: DAY, ...more }));
    await expect(apply({ withheld_minor: 10_501 })).rejects.toThrow(/Only 1,000.00 is open/);
    expect(await movement(database.db, () => apply({ withheld_minor: 10_000, accept_short: true })))
      .toEqual({ 1100: -10_500, 1310: 10_000, 7090: 500 });
    expect(await standing(license)).toEqual({ open: 0, on_account: 0, to_pay: [] });
    await command(ports, (ctx) => returnReceipt(ctx, { payment_id, on: DAY, reason: 'x' }));
    expect(await standing(license)).toEqual({ open: 100_000, on_account: 0, to_pay: [100_000] });
  });

  test('a part application differs by its part at each rate; the last takes the rest', async () => {
    await database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source) values
      ('EUR', 'USD', '2026-02-20', '1.1033', 'manual'), ('EUR', 'USD', '2026-03-01', '1.1277', 'manual')`);
    const license = await makeLicense(database.db, 'US');
    await giveForeignAccount(ports, 'US', 'EUR');
    license.currency = 'EUR';
    await database.db.exec(sql`update licenses set currency = 'EUR' where id = ${license.id}`);
    const { invoice_id } = await command(ports, (ctx) => issueInvoice(ctx, { ...of(license), license_id: license.id,
      issued_on: '2026-02-20', lines: [royalty(100_001)] }));
    const { payment_id } = await receive(license, 100_001, { received_on: '2026-03-01' });
    const apply = (amount_minor: number) => movement(database.db, () => command(ports, (ctx) =>
      applyReceiptToInvoice(ctx, { payment_id, invoice_id, amount_minor, on: DAY })));
    const gains: number[] = [];
    for (const part of [33_333, 33_333, 33_335]) {
      await apply(part);
      gains.push((await database.db.one<{ base: number }>(sql`select -e.base_amount_minor as base
        from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id where a.code = '7000'
        order by e.id desc limit 1`)).base);
    }
    // 333.33: round(37,589.62) - round(36,776.30) = 813, twice; the last takes 2,440 - 1,626.
    expect(gains).toEqual([814, 814, 812]);
  });

  test('a line whose quantity times price is not its net is refused', async () => {
    const license = await makeLicense(database.db, 'US');
    await expect(command(ports, (ctx) => issueInvoice(ctx, { ...of(license), license_id: license.id, issued_on: DAY,
      lines: [{ ...royalty(117_300), quantity: 3, unit_minor: 117_300 }] }))).rejects.toThrow(/3 times 1,173.00/);
  });
});

test('a deposit disposed of onto an invoice that is then credited comes back as well', async () => {
  const license = await makeLicense(database.db, 'US');
  const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
    amount_minor: 30_000 }));
  await receive(license, 30_000, { deposit_id });
  const { invoice_id } = await issue(license, 50_000);
  await command(ports, (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id, on: DAY, dispositions: [
    { type: 'apply', amount_minor: 30_000, invoice_id }] }));
  await credit(invoice_id);
  expect(await standing(license)).toEqual({ open: 0, on_account: 30_000, to_pay: [] });
});
