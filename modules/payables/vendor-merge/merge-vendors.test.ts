/** A vendor entered twice becomes one: what was posted under either counts for the one that remains. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const US = { kind: 'us', account: '123456789', routing: '021000021' };
let ann: SignedIn;
let ben: SignedIn;
let cat: SignedIn;
let account = 0;
let bank = 0;
let from = 0;
let into = 0;
let names = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const versionOf = async (path: string): Promise<number> => data(await ann.get(path)).version;
async function merge(more: object = {}): Promise<Answer> {
  return ann.post(`${API}/vendors/${from}/merge`, { version: await versionOf(`${API}/vendors/${from}`),
    into_vendor_id: into, ...more });
}
const made = async (more: object = {}): Promise<number> => data(await ann.post(`${API}/vendors`, {
  name: `Alder ${names += 1}`, divisions: ['US'], default_currency: 'USD', payment_terms_days: 0, remit_to_address: {
    country_code: 'US', thoroughfare: '1 Mill Road', premise: '', locality: 'Keene', administrative_area: 'NH',
    postal_code: '03431' }, ...more })).id;
/** Written by Cat, verified by Ben. */
async function banked(vendor: number, details: object = US): Promise<void> {
  const path = `${API}/vendors/${vendor}`;
  data(await cat.put(`${path}/bank_details`, { version: await versionOf(path), ...details }));
  data(await ben.put(`${path}/bank_details/verify`, { version: await versionOf(path), note: 'Called the office' }));
}
async function bill(vendor: number, more: object = {}): Promise<{ id: number; version: number }> {
  return data(await ann.post(`${BOOKS}/bills`, { vendor_id: vendor, division: 'US', currency: 'USD',
    billed_on: '2026-11-02', lines: [{ ledger_account_id: account, description: 'Paper', net_minor: 60_000 }],
    ...more }));
}
async function approved(vendor: number, more: object = {}): Promise<{ id: number; open_item_id: number }> {
  const draft = await bill(vendor, more);
  const { version } = data(await ann.put(`${BOOKS}/bills/${draft.id}/submit`, { version: draft.version }));
  data(await ben.put(`${BOOKS}/bills/${draft.id}/approve`, { version }));
  return test.database.db.one(sql`select id, open_item_id from bills where id = ${draft.id}`);
}
async function run(item: number, method = 'ach') {
  return data(await ann.post(`${BOOKS}/payment_runs`, { bank_account_id: bank, method, due_by: '2026-12-31',
    value_on: '2026-12-01', parts: [{ open_item_id: item, amount_minor: 60_000 }] }));
}

beforeAll(async () => {
  [ann, ben, cat] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin'),
    await test.signedIn('staff_admin')];
  for (const one of [ann, ben, cat]) await one.confirm();
  account = (await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '6200'`)).id;
  bank = (await test.database.db.one<{ id: number }>(sql`
    select id from bank_accounts where division = 'US' and currency = 'USD' and is_default`)).id;
});
beforeEach(async () => { [from, into] = [await made(), await made()]; });

describe('merging two vendors', () => {
  it('is refused with the run named while one of them is in it, on either side', async () => {
    await banked(from);
    const open = await run((await approved(from)).open_item_id);
    const refused = await merge();
    expect([refused.status, refused.body.code]).toEqual([409, 'vendor.payment_waits']);
    expect(refused.body.message).toContain(`Payment run ${open.number}`);
    [from, into] = [into, from];
    expect((await merge()).body.message).toContain(`Payment run ${open.number}`);
    data(await ann.put(`${BOOKS}/payment_runs/${open.id}/void`, { version: open.version, reason: 'Entered twice' }));
    expect((await merge()).status).toBe(200);
  });

  it('takes bills, account, aging and drafts along; the ledger keeps what was posted', async () => {
    const posted = await approved(from, { vendor_number: 'A-1' });
    const own = await approved(into, { vendor_number: 'A-2', billed_on: '2026-11-03' });
    const draft = await bill(from, { billed_on: '2026-11-04' });
    expect(data(await merge())).toMatchObject({ id: into, drafts: 1, is_bank_waiting: false });
    const { name } = data(await ann.get(`${API}/vendors/${into}`));
    const rows = (await ann.get(`${BOOKS}/bills?vendor_id=${into}&sort_by=billed_on&sort_direction=asc`)).body.data;
    expect(rows.map((row: { id: number }) => row.id)).toEqual([posted.id, own.id, draft.id]);
    for (const row of rows) expect(row).toMatchObject({ vendor_id: into, vendor_name: name });
    const statement = data(await ann.get(`${BOOKS}/accounts_payable/vendors/${into}/statement?as_of=2026-11-20`));
    expect(statement.accounts).toMatchObject([{ total_minor: 120_000, ledger_minor: 120_000, ties: true }]);
    const aging = data(await ann.get(`${BOOKS}/accounts_payable/aging?division=US&as_of=2026-11-20`));
    expect(aging.rows.filter((row: { party_id: number }) => [from, into].includes(row.party_id)))
      .toMatchObject([{ party_id: into, party_name: name, total_minor: 120_000 }]);
    expect(await test.database.db.query(sql`
      select party_id from posted_entries where bill_id = ${posted.id} and party_type = 'vendor'`))
      .toEqual([{ party_id: from }]);
    const again = await ann.post(`${BOOKS}/bills`, { vendor_id: into, division: 'US', currency: 'USD',
      vendor_number: 'A 1', billed_on: '2026-11-05',
      lines: [{ ledger_account_id: account, description: 'Ink', net_minor: 100 }] });
    expect(again.body.code).toBe('bill.likely_duplicate');
    const gone = await ann.get(`${API}/vendors/${from}`);
    expect(gone.status).toBe(404);
    expect((await ann.get(`${API}/vendors/trash`)).body.data.map((row: { id: number }) => row.id)).not.toContain(from);
    expect((await ann.put(`${API}/vendors/${from}/restore`)).body.message).toContain(`merged into ${name}`);
  });

  it('bills of the merged one are paid to the account of the other, once another person confirmed it', async () => {
    await banked(from, { ...US, account: '987654321' });
    await banked(into);
    const posted = await approved(from);
    expect(data(await merge())).toMatchObject({ is_bank_waiting: true });
    const path = `${API}/vendors/${into}`;
    expect(data(await ann.get(path))).toMatchObject({ bank_account_last4: '6789', bank_verified_at: null });
    const open = await run(posted.open_item_id);
    expect(open.payments[0].held).toContain('not verified');
    const verify = { version: await versionOf(path), note: 'Called again' };
    expect((await ann.put(`${path}/bank_details/verify`, verify)).body.code).toBe('four_eyes');
    data(await ben.put(`${path}/bank_details/verify`, verify));
    const { version } = data(await ann.get(`${BOOKS}/payment_runs/${open.id}`));
    expect((await ann.put(`${BOOKS}/payment_runs/${open.id}/approve`, { version })).body.code).toBe('four_eyes');
    const done = data(await ben.put(`${BOOKS}/payment_runs/${open.id}/approve`, { version }));
    expect(done.payments).toMatchObject([{ payee_last4: '6789', status: 'approved' }]);
  });

  it('the account known for one alone is kept, unverified; the same account stays verified', async () => {
    await banked(from);
    expect(data(await merge())).toMatchObject({ is_bank_waiting: true });
    expect(data(await ann.get(`${API}/vendors/${into}`))).toMatchObject({ bank_account_last4: '6789',
      bank_verified_at: null, bank_written_by_id: ann.user_id });
    [from, into] = [await made(), await made()];
    for (const one of [from, into]) await banked(one);
    expect(data(await merge())).toMatchObject({ is_bank_waiting: false });
    expect(data(await ann.get(`${API}/vendors/${into}`)).bank_verified_at).not.toBeNull();
  });

  it('the year of both is one: reported with the vendor that remains', async () => {
    const year = { tax_form_type: 'w9', tax_1099_category: 'nec' };
    [from, into] = [await made(year), await made(year)];
    const items: number[] = [];
    for (const vendor of [from, into]) {
      const { open_item_id } = await approved(vendor, { lines: [{ ledger_account_id: account, description: 'Print',
        net_minor: 150_000 }] });
      await banked(vendor);
      items.push(open_item_id);
    }
    data(await merge());
    for (const open_item_id of items) {
      const paid = data(await ann.post(`${BOOKS}/accounts_payable/payments`, { party_type: 'vendor', party_id: into,
        method: 'wire', on: '2026-11-20', bank_account_id: bank, parts: [{ open_item_id, amount_minor: 150_000 }] }));
      const path = `${BOOKS}/payments/${paid.id}/status`;
      const { version } = data(await ben.put(path, { version: paid.version, status: 'approved' }));
      data(await ann.put(path, { version, status: 'posted', on: '2026-11-20' }));
    }
    const listed = (await ann.get(`${BOOKS}/payments?vendor_id=${into}`)).body.data;
    expect(new Set(listed.map((row: { party_id: number }) => row.party_id))).toEqual(new Set([into]));
    expect(listed).toHaveLength(2);
    const report = data(await ann.get(`${BOOKS}/reports/year_end_forms?division=US&year=2026`));
    const nec = report.forms.find((form: { form: string }) => form.form === '1099_nec');
    expect(nec.rows.filter(({ recipient }: { recipient: string }) =>
      [`vendor:${from}`, `vendor:${into}`].includes(recipient)))
      .toMatchObject([{ recipient: `vendor:${into}`,
        boxes: [{ box: '1', amount_minor: 300_000 }, { box: '4', amount_minor: 0 }] }]);
  });

  it.each([
    [{ tax_1099_category: 'nec' }, 'year-end reports of the two differ'],
    [{ active: false }, 'is inactive'],
  ])('is refused at the field where the other one is %j', async (other, words) => {
    into = await made(other);
    const refused = await merge();
    expect([refused.status, refused.body.errors.into_vendor_id[0]]).toEqual([422, expect.stringContaining(words)]);
  });

  it('is refused for itself, for two taxpayers, while a bill waits, and without the right', async () => {
    expect((await merge({ into_vendor_id: from })).body.errors.into_vendor_id).toEqual(['Choose another vendor']);
    for (const [vendor, tin] of [[from, '12-3456789'], [into, '98-7654321']] as const) {
      data(await ann.put(`${API}/vendors/${vendor}/tax_id`, { version: await versionOf(`${API}/vendors/${vendor}`),
        tin }));
    }
    expect((await merge()).body.errors.into_vendor_id[0]).toContain('different taxpayers');
    into = await made();
    const draft = await bill(from);
    const { number, version } = data(await ann.put(`${BOOKS}/bills/${draft.id}/submit`, { version: draft.version }));
    expect((await merge()).body).toMatchObject({ code: 'vendor.bill_submitted',
      message: expect.stringContaining(number) });
    data(await ben.put(`${BOOKS}/bills/${draft.id}/approve`, { version }));
    expect((await merge({ version: 1 })).status).toBe(412);
    const other = await test.signedIn('staff_user', { permissions: ['vendor.show'] });
    expect((await other.post(`${API}/vendors/${from}/merge`, { version: 1, into_vendor_id: into })).status).toBe(403);
    expect(data(await merge())).toMatchObject({ id: into });
  });
});
