/** The tax of documents as the service determines it: asked outside of the transaction, stored, and its bad days. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { taxServiceDouble, type TaxServiceDouble } from '#tests/support/tax-service-double.ts';

const test = testApp();
const API = '/api/admin/staff';
let service: TaxServiceDouble;
let ann: SignedIn;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** Scores of 1,000.00 with delivery of 20.00, and a fee of 50.00, drafted for a state. */
async function draft({ state = 'NY', certificate = false, net_minor = 100_000 } = {}) {
  const customer = await makeCustomer(test.database.db, 'US');
  const postal = { NY: '10004', PA: '15222' }[state]!;
  await test.database.db.exec(sql`update customers set billing_address = billing_address || ${JSON.stringify({
    administrative_area: state, postal_code: postal, locality: 'Town' })}::jsonb where id = ${customer}`);
  if (certificate) {
    await test.database.db.exec(sql`
      insert into tax_exemption_certificates (customer_id, country, state, number, kind, valid_from, status,
        verified_at, verified_by_id)
      values (${customer}, 'US', ${state}, 'EX-8', 'school', '2026-01-01', 'verified', now(), ${ann.user_id})`);
  }
  return data(await ann.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'rental', description: 'Scores', item_class: 'rental', net_minor },
      { kind: 'shipping', description: 'Delivery', item_class: 'shipping', net_minor: 2_000 },
      { kind: 'fee', description: 'Rush', item_class: 'fee', net_minor: 5_000 }] }));
}
const issue = (of: { id: number; version: number; total_minor: number }) => ann.post(`${API}/invoices/${of.id}/issue`,
  { version: of.version, confirmed_total_minor: of.total_minor });
const asked = () => service.calls.filter((call) => call === 'POST /v2/taxes').length;

beforeAll(async () => {
  service = await taxServiceDouble();
  ann = await test.signedIn('staff_admin');
});
// A service of its own for each test: its breaker starts closed.
beforeEach(async () => {
  await service.close();
  service = await taxServiceDouble();
  test.ports.settings.tax_service = { url: service.url, key: service.key };
});
afterAll(async () => { await service.close(); });

it('is the service’s for goods and delivery, by level, our own for a fee; at issue it is not asked again',
  async () => {
    const made = await draft();
    // 8.875% of 1,000.00 and of 20.00: 88.75 and 1.775, which is 1.78.
    expect(made.items.map((item: { tax_minor: number }) => item.tax_minor)).toEqual([8_875, 178, 0]);
    expect(made.tax_source).toMatchObject({ determined_by: 'service' });
    const levels = made.taxes.slice(0, 3).map((tax: { jurisdiction: string; tax_minor: number; reason: string }) =>
      [tax.jurisdiction, tax.tax_minor, tax.reason]);
    expect(levels).toEqual([['US-NY', 4_000, 'Determined by the tax service'],
      ['US-NY-New York-city', 4_500, 'Determined by the tax service'],
      ['US-NY-New York-district', 375, 'Determined by the tax service']]);
    expect(asked()).toBe(1);
    const issued = data(await issue(made));
    expect(issued).toMatchObject({ status: 'issued', tax_minor: 9_053, tax_source: { determined_by: 'service' } });
    expect(asked()).toBe(1);
  });

it('is nothing where the service sees no nexus, or the customer has a certificate', async () => {
  const pa = await draft({ state: 'PA' });
  expect(pa.tax_minor).toBe(0);
  expect(pa.taxes[0].reason).toContain('says the tax service');
  const exempt = await draft({ certificate: true });
  expect(exempt).toMatchObject({ tax_minor: 0 });
  expect(exempt.taxes[0].reason).toContain('EX-8');
});

it('is our own tables’ where the service fails at issue: the invoice is marked, staff see it, a person checks it',
  async () => {
    service.mood = 'down';
    const made = await draft({ net_minor: 110_000 });
    expect(made.tax_source).toMatchObject({ determined_by: 'own' });
    const issued = data(await issue(made));
    expect(issued).toMatchObject({ status: 'issued', tax_source: { determined_by: 'own', checked_at: null } });
    const home = async () => data(await ann.get(`${API}/dashboard?division=US&all=true`)).todo.rows
      .filter((row: { kind: string }) => row.kind === 'tax_service');
    expect(await home()).toMatchObject([{ title: `Check the tax of ${issued.number}`, entity_id: issued.id }]);
    const checked = data(await ann.put(`${API}/invoices/${issued.id}/tax_checked`));
    expect(checked.tax_source.checked_by_name).not.toBeNull();
    expect(await home()).toEqual([]);
    expect((await ann.put(`${API}/invoices/${issued.id}/tax_checked`)).body.code).toBe('tax_service.nothing_to_check');
  });

it('is asked again at issue where it did not answer the draft, and nonsense is no answer', async () => {
  service.mood = 'garbage';
  const made = await draft({ net_minor: 120_000 });
  expect(made.tax_source).toMatchObject({ determined_by: 'own' });
  service.mood = 'well';
  const answer = await issue(made);
  const issued = answer.status === 409
    ? data(await issue({ ...made, total_minor: answer.body.new_total_minor })) : data(answer);
  // 8.875% of 1,200.00 is 106.50.
  expect(issued).toMatchObject({ tax_minor: 10_828, tax_source: { determined_by: 'service' } });
});
