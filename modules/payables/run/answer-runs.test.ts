/** One file of returns for the payments of several runs: each finds its own, and what is of no run is named. */
import { beforeAll, expect, it } from 'vitest';
import { ledgerIntegrity, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { changeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { achAccount, ok, threePeopleOn } from '#tests/support/payment-runs.ts';
import { command } from '#tests/support/receivables.ts';
import { postPaymentRuns } from './settle-run.server.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const PATH = `${BASE}/payment_runs`;
const PRENOTES = `${BASE}/ach_prenotes`;
const VENDORS = '/api/admin/staff/vendors';
let ann: SignedIn;
let ben: SignedIn;
let cat: SignedIn;
let account = 0;
let source = 910_000;

async function onDay(day: string): Promise<void> {
  [ann, ben, cat] = await threePeopleOn(test, day);
}
const data = async (path: string) => ok(await ann.get(path)).body.data;

beforeAll(async () => {
  await onDay('2026-11-20');
  account = await achAccount(ann);
});

interface Owed { name: string; path: string; item: number; minor: number }
async function owed(name: string, minor: number, known?: string): Promise<Owed> {
  const path = known ?? await vendor(name);
  const id = Number(path.slice(VENDORS.length + 1));
  const line = (code: string, amount: number, more: object = {}) => ({ account: code, currency: 'USD' as const,
    amount: BigInt(amount), base: BigInt(amount), ...more });
  const { transaction_id } = await command(test.ports, (ctx) => postJournal(ctx.db, { division: 'US', kind: 'bill',
    transaction_at: '2026-11-02', description: `Bill ${source}`,
    source: { type: 'bill', id: (source += 1), event: 'approved', attempt: 1 }, lines: [line('6200', minor),
      line('2000', -minor, { party: { type: 'vendor', id }, due_date: '2026-11-20' })] }));
  const { id: item } = await test.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${transaction_id}`);
  return { name, path, item, minor };
}
/** With bank details that Cat wrote and Ben verified. */
async function vendor(name: string): Promise<string> {
  const { body: { data: { id } } } = ok(await ann.post(VENDORS, { name, divisions: ['US'], default_currency: 'USD',
    remit_to_address: { country_code: 'US', thoroughfare: '1 Mill Road', premise: '', locality: 'Keene',
      administrative_area: 'NH', postal_code: '03431' } }));
  const path = `${VENDORS}/${id}`;
  ok(await cat.put(`${path}/bank_details`, { kind: 'us', account: '123456789', routing: '021000021',
    version: (await data(path)).version }));
  ok(await ben.put(`${path}/bank_details/verify`, { version: (await data(path)).version, note: 'Called' }));
  return path;
}

interface Run { id: number; number: string; version: number; status: string; text: string;
  payments: { id: number; number: string; party_name: string; status: string; outcome: string | null;
    bank_change: unknown }[] }
const shown = (id: number): Promise<Run> => data(`${PATH}/${id}`);
async function sent(of: readonly Owed[]): Promise<Run> {
  const { id } = ok(await ann.post(PATH, { bank_account_id: account, method: 'ach', due_by: '2026-11-30',
    value_on: '2026-11-24', parts: of.map((one) => ({ open_item_id: one.item, amount_minor: one.minor })) })).body.data;
  for (const [what, by] of [['approve', ben], ['export', ann]] as const) {
    ok(await by.put(`${PATH}/${id}/${what}`, { version: (await shown(id)).version }));
  }
  return { ...await shown(id), text: (await ann.get(`${PATH}/${id}/file`)).raw.toString() };
}

/** Entries of our files as the bank sends them back together, in one batch, each with its addenda. */
function backFrom(entries: readonly { text: string; payee: string; addenda: string; id?: string;
  corrected?: string }[]): string {
  const kept = entries[0]!.text.split('\r\n').filter((line) => /^[158]/.test(line));
  const answers = entries.flatMap(({ text, payee, addenda, id, corrected = '' }) => {
    const line = text.split('\r\n').find((one) => one.startsWith('6') && one.includes(payee))!;
    const trace = id === undefined ? line.slice(79) : '999999990000001';
    const own = id === undefined ? line.slice(0, 78) : line.slice(0, 39) + id.padEnd(15) + line.slice(54, 78);
    return [`${own}1${trace}`, `7${addenda}${trace}      02100002${corrected}`.padEnd(94)];
  });
  return [...kept.slice(0, 2), ...answers, kept[2]].join('\n');
}
const upload = (path: string, content: string) => ann.call('POST', path, { multipart: { fields: {}, file: {
  field: 'file', name: 'returns.ach', type: 'text/plain', content: Buffer.from(content) } } });
const states = async (run: Run) => (await shown(run.id)).payments.map((one) => [one.party_name, one.status]);

it('shows the approver both accounts of a payee whose details changed since the last settled payment', async () => {
  const elm = await owed('Elm', 11_000);
  const made = async (item: number, minor: number) => ok(await ann.post(PATH, { bank_account_id: account, method: 'ach',
    due_by: '2026-11-30', value_on: '2026-11-24', parts: [{ open_item_id: item, amount_minor: minor }] })).body.data;
  const run = await sent([elm]);
  const change = (of: Run): unknown => of.payments[0]!.bank_change;
  expect(change(await shown(run.id))).toBeNull();
  await command(test.ports, (ctx) => changeOutgoing(ctx, run.payments[0]!.id, { outcome: 'settled',
    outcome_on: '2026-11-20' }));
  // The audit trail has the clock of the database.
  await test.database.owner.exec(sql`update payment_runs set approved_at = clock_timestamp() where id = ${run.id}`);
  const next = await owed('Fir', 5_000);
  expect(change(await made(next.item, 5_000))).toMatchObject({ old_last4: null, new_last4: '6789', note: 'Called' });
  const again = await owed('Elm', 7_000, elm.path);
  const second = await made(again.item, 7_000);
  expect(change(second)).toBeNull();
  test.clock.set('2026-11-20T15:05:00Z');
  ok(await cat.put(`${elm.path}/bank_details`, { kind: 'us', account: '987654321', routing: '021000021',
    holder: 'Elm & Sons', version: (await data(elm.path)).version }));
  expect(change(await shown(second.id))).toMatchObject({ old_last4: '6789', old_country: 'US',
    old_holder: null, new_last4: '4321', new_holder: 'Elm & Sons', verified_at: null,
    changed_by_name: expect.any(String) });
  ok(await ben.put(`${elm.path}/bank_details/verify`, { version: (await data(elm.path)).version,
    note: 'Called Mr. Elm at the number we have' }));
  expect(change(await shown(second.id))).toMatchObject({ verified_by_name: expect.any(String),
    note: 'Called Mr. Elm at the number we have' });
});

it('enters the returns of several runs, each in its own, names the rest, and does it once', async () => {
  const [alder, birch, cedar] = [await owed('Alder', 21_000), await owed('Birch', 25_000), await owed('Cedar', 8_000)];
  const first = await sent([alder, cedar]);
  const second = await sent([birch]);
  await onDay('2026-11-24');
  await postPaymentRuns(test.ports);
  const back = backFrom([{ text: first.text, payee: 'Alder', addenda: '99R03' },
    { text: second.text, payee: 'Birch', addenda: '99R02' },
    { text: second.text, payee: 'Birch', addenda: '99R01', id: 'ELSEWHERE77' }]);
  const read = ok(await upload(`${PATH}/answer`, back)).body.data;
  expect(read).toMatchObject({ rejected: 2, settled: 0, unknown: 1, known: 0, failed: [], others: [{ name: 'Birch',
    reference: 'ELSEWHERE77', amount_minor: 25_000, currency: 'USD', outcome: 'rejected' }] });
  expect(read.payments.map((one: Record<string, unknown>) => [one.run, one.payee, one.outcome])).toEqual([
    [first.number, 'Alder', 'rejected'], [second.number, 'Birch', 'rejected']]);
  expect([await states(first), await states(second)])
    .toEqual([[['Alder', 'returned'], ['Cedar', 'posted']], [['Birch', 'returned']]]);
  const acts = await test.database.db.query<{ entity_id: number; after: object }>(sql`
    select entity_id, after from audit_events where entity = 'payment_run' and action = 'answer' order by entity_id`);
  expect(acts.map((one) => [one.entity_id, one.after])).toEqual([first, second].map((run) => [run.id,
    expect.objectContaining({ file: 'returns.ach', rejected: 1 })]));
  // At a run that is not in the file at all: it finds the others all the same, and nothing changes.
  const third = await sent([await owed('Dogwood', 4_000)]);
  const before = [await shown(first.id), await shown(second.id), await shown(third.id)];
  expect(ok(await upload(`${PATH}/${third.id}/answer`, back)).body.data)
    .toMatchObject({ rejected: 0, known: 2, unknown: 1, payments: [], failed: [] });
  expect([await shown(first.id), await shown(second.id), await shown(third.id)]).toEqual(before);
  expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);
});

it('knows the prenotes in a file of returns: their bank details are in doubt, and no payment is touched', async () => {
  const [, , elder] = [await vendor('Hazel'), await vendor('Ivy'), await owed('Elder', 6_000)];
  const run = await sent([elder]);
  const { body: { data: waiting } } = await ann.get(`${PRENOTES}/candidates?bank_account_id=${account}`);
  const payees = waiting.filter((one: { name: string }) => ['Hazel', 'Ivy'].includes(one.name));
  const { data: file } = ok(await ann.post(PRENOTES, { bank_account_id: account, payees: payees.map(
    ({ party_type, party_id }: Record<string, unknown>) => ({ party_type, party_id })) })).body;
  const text = (await ann.get(`${BASE}/ach_files/${file.id}/file`)).raw.toString();
  const rowOf = async (name: string) => (await ann.get(`${PRENOTES}?search=${name}`)).body.data[0];
  const [hazel, ivy] = [await rowOf('Hazel'), await rowOf('Ivy')];
  // Another house's prenote, under the trace number of our payment.
  const own = run.text.split('\r\n').find((line) => line.startsWith('6') && line.includes('Elder'))!;
  const foreign = `${own.slice(0, 29)}${'0'.repeat(10)}${'PN9999999999'.padEnd(15)}${own.slice(54)}`;
  const back = backFrom([{ text, payee: 'Hazel', addenda: '99R03' },
    { text, payee: 'Ivy', addenda: `98C01`, corrected: '123456780' },
    { text: `${text}\r\n${foreign}`, payee: 'Elder', addenda: '99R03' }]);
  const read = ok(await upload(`${PATH}/${run.id}/answer`, back)).body.data;
  expect(read).toMatchObject({ rejected: 0, changed: 0, unknown: 1, payments: [], failed: [],
    prenotes: [{ number: hazel.number, payee: 'Hazel', outcome: 'returned' },
      { number: ivy.number, payee: 'Ivy', outcome: 'changed' }],
    others: [{ name: 'Elder', reference: 'PN9999999999', amount_minor: 0, outcome: 'rejected' }] });
  expect(await states(run)).toEqual([['Elder', 'approved']]);
  expect(await rowOf('Hazel')).toMatchObject({ state: 'returned', reason: 'R03 No account, or unable to locate it' });
  expect(await rowOf('Ivy')).toMatchObject({ state: 'pending', reason: 'C01 Account number' });
  const verified = async (row: { party_id: number }) => (await data(`${VENDORS}/${row.party_id}`)).bank_verified_at;
  expect([await verified(hazel), await verified(ivy)]).toEqual([null, expect.any(String)]);
  expect(ok(await upload(`${PATH}/answer`, back)).body.data).toMatchObject({ known: 2, unknown: 1, prenotes: [] });
});
