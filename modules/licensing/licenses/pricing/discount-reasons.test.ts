/** The customer's wording of a discount goes on papers; the internal reason is for staff alone. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { routes } from '#apps/server/src/routes.ts';
import { testApp } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture } from '../../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';
const INTERNAL = 'Canary: a rival house offered less';
const WORDING = 'First production of the piece';

async function textOfPdf(file: Uint8Array): Promise<string> {
  const pdf = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
  const words: string[] = [];
  for (let n = 1; n <= pdf.numPages; n += 1) {
    const { items } = await (await pdf.getPage(n)).getTextContent();
    words.push(...items.map((item) => 'str' in item ? item.str : ''));
  }
  return words.join(' ').replaceAll(/\s+/g, ' ');
}

it('prints the wording for the customer and keeps the internal reason out of portal, mail and PDF', async () => {
  const staff = await test.signedIn('staff_admin');
  const second = await test.signedIn('staff_admin');
  const fixture = await licensingFixture(test.database.db);
  const { customer_id } = fixture;
  const customer = await test.signedIn('customer', { customers: [{ id: customer_id, role: 'admin' }] });
  const { body: { data: draft } } = await staff.post(LICENSES, { customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings('2027-04-01', 6) }] });
  const path = `${LICENSES}/${draft.id}`;
  const given = await staff.put(`${path}/discount`, { version: draft.version, discount: { type: 'percent',
    ppm: 200_000, reason: WORDING, internal_reason: INTERNAL } });
  expect(given.body.data.discount).toMatchObject({ reason: WORDING, internal_reason: INTERNAL,
    given_by_id: staff.user_id });
  const approved = await second.put(`${path}/discount/approve`, { version: given.body.data.version });
  const sent = await staff.put(`${path}/phase`, { event: 'send_offer', version: approved.body.data.version });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);

  const { data: documents } = (await customer.get(`/api/customers/${customer_id}/documents?per_page=100`)).body;
  const ids: Record<string, string> = { id: String(customer_id), licenseId: String(draft.id) };
  let read = 0;
  let said = '';
  for (const { endpoint } of routes) {
    if (endpoint.method !== 'GET' || endpoint.auth.kind !== 'customer' || endpoint.response === 'file'
      || endpoint.response === 'events') continue;
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    if (names.some((name) => ids[name] === undefined)) continue;
    const answer = await customer.get(endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!));
    if (answer.status !== 200) continue;
    read += 1;
    said += JSON.stringify(answer.body);
  }
  expect(read).toBeGreaterThan(15);
  expect((await customer.get(`/api/customers/${customer_id}/licenses/${draft.id}/quote`)).body.data.discount_reason)
    .toBe(WORDING);
  expect(said).toContain(WORDING);
  expect(said).not.toContain(INTERNAL);

  expect(documents.length).toBeGreaterThan(0);
  const files = await test.database.db.query<{ storage_key: string }>(sql`
    select f.storage_key from license_documents d join files f on f.id = d.document_id
    where d.license_id = ${draft.id}`);
  expect(files.length).toBeGreaterThan(0);
  const papers: string[] = [];
  for (const { storage_key } of files) {
    papers.push(await textOfPdf(await test.ports.files.get(storage_key)));
  }
  expect(papers.some((text) => text.includes(WORDING))).toBe(true);
  expect(papers.filter((text) => text.includes('Canary'))).toEqual([]);
  const mails = await test.database.db.query<{ text: string }>(sql`
    select to_jsonb(m)::text as text from mail_outbox m`);
  expect(mails.filter(({ text }) => text.includes('Canary'))).toEqual([]);
  const snapshots = await test.database.db.query<{ text: string }>(sql`
    select to_jsonb(d)::text as text from license_documents d where d.license_id = ${draft.id}`);
  expect(snapshots.filter(({ text }) => text.includes('Canary'))).toEqual([]);
});
