/** Bank details as a payment file takes them: opened, by kind, with the persons behind them. */
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { command, makeCustomer } from '#tests/support/receivables.ts';
import { bankChangersOf, payeeBankOf } from './payee-bank.server.ts';

const app = testApp();
const VENDORS = '/api/admin/staff/vendors';
let ann: SignedIn;
let ben: SignedIn;
let id = 0;
beforeAll(async () => {
  [ann, ben] = [await app.signedIn('staff_admin'), await app.signedIn('staff_admin')];
  for (const one of [ann, ben]) await one.confirm();
  id = (await ann.post(VENDORS, { name: 'Alder Print', divisions: ['US'], default_currency: 'USD', remit_to_address: {
    country_code: 'US', thoroughfare: '1 Mill Road', premise: 'Suite 4', locality: 'Keene', administrative_area: 'NH',
    postal_code: '03431' } })).body.data.id;
});

const bank = async () => (await command(app.ports, (ctx) => payeeBankOf(ctx, 'vendor', id)));
const write = (details: object, version: number) => ann.put(`${VENDORS}/${id}/bank_details`, { ...details, version });

test('a vendor has the account of its kind, its holder and both persons', async () => {
  expect(await bank()).toMatchObject({ name: 'Alder Print', bank: null, address: { country: 'US', town: 'Keene',
    postal_code: '03431', street: '1 Mill Road', lines: ['Suite 4'] } });
  await write({ kind: 'us', account: '000 123-456', routing: '021000021', is_savings: true, holder: 'Alder LLC' }, 1);
  expect((await bank()).bank).toMatchObject({ account: { kind: 'us', account: '000123456', routing: '021000021',
    savings: true }, holder: 'Alder LLC', country: 'US', changed_by_id: ann.user_id, verified_at: null, version: 1 });
  await ben.put(`${VENDORS}/${id}/bank_details/verify`, { version: 2, note: 'Called the office' });
  expect((await bank()).bank).toMatchObject({ verified_by_id: ben.user_id, verified_at: expect.any(String) });
  await write({ account: 'DE89 3704 0044 0532 0130 00', routing: 'AIBKIE2D' }, 3);
  expect((await bank()).bank).toMatchObject({ account: { kind: 'iban', iban: 'DE89370400440532013000',
    bic: 'AIBKIE2D' }, country: 'DE', verified_at: null, version: 2 });
  await write({ account: '31926819', routing: '60-16-13' }, 4);
  expect((await bank()).bank?.account).toEqual({ kind: 'uk', sort_code: '601613', account: '31926819' });
});

test('everybody who changed them since a moment is named once', async () => {
  const changers = (since: string | null) => bankChangersOf(app.database.db, 'vendor', id, since);
  expect(await changers(null)).toEqual([ann.user_id]);
  expect(await changers('2100-01-01')).toEqual([]);
});

test('[R68] a customer has the account that refunds are paid to, sealed and verified the same way', async () => {
  const customer = await makeCustomer(app.database.db, 'US');
  const of = () => command(app.ports, (ctx) => payeeBankOf(ctx, 'customer', customer));
  await app.database.db.exec(sql`update customers set name = 'Bell Theatre' where id = ${customer}`);
  expect(await of()).toMatchObject({ name: 'Bell Theatre', bank: null });
  const path = `/api/admin/staff/customers/${customer}/bank_details`;
  const { version } = (await ann.get(path)).body.data;
  const written = await ann.put(path, { version, kind: 'us', account: '000123456', routing: '021000021' });
  expect(written.body.data).toMatchObject({ bank_account_last4: '3456', bank_verified_at: null });
  expect((await ann.put(`${path}/verify`, { version: version + 1, note: 'Called' })).body.code).toBe('four_eyes');
  expect((await ben.put(`${path}/verify`, { version: version + 1, note: 'Called the office' })).status).toBe(200);
  expect(await of()).toMatchObject({ address: { country: 'US', town: 'New York' }, bank: { account: { kind: 'us',
    account: '000123456', routing: '021000021' }, verified_by_id: ben.user_id, changed_by_id: ann.user_id } });
  expect(await bankChangersOf(app.database.db, 'customer', customer, null)).toEqual([ann.user_id]);
});

test('[R68] a refund joins a run by ACH that another person approves; a return doubts the account', async () => {
  const cat = await app.signedIn('staff_admin');
  const books = '/api/admin/staff/accounting';
  const done = async (answer: Promise<{ status: number; body: { data: never } }>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.data as { id: number; version: number; status: string; payments: { id: number; status: string;
      held: string | null; payee_last4: string | null }[] };
  };
  const customer = await makeCustomer(app.database.db, 'US');
  const path = `/api/admin/staff/customers/${customer}/bank_details`;
  const receipt = await done(ann.post(`${books}/payments`, { customer_id: customer, division: 'US', currency: 'USD',
    amount_minor: 9_000, method: 'wire', received_on: '2026-11-20' }));
  const refund = await done(ann.post(`${books}/payments/${receipt.id}/refund`, { amount_minor: 9_000,
    reason: 'Twice' }));
  await done(ben.put(`${books}/payments/${refund.id}/status`, { status: 'approved', version: 1 }));
  const { id: account } = await app.database.db.one<{ id: number }>(sql`
    select id from bank_accounts where division = 'US' and currency = 'USD' and is_default`);
  const run = await done(cat.post(`${books}/payment_runs`, { bank_account_id: account, method: 'ach',
    due_by: '2026-12-15', value_on: '2026-12-01', refund_ids: [refund.id] }));
  expect(run.payments[0]!.held).toContain('No bank details');
  const now = async (of: string) => (await done(ann.get(of))).version;
  await done(ann.put(path, { version: await now(path), kind: 'us', account: '000123456', routing: '021000021' }));
  await done(ben.put(`${path}/verify`, { version: await now(path), note: 'Called the office' }));
  const runPath = `${books}/payment_runs/${run.id}`;
  expect((await ann.put(`${runPath}/approve`, { version: run.version })).body.code).toBe('four_eyes');
  await done(ben.put(`${runPath}/approve`, { version: run.version }));
  const bankPath = `${books}/bank_accounts/${account}`;
  await done(ann.put(`${bankPath}/number`, { version: await now(bankPath), kind: 'us', account: '7445678999',
    routing: '231380104' }));
  await done(ann.put(`${bankPath}/payment_files`, { version: await now(`${bankPath}/payment_files`),
    originator_name: 'Grand Rights', company_id: '1123456789', destination_routing: '231380104',
    destination_name: 'First Bank' }));
  const file = await done(cat.put(`${runPath}/export`, { version: await now(runPath) }));
  expect(file.payments[0]).toMatchObject({ payee_last4: '3456', status: 'approved' });
  await done(cat.put(`${runPath}/payments/${refund.id}/reject`, { version: file.version, on: '2026-11-20',
    reason: 'R03 No account' }));
  expect((await ann.get(path)).body.data).toMatchObject({ bank_account_last4: '3456', bank_verified_at: null });
});
