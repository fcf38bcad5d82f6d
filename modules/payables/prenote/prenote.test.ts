/** Prenotes and the identity of ACH files: no two files of a company and day are called the same. */
import { beforeAll, describe, expect, it } from 'vitest';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { ok } from '#tests/support/payment-runs.ts';
import { command } from '#tests/support/receivables.ts';
import { postPaymentRuns } from '../run/settle-run.server.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PRENOTES = `${BASE}/ach_prenotes`;
const VENDORS = '/api/admin/staff/vendors';
let ann: SignedIn;
let ben: SignedIn;
let account = 0;

async function onDay(day: string): Promise<void> {
  test.clock.set(`${day}T15:00:00Z`);
  [ann, ben] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  for (const one of [ann, ben]) await one.confirm();
}
const versionOf = async (path: string) => (await ann.get(path)).body.data.version;

beforeAll(async () => {
  await onDay('2026-11-20');
  const { body: { data: [row] } } = await ann.get(`${BASE}/bank_accounts?division=US&currency=USD`);
  account = row.id;
  ok(await ann.put(`${BASE}/bank_accounts/${account}/number`, { version: row.version, kind: 'us',
    account: '7445678999', routing: '231380104' }));
});

let names = 0;
/** A vendor with bank details that Ann wrote, verified by Ben unless it is said otherwise. */
async function vendor(verified = true, details: object = { kind: 'us', account: '123456789', routing: '021000021' }) {
  const name = `Vendor ${(names += 1)}`;
  const { body: { data: { id } } } = ok(await ann.post(VENDORS, { name, divisions: ['US'], default_currency: 'USD',
    remit_to_address: { country_code: 'US', thoroughfare: '1 Mill Road', premise: '', locality: 'Keene',
      administrative_area: 'NH', postal_code: '03431' } }));
  ok(await ann.put(`${VENDORS}/${id}/bank_details`, { ...details, version: await versionOf(`${VENDORS}/${id}`) }));
  if (verified) await verify(id);
  return { id: id as number, name };
}
async function verify(id: number): Promise<void> {
  ok(await ben.put(`${VENDORS}/${id}/bank_details/verify`, { version: await versionOf(`${VENDORS}/${id}`),
    note: 'Called the office' }));
}
const candidates = async (): Promise<string[]> => (await ann.get(`${PRENOTES}/candidates?bank_account_id=${account}`))
  .body.data.map((one: { name: string }) => one.name);
const ask = (of: readonly { id: number }[]) => ann.post(PRENOTES, { bank_account_id: account,
  payees: of.map((one) => ({ party_type: 'vendor', party_id: one.id })) });
const rowOf = async (name: string) => (await ann.get(`${PRENOTES}?search=${encodeURIComponent(name)}`)).body.data[0];
const fileOf = async (id: number): Promise<string> => (await ann.get(`${BASE}/ach_files/${id}/file`)).raw.toString();
const answered = (content: string) => ann.call('POST', `${PRENOTES}/answer`, { multipart: { fields: {},
  file: { field: 'file', name: 'returns.ach', type: 'text/plain', content: Buffer.from(content) } } });

let source = 700_000;
async function bill(of: { id: number }, minor: number): Promise<number> {
  source += 1;
  const { transaction_id } = await command(test.ports, (ctx) => postJournal(ctx.db, { division: 'US', kind: 'bill',
    transaction_at: '2026-11-02', description: `Bill ${source}`, source: { type: 'bill', id: source,
      event: 'approved', attempt: 1 },
    lines: [{ account: '6200', currency: 'USD', amount: BigInt(minor), base: BigInt(minor) },
      { account: '2000', currency: 'USD', amount: BigInt(-minor), base: BigInt(-minor),
        party: { type: 'vendor', id: of.id }, due_date: '2026-11-20' }] }));
  return (await test.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${transaction_id}`)).id;
}
const hintOf = async (name: string): Promise<string | null> => (await ann.get(
  `${BASE}/payment_runs/payables?bank_account_id=${account}&due_by=2026-12-31&method=ach`)).body.data.payees
  .find((one: { name: string }) => one.name === name).hint;

describe('a file of prenotes', () => {
  it('asks about verified US details once, without an amount, once the account has what its bank needs', async () => {
    const [a, b] = [await vendor(), await vendor(true, { kind: 'us', account: '2321', routing: '121042882',
      is_savings: true })];
    await vendor(false);
    await vendor(true, { kind: 'iban', account: 'DE02120300000000202051' });
    expect(await candidates()).toEqual([a.name, b.name]);
    expect((await ask([a])).body.code).toBe('payment_run.file');
    ok(await ann.put(`${BASE}/bank_accounts/${account}/payment_files`, { version: 1, originator_name: 'Grand Rights',
      company_id: '1123456789', destination_routing: '231380104', destination_name: 'First Bank', balanced: true }));
    const { data: file } = ok(await ask([a, b])).body;
    // Settles on Monday 23 November; Thanksgiving is no banking day: 24, 25, 27.
    expect(file).toMatchObject({ count: 2, value_on: '2026-11-23', clears_on: '2026-11-27',
      file_name: 'prenotes-US-2026-11-20-A.ach' });
    const lines = (await fileOf(file.id)).split('\r\n');
    expect(lines[1]!.slice(0, 4)).toBe('5220');
    expect(lines.filter((line) => line.startsWith('6')).map((line) => [line.slice(1, 3), line.slice(29, 39)]))
      .toEqual([['23', '0000000000'], ['33', '0000000000']]);
    expect(await fileOf(file.id)).toBe(await fileOf(file.id));
    expect(await candidates()).toEqual([]);
    expect((await ask([a])).status).toBe(422);
    const { number } = await rowOf(a.name);
    expect((await ann.get(`/api/admin/staff/search?entity=ach_prenote&search=${number}`)).body.data).toMatchObject([{
      number, title: a.name, href: `/admin/accounts-payable/prenotes?search=${number}` }]);
    const { n } = await test.database.db.one<{ n: number }>(sql`select count(*)::int as n from audit_events
      where action = 'download' and entity = 'bank_account' and entity_id = ${account}`);
    expect(n).toBe(3);
  });

  it('is hinted at in payment runs while it is pending, and holds once three banking days have passed', async () => {
    const name = 'Vendor 1';
    const { party_id: id } = await rowOf(name);
    const item = await bill({ id }, 5_000);
    expect(await hintOf(name)).toBe('Prenote pending until November 27, 2026');
    const run = ok(await ann.post(`${BASE}/payment_runs`, { bank_account_id: account, method: 'ach',
      due_by: '2026-12-31', value_on: '2026-12-01', parts: [{ open_item_id: item, amount_minor: 5_000 }] })).body.data;
    expect(run.payments[0]).toMatchObject({ held: null, hint: 'Prenote pending until November 27, 2026' });
    await onDay('2026-11-27');
    expect((await rowOf(name)).state).toBe('cleared');
    expect((await ann.get(`${BASE}/payment_runs/${run.id}`)).body.data.payments[0].hint).toBeNull();
    expect((await ann.get(`${PRENOTES}?state=cleared`)).body.meta.total).toBe(2);
  });

  it('that comes back puts the details in doubt, once, and can be sent again when they are confirmed', async () => {
    const one = await vendor();
    const { data: file } = ok(await ask([one])).body;
    const back = nachaAnswer(await fileOf(file.id), '99R03');
    expect((await answered(back)).body.data).toEqual({ returned: 1, changed: 0, unknown: 0 });
    expect((await answered(back)).body.data).toEqual({ returned: 0, changed: 0, unknown: 0 });
    const row = await rowOf(one.name);
    expect(row).toMatchObject({ state: 'returned', returned_on: '2026-11-27',
      reason: 'R03 No account, or unable to locate it' });
    expect((await ann.get(`${VENDORS}/${one.id}`)).body.data.bank_verified_at).toBeNull();
    await bill(one, 900);
    const tasks = async () => (await ann.get('/api/admin/staff/dashboard?division=US')).body.data.todo.rows
      .filter((task: { kind: string }) => task.kind === 'returned_payment')
      .map((task: { title: string; due_on: string }) => [task.title, task.due_on]);
    expect(await tasks()).toEqual([[`Prenote came back: ${one.name}`, '2026-11-27']]);
    await verify(one.id);
    expect(await tasks()).toEqual([]);
    expect(await hintOf(one.name))
      .toBe('Prenote returned on November 27, 2026: R03 No account, or unable to locate it');
    expect(await candidates()).toEqual([one.name]);
    ok(await ask([one]));
    expect(await hintOf(one.name)).toContain('Prenote pending');
  });

  it('keeps a notice of change, and a return that the bank told by phone', async () => {
    const one = await vendor();
    const { data: file } = ok(await ask([one])).body;
    const notice = nachaAnswer(await fileOf(file.id), '98C01', '123456780');
    expect((await answered(notice)).body.data).toEqual({ returned: 0, changed: 1, unknown: 0 });
    const row = await rowOf(one.name);
    expect(row).toMatchObject({ state: 'pending', reason: 'C01 Account number' });
    const path = `${PRENOTES}/${row.id}/return`;
    expect((await ann.put(path, { version: 1, on: '2026-11-27', reason: 'Told by phone' })).body.code).toBe('stale');
    expect((await ann.put(path, { version: row.version, on: '2026-11-28', reason: 'Told by phone' })).status).toBe(422);
    expect(ok(await ann.put(path, { version: row.version, on: '2026-11-27', reason: 'Told by phone' })).body.data)
      .toMatchObject({ state: 'returned', reason: 'Told by phone' });
    expect((await answered(nachaAnswer(await fileOf(file.id), '99R02').replace(/PN\d{10}/g, 'PN9999999999')))
      .status).toBe(422);
  });
});

describe('a notice of change', () => {
  const CORRECTIONS = `${BASE}/bank_corrections`;
  const corrections = async (name: string) => (await ann.get(CORRECTIONS)).body.data
    .filter((one: { payee: string }) => one.payee === name);
  /** Texts that are kept in clear, or told. */
  const inClear = async (text: string): Promise<number> => (await test.database.db.one<{ n: number }>(sql`
    select ((select count(*) from notifications where title || body like ${`%${text}%`})
      + (select count(*) from audit_events where coalesce(before::text, '') || coalesce(after::text, '')
        like ${`%${text}%`})
      + (select count(*) from bank_corrections where words like ${`%${text}%`}))::int as n`)).n;

  it('is sealed with the payee, shown by its last digits with its due day, and taken over unread', async () => {
    const one = await vendor();
    const { data: file } = ok(await ask([one])).body;
    const notice = nachaAnswer(await fileOf(file.id), '98C01', '98765432104567');
    const dan = await test.signedIn('staff_admin');
    const read = await dan.call('POST', `${PRENOTES}/answer`, { multipart: { fields: {}, file: { field: 'file',
      name: 'returns.ach', type: 'text/plain', content: Buffer.from(notice) } } });
    expect(read.body.data).toEqual({ returned: 0, changed: 1, unknown: 0 });
    expect((await answered(notice)).body.data).toEqual({ returned: 0, changed: 0, unknown: 0 });
    const words = 'C01 Account number, account ending in 4567';
    const [row] = await corrections(one.name);
    expect(row).toMatchObject({ words, received_on: '2026-11-27', due_on: '2026-12-07' });
    await bill(one, 1_200);
    expect(await hintOf(one.name)).toBe(`The bank corrects these details by December 7, 2026: ${words}`);
    const tasks = async () => (await ann.get('/api/admin/staff/dashboard?division=US')).body.data.todo.rows
      .filter((task: { title: string }) => task.title === `Correct bank details: ${one.name}`);
    expect(await tasks()).toEqual([expect.objectContaining({ due_on: '2026-12-07', detail: words })]);
    const { body } = await test.database.db.one<{ body: string }>(sql`select body from notifications
      where title = ${`The bank corrects the details of ${one.name}`} limit 1`);
    expect(body).toBe(`${words}. Enter it by December 7, 2026.`);
    expect(await inClear('98765432104567')).toBe(0);
    ok(await ann.put(`${CORRECTIONS}/${row.id}/take`));
    expect((await ann.get(`${VENDORS}/${one.id}`)).body.data).toMatchObject({ bank_account_last4: '4567',
      bank_verified_at: null });
    expect([await corrections(one.name), await tasks(), await inClear('98765432104567')]).toEqual([[], [], 0]);
    expect((await ann.put(`${CORRECTIONS}/${row.id}/take`)).status).toBe(404);
    await verify(one.id);
    expect(await hintOf(one.name)).toBeNull();
  });

  it('about a payment is kept as well, and closed with a reason where it is wrong', async () => {
    const one = await vendor();
    const { path, text, trace } = await paid(one);
    const upload = (content: string) => ann.call('POST', `${path}/answer`, { multipart: { fields: {}, file: {
      field: 'file', name: 'noc.ach', type: 'text/plain', content: Buffer.from(content) } } });
    const notice = nachaAnswer(text, '98C05', '32');
    expect(trace).toMatch(/^\d{15}$/);
    expect((await upload(notice)).body.data).toMatchObject({ changed: 1, rejected: 0 });
    expect((await upload(notice)).body.data).toMatchObject({ changed: 0 });
    const [row] = await corrections(one.name);
    expect(row).toMatchObject({ code: 'C05', words: 'C05 Kind of account, a savings account' });
    expect((await ann.put(`${CORRECTIONS}/${row.id}/dismiss`, { reason: '' })).status).toBe(422);
    ok(await ann.put(`${CORRECTIONS}/${row.id}/dismiss`, { reason: 'Called: it is a checking account' }));
    expect(await corrections(one.name)).toEqual([]);
  });
});

/** A payment by ACH on its day; its run, its file and its trace number. */
async function paid(one: { id: number }): Promise<{ path: string; text: string; trace: string; payment: number }> {
  const day = test.clock.now().toISOString().slice(0, 10);
  const run = ok(await ann.post(`${BASE}/payment_runs`, { bank_account_id: account, method: 'ach',
    due_by: '2026-12-31', value_on: day, parts: [{ open_item_id: await bill(one, 2_000), amount_minor: 2_000 }] }))
    .body.data;
  const path = `${BASE}/payment_runs/${run.id}`;
  const eve = await test.signedIn('staff_admin');
  ok(await eve.put(`${path}/approve`, { version: run.version }));
  const { data: sent } = ok(await ann.put(`${path}/export`, { version: await versionOf(path) })).body;
  const text = (await ann.get(`${path}/file`)).raw.toString();
  await onDay(sent.value_on);
  await postPaymentRuns(test.ports);
  const [payment] = (await ann.get(path)).body.data.payments;
  const { trace } = await test.database.db.one<{ trace: string }>(sql`
    select bank_reference as trace from payments where id = ${payment.id}`);
  return { path, text, trace, payment: payment.id };
}

describe('ACH files of one company and day', () => {
  it('have an id and trace numbers of their own, whoever writes them at once', async () => {
    await onDay('2026-11-30');
    const some = [await vendor(), await vendor(), await vendor(), await vendor()];
    const answers = await Promise.all(some.map((one) => ask([one])));
    for (const answer of answers) ok(answer);
    const rows = await test.database.db.query<{ modifier: string; first_trace: number }>(sql`
      select modifier, first_trace from ach_files where created_on = '2026-11-30' order by modifier`);
    expect(rows.map((row) => row.modifier)).toEqual(['A', 'B', 'C', 'D']);
    const traces = await test.database.db.query<{ trace_number: string }>(sql`
      select distinct trace_number from ach_prenotes`);
    expect(traces).toHaveLength((await test.database.db.one<{ n: number }>(sql`
      select count(*)::int as n from ach_prenotes`)).n);
    for (const [at, answer] of answers.entries()) {
      expect((await fileOf(answer.body.data.id))[33], `file ${at}`).toBe(answer.body.data.file_name.at(-5));
    }
  });

  it('a payment run continues the letters of the day, and the 37th file is refused until tomorrow', async () => {
    const one = await vendor();
    const item = await bill(one, 7_500);
    const run = ok(await ann.post(`${BASE}/payment_runs`, { bank_account_id: account, method: 'ach',
      due_by: '2026-12-31', value_on: '2026-12-02', parts: [{ open_item_id: item, amount_minor: 7_500 }] })).body.data;
    const path = `${BASE}/payment_runs/${run.id}`;
    const cat = await test.signedIn('staff_admin');
    ok(await cat.put(`${path}/approve`, { version: run.version }));
    await test.database.owner.exec(sql`
      insert into ach_files (bank_account_id, purpose, destination_routing, origin_id, created_on, modifier,
        first_trace, trace_count)
      select ${account}, 'prenotes', '231380104', '1123456789', '2026-11-30', m, 1, 1
      from unnest(string_to_array('E F G H I J K L M N O P Q R S T U V W X Y Z 0 1 2 3 4 5 6 7 8 9', ' ')) m`);
    expect((await ann.get(`${path}/file-preview`)).body.data.issues[0]).toContain('36 ACH files');
    const refused = await ann.put(`${path}/export`, { version: await versionOf(path) });
    expect([refused.status, refused.body.code]).toEqual([409, 'payment_run.file']);
    expect(refused.body.message).toContain('November 30, 2026');
    await onDay('2026-12-01');
    ok(await ann.put(`${path}/export`, { version: await versionOf(path) }));
    expect((await ann.get(`${path}/file`)).raw.toString()[33]).toBe('A');
    const other = await vendor();
    const { data: file } = ok(await ask([other])).body;
    expect((await fileOf(file.id))[33]).toBe('B');
    await expect(test.database.owner.exec(sql`
      insert into ach_files (bank_account_id, purpose, destination_routing, origin_id, created_on, modifier,
        first_trace, trace_count) values (${account}, 'prenotes', '231380104', '1123456789', '2026-12-01', 'A', 1, 1)`))
      .rejects.toMatchObject({ code: '23505' });
  });
});

it('reverses nothing for a message by which banks dispute a return, and tells of it', async () => {
  const one = await vendor();
  const { path, text, payment } = await paid(one);
  const upload = (code: string) => cat.call('POST', `${path}/answer`, { multipart: { fields: {}, file: {
    field: 'file', name: 'disputes.ach', type: 'text/plain',
    content: Buffer.from(nachaAnswer(text, `99${code}`)) } } });
  const cat = await test.signedIn('staff_admin');
  const status = async () => (await ann.get(path)).body.data.payments[0].status;
  for (const code of ['R61', 'R68', 'R73', 'R76', 'R77']) {
    expect(ok(await upload(code)).body.data).toMatchObject({ rejected: 0, disputed: 1, failed: [] });
  }
  expect(await status()).toBe('posted');
  const { number } = (await ann.get(path)).body.data.payments[0];
  const { n } = await test.database.db.one<{ n: number }>(sql`select count(distinct body)::int as n from notifications
    where title = ${`The banks dispute the return of ${number}`}`);
  expect(n).toBe(5);
  expect(ok(await upload('R03')).body.data).toMatchObject({ rejected: 1, disputed: 0 });
  expect([await status(), payment]).toEqual(['returned', expect.any(Number)]);
  const { data: file } = ok(await ask([await vendor()])).body;
  expect((await answered(nachaAnswer(await fileOf(file.id), '99R76'))).body.data)
    .toEqual({ returned: 0, changed: 0, unknown: 0 });
});

/** Our file as the bank sends it back: the first entry with an addenda of a return or a notice of change. */
function nachaAnswer(file: string, addenda: string, corrected = ''): string {
  let isDone = false;
  return file.split('\r\n').filter((line) => /^[1568]/.test(line)).flatMap((line) => {
    if (!line.startsWith('6') || isDone) return [line];
    isDone = true;
    const trace = line.slice(79);
    return [`${line.slice(0, 78)}1${trace}`,
      `7${addenda}${trace}      02100002${corrected}`.padEnd(94)];
  }).join('\n');
}
