import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';

const test = testApp();
const PATH = '/api/admin/staff/materials';
let staff: Browser;
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  await staff.post('/api/admin/staff/musicals', { show_code: 'LAMP', title: 'The Lamplighter' });
});

let numbers = 0;
function body(more: object = {}): Record<string, unknown> {
  numbers += 1;
  return { item_number: `LAMP-SCR-LIB-${numbers}`, name: 'Libretto', show_code: 'LAMP', category: 'scripts',
    sub_category: 'libretto', type: 'rental', ...more };
}
async function create(more: object = {}) {
  const answer = await staff.post(PATH, body(more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

describe('materials', () => {
  it('keep prices and shipping costs in three currencies to the cent, with tax, VAT and category [R63]', async () => {
    const row = await create({ prices: { usd: 19.5, eur: 18.35, gbp: null }, shipping_cost: { usd: 4, gbp: 3.1 },
      tax: true, vat: false });
    expect(row).toMatchObject({ show_code: 'LAMP', show_title: 'The Lamplighter', category: 'scripts',
      sub_category: 'libretto', prices: { usd: 19.5, eur: 18.35, gbp: null }, vat: false, used: false,
      shipping_cost: { usd: 4, eur: null, gbp: 3.1 }, replacement_prices: { usd: null, eur: null, gbp: null } });
    const read = await staff.get(`${PATH}/${row.id}`);
    expect(read.body.data.prices).toEqual(row.prices);
    const saved = await staff.put(`${PATH}/${row.id}`, { prices: { usd: 21 }, version: row.version });
    expect(saved.body.data).toMatchObject({ name: 'Libretto', prices: { usd: 21, eur: null, gbp: null },
      shipping_cost: row.shipping_cost });
    const history = await staff.get(`${PATH}/${row.id}/activity`);
    expect(history.body.data.map((event: { action: string }) => event.action)).toEqual(['update', 'create']);
  });

  it.each([
    [{ item_number: 'lamp 1' }, 'item_number', 'Capital letters, digits and hyphens'],
    [{ prices: { usd: -1 } }, 'prices.usd', 'An amount cannot be negative'],
    [{ prices: { usd: 1.005 } }, 'prices.usd', 'Enter an amount with at most two decimals'],
    [{ show_code: 'NOBODY' }, 'show_code', 'This show does not exist'],
    [{ category: 'nowhere' }, 'category', 'This category does not exist'],
    [{ sub_category: 'woodwind' }, 'sub_category', 'Choose a sub-category of this category'],
    [{ type: 'digital', fulfilment: 'physical' }, 'fulfilment', 'Digital materials are downloaded, streamed or mailed'],
    [{ type: 'sale', serial_tracked: true }, 'serial_tracked',
      'Only physical things that are lent are tracked copy by copy'],
  ])('refuse %j at its field', async (more, at, text) => {
    const answer = await staff.post(PATH, body(more));
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ [at]: [text] });
  });

  it('have a number of their own, also against the trash', async () => {
    const row = await create();
    expect((await staff.remove(`${PATH}/${row.id}`)).status).toBe(204);
    const again = await staff.post(PATH, body({ item_number: row.item_number }));
    expect(again.body.errors.item_number).toEqual(['Another item has this number, perhaps in the trash']);
  });

  it('keep the number once something names them, whoever asks', async () => {
    const row = await create();
    const free = await staff.put(`${PATH}/${row.id}`, { item_number: 'LAMP-NEW', version: row.version });
    expect(free.body.data.item_number).toBe('LAMP-NEW');
    const { db } = test.database;
    await db.exec(sql`update materials set used_at = now() where id = ${row.id}`);
    const used = await staff.put(`${PATH}/${row.id}`, { item_number: 'LAMP-NEWER', version: free.body.data.version });
    expect(used.body.errors.item_number).toEqual(['Templates, licenses or the stock name this number: it stays']);
    await expect(db.exec(sql`update materials set item_number = 'LAMP-NEWER' where id = ${row.id}`))
      .rejects.toThrow(/its item number stays/);
  });

  it('are not changed by two people at once: the second is told', async () => {
    const row = await create();
    expect((await staff.put(`${PATH}/${row.id}`, { name: 'First', version: row.version })).status).toBe(200);
    const second = await staff.put(`${PATH}/${row.id}`, { name: 'Second', version: row.version });
    expect(second.status).toBe(412);
    expect((await staff.get(`${PATH}/${row.id}`)).body.data.name).toBe('First');
  });

  it('go to the trash, which holds exactly the deleted ones, and come back [S10]', async () => {
    const gone = [await create({ name: 'Gone one' }), await create({ name: 'Gone two' })];
    const before = (await staff.get(`${PATH}/trash?search=gone`)).body.meta.total;
    expect(before).toBe(0);
    for (const row of gone) await staff.remove(`${PATH}/${row.id}`);
    const trash = await staff.get(`${PATH}/trash?search=gone&per_page=1&sort_by=name`);
    expect(trash.body.meta).toMatchObject({ total: 2, last_page: 2, per_page: 1 });
    expect(trash.body.data[0].id).toBe(gone[0].id);
    expect((await staff.get(`${PATH}?search=gone`)).body.data).toEqual([]);
    expect((await staff.put(`${PATH}/${gone[0].id}/restore`)).body.data.deleted_at).toBeNull();
    expect((await staff.get(`${PATH}?search=gone`)).body.data.map((row: { id: number }) => row.id))
      .toEqual([gone[0].id]);
  });

  it('are found by words, show, category, type and state', async () => {
    const row = await create({ name: 'Reed 2 (oboe, English horn)', category: 'parts', sub_category: 'woodwind',
      active: false });
    const found = async (query: string): Promise<number[]> =>
      (await staff.get(`${PATH}?${query}`)).body.data.map((one: { id: number }) => one.id);
    expect(await found('search=OBOE')).toEqual([row.id]);
    expect(await found('show_code=LAMP&category=parts&sub_category=woodwind&type=rental&active=false'))
      .toEqual([row.id]);
    expect(await found('show_code=OTHER')).toEqual([]);
    expect((await staff.get(`${PATH}?type=loan`)).status).toBe(422);
  });
});

describe('materials in the portal', () => {
  it('are those on offer, of shows in the customer’s divisions, with show fields and prices', async () => {
    const { db } = test.database;
    const customer = await db.one<{ id: number }>(sql`
      insert into customers (name, kind, divisions, default_division, default_currency)
      values ('House', 'other', '{US}', 'US', 'USD') returning id`);
    const show = await staff.post('/api/admin/staff/plays',
      { show_code: 'ABROAD', title: 'Abroad', divisions: ['UK'] });
    expect(show.status).toBe(201);
    const offered = await create({ name: 'Acting edition', type: 'sale', sellable_in_portal: true,
      prices: { usd: 12.5 } });
    await create({ name: 'Hidden edition', type: 'sale' });
    await create({ name: 'Foreign edition', show_code: 'ABROAD', type: 'sale', sellable_in_portal: true });
    const buyer = await test.signedIn('customer', { customers: [{ id: customer.id, role: 'member' }] });
    const list = await buyer.get(`/api/customers/${customer.id}/materials`);
    expect(list.body.data.map((row: { id: number }) => row.id)).toEqual([offered.id]);
    expect(list.body.data[0]).toMatchObject({ prices: { usd: 12.5, eur: null, gbp: null },
      show: { show_code: 'LAMP', title: 'The Lamplighter', type: 'musical' } });
    expect((await buyer.get(`/api/customers/${customer.id + 1}/materials`)).status).toBe(404);
    const words = await buyer.get(`/api/customers/${customer.id}/material_sub_categories?category_key=scripts`);
    expect(words.body.meta.per_page).toBe(20);
    expect(words.body.data[0]).toMatchObject({ key: 'libretto', category_key: 'scripts' });
  });
});
