import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { balanceOf, enter, receive, stockWorld, type StockWorld } from '#tests/support/stock.ts';

const test = testApp();
let staff: Browser;
let world: StockWorld;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); world = await stockWorld(staff); });

describe('stock', () => {
  it('is what was received, moved and counted, and every movement stays', async () => {
    await receive(staff, world.warehouse, world.loose, 10);
    const to = { to_warehouse_id: world.second };
    const moved = await enter(staff, { kind: 'transfer', warehouse_id: world.warehouse, ...to,
      lines: [{ code: world.loose, quantity: 4 }] });
    expect(moved.body.data.movements.map((row: { quantity: number }) => row.quantity)).toEqual([4, 4]);
    await enter(staff, { kind: 'count', warehouse_id: world.warehouse, lines: [{ code: world.loose, quantity: 5 }] });
    expect(await balanceOf(staff, world.warehouse, world.loose)).toMatchObject({ on_hand: 5, available: 5 });
    expect(await balanceOf(staff, world.second, world.loose)).toMatchObject({ on_hand: 4 });
    const { body: second } = await staff.get(`/api/admin/staff/warehouses/${world.second}`);
    expect(second.data.item_count, 'the items of the warehouse').toBe(1);
    const { body } = await staff.get(`/api/admin/staff/stock_movements?material_id=${world.loose_id}`);
    expect(body.data.map((row: { kind: string }) => row.kind)).toEqual(['count', 'transfer', 'transfer', 'receipt']);
  });

  it('tracks copies one by one: labels are made, scanned, graded and written off', async () => {
    const labels = await receive(staff, world.warehouse, world.tracked, 3);
    expect(labels).toEqual([1, 2, 3].map((n) => `${world.tracked}-000${n}`));
    const one = (kind: string, more: object = {}) => enter(staff, { kind, warehouse_id: world.warehouse,
      lines: [{ code: labels[0]!, quantity: 1 }], ...more });
    expect((await one('quarantine')).status).toBe(201);
    const again = await one('quarantine');
    expect(again.status).toBe(422);
    expect(again.body.errors['lines.0.quantity']).toEqual([`${labels[0]} is not on the shelf in this warehouse`]);
    expect((await one('grade', { to: 'damaged' })).status).toBe(201);
    expect((await one('write_off', { from: 'damaged', reason: 'Torn apart' })).status).toBe(201);
    expect(await balanceOf(staff, world.warehouse, world.tracked)).toMatchObject({ on_hand: 2, damaged: 0 });
    const scanned = await staff.get(`/api/admin/staff/stock_items?code=${labels[0]!.toLowerCase()}`);
    expect(scanned.body.data.copy.location).toBe('gone');
  });

  it.each([
    ['more than there is', { kind: 'transfer', quantity: 99 }, 'lines.0.quantity'],
    ['a negative delivery', { kind: 'receipt', quantity: -1 }, 'lines.0.quantity'],
    ['half a book', { kind: 'receipt', quantity: 1.5 }, 'lines.0.quantity'],
    ['a correction without its reason', { kind: 'adjust', quantity: -1 }, 'reason'],
    ['an item nobody knows', { kind: 'receipt', quantity: 1, code: 'NO-SUCH' }, 'lines.0.code'],
    ['a transfer to itself', { kind: 'transfer', quantity: 1, self: true }, 'to_warehouse_id'],
    ['a count that changes nothing', { kind: 'count', quantity: 5 }, 'lines'],
  ] as const)('refuses %s at its field', async (_what, given, at) => {
    const { kind, quantity } = given;
    const answer = await enter(staff, { kind, warehouse_id: world.warehouse,
      ...(kind === 'transfer' ? { to_warehouse_id: 'self' in given ? world.warehouse : world.second } : {}),
      lines: [{ code: 'code' in given ? given.code : world.loose, quantity }] });
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([at]);
  });

  it('refuses the same item twice in one entry and tracked copies without their labels', async () => {
    const twice = await enter(staff, { kind: 'receipt', warehouse_id: world.warehouse,
      lines: [{ code: world.loose, quantity: 1 }, { code: world.loose, quantity: 1 }] });
    expect(twice.body.errors['lines.1.code']).toEqual([`${world.loose} stands here twice`]);
    const unlabelled = await enter(staff, { kind: 'quarantine', warehouse_id: world.warehouse,
      lines: [{ code: world.tracked, quantity: 1 }] });
    expect(unlabelled.body.errors['lines.0.code'][0]).toContain('scan each barcode');
  });

  it('books a delivery once, however often it is sent', async () => {
    const body = { kind: 'receipt', warehouse_id: world.second, lines: [{ code: world.pin, quantity: 7 }] };
    const send = () => staff.post('/api/admin/staff/stock_movements', body, { idempotencyKey: 'one-delivery-note' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.data.batch_id).toBe(first.body.data.batch_id);
    expect(await balanceOf(staff, world.second, world.pin)).toMatchObject({ on_hand: 7 });
  });

  it('keeps a warehouse with goods in it out of the trash', async () => {
    const answer = await staff.remove(`/api/admin/staff/warehouses/${world.warehouse}`);
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('in_use');
  });
});
