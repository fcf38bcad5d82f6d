/** Local sales tax: found by ZIP code, golden rates by hand; kept by staff; a draft asks once about an unknown ZIP. */
import { describe, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { jurisdictionName } from '../jurisdiction.contract.ts';

const app = testApp();
const RATES = '/api/admin/staff/accounting/local_tax_rates';
const DRAFTS = '/api/admin/staff/invoices';

async function customerAt(locality: string, postal_code: string, state = 'NY'): Promise<number> {
  const id = await makeCustomer(app.database.db, 'US');
  await app.database.db.exec(sql`update customers set billing_address = ${JSON.stringify({ country_code: 'US',
    thoroughfare: '1 Main St', locality, administrative_area: state, postal_code })} where id = ${id}`);
  return id;
}

const bodyFor = (customer_id: number, more: object = {}) => ({ customer_id, license_id: null, division: 'US',
  currency: 'USD', issued_on: '2026-11-20', items: [{ kind: 'rental', description: 'Hire', item_class: 'rental',
    net_minor: 100_000 }], ...more });
const draft = (staff: Browser, customer: number, more: object = {}) => staff.post(DRAFTS, bodyFor(customer, more));
const row = (more: object = {}) => ({ state: 'NY', county: 'Erie', level: 'county', zip_from: '14201',
  zip_to: '14280', rate_ppm: 47_500, valid_from: '2026-01-01', source: 'Publication 718', ...more });

describe('rates by ZIP', () => {
  test.each([
    ['Long Island City', '11106', 8_875], ['Brooklyn', '11201', 8_875], ['New York', '10001', 8_875],
    ['Flushing', '11354', 8_875], ['Far Rockaway', '11691', 8_875], ['Staten Island', '10301', 8_875],
    ['Bronx', '10451', 8_875], ['Queens', '11106-2231', 8_875], ['Albany', '12203', 8_000], ['Ithaca', '14850', 8_000],
  ])('%s %s: 1,000.00 is taxed by %i', async (locality, zip, tax) => {
    const staff = await app.signedIn('staff_admin');
    const made = await draft(staff, await customerAt(locality, zip));
    expect(made.body.data, JSON.stringify(made.body)).toMatchObject({ tax_minor: tax, total_minor: 100_000 + tax });
  });

  test.each([['US-NY-Queens-city', 'New York, Queens, city'], ['US-NY-Queens', 'New York, Queens'],
    ['US-OH', 'Ohio'], ['US', 'United States'], ['GB', 'United Kingdom'], ['CA-ON', 'Canada, Ontario'],
    ['US-NY-ZIP 11106', 'New York, ZIP 11106']])('%s reads as %s', (code, name) => {
    expect(jurisdictionName(code)).toBe(name);
  });

  test('New York City is three parts of one rounding, each naming its rate', async () => {
    const staff = await app.signedIn('staff_admin');
    const made = await draft(staff, await customerAt('Long Island City', '11106'));
    expect(made.body.data.taxes.map((one: { jurisdiction: string; tax_minor: number }) =>
      [one.jurisdiction, one.tax_minor])).toEqual([['US-NY', 4_000], ['US-NY-Queens-city', 4_500],
      ['US-NY-Queens-district', 375]]);
    const used = await app.database.db.one<{ n: number }>(sql`
      select count(local_tax_rate_id)::int as n from invoice_tax_lines where invoice_id = ${made.body.data.id}`);
    expect(used.n).toBe(2);
  });

  test('a town called New York outside the ZIP codes of the city is not charged its rate', async () => {
    const staff = await app.signedIn('staff_admin');
    const asked = await draft(staff, await customerAt('New York', '13305'));
    expect(asked.status).toBe(409);
    expect(asked.body).toMatchObject({ code: 'tax.local_rate_unknown', unknown: [{ state: 'NY', zip: '13305' }] });
  });

  test('a rate that changes on the 1st is charged from that day', async () => {
    const staff = await app.signedIn('staff_admin');
    const old = await staff.post(RATES, row({ county: 'Chenango', zip_from: '13815', zip_to: '13815', rate_ppm: 40_000,
      valid_to: '2026-11-30' }));
    expect(old.status, JSON.stringify(old.body)).toBe(201);
    await staff.post(RATES, row({ county: 'Chenango', zip_from: '13815', zip_to: '13815', rate_ppm: 42_500,
      valid_from: '2026-12-01' }));
    const customer = await customerAt('Norwich', '13815');
    const taxOn = async (issued_on: string) => (await draft(staff, customer, { issued_on })).body.data.tax_minor;
    expect([await taxOn('2026-11-30'), await taxOn('2026-12-01')]).toEqual([8_000, 8_250]);
  });
});

describe('a draft', () => {
  test('asks once about a ZIP; the answer is kept for everybody', async () => {
    const staff = await app.signedIn('staff_admin');
    const customer = await customerAt('Utica', '13501');
    const preview = await staff.post(`${DRAFTS}/preview`, bodyFor(customer));
    expect(preview.body.data).toMatchObject({ tax_minor: 4_000, unknown_zips: [{ state: 'NY', zip: '13501' }] });
    const asked = await draft(staff, customer);
    expect([asked.status, asked.body.code]).toEqual([409, 'tax.local_rate_unknown']);
    const local_rates = [{ state: 'NY', zip: '13501', rate_ppm: 47_500 }];
    const shown = await staff.post(`${DRAFTS}/preview`, bodyFor(customer, { local_rates }));
    expect(shown.body.data).toMatchObject({ tax_minor: 8_750, unknown_zips: [] });
    const made = await draft(staff, customer, { local_rates });
    expect(made.body.data, JSON.stringify(made.body)).toMatchObject({ tax_minor: 8_750 });
    expect((await draft(staff, customer)).body.data.tax_minor).toBe(8_750);
    const kept = await staff.get(`${RATES}?zip=13501`);
    expect(kept.body.data).toMatchObject([{ rate_ppm: 47_500, source: 'Entered on a draft invoice', used: true }]);
  });

  test('is told that the state rate is right: remembered as a rate of nothing', async () => {
    const staff = await app.signedIn('staff_admin');
    const customer = await customerAt('Lake Placid', '12946');
    const made = await draft(staff, customer, { local_rates: [{ state: 'NY', zip: '12946', rate_ppm: 0 }] });
    expect(made.body.data.tax_minor).toBe(4_000);
    expect((await draft(staff, customer)).status).toBe(201);
  });

  test('asks nothing where the state is complete, or where nothing is taxed', async () => {
    const staff = await app.signedIn('staff_admin');
    await staff.post('/api/admin/staff/accounting/tax_registrations', { division: 'US', jurisdiction: 'US-NJ',
      scheme: 'sales_tax', valid_from: '2026-01-01' });
    expect((await draft(staff, await customerAt('Newark', '07102', 'NJ'))).body.data.tax_minor).toBe(6_625);
    const fee = { items: [{ kind: 'fee', description: 'Fee', item_class: 'fee', net_minor: 100_000 }] };
    expect((await draft(staff, await customerAt('Elmira', '14901'), fee)).body.data.tax_minor).toBe(0);
    const states = (await staff.get('/api/admin/staff/accounting/local_tax_states')).body.data;
    const york = states.find((one: { state: string }) => one.state === 'NY');
    expect(york.complete).toBe(false);
    await staff.put(`/api/admin/staff/accounting/local_tax_states/${york.id}`, { complete: true,
      version: york.version });
    expect((await draft(staff, await customerAt('Elmira', '14901'))).body.data.tax_minor).toBe(4_000);
    await staff.put(`/api/admin/staff/accounting/local_tax_states/${york.id}`, { complete: false,
      version: york.version + 1 });
  });
});

describe('staff keep the rates', () => {
  test('no ZIP has two rates of one level on a day, neither by the form nor in the database', async () => {
    const staff = await app.signedIn('staff_admin');
    const made = await staff.post(RATES, row());
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const twice = await staff.post(RATES, row({ zip_from: '14280', zip_to: '14299' }));
    expect(twice.body.errors.zip_from[0]).toMatch(/Erie, 14201 to 14280, has a county rate of 4.75%/);
    expect((await staff.post(RATES, row({ level: 'city', rate_ppm: 5_000 }))).status).toBe(201);
    await expect(app.database.db.exec(sql`
      insert into local_tax_rates (state, county, level, zip_from, zip_to, rate_ppm, valid_from, source)
      values ('NY', 'Erie', 'county', '14210', '14210', 1, '2030-01-01', 'x')`))
      .rejects.toThrow(/local_tax_rates_once/);
    const backwards = await staff.post(RATES, row({ zip_from: '14399', zip_to: '14300' }));
    expect(backwards.body.errors.zip_to[0]).toBe('The last ZIP code comes before the first');
    const lost = await staff.post(RATES, row({ state: 'ma', zip_from: '2115', zip_to: '2118', source: 'x' }));
    expect(lost.body.data).toMatchObject({ state: 'MA', zip_from: '02115', zip_to: '02118' });
    expect((await staff.post(RATES, row({ zip_from: 'ABC' }))).body.errors.zip_from[0])
      .toBe('Enter a ZIP code, for example 11106');
  });

  test('one that is in use is ended, not edited and not removed; an unused one is both', async () => {
    const staff = await app.signedIn('staff_admin');
    const oswego = row({ county: 'Oswego', zip_from: '13126', zip_to: '13126' });
    const { data: made } = (await staff.post(RATES, oswego)).body;
    const edited = await staff.put(`${RATES}/${made.id}`, { rate_ppm: 40_000, version: made.version });
    expect(edited.body.data).toMatchObject({ rate_ppm: 40_000 });
    await draft(staff, await customerAt('Oswego', '13126'));
    const { version } = edited.body.data;
    const refused = await staff.put(`${RATES}/${made.id}`, { rate_ppm: 45_000, version });
    expect(refused.body.errors.rate_ppm[0]).toMatch(/Enter its last day/);
    expect((await staff.remove(`${RATES}/${made.id}`)).body.code).toBe('local_tax_rate.used');
    await expect(app.database.db.exec(sql`update local_tax_rates set rate_ppm = 1 where id = ${made.id}`))
      .rejects.toThrow(/is in use/);
    const ended = await staff.put(`${RATES}/${made.id}`, { valid_to: '2026-12-31', version });
    expect(ended.body.data).toMatchObject({ valid_to: '2026-12-31', used: true });
    const lewis = row({ county: 'Lewis', zip_from: '13367', zip_to: '13367' });
    const { data: spare } = (await staff.post(RATES, lewis)).body;
    expect((await staff.remove(`${RATES}/${spare.id}`)).status).toBe(204);
    expect((await staff.get(`${RATES}?search=11106`)).body.data.map((one: { county: string }) => one.county))
      .toEqual(['Queens', 'Queens']);
  });

  test('a rate under the name of a city is refused with where it belongs', async () => {
    const staff = await app.signedIn('staff_admin');
    const made = await staff.post('/api/admin/staff/accounting/tax_codes', { division: 'US', jurisdiction: 'US-NY-Troy',
      code: 'SALES', rate_ppm: 40_000, valid_from: '2026-01-01' });
    expect(made.body.errors.jurisdiction[0]).toMatch(/found by ZIP code/);
  });
});
