import { beforeAll, describe, expect, it } from 'vitest';
import { unseal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/bank_accounts`;
let staff: Awaited<ReturnType<typeof test.signedIn>>;
let bankId: number;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  bankId = (await staff.post(`${BASE}/banks`, { name: 'First Harbor', country: 'US', bic: 'HRBRUS33' })).body.data.id;
});

const account = (name: string, more: object = {}) =>
  ({ bank_id: bankId, division: 'US', currency: 'USD', name, ...more });
async function made(name: string, more: object = {}) {
  const answer = await staff.post(PATH, account(name, more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
async function ledgerId(code: string, division = 'US'): Promise<number> {
  return (await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = ${division} and code = ${code}`)).id;
}
const entry = async (id: number, minor: number, direction = 'in', code = '3100') =>
  staff.post(`${PATH}/${id}/entries`, { on: '2026-11-02', direction, description: 'Capital',
    lines: [{ ledger_account_id: await ledgerId(code), amount_minor: minor }] });
const shown = async (id: number) => (await staff.get(`${PATH}/${id}`)).body.data;

describe('what a new database has', () => {
  it('is a bank account for each division in its currency, and one for its other cash account', async () => {
    const { body } = await staff.get(`${PATH}?per_page=100&open=true`);
    const first = body.data.filter((row: { ledger_code: string }) => row.ledger_code === '1000');
    expect(first.map((row: { division: string; currency: string; is_default: boolean }) =>
      [row.division, row.currency, row.is_default]).sort()).toEqual([['EU', 'EUR', true], ['PROD', 'USD', true],
      ['UK', 'GBP', true], ['US', 'USD', true]]);
    const codes = new Set(body.data.map((row: { ledger_code: string }) => row.ledger_code));
    expect([codes.has('1010'), codes.has('1050')]).toEqual([false, false]);
  });
});

describe('a bank account', () => {
  it('gets a ledger account of its own, in its currency, which journals by hand keep off', async () => {
    const row = await made('Operating');
    expect(row).toMatchObject({ ledger_code: '1003', balance_minor: 0, is_default: false, bank_name: 'First Harbor' });
    const next = await made('Payroll');
    expect(next.ledger_code).toBe('1004');
    const journal = await staff.post(`${BASE}/transactions`, { division: 'US', transaction_at: '2026-11-02',
      journal_entries: [{ ledger_account_id: row.ledger_account_id, debit_minor: 500 },
        { ledger_account_id: await ledgerId('3100'), credit_minor: 500 }] });
    const posted = await staff.post(`${BASE}/transactions/${journal.body.data.id}/post`, { version: 1 });
    expect(posted.status).toBe(422);
    expect(posted.body.message).toContain('Banking');
  });

  it('begins with its opening balance, against Opening balances', async () => {
    const row = await made('Reserve', { opening_minor: 250_000, opening_on: '2026-10-01' });
    expect(row.balance_minor).toBe(250_000);
    expect(await test.database.db.query(sql`select a.code, e.amount_minor from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = ${row.opening_transaction_id}
      order by e.line_no`)).toEqual([{ code: row.ledger_code, amount_minor: 250_000 },
      { code: '3999', amount_minor: -250_000 }]);
    const changed = await staff.put(`${PATH}/${row.id}`, { opening_minor: 1, version: row.version });
    expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, ['opening_minor']]);
  });

  it.each([
    [{ opening_minor: 5 }, 'opening_on'], [{ bank_id: 999_999 }, 'bank_id'], [{ name: 'operating' }, 'name'],
    [{ currency: 'JPY' }, 'currency'], [{ next_check_number: 0 }, 'next_check_number'],
    [{ opening_minor: 5, opening_on: '2099-01-01' }, 'opening_on'],
  ])('refuses %j at its field', async (wrong, at) => {
    const answer = await staff.post(PATH, { ...account('Refused'), ...wrong });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [at]]);
  });

  it('keeps its number sealed and shows the last characters', async () => {
    await staff.confirm();
    const row = await made('Sealed');
    const put = (body: object) => staff.put(`${PATH}/${row.id}/number`, { version: row.version, ...body });
    expect((await put({ kind: 'iban', account: 'IE30 AIBK 9311 5212 3456 78' })).body.errors).toHaveProperty('account');
    expect((await put({ kind: 'us', account: '12345678', routing: '021000022' })).body.errors)
      .toHaveProperty('routing');
    expect((await put({ kind: 'uk', account: '1234567', routing: '20-00-00' })).body.errors).toHaveProperty('account');
    const { body } = await put({ kind: 'us', account: '1234 5678', routing: '021000021' });
    expect(body.data).toMatchObject({ bank_account_last4: '5678', number_kind: 'us' });
    const stored = await test.database.db.one<{ bytes: Buffer; key_id: string }>(sql`
      select bank_account_encrypted as bytes, bank_key_id as key_id from bank_accounts where id = ${row.id}`);
    expect(unseal(test.ports.settings, `bank_account:${row.id}:bank_account`, stored)).toBe('12345678');
    expect(JSON.stringify(await staff.get(`${BASE}/banks`))).not.toContain('12345678');
    // Somebody else was faster: that comes before what is wrong with the number.
    expect((await put({ kind: 'us', account: '12345678', routing: '021000022' })).status).toBe(412);
  });

  it('takes money in and out against an account, never against another bank account', async () => {
    const row = await made('Entries');
    expect((await entry(row.id, 7_000)).status).toBe(201);
    expect((await entry(row.id, 2_000, 'out', '6100')).status).toBe(201);
    expect((await shown(row.id)).balance_minor).toBe(5_000);
    const wrong = await entry(row.id, 1, 'in', '1000');
    expect(wrong.body.errors).toEqual({
      'lines.0.ledger_account_id': ['Money between two bank accounts is a transfer'] });
  });

  it('is closed with a zero balance, and never trashed once it is used', async () => {
    const row = await made('Closing');
    await entry(row.id, 100);
    expect((await staff.remove(`${PATH}/${row.id}`)).status).toBe(409);
    const early = await staff.put(`${PATH}/${row.id}/close`, { version: row.version });
    expect([early.status, early.body.code]).toEqual([409, 'bank_account.not_empty']);
    await entry(row.id, 100, 'out');
    const closed = await staff.put(`${PATH}/${row.id}/close`, { version: row.version });
    expect(closed.status, JSON.stringify(closed.body)).toBe(200);
    expect((await entry(row.id, 1)).body.code).toBe('bank_account.closed');
    expect(await test.database.db.one(sql`select active from ledger_accounts where id = ${row.ledger_account_id}`))
      .toEqual({ active: false });
    expect((await staff.put(`${PATH}/${row.id}/reopen`, { version: closed.body.data.version })).status).toBe(200);
  });

  it('goes to the trash unused, with its ledger account, and comes back', async () => {
    const row = await made('Unused');
    expect((await staff.remove(`${PATH}/${row.id}`)).status).toBe(204);
    expect((await staff.get(`${PATH}/trash`)).body.data.map((one: { id: number }) => one.id)).toContain(row.id);
    const ledger = `${BASE}/ledger_accounts/${row.ledger_account_id}`;
    expect((await staff.get(ledger)).status).toBe(404);
    expect((await staff.put(`${ledger}/restore`)).body.message).toContain('Banking');
    expect((await staff.put(`${PATH}/${row.id}/restore`)).status).toBe(200);
    expect((await staff.get(ledger)).status).toBe(200);
  });

  it('receives what a receipt names, else the default receives it', async () => {
    const customer_id = await makeCustomer(test.database.db, 'US');
    const row = await made('Receipts');
    const receive = async (more: object) => staff.post(`${BASE}/payments`, { customer_id, division: 'US',
      currency: 'USD', amount_minor: 4_200, method: 'wire', received_on: '2026-11-02', duplicate_confirmed: true,
      ...more });
    expect((await receive({ bank_account_id: row.id })).body.data).toMatchObject({ bank_account_id: row.id,
      bank_account: 'Receipts' });
    expect((await shown(row.id)).balance_minor).toBe(4_200);
    expect((await receive({})).body.data.account).toBe('1000 Bank');
    expect((await receive({ method: 'check' })).body.data).toMatchObject({ bank_account_id: null });
    const foreign = await made('Elsewhere', { division: 'UK', currency: 'GBP' });
    expect(Object.keys((await receive({ bank_account_id: foreign.id })).body.errors)).toEqual(['bank_account_id']);
  });
});

describe('the default of a division and currency', () => {
  it('is one, also where eight people make another one at once', async () => {
    const rows = [];
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
      rows.push(await made(`Default ${n}`, { division: 'PROD', currency: 'EUR', is_default: true }));
    }
    const answers = await Promise.all(rows.map(async (row) => {
      const { version } = await shown(row.id);
      return staff.put(`${PATH}/${row.id}`, { is_default: true, version });
    }));
    expect(answers.some((answer) => answer.status === 200)).toBe(true);
    expect(answers.filter((answer) => answer.status >= 500)).toEqual([]);
    expect(await test.database.db.one(sql`select count(*) as n from bank_accounts
      where division = 'PROD' and currency = 'EUR' and is_default`)).toEqual({ n: 1 });
  });
});

describe('closed while a receipt is posted', () => {
  it('ends as one of the two: open with the money, or closed and empty', async () => {
    const customer_id = await makeCustomer(test.database.db, 'US');
    for (let round = 0; round < 4; round += 1) {
      const row = await made(`Race ${round}`);
      const receive = () => staff.post(`${BASE}/payments`, { customer_id, division: 'US', currency: 'USD',
        amount_minor: 900, method: 'wire', received_on: '2026-11-02', duplicate_confirmed: true,
        bank_account_id: row.id });
      const done = await Promise.all([receive(), staff.put(`${PATH}/${row.id}/close`, { version: row.version }),
        receive()]);
      expect(done.filter((answer) => answer.status >= 500)).toEqual([]);
      const after = await shown(row.id);
      expect(after.closed_on === null ? after.balance_minor > 0 : after.balance_minor === 0).toBe(true);
    }
  });
});
