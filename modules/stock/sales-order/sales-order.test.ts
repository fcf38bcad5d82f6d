import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { STOCK_INVARIANTS } from '../stock-invariants.public.server.ts';
import { balanceOf, buyer, move, ORDERS, receive, released, stockWorld, type StockWorld }
  from '#tests/support/stock.ts';
import { followOrders } from './follow-orders.server.ts';
import { returnWords } from './order-documents.server.ts';

const test = testApp();
let staff: Browser;
let world: StockWorld;
let customer: number;
let labels: string[];
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  world = await stockWorld(staff);
  await test.database.db.exec(sql`update warehouses set carriers = '{UPS,FedEx}' where id = ${world.warehouse}`);
  customer = await buyer(test);
  labels = await receive(staff, world.warehouse, world.tracked, 4);
  await receive(staff, world.warehouse, world.loose, 10);
  await receive(staff, world.warehouse, world.pin, 10);
});

const body = (lines: object[], more: object = {}) => ({ customer_id: customer, kind: 'book_order',
  warehouse_id: world.warehouse, lines, ...more });

/** The order as it stands after an event that must succeed. */
async function after(order: { id: number; version: number }, event: string, more: object = {}) {
  const answer = await move(staff, order, event, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

describe('a sales order', () => {
  it('is released, picked, packed, shipped, billed for what is sold, and closed when all is back', async () => {
    const order = await released(staff, body([{ code: world.tracked, quantity: 2 }, { code: world.loose, quantity: 3 },
      { code: world.pin, quantity: 2 }]));
    expect(await balanceOf(staff, world.warehouse, world.loose)).toMatchObject({ reserved: 3, available: 7 });
    const [tracked, loose, pin] = order.lines as [{ id: number }, { id: number }, { id: number }];
    let now = await after(order, 'pick', { lines: [{ line_id: tracked.id, barcodes: labels.slice(0, 2) },
      { line_id: loose.id, quantity: 3 }, { line_id: pin.id, quantity: 2 }] });
    expect(now.status).toBe('picking');
    now = await after(now, 'pack');
    expect(now.carriers).toEqual(['UPS', 'FedEx']);
    expect((await move(staff, now, 'ship')).body.code).toBe('sales_order.precondition');
    now = await after(now, 'ship', { carrier: 'UPS', tracking: ['1Z999'], return_due_on: '2026-12-01' });
    expect(now).toMatchObject({ status: 'shipped', outstanding: 5, tracking: ['1Z999'] });
    expect(now.invoices).toMatchObject([{ reason: 'shipment' }]);
    expect(await balanceOf(staff, world.warehouse, world.loose)).toMatchObject({ on_hand: 7, on_hire: 3, reserved: 0 });
    now = await after(now, 'scan_some', { lines: [{ line_id: tracked.id, barcodes: [labels[0]], condition: 'damaged' },
      { line_id: loose.id, quantity: 3 }] });
    expect(now).toMatchObject({ status: 'partially_returned', outstanding: 1 });
    const twice = await move(staff, now, 'scan_some', { lines: [{ line_id: tracked.id, barcodes: [labels[0]] }] });
    expect(twice.body.errors['lines.0.barcodes'][0]).toContain('may have been scanned before');
    now = await after(now, 'charge_missing');
    expect(now.status).toBe('returned');
    expect(now.invoices.map((one: { reason: string }) => one.reason)).toEqual(['shipment', 'missing']);
    expect(now.invoices[1].total_minor).toBeGreaterThanOrEqual(4000);
    expect((await after(now, 'close')).status).toBe('closed');
    for (const { violations } of STOCK_INVARIANTS) {
      expect(await test.database.owner.query(violations)).toEqual([]);
    }
  });

  it('earns what it sold on the day it left: income and invoice in one transaction', async () => {
    const order = await released(staff, body([{ code: world.pin, quantity: 1 }]));
    const packed = await after(await after(order, 'pick'), 'pack');
    const shipped = await after(packed, 'ship', { carrier: 'UPS' });
    const rows = await test.database.owner.query<{ released: boolean }>(sql`
      select s.released_transaction_id is not null as released from release_schedule s
      join invoice_items i on i.id = s.invoice_item_id where i.invoice_id = ${shipped.invoices[0].id}`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.released)).toBe(true);
  });

  it('ships a part, keeps the rest as a back order and never ships more than ordered', async () => {
    const order = await released(staff, body([{ code: world.loose, quantity: 30 }]));
    expect(order.lines[0]).toMatchObject({ qty_reserved: 10 });
    const over = await move(staff, order, 'pick', { lines: [{ line_id: order.lines[0]!.id, quantity: 31 }] });
    expect(Object.keys(over.body.errors)).toEqual(['lines.0.quantity']);
    const packed = await after(await after(order, 'pick'), 'pack');
    expect(packed.allowed).toEqual(['ship_part', 'cancel']);
    expect((await move(staff, packed, 'ship', { carrier: 'UPS' })).body.code).toBe('sales_order.incomplete');
    const part = await after(packed, 'ship_part', { carrier: 'UPS' });
    expect(part).toMatchObject({ status: 'partially_shipped', outstanding: 10 });
    const none = await move(staff, part, 'pick');
    expect(none.body.code).toBe('sales_order.nothing_picked');
    await receive(staff, world.warehouse, world.loose, 25);
    expect((await after(part, 'pick')).lines[0]).toMatchObject({ qty_picked: 20, qty_reserved: 0 });
  });

  it('offers only what its lines leave to do', async () => {
    const order = await released(staff, body([{ code: world.pin, quantity: 2 }]));
    const some = await after(order, 'pick', { lines: [{ line_id: order.lines[0]!.id, quantity: 1 }] });
    expect(some.allowed).toEqual(['pick', 'pack', 'cancel']);
    const picked = await after(some, 'pick');
    expect(picked.allowed).toEqual(['pack', 'cancel']);
    const packed = await after(picked, 'pack');
    expect(packed.allowed).toEqual(['ship', 'cancel']);
    // Sold items do not come back.
    expect((await after(packed, 'ship', { carrier: 'UPS' })).allowed).toEqual([]);
  });

  it('gives everything back when it is cancelled, and wants to know why', async () => {
    const order = await released(staff, body([{ code: world.tracked, quantity: 1 }]));
    const picked = await after(order, 'pick', { lines: [{ line_id: order.lines[0]!.id, barcodes: [labels[2]] }] });
    expect(Object.keys((await move(staff, picked, 'cancel')).body.errors)).toEqual(['reason']);
    expect((await after(picked, 'cancel', { reason: 'Show called off' })).status).toBe('cancelled');
    expect(await balanceOf(staff, world.warehouse, world.tracked)).toMatchObject({ picked: 0, reserved: 0 });
  });

  it('waits for its licence, for its day and for another clerk', async () => {
    const early = await released(staff, body([{ code: world.pin, quantity: 1 }], { ship_on: '2027-03-01' }));
    const packed = await after(await after(early, 'pick'), 'pack');
    expect((await move(staff, packed, 'ship', { carrier: 'UPS' })).body.code).toBe('sales_order.precondition');
    expect((await move(staff, early, 'cancel', { reason: 'x' })).status).toBe(412);
    expect((await after(packed, 'ship', { carrier: 'UPS', rush: true })).status).toBe('shipped');
  });

  it('arrives, falls due and is late by the calendar', async () => {
    const order = await released(staff, body([{ code: world.loose, quantity: 1 }]));
    const packed = await after(await after(order, 'pick'), 'pack');
    const { id } = await after(packed, 'ship', { carrier: 'UPS', return_due_on: '2026-12-01' });
    // Read past the session, which does not live so long.
    const status = async () => (await test.database.db.one<{ status: string }>(sql`
      select status from sales_orders where id = ${id}`)).status;
    for (const [day, expected] of [['2026-11-26', 'on_hire'], ['2026-12-01', 'return_due'],
      ['2026-12-02', 'overdue']]) {
      test.clock.set(`${day}T15:00:00Z`);
      await followOrders(test.ports);
      expect(await status()).toBe(expected);
    }
    staff = await test.signedIn('staff_admin');
  });

  it('asks for its books by a day only where one is set', () => {
    expect(returnWords('en-US', '2026-12-01', 'Store, Albany'))
      .toMatch(/^Please return what is marked by December 1, 2026 to: /);
    expect(returnWords('en-GB', null, 'Store, Albany'))
      .toBe('Please return what is marked to: Store, Albany. Erase pencil marks first.');
  });

  it('prints lists whose codes a scanner reads', async () => {
    const order = await released(staff, body([{ code: world.pin, quantity: 1 }]));
    for (const type of ['pick_list', 'packing_list', 'label']) {
      const answer = await staff.get(`${ORDERS}/${order.id}/document?type=${type}`);
      expect(answer.status).toBe(200);
      expect(answer.raw.subarray(0, 5).toString()).toBe('%PDF-');
    }
  });

  it.each([[{ lines: [] }, 'lines'], [{ lines: [{ code: 'NOPE', quantity: 1 }] }, 'lines.0.code'],
    [{ kind: 'license' }, 'license_id'], [{ customer_id: 999_999 }, 'customer_id'],
    [{ warehouse_id: 999_999 }, 'warehouse_id']])('refuses %j', async (wrong, at) => {
    const answer = await staff.post(ORDERS, { ...body([{ code: world.pin, quantity: 1 }]), ...wrong });
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([at]);
  });
});

describe('a parcel', () => {
  it('of the shop tells its buyer of each parcel, once, with what is in it and when it is due back', async () => {
    const person = await test.signedIn('customer');
    await test.database.owner.exec(sql`
      insert into customer_users (customer_id, user_id, role) select ${customer}, id, 'signer' from users
      where email = ${person.email}`);
    await receive(staff, world.warehouse, world.loose, 2);
    await receive(staff, world.warehouse, world.pin, 1);
    const order = await released(staff, body([{ code: world.loose, quantity: 2 }, { code: world.pin, quantity: 1 }]));
    await test.database.owner.exec(sql`update sales_orders set from_portal = true, quoted_net_minor = 0,
      quoted_tax_minor = 0 where id = ${order.id}`);
    const [loose, pin] = order.lines as [{ id: number }, { id: number }];
    let now = await after(order, 'pick', { lines: [{ line_id: loose.id, quantity: 2 }] });
    now = await after(now, 'pack');
    now = await after(now, 'ship_part', { carrier: 'UPS', tracking: ['1Z1'], return_due_on: '2026-12-01' });
    now = await after(now, 'pick', { lines: [{ line_id: pin.id, quantity: 1 }] });
    now = await after(now, 'pack');
    await after(now, 'ship', { carrier: 'UPS', tracking: ['1Z2'], return_due_on: '2026-12-01' });
    const mails = await test.database.db.query<{ text: string }>(sql`
      select body_text as text from mail_outbox where template = 'materials.shipped' and entity_id = ${order.id}
        and ${person.email} = any (recipients) order by id`);
    expect(mails).toHaveLength(2);
    for (const text of ['Carrier: UPS\nTracking number: 1Z1', 'In it:\n- 2 × Test VOC', 'The rest follows',
      'All of it is on loan. Please send it back so that it is here by December 1, 2026.',
      `/customer/${customer}/orders/${order.id}`]) expect(mails[0]!.text).toContain(text);
    expect(mails[1]!.text).toContain('Tracking number: 1Z2');
    expect(mails[1]!.text).toContain('In it:\n- 1 × Pin');
    expect(mails[1]!.text).not.toContain('send it back');
  });
});
