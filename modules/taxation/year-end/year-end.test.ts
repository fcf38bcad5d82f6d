/** Year-end forms through the API: prepared by one person, marked filed by another, corrected afterwards. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeRoyaltor, makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { remindOfYearEnd } from './year-end-tasks.server.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const REPORT = `${BOOKS}/reports/year_end_forms`;
const FILINGS = `${BOOKS}/year_end_filings`;
let ann: SignedIn;
let bob: SignedIn;
let cat: SignedIn;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
async function textOf(file: Buffer): Promise<string> {
  const pdf = await getDocument({ data: new Uint8Array(file) }).promise;
  const { items } = await (await pdf.getPage(1)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ').replaceAll(/\s+/g, ' ');
}
const facts = (answer: Answer) => [answer.status, answer.body.code ?? answer.body.errors];

async function people(): Promise<void> {
  [ann, bob, cat] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin'),
    await test.signedIn('staff_admin')];
  for (const one of [ann, bob, cat]) await one.confirm();
}

const ADDRESS = { country_code: 'US', thoroughfare: '12 Mill Road', premise: '', locality: 'Keene',
  administrative_area: 'NH', postal_code: '03431' };

async function taxId(path: string, tin: string | null): Promise<void> {
  const { version } = data(await ann.get(path));
  data(await ann.put(`${path}/tax_id`, { version, tin }));
}

/** Paid an advance in November 2026; answers royaltor and payment. */
async function author(name: string, amount_minor: number, more: { country?: string; form?: string; tin?: string }) {
  const { db } = test.database;
  const { tin: _tin, ...profile } = more;
  const royaltor_id = await makeRoyaltor(db, { name, tin: false, ...profile });
  if (more.tin) await taxId(`${API}/royaltors/${royaltor_id}`, more.tin);
  await db.exec(sql`update royaltors set address = ${JSON.stringify({ ...ADDRESS,
    country_code: more.country ?? 'US' })}::jsonb where id = ${royaltor_id}`);
  const show = await makeShow(db, [{ rate_ppm: 1_000_000, royaltor_id }]);
  const advance = data(await ann.post(`${API}/royalty_advances`, { amount_minor, currency: 'USD', due_on: '2026-11-20',
    show_royaltor_id: show.parties[0]!.show_royaltor_id }));
  const batches = `${BOOKS}/royalty_payment_batches`;
  const batch = data(await ann.post(batches, { division: 'US', method: 'wire', pay_on: '2026-11-20',
    statement_ids: [], advance_ids: [advance.id] }));
  const approved = data(await bob.put(`${batches}/${batch.id}/approve`, { version: batch.version }));
  data(await ann.put(`${batches}/${batch.id}/pay`, { version: approved.version }));
  return royaltor_id;
}

/** A vendor paid by wire or card in November 2026. */
async function contractor(name: string, amount: number, more: { tin?: string; method?: string; vendor?: object }) {
  const vendor = data(await ann.post(`${API}/vendors`, { name, divisions: ['US'], default_currency: 'USD',
    address: ADDRESS, remit_to_address: ADDRESS, tax_form_type: 'w9', tax_1099_category: 'nec', ...more.vendor }));
  const path = `${API}/vendors/${vendor.id}`;
  const version = async () => data(await ann.get(path)).version;
  data(await cat.put(`${path}/bank_details`, { kind: 'us', account: '123456789', routing: '021000021',
    version: await version() }));
  data(await bob.put(`${path}/bank_details/verify`, { version: await version(), note: 'Called' }));
  if (more.tin) await taxId(path, more.tin);
  const { db } = test.database;
  const of = await db.one<{ account: number; expense: number }>(sql`
    select (select id from bank_accounts where division = 'US' and currency = 'USD' and is_default) as account,
      (select id from ledger_accounts where division = 'US' and code = '6200') as expense`);
  const draft = data(await ann.post(`${BOOKS}/bills`, { vendor_id: vendor.id, division: 'US', currency: 'USD',
    billed_on: '2026-11-02', vendor_number: name, lines: [{ ledger_account_id: of.expense, description: 'Work',
      net_minor: amount }] }));
  const asked = data(await ann.put(`${BOOKS}/bills/${draft.id}/submit`, { version: draft.version }));
  const bill = data(await bob.put(`${BOOKS}/bills/${draft.id}/approve`, { version: asked.version }));
  const { id: item } = await db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${bill.transaction_id} and party_type = 'vendor'`);
  const made = data(await ann.post(`${BOOKS}/accounts_payable/payments`, { bank_account_id: of.account,
    method: more.method ?? 'wire', party_type: 'vendor', party_id: vendor.id, on: '2026-11-20', memo: '',
    parts: [{ open_item_id: item, amount_minor: amount, discount_minor: 0 }] }));
  const status = async (to: string, by: SignedIn, body: object = {}) => data(await by.put(
    `${BOOKS}/payments/${made.id}/status`, { status: to,
      version: data(await ann.get(`${BOOKS}/payments/${made.id}`)).version, ...body }));
  await status('approved', bob);
  await status('posted', ann);
  return { vendor: vendor.id as number, payment: made.id as number, status };
}

const report = async () => data(await ann.get(`${REPORT}?division=US&year=2026`));
const sectionOf = async (form: string) => (await report()).forms.find((one: { form: string }) => one.form === form);
const boxesOf = (row: { boxes: { box: string; amount_minor: number }[] }) =>
  Object.fromEntries(row.boxes.map((box) => [box.box, box.amount_minor]));
const prepare = (form: string, by = ann) => by.post(FILINGS, { division: 'US', year: 2026, form });
let work: Awaited<ReturnType<typeof contractor>>;
let ada: number;

beforeAll(async () => {
  await people();
  ada = await author('Ada Author', 70_000, { tin: '900-70-1234' });
  await author('Dora Dramatist', 100_000, { country: 'DE', form: 'w8ben' });
  // The same person sells scripts as a vendor too: one form.
  await contractor('Ada Author LLC', 5_000, { tin: '900701234', vendor: { tax_1099_category: 'misc_royalties' } });
  work = await contractor('Lane Carpentry', 200_000, { tin: '80-7001234' });
  await contractor('Small Works', 199_999, { tin: '80-7005678' });
  await contractor('Carded Works', 300_000, { tin: '80-7009999', method: 'card' });
  await contractor('Owing Works', 250_000, { vendor: { tax_form_type: 'none' } });
}, 240_000);

describe('the forms of a year', () => {
  it('come from the payments, one for each tax id, over the report of tax withheld', async () => {
    const found = await report();
    expect(found.checks).toMatchObject([{ ok: true }, { ok: true }]);
    const rows = (form: string) => found.forms.find((one: { form: string }) => one.form === form).rows;
    expect(rows('1099_misc').map(boxesOf)).toEqual([{ 1: 0, 2: 75_000, 3: 0, 10: 0, 4: 0 }]);
    expect(rows('1099_misc')).toMatchObject([{ name: 'Ada Author', tin_last4: '1234', status: 'draft' }]);
    expect(rows('1099_nec').map((row: { name: string }) => row.name)).toEqual(['Lane Carpentry', 'Owing Works']);
    expect(rows('1042_s')).toMatchObject([{ name: 'Dora Dramatist', rate_ppm: 300_000 }]);
    expect(boxesOf(rows('1042_s')[0])).toEqual({ 2: 100_000, '7a': 30_000 });
    const withheld = data(await ann.get(`${BOOKS}/reports/withholding?division=US&year=2026`));
    expect(withheld.totals).toMatchObject([{ gross_minor: 170_000, withheld_minor: 30_000 }]);
    expect(found.left_out).toEqual([
      { reason: 'card', payments: 1, amount_minor: 300_000, withheld_minor: 0 },
      { reason: 'below_threshold', payments: 1, amount_minor: 199_999, withheld_minor: 0 }]);
    expect(found.problems.map((row: { name: string; problem: string }) => [row.name, row.problem])).toEqual([
      ['Owing Works', 'no_tax_form'], ['Owing Works', 'no_tax_id']]);
    expect(found.problems[0].href).toMatch(/^\/admin\/vendors\/\d+$/);
  });

  it('wait for the end of the year, then for a second person, and are frozen', async () => {
    expect(facts(await prepare('1099_nec'))).toEqual([409, 'year_end_filing.not_ready']);
    test.clock.set('2027-01-12T15:00:00Z');
    await people();
    const tasks = async (division = 'US') => data(await ann.get(`${API}/dashboard?division=${division}&all=true`))
      .todo.rows.filter((row: { kind: string }) => row.kind === 'year_end')
      .map((row: { title: string; detail: string; due_on: string }) => [row.title, row.detail, row.due_on]);
    expect(await tasks()).toEqual([['Prepare 1099-NEC of 2026', '2 payees', '2027-01-31'],
      ['Prepare 1099-MISC of 2026', '1 payee', '2027-01-31'], ['Prepare 1042-S of 2026', '1 payee', '2027-03-15']]);
    // Nobody in PROD reaches a form: nothing could be prepared, so nothing is asked for.
    expect(await tasks('PROD')).toEqual([]);
    await remindOfYearEnd(test.ports);
    await remindOfYearEnd(test.ports);
    expect(data(await ann.get(`${API}/notifications?kind=closing.due&per_page=50`)).filter((one: { title: string }) =>
      one.title === 'Prepare 1099-NEC of 2026 for US')).toHaveLength(1);
    const filing = data(await prepare('1099_nec'));
    expect((await tasks()).map(([title]: string[]) => title)).toEqual(
      ['Prepare 1099-MISC of 2026', 'Prepare 1042-S of 2026']);
    expect(filing).toMatchObject({ status: 'prepared', sequence: 0, forms: 2, layout_confirmed: false });
    expect(facts(await prepare('1099_nec', bob))).toEqual([409, 'year_end_filing.not_ready']);
    expect(facts(await ann.put(`${FILINGS}/${filing.id}/file`, { version: filing.version })))
      .toEqual([409, 'four_eyes']);
    data(await bob.put(`${FILINGS}/${filing.id}/file`, { version: filing.version, receipt: 'IRIS-1' }));
    await test.database.db.exec(sql`update vendors set address = null where id = ${work.vendor}`);
    const [lane] = (await sectionOf('1099_nec')).rows;
    expect(lane).toMatchObject({ status: 'filed', address: ['12 Mill Road', 'Keene, NH 03431'] });
    expect(data(await ann.get(`${BOOKS}/year_end_forms/${lane.id}`)).paid).toMatchObject([
      { payment_id: work.payment, box: '1', amount_minor: 200_000 }]);
    await expect(test.database.owner.exec(sql`delete from year_end_forms where id = ${lane.id}`)).rejects
      .toThrow('never change');
    await expect(test.database.owner.exec(sql`update year_end_filings set receipt = 'x' where id = ${filing.id}`))
      .rejects.toThrow('never changes');
  });

  it('are corrected where a payment came back, the old form and the correction both shown', async () => {
    await work.status('returned', bob, { reason: 'Account closed' });
    expect((await sectionOf('1099_nec')).next).toBe(1);
    const filing = data(await prepare('1099_nec'));
    expect(filing).toMatchObject({ sequence: 1, forms: 1 });
    const { rows, totals } = await sectionOf('1099_nec');
    expect(rows.map((row: never) => [(row as { kind: string }).kind, boxesOf(row)[1]])).toEqual([
      ['original', 200_000], ['original', 250_000], ['correction', 0]]);
    expect(totals[0]).toMatchObject({ box: '1', amount_minor: 250_000 });
    data(await bob.put(`${FILINGS}/${filing.id}/file`, { version: filing.version }));
    expect(facts(await prepare('1099_nec'))).toEqual([409, 'year_end_filing.not_ready']);
  });

  it('refuse to be marked filed when something changed since, and are withdrawn', async () => {
    const filing = data(await prepare('1099_misc'));
    await taxId(`${API}/royaltors/${ada}`, '900-70-4321');
    expect(facts(await bob.put(`${FILINGS}/${filing.id}/file`, { version: filing.version })))
      .toEqual([409, 'year_end_filing.changed']);
    expect((await ann.put(`${FILINGS}/${filing.id}/withdraw`, { version: filing.version, reason: 'Anew' })).status)
      .toBe(204);
    expect((await sectionOf('1099_misc')).filings).toEqual([]);
    await taxId(`${API}/royaltors/${ada}`, '900-70-1234');
  });
});

describe('files', () => {
  it('are CSV with the boxes as heads, whole tax numbers for who may write them alone, and a masked PDF', async () => {
    const filing = data(await prepare('1099_misc'));
    const masked = await ann.get(`${REPORT}/export?division=US&year=2026&form=1099_misc`);
    expect(masked.headers['content-disposition']).toContain('1099-misc-us-2026-unverified.csv');
    const [head, line] = masked.raw.toString().split('\r\n');
    expect(head).toContain('1 Rents,2 Royalties,3 Other income,4 Federal income tax withheld,'
      + '10 Gross proceeds paid to an attorney');
    expect(line).toContain('***-**-1234,Ada Author,12 Mill Road');
    expect(line).toMatch(/,0\.00,750\.00,0\.00,0\.00,0\.00$/);
    const csv = `${FILINGS}/${filing.id}/csv`;
    expect((await ann.get(csv)).raw.toString()).toContain('900-70-1234,Ada Author');
    const clerk = await test.signedIn('staff_user', { permissions: ['transaction.update', 'vendor.update'] });
    expect((await clerk.get(csv)).status).toBe(403);
    const [form] = (await sectionOf('1099_misc')).rows;
    const copy = await ann.get(`${BOOKS}/year_end_forms/${form.id}/recipient_copy`);
    const words = await textOf(copy.raw);
    expect(words).toContain('***-**-1234');
    expect(words).toContain('USD 750.00');
    expect(words).not.toMatch(/900-?70-?1234/);
  });

  it('keep their layout unverified until a person confirms it; a change is a new revision', async () => {
    const { layout } = await sectionOf('1042_s');
    const columns = layout.columns.map((column: { key: string; head: string }) => (column.key === 'box_2'
      ? { ...column, head: '2 Gross income, USD' } : column));
    const path = `${BOOKS}/year_end_layouts`;
    const changed = data(await ann.put(`${path}/${layout.id}`, { version: layout.version, tax_year: 2026, columns }));
    expect(changed).toMatchObject({ revision: 3, confirmed_at: null });
    expect((await ann.put(`${path}/${layout.id}`, { version: layout.version, tax_year: 2026, columns })).status)
      .toBe(412);
    const confirmed = data(await ann.put(`${path}/${changed.id}/confirm`, { version: changed.version }));
    expect(confirmed.confirmed_by_name).not.toBeNull();
    expect(facts(await ann.put(`${path}/${changed.id}/confirm`, { version: confirmed.version })))
      .toEqual([409, 'year_end_layout.confirmed']);
    const csv = await ann.get(`${REPORT}/export?division=US&year=2026&form=1042_s`);
    expect(csv.headers['content-disposition']).toContain('1042-s-us-2026-draft.csv');
    const [heads, ...rows] = csv.raw.toString().trim().split(/\r?\n/).map((line) =>
      [...line.matchAll(/(?:^|,)("[^"]*"|[^,]*)/g)].map((found) => found[1]));
    const cell = (head: string): string | undefined => rows[0]![heads!.findIndex((one) => one?.includes(head))];
    expect(cell('2 Gross income')).toBeDefined();
    expect(['4a Exemption', '4b Tax', '13b', '13f', '13g'].map(cell)).toEqual(['16', '00.00', 'GM', '16', '23']);
  });

  it('are one CSV of royalties paid in the UK and the EU', async () => {
    const csv = (await ann.get(`${REPORT}/export?division=UK&year=2026`)).raw.toString();
    expect(csv).toContain('Royaltor,Street,Town,Country of residence,Resident,Tax number,Payments,Currency,Gross,'
      + 'Tax withheld,Paid');
    expect((await ann.get(`${REPORT}/export?division=UK&year=2026&form=1042_s`)).body.errors).toHaveProperty('form');
  });
});

describe('thresholds', () => {
  it('are entered from a tax year on and corrected, each year once', async () => {
    const path = `${BOOKS}/year_end_thresholds`;
    const rule = { form: '1099_nec', box: '1', from_year: 2027, threshold_minor: 210_000, source: 'IRS' };
    const made = data(await ann.post(path, rule));
    expect((await ann.post(path, rule)).body.errors).toHaveProperty('from_year');
    expect((await ann.post(path, { ...rule, box: '4', from_year: 2028 })).body.errors).toHaveProperty('box');
    const body = { threshold_minor: 205_000, source: 'IRS', version: made.version };
    expect(data(await ann.put(`${path}/${made.id}`, body))).toMatchObject({ threshold_minor: 205_000, version: 2 });
    expect((await ann.put(`${path}/${made.id}`, body)).status).toBe(412);
    const years = (await report()).thresholds.filter((row: { form: string }) => row.form === '1099_nec');
    expect(years.map((row: { from_year: number; threshold_minor: number }) => [row.from_year, row.threshold_minor]))
      .toEqual([[2027, 205_000], [2026, 200_000], [1990, 60_000]]);
  });
});
