import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser, type SignedIn } from '#tests/support/app.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { balanceOf, buyer, move, ORDERS, receive, stockWorld, type StockWorld } from '#tests/support/stock.ts';
import { followOrders } from '../sales-order/follow-orders.server.ts';

const test = testApp();
const cards = cardPayments(test);
const API = '/api/admin/staff';
let staff: SignedIn;
let signer: SignedIn;
let world: StockWorld;
let home: string;
let pin: { sales_item_id: number; price_minor: number };

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  world = await stockWorld(staff);
  await test.database.owner.exec(sql`update warehouses set default_for_division = true where id = ${world.warehouse}`);
  await receive(staff, world.warehouse, world.pin, 20);
  const customer = await buyer(test);
  signer = await test.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
  home = `/api/customers/${customer}`;
  const { data } = (await signer.get(`${home}/shop_items`)).body;
  pin = data.find((item: { item_number: string }) => item.item_number === world.pin);
});

/** Albany's own state has no tax here: goods are taxed where they go. */
const ELSEWHERE = { country_code: 'US', thoroughfare: '9 Ocean Drive', locality: 'Newark', administrative_area: 'NJ',
  postal_code: '07101' };
const onTerms = (days: number) => test.database.owner.exec(sql`
  update customers set payment_terms_days = ${days} where id = ${Number(home.split('/').at(-1))}`);
const pick = async (id: number) => {
  const { version } = (await staff.get(`${ORDERS}/${id}`)).body.data;
  return staff.put(`${ORDERS}/${id}/status`, { event: 'pick', version });
};

const cart = (quantity: number, price_minor = pin.price_minor) =>
  ({ lines: [{ sales_item_id: pin.sales_item_id, quantity, price_minor }] });

describe('the shop', () => {
  it('sells what is for sale, never what is hired', async () => {
    const { data } = (await signer.get(`${home}/shop_items`)).body;
    expect(data).toMatchObject([{ item_number: world.pin, price_minor: 900, shipping_minor: 300, currency: 'USD' }]);
    const rented = await signer.post(`${home}/orders/preview`,
      { lines: [{ material_id: world.loose_id, quantity: 1 }] });
    expect(rented.body.errors['lines.0'][0]).toContain('not sold');
  });

  it('says in the cart that it takes no payments in the currency, before anybody orders', async () => {
    const { address } = await test.database.db.one<{ address: object }>(sql`
      select address from divisions where code = 'US'`);
    const { stripe } = test.ports.settings;
    test.ports.settings.stripe = null;
    await test.database.db.exec(sql`update divisions set address = '{}' where code = 'US'`);
    const { status, body } = await signer.post(`${home}/orders/preview`, cart(1));
    test.ports.settings.stripe = stripe;
    await test.database.db.exec(sql`update divisions set address = ${JSON.stringify(address)} where code = 'US'`);
    expect([status, body.code, body.message]).toEqual([409, 'invoice.no_way_to_pay',
      'We cannot take payments in USD at the moment, so nothing was saved. Please contact us.']);
  });

  it('prices again, orders once however often it is sent, reserves, and bills exactly what it showed', async () => {
    await onTerms(30);
    const shown = (await signer.post(`${home}/orders/preview`, cart(2))).body.data;
    expect(shown).toMatchObject({ goods_minor: 1800, shipping_minor: 300, prepaid: false });
    const options = { idempotencyKey: 'checkout-1' };
    const first = await signer.post(`${home}/orders`, cart(2), options);
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    expect(first.body.data).toMatchObject({ status: 'released', total_minor: shown.total_minor, pieces: 2 });
    const again = await signer.post(`${home}/orders`, cart(2), options);
    expect(again.body.data.id).toBe(first.body.data.id);
    expect((await signer.get(`${home}/orders`)).body.data).toHaveLength(1);
    expect(await balanceOf(staff, world.warehouse, world.pin)).toMatchObject({ reserved: 2 });
    let order = (await staff.get(`${ORDERS}/${first.body.data.id}`)).body.data;
    for (const [event, more] of [['pick', {}], ['pack', {}], ['ship', { carrier: 'UPS' }]] as const) {
      const answer = await move(staff, order, event, more);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      order = answer.body.data;
    }
    const seen = (await signer.get(`${home}/orders/${order.id}`)).body.data;
    expect(seen).toMatchObject({ status: 'shipped', carrier: 'UPS', invoices: [{ total_minor: shown.total_minor }] });
  });

  it('goes where the customer says, among its places or elsewhere', async () => {
    const { places, ship_to } = (await signer.post(`${home}/orders/preview`, cart(1))).body.data;
    expect(places).toMatchObject([{ label: 'Billing address', address: ship_to }]);
    const wrong = await signer.post(`${home}/orders`, { ...cart(1), ship_to: { ...ELSEWHERE, locality: '' } });
    expect(wrong.body.errors['ship_to.locality']).toEqual(['City is required']);
    const made = await signer.post(`${home}/orders`, { ...cart(1), ship_to: ELSEWHERE, ship_to_name: 'Stage door' });
    expect(made.body.data, JSON.stringify(made.body)).toMatchObject({ ship_to: ELSEWHERE, ship_to_name: 'Stage door' });
    const { version } = (await staff.get(`${ORDERS}/${made.body.data.id}`)).body.data;
    await move(staff, { id: made.body.data.id, version }, 'cancel', { reason: 'Test' });
  });

  it('charges no tax on what is marked as not taxed, in the cart and on the bill', async () => {
    await onTerms(0);
    const taxed = (await signer.post(`${home}/orders/preview`, cart(1))).body.data;
    expect(taxed.tax_minor).toBeGreaterThan(0);
    const row = (await staff.get(`${API}/sales_items/${pin.sales_item_id}`)).body.data;
    const marked = await staff.put(`${API}/sales_items/${row.id}`, { version: row.version, tax: false });
    expect(marked.status, JSON.stringify(marked.body)).toBe(200);
    expect((await signer.post(`${home}/orders/preview`, cart(1))).body.data).toMatchObject({ tax_minor: 0,
      total_minor: 1200 });
    const made = (await signer.post(`${home}/orders`, cart(1))).body.data;
    expect(made.invoices).toMatchObject([{ total_minor: 1200 }]);
    const { version } = (await staff.get(`${ORDERS}/${made.id}`)).body.data;
    await move(staff, { id: made.id, version }, 'cancel', { reason: 'Test' });
    await staff.put(`${API}/sales_items/${row.id}`, { version: marked.body.data.version, tax: true });
  });

  it('names a changed price at its line and keeps the order from being made', async () => {
    const answer = await signer.post(`${home}/orders`, cart(1, 800));
    expect(answer.body.errors['lines.0.price_minor'][0]).toContain('costs USD 9.00 now, not 8.00');
    expect((await signer.get(`${home}/orders`)).body.data).toHaveLength(3);
  });

  it('shows an order to nobody else, and orders for those who may sign', async () => {
    const other = await buyer(test);
    const stranger: Browser = await test.signedIn('customer', { customers: [{ id: other, role: 'admin' }] });
    const { id } = (await signer.get(`${home}/orders`)).body.data[0];
    expect((await stranger.get(`/api/customers/${other}/orders/${id}`)).status).toBe(404);
    expect((await stranger.get(`/api/customers/${other}/orders`)).body.data).toEqual([]);
    const own = Number(home.split('/').at(-1));
    const member = await test.signedIn('customer', { customers: [{ id: own, role: 'member' }] });
    expect((await member.post(`${home}/orders`, cart(1))).status).toBe(403);
    expect((await staff.get(`${API}/sales_orders/${id}`)).body.data.kind).toBe('book_order');
  });
});

describe('an order that is paid first', () => {
  const order = async () => {
    const made = await signer.post(`${home}/orders`, cart(1));
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.data;
  };
  beforeAll(() => onTerms(0));

  it('has a pro forma, is packed only once that is paid, and earns its income with the parcel', async () => {
    const made = await order();
    const [request] = made.invoices;
    expect(made).toMatchObject({ status: 'released', unpaid: true,
      invoices: [{ unpaid: true, total_minor: made.total_minor }] });
    const refused = await pick(made.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'sales_order.unpaid']);
    expect(refused.body.message).toContain(`${request.number} is not paid yet`);
    await cards.pay(signer, `${home}/invoices/${request.id}`, request.total_minor);
    let now = (await staff.get(`${ORDERS}/${made.id}`)).body.data;
    for (const [event, more] of [['pick', {}], ['pack', {}], ['ship', { carrier: 'UPS' }]] as const) {
      const answer = await move(staff, now, event, more);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      now = answer.body.data;
    }
    expect(now.invoices).toHaveLength(2);
    const seen = (await signer.get(`${home}/orders/${made.id}`)).body.data;
    expect(seen).toMatchObject({ unpaid: false, invoices: [{ unpaid: false, total_minor: made.total_minor }] });
    const earned = await test.database.owner.query<{ released: boolean }>(sql`
      select s.released_transaction_id is not null as released from release_schedule s
      join invoice_items i on i.id = s.invoice_item_id where i.invoice_id = ${seen.invoices[0].id}`);
    expect(earned.length).toBeGreaterThan(0);
    expect(earned.every((row) => row.released)).toBe(true);
  });

  it('is withdrawn with its pro forma, and credited where it was paid', async () => {
    const unpaid = await order();
    // An amount to pay is identified by its day, not by a number.
    const todo = (await signer.get(`${home}/next_actions`)).body.data;
    expect(todo).toContainEqual(expect.objectContaining({ kind: 'pay', amount_minor: unpaid.total_minor,
      title: expect.stringMatching(/^Pay for your order of [A-Z][a-z]+ \d{1,2}$/) }));
    const { version } = (await staff.get(`${ORDERS}/${unpaid.id}`)).body.data;
    await move(staff, { id: unpaid.id, version }, 'cancel', { reason: 'Sold out' });
    expect((await signer.get(`${home}/orders/${unpaid.id}`)).body.data).toMatchObject({ status: 'cancelled',
      unpaid: false, invoices: [] });
    const paid = await order();
    const [request] = paid.invoices;
    await cards.pay(signer, `${home}/invoices/${request.id}`, request.total_minor);
    const row = (await staff.get(`${ORDERS}/${paid.id}`)).body.data;
    expect((await move(staff, row, 'cancel', { reason: 'Sold out' })).status).toBe(200);
    const credited = await test.database.owner.one<{ status: string }>(sql`
      select status from invoices where proforma_id = ${request.id}`);
    expect(credited.status).toBe('credited');
  });

  it('is sent on account after all where the office withdraws the pro forma', async () => {
    const made = await order();
    expect((await staff.remove(`${API}/invoices/${made.invoices[0].id}`)).status).toBeLessThan(300);
    expect((await pick(made.id)).status).toBe(200);
  });

  it('is called off when nobody pays, and its books are free again', async () => {
    const before = await balanceOf(staff, world.warehouse, world.pin);
    const made = await order();
    test.clock.set('2026-12-04T15:00:00Z');
    await followOrders(test.ports);
    const status = async () => (await test.database.db.one<{ status: string }>(sql`
      select status from sales_orders where id = ${made.id}`)).status;
    expect(await status()).toBe('released');
    test.clock.set('2026-12-05T15:00:00Z');
    await followOrders(test.ports);
    expect(await status()).toBe('cancelled');
    staff = await test.signedIn('staff_admin');
    expect(await balanceOf(staff, world.warehouse, world.pin)).toMatchObject({ reserved: before.reserved });
  });
});
