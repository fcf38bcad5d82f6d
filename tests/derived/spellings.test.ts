/** Search finds records regardless of the spelling on either side: in lists, pickers, the global search, the portal. */
// cspell:disable -- spellings of names
import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { inLedger, sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';

const app = testApp();
let staff: Browser;
let customer: Browser;
let house: number;

/** As written, and as somebody types it. */
const SPELLINGS: readonly (readonly [written: string, typed: string])[] = [
  ['A Doll’s House', 'doll\'s house'], ['H.M.S. Pinafore', 'HMS Pinafore'], ['HMS Pluto', 'h.m.s. pluto'],
  ['Rodgers & Hart', 'rodgers and hart'], ['Gilbert and Sullivan', 'Gilbert & Sull'],
  ['Straße der Ærø', 'strasse der aero'],
  ['Łódź Øst', 'lodz ost'], ['Spider–Man', 'spider-man'], ['The “Blue” Room', 'the "blue" room'],
  ['ﬁddlers’ Green', 'fiddlers\' g'],
  ['Les Misérables', 'LES MISERABLES'],
];
const LISTS = ['customers', 'venues', 'vendors', 'royaltors', 'musicals', 'materials', 'sales_items'] as const;
const KINDS: Record<(typeof LISTS)[number], string> = { customers: 'customer', venues: 'venue', vendors: 'vendor',
  royaltors: 'royaltor', musicals: 'show', materials: 'material', sales_items: 'sales_item' };

beforeAll(async () => {
  staff = await app.signedIn('staff_admin');
  const { db } = app.database;
  for (const [at, [written]] of SPELLINGS.entries()) {
    await db.exec(sql`insert into customers (name, status, divisions, default_division, default_currency)
      values (${written}, 'active', '{US}', 'US', 'USD')`);
    await db.exec(sql`insert into venues (name) values (${written})`);
    await db.exec(sql`insert into vendors (name) values (${written})`);
    await db.exec(sql`insert into royaltors (name) values (${written})`);
    await db.exec(sql`insert into shows (show_code, type, title, sort_title)
      values (${`SP${at}`}, 'musical', ${written}, ${written})`);
    await db.exec(sql`insert into materials (item_number, name, category, type, item_class,
      income_type)
      values (${`M-${at}`}, ${written}, 'scripts', 'rental', 'rental', 'rental')`);
    await db.exec(sql`insert into sales_items (item_number, name) values (${`S-${at}`}, ${written})`);
  }
  await db.exec(sql`update customers set phone = '+1 (617) 555-0100', billing_address = ${JSON.stringify({
    country_code: 'GB', thoroughfare: '1 Wellington Street', premise: '', locality: 'London', administrative_area: '',
    postal_code: 'WC2E 7BB' })} where name = ${SPELLINGS[0]![0]}`);
  house = (await db.one<{ id: number }>(sql`select min(id) as id from customers`)).id;
  await db.exec(sql`update shows set divisions = '{US}'`);
  customer = await app.signedIn('customer', { customers: [{ id: house, role: 'admin' }] });
});

const named = (row: Record<string, unknown>) => row.name ?? row.title;

describe.each(LISTS)('%s', (list) => {
  test.each(SPELLINGS)('%s is found by %s', async (written, typed) => {
    const { body } = await staff.get(`/api/admin/staff/${list}?search=${encodeURIComponent(typed)}`);
    expect(body.data.map(named)).toEqual([written]);
    const all = await staff.get(`/api/admin/staff/search?entity=${KINDS[list]}&search=${encodeURIComponent(typed)}`);
    expect(all.body.data.map(named)).toEqual([written]);
  });
});

test.each(SPELLINGS)('the portal finds %s by %s', async (written, typed) => {
  const { status, body } = await customer.get(`/api/customers/${house}/shows?search=${encodeURIComponent(typed)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data.map(named)).toEqual([written]);
});

test.each(['617 555 0100', '6175550100', '(617) 555-0100', 'WC2E7BB', 'wc2e 7bb'])(
  'a customer is found by %s', async (typed) => {
    const { body } = await staff.get(`/api/admin/staff/customers?search=${encodeURIComponent(typed)}`);
    expect(body.data.map(named)).toEqual([SPELLINGS[0]![0]]);
  });

test.each(SPELLINGS)('the ledger finds %s by %s', async (written, typed) => {
  const { found } = await app.database.db.one<{ found: boolean }>(sql`
    select ${inLedger(sql`${written}::text`, typed)} as found`);
  expect(found).toBe(true);
});

test('codes of the audit trail and of exchange rates are found however they are typed', async () => {
  const { db } = app.database;
  await db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-05-04', 1.25, 'manual')`);
  const admin = await app.signedIn('system_admin');
  await admin.post('/api/admin/staff/venues', { name: 'Codes Hall', kind: 'theatre', time_zone: 'America/New_York' });
  const count = async (address: string): Promise<number> => (await admin.get(address)).body.data.length as number;
  for (const [path, typed] of [['/api/admin/system/audit', 'CREATE'], ['/api/admin/system/audit', 'cre’ate'],
    ['/api/admin/staff/accounting/exchange_rates', 'ma’nual']] as const) {
    expect(await count(`${path}?search=${encodeURIComponent(typed)}`), typed).toBeGreaterThan(0);
  }
});

test('every search of the server compares by the fold', () => {
  const files = globSync('{modules,packages}/**/*.ts').filter((file) => !/\.(test|web)\.ts$/.test(file));
  const others = /search_fold\(|ilike \$\{containing|(query|args)\.search[^;]*toLowerCase\(\)/;
  const other = files.filter((file) => others.test(readFileSync(file, 'utf8')));
  expect(other).toEqual([]);
});
