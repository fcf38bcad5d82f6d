import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/principals.ts';

const test = testApp();
const STAFF = '/api/admin/staff';
let staff: Browser;

beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

async function made(path: string, body: object): Promise<{ id: number; version: number; total_minor: number }> {
  const answer = await staff.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** A customer with an invoice over 1,000.00 that was paid in part. */
async function account(): Promise<{ id: number; home: string; office: string }> {
  const id = await makeCustomer(test, 'The Ledger Players');
  await test.database.db.exec(sql`
    update customers set billing_address = ${JSON.stringify({ country_code: 'US', thoroughfare: '1 Main St',
      locality: 'Keene', administrative_area: 'NH', postal_code: '03431' })} where id = ${id}`);
  const draft = await made(`${STAFF}/invoices`, { customer_id: id, division: 'US', currency: 'USD',
    due_on: '2026-11-30',
    items: [{ kind: 'fee', description: 'Late change', item_class: 'fee', net_minor: 100_000 }] });
  expect(draft.total_minor).toBe(100_000);
  await made(`${STAFF}/invoices/${draft.id}/issue`, { version: draft.version });
  await made(`${STAFF}/accounting/payments`, { customer_id: id, division: 'US', currency: 'USD',
    amount_minor: 40_000, method: 'check', received_on: '2026-11-20', reference: `Check ${draft.id}`,
    apply_to: [{ invoice_id: draft.id, amount_minor: 40_000 }] });
  return { id, home: `/api/customers/${id}`, office: `${STAFF}/customers/${id}` };
}

describe('the account of a customer', () => {
  it('shows every movement with the balance after it, the newest first, and what the accounts come to', async () => {
    const { id, home, office } = await account();
    const mine = await test.signedIn('customer', { customers: [{ id, role: 'member' }] });
    for (const [reader, path] of [[staff, office], [mine, home]] as const) {
      const { body } = await reader.get(`${path}/transactions`);
      expect(body.data.map((row: { kind: string; amount_minor: number; balance_minor: number }) =>
        [row.kind, row.amount_minor, row.balance_minor])).toEqual([
        ['receipt', -40_000, 60_000], ['invoice', 100_000, 100_000]]);
      expect(body.accounts).toMatchObject([{ division: 'US', currency: 'USD', opening_minor: 0,
        invoiced_minor: 100_000, received_minor: -40_000, closing_minor: 60_000 }]);
    }
  });

  it('a filter leaves the balances as they are; days move the opening balance', async () => {
    const { office } = await account();
    const receipts = (await staff.get(`${office}/transactions?kind=receipt`)).body;
    expect(receipts.data).toMatchObject([{ kind: 'receipt', balance_minor: 60_000 }]);
    const later = (await staff.get(`${office}/transactions?from=2026-11-21&to=2026-12-31`)).body;
    expect(later.data).toEqual([]);
    expect(later.accounts).toMatchObject([{ opening_minor: 60_000, invoiced_minor: 0, closing_minor: 60_000 }]);
    expect((await staff.get(`${office}/transactions?from=yesterday`)).status).toBe(422);
  });

  it('agrees with the statement of account to the cent', async () => {
    const { office } = await account();
    const { data } = (await staff.get(`${office}/statement?from=2026-01-01&to=2026-12-31`)).body;
    const { accounts } = (await staff.get(`${office}/transactions?from=2026-01-01&to=2026-12-31`)).body;
    expect(data.accounts.map((one: { opening_minor: number; closing_minor: number }) =>
      [one.opening_minor, one.closing_minor])).toEqual(accounts.map((one: { opening_minor: number;
      closing_minor: number }) => [one.opening_minor, one.closing_minor]));
  });

  it('is nobody else\'s: another house and staff without the permission are refused', async () => {
    const { home, office } = await account();
    const other = await makeCustomer(test, 'Across the Street');
    const stranger = await test.signedIn('customer', { customers: [{ id: other, role: 'admin' }] });
    expect((await stranger.get(`${home}/transactions`)).status).toBe(404);
    expect((await (await test.signedIn('staff_user', { permissions: ['customer.show'] }))
      .get(`${office}/transactions`)).status).toBe(403);
  });

  it('its finance page has the open invoices by age', async () => {
    const { office } = await account();
    test.clock.set('2026-12-15T15:00:00Z');
    const later = await test.signedIn('staff_admin');
    const { data } = (await later.get(`${office}/finance`)).body;
    test.clock.set('2026-11-20T15:00:00Z');
    expect(data.accounts).toMatchObject([{ open_minor: 60_000, overdue_minor: 60_000 }]);
    expect(data.accounts[0].ages.filter((age: { count: number }) => age.count > 0)).toEqual(
      [{ bucket: 'days_1_30', count: 1, minor: 60_000 }]);
    expect(data.deposits).toEqual([]);
  });
});
