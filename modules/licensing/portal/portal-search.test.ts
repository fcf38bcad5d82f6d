import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { makeLicense } from '#tests/support/receivables.ts';
import { stockWorld } from '#tests/support/stock.ts';

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
  await stockWorld(await test.signedIn('staff_admin'));
  await addOthers(license.customer_id, '77');
  await addOthers(other.customer_id, '78');
  path = `/api/customers/${license.customer_id}/search`;
  code = (await db.one<{ number: string }>(sql`select number from licenses where id = ${license.id}`)).number;
});

/** An application, an order and a perusal of one show. */
async function addOthers(customerId: number, number: string): Promise<void> {
  const { db } = test.database;
  const show = await db.one<{ id: number }>(sql`insert into shows (show_code, type, title, sort_title)
    values (${`HARBOUR${number}`}, 'play', ${number === '77' ? 'Harbour' : 'Harbour of others'}, 'Harbour')
    returning id`);
  const application = await db.one<{ id: number }>(sql`insert into license_applications (number, customer_id, status,
      division, category, currency, submitted_at)
    values (${`A-US-2026-${number}`}, ${customerId}, 'submitted', 'US', 'Amateur', 'USD', now()) returning id`);
  await db.exec(sql`insert into license_application_shows (license_application_id, show_id, rank)
    values (${application.id}, ${show.id}, 1)`);
  const order = await db.one<{ id: number }>(sql`
    insert into sales_orders (number, kind, customer_id, division, currency, warehouse_id, from_portal,
      quoted_net_minor, quoted_tax_minor)
    select ${`SO-${number}`}, 'book_order', ${customerId}, 'US', 'USD', min(id), true, 0, 0 from warehouses
    returning id`);
  await db.exec(sql`insert into sales_order_lines (sales_order_id, material_id, description, physical,
      return_required, item_class, quantity)
    select ${order.id}, min(id), 'Harbour, acting edition', true, false, 'printed_script', 1 from materials`);
  await db.exec(sql`
    insert into perusals (number, customer_id, requested_by_id, show_id, division, format, currency, days)
    select ${`PR-${number}`}, ${customerId}, min(id), ${show.id}, 'US', 'digital', 'USD', 14 from users`);
}

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

  it('finds applications, orders and perusals of its own, by number and by what they are of', async () => {
    const found = async (search: string): Promise<string[]> =>
      ((await mine.get(`${path}?search=${search}`)).body.data as { kind: string }[]).map((hit) => hit.kind);
    expect(await found('harbour')).toEqual(['show', 'show', 'application', 'perusal', 'order']);
    expect(await found('SO-77')).toEqual(['order']);
    expect(await found('PR-77')).toEqual(['perusal']);
    expect(await found('A-US-2026-77')).toEqual(['application']);
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
