import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const limited = testApp({ rateLimits: true });
const TAX = '/api/utilities/taxjar';
let ann: SignedIn;
let player: SignedIn;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const errors = ({ status, body }: Answer): [number, Record<string, string[]>] => [status, body.errors];

const FROM = { country_code: 'US', thoroughfare: '250 W 52nd St', locality: 'New York', administrative_area: 'NY',
  postal_code: '10019' };
const to = (postal_code: string, administrative_area: string) => ({ country_code: 'US', thoroughfare: '1 Main St',
  locality: 'Town', administrative_area, postal_code });

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  const house = await makeCustomer(test.database.db, 'US');
  player = await test.signedIn('customer', { customers: [{ id: house, role: 'member' }] });
});

describe('rates and taxes without a tax service', () => {
  it('answers rates of a ZIP code by level, as invoices take them', async () => {
    expect(data(await player.get(`${TAX}/rates?zip=10004`))).toMatchObject({ country: 'US', zip: '10004', state: 'NY',
      state_rate: 0.04, combined_rate: 0.08875, local_unknown: false, source: 'own' });
    expect(data(await player.get(`${TAX}/rates?country=GB`))).toMatchObject({ name: 'United Kingdom',
      standard_rate: 0.2, combined_rate: null });
    expect(errors(await player.get(`${TAX}/rates?zip=90210&state=NY`))).toEqual([422,
      { zip: ['ZIP code 90210 is in CA, not in NY'] }]);
    expect(errors(await player.get(`${TAX}/rates?country=US`))[0]).toBe(422);
    expect((await player.get(`${TAX}/rates?zip=97201`)).body.message).toBe('No rate of OR is entered.');
  });

  it('works the tax of an order out by line and level, and says the reason of every zero', async () => {
    const order = { from: FROM, to: to('10004', 'NY'), amount: 120, shipping: 10, line_items: [
      { id: 'a', quantity: 2, unit_price: 50, product_tax_code: 'rental' },
      { id: 'b', quantity: 1, unit_price: 25, discount: 5, product_tax_code: 'performing_licence' }] };
    // Own example: 100.00 at 8.875 % = 8.88 (4 % of it the state's); the license is not taxed in New York.
    const tax = data(await player.post(`${TAX}/taxes`, order));
    expect(tax).toMatchObject({ order_total_amount: 130, has_nexus: true, jurisdictions: { country: 'US',
      state: 'NY' }, rate: 0.08875, problems: [], source: 'own' });
    const [rental, license] = tax.breakdown.line_items;
    expect(rental).toMatchObject({ id: 'a', taxable_amount: 100, tax_collectable: 8.88, state_tax_rate: 0.04,
      state_tax_collectable: 4 });
    expect(license).toMatchObject({ id: 'b', taxable_amount: 0, tax_collectable: 0, reason: 'Not taxable in NY' });
    const parts = ['state_tax', 'county_tax', 'city_tax', 'special_district_tax', 'country_tax'];
    const sum = parts.reduce((total, part) => total + Math.round(tax.breakdown[`${part}_collectable`] * 100), 0);
    expect(sum).toBe(Math.round(tax.amount_to_collect * 100));
    const pa = data(await player.post(`${TAX}/taxes`, { from: FROM, to: to('15222', 'PA'), amount: 16.5 }));
    expect(pa).toMatchObject({ amount_to_collect: 0, has_nexus: false,
      breakdown: { line_items: [{ reason: 'The division is not registered in PA' }] } });
  });

  it('refuses what does not add up at its field', async () => {
    const ask = async (change: object) =>
      errors(await ann.post(`${TAX}/taxes`, { from: FROM, to: to('10004', 'NY'), amount: 10, ...change }))[1];
    expect(await ask({ line_items: [{ unit_price: 4 }] })).toEqual({ amount: ['The lines add up to 4.00'] });
    expect(await ask({ amount: 1.005 })).toEqual({ amount: ['Enter an amount with at most two decimals'] });
    expect(await ask({ line_items: [{ unit_price: 10, product_tax_code: '31000' }] }))
      .toEqual({ 'line_items.0.product_tax_code': ['This category does not exist'] });
    expect(await ask({ to: to('90210', 'NY') })).toEqual({ 'to.postal_code': ['ZIP code 90210 is in CA, not in NY'] });
    expect(await ask({ from: { ...FROM, country_code: 'JP' } })).toHaveProperty(['from.country_code']);
  });

  it('answers categories, regions, summaries, addresses and VAT numbers to every signed-in person', async () => {
    expect(data(await player.get(`${TAX}/categories`))).toContainEqual({ product_tax_code: 'rental', name: 'Rentals',
      description: 'Scripts, scores and parts that come back', source: 'own' });
    expect(data(await player.get(`${TAX}/nexus/regions`))).toContainEqual({ country_code: 'US',
      country: 'United States', region_code: 'NY', region: 'New York', source: 'own' });
    const rates = data(await player.get(`${TAX}/summary_rates`)) as { region_code: string | null;
      country_code: string; average_rate: { rate: number }; minimum_rate: { rate: number } }[];
    const ny = rates.find(({ region_code }) => region_code === 'NY')!;
    expect(ny.minimum_rate.rate).toBe(0.04);
    expect(ny.average_rate.rate).toBeGreaterThan(0.07);
    expect(rates.find(({ country_code }) => country_code === 'GB')?.average_rate.rate).toBe(0.2);
    const address = { ...FROM, thoroughfare: ' 250  W 52nd St ', administrative_area: 'New York',
      postal_code: '100191234' };
    expect(data(await player.post(`${TAX}/addresses/validate`, { address }))).toEqual([{ country: 'US', state: 'NY',
      zip: '10019-1234', city: 'New York', street: '250 W 52nd St', source: 'own' }]);
    expect(errors(await player.post(`${TAX}/addresses/validate`, { address: { ...FROM, postal_code: '90210' } })))
      .toEqual([422, { 'address.postal_code': ['ZIP code 90210 is in CA, not in NY'] }]);
    expect(data(await player.get(`${TAX}/validation?vat=DE%20136695976`))).toMatchObject({ valid: true, exists: null,
      vies_available: false, country_code: 'DE', vat_number: 'DE136695976' });
    expect(data(await player.get(`${TAX}/validation?vat=DE136695977`))).toMatchObject({ valid: false,
      format_valid: true, check_digit_valid: false });
  });

  it('answers 60 calls a minute to each person, whichever they are', async () => {
    const [eager, other] = [await limited.signedIn('staff_admin'), await limited.signedIn('staff_admin')];
    for (let call = 1; call < 60; call += 1) await eager.get(`${TAX}/categories`);
    expect((await eager.get(`${TAX}/orders`)).status).toBe(200);
    const refused = await eager.get(`${TAX}/categories`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)]);
    expect((await other.get(`${TAX}/categories`)).status).toBe(200);
  });
});

const ORDER = { transaction_id: 'WEB-1', transaction_date: '2026-11-10', to_country: 'US', to_zip: '10004',
  to_state: 'NY', amount: 110, shipping: 10, sales_tax: 8.88, line_items: [{ id: '1', quantity: 2, unit_price: 50,
    sales_tax: 8.88 }] };
const REFUND = { ...ORDER, transaction_id: 'WEB-1-R', transaction_reference_id: 'WEB-1',
  transaction_date: '2026-11-18', amount: -50, shipping: 0, sales_tax: -4.44, line_items: [] };

describe('orders, refunds and customers', () => {
  it('are the staff\'s: transaction.list reads, transaction.update writes', async () => {
    const reader = await test.signedIn('staff_user', { permissions: ['transaction.list'] });
    const nobody = await test.signedIn('staff_user', { permissions: ['transaction.update'] });
    for (const list of ['orders', 'refunds', 'customers']) {
      expect((await player.get(`${TAX}/${list}`)).status).toBe(403);
      expect((await nobody.get(`${TAX}/${list}`)).status).toBe(403);
      expect((await reader.get(`${TAX}/${list}`)).status).toBe(200);
    }
    expect((await reader.post(`${TAX}/orders`, ORDER)).status).toBe(403);
  });

  it('takes an order once, with lines that add up, and a refund of no more than the order', async () => {
    expect(data(await ann.post(`${TAX}/orders`, ORDER))).toMatchObject({ transaction_id: 'WEB-1', amount: 110,
      to_zip: '10004', from_zip: null, report_state: 'kept', version: 1 });
    expect(errors(await ann.post(`${TAX}/orders`, ORDER))[1]).toHaveProperty('transaction_id');
    expect(errors(await ann.post(`${TAX}/orders`, { ...ORDER, transaction_id: 'WEB-2', amount: 100 }))[1])
      .toEqual({ amount: ['The lines and the shipping add up to 110.00'] });
    const ask = async (change: object) => errors(await ann.post(`${TAX}/refunds`, { ...REFUND, ...change }))[1];
    expect(await ask({ transaction_reference_id: 'WEB-9' })).toHaveProperty('transaction_reference_id');
    expect(await ask({ amount: 50 })).toEqual({ amount: ['Write the amounts of a refund with a minus sign'] });
    expect(await ask({ amount: -110.01 })).toEqual({ amount: ['At most 110.00 of the order is left to refund'] });
    expect(data(await ann.post(`${TAX}/refunds`, REFUND))).toMatchObject({ transaction_reference_id: 'WEB-1',
      amount: -50, sales_tax: -4.44 });
    expect(await ask({ transaction_id: 'WEB-1-S', amount: -60.01 }))
      .toEqual({ amount: ['At most 60.00 of the order is left to refund'] });
  });

  it('changes what nobody changed meanwhile, and removes an order after its refunds', async () => {
    const change = await ann.put(`${TAX}/orders/WEB-1`, { amount: 40, line_items: [], version: 1 });
    expect(errors(change)[1]).toEqual({ amount: ['50.00 of it was refunded'] });
    expect(data(await ann.put(`${TAX}/orders/WEB-1`, { to_city: 'New York', version: 1 })))
      .toMatchObject({ to_city: 'New York', amount: 110, version: 2 });
    expect((await ann.put(`${TAX}/orders/WEB-1`, { to_city: 'Albany', version: 1 })).status).toBe(412);
    expect((await ann.remove(`${TAX}/orders/WEB-1`)).body.code).toBe('tax_service.refunded');
    expect(data(await ann.put(`${TAX}/refunds/WEB-1-R`, { amount: -20, version: 1 }))).toMatchObject({ amount: -20 });
    data(await ann.remove(`${TAX}/refunds/WEB-1-R`));
    data(await ann.remove(`${TAX}/orders/WEB-1`));
    expect((await ann.get(`${TAX}/orders/WEB-1`)).status).toBe(404);
    expect(data(await ann.post(`${TAX}/orders`, ORDER))).toMatchObject({ version: 1 });
    expect(data(await ann.get(`${TAX}/orders?from_transaction_date=2026-11-01&search=web`))).toHaveLength(1);
    expect(data(await ann.get(`${TAX}/orders?to_transaction_date=2026-11-09`))).toEqual([]);
  });

  it('the database refuses refunds above their order, whoever writes them', async () => {
    const { db } = test.database;
    const { id } = await db.one<{ id: number }>(sql`
      select id from tax_service_transactions where reference = 'WEB-1' and removed_at is null`);
    await expect(db.exec(sql`
      insert into tax_service_transactions (kind, reference, order_id, dated_on, ship_to, amount_minor, shipping_minor,
        sales_tax_minor) values ('refund', 'TOO-MUCH', ${id}, '2026-11-19', '{}', -11001, 0, 0)`))
      .rejects.toThrow('come to more than the order');
  });

  it('an exempt customer is not taxed in its regions, and only staff name one', async () => {
    const school = { customer_id: 'school-7', name: 'Brooklyn School', exemption_type: 'other',
      exempt_regions: [{ country: 'US', state: 'NY' }], zip: '11201' };
    expect(data(await ann.post(`${TAX}/customers`, school))).toMatchObject({ customer_id: 'school-7', zip: '11201' });
    expect(errors(await ann.post(`${TAX}/customers`, school))[1]).toHaveProperty('customer_id');
    const ask = { from: FROM, to: to('10004', 'NY'), amount: 100, customer_id: 'school-7' };
    expect(data(await ann.post(`${TAX}/taxes`, ask))).toMatchObject({ amount_to_collect: 0,
      breakdown: { line_items: [{ reason: 'The customer is exempt' }] } });
    expect(errors(await player.post(`${TAX}/taxes`, ask))[1]).toHaveProperty('customer_id');
    data(await ann.put(`${TAX}/customers/school-7`, { exempt_regions: [{ country: 'US', state: 'CA' }], version: 1 }));
    expect(data(await ann.post(`${TAX}/taxes`, ask))).toMatchObject({ amount_to_collect: 8.88 });
    data(await ann.post(`${TAX}/orders`, { ...ORDER, transaction_id: 'WEB-3', customer_id: 'school-7' }));
    expect((await ann.remove(`${TAX}/customers/school-7`)).body.code).toBe('tax_service.customer_used');
    data(await ann.remove(`${TAX}/orders/WEB-3`));
    data(await ann.remove(`${TAX}/customers/school-7`));
    expect(data(await ann.get(`${TAX}/customers?search=brooklyn`))).toEqual([]);
  });
});
