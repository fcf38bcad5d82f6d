import { beforeAll, expect, test as it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { buyer, enter, move, ORDERS, receive, released, stockWorld, type StockWorld } from '#tests/support/stock.ts';

const test = testApp();
const API = '/api/admin/staff';
let staff: Browser;
let world: StockWorld;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); world = await stockWorld(staff); });

const ids = async (path: string): Promise<number[]> =>
  (await staff.get(path)).body.data.map((row: { id: number }) => row.id);

it('a material says what of it lies where, when the next is due back, and which orders and movements made it so',
  async () => {
    const stock = () => staff.get(`${API}/materials/${world.loose_id}/stock`);
    expect((await stock()).body.data).toEqual([]);
    const customer = await buyer(test);
    await receive(staff, world.warehouse, world.loose, 10);
    await receive(staff, world.second, world.loose, 2);
    const lines = (quantity: number) => ({ customer_id: customer, kind: 'book_order', warehouse_id: world.warehouse,
      lines: [{ code: world.loose, quantity }] });
    const out = await released(staff, lines(3));
    let now: { id: number; version: number } = out;
    for (const [event, more] of [['pick', {}], ['pack', {}],
      ['ship', { carrier: 'UPS', return_due_on: '2026-12-04' }]] as const) {
      now = (await move(staff, now, event, more)).body.data;
    }
    const waiting = await released(staff, lines(4));
    await enter(staff, { kind: 'quarantine', warehouse_id: world.warehouse,
      lines: [{ code: world.loose, quantity: 1 }] });
    const rows = (await stock()).body.data;
    expect(rows).toMatchObject([
      { warehouse_id: world.warehouse, on_hand: 6, reserved: 4, available: 2, picked: 0, on_hire: 3, quarantine: 1,
        damaged: 0, next_back_on: '2026-12-04' },
      { warehouse_id: world.second, on_hand: 2, reserved: 0, available: 2, on_hire: 0, next_back_on: null }]);
    const at = `material_id=${world.loose_id}&warehouse_id=${world.warehouse}`;
    expect(await ids(`${ORDERS}?${at}&holds=out`)).toEqual([out.id]);
    expect(await ids(`${ORDERS}?${at}&holds=reserved`)).toEqual([waiting.id]);
    expect(await ids(`${ORDERS}?${at}&holds=picked`)).toEqual([]);
    expect(await ids(`${ORDERS}?material_id=${world.tracked_id}`)).toEqual([]);
    const quarantined = await staff.get(`${API}/stock_movements?${at}&place=quarantine`);
    expect(quarantined.body.data.map((row: { kind: string }) => row.kind)).toEqual(['quarantine']);
  });

it('is not for whoever may not look into a warehouse, and not found without its material', async () => {
  const reader = await test.signedIn('staff_user', { permissions: ['material.show'] });
  expect((await reader.get(`${API}/materials/${world.loose_id}/stock`)).status).toBe(403);
  expect((await staff.get(`${API}/materials/999999/stock`)).status).toBe(404);
});
