import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const PATH = '/api/admin/staff/sales_items';
let staff: Browser;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

describe('sales items', () => {
  it('are found by number, keep it for good and are not sold where they have no price', async () => {
    const made = await staff.post(PATH, { item_number: 'PIN-01', name: 'Enamel pin', price_usd_minor: 900 });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.data).toMatchObject({ price_usd_minor: 900, price_eur_minor: null, stocked: true });
    expect((await staff.get(`${PATH}?search=pin-01`)).body.data).toHaveLength(1);
    const renamed = await staff.put(`${PATH}/${made.body.data.id}`, { item_number: 'PIN-02', version: 1 });
    expect(renamed.body.errors.item_number).toEqual(['Item number cannot be changed']);
    const second = await staff.post(PATH, { item_number: 'PIN-01', name: 'Other' });
    expect(Object.keys(second.body.errors)).toEqual(['item_number']);
  });

  it.each([[{ price_usd_minor: -1 }, 'price_usd_minor'], [{ item_number: 'a b' }, 'item_number'],
    [{ show_id: 999_999 }, 'show_id'], [{ reorder_point: -1 }, 'reorder_point']])('refuse %j', async (wrong, at) => {
    const answer = await staff.post(PATH, { item_number: 'BAD-01', name: 'Bad', ...wrong });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([at]);
  });
});
