/** The bank's answer for each payment of a run: what it pays, refuses or sends back, whenever it says so. */
// cspell:ignore COBADEFFXXX ACSC RJCT DUPL Cstmr Orgnl Ntry CRDT Bookg Ntfctn Rltd Pties Cdtr DBIT
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity, postJournal, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import { recordReceipt, refundReceipt } from '#modules/receivables/receivables.public.server.ts';
import { makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { ok, threePeopleOn } from '#tests/support/payment-runs.ts';
import { command, makeCustomer } from '#tests/support/receivables.ts';
import { approveDisbursement } from '../disbursement/disbursement.server.ts';
import { postPaymentRuns } from './settle-run.server.ts';

const test = testApp();
const STAFF = '/api/admin/staff';
const BASE = `${STAFF}/accounting`;
const PATH = `${BASE}/payment_runs`;
const VENDORS = `${STAFF}/vendors`;
let ann: SignedIn;
let ben: SignedIn;
let cat: SignedIn;
let account = 0;

async function onDay(day: string): Promise<void> {
  [ann, ben, cat] = await threePeopleOn(test, day);
}
const data = async (path: string) => ok(await ann.get(path)).body.data;

beforeAll(async () => {
  await onDay('2026-11-20');
  const [row] = await data(`${BASE}/bank_accounts?division=EU&currency=EUR`);
  account = row.id;
  ok(await ann.put(`${BASE}/bank_accounts/${account}/number`, { version: row.version, kind: 'iban',
    account: 'DE89370400440532013000', routing: null }));
  ok(await ann.put(`${BASE}/bank_accounts/${account}/payment_files`, { version: 1, originator_name: 'Grand Rights',
    bic: 'COBADEFFXXX' }));
});

/** Bank details that Cat wrote and Ben verified. */
async function reachable(path: string): Promise<void> {
  const version = async () => (await data(path)).version;
  ok(await cat.put(`${path}/bank_details`, { kind: 'iban', account: 'DE02120300000000202051',
    version: await version() }));
  await verify(path);
}
const verify = async (path: string) => ok(await ben.put(`${path}/bank_details/verify`, {
  version: (await data(path)).version, note: 'Called the office' }));

let names = 0;
let source = 900_000;
interface Owed { vendor: number; name: string; item: number; minor: number }
async function owed(minor: number): Promise<Owed> {
  const name = `Vendor ${(names += 1)}`;
  const { body: { data: { id } } } = ok(await ann.post(VENDORS, { name, divisions: ['EU'], default_currency: 'EUR',
    remit_to_address: { country_code: 'DE', thoroughfare: 'Mill Road 1', premise: '', locality: 'Berlin',
      administrative_area: '', postal_code: '10115' } }));
  await reachable(`${VENDORS}/${id}`);
  const line = (code: string, amount: number, more: object = {}) => ({ account: code, currency: 'EUR' as const,
    amount: BigInt(amount), base: BigInt(amount), ...more });
  const { transaction_id } = await command(test.ports, (ctx) => postJournal(ctx.db, { division: 'EU', kind: 'bill',
    transaction_at: '2026-11-02', description: `Bill ${source}`,
    source: { type: 'bill', id: (source += 1), event: 'approved', attempt: 1 }, lines: [line('6200', minor),
      line('2000', -minor, { party: { type: 'vendor', id }, due_date: '2026-11-20' })] }));
  const { id: item } = await test.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${transaction_id}`);
  return { vendor: id, name, item, minor };
}
/** An approved refund to a customer with bank details. */
async function refund(minor: number): Promise<number> {
  const customer_id = await makeCustomer(test.database.db, 'EU');
  await reachable(`${STAFF}/customers/${customer_id}`);
  const receipt = await command(test.ports, (ctx) => recordReceipt(ctx, { customer_id, division: 'EU', currency: 'EUR',
    method: 'wire', received_on: '2026-11-10', amount_minor: minor }));
  const { payment_id } = await command(test.ports, (ctx) => refundReceipt(ctx, { payment_id: receipt.payment_id,
    amount_minor: minor, reason: 'Paid twice', on: '2026-11-12' }));
  await command(test.ports, (ctx) => approveDisbursement(ctx, payment_id));
  return payment_id;
}

const partOf = (of: Owed) => ({ open_item_id: of.item, amount_minor: of.minor });
const ask = (of: readonly Owed[], refund_ids: number[] = [], value_on = '2026-11-26', advance_ids: number[] = []) =>
  ann.post(PATH, { bank_account_id: account, method: 'sepa', due_by: '2026-11-30', value_on, parts: of.map(partOf),
    refund_ids, advance_ids });
const act = async (id: number, what: string, by: SignedIn, more: object = {}) =>
  by.put(`${PATH}/${id}/${what}`, { version: (await data(`${PATH}/${id}`)).version, ...more });
interface Shown { id: number; number: string; party_name: string; status: string; outcome: string | null;
  reason: string | null; amount_minor: number; paid_anyway_on: string | null }
interface Run { id: number; number: string; status: string; payments: Shown[] }
/** A run whose file the bank has. */
async function sent(of: readonly Owed[], refund_ids: number[] = [], value_on?: string): Promise<Run> {
  const { id } = ok(await ask(of, refund_ids, value_on)).body.data;
  ok(await act(id, 'approve', ben));
  return ok(await act(id, 'export', ann)).body.data;
}
const shown = (run: { id: number }): Promise<Run> => data(`${PATH}/${run.id}`);
const paidTo = async (run: { id: number }, name: string): Promise<Shown> =>
  (await shown(run)).payments.find((one) => one.party_name === name)!;
const answer = async (run: Run, content: string, by = ann) => by.call('POST', `${PATH}/${run.id}/answer`, { multipart: {
  fields: {}, file: { field: 'file', name: 'status.xml', type: 'text/plain', content: Buffer.from(content) } } });
/** Statuses of payments, by number, or of the whole file. */
function status(run: Run, of: readonly { number: string; status: string; code?: string }[], whole = ''): string {
  const reason = (code?: string) => (code === undefined ? ''
    : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`);
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
<CstmrPmtStsRpt><GrpHdr><MsgId>A1</MsgId><CreDtTm>2026-11-26T08:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts>
<OrgnlMsgId>${run.number}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${
  whole === '' ? '' : `<GrpSts>RJCT</GrpSts>${reason(whole)}`}</OrgnlGrpInfAndSts>${of.length === 0 ? ''
    : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${run.number}</OrgnlPmtInfId>${of.map((one) => `<TxInfAndSts>
<OrgnlEndToEndId>${one.number.replaceAll('-', '')}</OrgnlEndToEndId><TxSts>${one.status}</TxSts>${reason(one.code)
}</TxInfAndSts>`).join('')}</OrgnlPmtInfAndSts>`}</CstmrPmtStsRpt></Document>`;
}
const openOn = async (of: Owed): Promise<number> => (await test.database.db.one<{ open: number }>(sql`
  select -open_minor as open from open_items where id = ${of.item}`)).open;
const tasks = async () => (await data(`${STAFF}/dashboard?division=EU&all=true`)).todo.rows
  .filter((row: { kind: string }) => row.kind === 'returned_payment') as { title: string; detail: string;
    due_on: string | null; entity: string; entity_id: number }[];
const told = (title: string) => test.database.db.query<{ title: string; body: string }>(sql`
  select distinct title, body from notifications where title = ${title}`);
const heldOut = async (name: string): Promise<string | null> => (await data(
  `${PATH}/payables?bank_account_id=${account}&due_by=2026-11-30&method=sepa`)).payees
  .find((one: { name: string }) => one.name === name)?.held ?? null;
const intact = async () => expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);

describe('a payment taken out that the bank pays all the same', () => {
  it('is counted, told and a task, and holds its payee out until a person decides that it stands', async () => {
    const [a, b] = [await owed(25_000), await owed(1_000)];
    const run = await sent([a, b]);
    const out = await paidTo(run, a.name);
    ok(await act(run.id, `payments/${out.id}/cancel`, ben, { reason: 'Recalled' }));
    expect((await act(run.id, `payments/${out.id}/decide`, ben, { decision: 'paid', reason: 'No' })).status).toBe(404);
    const late = status(run, [{ number: out.number, status: 'ACSC' }]);
    expect(ok(await answer(run, late)).body.data).toMatchObject({ settled: 0, rejected: 0, paid_anyway: 1 });
    expect(ok(await answer(run, late)).body.data).toMatchObject({ paid_anyway: 0 });
    const words = `The bank paid ${out.number} although it was taken out. `
      + `Decide about it in payment run ${run.number}.`;
    expect([await heldOut(a.name), (await paidTo(run, a.name)).paid_anyway_on]).toEqual([words, '2026-11-20']);
    expect(await tasks()).toEqual([expect.objectContaining({ title: `Paid although taken out: ${out.number}`,
      detail: `${a.name}, taken out of ${run.number}`, entity: 'payment_run', entity_id: run.id })]);
    expect(await told(`The bank paid ${out.number} to ${a.name}`)).toEqual([
      expect.objectContaining({ body: expect.stringContaining('status.xml says that it was paid') })]);
    const { id: again } = ok(await ask([a])).body.data;
    const refused = await act(again, 'approve', ben);
    expect([refused.body.code, refused.body.message]).toEqual(['payment_run.payee', `${a.name}: ${words}`]);
    const decide = (decision: string) => act(run.id, `payments/${out.id}/decide`, ben, { decision, reason: 'Seen' });
    expect((await decide('paid')).body.code).toBe('payment.item_taken');
    ok(await act(again, 'void', ben, { reason: 'Paid already' }));
    ok(await decide('paid'));
    expect([await heldOut(a.name), await tasks(), (await ask([a])).body.code])
      .toEqual([null, [], 'payment.item_taken']);
    await onDay('2026-11-26');
    await postPaymentRuns(test.ports);
    expect((await shown(run)).payments.map((one) => [one.party_name, one.status, one.outcome]))
      .toEqual([[a.name, 'cleared', 'settled'], [b.name, 'posted', null]]);
    expect([await openOn(a), await openOn(b)]).toEqual([0, 0]);
    await intact();
  });

  it('is posted at once where its run is posted, and is payable again where the money is back', async () => {
    const [a, b, c] = [await owed(3_000), await owed(4_000), await owed(5_000)];
    const run = await sent([a, b, c], [], '2026-11-27');
    const out = [await paidTo(run, a.name), await paidTo(run, b.name)] as const;
    for (const one of out) ok(await act(run.id, `payments/${one.id}/cancel`, ben, { reason: 'Recalled' }));
    await onDay('2026-11-30');
    await postPaymentRuns(test.ports);
    expect(ok(await answer(run, status(run, out.map(({ number }) => ({ number, status: 'ACSC' }))))).body.data)
      .toMatchObject({ settled: 0, paid_anyway: 2 });
    const decide = (id: number, decision: string) => act(run.id, `payments/${id}/decide`, ben, { decision,
      reason: 'As the statement says' });
    ok(await decide(out[0].id, 'paid'));
    ok(await decide(out[1].id, 'not_paid'));
    expect([await openOn(a), await openOn(b), await openOn(c), await heldOut(b.name), await tasks()])
      .toEqual([0, 4_000, 0, null, []]);
    expect(await paidTo(run, a.name)).toMatchObject({ status: 'cleared', outcome: 'settled' });
    expect((await ask([b], [], '2026-12-02')).status).toBe(201);
    await intact();
  });

  it('holds a refund as well, which is free for another run as soon as it is taken out', async () => {
    await onDay('2026-11-20');
    const id = await refund(30_000);
    const run = await sent([await owed(700)], [id]);
    const out = (await shown(run)).payments.find((one) => one.id === id)!;
    ok(await act(run.id, `payments/${id}/cancel`, ben, { reason: 'Recalled' }));
    expect(ok(await answer(run, status(run, [{ number: out.number, status: 'ACSC' }]))).body.data)
      .toMatchObject({ paid_anyway: 1, unknown: 0 });
    const { id: again } = ok(await ask([], [id])).body.data;
    expect((await act(again, 'approve', ben)).body.code).toBe('payment_run.payee');
    ok(await act(again, 'void', ben, { reason: 'Paid already' }));
    ok(await act(run.id, `payments/${id}/decide`, ben, { decision: 'paid', reason: 'On the statement' }));
    await onDay('2026-11-26');
    await postPaymentRuns(test.ports);
    expect((await shown(run)).payments.find((one) => one.id === id)).toMatchObject({ status: 'cleared' });
    await intact();
  });
});

describe('what leaves a run before its value date', () => {
  it('keeps its trace there, a refund too: outcome, reason, task, and a total that is explained', async () => {
    await onDay('2026-11-20');
    const bill = await owed(70_000);
    const [first, second] = [await refund(30_000), await refund(4_000)];
    const run = await sent([bill], [first, second]);
    const { number } = (await shown(run)).payments.find((one) => one.id === first)!;
    const refused = status(run, [{ number, status: 'RJCT', code: 'AC04' }]);
    expect(ok(await answer(run, refused)).body.data).toMatchObject({ rejected: 1, unknown: 0 });
    expect(ok(await answer(run, refused)).body.data).toMatchObject({ rejected: 0, unknown: 0 });
    ok(await act(run.id, `payments/${second}/cancel`, ben, { reason: 'Recalled' }));
    const after = await shown(run);
    expect(after).toMatchObject({ total_minor: 70_000, file_total_minor: 104_000, payment_count: 1 });
    expect(after.payments.slice(1).map((one) => [one.id, one.outcome, one.reason, one.amount_minor]).toSorted())
      .toEqual([[first, 'rejected', 'AC04 The account is closed', 30_000], [second, 'cancelled', 'Recalled', 4_000]]);
    expect(await tasks()).toEqual([expect.objectContaining({ title: `Payment came back: ${number}`, entity_id: first,
      detail: expect.stringContaining('AC04 The account is closed') })]);
    const acts = await test.database.db.query<{ action: string }>(sql`select action from audit_events
      where entity = 'payment' and entity_id = ${first} order by id desc limit 1`);
    expect(acts).toEqual([{ action: 'leave_run' }]);
    await onDay('2026-11-26');
    await postPaymentRuns(test.ports);
    const paid = await paidTo(run, bill.name);
    ok(await act(run.id, `payments/${paid.id}/reject`, ann, { on: '2026-11-26', reason: 'AC04 Closed' }));
    expect(await shown(run)).toMatchObject({ total_minor: 0, file_total_minor: 104_000, payment_count: 0 });
    await intact();
  });
});

describe('a file that the bank refuses as a whole', () => {
  const verified = async (of: Owed): Promise<boolean> => (await data(`${VENDORS}/${of.vendor}`)).bank_verified_at
    !== null;

  it('by its answer: all is payable again, no account is doubted for a wrong format, and the run is void', async () => {
    await onDay('2026-11-20');
    const [a, b] = [await owed(11_000), await owed(12_000)];
    const run = await sent([a, b]);
    expect(ok(await answer(run, status(run, [], 'FF01'), cat)).body.data).toMatchObject({ rejected: 2 });
    expect(await shown(run)).toMatchObject({ status: 'void', total_minor: 0, file_total_minor: 23_000,
      void_reason: 'FF01 The format of the file is wrong' });
    expect([await verified(a), await verified(b)]).toEqual([true, true]);
    expect(await told(`The bank rejected ${run.number}`)).toEqual([expect.objectContaining({
      body: 'FF01 The format of the file is wrong. 2 payments are payable again.' })]);
    expect(await tasks()).toContainEqual(expect.objectContaining({ entity_id: run.id,
      title: `Pay again: 2 payments of ${run.number}`, detail: 'FF01 The format of the file is wrong' }));
    await onDay('2026-11-26');
    await postPaymentRuns(test.ports);
    expect((await shown(run)).status).toBe('void');
    const again = await sent([a, b], [], '2026-11-30');
    expect((await tasks()).filter((task) => task.entity_id === run.id)).toEqual([]);
    // The bank pays one of them all the same: the next file must not pay it a second time unseen.
    const { number } = await paidTo(run, a.name);
    expect(ok(await answer(run, status(run, [{ number, status: 'ACSC' }]))).body.data)
      .toMatchObject({ paid_anyway: 1 });
    expect(again.status).toBe('exported');
    ok(await act(run.id, `payments/${(await paidTo(run, a.name)).id}/decide`, ben, { decision: 'not_paid',
      reason: 'The bank took it back' }));
    await intact();
  });

  it('by hand, before and after its day: with one reason, and what the bank has settled stays', async () => {
    await onDay('2026-11-20');
    const [a, b, c] = [await owed(21_000), await owed(22_000), await owed(23_000)];
    const early = await sent([a]);
    expect((await act(early.id, 'refuse', ann, { on: '2026-11-21', reason: 'Sent twice' })).status).toBe(422);
    ok(await act(early.id, 'refuse', ann, { on: '2026-11-20', reason: 'AC04 The account is closed' }));
    expect([(await shown(early)).status, await verified(a)]).toEqual(['void', false]);
    const run = await sent([b, c]);
    ok(await answer(run, status(run, [{ number: (await paidTo(run, b.name)).number, status: 'ACSC' }])));
    await onDay('2026-11-26');
    await postPaymentRuns(test.ports);
    ok(await act(run.id, 'refuse', ann, { on: '2026-11-26', reason: 'AM04 Insufficient funds' }));
    expect((await shown(run)).payments.map((one) => [one.party_name, one.status]))
      .toEqual([[b.name, 'cleared'], [c.name, 'returned']]);
    expect([(await shown(run)).status, await openOn(b), await openOn(c), await verified(c)])
      .toEqual(['posted', 0, 23_000, true]);
    expect((await act(run.id, 'refuse', ann, { on: '2026-11-26', reason: 'Again' })).status).toBe(422);
    await intact();
  });

  it('doubts an account for a reason of the account alone, payment by payment', async () => {
    await onDay('2026-11-20');
    const all = [await owed(500), await owed(600), await owed(700), await owed(800)];
    const run = await sent(all);
    const codes = ['AM04', 'AC01', 'DUPL', 'BE01'];
    ok(await answer(run, status(run, await Promise.all(all.map(async (one, n) => ({
      number: (await paidTo(run, one.name)).number, status: 'RJCT', code: codes[n]! }))))));
    expect(await Promise.all(all.map(verified))).toEqual([true, false, true, false]);
  });
});

it('tells once a day that a run could not be posted, and names it among the tasks until it is', async () => {
  await onDay('2026-11-20');
  const one = await owed(9_900);
  const run = await sent([one]);
  await onDay('2026-11-26');
  await test.database.owner.exec(sql`update open_items set opened_on = '2026-12-24' where id = ${one.item}`);
  await postPaymentRuns(test.ports);
  await postPaymentRuns(test.ports);
  const count = async () => (await test.database.db.one<{ n: number }>(sql`select count(*)::int as n from notifications
    where title = ${`Payment run ${run.number} could not be posted`}`)).n;
  expect(await count()).toBe(1);
  expect(await tasks()).toContainEqual(expect.objectContaining({ title: `Not posted: ${run.number}`, entity_id: run.id,
    detail: expect.stringContaining('December 24, 2026'), due_on: '2026-11-26', minor: 9_900 }));
  await onDay('2026-11-27');
  await postPaymentRuns(test.ports);
  expect(await count()).toBe(2);
  await test.database.owner.exec(sql`update open_items set opened_on = '2026-11-02' where id = ${one.item}`);
  await postPaymentRuns(test.ports);
  expect([(await shown(run)).status, (await tasks()).filter((task) => task.entity_id === run.id)])
    .toEqual(['posted', []]);
});

describe('an answer of several payments', () => {
  it('finds the run of each entry of a notification, and a refund in the run that sent it', async () => {
    await onDay('2026-11-20');
    const [a, b] = [await owed(4_100), await owed(4_200)];
    const id = await refund(4_300);
    const [first, second] = [await sent([a], [id], '2026-11-24'), await sent([b], [], '2026-11-24')];
    const sentBack = (await shown(first)).payments.find((one) => one.id === id)!;
    const report = status(first, [{ number: sentBack.number, status: 'RJCT', code: 'AM04' }]);
    expect(ok(await answer(second, report)).body.data).toMatchObject({ payments: [{ run: first.number }] });
    await onDay('2026-11-23');
    const again = await sent([], [id], '2026-11-25');
    const entry = (number: string, mark: string, amount: string, on: string) => `<Ntry><Amt Ccy="EUR">${amount}</Amt>
<CdtDbtInd>${mark}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${on}</Dt></BookgDt><NtryDtls><TxDtls><Refs>
<EndToEndId>${number.replaceAll('-', '')}</EndToEndId></Refs><RltdPties><Cdtr><Nm>Somebody</Nm></Cdtr></RltdPties>
</TxDtls></NtryDtls></Ntry>`;
    const [paidA, paidB] = [await paidTo(first, a.name), await paidTo(second, b.name)];
    const file = (...entries: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>N2</MsgId>
<CreDtTm>2026-11-25T08:00:00</CreDtTm></GrpHdr><Ntfctn><Id>N2</Id>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
${entries.join('')}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
    const all = (content: string) => ann.call('POST', `${PATH}/answer`, { multipart: { fields: {}, file: {
      field: 'file', name: 'n.xml', type: 'text/plain', content: Buffer.from(content) } } });
    const said = ok(await all(file(entry(paidA.number, 'DBIT', '41.00', '2026-11-24'),
      entry(paidB.number, 'DBIT', '42.00', '2026-11-24'), entry(sentBack.number, 'DBIT', '43.00', '2026-11-25'),
      entry(paidB.number, 'DBIT', '99.00', '2026-11-24'), entry('OTHER-1', 'CRDT', '5.00', '2026-11-24')))).body.data;
    expect(said.payments.map((one: { run: string; outcome: string }) => [one.run, one.outcome])).toEqual([
      [first.number, 'settled'], [second.number, 'settled'], [again.number, 'settled']]);
    expect([said.unknown, said.others]).toEqual([2, [expect.objectContaining({ amount_minor: 9_900,
      name: 'Somebody', currency: 'EUR' }), expect.objectContaining({ reference: 'OTHER1', amount_minor: 500 })]]);
    // Booked before the refund was sent again: of the first sending, which has come back already.
    expect(ok(await all(file(entry(sentBack.number, 'CRDT', '43.00', '2026-11-20')))).body.data)
      .toMatchObject({ rejected: 0, known: 1, unknown: 0 });
    expect((await shown(again)).payments).toMatchObject([{ id, outcome: 'settled' }]);
  });

  it('enters what it can, names what it cannot, and posts today where the day of the bank is closed', async () => {
    await onDay('2026-11-20');
    const show = await makeShow(test.database.db, [{ rate_ppm: 1_000_000, accrual_basis: 'on_invoice',
      division: 'EU' }]);
    const { royaltor_id, show_royaltor_id } = show.parties[0]!;
    await reachable(`${STAFF}/royaltors/${royaltor_id}`);
    const advance = ok(await ann.post(`${STAFF}/royalty_advances`, { currency: 'EUR', due_on: '2026-11-01',
      amount_minor: 5_000, show_royaltor_id })).body.data.id;
    const [b, c] = [await owed(3_200), await owed(3_300)];
    const { id } = ok(await ask([b, c], [], '2026-11-26', [advance])).body.data;
    ok(await act(id, 'approve', ben));
    const run: Run = ok(await act(id, 'export', ann)).body.data;
    const out = await paidTo(run, c.name);
    ok(await act(id, `payments/${out.id}/cancel`, ben, { reason: 'Recalled' }));
    await onDay('2026-11-26');
    await postPaymentRuns(test.ports);
    ok(await answer(run, status(run, [{ number: out.number, status: 'ACSC' }])));
    await onDay('2026-12-01');
    const [first, second] = [(await shown(run)).payments.find((one) => one.amount_minor === 5_000)!,
      await paidTo(run, b.name)];
    // Somebody has reversed the posting of one of them in the ledger meanwhile.
    const { transaction_id } = await test.database.db.one<{ transaction_id: number }>(sql`
      select transaction_id from payments where id = ${first.id}`);
    await command(test.ports, (ctx) => reverseTransaction(ctx.db, { transaction_id, transaction_at: '2026-12-01',
      reason: 'By hand', actor_id: null, document: { type: 'payment', id: first.id } }));
    await test.database.owner.exec(sql`update periods set hard_locked_through = '2026-11-30'
      where division = 'EU' and '2026-11-30' between starts and ends`);
    const back = (number: string) => `<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-30</Dt></BookgDt><NtryDtls><TxDtls><Refs>
<EndToEndId>${number.replaceAll('-', '')}</EndToEndId></Refs>
<RtrInf><Rsn><Cd>AM05</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>`;
    const file = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>N1</MsgId>
<CreDtTm>2026-11-30T08:00:00</CreDtTm></GrpHdr><Ntfctn><Id>N1</Id>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>
${back(first.number)}${back(second.number)}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
    const { data: said } = ok(await answer(run, file)).body;
    expect(said).toMatchObject({ rejected: 1, failed: [{ payment: first.number,
      payee: first.party_name, message: expect.any(String) }] });
    expect([await paidTo(run, first.party_name), await paidTo(run, b.name)]).toEqual([
      expect.objectContaining({ status: 'posted' }), expect.objectContaining({ status: 'returned',
        outcome_on: '2026-12-01' })]);
    expect(await openOn(b)).toBe(3_200);
    // As of what the bank paid on 26 November although it was taken out.
    ok(await act(id, `payments/${out.id}/decide`, ben, { decision: 'paid', reason: 'Yes' }));
    expect([await openOn(c), await test.database.db.one(sql`select value_on from payments where id = ${out.id}`)])
      .toEqual([0, { value_on: '2026-12-01' }]);
  });
});
