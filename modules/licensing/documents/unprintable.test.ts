/** Unprintable text is reported before a document goes out; every script that can be printed is. */
// cspell:disable
import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { textOfPages } from '#server/pdf-pages.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture, type Fixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

async function draft(staff: Browser, { customer_id, show_id, venue_id }: Fixture, title: string) {
  const made = await staff.post(LICENSES, { customer_id, show_id, category: 'Amateur', license_venues: [{ venue_id,
    ticketing: E2_TICKETS, performances: evenings('2027-04-01', 2) }] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id, version } = made.body.data;
  const named = await staff.put(`${LICENSES}/${id}`, { version, title_on_license: title });
  expect(named.status, JSON.stringify(named.body)).toBe(200);
  return named.body.data;
}

describe('an offer', () => {
  it('names characters that no font has, and goes out as it is only when that is accepted', async () => {
    const staff = await test.signedIn('staff_admin');
    const { id, version } = await draft(staff, await licensingFixture(test.database.db), '歌剧院的魅影 🎭');
    const send = (more: object) => staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version, ...more });
    const asked = await send({});
    expect(asked.status).toBe(409);
    expect(asked.body).toMatchObject({ code: 'document.unprintable', characters: ['🎭'],
      message: expect.stringContaining('The character 🎭 in “') });
    expect((await staff.get(`${LICENSES}/${id}/license_documents`)).body.data).toEqual([]);
    expect((await send({ unprintable_accepted: true })).status).toBe(200);
  });

  it('prints a Chinese title, an Arabic venue and a German customer without a question', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    await test.database.owner.exec(sql`update venues set name = 'مسرح القاهرة' where id = ${fixture.venue_id}`);
    await test.database.owner.exec(sql`update customers set name = 'Städtische Bühnen Großräschen'
      where id = ${fixture.customer_id}`);
    const { id, version } = await draft(staff, fixture, '歌剧院的魅影');
    const sent = await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    const [first] = (await staff.get(`${LICENSES}/${id}/license_documents?type=quote_letter`)).body.data;
    const file = await staff.get(`${LICENSES}/${id}/license_documents/${first.id}/file`);
    const text = (await textOfPages(file.raw)).join('\n').normalize('NFKC');
    for (const words of ['歌剧院的魅影', 'مسرح', 'القاهرة', 'Städtische Bühnen Großräschen']) expect(text).toContain(words);
  });
});
