import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { makeLicense } from '#tests/support/receivables.ts';

const test = testApp();
let mine: Browser;
let path: string;
let code: string;

beforeAll(async () => {
  const { db } = test.database;
  const license = await makeLicense(db, 'US');
  await db.exec(sql`update licenses set phase = 'sent', offer_version = 1, offer_expires_at = '2026-12-31',
    title_on_license = 'The Lantern in Winter' where id = ${license.id}`);
  const other = await makeLicense(db, 'US');
  await db.exec(sql`update licenses set phase = 'sent', offer_version = 1, offer_expires_at = '2026-12-31',
    title_on_license = 'The Lantern next door' where id = ${other.id}`);
  const hidden = await makeLicense(db, 'US', 1, license.customer_id);
  await db.exec(sql`update licenses set title_on_license = 'A Lantern still in draft' where id = ${hidden.id}`);
  await db.exec(sql`insert into shows (show_code, type, title, sort_title) values ('BEARERS', 'play', 'Lantern Bearers',
    'Lantern Bearers')`);
  mine = await test.signedIn('customer', { customers: [{ id: license.customer_id, role: 'member' }] });
  path = `/api/customers/${license.customer_id}/search`;
  code = (await db.one<{ number: string }>(sql`select number from licenses where id = ${license.id}`)).number;
});

const titles = async (search: string): Promise<string[]> =>
  ((await mine.get(`${path}?search=${encodeURIComponent(search)}`)).body.data as { title: string }[])
    .map((hit) => hit.title);

describe('the search of the portal', () => {
  it('finds own productions and shows by a part of their name, never a draft or another house\'s', async () => {
    expect(await titles('lantern')).toEqual(['Lantern Bearers', 'The Lantern in Winter']);
    expect(await titles('LANTERN IN')).toEqual(['The Lantern in Winter']);
  });

  it('finds a production by its number', async () => {
    expect(await titles(code)).toEqual(['The Lantern in Winter']);
  });

  it('finds nothing for nothing, for signs of patterns and for what is not there', async () => {
    for (const search of ['', ' ', '%', '_', "'; drop table licenses; --", 'no such thing']) {
      expect(await titles(search), search).toEqual([]);
    }
  });

  it('is paged like every list', async () => {
    const { body } = await mine.get(`${path}?search=lantern&per_page=1&page=2`);
    expect(body.data).toHaveLength(1);
    expect(body.meta).toMatchObject({ total: 2, last_page: 2 });
  });
});
