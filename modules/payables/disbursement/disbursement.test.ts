/** Money to vendors and customers: never more than is open, never twice, by two people, and back again. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ledgerIntegrity, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { recordReceipt, refundReceipt } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, makeCustomer, movement, testPorts } from '#tests/support/receivables.ts';
import {
  approveDisbursement, changeDisbursement, makeDisbursement, returnDisbursement, voidDisbursement,
  type DisbursementPart,
} from './disbursement.server.ts';
import { postDisbursement } from './post-disbursement.server.ts';

const database = testDatabase();
let ports: Ports;
const people: number[] = [];
let vendor = 0;

beforeAll(async () => {
  ports = testPorts(database.db);
  for (const first of ['Ann', 'Ben']) {
    const email = `${first.toLowerCase()}@house.example`;
    people.push((await database.db.one<{ id: number }>(sql`
      insert into users (first_name, last_name, email, role) values (${first}, 'Payer', ${email}, 'staff_admin')
      returning id`)).id);
  }
  vendor = (await database.db.one<{ id: number }>(sql`
    insert into vendors (name) values ('Alder Print') returning id`)).id;
  await database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source) values
    ('EUR', 'USD', '2026-02-01', 1.10, 'manual'), ('EUR', 'USD', '2026-03-01', 1.20, 'manual')`);
});

const as = <T>(person: number, work: (ctx: WorkContext) => Promise<T>): Promise<T> => database.db.tx((tx) =>
  work(workContext(ports, tx, { ...SYSTEM_ACTOR, actor_id: people[person]! })));

let source = 100_000;
/** An item on accounts payable as a bill posts it; below zero: a credit of the vendor. */
async function item(amount: number, more: { on?: string; currency?: 'USD' | 'EUR'; rate?: number } = {}):
Promise<number> {
  const { on = '2026-02-10', currency = 'USD', rate = 1 } = more;
  source += 1;
  const line = (account: string, minor: number) => ({ account, currency, amount: BigInt(minor),
    base: BigInt(minor * rate), ...(currency === 'EUR' ? { fx_rate: String(rate) } : {}),
    ...(account === '2000' ? { party: { type: 'vendor' as const, id: vendor }, due_date: '2026-03-10' } : {}) });
  const { transaction_id } = await command(ports, (ctx) => postJournal(ctx.db, { division: 'US', kind: 'bill',
    transaction_at: on, description: 'Bill', source: { type: 'bill', id: source, event: 'approved', attempt: 1 },
    lines: [line('6200', amount), line('2000', -amount)] }));
  return (await database.db.one<{ id: number }>(sql`select id from open_items where transaction_id =
    ${transaction_id}`)).id;
}
const open = async (id: number) => (await database.db.one<{ open: number }>(sql`
  select -open_minor as open from open_items where id = ${id}`)).open;
const make = (parts: DisbursementPart[], more: object = {}, person = 0) => as(person, (ctx) => makeDisbursement(ctx, {
  division: 'US', currency: 'USD', bank_account_id: null, method: 'ach', party_type: 'vendor', party_id: vendor,
  on: DAY, memo: '', parts, ...more }));
const whole = (open_item_id: number, amount_minor: number, discount_minor = 0): DisbursementPart =>
  ({ open_item_id, amount_minor, discount_minor, discount_reason: 'Agreed by phone' });
async function paid(parts: DisbursementPart[], more: object = {}): Promise<number> {
  const { payment_id } = await make(parts, more);
  await as(1, (ctx) => approveDisbursement(ctx, payment_id));
  await as(0, (ctx) => postDisbursement(ctx, payment_id, DAY));
  return payment_id;
}
const statusOf = async (id: number) => (await database.db.one<{ status: string }>(sql`
  select status from payments where id = ${id}`)).status;
const tiesOut = async () => (await ledgerIntegrity(database.db)).filter((check) => !check.ok).map((check) => check.key);

describe('a payment to a vendor', () => {
  test('[R68] reserves while it waits, posts once it is approved, and settles what it names', async () => {
    const bill = await item(60_000);
    expect(await movement(database.db, () => paid([whole(bill, 60_000)]))).toEqual({ 1000: -60_000, 2000: 60_000 });
    expect(await open(bill)).toBe(0);
  });

  test('is approved by another person than made or changed it, and a change takes the approval back', async () => {
    const bill = await item(10_000);
    const { payment_id } = await make([whole(bill, 10_000)]);
    await expect(as(0, (ctx) => approveDisbursement(ctx, payment_id))).rejects.toMatchObject({ code: 'four_eyes' });
    await expect(as(0, (ctx) => postDisbursement(ctx, payment_id, DAY))).rejects.toMatchObject({
      code: 'payment.status' });
    await as(1, (ctx) => approveDisbursement(ctx, payment_id));
    await as(1, (ctx) => changeDisbursement(ctx, payment_id, { parts: [whole(bill, 4_000)] }));
    expect(await statusOf(payment_id)).toBe('draft');
    await expect(as(1, (ctx) => approveDisbursement(ctx, payment_id))).rejects.toMatchObject({ code: 'four_eyes' });
  });

  test('pays a part, and the rest stays open until it is paid', async () => {
    const bill = await item(150_000);
    await paid([whole(bill, 50_000)]);
    expect(await open(bill)).toBe(100_000);
    await expect(make([whole(bill, 100_001)])).rejects.toMatchObject({ code: 'payment.item_taken' });
    await paid([whole(bill, 100_000)]);
    expect(await open(bill)).toBe(0);
  });

  test('less a discount closes the bill, and the discount is not money', async () => {
    const bill = await item(12_100);
    expect(await movement(database.db, () => paid([whole(bill, 11_900, 200)])))
      .toEqual({ 1000: -11_900, 2000: 12_100, 7080: -200 });
    expect(await open(bill)).toBe(0);
  });

  test('sets a credit off: 150.00 less 70.00 pays 80.00', async () => {
    const [bill, credit] = [await item(15_000), await item(-7_000)];
    expect(await movement(database.db, () => paid([whole(bill, 15_000), whole(credit, -7_000)])))
      .toEqual({ 1000: -8_000, 2000: 8_000 });
    expect([await open(bill), await open(credit)]).toEqual([0, 0]);
    const [small, large] = [await item(5_000), await item(-7_000)];
    await expect(make([whole(small, 5_000), whole(large, -7_000)])).rejects.toMatchObject({ status: 422 });
    await expect(make([whole(large, 7_000)])).rejects.toMatchObject({ status: 422 });
  });

  test('in another currency leaves nothing open in the base', async () => {
    const bill = await item(10_000, { currency: 'EUR', rate: 1.1 });
    const moved = await movement(database.db, () => paid([whole(bill, 10_000)], { currency: 'EUR', method: 'wire' }));
    expect(moved).toMatchObject({ 1001: -10_000 });
    expect(await database.db.one(sql`select open_minor, open_base_minor from open_items where id = ${bill}`))
      .toEqual({ open_minor: 0, open_base_minor: 0 });
  });
});

describe('nothing is paid twice', () => {
  test('eight people choose the same bill at once: one payment holds it', async () => {
    const bill = await item(60_000);
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => make([whole(bill, 60_000)])));
    expect(tried.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    for (const one of tried) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'payment.item_taken' });
    }
  });

  test('the database refuses more than is open, whoever writes it', async () => {
    const bill = await item(60_000);
    const { payment_id } = await make([whole(bill, 40_000)]);
    const second = await make([whole(bill, 20_000)]);
    await expect(database.db.tx(async (tx) => {
      await tx.exec(sql`update payment_parts set state = 'released' where payment_id = ${second.payment_id}`);
      await tx.exec(sql`insert into payment_parts (payment_id, open_item_id, amount_minor)
        values (${second.payment_id}, ${bill}, 20001)`);
      await tx.exec(sql`update payments set amount_minor = 20001 where id = ${second.payment_id}`);
    })).rejects.toMatchObject({ code: '23514' });
    await expect(database.db.tx((tx) => tx.exec(sql`update payments set amount_minor = 39999
      where id = ${payment_id}`))).rejects.toMatchObject({ code: '23514' });
  });

  test('eight people post one payment at once: the bank pays once', async () => {
    const bill = await item(60_000);
    const { payment_id } = await make([whole(bill, 60_000)]);
    await as(1, (ctx) => approveDisbursement(ctx, payment_id));
    const moved = await movement(database.db, () => Promise.allSettled(Array.from({ length: 8 }, () =>
      as(0, (ctx) => postDisbursement(ctx, payment_id, DAY)))));
    expect(moved).toEqual({ 1000: -60_000, 2000: 60_000 });
  });
});

describe('on its way back', () => {
  test('a return opens the bill again with its due date, and another payment takes it', async () => {
    const [bill, credit] = [await item(15_000), await item(-7_000)];
    const payment = await paid([whole(bill, 15_000), whole(credit, -7_000)]);
    expect(await movement(database.db, () => as(0, (ctx) => returnDisbursement(ctx, payment, DAY, 'R03 No account'))))
      .toEqual({ 1000: 8_000, 2000: -8_000 });
    expect([await open(bill), await open(credit), await statusOf(payment)]).toEqual([15_000, -7_000, 'returned']);
    expect(await database.db.one(sql`select due_date from open_items where id = ${bill}`))
      .toEqual({ due_date: '2026-03-10' });
    await paid([whole(bill, 15_000)]);
    expect(await open(bill)).toBe(0);
  });

  test('a draft that is withdrawn frees its items; a posted payment is reversed', async () => {
    const bill = await item(9_000);
    const { payment_id } = await make([whole(bill, 9_000)]);
    await as(0, (ctx) => voidDisbursement(ctx, payment_id, DAY, 'Twice'));
    expect(await statusOf(payment_id)).toBe('void');
    const posted = await paid([whole(bill, 9_000)]);
    await as(0, (ctx) => voidDisbursement(ctx, posted, DAY, 'Wrong bill'));
    expect([await statusOf(posted), await open(bill)]).toEqual(['reversed', 9_000]);
  });

  test('a refund that the bank returned is owed again and paid by another payment', async () => {
    const customer = await makeCustomer(database.db, 'US');
    const receipt = await command(ports, (ctx) => recordReceipt(ctx, { customer_id: customer, division: 'US',
      currency: 'USD', amount_minor: 28_400, method: 'wire', received_on: DAY }));
    const refund = await as(0, (ctx) => refundReceipt(ctx, { payment_id: receipt.payment_id, amount_minor: 28_400,
      reason: 'Canceled', on: DAY }));
    const due = await database.db.one<{ id: number; free_minor: number }>(sql`
      select id, free_minor from payable_items where party_type = 'customer' and party_id = ${customer}`);
    expect(due.free_minor).toBe(0);
    const again = { party_type: 'customer', party_id: customer };
    await expect(make([whole(due.id, 28_400)], again)).rejects.toMatchObject({ code: 'payment.item_taken' });
    await as(1, (ctx) => approveDisbursement(ctx, refund.payment_id));
    await as(0, (ctx) => postDisbursement(ctx, refund.payment_id, DAY));
    expect(await tiesOut()).toEqual([]);
    await as(0, (ctx) => returnDisbursement(ctx, refund.payment_id, DAY, 'AC04 Closed'));
    expect(await open(due.id)).toBe(28_400);
    expect(await tiesOut()).toEqual([]);
    await paid([whole(due.id, 28_400)], again);
    expect(await open(due.id)).toBe(0);
    expect(await tiesOut()).toEqual([]);
  });
});
