/** Box office on the wire: staff's grid and review, the licensee's draft and signature, who is refused and how. */
import { beforeAll, describe, expect, test } from 'vitest';
import { makeDeal, makeShow, type TestDeal } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type Browser } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const app = testApp();
let staff: Browser;
let customer: number;
let deal: TestDeal;
/** Another run of the same show, of which nothing is reported yet. */
const freshDeal = async (): Promise<void> => {
  const { db } = app.database;
  const show = await makeShow(db, [{ rate_ppm: 500_000 }]);
  deal = await makeDeal(db, show, { customer_id: customer, category: 'Amateur', guarantee_scope: 'run',
    min_per_performance_minor: 10_000, performances: ['2026-02-01', '2026-02-02'] });
};

beforeAll(async () => {
  const { db } = app.database;
  customer = await makeCustomer(db, 'US');
  await freshDeal();
  staff = await app.signedIn('staff_user', { permissions: ['license.list', 'license.show', 'license.update'] });
});

const path = (id?: number) => `/api/admin/staff/licenses/${deal.license_id}/box_office_reports${id ? `/${id}` : ''}`;
const figures = (gross_minor: number, n = 5) => ({ license_venue_id: deal.license_venue_id, scope: 'week',
  period_from: `2026-02-0${n}`,
  period_to: `2026-02-0${Math.max(n, 2)}`, gross_minor, currency: 'USD', performances_held: 2 });

describe('staff', () => {
  test('a grid by performance is entered, changed, asked back, submitted again and accepted', async () => {
    const rows = deal.performance_ids.map((performance_id, k) => ({ performance_id, seats_sold: 80, comps: 2,
      gross_minor: 100_000 * (k + 1), price_bands: [{ label: 'Stalls', price_minor: 1_250, seats_sold: 80 }] }));
    const bad = await staff.post(path(), { ...figures(1), scope: 'run', rows });
    expect(bad).toMatchObject({ status: 422, body: { errors: {
      gross_minor: ['The gross receipts of the performances don’t add up to the gross'] } } });
    const made = await staff.post(path(), { ...figures(300_000, 1), scope: 'run', rows });
    expect(made).toMatchObject({ status: 201, body: { data: { status: 'submitted', paid_admissions: 160,
      allowed_events: ['accept', 'query'] } } });
    const { id, version } = made.body.data;
    const silent = await staff.put(`${path(id)}/review`, { event: 'query', version });
    expect(silent).toMatchObject({ status: 422, body: { errors: { note: ['Write what is to be checked'] } } });
    const asked = await staff.put(`${path(id)}/review`, { event: 'query', version, note: 'Second night?' });
    expect(asked.body.data).toMatchObject({ status: 'queried', query_note: 'Second night?' });
    const early = await staff.put(`${path(id)}/review`, { event: 'accept', version: asked.body.data.version });
    expect(early).toMatchObject({ status: 409,
      body: { code: 'box_office_report.status_conflict', allowed: ['submit'] } });
    const old = await staff.put(path(id), { ...figures(280_000, 1), scope: 'run', version });
    expect(old.status).toBe(412);
    const changed = await staff.put(path(id), { ...figures(280_000, 1), scope: 'run', performances_held: 2,
      version: asked.body.data.version, deductions: [{ type: 'other', amount_minor: 5_000, note: 'Confetti' }] });
    expect(changed.body.data).toMatchObject({ status: 'submitted', rows: [], open_questions: 1,
      deductions: [{ type: 'other', allowed_minor: 0 }] });
    const done = await staff.put(`${path(id)}/review`, { event: 'accept', version: changed.body.data.version });
    expect(done.body.data).toMatchObject({ status: 'accepted', earned_minor: 30_800, allowed_events: [] });
    expect(done.body.data.invoice_number).toMatch(/^INV-US-/);
    expect(done.body.data.trace.length).toBeGreaterThan(0);
    const answered = await staff.put(`${path(id)}/questions/${done.body.data.questions[0].id}`,
      { answer: 'as_reported', note: 'Agreed' });
    expect(answered.body.data).toMatchObject({ open_questions: 0 });
    expect((await staff.put(path(id), { ...figures(1, 1), version: answered.body.data.version })).status).toBe(409);
  });

  test('a report is read by its own address as well as under its licence', async () => {
    const { body: { data } } = await staff.post(path(), figures(90_000, 9));
    const alone = await staff.get(`/api/admin/staff/box_office_reports/${data.id}`);
    expect(alone.body).toEqual((await staff.get(path(data.id))).body);
    // The quote's number gives way to the licence's own.
    await app.database.db.query(sql`update licenses set license_number = 'L-US-2026-909090'
      where id = ${deal.license_id}`);
    expect((await staff.get(path(data.id))).body.data.license_number).toBe('L-US-2026-909090');
    expect((await staff.get('/api/admin/staff/box_office_reports/999999')).status).toBe(404);
    expect((await staff.get(`/api/admin/staff/licenses/999999/box_office_reports/${data.id}`)).status).toBe(404);
  });

  test('the list filters by state, flag and licence; a wrong currency is refused at its field', async () => {
    const list = await staff.get(`/api/admin/staff/box_office_reports?license_id=${deal.license_id}&status=accepted`);
    expect(list.body.data).toHaveLength(1);
    expect((await staff.get('/api/admin/staff/box_office_reports?flag=minimum_pending')).body.data).toEqual([]);
    expect(await staff.post(path(), { ...figures(1), currency: 'GBP' })).toMatchObject({
      status: 422, body: { errors: { currency: ['The license is in USD'] } } });
    expect(await staff.post(path(), { ...figures(-1) })).toMatchObject({ status: 422 });
    const reader = await app.signedIn('staff_user', { permissions: ['license.show'] });
    expect((await reader.post(path(), figures(1))).status).toBe(403);
  });

  test('an estimate waits until the report is 30 days late, then bills the full house', async () => {
    const { db } = app.database;
    await freshDeal();
    await db.exec(sql`insert into license_venue_tickets (license_venue_id, number_of_seats, price_minor)
      values (${deal.license_venue_id}, 100, 2000)`);
    const row = await db.one<{ id: number }>(sql`
      insert into box_office_reports (license_id, license_venue_id, division, currency, scope, period_from, period_to,
        due_on, source) values (${deal.license_id}, ${deal.license_venue_id}, 'US', 'USD', 'week', '2026-02-01',
        '2026-02-02', '2026-11-10', 'schedule') returning id`);
    const early = await staff.put(`${path(row.id)}/review`, { event: 'estimate', version: 1 });
    expect(early).toMatchObject({ status: 409, body: { code: 'box_office_report.precondition' } });
    await db.exec(sql`update box_office_reports set due_on = '2026-02-09' where id = ${row.id}`);
    const done = await staff.put(`${path(row.id)}/review`, { event: 'estimate', version: 1 });
    expect(done.body.data).toMatchObject({ status: 'estimated', estimated: true, gross_minor: 400_000,
      earned_minor: 44_000 });
    const real = await staff.put(path(row.id), { ...figures(300_000), period_from: '2026-02-01',
      period_to: '2026-02-02', version: done.body.data.version });
    expect(real.body.data).toMatchObject({ status: 'submitted' });
    const final = await staff.put(`${path(row.id)}/review`, { event: 'accept', version: real.body.data.version });
    expect(final.body.data).toMatchObject({ status: 'accepted', earned_minor: 33_000 });
    const credit = await db.one<{ net_minor: number }>(sql`
      select net_minor from invoices where license_id = ${deal.license_id} and kind = 'credit_note'`);
    expect(credit.net_minor).toBe(11_000);
  });
});

describe('licensees', () => {
  const home = () => `/api/customers/${customer}/licenses/${deal.license_id}/box_office_reports`;

  test('a member keeps a draft, a signer submits it with a name', async () => {
    await freshDeal();
    const member = await app.signedIn('customer', { customers: [{ id: customer, role: 'member' }] });
    const signer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
    expect((await member.post(home(), figures(50_000, 1))).status).toBe(403);
    const draft = await member.post(home(), { ...figures(50_000, 1), draft: true });
    expect(draft.body.data).toMatchObject({ status: 'expected', source: 'portal', submitted_at: null });
    expect(draft.body.data).not.toHaveProperty('import_id');
    const at = `${home()}/${draft.body.data.id}`;
    const nameless = await signer.put(at, { ...figures(50_000, 1), version: 1 });
    expect(nameless).toMatchObject({ status: 422, body: { errors: { certified_name: ['Type your name'] } } });
    const sent = await signer.put(at, { ...figures(60_000, 1), version: 1, certified_name: 'Sam Signer' });
    expect(sent.body.data).toMatchObject({ status: 'submitted', certified_name: 'Sam Signer', gross_minor: 60_000 });
    const late = await signer.put(at, { ...figures(1, 1), version: sent.body.data.version, certified_name: 'Sam' });
    expect(late.status).toBe(409);
  });

  test('a file that is taken off a report is gone; a colleague’s stays until somebody takes it off', async () => {
    await freshDeal();
    const member = await app.signedIn('customer', { customers: [{ id: customer, role: 'member' }] });
    const signer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
    const upload = async (who: Browser): Promise<number> => (await who.call('POST',
      `/api/customers/${customer}/licenses/${deal.license_id}/box_office_files`, { multipart: { fields: {},
        file: { field: 'file', name: 'week.csv', type: 'text/csv', content: Buffer.from('Gross\n500.00\n') } } }))
      .body.data.file_id;
    const [mine, theirs] = [await upload(member), await upload(signer)];
    const { id, version } = (await member.post(home(), { ...figures(50_000, 1), draft: true,
      attachment_ids: [mine, theirs] })).body.data;
    const change = async (more: object, at: number) =>
      (await signer.put(`${home()}/${id}`, { ...figures(50_000, 1), draft: true, version: at, ...more })).body.data;
    const filesOf = (one: { attachments: { file_id: number }[] }) => one.attachments.map((file) => file.file_id);
    const untouched = await change({}, version);
    expect(filesOf(untouched)).toEqual([mine]);
    const both = await change({ attachment_ids: [mine, theirs] }, untouched.version);
    expect(filesOf(both)).toEqual([mine, theirs]);
    expect(filesOf(await change({ attachment_ids: [theirs] }, both.version))).toEqual([theirs]);
  });

  const fileReading = async (who: Browser, content: string): Promise<Answer> => {
    const files = `/api/customers/${customer}/licenses/${deal.license_id}/box_office_files`;
    const { body } = await who.call('POST', files, { multipart: { fields: {},
      file: { field: 'file', name: 'export.csv', type: 'text/csv', content: Buffer.from(content) } } });
    return who.post(`${files}/${body.data.file_id}/reading`, {});
  };

  test('an export of a system whose heads are known is read without a question', async () => {
    await freshDeal();
    const signer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
    await app.database.db.exec(sql`
      insert into box_office_reports (license_id, license_venue_id, division, currency, scope, period_from, period_to,
        due_on, source) values (${deal.license_id}, ${deal.license_venue_id}, 'US', 'USD', 'run', '2026-02-01',
        '2026-02-02', '2026-02-09', 'schedule')`);
    const heads = 'Venue,Production start date,Title,Paid value,Paid count,Complementary count,Seats left';
    const { body: { data } } = await fileReading(signer, `${heads}\nPlayhouse,2026-02-02,,1234.50,80,3,20\n`);
    expect(data).toMatchObject({ matched_by: 'system', system: 'PatronBase', missing: [], rows: [{ outcome: 'ready',
      gross_minor: 123_450, report: { paid_admissions: 80, complimentary: 3, license_venue_id: deal.license_venue_id },
    }] });
    // A head that is missing makes it no export of theirs.
    const { body: { data: other } } = await fileReading(signer, 'Venue,Title,Paid value\nPlayhouse,,1.00\n');
    expect(other).toMatchObject({ matched_by: 'heads', system: null });
  });

  test('the week of all venues is asked about before it is sent, and asking stores nothing', async () => {
    await freshDeal();
    const signer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
    const sent = await signer.post(home(), { ...figures(50_000, 1), certified_name: 'Sam Signer' });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    const count = async () => (await app.database.db.one<{ n: number }>(sql`
      select count(*)::int as n from box_office_reports where license_id = ${deal.license_id}`)).n;
    const before = await count();
    const asked = await signer.post(`/api/customers/${customer}/licenses/${deal.license_id}/box_office_checks`,
      { reports: [figures(60_000, 1), { ...figures(0, 1), performances_held: null }] });
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    const [first] = asked.body.data as { questions: { kind: string; held: boolean; question: string }[] }[];
    expect(first!.questions).toContainEqual(expect.objectContaining({ kind: 'overlap', held: true }));
    expect(asked.body.data).toHaveLength(2);
    expect(await count()).toBe(before);
  });

  test('a signer answers a held report: it replaces the other one, or counts for a reason', async () => {
    await freshDeal();
    const member = await app.signedIn('customer', { customers: [{ id: customer, role: 'member' }] });
    const signer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
    const send = async (gross: number) =>
      (await signer.post(home(), { ...figures(gross, 1), certified_name: 'Sam Signer' })).body.data;
    const first = await send(50_000);
    const second = await send(60_000);
    expect(second).toMatchObject({ status: 'submitted', held: true });
    const [question] = second.questions;
    const at = `${home()}/${second.id}/questions/${question.id}`;
    expect((await member.put(at, { answer: 'replace' })).status).toBe(403);
    const unexplained = await signer.put(at, { answer: 'add' });
    expect(unexplained).toMatchObject({ status: 422, body: { errors: { note: ['Enter a reason'] } } });
    const other = await signer.put(`${home()}/${first.id}/questions/${question.id}`, { answer: 'replace' });
    expect(other.status).toBe(404);
    const answered = await signer.put(at, { answer: 'replace' });
    expect(answered.body.data).toMatchObject({ held: false, open_questions: 0, replaces_report_id: first.id });
    const third = await send(20_000);
    const added = await signer.put(`${home()}/${third.id}/questions/${third.questions[0].id}`,
      { answer: 'add', note: 'Sold at the box office of the festival' });
    expect(added.body.data).toMatchObject({ held: false, added: true,
      add_reason: 'Sold at the box office of the festival' });
    const told = await app.database.db.query<{ body: string }>(sql`
      select body from notifications where title like 'The customer answered%' order by id`);
    expect(told.at(-1)?.body).toContain('Sold at the box office of the festival');
  });

  test("another house finds nothing, and someone else's licence is not there", async () => {
    const other = await makeCustomer(app.database.db, 'US');
    const stranger = await app.signedIn('customer', { customers: [{ id: other, role: 'admin' }] });
    expect((await stranger.get(home())).status).toBe(404);
    const crossed = `/api/customers/${other}/licenses/${deal.license_id}/box_office_reports`;
    expect((await stranger.get(crossed)).status).toBe(404);
  });
});
