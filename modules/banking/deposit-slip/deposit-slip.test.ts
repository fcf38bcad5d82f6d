import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/deposit_slips`;
let staff: Awaited<ReturnType<typeof test.signedIn>>;
const accounts = new Map<string, number>();
let customer = 0;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  customer = await makeCustomer(test.database.db, 'US');
  await test.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-10-01', 1.09, 'manual'), ('EUR', 'USD', '2026-10-03', 1.11, 'manual')`);
  const { body } = await staff.get(`${BASE}/bank_accounts?per_page=100`);
  for (const row of body.data) accounts.set(`${row.division} ${row.currency}`, row.id);
});

interface Receipt { id: number; version: number; number: string }
let amount = 10_000;
async function receipt(more: object = {}): Promise<Receipt> {
  amount += 1;
  const answer = await staff.post(`${BASE}/payments`, { customer_id: customer, division: 'US', currency: 'USD',
    amount_minor: amount, method: 'check', received_on: '2026-10-05', reference: `Check ${amount}`, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const make = (ids: number[], more: object = {}) => staff.post(PATH, { bank_account_id: accounts.get('US USD'),
  deposited_on: '2026-10-06', payment_ids: ids, ...more });
async function made(ids: number[], more: object = {}) {
  const answer = await make(ids, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const deposit = (row: { id: number; version: number }, on = '2026-10-06') =>
  staff.put(`${PATH}/${row.id}/deposit`, { version: row.version, deposited_on: on });
const linesOf = (id: number) => test.database.db.query(sql`
  select a.code, e.amount_minor as amount, e.base_amount_minor as base from journal_entries e
  join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = ${id} order by e.line_no`);
const balanceOf = async (code: string, currency = 'USD') => (await test.database.db.one<{ sum: number }>(sql`
  select coalesce(sum(b.debit_minor - b.credit_minor), 0)::bigint as sum from ledger_balances b
  join ledger_accounts a on a.id = b.ledger_account_id
  where a.division = 'US' and a.code = ${code} and b.currency = ${currency}`)).sum;

describe('a deposit slip', () => {
  it('moves checks and cash to the bank account as one line', async () => {
    const check = await receipt({ amount_minor: 5_000 });
    const cash = await receipt({ amount_minor: 700, method: 'cash' });
    const before = await balanceOf('1010');
    const slip = await made([check.id, cash.id]);
    expect(slip).toMatchObject({ status: 'draft', division: 'US', amount_minor: 5_700, item_count: 2 });
    expect(slip.number).toMatch(/^DS-US-2026-\d{6}$/);
    expect(await balanceOf('1010')).toBe(before);
    const { body } = await deposit(slip);
    expect(body.data).toMatchObject({ status: 'deposited', deposited_on: '2026-10-06' });
    expect(await linesOf(body.data.transaction_id)).toEqual([{ code: '1000', amount: 5_700, base: 5_700 },
      { code: '1010', amount: -5_000, base: -5_000 }, { code: '1010', amount: -700, base: -700 }]);
    expect(await balanceOf('1010')).toBe(before - 5_700);
  });

  it('in another currency carries each receipt at the rate it was received at', async () => {
    const euro = { currency: 'EUR', amount_minor: 10_000 };
    const rows = [await receipt({ ...euro, received_on: '2026-10-02' }), await receipt({ ...euro,
      received_on: '2026-10-05' })];
    const { body } = await deposit(await made(rows.map((row) => row.id), { bank_account_id: accounts.get('US EUR') }));
    expect((await linesOf(body.data.transaction_id))[0]).toMatchObject({ amount: 20_000, base: 22_000 });
  });

  it('takes only what waits, of its division and currency, once', async () => {
    const wire = await receipt({ method: 'wire' });
    const euro = await receipt({ currency: 'EUR' });
    const check = await receipt();
    for (const ids of [[wire.id], [euro.id], [check.id, check.id], []]) {
      const { status, body } = await make(ids);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['payment_ids']]);
    }
    await made([check.id]);
    expect((await make([check.id])).body.code).toBe('deposit_slip.taken');
  });

  it('takes a check once, also where eight people reach for it', async () => {
    const check = await receipt();
    const done = await Promise.all(Array.from({ length: 8 }, () => make([check.id])));
    expect(done.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    const slip = done.find((answer) => answer.status === 201)!.body.data;
    const posted = await Promise.all(Array.from({ length: 8 }, () => deposit(slip)));
    expect(posted.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(posted.filter((answer) => answer.status >= 500)).toEqual([]);
  });

  it('is changed and discarded while it is a draft; its receipts wait again', async () => {
    const [first, second] = [await receipt(), await receipt()];
    const slip = await made([first.id]);
    const { body } = await staff.put(`${PATH}/${slip.id}`, { version: slip.version, deposited_on: '2026-10-07',
      bank_account_id: slip.bank_account_id, payment_ids: [second.id] });
    expect(body.data.items.map((one: { payment_id: number }) => one.payment_id)).toEqual([second.id]);
    expect((await made([first.id])).status).toBe('draft');
    await staff.put(`${PATH}/${slip.id}/discard`, { version: body.data.version });
    expect((await made([second.id])).status).toBe('draft');
    expect((await deposit(body.data)).status).toBe(412);
  });

  it('is dated not before its receipts, and not ahead', async () => {
    const slip = await made([(await receipt()).id]);
    for (const on of ['2026-10-04', '2099-01-01']) {
      const { status, body } = await deposit(slip, on);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['deposited_on']]);
    }
  });

  it('is taken back whole, from itself alone; its receipts wait again', async () => {
    const check = await receipt();
    const before = await balanceOf('1010');
    const { body: { data } } = await deposit(await made([check.id]));
    const ledger = await staff.post(`${BASE}/transactions/${data.transaction_id}/reverse`, { reason: 'x' });
    expect([ledger.status, ledger.body.code]).toEqual([409, 'posted_document']);
    const back = await staff.put(`${PATH}/${data.id}/take-back`, { version: data.version, reason: 'Wrong account' });
    expect([back.body.data.status, await balanceOf('1010')]).toEqual(['taken_back', before]);
    const { body } = await staff.get(`${PATH}/waiting?bank_account_id=${data.bank_account_id}`);
    expect(body.data.map((one: { payment_id: number }) => one.payment_id)).toContain(check.id);
  });

  it('stays deposited while its line is matched with the bank', async () => {
    const { body: { data } } = await deposit(await made([(await receipt()).id]));
    const { db } = test.database;
    await db.tx(async (tx) => {
      const line = await tx.one<{ id: number }>(sql`
        with f as (insert into files (storage_key, sha256, mime_type, size_bytes, original_name)
            values (gen_random_uuid(), repeat('a', 64), 'text/plain', 1, 'a.qif') returning id),
          b as (insert into bank_statement_files (bank_account_id, file_id, sha256, format)
            select ${data.bank_account_id}, id, repeat('a', 64), 'qif' from f returning id),
          s as (insert into bank_statements (bank_account_id, bank_statement_file_id, kind, net_minor, line_count,
              new_count)
            select ${data.bank_account_id}, id, 'statement', ${data.amount_minor}, 1, 1 from b returning id)
        insert into bank_transactions (bank_account_id, bank_statement_id, position, booked_on, amount_minor,
          line_key)
        select ${data.bank_account_id}, id, 1, '2026-10-07', ${data.amount_minor}, repeat('a', 64) from s
        returning id`);
      const match = await tx.one<{ id: number }>(sql`insert into bank_matches (bank_account_id, made_by)
        values (${data.bank_account_id}, 'person') returning id`);
      await tx.exec(sql`insert into bank_match_lines (bank_match_id, bank_account_id, bank_transaction_id)
        values (${match.id}, ${data.bank_account_id}, ${line.id})`);
      await tx.exec(sql`insert into bank_match_entries (bank_match_id, bank_account_id, ledger_line_id)
        select ${match.id}, ${data.bank_account_id}, id from journal_entries
        where transaction_id = ${data.transaction_id} and line_no = 1`);
    });
    const { body } = await staff.put(`${PATH}/${data.id}/take-back`, { version: data.version, reason: 'x' });
    expect(body.code).toBe('deposit_slip.matched');
  });

  it('prints for the bank', async () => {
    const slip = await made([(await receipt()).id]);
    const answer = await staff.get(`${PATH}/${slip.id}/document`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
  });
});

describe('a returned check', () => {
  const giveBack = (row: Receipt, more: object = {}) => staff.put(`${BASE}/payments/${row.id}/status`, { version:
    row.version, status: 'returned', on: '2026-10-09', reason: 'Not sufficient funds', ...more });

  it('comes off the bank account it was deposited on, with the charge there', async () => {
    const check = await receipt({ amount_minor: 4_000 });
    const waiting = await balanceOf('1010');
    const { body: { data: slip } } = await deposit(await made([check.id]));
    const bank = await balanceOf('1000');
    const answer = await giveBack(check, { fee_minor: 2_500 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect([await balanceOf('1000'), await balanceOf('1010')]).toEqual([bank - 4_000 - 2_500, waiting - 4_000]);
    const back = await staff.put(`${PATH}/${slip.id}/take-back`, { version: slip.version, reason: 'x' });
    expect(back.body.code).toBe('deposit_slip.returned');
  });

  it('that was never deposited leaves Undeposited funds; on a draft it is taken off first', async () => {
    const check = await receipt({ amount_minor: 4_000 });
    const slip = await made([check.id]);
    expect((await giveBack(check)).body.code).toBe('payment.on_slip');
    await staff.put(`${PATH}/${slip.id}/discard`, { version: slip.version });
    const [bank, waiting] = [await balanceOf('1000'), await balanceOf('1010')];
    await giveBack(check, { fee_minor: 1_000 });
    expect([await balanceOf('1000'), await balanceOf('1010')]).toEqual([bank - 1_000, waiting - 4_000]);
  });
});

describe('undeposited funds', () => {
  it('has what receipts explain, by division and currency', async () => {
    const { body } = await staff.get(`${PATH}/undeposited`);
    const dollars = body.data.find((row: { currency: string }) => row.currency === 'USD');
    expect(dollars).toMatchObject({ division: 'US', ledger_minor: await balanceOf('1010') });
    expect(dollars.receipts_minor).toBe(dollars.ledger_minor);
  });

  it('is whole in the integrity report, which finds a deposit that differs', async () => {
    const { db, owner } = test.database;
    await db.query(sql`select ledger_chain_extend(100000)`);
    expect((await ledgerIntegrity(db)).filter((one) => !one.ok)).toEqual([]);
    await owner.exec(sql`alter table deposit_slip_items disable trigger user`);
    await owner.exec(sql`delete from deposit_slip_items where payment_id = (select min(i.payment_id)
      from deposit_slip_items i join deposit_slips s on s.id = i.deposit_slip_id where s.status = 'deposited')`);
    await owner.exec(sql`alter table deposit_slip_items enable trigger user`);
    expect((await ledgerIntegrity(db)).filter((one) => !one.ok).map((one) => one.key))
      .toEqual(['undeposited', 'deposit_slips']);
  });
});
