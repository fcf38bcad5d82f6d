/** With a key: what the service answers, what our tables answer for it, and what is reported to it. */
import Taxjar from 'taxjar';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { taxServiceDouble, type TaxServiceDouble } from '#tests/support/tax-service-double.ts';
import { reportToTaxService } from './report-waiting.server.ts';
import { callService, ServiceRefused, ServiceSilent } from './service-call.server.ts';

const test = testApp();
const TAX = '/api/utilities/taxjar';
let service: TaxServiceDouble;
let ann: SignedIn;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const FROM = { country_code: 'US', thoroughfare: '250 W 52nd St', locality: 'New York', administrative_area: 'NY',
  postal_code: '10019' };
const ASKED = { from: FROM, to: { ...FROM, postal_code: '10004' }, amount: 100, shipping: 10 };
const ORDER = { transaction_id: 'WEB-1', transaction_date: '2026-11-10', to_country: 'US', to_zip: '10004',
  to_state: 'NY', amount: 110, shipping: 10, sales_tax: 9.76 };
const REFUND = { ...ORDER, transaction_id: 'WEB-1-R', transaction_reference_id: 'WEB-1',
  transaction_date: '2026-11-18', amount: -50, shipping: 0, sales_tax: -4.44 };

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

describe('the double', () => {
  it('is understood by the service\'s own client, errors included', async () => {
    const client = new Taxjar({ apiKey: service.key, apiUrl: service.url });
    expect((await client.createOrder(ORDER)).order.transaction_id).toBe('WEB-1');
    expect((await client.listOrders()).orders).toEqual(['WEB-1']);
    await expect(client.createOrder(ORDER)).rejects.toMatchObject({ status: 422, error: 'Unprocessable Entity' });
    await expect(client.showRefund('none')).rejects.toMatchObject({ status: 404 });
    expect((await client.createRefund(REFUND)).refund.amount).toBe(-50);
    expect((await client.ratesForLocation('10004')).rate.freight_taxable).toBe(true);
    const wrong = new Taxjar({ apiKey: 'another', apiUrl: service.url });
    await expect(wrong.categories()).rejects.toMatchObject({ status: 401 });
  });
});

describe('answers', () => {
  it('come from the service, categories and rates once an hour', async () => {
    for (const _time of [1, 2]) {
      expect(data(await ann.get(`${TAX}/categories`))).toEqual([{ product_tax_code: '81100', name: 'Books',
        description: 'Books, printed', source: 'service' }]);
      expect(data(await ann.get(`${TAX}/rates?zip=10004`))).toMatchObject({ combined_rate: 0.08875,
        city: 'NEW YORK', source: 'service' });
    }
    expect(service.calls).toEqual(['GET /v2/categories', 'GET /v2/rates/10004?country=US']);
    expect(data(await ann.post(`${TAX}/taxes`, ASKED))).toMatchObject({ amount_to_collect: 9.76, source: 'service',
      breakdown: { line_items: [{ state_tax_rate: 0.04, state_tax_collectable: 4.4 }] } });
    expect(data(await ann.get(`${TAX}/validation?vat=DE136695976`))).toMatchObject({ exists: true, valid: true,
      vies_response: { name: 'Theater GmbH' }, source: 'service' });
    expect(data(await ann.get(`${TAX}/validation?vat=DE136695977`))).toMatchObject({ valid: false, source: 'own' });
    expect(data(await ann.post(`${TAX}/addresses/validate`, { address: FROM }))).toMatchObject([
      { zip: '10019-0001', source: 'service' }]);
  });

  it('come from our tables where the service is down or answers nonsense, and it is left alone for a while',
    async () => {
      for (const mood of ['garbage', 'down'] as const) {
        service.mood = mood;
        expect(data(await ann.post(`${TAX}/taxes`, ASKED))).toMatchObject({ amount_to_collect: 9.77, source: 'own' });
      }
      // Three attempts, then two: the fifth failure in a row opens the breaker.
      expect(service.calls).toHaveLength(5);
      service.mood = 'well';
      expect(data(await ann.post(`${TAX}/taxes`, ASKED))).toMatchObject({ source: 'own' });
      expect(service.calls).toHaveLength(5);
      const settings = { url: service.url, key: service.key };
      const call = { method: 'GET', path: 'categories', tries: 1 } as const;
      await expect(callService(settings, call)).rejects.toThrow(ServiceSilent);
      const later = () => performance.now() + 31_000;
      expect(await callService(settings, call, later)).toHaveProperty('categories');
    });

  it('a refusal of the service is passed on in its words', async () => {
    await expect(callService({ url: service.url, key: 'another' }, { method: 'GET', path: 'categories', tries: 3 }))
      .rejects.toThrow(ServiceRefused);
    expect(service.calls).toHaveLength(1);
    const nowhere = { ...FROM, postal_code: '99999', administrative_area: 'AK' };
    const answer = await ann.post(`${TAX}/addresses/validate`, { address: nowhere });
    expect([answer.status, answer.body.message]).toEqual([404, 'Resource can not be found']);
  });
});

describe('reports', () => {
  const state = async (path: string) => {
    const { report_state, report_error } = data(await ann.get(`${TAX}/${path}`));
    return [report_state, report_error];
  };
  const report = async () => {
    await test.database.db.exec(sql`update tax_service_transactions set report_after = null`);
    return reportToTaxService(test.ports);
  };

  it('order, then refund, once each, and a change as a change', async () => {
    data(await ann.post(`${TAX}/customers`, { customer_id: 'c-1', name: 'School', exemption_type: 'other' }));
    data(await ann.post(`${TAX}/orders`, { ...ORDER, customer_id: 'c-1' }));
    data(await ann.post(`${TAX}/refunds`, REFUND));
    expect(await state('orders/WEB-1')).toEqual(['waiting', null]);
    expect(await report()).toEqual({ done: 3, failed: 0 });
    expect(await report()).toEqual({ done: 0, failed: 0 });
    expect(service.calls).toEqual(['POST /v2/customers', 'POST /v2/transactions/orders',
      'POST /v2/transactions/refunds']);
    expect(service.kept.refunds.get('WEB-1-R')).toMatchObject({ transaction_reference_id: 'WEB-1', amount: -50,
      sales_tax: -4.44, transaction_date: '2026-11-18' });
    expect(service.kept.orders.get('WEB-1')).not.toHaveProperty('report_state');
    data(await ann.put(`${TAX}/orders/WEB-1`, { to_city: 'New York', version: 1 }));
    await report();
    expect(service.calls.at(-1)).toBe('PUT /v2/transactions/orders/WEB-1');
    data(await ann.remove(`${TAX}/refunds/WEB-1-R`));
    await report();
    expect(service.kept.refunds.size).toBe(0);
    expect(await state('orders/WEB-1')).toEqual(['reported', null]);
  });

  it('an order whose answer was lost is found there and not added twice', async () => {
    data(await ann.post(`${TAX}/orders`, { ...ORDER, transaction_id: 'WEB-2' }));
    service.mood = 'lost';
    await report();
    expect(service.kept.orders.size).toBe(1);
    expect(await state('orders/WEB-2')).toEqual(['waiting', expect.stringContaining('did not answer')]);
    service.mood = 'well';
    await report();
    expect(await state('orders/WEB-2')).toEqual(['reported', null]);
    expect(service.calls).toEqual(['POST /v2/transactions/orders', 'POST /v2/transactions/orders',
      'PUT /v2/transactions/orders/WEB-2']);
    expect(service.kept.orders.size).toBe(1);
  });

  it('what the service refuses says why, and waits for a change', async () => {
    data(await ann.post(`${TAX}/orders`, { ...ORDER, transaction_id: 'WEB-3', to_zip: '00000' }));
    await report();
    expect(await state('orders/WEB-3')).toEqual(['failed', 'to_zip is not valid']);
    await report();
    expect(service.calls).toHaveLength(1);
    data(await ann.put(`${TAX}/orders/WEB-3`, { to_zip: '10004', version: 1 }));
    await report();
    expect(await state('orders/WEB-3')).toEqual(['reported', null]);
  });
});
