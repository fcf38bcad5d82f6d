import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { buyer, enter, move, ORDERS, receive, released, stockWorld, type StockWorld } from '#tests/support/stock.ts';

const test = testApp();
let staff: Browser;
let world: StockWorld;
let customer: number;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  world = await stockWorld(staff);
  customer = await buyer(test);
});

const body = (code: string, quantity: number) => ({ customer_id: customer, kind: 'book_order',
  warehouse_id: world.warehouse, lines: [{ code, quantity }] });
const waitingOf = async (id: number) => (await staff.get(`${ORDERS}/${id}`)).body.data.lines[0].waiting;

describe('a line with pieces that are not reserved says why', () => {
  it('in a draft: nothing is reserved before it is released', async () => {
    const draft = (await staff.post(ORDERS, body(world.loose, 2))).body.data;
    expect(draft.lines[0].waiting).toMatchObject({ why: 'release', pieces: 2 });
  });

  it('none is there, another warehouse has some, they came and are reserved by picking, others have them', async () => {
    const order = await released(staff, body(world.loose, 5));
    expect(await waitingOf(order.id)).toMatchObject({ why: 'stock', pieces: 5, elsewhere: null, back_on: null });
    await receive(staff, world.second, world.loose, 3);
    const elsewhere = (await waitingOf(order.id)).elsewhere;
    expect(elsewhere).toEqual({ warehouse_name: expect.stringMatching(/^Store \d+B$/), free: 3 });
    await receive(staff, world.warehouse, world.loose, 4);
    expect(await waitingOf(order.id)).toMatchObject({ why: 'pick', pieces: 5, free: 4 });
    const other = await released(staff, body(world.loose, 4));
    expect(await waitingOf(other.id)).toBeNull();
    expect(await waitingOf(order.id)).toMatchObject({ why: 'others', pieces: 5, free: 0 });
  });

  it('all are lent until a day, or lie in quarantine', async () => {
    const [label] = await receive(staff, world.warehouse, world.tracked, 1);
    const lent = await released(staff, body(world.tracked, 1));
    const step = async (order: { id: number; version: number }, event: string, more: object = {}) => {
      const answer = await move(staff, order, event, more);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.data;
    };
    const picked = await step(lent, 'pick', { lines: [{ line_id: lent.lines[0]!.id, barcodes: [label] }] });
    const out = await step(await step(picked, 'pack'), 'ship', { carrier: 'UPS', return_due_on: '2026-12-04' });
    expect(out.lines[0].waiting).toBeNull();
    const next = await released(staff, body(world.tracked, 1));
    expect(await waitingOf(next.id)).toMatchObject({ why: 'return', back_on: '2026-12-04' });
    await step(out, 'scan_all', { lines: [{ line_id: lent.lines[0]!.id, barcodes: [label], condition: 'marked' }] });
    expect(await waitingOf(next.id)).toMatchObject({ why: 'inspection', back_on: null });
    await enter(staff, { kind: 'grade', warehouse_id: world.warehouse, from: 'quarantine', to: 'on_hand',
      lines: [{ code: label, quantity: 1 }], reason: 'Erased' });
    expect(await waitingOf(next.id)).toMatchObject({ why: 'pick', free: 1 });
  });

  it('a file has nothing to reserve', async () => {
    const made = await staff.post('/api/admin/staff/materials', { item_number: 'WAIT-TRK', name: 'Tracks',
      category: 'tracks', type: 'digital', fulfilment: 'download', item_class: 'tracks', income_type: 'digital',
      prices: { usd: 10, eur: null, gbp: null } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const order = await released(staff, body('WAIT-TRK', 1));
    expect(await waitingOf(order.id)).toMatchObject({ why: 'file' });
  });
});
