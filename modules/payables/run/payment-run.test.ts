/** A payment run from what is due to the bank's answer: by two people, to the accounts that were approved, once. */
// cspell:ignore Aßmann COBADEFFXXX ACSC RJCT Cstmr Orgnl
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { ok } from '#tests/support/payment-runs.ts';
import { command } from '#tests/support/receivables.ts';
import { postPaymentRuns } from './settle-run.server.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/payment_runs`;
const VENDORS = '/api/admin/staff/vendors';
let ann: SignedIn;
let ben: SignedIn;
let cat: SignedIn;
const accounts = new Map<string, number>();

let valueOn = '2026-11-26';

/** Three other persons, signed in on that day; runs made from then on are paid on the later one. */
async function onDay(day: string, later: string): Promise<void> {
  test.clock.set(`${day}T15:00:00Z`);
  [ann, ben, cat] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin'),
    await test.signedIn('staff_admin')];
  for (const one of [ann, ben, cat]) await one.confirm();
  valueOn = later;
}

beforeAll(async () => {
  await onDay('2026-11-20', '2026-11-26');
  const { body } = await ann.get(`${BASE}/bank_accounts?per_page=100`);
  for (const row of body.data) accounts.set(`${row.division} ${row.currency}`, row.id);
  const number = async (key: string, of: object) => {
    const id = accounts.get(key)!;
    const { version } = (await ann.get(`${BASE}/bank_accounts/${id}`)).body.data;
    const answer = await ann.put(`${BASE}/bank_accounts/${id}/number`, { version, ...of });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  await number('US USD', { kind: 'us', account: '7445678999', routing: '231380104' });
  await number('EU EUR', { kind: 'iban', account: 'DE89370400440532013000', routing: null });
  await number('UK GBP', { kind: 'uk', account: '66374958', routing: '089999' });
});

const DETAILS = {
  US: { kind: 'us', account: '123456789', routing: '021000021' },
  EU: { kind: 'iban', account: 'DE02120300000000202051' },
  UK: { kind: 'uk', account: '66374958', routing: '089999' },
} as const;
type Division = keyof typeof DETAILS;
const CURRENCY = { US: 'USD', EU: 'EUR', UK: 'GBP' } as const;
const COUNTRY = { US: 'US', EU: 'DE', UK: 'GB' } as const;
let names = 0;

interface Vendor { id: number; name: string; division: Division }
/** A vendor whose bank details Cat wrote and Ben verified. */
async function vendor(division: Division = 'US', name = `Vendor ${(names += 1)}`): Promise<Vendor> {
  const made = await ann.post(VENDORS, { name, divisions: [division], default_currency: CURRENCY[division],
    remit_to_address: { country_code: COUNTRY[division], thoroughfare: 'Mill Road 1', premise: '', locality: 'Keene',
      administrative_area: division === 'US' ? 'NH' : '', postal_code: division === 'US' ? '03431' : '10115' } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await changeBank(made.body.data.id, DETAILS[division]);
  await verify(made.body.data.id);
  return { id: made.body.data.id, name, division };
}
const versionOf = async (id: number) => (await ann.get(`${VENDORS}/${id}`)).body.data.version;
async function changeBank(id: number, details: object, by = cat): Promise<void> {
  const answer = await by.put(`${VENDORS}/${id}/bank_details`, { ...details, version: await versionOf(id) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
async function verify(id: number, by = ben): Promise<void> {
  const answer = await by.put(`${VENDORS}/${id}/bank_details/verify`, { version: await versionOf(id),
    note: 'Called the office' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

let source = 500_000;
async function bill(of: Vendor, amount: number, due = '2026-11-20'): Promise<number> {
  source += 1;
  const line = (account: string, minor: number) => ({ account, currency: CURRENCY[of.division], amount: BigInt(minor),
    base: BigInt(minor), ...(account === '2000' ? { party: { type: 'vendor' as const, id: of.id }, due_date: due }
      : {}) });
  const { transaction_id } = await command(test.ports, (ctx) => postJournal(ctx.db, { division: of.division,
    kind: 'bill', transaction_at: '2026-11-02', description: `Bill ${source}`,
    source: { type: 'bill', id: source, event: 'approved', attempt: 1 },
    lines: [line('6200', amount), line('2000', -amount)] }));
  return (await test.database.db.one<{ id: number }>(sql`select id from open_items where transaction_id =
    ${transaction_id}`)).id;
}
const METHOD = { US: 'ach', EU: 'sepa', UK: 'bacs' } as const;
const part = (open_item_id: number, amount_minor: number) => ({ open_item_id, amount_minor });
const ask = (division: Division, parts: object[], more: object = {}, by = ann) => by.post(PATH, {
  bank_account_id: accounts.get(`${division} ${CURRENCY[division]}`), method: METHOD[division],
  due_by: '2026-11-30', value_on: valueOn, parts, ...more });
async function made(division: Division, parts: object[], more: object = {}) {
  const answer = await ask(division, parts, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const act = async (id: number, what: string, by = ben, more: object = {}) => {
  const { version } = (await ann.get(`${PATH}/${id}`)).body.data;
  return by.put(`${PATH}/${id}/${what}`, { version, ...more });
};
async function done(id: number, what: string, by = ben, more: object = {}) {
  const answer = await act(id, what, by, more);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}
async function profile(key: string, of: object): Promise<void> {
  const path = `${BASE}/bank_accounts/${accounts.get(key)}/payment_files`;
  const { version } = (await ann.get(path)).body.data;
  const answer = await ann.put(path, { version, originator_name: 'Grand Rights', ...of });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
const open = async (id: number) => (await test.database.db.one<{ open: number }>(sql`
  select -open_minor as open from open_items where id = ${id}`)).open;
const answerOf = (id: number, name: string, content: string) => ann.call('POST', `${PATH}/${id}/answer`, {
  multipart: { fields: {}, file: { field: 'file', name, type: 'text/plain', content: Buffer.from(content) } } });

describe('a payment run by ACH', () => {
  it('pays what is due once, on its settlement day, after two people and the file', async () => {
    const [a, b] = [await vendor(), await vendor()];
    const [first, credit] = [await bill(a, 15_000), await bill(a, -7_000)];
    const second = await bill(b, 60_000, '2026-12-24');
    const { body } = await ann.get(`${PATH}/payables?bank_account_id=${accounts.get('US USD')}&due_by=2026-11-30`);
    const due = body.data.payees.find((one: { name: string }) => one.name === a.name);
    const items = due.items.map((one: { amount_minor: number; is_due: boolean }) => [one.amount_minor, one.is_due]);
    expect([due.held, items]).toEqual([null, [[15_000, true], [-7_000, true]]]);
    expect(body.data.payees.find((one: { name: string }) => one.name === b.name).items[0].is_due).toBe(false);
    const run = await made('US', [part(first, 15_000), part(credit, -7_000), part(second, 60_000)]);
    expect(run).toMatchObject({ status: 'draft', payment_count: 2, total_minor: 68_000 });
    expect(run.missing).toContain('company id');
    expect((await act(run.id, 'approve', ann)).body.code).toBe('four_eyes');
    await done(run.id, 'approve');
    expect([await open(first), await open(second)]).toEqual([15_000, 60_000]);
    expect((await act(run.id, 'export', ann)).body.code).toBe('payment_run.file');
    await profile('US USD', { company_id: '1123456789', destination_routing: '231380104',
      destination_name: 'First Bank', balanced: false });
    const exported = await done(run.id, 'export', ann);
    expect(exported).toMatchObject({ status: 'exported', value_on: '2026-11-27' });
    expect(exported.value_moved).toContain('November 26, 2026');
    await test.database.db.exec(sql`update vendors set email = 'office@alder.example' where id = ${a.id}`);
    const tell = async () => (await ann.post(`${PATH}/${run.id}/remittances`)).body.data;
    expect(await tell()).toEqual({ sent: 1, without_address: [b.name] });
    expect(await tell()).toEqual({ sent: 0, without_address: [b.name] });
    const files = [await ann.get(`${PATH}/${run.id}/file`), await ben.get(`${PATH}/${run.id}/file`)];
    expect(files[0]!.raw.equals(files[1]!.raw)).toBe(true);
    expect(createHash('sha256').update(files[0]!.raw).digest('hex')).toBe(exported.file_sha256);
    const shown = (await ann.get(`${PATH}/${run.id}`)).body.data;
    expect(shown.downloads).toHaveLength(2);
    expect((await act(run.id, 'export', ann)).body.code).toBe('payment_run.status');
    expect(await postPaymentRuns(test.ports)).toBe(0);
    await onDay('2026-11-27', '2026-12-02');
    await Promise.all([postPaymentRuns(test.ports), postPaymentRuns(test.ports)]);
    expect([await open(first), await open(credit), await open(second)]).toEqual([0, 0, 0]);
    expect((await ann.get(`${PATH}/${run.id}`)).body.data).toMatchObject({ status: 'posted' });
    const returned = shown.payments.find((one: { party_name: string }) => one.party_name === b.name);
    const { bank_reference } = await test.database.db.one<{ bank_reference: string }>(sql`
      select bank_reference from payments where id = ${returned.id}`);
    const back = nachaReturn(files[0]!.raw.toString(), bank_reference);
    const answer = await answerOf(run.id, 'returns.ach', back);
    expect(answer.body.data).toMatchObject({ settled: 0, rejected: 1, changed: 0, unknown: 0 });
    expect(await open(second)).toBe(60_000);
    expect((await ann.get(`${VENDORS}/${b.id}`)).body.data.bank_verified_at).toBeNull();
    expect((await answerOf(run.id, 'returns.ach', back)).body.data.rejected).toBe(0);
    const task = async () => (await ann.get('/api/admin/staff/dashboard?division=US')).body.data.todo.rows
      .find((row: { kind: string }) => row.kind === 'returned_payment');
    expect(await task()).toMatchObject({ title: `Payment came back: ${returned.number}`, entity_id: returned.id,
      detail: `${b.name}, R03 No account, or unable to locate it`, due_on: '2026-11-27', minor: 60_000 });
    await verify(b.id);
    expect(await task()).toBeUndefined();
    expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);
  });

  it('names a bill to its vendor by the number that the vendor gave it', async () => {
    const of = await vendor();
    const bills = `${BASE}/bills`;
    const { body: { data: choices } } = await ann.get(`${bills}/choices?division=US&on=2026-11-02`);
    const { body: { data: draft } } = await ann.post(bills, { vendor_id: of.id, division: 'US', currency: 'USD',
      billed_on: '2026-11-02', vendor_number: 'ALD-4471', lines: [{ description: 'Printing', net_minor: 9_900,
        ledger_account_id: choices.accounts.find((one: { code: string }) => one.code === '6200').id }] });
    const { body: { data: submitted } } = await ann.put(`${bills}/${draft.id}/submit`, { version: draft.version });
    const { body: { data: approved } } = await ben.put(`${bills}/${draft.id}/approve`, { version: submitted.version });
    const { id: item } = await test.database.db.one<{ id: number }>(sql`
      select id from open_items where transaction_id = ${approved.transaction_id}`);
    const run = await made('US', [part(item, 9_900)]);
    await done(run.id, 'approve');
    await done(run.id, 'export', ann);
    expect((await ann.get(`${PATH}/${run.id}/file`)).raw.toString()).toContain('RMR*IV*ALD-4471**99.00');
  });

  it('is taken by one of eight runs that choose the same bill at once', async () => {
    const of = await vendor();
    const item = await bill(of, 60_000);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('US', [part(item, 60_000)])));
    expect(answers.filter((one) => one.status === 201)).toHaveLength(1);
    expect(answers.filter((one) => one.status === 409).map((one) => one.body.code))
      .toEqual(Array.from({ length: 7 }, () => 'payment.item_taken'));
  });

  it('settles on the day that its file will say, from the moment it is made', async () => {
    const of = await vendor();
    const saturday = await made('US', [part(await bill(of, 4_400), 4_400)], { value_on: '2026-11-28' });
    expect(saturday).toMatchObject({ value_on: '2026-11-30',
      value_moved: 'November 28, 2026 is not a settlement day (Saturday).' });
    const christmas = await ann.put(`${PATH}/${saturday.id}`, { version: saturday.version, due_by: '2026-11-30',
      value_on: '2026-12-25', parts: [part(await bill(of, 4_500), 4_500)] });
    expect(christmas.body.data).toMatchObject({ value_on: '2026-12-28', status: 'draft' });
    // A file of today is too late for today: said, and moved, when the run is made.
    const item = await bill(of, 4_600);
    expect(await made('US', [part(item, 4_600)], { value_on: '2026-11-27' })).toMatchObject({ value_on: '2026-11-30',
      value_moved: 'A file written on November 27, 2026 settles on November 30, 2026 at the earliest.' });
    expect((await ask('US', [part(item, 4_600)], { value_on: '2026-11-26' })).body.errors)
      .toEqual({ value_on: ['The value date is today or later'] });
    const form = async (key: string, more: string) => (await ann.get(
      `${PATH}/payables?bank_account_id=${accounts.get(key)}&due_by=2026-11-30&${more}`)).body.data;
    expect(await form('UK GBP', 'value_on=2026-11-30&method=bacs')).toMatchObject({ value_on: '2026-12-01',
      hand_in_by: '2026-11-27', value_moved: expect.stringContaining('1 December 2026 at the earliest') });
    expect(await form('US USD', 'value_on=2026-11-27&same_day=true')).toMatchObject({ value_on: '2026-11-27',
      hand_in_by: '2026-11-27', value_moved: null });
    expect((await form('US USD', 'value_on=2026-11-27&method=wire')).hand_in_by).toBeNull();
  });

  it('settles at the earliest when its rail can, files of today or at once', async () => {
    await onDay('2026-11-27', '2026-12-02');
    const day = async (division: Division, value_on: string, more: object = {}) => {
      const run = await made(division, [part(await bill(await vendor(division), 3_100), 3_100)], { value_on, ...more });
      return run.value_on;
    };
    // A file of Friday 27 November; wires and checks are for the day that a person chose, a Saturday too.
    expect([await day('US', '2026-11-27'), await day('US', '2026-11-27', { same_day: true }),
      await day('EU', '2026-11-27'), await day('UK', '2026-11-27'), await day('UK', '2026-11-27', { same_day: true }),
      await day('US', '2026-11-28', { method: 'wire' }), await day('US', '2026-11-28', { method: 'check' })])
      .toEqual(['2026-11-30', '2026-11-27', '2026-11-30', '2026-12-01', '2026-12-01', '2026-11-28', '2026-11-28']);
    // A bank holiday that is proclaimed is entered for the UK: BACS keeps it, the other rails do not.
    const { body: { data: holiday } } = ok(await ann.post(`${BASE}/holidays`, { division: 'UK', on: '2026-12-01',
      name: 'Coronation' }));
    expect([await day('UK', '2026-11-27'), await day('US', '2026-12-01'), await day('EU', '2026-12-01')])
      .toEqual(['2026-12-02', '2026-12-01', '2026-12-01']);
    await profile('UK GBP', { service_user: '123456' });
    const run = await made('UK', [part(await bill(await vendor('UK'), 3_200), 3_200)], { value_on: '2026-12-02' });
    await done(run.id, 'approve');
    expect(await done(run.id, 'export', ann)).toMatchObject({ value_on: '2026-12-02', value_moved: null });
    // Processed on Monday 30 November, day 334, the last day on which banks are open before the value date.
    expect((await ann.get(`${PATH}/${run.id}/file`)).raw.toString().split('\r\n')
      .find((line: string) => line.startsWith('UHL1'))).toContain('UHL1 26334');
    expect((await ann.remove(`${BASE}/holidays/${holiday.id}`)).status).toBe(204);
  });

  it('names the way that was agreed with a payee where the run pays another one', async () => {
    const of = await vendor();
    await bill(of, 8_800);
    const agreed = async (method: string) => {
      await test.database.db.exec(sql`update vendors set payment_method = ${method} where id = ${of.id}`);
      const { body } = await ann.get(`${PATH}/payables?bank_account_id=${accounts.get('US USD')}&due_by=2026-11-30`);
      return body.data.payees.find((one: { name: string }) => one.name === of.name).other_method;
    };
    expect([await agreed('check'), await agreed('ach'), await agreed('sepa')]).toEqual(['check', null, null]);
  });

  it('answers 409 and names the payee whose account was changed after the approval', async () => {
    const of = await vendor();
    const run = await made('US', [part(await bill(of, 120_000), 120_000)]);
    await done(run.id, 'approve');
    await changeBank(of.id, { kind: 'us', account: '987654321', routing: '021000021' });
    await verify(of.id);
    const refused = await act(run.id, 'export', ann);
    expect([refused.status, refused.body.code]).toEqual([409, 'payment_run.payee_changed']);
    expect(refused.body.message).toContain(of.name);
  });

  it('neither pays a vendor without bank details nor takes an account number whose digits do not agree', async () => {
    const { body: { data: { id } } } = await ann.post(VENDORS, { name: 'No Account', divisions: ['US'],
      default_currency: 'USD' });
    const item = await bill({ id, name: 'No Account', division: 'US' }, 4_400);
    const held = async (account: string, more = '') => {
      const { body } = await ann.get(`${PATH}/payables?bank_account_id=${accounts.get(account)}&due_by=2026-11-30${
        more}`);
      return body.data.payees.find((one: { party_id: number }) => one.party_id === id)?.held;
    };
    const missing = 'No bank details. Add them and have a second person verify them.';
    const byCheck = 'Paid by check. Choose that method to pay them.';
    expect([await held('US USD'), await held('US USD', '&method=wire'), await held('US USD', '&method=check')])
      .toEqual([byCheck, byCheck, 'No mailing address for checks. Add one to the payee.']);
    await test.database.db.exec(sql`update vendors set payment_method = 'ach' where id = ${id}`);
    expect(await held('US USD')).toBe(missing);
    const run = await made('US', [part(item, 4_400)]);
    const refused = await act(run.id, 'approve');
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('No Account: No bank')]);
    for (const details of [{ kind: 'iban', account: 'DE88370400440532013000' },
      { kind: 'us', account: '123456789', routing: '021000022' }]) {
      const answer = await cat.put(`${VENDORS}/${id}/bank_details`, { ...details, version: await versionOf(id) });
      expect([answer.status, Object.keys(answer.body.errors)])
        .toEqual([422, [details.kind === 'iban' ? 'account' : 'routing']]);
    }
    await done(run.id, 'void', ben, { reason: 'No account' });
  });

  it('is not approved by who changed the bank details of a payee that was not paid since', async () => {
    const run = await made('US', [part(await bill(await vendor(), 5_000), 5_000)]);
    expect((await act(run.id, 'approve', cat)).body.code).toBe('four_eyes');
  });

  it('names a payee without verified bank details, and is a draft again once it is changed', async () => {
    const of = await vendor();
    const [item, other] = [await bill(of, 5_000), await bill(of, 700)];
    await changeBank(of.id, { kind: 'us', account: '55554444', routing: '021000021' });
    const run = await made('US', [part(item, 5_000)]);
    const refused = await act(run.id, 'approve');
    expect([refused.body.code, refused.body.message.includes(of.name)]).toEqual(['payment_run.payee', true]);
    await verify(of.id);
    await done(run.id, 'approve');
    const { version } = (await ann.get(`${PATH}/${run.id}`)).body.data;
    const changed = await ben.put(`${PATH}/${run.id}`, { version, due_by: '2026-11-30', value_on: valueOn,
      parts: [part(item, 5_000), part(other, 700)] });
    expect(changed.body.data).toMatchObject({ status: 'draft', total_minor: 5_700, approved_at: null });
    expect((await act(run.id, 'approve')).body.code).toBe('four_eyes');
    await done(run.id, 'void', ben, { reason: 'Not this week' });
    expect((await ask('US', [part(item, 5_000)])).status).toBe(201);
  });
});

describe('other rails', () => {
  it('SEPA writes pain.001, and the status report settles and rejects', async () => {
    const [a, b] = [await vendor('EU', 'Aßmann & Söhne'), await vendor('EU')];
    const [first, second] = [await bill(a, 10_000), await bill(b, 20_000)];
    const run = await made('EU', [part(first, 10_000), part(second, 20_000)]);
    await profile('EU EUR', { bic: 'COBADEFFXXX' });
    const { data: preview } = (await ann.get(`${PATH}/${run.id}/file-preview`)).body;
    expect(preview.issues).toEqual([]);
    expect(preview.changes).toContainEqual(expect.objectContaining({ payee: 'Aßmann & Söhne' }));
    await done(run.id, 'approve');
    await done(run.id, 'export', ann);
    const text = (await ann.get(`${PATH}/${run.id}/file`)).raw.toString();
    expect(text).toContain('pain.001.001.09');
    const ids = new Map(run.payments.map((one: { party_name: string; number: string }) => [one.party_name,
      one.number.replaceAll('-', '')]));
    const report = painStatus(run.number, [[ids.get(a.name) as string, 'ACSC'], [ids.get(b.name) as string, 'RJCT']]);
    expect((await answerOf(run.id, 'status.xml', report)).body.data).toMatchObject({ settled: 1, rejected: 1 });
    await onDay('2026-12-02', '2026-12-08');
    await postPaymentRuns(test.ports);
    const rows = (await ann.get(`${PATH}/${run.id}`)).body.data.payments;
    expect(rows.map((one: { status: string; outcome: string }) => [one.status, one.outcome]))
      .toEqual([['cleared', 'settled'], ['void', 'rejected']]);
    const { number } = run.payments.find((one: { party_name: string }) => one.party_name === b.name);
    expect((await ann.get(`/api/admin/staff/accounting/payments?search=${number}`)).body.data)
      .toMatchObject([{ status: 'void', outcome: 'rejected' }]);
    expect([await open(first), await open(second)]).toEqual([0, 20_000]);
  });

  it('BACS writes Standard 18 for the payees, and one that is canceled leaves the run', async () => {
    const [a, b] = [await vendor('UK'), await vendor('UK')];
    const [first, second] = [await bill(a, 10_000), await bill(b, 20_000)];
    const run = await made('UK', [part(first, 10_000), part(second, 20_000)]);
    await profile('UK GBP', { service_user: '123456' });
    await done(run.id, 'approve');
    await done(run.id, 'export', ann);
    expect((await ann.get(`${PATH}/${run.id}/file`)).raw.toString()).toMatch(/^VOL1/);
    const gone = run.payments.find((one: { party_name: string }) => one.party_name === b.name);
    await done(run.id, `payments/${gone.id}/cancel`, ben, { reason: 'Recalled' });
    const { after } = await test.database.db.one<{ after: object }>(sql`select after from audit_events
      where entity = 'payment_run' and entity_id = ${run.id} and action = 'cancel_payment'`);
    expect(after).toMatchObject({ payment: gone.number, recall_from: `${run.number}.txt` });
    await onDay('2026-12-08', '2026-12-10');
    await postPaymentRuns(test.ports);
    expect([await open(first), await open(second)]).toEqual([0, 20_000]);
  });
});

/** Our file as the bank sends it back, with the reason behind one payment. */
function nachaReturn(file: string, trace: string): string {
  return file.split('\r\n').filter((line) => /^[1568]/.test(line)).flatMap((line) => {
    if (!line.startsWith('6') || !line.endsWith(trace)) return [line];
    return [`${line.slice(0, 78)}1${line.slice(79)}`, `799R03${trace}      02100002`.padEnd(94)];
  }).filter((line) => !line.startsWith('705')).join('\n');
}

function painStatus(message: string, payments: [string, string][]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
<CstmrPmtStsRpt><GrpHdr><MsgId>A1</MsgId><CreDtTm>2026-11-26T08:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts>
<OrgnlMsgId>${message}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>
<OrgnlPmtInfId>${message}</OrgnlPmtInfId>${payments.map(([id, status]) => `<TxInfAndSts>
<OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${status === 'RJCT'
    ? '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>' : ''}</TxInfAndSts>`).join('')}
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
}
