import { PDFDocument } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPdf } from '#server/pdf.ts';
import { toneWav } from '../../../db/demo/tone-wav.ts';
import { textOfPages } from '#server/pdf-pages.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser, type SignedIn } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture, payWhatIsAsked, type Fixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const API = '/api/admin/staff';
let staff: SignedIn;
let signer: SignedIn;
let house: Fixture;
let license: number;
let home: string;
let file: { id: number; limit: number };

const ok = (answer: { status: number; body: unknown }) =>
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
const files = async (who: Browser = signer) => (await who.get(`${home}/files`)).body.data;
const take = (who: Browser = signer) => who.post(`${home}/files/${file.id}/download`);

/** Two pages, the second turned by a quarter. */
async function score(): Promise<Buffer> {
  const content = await renderPdf({ title: 'Score', paper: 'label', language: 'en-US', sender: [], recipient: [],
    footer: 'Score', made_at: new Date('2026-01-01T00:00:00Z'), blocks: [
      { kind: 'text', text: 'Overture.' }, { kind: 'page' }, { kind: 'text', text: 'Finale.' }] });
  const pdf = await PDFDocument.load(content);
  const { degrees } = await import('pdf-lib');
  pdf.getPage(1).setRotation(degrees(90));
  return Buffer.from(await pdf.save());
}

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  house = await licensingFixture(test.database.db);
  signer = await test.signedIn('customer', { customers: [{ id: house.customer_id, role: 'signer' }] });
  const made = await staff.post(`${API}/materials`, { item_number: `${house.show_code}-PDF`, name: 'Full score',
    show_code: house.show_code, category: 'scores', type: 'digital', fulfilment: 'download', format: 'pdf',
    item_class: 'digital_music', income_type: 'digital', download_limit: 2,
    prices: { usd: 40, eur: null, gbp: null } });
  ok(made);
  ok(await staff.post(`${API}/materials/${made.body.data.id}/files`, undefined, { multipart: { fields: {},
    file: { field: 'file', name: 'Full score.pdf', type: 'application/pdf', content: await score() } } }));
  const draft = await staff.post(`${API}/licenses`, { customer_id: house.customer_id, show_id: house.show_id,
    category: 'Amateur', division: 'US', currency: 'USD', producing_organisation: 'Springfield Players', phase: 'draft',
    license_venues: [{ venue_id: house.venue_id, ticketing: E2_TICKETS, performances: evenings('2027-01-20', 2) }] });
  ok(draft);
  license = draft.body.data.id;
  home = `/api/customers/${house.customer_id}/licenses/${license}`;
  ok(await staff.post(`${API}/licenses/${license}/license_materials`, { material_id: made.body.data.id,
    included_in_package: true }));
  const { version } = (await staff.get(`${API}/licenses/${license}`)).body.data;
  ok(await staff.put(`${API}/licenses/${license}/phase`, { event: 'send_offer', version }));
  [file] = await files();
});

describe('a file of a licence', () => {
  it('opens once the licence is valid and its day has come, and says so', async () => {
    expect(file).toMatchObject({ material_name: 'Full score', pages: 2, limit: 2, used: 0, refusal: 'not_valid' });
    expect((await take()).body).toMatchObject({ code: 'license_file.not_valid',
      message: 'Its files open once the license is valid.' });
    const { hash } = (await signer.get(`${home}/quote`)).body.data;
    ok(await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'Sam Signer', signer_title: 'Chair',
      accept: true, confirm_name: true }));
    await payWhatIsAsked(test.ports, license);
    await test.database.owner.exec(sql`update licenses set ship_on = '2026-11-21' where id = ${license}`);
    expect((await take()).body.message).toBe('This file opens on November 21, 2026.');
    await test.database.owner.exec(sql`update licenses set ship_on = '2026-11-20' where id = ${license}`);
    expect(await files()).toMatchObject([{ refusal: null, reason: null, closes_on: '2027-02-04' }]);
  });

  it('leaves with licence and reader on every page, upright, and its own text untouched', async () => {
    const answer = await take();
    ok(answer);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'private, no-store' });
    expect(answer.headers['content-disposition']).toContain('attachment');
    const pages = await textOfPages(answer.raw);
    const number = (await staff.get(`${API}/licenses/${license}`)).body.data.license_number;
    expect(pages).toHaveLength(2);
    for (const [at, own] of ['Overture.', 'Finale.'].entries()) {
      expect(pages[at]).toContain(own);
      expect(pages[at]).toContain(number);
      expect(pages[at]).toContain('Not to be passed on');
    }
    const kept = await test.database.owner.query(sql`select 1 from audit_events where action = 'download'
      and entity = 'license' and entity_id = ${license} and actor_id = ${signer.user_id}`);
    expect(kept).toHaveLength(1);
  });

  it('counts: two at once cannot both be the last; staff see who, and allow it anew with a reason', async () => {
    const both = await Promise.all([take(), take()]);
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    expect((await take()).body.message).toContain('downloaded 2 times, as often as the license allows');
    const path = `${API}/licenses/${license}/files`;
    expect((await staff.get(path)).body.data).toMatchObject([{ used: 2, refusal: 'used_up',
      downloads: [{ counts: true }, { counts: true }] }]);
    expect((await staff.post(`${path}/${file.id}/allow`, { reason: ' ' })).body.errors.reason).toEqual(['Say why']);
    const allowed = await staff.post(`${path}/${file.id}/allow`, { reason: 'A new laptop' });
    expect(allowed.body.data).toMatchObject({ used: 0, refusal: null, downloads: [{ counts: false }, {}] });
    expect((await staff.post(`${path}/${file.id}/allow`, { reason: 'Again' })).body.code).toBe('file.unused');
    ok(await take());
  });

  it('is for the people of the licence alone, and ends with the licence', async () => {
    const member = await test.signedIn('customer', { customers: [{ id: house.customer_id, role: 'member' }] });
    const stranger = await test.signedIn('customer');
    expect((await take(stranger)).status).toBe(404);
    expect((await stranger.get(`${home}/files`)).status).toBe(404);
    expect((await signer.post(`${home}/files/999999/download`)).status).toBe(404);
    ok(await take(member));
    await test.database.owner.exec(sql`update licenses set on_hold = true, hold_reason = 'Unpaid'
      where id = ${license}`);
    expect((await take()).body.code).toBe('license_file.on_hold');
  });
});

describe('a sound of a licence', () => {
  it('leaves as it is, with the licence in its name, and counts', async () => {
    await test.database.owner.exec(sql`update licenses set on_hold = false, hold_reason = null where id = ${license}`);
    const tracks = await staff.post(`${API}/materials`, { item_number: `${house.show_code}-TRK`, name: 'Tracks',
      show_code: house.show_code, category: 'tracks', type: 'digital', fulfilment: 'download', format: 'audio',
      item_class: 'tracks', income_type: 'digital', download_limit: 1, prices: { usd: null, eur: null, gbp: null } });
    ok(tracks);
    const { id } = tracks.body.data;
    ok(await staff.post(`${API}/materials/${id}/files`, undefined, { multipart: { fields: {},
      file: { field: 'file', name: 'Overture.wav', type: 'audio/wav', content: toneWav() } } }));
    const line = await staff.post(`${API}/licenses/${license}/license_materials`, { material_id: id,
      included_in_package: true });
    ok(line);
    const number = (await staff.get(`${API}/licenses/${license}`)).body.data.license_number;
    const sound = (await files()).find((one: { kind: string }) => one.kind === 'audio');
    expect(sound).toMatchObject({ pages: 0, mime_type: 'audio/wav', download_name: `Tracks, Overture, ${number}.wav` });
    const taken = await signer.post(`${home}/files/${sound.id}/download`);
    ok(taken);
    expect(taken.headers['content-type']).toBe('audio/wav');
    expect(taken.headers['content-disposition']).toContain(`${number}.wav`);
    expect(taken.raw.equals(toneWav())).toBe(true);
    expect((await signer.post(`${home}/files/${sound.id}/download`)).body.code).toBe('license_file.used_up');
    ok(await staff.remove(`${API}/licenses/${license}/license_materials/${line.body.data.id}`));
    await test.database.owner.exec(sql`update licenses set on_hold = true, hold_reason = 'Unpaid'
      where id = ${license}`);
  });
});

describe('an add-on of a licence', () => {
  it('is bought for a running licence, brings its files, and ends with the licence', async () => {
    const { db, owner } = { db: test.database.db, owner: test.database.owner };
    await owner.exec(sql`update licenses set on_hold = false, hold_reason = null where id = ${license}`);
    const guide = await staff.post(`${API}/materials`, { item_number: `${house.show_code}-GDE`, name: 'Study guide',
      show_code: house.show_code, category: 'scores', type: 'digital', fulfilment: 'download', format: 'pdf',
      item_class: 'digital_music', income_type: 'digital', prices: { usd: null, eur: null, gbp: null } });
    ok(await staff.post(`${API}/materials/${guide.body.data.id}/files`, undefined, { multipart: { fields: {},
      file: { field: 'file', name: 'Guide.pdf', type: 'application/pdf', content: await score() } } }));
    const made = await staff.post(`${API}/add_ons`, { show_id: house.show_id, key: 'guide', name: 'Guide',
      kind: 'study_guide', pricing_model: 'per_user', price_usd_minor: 500, divisions: ['US'], grace_days: 3 });
    ok(made);
    const { id, version } = made.body.data;
    const path = `${API}/add_ons/${id}/materials`;
    const wrong = await db.one<{ id: number }>(sql`select max(id) + 1 as id from materials`);
    expect((await staff.put(path, { version, material_ids: [wrong.id] })).body.errors.material_ids).toHaveLength(1);
    ok(await staff.put(path, { version, material_ids: [guide.body.data.id] }));
    expect((await staff.put(path, { version, material_ids: [] })).status).toBe(412);
    expect((await staff.remove(`${API}/materials/${guide.body.data.id}`)).body.code).toBe('in_use');

    const addOns = async () => (await signer.get(`${home}/add_ons`)).body.data;
    expect(await addOns()).toMatchObject({ held: [], offered: [{ add_on_id: id, price_minor: 500 }] });
    const changes = { more_add_ons: [{ add_on_id: id, quantity: 4 }] };
    const preview = (await signer.post(`${home}/amendments/preview`, { changes })).body.data;
    expect(preview.lines.find((line: { delta_minor: number }) => line.delta_minor !== 0))
      .toMatchObject({ description: 'Guide', before_minor: 0 });
    const asked = await signer.post(`${home}/amendments`, { changes, reason: 'For the class' });
    ok(asked);
    if (asked.body.data.status === 'requested') {
      ok(await staff.put(`${API}/licenses/${license}/amendments/${asked.body.data.id}`,
        { version: asked.body.data.version, decision: 'apply', note: '' }));
    }
    expect((await addOns()).held).toMatchObject([{ quantity: 4, files: 1, refusal: null, closes_on: '2027-01-24' }]);
    expect(await files()).toMatchObject([{ material_name: 'Full score' },
      // four users, each as often as the material says
      { material_name: 'Study guide', closes_on: '2027-01-24', refusal: null, limit: 20 }]);
    await owner.exec(sql`update licenses set on_hold = true, hold_reason = 'Unpaid' where id = ${license}`);
    expect((await staff.get(`${API}/licenses/${license}/add_ons`)).body.data[0].refusal).toBe('on_hold');
  });

  it('paid by a share of the stream is billed by each report of its takings, once for each day', async () => {
    const { owner } = test.database;
    await owner.exec(sql`update licenses set on_hold = false, hold_reason = null where id = ${license}`);
    const made = await staff.post(`${API}/add_ons`, { show_id: house.show_id, key: 'stream', name: 'Stream',
      kind: 'streaming_license', pricing_model: 'percent_stream_gross', rate_ppm: 125_000, divisions: ['US'],
      item_class: 'performing_licence', income_type: 'streaming', royalty_bearing: true });
    ok(made);
    const { id, version } = made.body.data;
    expect((await signer.get(`${home}/add_ons`)).body.data.offered)
      .toContainEqual(expect.objectContaining({ add_on_id: id, price_minor: null, share_ppm: 125_000 }));
    const asked = await signer.post(`${home}/amendments`, { reason: 'To stream it',
      changes: { more_add_ons: [{ add_on_id: id, quantity: 1 }] } });
    expect(asked.body.data.status).toBe('requested');
    ok(await staff.put(`${API}/licenses/${license}/amendments/${asked.body.data.id}`,
      { version: asked.body.data.version, decision: 'apply', note: '' }));
    // Add-ons already sold keep their share.
    ok(await staff.put(`${API}/add_ons/${id}`, { version, rate_ppm: 500_000 }));
    test.clock.set('2027-01-23T12:00:00Z');
    const people = await test.signedIn('customer', { customers: [{ id: house.customer_id, role: 'signer' }] });
    const clerk = await test.signedIn('staff_admin');
    const report = (from: string, to: string) => people.post(`${home}/stream_reports`,
      { add_on_id: id, period_from: from, period_to: to, gross_minor: 100_004 });
    expect((await report('2027-01-19', '2027-01-20')).body.errors.period_from[0]).toMatch(/^It may be streamed from/);
    expect((await report('2027-01-20', '2027-01-24')).body.errors.period_to).toHaveLength(1);
    const told = await report('2027-01-20', '2027-01-21');
    ok(told);
    expect(told.body.data).toMatchObject({ share_ppm: 125_000, fee_minor: 12_501 });
    expect((await report('2027-01-21', '2027-01-22')).body.errors.period_from[0]).toMatch(/is reported already$/);
    const path = `${API}/licenses/${license}/stream_reports`;
    const [row] = (await clerk.get(path)).body.data;
    expect((await clerk.get(`${API}/invoices/${row.invoice_id}`)).body.data).toMatchObject({ net_minor: 12_501 });
    ok(await clerk.post(`${path}/${row.id}/withdraw`, { reason: 'Wrong week' }));
    expect((await clerk.post(`${path}/${row.id}/withdraw`, { reason: 'Twice' })).body.code)
      .toBe('stream_report.withdrawn');
    ok(await report('2027-01-20', '2027-01-22'));
    expect((await people.get(`${home}/add_ons`)).body.data.held).toContainEqual(
      expect.objectContaining({ add_on_id: id, share_ppm: 125_000 }));
  });
});
