import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/bank_transfers`;
let staff: Awaited<ReturnType<typeof test.signedIn>>;
const accounts = new Map<string, number>();
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  await test.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-10-01', 1.09, 'manual')`);
  const { body: { data: bank } } = await staff.post(`${BASE}/banks`, { name: 'First Harbor' });
  await staff.post(`${BASE}/bank_accounts`, { bank_id: bank.id, division: 'US', currency: 'USD', name: 'Savings',
    opening_minor: 1_000_000, opening_on: '2026-10-01' });
  const { body } = await staff.get(`${BASE}/bank_accounts?per_page=100`);
  for (const row of body.data) accounts.set(`${row.division} ${row.name}`, row.id);
});

const at = (name: string): number => accounts.get(name)!;
const transfer = (more: object = {}) => staff.post(PATH, { from_bank_account_id: at('US Savings'),
  to_bank_account_id: at('US Bank'), amount_minor: 1_000, sent_on: '2026-10-05', ...more });
async function made(more: object = {}) {
  const answer = await transfer(more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const linesOf = (id: number) => test.database.db.query<{ code: string; base: number }>(sql`
  select a.code, e.currency, e.amount_minor as amount, e.base_amount_minor as base from journal_entries e
  join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = ${id} order by e.line_no`);
const transit = async (): Promise<{ ledger_minor: number; transfers_minor: number }[]> =>
  (await staff.get(`${PATH}/in_transit`)).body.data;
const receive = (row: { id: number; version: number }, more: object = {}) => staff.put(`${PATH}/${row.id}/receive`,
  { version: row.version, received_on: '2026-10-07', ...more });

describe('a transfer', () => {
  it('stands in transit until it arrives, and then on the other account', async () => {
    const row = await made();
    expect(row).toMatchObject({ status: 'in_transit', division: 'US' });
    expect(await transit()).toMatchObject([{ ledger_minor: 1_000, transfers_minor: 1_000 }]);
    const { body } = await receive(row);
    expect(body.data).toMatchObject({ status: 'received', received_on: '2026-10-07' });
    expect(await transit()).toEqual([]);
    expect((await linesOf(body.data.received_transaction_id)).map((line) => line.code)).toEqual(['1000', '1050']);
  });

  it('across currencies arrives at the rate of the day; the spread is an exchange difference, the fee an expense',
    async () => {
      const row = await made({ to_bank_account_id: at('US Bank EUR'), amount_minor: 110_000, received_minor: 100_000,
        fee_minor: 500, received_on: '2026-10-05' });
      expect(await linesOf(row.sent_transaction_id)).toMatchObject([{ code: '1050', base: 110_000 },
        { base: -110_000 }, { code: '6100', base: 500 }, { base: -500 }]);
      expect(await linesOf(row.received_transaction_id)).toEqual([
        { code: '1001', currency: 'EUR', amount: 100_000, base: 109_000 },
        { code: '1050', currency: 'USD', amount: -110_000, base: -110_000 },
        { code: '7000', currency: 'USD', amount: 1_000, base: 1_000 }]);
      expect(await transit()).toEqual([]);
    });

  it.each([
    [{ to_bank_account_id: 'US Savings' }, 'to_bank_account_id'],
    [{ to_bank_account_id: 'UK Bank' }, 'to_bank_account_id'],
    [{ amount_minor: 0 }, 'amount_minor'], [{ to_bank_account_id: 'US Bank EUR' }, 'received_minor'],
    [{ received_minor: 999 }, 'received_minor'], [{ sent_on: '2099-01-01' }, 'sent_on'],
    [{ received_on: '2026-10-01' }, 'received_on'],
  ])('refuses %j at its field', async (wrong, field) => {
    const id = 'to_bank_account_id' in wrong ? { to_bank_account_id: at(wrong.to_bank_account_id as string) } : {};
    const answer = await transfer({ ...wrong, ...id });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
  });

  it('arrives once, also where eight people record it at once', async () => {
    const row = await made();
    const done = await Promise.all(Array.from({ length: 8 }, () => receive(row)));
    expect(done.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(done.filter((answer) => answer.status >= 500)).toEqual([]);
  });

  it('is reversed as a whole, from itself alone, and once', async () => {
    const balance = async () => (await staff.get(`${BASE}/bank_accounts/${at('US Savings')}`)).body.data.balance_minor;
    const before = await balance();
    const row = await made({ received_on: '2026-10-06' });
    const ledger = await staff.post(`${BASE}/transactions/${row.sent_transaction_id}/reverse`, { reason: 'x' });
    expect([ledger.status, ledger.body.code]).toEqual([409, 'posted_document']);
    const { body } = await staff.put(`${PATH}/${row.id}/reverse`, { version: row.version, reason: 'Wrong account' });
    expect([body.data.status, await balance()]).toEqual(['reversed', before]);
    const again = await staff.put(`${PATH}/${row.id}/reverse`, { version: body.data.version, reason: 'Again' });
    expect(again.body.code).toBe('bank_transfer.reversed');
  });

  it('keeps an account that it is under way to from being closed', async () => {
    const { body: { data: bank } } = await staff.get(`${BASE}/banks`);
    const { body: { data: target } } = await staff.post(`${BASE}/bank_accounts`, { bank_id: bank[0].id, division: 'US',
      currency: 'USD', name: 'Target' });
    const row = await made({ to_bank_account_id: target.id });
    const close = () => staff.put(`${BASE}/bank_accounts/${target.id}/close`, { version: target.version });
    expect((await close()).body.code).toBe('in_use');
    await staff.put(`${PATH}/${row.id}/reverse`, { version: row.version, reason: 'Closed' });
    expect((await close()).status).toBe(200);
  });

  it('leaves the books whole', async () => {
    await test.database.db.query(sql`select ledger_chain_extend(100000)`);
    expect((await ledgerIntegrity(test.database.db)).filter((one) => !one.ok)).toEqual([]);
  });
});
