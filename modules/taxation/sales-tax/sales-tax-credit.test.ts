/** Credits of New York: returns of the quarters from September 2026 to February 2028, rentals of 1,000.00 at 8.875%. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { SALES_TAX_INVARIANTS } from '../sales-tax-invariants.public.server.ts';

const test = testApp();
const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const RETURNS = `${BOOKS}/sales_tax_returns`;
let ann: SignedIn;
let bob: SignedIn;
let vendor = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** Sessions end long before the next quarter does. */
async function goTo(day: string): Promise<void> {
  test.clock.set(`${day}T15:00:00Z`);
  ann = await test.signedIn('staff_admin');
  bob = await test.signedIn('staff_admin');
}

/** Tax of 88.75. */
async function rental(on: string): Promise<{ id: number; version: number; total_minor: number }> {
  const customer = await makeCustomer(test.database.db, 'US');
  await test.database.db.exec(sql`update customers set billing_address = billing_address
    || '{"administrative_area": "NY", "postal_code": "10004", "locality": "New York"}'::jsonb where id = ${customer}`);
  const draft = data(await ann.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'rental', description: 'Scores', item_class: 'rental', net_minor: 100_000 }] }));
  return data(await ann.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version, issued_on: on,
    confirmed_total_minor: draft.total_minor }));
}
const show = async () => data(await ann.get(`${BOOKS}/reports/us_sales_use_tax/return?division=US&state=NY`));
const boxes = (report: { boxes: { box: string; amount_minor: number }[] }) =>
  Object.fromEntries(report.boxes.map((box) => [box.box, box.amount_minor]));

beforeAll(async () => {
  await goTo('2026-12-02');
  vendor = data(await ann.post(`${API}/vendors`, { name: 'New York State Sales Tax', divisions: ['US'],
    default_currency: 'USD' })).id;
});

describe('a return below zero', () => {
  const file = async (period: object, more: object = {}) => {
    const made = data(await ann.post(RETURNS, { division: 'US', state: 'NY', ...period }));
    return data(await bob.put(`${BOOKS}/tax_returns/${made.id}/file`, { version: made.version, ...more }));
  };
  const credited = async (invoice: { id: number }) => data(await ann.post(`${API}/invoices/${invoice.id}/credit_notes`,
    { reason: 'Cancelled' }));
  const balance = async () => (await test.database.db.one<{ owed: number }>(sql`
    select coalesce(-sum(e.base_amount_minor), 0)::int as owed from posted_entries e
      join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'sales_tax'
    where e.division = 'US'`)).owed;
  const broken = async () => (await Promise.all(SALES_TAX_INVARIANTS.map(({ violations }) =>
    test.database.db.query(violations)))).flat();

  it('leaves a credit that the next return shows as its own line and uses, never below zero', async () => {
    const autumn = { from: '2026-09-01', to: '2026-11-30' };
    const sold = [await rental('2026-12-01'), await rental('2026-12-01')];
    const old = await rental('2026-09-05');
    await rental('2026-11-05');
    // Two rentals of the autumn: 177.50, of which 8.88 is kept.
    const paid = await file(autumn);
    expect(paid).toMatchObject({ net_minor: 16_862, credit_minor: 0, carries_credit: false });
    const bill = data(await ann.post(`${BOOKS}/tax_returns/${paid.id}/bill`, { vendor_id: vendor }));
    const submitted = data(await ann.put(`${BOOKS}/bills/${bill.id}/submit`, { version: bill.version }));
    data(await bob.put(`${BOOKS}/bills/${bill.id}/approve`, { version: submitted.version }));
    // Winter: its own sales are credited, and one of the autumn: 88.75 with the state.
    for (const one of [...sold, old]) await credited(one);
    await goTo('2027-03-02');
    const winter = await file({ from: '2026-12-01', to: '2027-02-28' });
    expect(winter).toMatchObject({ net_minor: -8_875, carries_credit: true, transaction_id: null });
    expect((await ann.post(`${BOOKS}/tax_returns/${winter.id}/bill`, { vendor_id: vendor })).body.code)
      .toBe('tax_return.not_ready');
    expect([await balance(), await broken()]).toEqual([-8_875, []]);
    await rental('2027-03-02');
    const spring = await show();
    // 88.75 less the discount of 4.44: the credit covers it, 4.44 of it waits.
    expect(boxes(spring)).toMatchObject({ tax: 8_875, discount: -444, credit: -8_431, net: 0 });
  });

  it('is used in full by the ledger too: what is left waits for the return after it', async () => {
    await goTo('2027-06-02');
    const spring = await file({ from: '2027-03-01', to: '2027-05-31' });
    expect(spring).toMatchObject({ net_minor: 0, credit_minor: 8_431 });
    expect([await balance(), await broken()]).toEqual([-444, []]);
    await rental('2027-06-02');
    await goTo('2027-09-02');
    const summer27 = await file({ from: '2027-06-01', to: '2027-08-31' });
    expect(summer27).toMatchObject({ credit_minor: 444, net_minor: 7_987 });
    const bill = data(await ann.post(`${BOOKS}/tax_returns/${summer27.id}/bill`, { vendor_id: vendor }));
    expect(bill).toMatchObject({ total_minor: 7_987 });
    const submitted = data(await ann.put(`${BOOKS}/bills/${bill.id}/submit`, { version: bill.version }));
    data(await bob.put(`${BOOKS}/bills/${bill.id}/approve`, { version: submitted.version }));
    expect([await balance(), await broken()]).toEqual([0, []]);
  });

  it('is left alone where a refund is asked for', async () => {
    const [old] = await test.database.db.query<{ id: number }>(sql`
      select id from invoices where division = 'US' and kind = 'invoice' and issued_on = '2027-06-02'`);
    await credited(old!);
    await goTo('2027-12-02');
    expect(await file({ from: '2027-09-01', to: '2027-11-30' }, { credit: 'refund' }))
      .toMatchObject({ net_minor: -8_875, carries_credit: false });
    await rental('2027-12-02');
    expect(boxes(await show())).not.toHaveProperty('credit');
    expect([await balance(), await broken()]).toEqual([0, []]);
  });

  it('cannot use a credit that is not there, whoever writes the row', async () => {
    await goTo('2028-03-02');
    const made = data(await ann.post(RETURNS, { division: 'US', state: 'NY', from: '2027-12-01', to: '2028-02-29' }));
    await expect(test.database.owner.exec(sql`
      update tax_returns set status = 'filed', filed_by_id = ${bob.user_id}, filed_at = now(), filed_on = '2028-03-02',
        credit_minor = 100 where id = ${made.id}`)).rejects.toThrow(/more credit/);
  });
});
