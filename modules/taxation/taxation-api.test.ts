/** Taxation by date as staff keep it: certificates, registrations, rules, holidays; and what invoices make of them. */
import { describe, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const app = testApp();
const ACCOUNTING = '/api/admin/staff/accounting';

async function taxOn(staff: Browser, customer: number, division: string, issued_on: string, item_class = 'rental') {
  const currency = { US: 'USD', UK: 'GBP' }[division]!;
  const made = await staff.post('/api/admin/staff/invoices', { customer_id: customer, license_id: null, division,
    currency, issued_on, items: [{ kind: 'rental', description: 'Hire', item_class, net_minor: 10_000 }] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
}

describe('exemption certificates', () => {
  const pdf = { field: 'file', name: 'st-120.pdf', type: 'application/pdf', content: PAPER };

  test('exempts from its first to its last day, and says so on the line', async () => {
    const staff = await app.signedIn('staff_admin');
    const school = await makeCustomer(app.database.db, 'US');
    const path = `/api/admin/staff/customers/${school}/exemption_certificates`;
    const made = await staff.call('POST', path, { multipart: { file: pdf, fields: { jurisdiction: 'US-NY',
      number: 'EX-1', kind: 'school', valid_from: '2026-03-01', expires_on: '2026-12-31' } } });
    expect(made.body.data, JSON.stringify(made.body)).toMatchObject({ state: 'expiring', used: false,
      file_name: 'st-120.pdf' });
    expect((await taxOn(staff, school, 'US', '2026-02-28')).tax_minor).toBe(888);
    const exempt = await taxOn(staff, school, 'US', '2026-03-01');
    expect(exempt).toMatchObject({ tax_minor: 0 });
    expect(exempt.taxes[0].reason).toBe('Exemption certificate EX-1');
    const { id } = made.body.data;
    const file = await staff.get(`${path}/${id}/document`);
    expect([file.status, file.headers['content-type'], file.raw.toString()])
      .toEqual([200, 'application/pdf', PAPER.toString()]);
    // Used by a document now: its number stays, its end may come earlier.
    const { version } = (await staff.get(path)).body.data[0];
    const renamed = await staff.put(`${path}/${id}`, { number: 'EX-2', version });
    expect(renamed.body.errors.number[0]).toMatch(/Invoices were exempted/);
    const backwards = await staff.put(`${path}/${id}`, { expires_on: '2026-02-01', version });
    expect(backwards.body.errors.expires_on[0]).toBe('The last day is before the first');
    const ended = await staff.put(`${path}/${id}`, { expires_on: '2026-06-30', version });
    expect(ended.body.data).toMatchObject({ state: 'expired', expires_on: '2026-06-30' });
    expect((await taxOn(staff, school, 'US', '2026-07-01')).tax_minor).toBe(888);
    const stale = await staff.put(`${path}/${id}`, { expires_on: '', version });
    expect(stale.status).toBe(412);
  });

  test('the list of all customers puts those first that run out, and finds by name', async () => {
    const staff = await app.signedIn('staff_admin');
    const [late, soon] = [await makeCustomer(app.database.db, 'US'), await makeCustomer(app.database.db, 'US')];
    await staff.post(`/api/admin/staff/customers/${late}/exemption_certificates`, { jurisdiction: 'US-NJ',
      number: `L-${late}`, valid_from: '2026-01-01' });
    await staff.post(`/api/admin/staff/customers/${soon}/exemption_certificates`, { jurisdiction: 'US-NJ',
      number: `S-${soon}`, valid_from: '2026-01-01', expires_on: '2026-12-01' });
    const all = (await staff.get(`${ACCOUNTING}/exemption_certificates?per_page=100`)).body.data
      .map((row: { customer_id: number }) => row.customer_id);
    expect(all.indexOf(soon)).toBeLessThan(all.indexOf(late));
    const expiring = await staff.get(`${ACCOUNTING}/exemption_certificates?state=expiring&search=S-${soon}`);
    expect(expiring.body.data).toMatchObject([{ customer_id: soon, state: 'expiring' }]);
    const place = await staff.post(`/api/admin/staff/customers/${late}/exemption_certificates`, {
      jurisdiction: 'NY', number: 'X' });
    expect(place.body.errors.jurisdiction[0]).toMatch(/no country: write US-NY/);
    // Withdrawn, it is gone from both lists and can be handed in again.
    const own = `/api/admin/staff/customers/${soon}/exemption_certificates`;
    await staff.remove(`${own}/${expiring.body.data[0].id}`);
    expect((await staff.get(own)).body.data).toEqual([]);
    const again = await staff.post(own, { jurisdiction: 'US-NJ', number: `S-${soon}`, valid_from: '2026-11-01' });
    expect(again.body.data).toMatchObject({ valid_from: '2026-11-01', state: 'valid' });
  });
});

test('a registration charges tax from its day, prints its number, and ends', async () => {
  const staff = await app.signedIn('staff_admin');
  const path = `${ACCOUNTING}/tax_registrations`;
  const known = (await staff.get(`${path}?division=UK`)).body.data[0];
  expect(known).toMatchObject({ jurisdiction: 'GB', scheme: 'vat', number: null, state: 'valid' });
  const customer = await makeCustomer(app.database.db, 'UK');
  expect((await taxOn(staff, customer, 'UK', '2026-11-20')).division_vat_number).toBeNull();
  const entered = await staff.put(`${path}/${known.id}`, { number: 'GB 999 0018 79', version: known.version });
  expect((await taxOn(staff, customer, 'UK', '2026-11-20')).division_vat_number).toBe('GB 999 0018 79');
  const doubled = await staff.post(path, { division: 'UK', jurisdiction: 'GB', scheme: 'vat',
    valid_from: '2027-01-01' });
  expect(doubled.body.errors.valid_from[0]).toMatch(/end it first/);
  const ended = await staff.put(`${path}/${known.id}`, { valid_to: '2026-12-31',
    version: entered.body.data.version });
  expect(ended.body.data).toMatchObject({ valid_to: '2026-12-31', state: 'valid' });
  const next = await staff.post(path, { division: 'UK', jurisdiction: 'GB', scheme: 'vat', number: 'GB 2',
    valid_from: '2027-01-01' });
  expect(next.body.data).toMatchObject({ state: 'planned' });
  const over = await staff.put(`${path}/${known.id}`, { valid_to: null, version: ended.body.data.version });
  expect(over.body.errors.valid_to[0]).toBe('A later registration begins before this day');
  // A state that the division is not registered in taxes nothing; from the registration's day on it does.
  const jersey = await makeCustomer(app.database.db, 'US');
  await app.database.db.exec(sql`update customers set billing_address = jsonb_set(billing_address,
    '{administrative_area}', '"NJ"') where id = ${jersey}`);
  expect((await taxOn(staff, jersey, 'US', '2026-11-20')).taxes[0].reason).toMatch(/not registered in NJ/);
  await staff.post(path, { division: 'US', jurisdiction: 'US-NJ', scheme: 'sales_tax', valid_from: '2026-11-20' });
  expect((await taxOn(staff, jersey, 'US', '2026-11-19')).tax_minor).toBe(0);
  expect((await taxOn(staff, jersey, 'US', '2026-11-20')).tax_minor).toBe(663);
});

test('a rule of what is taxed ends the one before it, and is refused in between', async () => {
  const staff = await app.signedIn('staff_admin');
  const path = `${ACCOUNTING}/tax_rules`;
  const customer = await makeCustomer(app.database.db, 'US');
  const rule = { division: 'US', jurisdiction: 'US-NY', item_class: 'logo', taxable: false, tax_code: null };
  expect((await taxOn(staff, customer, 'US', '2027-01-01', 'logo')).tax_minor).toBe(888);
  const made = await staff.post(path, { ...rule, valid_from: '2027-01-01' });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect((await taxOn(staff, customer, 'US', '2026-12-31', 'logo')).tax_minor).toBe(888);
  expect((await taxOn(staff, customer, 'US', '2027-01-01', 'logo')).tax_minor).toBe(0);
  const between = await staff.post(path, { ...rule, valid_from: '2026-06-01' });
  expect(between.body.errors.valid_from[0]).toBe('There is a rule from January 1, 2027 already');
  const taxed = await staff.post(path, { ...rule, taxable: true, tax_code: 'NOPE', valid_from: '2028-01-01' });
  expect(taxed.body.errors.tax_code[0]).toBe('Division US has no tax code NOPE');
  const listed = await staff.get(`${path}?division=US&item_class=logo&search=US-NY&sort_by=valid_from`);
  expect(listed.body.data.map((row: { valid_to: string | null }) => row.valid_to)).toEqual(['2026-12-31', null]);
  const open = await staff.put(`${path}/${listed.body.data[0].id}`, { valid_to: null,
    version: listed.body.data[0].version });
  expect(open.body.errors.valid_to[0]).toBe('The next rule begins before this day');
});

test('holidays are added once, listed by year and removed', async () => {
  const staff = await app.signedIn('staff_admin');
  const path = `${ACCOUNTING}/holidays`;
  const made = await staff.post(path, { division: 'US', on: '2028-07-04', name: 'Independence Day' });
  expect(made.status).toBe(201);
  const twice = await staff.post(path, { division: 'US', on: '2028-07-04', name: 'Again' });
  expect(twice.body.errors.on[0]).toBe('This day is a holiday already');
  expect((await staff.get(`${path}?division=US&year=2028`)).body.data).toMatchObject([{ name: 'Independence Day' }]);
  expect((await staff.remove(`${path}/${made.body.data.id}`)).status).toBe(204);
  expect((await staff.get(`${path}?division=US&year=2028`)).body.data).toEqual([]);
});
