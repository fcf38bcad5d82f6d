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

test('a customer has none', async () => {
  const customer = await makeCustomer(app.database.db, 'US');
  await app.database.db.exec(sql`update customers set name = 'Bell Theatre' where id = ${customer}`);
  expect(await command(app.ports, (ctx) => payeeBankOf(ctx, 'customer', customer)))
    .toMatchObject({ name: 'Bell Theatre', bank: null });
});
