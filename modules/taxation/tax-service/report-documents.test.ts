/** Issued documents of the US divisions are orders and refunds of the tax service, told once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { taxServiceDouble, type TaxServiceDouble } from '#tests/support/tax-service-double.ts';
import { reportToTaxService } from './report-waiting.server.ts';

const test = testApp();
const API = '/api/admin/staff';
const TAX = '/api/utilities/taxjar';
let service: TaxServiceDouble;
let ann: SignedIn;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** Scores of 1,000.00 with delivery of 20.00 to a ZIP code of New York. */
async function issued(postal = '10004', division: 'US' | 'UK' = 'US'): Promise<{ id: number; number: string;
  items: { id: number; net_minor: number }[] }> {
  const customer = await makeCustomer(test.database.db, division);
  if (division === 'US') {
    await test.database.db.exec(sql`update customers set billing_address = billing_address || ${JSON.stringify({
      administrative_area: 'NY', postal_code: postal, locality: 'New York' })}::jsonb where id = ${customer}`);
  }
  const draft = data(await ann.post(`${API}/invoices`, { customer_id: customer, license_id: null, division,
    currency: division === 'US' ? 'USD' : 'GBP', local_rates: [{ state: 'NY', zip: postal, rate_ppm: 48_750 }]
      .slice(postal === '00000' ? 0 : 1), items: [
      { kind: 'rental', description: 'Scores', item_class: 'rental', net_minor: 100_000 },
      { kind: 'shipping', description: 'Delivery', item_class: 'shipping', net_minor: 2_000 }] }));
  return data(await ann.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version, issued_on: '2026-11-18',
    confirmed_total_minor: draft.total_minor }));
}
const order = async (number: string) => data(await ann.get(`${TAX}/orders/${number}`));

beforeAll(async () => {
  service = await taxServiceDouble();
  ann = await test.signedIn('staff_admin');
});
afterAll(async () => { await service.close(); });

it('what was issued before the service was set up is not reported, nor what ships to another country', async () => {
  const before = await issued();
  await reportToTaxService(test.ports);
  expect((await ann.get(`${TAX}/orders/${before.number}`)).status).toBe(404);
  test.ports.settings.tax_service = { url: service.url, key: service.key };
  await reportToTaxService(test.ports);
  const british = await issued('', 'UK');
  await reportToTaxService(test.ports);
  expect(service.kept.orders.size).toBe(0);
  expect((await ann.get(`${TAX}/orders/${british.number}`)).status).toBe(404);
});

it('an invoice is an order of its number, told once though the first answer is lost', async () => {
  const invoice = await issued();
  service.mood = 'lost';
  await reportToTaxService(test.ports);
  expect(await order(invoice.number)).toMatchObject({ report_state: 'waiting', amount: 1_020, shipping: 20,
    invoice_id: invoice.id, to_state: 'NY', to_zip: '10004',
    line_items: [{ unit_price: 1_000, description: 'Scores' }] });
  service.mood = 'well';
  const { version } = await order(invoice.number);
  data(await ann.put(`${TAX}/orders/${invoice.number}/retry`, { version }));
  await reportToTaxService(test.ports);
  await reportToTaxService(test.ports);
  const told = await order(invoice.number);
  expect(told.report_state).toBe('reported');
  expect([...service.kept.orders.keys()]).toEqual([invoice.number]);
  const tax = await test.database.db.one<{ tax: number }>(sql`
    select tax_minor::int as tax from invoices where id = ${invoice.id}`);
  expect(Math.round(told.sales_tax * 100)).toBe(tax.tax);
  const again = await ann.put(`${TAX}/orders/${invoice.number}/retry`, { version: told.version });
  expect(again.body.code).toBe('tax_service.reported');
  const changed = await ann.put(`${TAX}/orders/${invoice.number}`, { amount: 1, version: told.version });
  expect(changed.body.code).toBe('tax_service.of_document');
});

it('a credit note is a refund of its own with the lines of the sale and its own day', async () => {
  const invoice = await issued();
  const [line] = (data(await ann.get(`${API}/invoices/${invoice.id}`)) as typeof invoice).items;
  await reportToTaxService(test.ports);
  data(await ann.post(`${API}/invoices/${invoice.id}/credit_notes`, { reason: 'Half came back', on: '2026-11-20',
    lines: [{ invoice_item_id: line!.id, amount_minor: 50_000 }] }));
  await reportToTaxService(test.ports);
  const [refund] = data(await ann.get(`${TAX}/refunds`));
  expect(refund).toMatchObject({ transaction_reference_id: invoice.number, transaction_date: '2026-11-20',
    amount: -500, shipping: 0, report_state: 'reported', to_zip: '10004',
    line_items: [{ id: String(line!.id), unit_price: -500, sales_tax: -44.38 }] });
  expect(service.kept.refunds.get(refund.transaction_id)).toMatchObject({ sales_tax: -44.38,
    transaction_reference_id: invoice.number });
});

it('a refusal is shown with its answer, stands in the task list, and is tried again', async () => {
  const invoice = await issued('00000');
  await reportToTaxService(test.ports);
  const refused = await order(invoice.number);
  expect(refused).toMatchObject({ report_state: 'failed', report_error: 'to_zip is not valid' });
  const home = async () => data(await ann.get(`${API}/dashboard?division=US&all=true`)).todo.rows
    .filter((row: { kind: string }) => row.kind === 'tax_service');
  expect(await home()).toMatchObject([{ detail: 'to_zip is not valid' }]);
  data(await ann.put(`${TAX}/orders/${invoice.number}/retry`, { version: refused.version }));
  expect(await home()).toEqual([]);
});
