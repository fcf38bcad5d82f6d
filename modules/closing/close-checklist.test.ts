import { beforeAll, describe, expect, it } from 'vitest';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import type { CloseItem } from './close-checklist.contract.ts';

const test = testApp();
const PATH = '/api/admin/staff/accounting/close_checklist';
let ann: SignedIn;

async function item(key: string, query = 'division=UK&period=202609'): Promise<CloseItem> {
  const { status, body } = await ann.get(`${PATH}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.items.find((one: CloseItem) => one.key === key);
}
const post = (on: string, debit: string, credit: string, minor: number,
  { division, currency }: { division: Division; currency: Currency } = { division: 'UK', currency: 'GBP' }) =>
  test.database.db.tx((db) => postJournal(db, { division, kind: 'transfer', transaction_at: on,
    description: 'Between accounts', source: null, lines: [
      { account: debit, currency, amount: BigInt(minor), base: BigInt(minor) },
      { account: credit, currency, amount: BigInt(-minor), base: BigInt(-minor) }] }));

/** Goods taken in by hand, owed to a vendor under Accrued purchases. */
async function purchase(on: string, minor: number) {
  const { id } = await test.database.db.one<{ id: number }>(sql`
    insert into vendors (name, divisions, default_currency) values ('Tamar Litho', '{UK}', 'GBP') returning id`);
  await test.database.db.tx((db) => postJournal(db, { division: 'UK', kind: 'journal', transaction_at: on,
    description: 'Goods', source: null, lines: [
      { account: '6200', currency: 'GBP', amount: BigInt(minor), base: BigInt(minor) },
      { account: '2010', currency: 'GBP', amount: BigInt(-minor), base: BigInt(-minor),
        party: { type: 'vendor', id } }] }));
}

beforeAll(async () => { ann = await test.signedIn('staff_admin'); });

describe('the close checklist', () => {
  it('leads to the account, list or bank account of its own division', async () => {
    await post('2026-09-20', '1000', '1002', 1);
    expect((await item('deferred')).href)
      .toBe('/admin/accounting/general-ledger?division=UK&account=2100&as_of=2026-09-30');
    expect((await item('box_office')).href).toBe('/admin/sales-and-royalties/box-office?division=UK');
    const name = (await item('reconciled')).detail.split(':')[0]!;
    const { id } = await test.database.db.one<{ id: number }>(sql`
      select id from bank_accounts where division = 'UK' and name = ${name}`);
    expect((await item('reconciled')).href).toBe(`/admin/banking/reconciliation?bank_account_id=${id}`);
  });

  it('names what is in transit at the end of the month, and not what came later', async () => {
    await post('2026-09-20', '1050', '1000', 5_000);
    expect(await item('in_transit')).toMatchObject({ state: 'warning',
      detail: expect.stringContaining('50.00') as string });
    await post('2026-09-30', '1000', '1050', 5_000);
    await post('2026-10-02', '1050', '1000', 7_700);
    expect(await item('in_transit')).toMatchObject({ state: 'done', detail: '' });
  });

  it('asks for statements and reconciliation of the accounts that moved', async () => {
    const reconciled = await item('reconciled');
    expect([reconciled.state, reconciled.detail]).toEqual(['open', expect.stringContaining('never')]);
    expect((await item('statements')).state).toBe('open');
  });

  it('asks for the VAT return at the end of a quarter only', async () => {
    expect(await item('tax')).toMatchObject({ state: 'warning' });
    const returns = '/api/admin/staff/accounting/tax_returns';
    const { body } = await ann.post(returns, { division: 'UK', from: '2026-07-01', to: '2026-09-30' });
    expect(body.data.status).toBe('prepared');
    expect(await item('tax')).toMatchObject({ state: 'done' });
    await post('2026-10-05', '1002', '1000', 100);
    expect(await item('tax', 'division=UK&period=202610')).toMatchObject({ state: 'done' });
  });

  it('asks for the period that follows the last return, by the months of the division', async () => {
    expect((await item('tax', 'division=EU&period=202611')).state).toBe('done');
    const prepared = await ann.post('/api/admin/staff/accounting/tax_returns', { division: 'EU', from: '2026-05-01',
      to: '2026-07-31' });
    expect(prepared.status, JSON.stringify(prepared.body)).toBe(201);
    const left = 'The VAT return through September 30, 2026 is not prepared';
    expect((await item('tax', 'division=EU&period=202608')).state).toBe('done');
    expect(await item('tax', 'division=EU&period=202609')).toMatchObject({ state: 'warning', detail: left });
    expect((await item('tax', 'division=EU&period=202610')).detail).toBe(left);
  });

  it('says who prepared the return, and when', async () => {
    const { name } = await test.database.db.one<{ name: string }>(sql`
      select first_name || ' ' || last_name as name from users where id = ${ann.user_id}`);
    expect((await item('tax')).done).toMatchObject({ by: name, at: expect.stringMatching(/^2026-11-20T15:00/) });
    expect((await item('reconciled')).done).toBeNull();
    // The ledger is checked whenever the list is read.
    expect((await item('integrity')).done).toMatchObject({ by: null, at: expect.stringMatching(/^2026-11-20T15:/) });
  });

  it('asks for what belongs to the month and has no document: purchases that no delivery explains', async () => {
    expect(await item('accruals')).toMatchObject({ state: 'done', detail: '', done: null });
    await purchase('2026-09-15', 4_000);
    expect(await item('accruals')).toMatchObject({ state: 'open',
      detail: 'Accrued purchases hold GBP 40.00 that no delivery explains' });
    await purchase('2026-09-30', -4_000);
    expect((await item('accruals')).state).toBe('done');
  });

  it('asks for a recurring bill whose day has come', async () => {
    const { db } = test.database;
    const { id } = await db.one<{ id: number }>(sql`
      insert into vendors (name, divisions, default_currency) values ('Ledger House', '{UK}', 'GBP') returning id`);
    const { id: schedule } = await db.one<{ id: number }>(sql`
      insert into bill_schedules (vendor_id, division, currency, name, every_count, every_unit, starts_on, next_on)
      values (${id}, 'UK', 'GBP', 'Rent', 1, 'month', '2026-09-01', '2026-09-01') returning id`);
    expect(await item('accruals')).toMatchObject({ state: 'open', detail: '1 recurring bill is not made' });
    await db.exec(sql`update bill_schedules set next_on = '2026-10-01' where id = ${schedule}`);
    expect((await item('accruals')).state).toBe('done');
  });

  it('names the earlier months that closing it leaves open', async () => {
    const { user_id: bob } = await test.signedIn('staff_admin');
    const words = async () => (await item('earlier', 'division=PROD&period=202604')).detail;
    const shut = (period: number) => test.database.db.query(sql`
      select ledger_set_period('PROD', ${period}::int, 'closed', ${ann.user_id}::bigint, ${bob}::bigint)`);
    // Months before the first posting hold nothing.
    expect(await words()).toBe('');
    await post('2026-01-20', '1000', '1002', 1, { division: 'PROD', currency: 'USD' });
    expect(await words()).toBe('Still open: January 2026 to March 2026. Closing April 2026 does not close earlier '
      + 'months, and a posting in them changes its opening balances');
    await shut(202602);
    const { detail, state, href } = await item('earlier', 'division=PROD&period=202604');
    expect(detail).toContain('Still open: January 2026, March 2026.');
    expect([state, href]).toEqual(['warning', '/admin/accounting/close?division=PROD&period=202601']);
    for (const period of [202601, 202603]) await shut(period);
    expect(await item('earlier', 'division=PROD&period=202604')).toMatchObject({ state: 'done', detail: '' });
  });

  it('opens on the last month that has ended where none is closed; a month that is not there is named', async () => {
    const { data } = (await ann.get(`${PATH}?division=UK`)).body;
    expect(data).toMatchObject({ period: 202610, ends: '2026-10-31' });
    expect((await ann.get(`${PATH}?division=UK&period=199001`)).status).toBe(404);
  });
});
