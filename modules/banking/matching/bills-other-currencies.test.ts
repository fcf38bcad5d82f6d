/** A bank line pays a bill in another currency, or refunds a credit: both amounts, the difference, and the way back. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { BankFixtures, BASE, DAY, LINES } from '#tests/support/bank-lines.ts';

const app = testApp();
let bank: BankFixtures;
let clerk: SignedIn;
let approver: SignedIn;
/** Bills are of November 10, at 1.10 US dollars to the euro; lines are of {@link DAY}, at 1.12. */
beforeAll(async () => {
  bank = await BankFixtures.make(app);
  [clerk, approver] = [await app.signedIn('staff_admin'), await app.signedIn('staff_admin')];
  await app.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-11-02', 1.10, 'ecb'), ('EUR', 'USD', ${DAY}, 1.12, 'ecb')`);
});

const vendor = (name: string) => bank.vendor(clerk, name);
const bill = (vendor_id: number, minor: number, currency = 'EUR', kind = 'bill', more: object = {}) =>
  bank.bill({ clerk, approver }, { vendor_id, net_minor: minor, currency, kind, ...more });
const billOf = async (id: number) => (await clerk.get(`${BASE}/bills/${id}`)).body.data;
const lastTransaction = async (): Promise<number> => (await app.database.db.one<{ id: number }>(sql`
  select max(id) as id from transactions`)).id;
const postedSince = (transaction: number) => app.database.db.query(sql`
  select a.code, e.currency, sum(e.amount_minor)::bigint as amount, sum(e.base_amount_minor)::bigint as base
  from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id > ${transaction}
    and a.code in ('1050', '2000', '7000') group by 1, 2
  having sum(e.amount_minor) <> 0 or sum(e.base_amount_minor) <> 0 order by 1, 2`);
const shapeOf = async (line: number, shape: string) => {
  const { suggestions, others } = await bank.candidates(line);
  return [...suggestions, ...others].find((one: { shape: string }) => one.shape === shape);
};
const brokenChecks = async () => (await ledgerIntegrity(app.database.db)).filter((check) => !check.ok);

describe('a line of the US dollar account', () => {
  it('pays a euro bill: the payment is in euros, settled, and its difference realized; undoing restores', async () => {
    const account = await bank.account();
    const own = await bill(await vendor('Berlin Copyists'), 100_000);
    const [line] = await bank.lines(account, [{ amount: '-1130.00', name: 'BERLIN COPYISTS' }]);
    const best = await shapeOf(line!, 'exchange');
    expect(best).toMatchObject({ parts: [{ kind: 'bill', id: own.id, currency: 'EUR', amount_minor: -100_000,
      open_minor: 100_000, bank_minor: -113_000 }] });
    const [before, last] = [await bank.snapshot(), await lastTransaction()];
    const match = await bank.matched(BankFixtures.body(best));
    expect(match.entries).toMatchObject([{ amount_minor: -113_000, posted_by_match: true }]);
    // Owed at 1,100.00, worth 1,120.00 on the day: 20.00 lost; the bank took 1,130.00 for it: 10.00 more.
    expect(await postedSince(last)).toEqual([{ code: '2000', currency: 'EUR', amount: 100_000, base: 110_000 },
      { code: '7000', currency: 'USD', amount: 3_000, base: 3_000 }]);
    const payment = await app.database.db.one<{ id: number }>(sql`
      select id, status, outcome, outcome_on, currency, amount_minor, bank_currency, bank_amount_minor from payments
      order by id desc limit 1`);
    expect(payment).toMatchObject({ status: 'cleared', outcome: 'settled', outcome_on: DAY, currency: 'EUR',
      amount_minor: 100_000, bank_currency: 'USD', bank_amount_minor: 113_000 });
    expect((await clerk.get(`${BASE}/payments/${payment.id}`)).body.data).toMatchObject({ bank_currency: 'USD',
      bank_amount_minor: 113_000 });
    expect(await billOf(own.id)).toMatchObject({ state: 'paid', open_minor: 0 });
    expect(await brokenChecks()).toEqual([]);
    expect((await bank.undo(match.id)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
    expect(await postedSince(last)).toEqual([]);
    expect(await billOf(own.id)).toMatchObject({ state: 'approved', open_minor: 100_000 });
    expect(await brokenChecks()).toEqual([]);
  });

  it('pays part of a euro bill less a credit, beside a dollar bill of the same vendor', async () => {
    const account = await bank.account();
    const of = await vendor('Vienna Scores');
    const [euros, credit, dollars] = [await bill(of, 60_000), await bill(of, 10_000, 'EUR', 'credit'),
      await bill(of, 25_000, 'USD')];
    const [line] = await bank.lines(account, [{ amount: '-700.00', name: 'X' }]);
    const found = (await bank.staff.get(`${LINES}/${line}/open_items?search=Vienna&currency=EUR&kind=bill`)).body.data;
    expect(found).toMatchObject([{ id: euros.id, currency: 'EUR', bank_minor: -67_200 }]);
    const before = await bank.snapshot();
    const match = await bank.matched({ line_ids: [line], parts: [
      { kind: 'bill', id: euros.id, amount_minor: 50_000, bank_minor: 56_200 },
      { kind: 'vendor_credit', id: credit.id, amount_minor: 10_000, bank_minor: 11_200 },
      { kind: 'bill', id: dollars.id, amount_minor: 25_000 }] });
    expect(match.entries.map((one: { amount_minor: number }) => one.amount_minor).sort()).toEqual([-25_000, -45_000]);
    expect(await billOf(euros.id)).toMatchObject({ state: 'part_paid', open_minor: 10_000 });
    expect((await billOf(credit.id)).open_minor).toBe(0);
    expect(await brokenChecks()).toEqual([]);
    expect((await bank.undo(match.id)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
  });

  it('pays a euro bill less its discount', async () => {
    const account = await bank.account();
    const own = await bill(await vendor('Graz Drapes'), 100_000, 'EUR', 'bill',
      { discount_ppm: 20_000, discount_days: 15 });
    const [line] = await bank.lines(account, [{ amount: '-1100.00', name: 'GRAZ DRAPES' }]);
    const before = await bank.snapshot();
    const match = await bank.matched({ line_ids: [line],
      parts: [{ kind: 'bill', id: own.id, discount_minor: 2_000, bank_minor: 110_000 }] });
    expect(match.entries).toMatchObject([{ amount_minor: -110_000 }]);
    expect(await billOf(own.id)).toMatchObject({ state: 'paid', open_minor: 0 });
    expect(await brokenChecks()).toEqual([]);
    expect((await bank.undo(match.id)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
  });

  it('is the refund of a euro credit', async () => {
    const account = await bank.account();
    const credit = await bill(await vendor('Paris Strings'), 20_000, 'EUR', 'credit');
    const [line] = await bank.lines(account, [{ amount: '222.00', name: 'PARIS STRINGS' }]);
    const [before, last] = [await bank.snapshot(), await lastTransaction()];
    const match = await bank.matched(BankFixtures.body(await shapeOf(line!, 'exchange')));
    expect(match.entries).toMatchObject([{ amount_minor: 22_200, posted_by_match: true }]);
    // Carried at 220.00, worth 224.00 on the day: 4.00 gained; the bank gave 222.00: 2.00 lost.
    expect(await postedSince(last)).toEqual([{ code: '2000', currency: 'EUR', amount: -20_000, base: -22_000 },
      { code: '7000', currency: 'USD', amount: -200, base: -200 }]);
    expect((await billOf(credit.id)).open_minor).toBe(0);
    const undone = await bank.undo(match.id);
    expect(undone.status, JSON.stringify(undone.body)).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
    expect(await brokenChecks()).toEqual([]);
  });

  it('is never matched with a euro bill by itself; refuses a missing or impossible bank amount', async () => {
    const account = await bank.account();
    const own = await bill(await vendor('Zagreb Lights'), 30_000);
    const [line] = await bank.lines(account, [{ amount: '-336.00', name: 'ZAGREB LIGHTS' }]);
    await bank.staff.post(`${BASE}/bank_matching/auto`, { bank_account_id: account });
    expect((await bank.candidates(line!)).match).toBeNull();
    const refusal = async (part: object) => (await bank.match({ line_ids: [line], parts: [part] })).body.errors;
    expect(await refusal({ kind: 'bill', id: own.id, amount_minor: 33_600 })).toEqual({ parts: [
      'The document is in EUR. Enter the bank amount in USD as well'] });
    expect(await refusal({ kind: 'bill', id: own.id, amount_minor: 20_000, bank_minor: 33_600 })).toEqual({ parts: [
      'EUR 200.00 is USD 224.00 at the rate of the day. Correct the amount paid or the bank amount'] });
  });
});

it('a euro account pays a bill in the division’s own currency, and gives it back', async () => {
  const account = await bank.account('US', 'EUR');
  const own = await bill(await vendor('Hudson Freight'), 112_000, 'USD');
  const [line] = await bank.lines(account, [{ amount: '-1010.00', name: 'HUDSON FREIGHT' }], 'EUR');
  const [before, last] = [await bank.snapshot(), await lastTransaction()];
  const match = await bank.matched({ line_ids: [line],
    parts: [{ kind: 'bill', id: own.id, amount_minor: 112_000, bank_minor: 101_000 }] });
  // EUR 1,010.00 was worth 1,131.20: 11.20 lost.
  expect(await postedSince(last)).toEqual([{ code: '2000', currency: 'USD', amount: 112_000, base: 112_000 },
    { code: '7000', currency: 'USD', amount: 1_120, base: 1_120 }]);
  expect(await brokenChecks()).toEqual([]);
  expect((await bank.undo(match.id)).status).toBe(200);
  expect(await bank.snapshot()).toEqual(before);
});
