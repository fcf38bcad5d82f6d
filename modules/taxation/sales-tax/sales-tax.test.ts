import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { remindOfSalesTax } from './sales-tax-tasks.server.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const NOVEMBER = 'from=2026-11-01&to=2026-11-30';
let ann: SignedIn;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** A rental of 1,000.00 to a state, issued on a day of November. */
async function rental(state: string, more: { certificate?: boolean } = {}): Promise<{ id: number; version: number }> {
  const customer = await makeCustomer(test.database.db, 'US');
  const postal = { NY: '10004', PA: '15222', TX: '78701' }[state]!;
  await test.database.db.exec(sql`update customers set billing_address = billing_address
    || ${JSON.stringify({ administrative_area: state, postal_code: postal, locality: 'Town' })}::jsonb
    where id = ${customer}`);
  if (more.certificate) {
    await test.database.db.exec(sql`
      insert into tax_exemption_certificates (customer_id, country, state, number, kind, valid_from, status,
        verified_at, verified_by_id)
      values (${customer}, 'US', ${state}, 'EX-7', 'school', '2026-01-01', 'verified', now(), ${ann.user_id})`);
  }
  const draft = data(await ann.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'rental', description: 'Scores', item_class: 'rental', net_minor: 100_000 }] }));
  return data(await ann.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version, issued_on: '2026-11-12',
    confirmed_total_minor: draft.total_minor }));
}
const report = async (query = NOVEMBER) => data(await ann.get(`${BOOKS}/reports/us_sales_use_tax?${query}`));
const of = (found: { states: { state: string }[] }, state: string) => found.states.find((one) => one.state === state);

beforeAll(async () => { ann = await test.signedIn('staff_admin'); });

describe('sales and use tax', () => {
  it('groups what was sold by state, jurisdiction and reason, and ties to 2310 [A102]', async () => {
    await rental('NY');
    await rental('NY', { certificate: true });
    await rental('PA');
    const found = await report();
    expect(of(found, 'NY')).toMatchObject({ is_registered: true, gross_minor: 200_000, taxable_minor: 100_000,
      exempt: [{ certificate: 'school', minor: 100_000 }], collected_minor: 8_875, due_minor: 8_875, over_minor: 0 });
    expect(of(found, 'PA')).toMatchObject({ is_registered: false, gross_minor: 100_000, not_registered_minor: 100_000,
      collected_minor: 0 });
    expect(found).toMatchObject({ gross_minor: 300_000, exempt_minor: 100_000, checks: [{ ok: true }, { ok: true }] });
  });

  it('takes a credit note off in the month of the credit', async () => {
    const invoice = await rental('NY');
    const before = of(await report(), 'NY') as never as { collected_minor: number };
    data(await ann.post(`${API}/invoices/${invoice.id}/credit_notes`, { reason: 'Sent back', on: '2026-11-20' }));
    expect(of(await report(), 'NY')).toMatchObject({ collected_minor: before.collected_minor - 8_875 });
    expect((await report()).checks).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it('counts economic nexus by the rule of the state, and takes rules from a day on', async () => {
    const rule = { state: 'US-PA', threshold_minor: 100_000, transactions: null, valid_from: '2026-01-01' };
    const entered = data(await ann.post(`${BOOKS}/nexus_rules`, rule));
    expect(of(await report(), 'PA')).toMatchObject({ nexus: { sales_minor: 100_000, transactions: 1, reached: true,
      rule: { id: entered.id } } });
    const { state: _state, valid_from: _from, ...rest } = entered;
    const both = await ann.put(`${BOOKS}/nexus_rules/${entered.id}`, { threshold_minor: rest.threshold_minor,
      transactions: 2, needs_both: true, measure: 'gross', counted_over: 'rolling_12', source: '',
      version: rest.version });
    expect(data(both).version).toBe(2);
    expect(of(await report(), 'PA')).toMatchObject({ nexus: { reached: false, from: '2025-12-01' } });
    expect(of(await report(), 'PA')).toMatchObject({ nexus: { rule: { is_verified: true } } });
    const again = await ann.post(`${BOOKS}/nexus_rules`, rule);
    expect([again.status, again.body.errors.valid_from[0]]).toEqual([422, expect.stringContaining('already')]);
    const empty = await ann.post(`${BOOKS}/nexus_rules`, { ...rule, threshold_minor: null, valid_from: '2026-02-01' });
    expect(empty.body.errors).toHaveProperty('threshold_minor');
  });

  it('has the counter of a state whose sales lie before the days shown, and a task to register there', async () => {
    const december = 'from=2026-12-01&to=2026-12-31';
    expect(of(await report(december), 'PA')).toMatchObject({ gross_minor: 0, is_registered: false,
      nexus: { sales_minor: 100_000, reached: false } });
    const asked = async () => data(await ann.get(`${API}/dashboard?division=US&all=true`)).todo.rows
      .filter((row: { title: string }) => row.title.startsWith('Register')) as { title: string; href: string }[];
    expect(await asked()).toEqual([]);
    const rule = (of(await report(), 'PA') as never as { nexus: { rule: { id: number; version: number } } }).nexus.rule;
    data(await ann.put(`${BOOKS}/nexus_rules/${rule.id}`, { threshold_minor: 100_000, transactions: null,
      needs_both: false, measure: 'gross', counted_over: 'rolling_12', source: '', version: rule.version }));
    expect(await asked()).toMatchObject([{ title: 'Register for sales tax in Pennsylvania',
      href: '/admin/finance/taxes-vat/us-sales-use-tax?division=US' }]);
    await remindOfSalesTax(test.ports);
    await remindOfSalesTax(test.ports);
    const told = data(await ann.get(`${API}/notifications?kind=closing.due&per_page=50`)) as { title: string }[];
    expect(told.filter(({ title }) => title.startsWith('Register US'))).toHaveLength(1);
  });

  it('counts the last twelve months where a state does, as the rules ship: to be verified', async () => {
    const shipped = await test.database.db.query(sql`select state, counted_over from nexus_rules
      where created_by_id is null order by state`);
    expect(shipped).toEqual([['US-AL', 'calendar_year'], ['US-CA', 'calendar_year'], ['US-CT', 'rolling_12'],
      ['US-MS', 'rolling_12'], ['US-NY', 'rolling_12'], ['US-TX', 'rolling_12']].map(([state, counted_over]) =>
      ({ state, counted_over })));
    expect(of(await report(), 'NY')).toMatchObject({ nexus: { rule: { is_verified: false } } });
  });

  it('is a CSV with a row for each jurisdiction and rate', async () => {
    const csv = (await ann.get(`${BOOKS}/reports/us_sales_use_tax/export?${NOVEMBER}`)).raw.toString();
    expect(csv).toContain('New York,New York,4,,,,,1000.00,40.00,40.00,0.00,,');
  });
});
