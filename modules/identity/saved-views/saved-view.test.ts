/** Views of lists: kept for their person, shared with staff, one default per list (U8). */
import { describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const PATH = '/api/users/me/views';
const sent = (change: Record<string, unknown> = {}) => ({ page_key: '/admin/quotes', name: 'Waiting for signature',
  search: { phase: 'sent', sort_by: 'opening' }, columns: ['number', 'title'], ...change });
const names = async (who: Browser, query = '') =>
  ((await who.get(`${PATH}${query}`)).body.data as { name: string }[]).map((view) => view.name);

describe('saved views', () => {
  it('keep what stands in the address and the columns, and are there at the next sign-in', async () => {
    const ada = await test.signedIn('staff_user');
    const { status, body } = await ada.post(PATH, sent());
    expect([status, body.data.mine, body.data.version]).toEqual([201, true, 1]);
    const { data } = (await ada.get(`${PATH}?page_key=/admin/quotes`)).body;
    expect(data[0]).toMatchObject(sent());
    expect(await names(ada, '?page_key=/admin/venues')).toEqual([]);
  });

  it('are read by other staff only when shared, and changed by nobody else', async () => {
    const ada = await test.signedIn('staff_user');
    const bob = await test.signedIn('staff_admin');
    await ada.post(PATH, sent({ name: 'Ada alone' }));
    const { id, version } = (await ada.post(PATH, sent({ name: 'For all of us', shared: true }))).body.data;
    expect(await names(bob)).not.toContain('Ada alone');
    expect(await names(bob)).toContain('For all of us');
    expect((await bob.put(`${PATH}/${id}`, { name: 'Mine now', version })).status).toBe(404);
    expect((await bob.remove(`${PATH}/${id}`)).status).toBe(404);
  });

  it('are never shared with or by customers', async () => {
    const ada = await test.signedIn('staff_user');
    await ada.post(PATH, sent({ name: 'Seen by staff', shared: true }));
    const guest = await test.signedIn('customer');
    expect(await names(guest)).toEqual([]);
    const refused = await guest.post(PATH, sent({ shared: true }));
    expect([refused.status, refused.body.errors.shared]).toEqual([422, ['Only staff share views']]);
  });

  it('open one by itself at most, the last one said', async () => {
    const ada = await test.signedIn('staff_user');
    await ada.post(PATH, sent({ name: 'First', is_default: true }));
    await ada.post(PATH, sent({ name: 'Second', is_default: true }));
    await ada.post(PATH, sent({ name: 'Elsewhere', is_default: true, page_key: '/admin/venues' }));
    const { data } = (await ada.get(PATH)).body;
    expect((data as { name: string; is_default: boolean }[]).filter((view) => view.is_default)
      .map((view) => view.name)).toEqual(['Elsewhere', 'Second']);
  });

  it('refuse a second name, an empty one, a stale change and a wrong address at the field', async () => {
    const ada = await test.signedIn('staff_user');
    const { id, version } = (await ada.post(PATH, sent())).body.data;
    const twice = await ada.post(PATH, sent({ name: 'WAITING for signature' }));
    expect(twice.body.errors.name).toEqual(['You have a view of this name already']);
    expect((await ada.post(PATH, sent({ name: '  ' }))).body.errors.name).toEqual(['Name the view']);
    expect((await ada.post(PATH, sent({ page_key: 'https://evil.example' }))).body.errors.page_key)
      .toEqual(['Name the page by its address']);
    expect((await ada.put(`${PATH}/${id}`, { name: 'Other', version })).status).toBe(200);
    expect((await ada.put(`${PATH}/${id}`, { name: 'Third', version })).status).toBe(412);
    expect((await ada.remove(`${PATH}/${id}`)).status).toBe(204);
    expect(await names(ada)).not.toContain('Other');
  });
});

describe('columns of lists', () => {
  const COLUMNS = '/api/users/me/columns';
  const venues = { list: 'Venues', shown: { phone: true }, order: ['name', 'phone', 'kind'], pinned: true,
    widths: { name: 240 } };

  it('are there at the next sign-in, each person their own; the last choice counts', async () => {
    const ada = await test.signedIn('staff_user');
    const bob = await test.signedIn('customer');
    await ada.put(COLUMNS, venues);
    await ada.put(COLUMNS, { ...venues, list: 'Vendors' });
    await ada.put(COLUMNS, { ...venues, pinned: false, widths: {} });
    await bob.put(COLUMNS, { ...venues, shown: {} });
    expect((await ada.get(COLUMNS)).body.data).toEqual([{ ...venues, list: 'Vendors' },
      { ...venues, pinned: false, widths: {} }]);
    expect((await bob.get(COLUMNS)).body.data).toEqual([{ ...venues, shown: {} }]);
    expect((await ada.put(COLUMNS, { ...venues, order: ['<b>'] })).status).toBe(422);
    expect((await ada.put(COLUMNS, { ...venues, widths: { name: 9000 } })).status).toBe(422);
  });
});
