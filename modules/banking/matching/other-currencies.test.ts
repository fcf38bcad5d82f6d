/** A bank line pays a document in another currency: both amounts, the exchange difference, and the way back. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { BankFixtures, BASE, DAY, LINES } from '#tests/support/bank-lines.ts';
import { command, giveForeignAccount } from '#tests/support/receivables.ts';

const app = testApp();
let bank: BankFixtures;
let marlow: number;
beforeAll(async () => {
  bank = await BankFixtures.make(app);
  marlow = await bank.customer('Marlow Light Opera');
  for (const currency of ['EUR', 'GBP']) await giveForeignAccount(bank.ports, 'US', currency);
  await app.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-11-02', 1.10, 'ecb'), ('EUR', 'GBP', '2026-11-02', 0.88, 'ecb'),
      ('EUR', 'USD', ${DAY}, 1.12, 'ecb'), ('EUR', 'GBP', ${DAY}, 0.84, 'ecb')`);
});

/** Issued at 1.10 US dollars to the euro. */
async function invoice(net_minor: number, currency = 'EUR'): Promise<{ id: number; number: string }> {
  const { invoice_id: id } = await command(bank.ports, (ctx) => issueInvoice(ctx, { customer_id: marlow,
    division: 'US', currency, issued_on: '2026-11-02', due_on: DAY, lines: [{ kind: 'fee', description: 'Fee',
      item_class: 'fee', net_minor, tax_minor: 0 }] }));
  return app.database.db.one(sql`select id, invoice_number as number from invoices where id = ${id}`);
}

/** Sums in the division's currency that a match posted by account, zero ones left out. */
const postedSince = (transaction: number) => app.database.db.query(sql`
  select a.code, e.currency, sum(e.amount_minor)::bigint as amount, sum(e.base_amount_minor)::bigint as base
  from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id > ${transaction}
    and a.code in ('1050', '1100', '7000') group by 1, 2
  having sum(e.amount_minor) <> 0 or sum(e.base_amount_minor) <> 0 order by 1, 2`);
const lastTransaction = async (): Promise<number> => (await app.database.db.one<{ id: number }>(sql`
  select max(id) as id from transactions`)).id;
const statusOf = (id: number) => app.database.db.one(sql`
  select status, balance_minor from invoices where id = ${id}`);

describe('a line of the US dollar account', () => {
  it('pays a euro invoice: the difference to its rate is realized, undoing restores exactly', async () => {
    const account = await bank.account();
    const paid = await invoice(100_000);
    const [line] = await bank.lines(account, [{ amount: '1090.00', name: 'MARLOW LIGHT OPERA', memo: paid.number }]);
    const { suggestions: [best], match: none } = await bank.candidates(line!);
    expect(none).toBeNull();
    expect(best).toMatchObject({ shape: 'exchange', parts: [{ currency: 'EUR', amount_minor: 100_000,
      open_minor: 100_000, bank_minor: 109_000 }] });
    const [before, last] = [await bank.snapshot(), await lastTransaction()];
    const match = await bank.matched(BankFixtures.body(best));
    expect(match.entries).toMatchObject([{ amount_minor: 109_000, posted_by_match: true }]);
    // Carried at 1,100.00, worth 1,120.00 on the day: 20.00 gained; the bank paid 1,090.00 for it: 30.00 lost.
    expect(await postedSince(last)).toEqual([{ code: '1100', currency: 'EUR', amount: -100_000, base: -110_000 },
      { code: '7000', currency: 'USD', amount: 1_000, base: 1_000 }]);
    expect(await app.database.db.one(sql`select currency, amount_minor, bank_currency, bank_amount_minor,
        unapplied_minor from payments order by id desc limit 1`))
      .toEqual({ currency: 'EUR', amount_minor: 100_000, bank_currency: 'USD', bank_amount_minor: 109_000,
        unapplied_minor: 0 });
    expect(await statusOf(paid.id)).toEqual({ status: 'paid', balance_minor: 0 });
    expect((await bank.undo(match.id)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
    expect(await postedSince(last)).toEqual([]);
  });

  it('pays part of a pound invoice beside one in its own currency, found by their currency', async () => {
    const account = await bank.account();
    const [pounds, dollars] = [await invoice(80_000, 'GBP'), await invoice(50_000, 'USD')];
    const [line] = await bank.lines(account, [{ amount: '1030.00', name: 'SOMEONE' }]);
    const found = (await bank.staff.get(`${LINES}/${line}/open_items?search=Marlow&currency=GBP`)).body.data;
    expect(found).toMatchObject([{ id: pounds.id, currency: 'GBP', open_minor: 80_000, bank_minor: 106_667 }]);
    const before = await bank.snapshot();
    const match = await bank.matched({ line_ids: [line], parts: [
      { kind: 'invoice', id: pounds.id, amount_minor: 40_000, bank_minor: 53_000 },
      { kind: 'invoice', id: dollars.id, amount_minor: 50_000 }] });
    expect(match.entries.map((one: { amount_minor: number }) => one.amount_minor).sort()).toEqual([50_000, 53_000]);
    expect(await statusOf(pounds.id)).toEqual({ status: 'part_paid', balance_minor: 40_000 });
    expect((await bank.undo(match.id)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
  });

  it('is never matched with one by itself', async () => {
    const account = await bank.account();
    const open = await invoice(200_000);
    const [line] = await bank.lines(account, [{ amount: '2240.00', name: 'MARLOW LIGHT OPERA', memo: open.number }]);
    await bank.staff.post(`${BASE}/bank_matching/auto`, { bank_account_id: account });
    expect((await bank.candidates(line!)).match).toBeNull();
  });

  it('refuses a missing bank amount, one that no rate explains, and one too many', async () => {
    const account = await bank.account();
    const [euros, dollars] = [await invoice(30_000), await invoice(30_000, 'USD')];
    const [line] = await bank.lines(account, [{ amount: '300.00', name: 'SOMEONE' }]);
    const refusal = async (part: object) => (await bank.match({ line_ids: [line], parts: [part] })).body.errors;
    expect(await refusal({ kind: 'invoice', id: euros.id, amount_minor: 30_000 })).toEqual({ parts: [
      'The document is in EUR. Enter the bank amount in USD as well'] });
    expect(await refusal({ kind: 'invoice', id: euros.id, amount_minor: 20_000, bank_minor: 30_000 })).toEqual({
      parts: [
        'EUR 200.00 is USD 224.00 at the rate of the day. Correct the amount paid or the bank amount'] });
    expect(await refusal({ kind: 'invoice', id: dollars.id, amount_minor: 30_000, bank_minor: 30_000 })).toEqual({
      parts: ['The document is in USD, as the bank account is. Enter one amount'] });
    expect((await bank.candidates(line!)).match).toBeNull();
  });
});

it('a euro account takes a payment for an invoice in the division’s own currency', async () => {
  const account = await bank.account('US', 'EUR');
  const paid = await invoice(112_000, 'USD');
  const [line] = await bank.lines(account, [{ amount: '990.00', name: 'MARLOW LIGHT OPERA' }], 'EUR');
  const [before, last] = [await bank.snapshot(), await lastTransaction()];
  const match = await bank.matched({ line_ids: [line],
    parts: [{ kind: 'invoice', id: paid.id, amount_minor: 112_000, bank_minor: 99_000 }] });
  expect(await postedSince(last)).toEqual([{ code: '1100', currency: 'USD', amount: -112_000, base: -112_000 },
    { code: '7000', currency: 'USD', amount: 1_120, base: 1_120 }]);
  expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
  expect((await bank.undo(match.id)).status).toBe(200);
  expect(await bank.snapshot()).toEqual(before);
});
