import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser, type SignedIn } from '#tests/support/app.ts';
import { balanceOf, buyer, move, ORDERS, receive, stockWorld, type StockWorld } from '#tests/support/stock.ts';

const test = testApp();
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
  await receive(staff, world.warehouse, world.pin, 5);
  const customer = await buyer(test);
  signer = await test.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
  home = `/api/customers/${customer}`;
  const { data } = (await signer.get(`${home}/shop_items`)).body;
  pin = data.find((item: { item_number: string }) => item.item_number === world.pin);
});

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

  it('prices again, orders once however often it is sent, reserves, and bills exactly what it showed', async () => {
    const shown = (await signer.post(`${home}/orders/preview`, cart(2))).body.data;
    expect(shown).toMatchObject({ goods_minor: 1800, shipping_minor: 300 });
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

  it('names a changed price at its line and keeps the order from being made', async () => {
    const answer = await signer.post(`${home}/orders`, cart(1, 800));
    expect(answer.body.errors['lines.0.price_minor'][0]).toContain('costs 9.00 USD now, not 8.00');
    expect((await signer.get(`${home}/orders`)).body.data).toHaveLength(1);
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
