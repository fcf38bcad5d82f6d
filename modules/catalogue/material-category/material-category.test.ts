import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const CATEGORIES = '/api/admin/staff/material_categories';
const SUBS = '/api/admin/staff/material_sub_categories';
let staff: Browser;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

describe('categories of materials', () => {
  it('come 20 to a page, from the first page on [S109] [C50] [C51]', async () => {
    for (const path of [CATEGORIES, SUBS, '/api/utilities/material_categories',
      '/api/utilities/material_sub_categories']) {
      expect((await staff.get(path)).body.meta, path).toMatchObject({ per_page: 20, current_page: 1 });
    }
  });

  it('are removed when nothing is filed under them, and come back', async () => {
    const row = (await staff.post(CATEGORIES, { key: 'puppets', name: 'Puppets' })).body.data;
    const rods = { key: 'rod_puppets', category_key: 'puppets', name: 'Rod puppets' };
    const sub = (await staff.post(SUBS, rods)).body.data;
    expect((await staff.remove(`${CATEGORIES}/${row.id}`)).body.message).toContain('sub-categories');
    const filed = await staff.post('/api/admin/staff/materials', { item_number: 'PUP-1', name: 'Punch',
      category: 'puppets', sub_category: 'rod_puppets', type: 'rental' });
    expect(filed.status).toBe(201);
    expect((await staff.remove(`${SUBS}/rod_puppets`)).body.code).toBe('in_use');
    expect((await staff.remove(`${CATEGORIES}/${row.id}`)).body.message).toContain('sub-categories');
    const moved = await staff.put(`${SUBS}/rod_puppets`, { category_key: 'scripts', version: sub.version });
    expect(moved.body.errors.category_key).toEqual(['Materials are filed under it: it stays in its category']);

    const free = (await staff.post(SUBS, { key: 'shadows', category_key: 'puppets', name: 'Shadows' })).body.data;
    expect((await staff.remove(`${SUBS}/shadows`)).status).toBe(204);
    expect((await staff.get(`${SUBS}/shadows`)).status).toBe(404);
    expect((await staff.get(`${SUBS}/trash`)).body.data.map((one: { id: number }) => one.id)).toEqual([free.id]);
    expect((await staff.put(`${SUBS}/${free.id}/restore`)).body.data.key).toBe('shadows');
    expect((await staff.get(`${SUBS}?category_key=puppets`)).body.meta.total).toBe(2);
  });

  it.each([['create'], ['trash'], ['Upper'], ['a b']])('refuse the key %s', async (key) => {
    const answer = await staff.post(SUBS, { key, category_key: 'scripts', name: 'Name' });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual(['key']);
  });

  it('keep their key, and one key stands for one', async () => {
    const row = (await staff.post(SUBS, { key: 'masks', category_key: 'guides', name: 'Masks' })).body.data;
    expect((await staff.put(`${SUBS}/masks`, { key: 'hats', version: row.version })).body.errors.key)
      .toEqual(['Key cannot be changed']);
    expect((await staff.post(SUBS, { key: 'masks', category_key: 'guides', name: 'Other' })).body.errors.key)
      .toEqual(['Another sub-category has this key']);
    expect((await staff.post(SUBS, { key: 'hats', category_key: 'nowhere', name: 'Hats' })).body.errors.category_key)
      .toEqual(['This category does not exist']);
  });

  it('leave the selects when they are inactive', async () => {
    const row = (await staff.get(`${SUBS}/transposition`)).body.data;
    await staff.put(`${SUBS}/transposition`, { active: false, version: row.version });
    const options = await staff.get('/api/utilities/material_sub_categories?category_key=services');
    expect(options.body.data).toEqual([]);
  });
});
