/** Trash of the catalogue's lists: exactly what was deleted, paged, and back again (SPEC.md 88.1, 88.2). */
import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const STAFF = '/api/admin/staff';
let staff: Browser;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

const show = (n: number) => ({ show_code: `TRASH-${n}`, title: `Trash ${n}` });
const LISTS = [
  { list: 'plays', made: 'plays', body: show },
  { list: 'musicals', made: 'musicals', body: show },
  { list: 'shows', made: 'plays', body: show },
  { list: 'royaltors', made: 'royaltors',
    body: (n: number) => ({ name: `Trash ${n}`, currency: 'USD' }) },
];
let serial = 0;

async function make(path: string, body: (n: number) => object): Promise<number> {
  serial += 1;
  const answer = await staff.post(`${STAFF}/${path}`, body(serial));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
}
const ids = async (address: string): Promise<number[]> => {
  const found: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = (await staff.get(`${STAFF}/${address}?per_page=2&page=${page}`)).body;
    expect(data.length).toBeLessThanOrEqual(2);
    found.push(...(data as { id: number }[]).map((row) => row.id));
    pages = meta.last_page;
  }
  return found.sort((a, b) => a - b);
};

describe('the trash of plays, musicals, shows and royaltors [S8] [S9] [S11] [S12]', () => {
  it.each(LISTS)('of $list lists exactly the deleted ones, paged', async ({ list, made, body }) => {
    const before = await ids(`${list}/trash`);
    const rows = [await make(made, body), await make(made, body), await make(made, body), await make(made, body)];
    const [kept, ...gone] = rows;
    for (const id of gone) expect((await staff.remove(`${STAFF}/${made}/${id}`)).status).toBe(204);
    expect(await ids(`${list}/trash`)).toEqual([...before, ...gone].sort((a, b) => a - b));
    expect(await ids(list)).toContain(kept);
    const back = await staff.put(`${STAFF}/${made}/${gone[0]}/restore`);
    expect(back.status).toBe(200);
    expect(await ids(`${list}/trash`)).toEqual([...before, ...gone.slice(1)].sort((a, b) => a - b));
    expect(await ids(list)).toContain(gone[0]);
  });
});
