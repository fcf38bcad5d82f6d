/** I6 of domain.md 7.2 under 32 clients at once on a real PostgreSQL, and a planted fault that the check sees. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { STOCK_INVARIANTS } from './stock-invariants.public.server.ts';
import { balanceOf, buyer, enter, move, receive, released, stockWorld, type StockWorld }
  from '#tests/support/stock.ts';

const CLIENTS = 32;
const STEPS = 6;
const test = testApp();
let staff: Browser;
let world: StockWorld;
let customer: number;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  world = await stockWorld(staff);
  customer = await buyer(test);
});

async function broken(): Promise<string[]> {
  const found: string[] = [];
  for (const { key, violations } of STOCK_INVARIANTS) {
    const rows = await test.database.owner.query(violations);
    if (rows.length > 0) found.push(key);
  }
  return found;
}

const order = (code: string, quantity = 1) => ({ customer_id: customer, kind: 'book_order',
  warehouse_id: world.warehouse, lines: [{ code, quantity }] });

describe('I6, the stock', () => {
  it('never goes below zero and stays the sum of its movements under 32 clients', async () => {
    await receive(staff, world.warehouse, world.loose, 20);
    await receive(staff, world.warehouse, world.pin, 20);
    const answers: number[] = [];
    const client = async (n: number) => {
      for (let at = 0; at < STEPS; at += 1) {
        const code = (n + at) % 2 === 0 ? world.loose : world.pin;
        const back = at % 3 === 2;
        const lines = [{ code, quantity: 1 + ((n * 7 + at) % 4) }];
        const entry = (n + at) % 4 === 3 ? { kind: 'adjust', reason: 'Race', warehouse_id: world.warehouse,
          lines: [{ code, quantity: -2 }] }
          : { kind: 'transfer', lines, warehouse_id: back ? world.second : world.warehouse,
            to_warehouse_id: back ? world.warehouse : world.second };
        answers.push((await enter(staff, entry)).status);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
    expect([...new Set(answers)].toSorted()).toEqual([201, 422]);
    expect(await broken()).toEqual([]);
  });

  it('gives the last copy to one of 32 orders', async () => {
    const [label] = await receive(staff, world.warehouse, world.tracked, 1);
    const orders = await Promise.all(Array.from({ length: CLIENTS }, () => released(staff, order(world.tracked))));
    const picks = await Promise.all(orders.map((one) => move(staff, one, 'pick',
      { lines: [{ line_id: one.lines[0]!.id, barcodes: [label] }] })));
    expect(picks.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect([...new Set(picks.map((answer) => answer.status))].toSorted()).toEqual([200, 422]);
    expect(await balanceOf(staff, world.warehouse, world.tracked)).toMatchObject({ on_hand: 0, picked: 1,
      reserved: 0 });
    expect(await broken()).toEqual([]);
  });

  it('is written by movements alone, which nobody changes', async () => {
    const { db } = test.database;
    for (const attempt of [sql`update stock_balances set on_hand = on_hand + 1`,
      sql`update material_copies set location = 'on_hand'`, sql`update stock_movements set quantity = 1`,
      sql`delete from stock_movements`]) {
      await expect(db.exec(attempt)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('shows a fault that somebody planted past the constraints', async () => {
    const { owner } = test.database;
    const plant = (by: number) => owner.exec(sql`update stock_balances set on_hand = on_hand + ${by}
      where id = (select min(id) from stock_balances where material_id = ${world.loose_id})`);
    await plant(3);
    expect(await broken()).toContain('stock_balances');
    const report = await staff.get('/api/admin/staff/accounting/integrity');
    expect(report.body.data.invariants.find((one: { key: string }) => one.key === 'stock_balances'))
      .toMatchObject({ ok: false });
    await plant(-3);
    expect(await broken()).toEqual([]);
    await expect(plant(-1000)).rejects.toMatchObject({ code: '23514' });
  });
});
