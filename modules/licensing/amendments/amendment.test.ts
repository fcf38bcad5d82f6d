/** Amending and cancelling: price and rights before anything is stored, money by invoices and credit notes. */
import { describe, expect, it } from 'vitest';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, testApp, type Browser } from '#tests/support/app.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { lendBooks } from '#tests/support/stock.ts';
import { runLicenseClocks } from '../licenses/phase/license-clocks.server.ts';
import { canonicalJson } from '../documents/canonical-json.ts';
import {
  E2_TICKETS, evenings, licensingFixture, makeCustomer, payWhatIsAsked, type Fixture,
} from '../testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';

interface Signed { staff: Browser; signer: Browser; fixture: Fixture; id: number; path: string; home: string }

/** A licence of 6 x 985.00, signed in the portal; paid where the policy asks for it. */
async function signed(options: { policy?: string; paid?: boolean; division?: string } = {}): Promise<Signed> {
  const staff = await test.signedIn('staff_admin');
  const fixture = await licensingFixture(test.database.db, options);
  const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings('2027-04-01', 6) }] });
  const { id, version } = made.body.data;
  const path = `${LICENSES}/${id}`;
  const home = `/api/customers/${fixture.customer_id}/licenses/${id}`;
  const sent = await staff.put(`${path}/phase`, { event: 'send_offer', version });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  const { hash } = (await signer.get(`${home}/quote`)).body.data;
  const accepted = await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'S. Signer',
    signer_title: '', accept: true, confirm_name: true });
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
  if (options.paid !== false) await payWhatIsAsked(test.ports, id);
  return { staff, signer, fixture, id, path, home };
}

const show = async ({ staff, path }: Signed) => (await staff.get(path)).body.data;

describe('an amendment', () => {
  it('previews exactly what it does, stores nothing, then invoices the difference', async () => {
    const at = await signed();
    const venue = (await at.staff.get(`${at.path}/license_venues`)).body.data[0];
    const changes = { performances: [{ license_venue_id: venue.id, local_date: '2027-04-07', local_time: '19:30' }] };
    const before = await show(at);
    const preview = await at.staff.post(`${at.path}/amendments/preview`, { changes });
    expect(preview.body.data).toMatchObject({ price_before_minor: 591_000, price_after_minor: 689_500,
      delta_minor: 98_500, verdict: 'clear', automatic: true });
    expect(await show(at)).toEqual(before);
    const done = await at.staff.post(`${at.path}/amendments`, { version: before.version, changes, reason: 'Sold out' });
    expect(done.status, JSON.stringify(done.body)).toBe(201);
    expect(done.body.data).toMatchObject({ status: 'applied', delta_minor: 98_500 });
    expect(await show(at)).toMatchObject({ phase: 'licensed', number_of_performances: 7, offer_version: 2,
      invoiced_minor: 689_500, balance_minor: 98_500 });
    const documents = (await at.staff.get(`${at.path}/license_documents`)).body.data as { type: string }[];
    expect(documents.map((row) => row.type)).toContain('amendment');
  });

  it('credits a performance that is taken off', async () => {
    const at = await signed();
    const performances = (await at.staff.get(`${at.path}/performances`)).body.data as { id: number }[];
    const changes = { performances: [{ id: performances[5]!.id, cancel: true }] };
    const done = await at.staff.post(`${at.path}/amendments`, { version: (await show(at)).version, changes,
      reason: 'Half term' });
    expect(done.status, JSON.stringify(done.body)).toBe(201);
    expect(await show(at)).toMatchObject({ number_of_performances: 5, invoiced_minor: 492_500, balance_minor: 0 });
  });

  it('asked for by the customer inside the rules applies at once, else waits for staff', async () => {
    const at = await signed();
    const performances = (await at.signer.get(`${at.home}/performances`)).body.data as { id: number }[];
    const moved = await at.signer.post(`${at.home}/amendments`, { reason: 'Hall is booked',
      changes: { performances: [{ id: performances[0]!.id, local_date: '2027-04-08' }] } });
    expect(moved.body.data).toMatchObject({ status: 'applied', automatic: true, from_portal: true });
    const less = await at.signer.post(`${at.home}/amendments`, { reason: 'Fewer shows',
      changes: { performances: [{ id: performances[1]!.id, cancel: true }] } });
    expect(less.body.data).toMatchObject({ status: 'requested' });
    const decided = await at.staff.put(`${at.path}/amendments/${less.body.data.id}`, { version: 1,
      decision: 'apply' });
    expect(decided.status, JSON.stringify(decided.body)).toBe(200);
    expect(decided.body.data.status).toBe('applied');
    expect(await show(at)).toMatchObject({ number_of_performances: 5 });
  });

  it('postponed to unknown dates, stays as it is until new dates plan it again', async () => {
    const at = await signed();
    const before = await show(at);
    const nights = (await at.signer.get(`${at.home}/performances`)).body.data as { id: number; local_date: string }[];
    const asked = await at.signer.post(`${at.home}/amendments`, { reason: 'The hall was flooded',
      changes: { postpone: true } });
    expect(asked.body.data, JSON.stringify(asked.body)).toMatchObject({ status: 'requested', postpones: true,
      delta_minor: 0 });
    const mixed = await at.signer.post(`${at.home}/amendments`, { reason: 'x', changes: { postpone: true,
      performances: [{ id: nights[0]!.id, cancel: true }] } });
    expect(mixed.status).toBe(422);
    await lendBooks(test, at.id, '2027-05-03');
    const row = (await at.staff.get(`${at.path}/amendments/${asked.body.data.id}`)).body.data;
    expect(row).toMatchObject({ problem: null, preview: { price_after_minor: before.grand_total_minor } });
    const done = await at.staff.put(`${at.path}/amendments/${row.id}`, { version: 1, decision: 'apply' });
    expect(done.body.data, JSON.stringify(done.body)).toMatchObject({ status: 'applied' });
    const mail = await test.database.db.one<{ body_text: string }>(sql`select body_text from mail_outbox
      where subject like 'Postponed: %' and entity_id = ${at.id} order by id desc limit 1`);
    expect(mail.body_text).toContain('still due back on May 3, 2027');
    expect(await show(at)).toMatchObject({ phase: 'licensed', postponed: true,
      grand_total_minor: before.grand_total_minor, invoiced_minor: before.invoiced_minor });
    const later = { ...test.ports, clock: { now: () => new Date('2027-04-02T15:00:00Z') } };
    await runLicenseClocks(workContext(later, test.ports.db, SYSTEM_ACTOR), '2027-04-02');
    expect(await show(at)).toMatchObject({ phase: 'licensed' });
    const planned = await at.staff.post(`${at.path}/amendments`, { version: (await show(at)).version,
      reason: 'The hall is dry', changes: { dates: { first_performance_on: '2027-09-16' } } });
    expect(planned.status, JSON.stringify(planned.body)).toBe(201);
    expect(await show(at)).toMatchObject({ postponed: false, first_performance_on: '2027-09-16',
      number_of_performances: nights.length, grand_total_minor: before.grand_total_minor });
  });

  it('the customer changes seats and prices, and moves to another venue', async () => {
    const at = await signed();
    const [venue] = (await at.signer.get(at.home)).body.data.license_venues;
    const ticketing = venue.ticketing.map((band: { price: number }) => ({ ...band, price: band.price + 5 }));
    const changes = { license_venues: [{ id: venue.id, ticketing }] };
    const preview = await at.signer.post(`${at.home}/amendments/preview`, { changes });
    expect(preview.status, JSON.stringify(preview.body)).toBe(200);
    expect(preview.body.data.delta_minor).toBeGreaterThan(0);
    const dearer = await at.signer.post(`${at.home}/amendments`, { changes, reason: 'Dearer seats' });
    expect(dearer.status, JSON.stringify(dearer.body)).toBe(201);
    const place = { name: 'Town Hall', address: { country_code: 'US', thoroughfare: '1 Elm Street', premise: '',
      locality: 'Albany', administrative_area: 'NY', postal_code: '12207' } };
    const moved = await at.signer.post(`${at.home}/amendments`, { reason: 'Flooded',
      changes: { license_venues: [{ id: venue.id, venue_id: null, ...place }] } });
    expect(moved.status, JSON.stringify(moved.body)).toBe(201);
    if (moved.body.data.status === 'requested') {
      await at.staff.put(`${at.path}/amendments/${moved.body.data.id}`, { version: 1, decision: 'apply',
        note: 'Free' });
    }
    const [now] = (await at.signer.get(at.home)).body.data.license_venues;
    expect(now).toMatchObject({ name: 'Town Hall', venue_id: null });
    expect(now.ticketing[0].price).toBe(ticketing[0].price);
  });

  it('says beforehand what is invoiced and credited, with the tax, and does exactly that', async () => {
    const at = await signed();
    const nights = (await at.staff.get(`${at.path}/performances`)).body.data as { id: number }[];
    const less = { performances: [{ id: nights[0]!.id, cancel: true }, { id: nights[1]!.id, cancel: true }] };
    const preview = (await at.staff.post(`${at.path}/amendments/preview`, { changes: less })).body.data;
    expect(preview.billing).toEqual({ invoice_minor: 0, credit_minor: 197_000, planned_minor: 0 });
    await at.staff.post(`${at.path}/amendments`, { version: (await show(at)).version, changes: less, reason: 'x' });
    const notes = await test.database.db.query(sql`select total_minor from invoices where license_id = ${at.id}
      and kind = 'credit_note'`);
    expect(notes).toEqual([{ total_minor: 197_000 }]);
  });

  it('takes a new fee and moves a whole run; both stand in the figures of the amendment', async () => {
    const at = await signed();
    const fee = { fee_per_performance_minor: 100_000, reason: 'A larger hall' };
    const dearer = await at.staff.post(`${at.path}/amendments`, { version: (await show(at)).version,
      changes: { fee, dates: { first_performance_on: '2027-04-08' } }, reason: 'Moved by a week' });
    expect(dearer.status, JSON.stringify(dearer.body)).toBe(201);
    expect(dearer.body.data).toMatchObject({ price_before_minor: 591_000, price_after_minor: 600_000,
      delta_minor: 9_000, version_no: 2, signed_at: null });
    const one = (await at.staff.get(`${at.path}/amendments/${dearer.body.data.id}`)).body.data;
    expect(one.differences.removed.map((night: { local_date: string }) => night.local_date))
      .toEqual(['01', '02', '03', '04', '05', '06'].map((day) => `2027-04-${day}`));
    expect(one.differences.added).toHaveLength(6);
    expect(one.differences.added.at(-1)).toMatchObject({ local_date: '2027-04-13', local_time: '19:30' });
    expect(one.differences.lines).toMatchObject([{ before_minor: 591_000, after_minor: 600_000, delta_minor: 9_000 }]);
    expect(await show(at)).toMatchObject({ invoiced_minor: 600_000, balance_minor: 9_000, fee_method: 'negotiated' });
  });

  it('has an addendum that the customer signs once, whatever is clicked twice', async () => {
    const at = await signed();
    await at.staff.post(`${at.path}/amendments`, { version: (await show(at)).version,
      changes: { dates: { first_performance_on: '2027-04-08' } }, reason: 'Moved by a week' });
    const before = (await at.signer.get(at.home)).body.data;
    expect(before.next_actions).toMatchObject([{ kind: 'sign' }]);
    expect(before.allowed_actions).toContain('sign_addendum');
    const mail = await test.database.db.one<{ body_text: string }>(sql`select body_text from mail_outbox
      where template = 'license.amended' and entity_id = ${at.id} order by id desc limit 1`);
    for (const words of ['Please sign it online', `/productions/${at.id}/quote`]) {
      expect(mail.body_text).toContain(words);
    }
    const addendum = (await at.signer.get(`${at.home}/quote`)).body.data;
    expect(addendum.addendum).toMatchObject({ reason: 'Moved by a week', to_sign: true });
    const body = { offer_version: 2, hash: addendum.hash, signer_name: 'S. Signer', signer_title: '', accept: true,
      confirm_name: true };
    const other = await at.signer.post(`${at.home}/sign_addendum`, { ...body, hash: 'a'.repeat(64) });
    expect(other.body).toMatchObject({ code: 'license.precondition', unmet: [{ guard: 'same_version' }] });
    const member = await test.signedIn('customer', { customers: [{ id: at.fixture.customer_id, role: 'member' }] });
    expect((await member.post(`${at.home}/sign_addendum`, body)).status).toBe(403);
    const [first, second] = await Promise.all([at.signer.post(`${at.home}/sign_addendum`, body),
      at.signer.post(`${at.home}/sign_addendum`, body)]);
    expect([first.status, second.status], JSON.stringify([first.body, second.body])).toEqual([200, 200]);
    const rows = await test.database.db.query(sql`select 1 from signatures where license_id = ${at.id}`);
    expect(rows).toHaveLength(2);
    const after = (await at.signer.get(at.home)).body.data;
    expect(after.next_actions).toEqual([]);
    expect(after.documents.find((row: { type: string }) => row.type === 'amendment').status).toBe('signed');
    const [amendment] = (await at.staff.get(`${at.path}/amendments`)).body.data;
    expect(amendment).toMatchObject({ signer_name: 'S. Signer', version_no: 2 });
    const checklist = (await at.staff.get(`${at.path}/checklist`)).body.data as { key: string; status: string }[];
    expect(checklist.find((item) => item.key === 'contract_signed')?.status).toBe('done');
    expect((await at.signer.post(`${at.home}/sign_addendum`, { ...body, signer_name: 'T. Twice' })).body.code)
      .toBe('amendment.not_to_sign');
  });

  it('a request shows what carrying it out would do; refused, the customer is told why', async () => {
    const at = await signed();
    const nights = (await at.signer.get(`${at.home}/performances`)).body.data as { id: number }[];
    const asked = await at.signer.post(`${at.home}/amendments`, { reason: 'Fewer shows',
      changes: { performances: [{ id: nights[5]!.id, cancel: true }] } });
    const one = (await at.staff.get(`${at.path}/amendments/${asked.body.data.id}`)).body.data;
    expect(one).toMatchObject({ status: 'requested', problem: null, preview: { delta_minor: -98_500,
      billing: { credit_minor: 98_500 } }, differences: { added: [], removed: [{ local_date: '2027-04-06' }] } });
    const refused = await at.staff.put(`${at.path}/amendments/${asked.body.data.id}`, { version: 1,
      decision: 'refuse', note: 'The last night is sold out.' });
    expect(refused.body.data).toMatchObject({ status: 'refused', decision_note: 'The last night is sold out.' });
    const mail = await test.database.db.one<{ body: string }>(sql`
      select body_text as body from mail_outbox where template = 'license.request_refused' and entity_id = ${at.id}`);
    expect(mail.body).toContain('The last night is sold out.');
    const open = await test.database.db.query(sql`select 1 from tasks where license_id = ${at.id} and status = 'open'
      and kind = 'amendment_requested'`);
    expect(open).toEqual([]);
  });

  it('is refused before the licence is valid', async () => {
    const at = await signed({ paid: false });
    const answer = await at.staff.post(`${at.path}/amendments`, { version: (await show(at)).version,
      changes: { add_ons: [] }, reason: 'x' });
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('license.phase_conflict');
  });
});

describe('execution policies', () => {
  it('a purchase order executes by staff, who issue the tax invoice with it', async () => {
    const at = await signed({ policy: 'purchase_order', paid: false });
    const accepted = await show(at);
    expect(accepted).toMatchObject({ phase: 'accepted', invoiced_minor: 0 });
    const uploaded = await at.staff.call('POST', `${at.path}/license_documents`, { multipart: {
      fields: { type: 'purchase_order' },
      file: { field: 'document', name: 'order.pdf', type: 'application/pdf', content: PAPER } } });
    expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(201);
    // The file alone names no number for the invoice.
    for (const none of [{}, { purchase_order_no: '  ' }]) {
      const bare = await at.staff.post(`${at.path}/execute`, { version: accepted.version, ...none });
      expect([bare.status, Object.keys(bare.body.errors ?? {})]).toEqual([422, ['purchase_order_no']]);
    }
    await test.database.db.exec(sql`
      insert into tasks (kind, title, entity, entity_id, license_id, division, priority)
      values ('document_purchase_order', 'Uploaded', 'license', ${at.id}, ${at.id}, 'US', 3)`);
    const done = await at.staff.post(`${at.path}/execute`, { version: accepted.version,
      purchase_order_no: 'PO 4711' });
    // The order that was uploaded is dealt with.
    expect(await test.database.db.query(sql`
      select status from tasks where license_id = ${at.id} and kind = 'document_purchase_order'`))
      .toEqual([{ status: 'done' }]);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    expect(done.body.data).toMatchObject({ phase: 'licensed', invoiced_minor: 591_000, balance_minor: 591_000,
      purchase_order_no: 'PO 4711' });
  });

  it('a paid policy never executes by hand', async () => {
    const at = await signed({ paid: false });
    const answer = await at.staff.post(`${at.path}/execute`, { version: (await show(at)).version, reason: 'please' });
    expect(answer.status).toBe(409);
    expect((await show(at)).phase).toBe('accepted');
  });
});

describe('cancelling', () => {
  it('refunds as the preview says and frees the rights', async () => {
    const at = await signed();
    const preview = (await at.staff.get(`${at.path}/cancellation?on=2026-11-20`)).body.data;
    expect(preview).toMatchObject({ refund_minor: 591_000, keep_minor: 0, shipped: false });
    const done = await at.staff.post(`${at.path}/cancel`, { version: preview.version, reason: 'Fire',
      on: '2026-11-20' });
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    expect(done.body.data).toMatchObject({ phase: 'cancelled', invoiced_minor: 0 });
    const notes = await test.database.db.query<{ total_minor: number }>(sql`
      select total_minor from invoices where license_id = ${at.id} and kind = 'credit_note'`);
    expect(notes).toEqual([{ total_minor: 591_000 }]);
  });

  it('waives only with the approval of another person', async () => {
    const at = await signed();
    const { version } = await show(at);
    const body = { version, reason: 'Fire', on: '2027-02-15', waive_minor: 100 };
    expect((await at.staff.post(`${at.path}/cancel`, body)).body.code).toBe('license.waiver_not_approved');
    const own = await at.staff.post(`${at.path}/cancellation_waivers`, { waive_minor: 100, reason: 'Goodwill' });
    const refused = await at.staff.post(`${at.path}/cancel`, { ...body, waiver_approval_id: own.body.data.id });
    expect(refused.body.code).toBe('four_eyes');
    const other = await test.signedIn('staff_admin');
    const { waiver } = (await other.get(`${at.path}/cancellation?on=2027-02-15`)).body.data;
    expect(waiver).toMatchObject({ id: own.body.data.id, waive_minor: 100, reason: 'Goodwill' });
    const done = await other.post(`${at.path}/cancel`, { ...body, waiver_approval_id: own.body.data.id });
    expect(done.status, JSON.stringify(done.body)).toBe(200);
  });
});

describe('cancelling what is left of a run', () => {
  it('refunds the nights that are not played as the preview says, answers the request and tells the customer',
    async () => {
      const at = await signed();
      const asked = await at.signer.post(`${at.home}/cancellation_requests`, { reason: 'The lead is ill' });
      expect(asked.status).toBe(201);
      test.clock.set('2027-04-03T15:00:00Z');
      await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), '2027-04-03');
      const staff = await test.signedIn('staff_admin');
      const preview = (await staff.get(`${at.path}/cancellation`)).body.data;
      expect(preview).toMatchObject({ performances: 4, refund_minor: 394_000, keep_minor: 197_000 });
      const done = await staff.put(`${at.path}/phase`, { event: 'cancel_remaining', version: preview.version,
        reason: 'The lead is ill' });
      expect(done.status, JSON.stringify(done.body)).toBe(200);
      expect(done.body.data).toMatchObject({ phase: 'settlement', invoiced_minor: 197_000 });
      const [request] = (await staff.get(`${at.path}/amendments`)).body.data;
      expect(request).toMatchObject({ kind: 'cancel_request', status: 'applied' });
      const mails = await test.database.db.query(sql`select 1 from mail_outbox where entity_id = ${at.id}
        and template = 'license.cancelled'`);
      expect(mails).toHaveLength(1);
      test.clock.set(TEST_NOW);
    });
});

describe('what was signed', () => {
  it('[I12] the stored snapshot and every issued file still have their hash', async () => {
    const at = await signed();
    const versions = await test.database.db.query<{ snapshot: unknown; sha256: string }>(sql`
      select snapshot, sha256 from license_versions where license_id = ${at.id}`);
    expect(versions.length).toBe(1);
    for (const row of versions) expect(sha256(canonicalJson(row.snapshot))).toBe(row.sha256);
    const files = await test.database.db.query<{ storage_key: string; sha256: string }>(sql`
      select f.storage_key, f.sha256 from files f join license_documents d on d.document_id = f.id
      where d.license_id = ${at.id}`);
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) expect(sha256(await test.ports.files.get(file.storage_key))).toBe(file.sha256);
  });

  it('is invisible to every other customer, whichever call they use', async () => {
    const at = await signed();
    const other = await makeCustomer(test.database.db);
    const stranger = await test.signedIn('customer', { customers: [{ id: other, role: 'admin' }] });
    const theirs = `/api/customers/${other}/licenses/${at.id}`;
    for (const call of ['', '/quote', '/performances', '/documents/1']) {
      expect((await stranger.get(`${theirs}${call}`)).status, call).toBe(404);
      expect((await stranger.get(`${at.home}${call}`)).status, call).toBe(404);
    }
    for (const [call, body] of [['/sign', { offer_version: 1, hash: 'a'.repeat(64), signer_name: 'x',
      accept: true }],
      ['/decline', { offer_version: 1, reason_code: 'other' }], ['/cancellation_requests', { reason: 'x' }],
      ['/amendments', { changes: { performances: [] }, reason: 'x' }]] as const) {
      expect((await stranger.post(`${theirs}${call}`, body)).status, call).toBe(404);
    }
    expect((await stranger.get(`/api/customers/${other}/licenses`)).body.data).toEqual([]);
    expect((await stranger.get(`/api/customers/${other}/documents`)).body.data).toEqual([]);
    expect((await stranger.get(`/api/customers/${other}/activity`)).body.data).toEqual([]);
    expect((await stranger.get(`/api/customers/${other}/next_actions`)).body.data).toEqual([]);
  });
});
