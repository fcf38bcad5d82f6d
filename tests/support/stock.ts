/** A warehouse, materials and goods for the tests of the stock, made through the API. */
import { expect } from 'vitest';
import { sql } from '#server/sql.ts';
import type { Browser, TestApp } from './app.ts';

const API = '/api/admin/staff';
let made = 0;

export interface StockWorld { warehouse: number; second: number; tracked: string; loose: string; pin: string;
  tracked_id: number; loose_id: number }

/** Tracked libretti, loose vocal books for hire and a pin for sale, in numbers of their own. */
export async function stockWorld(staff: Browser): Promise<StockWorld> {
  made += 1;
  const post = async (path: string, body: object) => {
    const answer = await staff.post(`${API}/${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  };
  const store = (letter: string) => post('warehouses', { code: `W${made}${letter}`, name: `Store ${made}${letter}`,
    division: 'US', carriers: ['UPS'] });
  const material = (code: string, more: object) => post('materials', { item_number: `T${made}-${code}`,
    name: `Test ${code} ${made}`, category: 'scripts', type: 'rental', prices: { usd: 10, eur: null, gbp: null },
    replacement_prices: { usd: 40, eur: null, gbp: null }, ...more });
  const [warehouse, second] = [await store('A'), await store('B')];
  const tracked = await material('LIB', { serial_tracked: true });
  const loose = await material('VOC', {});
  const pin = await post('sales_items', { item_number: `T${made}-PIN`, name: `Pin ${made}`, price_usd_minor: 900,
    shipping_usd_minor: 300 });
  return { warehouse: warehouse.id, second: second.id, tracked: tracked.item_number, loose: loose.item_number,
    pin: pin.item_number, tracked_id: tracked.id, loose_id: loose.id };
}

export interface Entry { kind: string; warehouse_id: number; [key: string]: unknown }

export const enter = (staff: Browser, entry: Entry) => staff.post(`${API}/stock_movements`, entry);

export async function receive(staff: Browser, warehouse_id: number, code: string, quantity: number): Promise<string[]> {
  const answer = await enter(staff, { kind: 'receipt', warehouse_id, lines: [{ code, quantity }] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.movements.map((row: { barcode: string }) => row.barcode);
}

export async function balanceOf(staff: Browser, warehouse: number, code: string) {
  const { body } = await staff.get(`${API}/warehouses/${warehouse}/stock?search=${code}`);
  return body.data.find((row: { item_number: string }) => row.item_number === code);
}

/** A customer of the US, straight into the database. */
export async function buyer(test: TestApp): Promise<number> {
  const { id } = await test.database.owner.one<{ id: number }>(sql`
    insert into customers (name, status, divisions, default_division, default_currency, billing_address)
    values ('Stock Players', 'active', '{US}', 'US', 'USD', ${JSON.stringify({ country_code: 'US',
      thoroughfare: '1 Main Street', locality: 'Albany', administrative_area: 'NY', postal_code: '12207' })})
    returning id`);
  return id;
}

export const ORDERS = `${API}/sales_orders`;

/** An order of these lines, released. */
export async function released(staff: Browser, body: object): Promise<{ id: number; version: number;
  lines: { id: number }[] }> {
  const draft = await staff.post(ORDERS, body);
  expect(draft.status, JSON.stringify(draft.body)).toBe(201);
  const answer = await staff.put(`${ORDERS}/${draft.body.data.id}/status`, { event: 'release', version: 1 });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

export const move = (staff: Browser, order: { id: number; version: number }, event: string, more: object = {}) =>
  staff.put(`${ORDERS}/${order.id}/status`, { event, version: order.version, ...more });

/** Ten books on hire, shipped by an order of the licence; answers the order's line. */
export async function lendBooks(test: TestApp, licenseId: number, due: string | null = null): Promise<number> {
  const { id } = await test.database.db.one<{ id: number }>(sql`
    with house as (insert into warehouses (code, name, division) values ('RET', 'Returns', 'US') returning id),
      lent as (insert into materials (item_number, name, show_id, category, sub_category, type, fulfilment, item_class,
          income_type)
        select 'RET-1', 'Vocal book', k.show_id, s.category_key, s.key, 'rental', 'physical', 'rental', 'rental'
        from licenses k, (select key, category_key from material_sub_categories limit 1) s where k.id = ${licenseId}
        returning id, name),
      sent as (insert into sales_orders (kind, status, customer_id, license_id, division, currency, warehouse_id,
        return_due_on)
        select 'license', 'on_hire', k.customer_id, k.id, 'US', 'USD', house.id, ${due}::date from house, licenses k
        where k.id = ${licenseId} returning id)
    insert into sales_order_lines (sales_order_id, material_id, description, physical, return_required, item_class,
      quantity, qty_shipped)
    select sent.id, lent.id, lent.name, true, true, 'rental', 10, 10 from sent, lent returning id`);
  return id;
}
