/** Royaltors are paid by runs: two people, the bank's file with what was approved, and the bank's answer for each. */
// cspell:ignore Autorin DBIT CRDT buehne COBADEFFXXX ACSC RJCT Cstmr Orgnl Ntfctn Ntry Bookg
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { ok, threePeopleOn } from '#tests/support/payment-runs.ts';
import { movement } from '#tests/support/receivables.ts';
import { postPaymentRuns } from '../run/settle-run.server.ts';

const test = testApp();
const STAFF = '/api/admin/staff';
const BASE = `${STAFF}/accounting`;
const BATCHES = `${BASE}/royalty_payment_batches`;
const RUNS = `${BASE}/payment_runs`;
let ann: SignedIn;
let ben: SignedIn;
let cat: SignedIn;
let account = 0;

/** Three other persons, signed in on that day. */
async function onDay(day: string): Promise<void> {
  [ann, ben, cat] = await threePeopleOn(test, day);
}

beforeAll(async () => {
  await onDay('2026-11-20');
  const { body: { data: [row] } } = await ann.get(`${BASE}/bank_accounts?division=US&currency=USD`);
  account = row.id;
  const named = ok(await ann.put(`${BASE}/bank_accounts/${account}`, { next_check_number: 1001,
    version: row.version })).body.data;
  ok(await ann.put(`${BASE}/bank_accounts/${account}/number`, { version: named.version, kind: 'us',
    account: '7445678999', routing: '231380104' }));
  ok(await ann.put(`${BASE}/bank_accounts/${account}/payment_files`, { version: 1, originator_name: 'Grand Rights',
    company_id: '1123456789', destination_routing: '231380104', destination_name: 'First Bank', balanced: false }));
});

interface Owed { advance: number; royaltor: number; name: string }
const versionOf = async (id: number) => (await ann.get(`${STAFF}/royaltors/${id}`)).body.data.version;
async function changeBank(id: number, number = '123456789', by = cat): Promise<void> {
  ok(await by.put(`${STAFF}/royaltors/${id}/bank_details`, { kind: 'us', account: number, routing: '021000021',
    version: await versionOf(id) }));
  ok(await ben.put(`${STAFF}/royaltors/${id}/bank_details/verify`, { version: await versionOf(id),
    note: 'Called the author' }));
}
let names = 0;
/** An advance that is due to an author whose bank details Cat wrote and Ben verified. */
async function owed(amount_minor: number, currency = 'USD'): Promise<Owed> {
  const name = `Author ${(names += 1)}`;
  const { parties: [party] } = await makeShow(test.database.db, [{ rate_ppm: 1_000_000, name }]);
  await test.database.db.exec(sql`
    update royaltors set address = ${JSON.stringify({ country_code: 'US', thoroughfare: '1 Mill Road', premise: '',
      locality: 'Keene', administrative_area: 'NH', postal_code: '03431' })} where id = ${party!.royaltor_id}`);
  await changeBank(party!.royaltor_id);
  const { body: { data } } = ok(await ann.post(`${STAFF}/royalty_advances`, { currency, due_on: '2026-11-01',
    amount_minor, show_royaltor_id: party!.show_royaltor_id }));
  return { advance: data.id, royaltor: party!.royaltor_id, name };
}

interface Batch { id: number; payment_run_id: number; number: string; total_minor: number; payments: {
  id: number; number: string; royaltor_name: string; amount_minor: number }[] }
async function batchOf(of: readonly Owed[], more: object = {}): Promise<Batch> {
  return ok(await ann.post(BATCHES, { division: 'US', method: 'ach', pay_on: '2026-11-26', statement_ids: [],
    advance_ids: of.map((one) => one.advance), bank_account_id: account, ...more })).body.data;
}
const shown = async (path: string) => (await ann.get(path)).body.data;
/** A step of the batch or of its run, at the version that is stored. */
async function step(path: string, what: string, by = ben, more: object = {}) {
  const { version } = await shown(path);
  return by.put(`${path}/${what}`, { version, ...more });
}
const runOf = (batch: Batch): string => `${RUNS}/${batch.payment_run_id}`;
async function exported(of: readonly Owed[], more: object = {}): Promise<Batch> {
  const batch = await batchOf(of, more);
  ok(await step(`${BATCHES}/${batch.id}`, 'approve'));
  ok(await step(runOf(batch), 'export', ann));
  return batch;
}
const advance = async (one: Owed): Promise<string> => (await test.database.db.one<{ status: string }>(sql`
  select status from royalty_advances where id = ${one.advance}`)).status;
const answerOf = (batch: Batch, content: string) => ann.call('POST', `${runOf(batch)}/answer`, {
  multipart: { fields: {}, file: { field: 'file', name: 'returns.ach', type: 'text/plain',
    content: Buffer.from(content) } } });
const intact = async () => expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);

describe('a batch of royalties as a payment run', () => {
  it('is approved by two, written for the bank once, posted on its settlement day, and a return is payable again',
    async () => {
      const [a, b] = [await owed(15_000), await owed(60_000)];
      const batch = await batchOf([a, b]);
      const run = runOf(batch);
      expect((await ann.get(`${RUNS}?pays=royalties`)).body.data).toMatchObject([{ number: batch.number,
        status: 'draft', royalty_payment_batch_id: batch.id, total_minor: 75_000 }]);
      expect((await ann.get(`${RUNS}?pays=payables`)).body.data).toEqual([]);
      expect((await step(`${BATCHES}/${batch.id}`, 'approve', ann)).body.code).toBe('four_eyes');
      expect((await step(`${BATCHES}/${batch.id}`, 'approve', cat)).body.code).toBe('four_eyes');
      ok(await step(`${BATCHES}/${batch.id}`, 'approve'));
      const file = ok(await step(run, 'export', ann)).body.data;
      expect(file).toMatchObject({ status: 'exported', value_on: '2026-11-27', file_name: `${batch.number}.ach`,
        payments: [{ parts: [{ document: 'Advance', amount_minor: 15_000 }] }, {}] });
      expect(await shown(`${BATCHES}/${batch.id}`)).toMatchObject({ status: 'scheduled', pay_on: '2026-11-27',
        allowed_events: [], file_name: `${batch.number}.ach` });
      const { raw } = await ben.get(`${run}/file`);
      expect(createHash('sha256').update(raw).digest('hex')).toBe(file.file_sha256);
      expect(await movement(test.database.db, () => postPaymentRuns(test.ports))).toEqual({});
      await onDay('2026-11-27');
      expect(await movement(test.database.db, () => Promise.all([postPaymentRuns(test.ports),
        postPaymentRuns(test.ports)]))).toEqual({ 1000: -75_000, 1150: 75_000 });
      expect(await shown(`${BATCHES}/${batch.id}`)).toMatchObject({ status: 'posted', total_minor: 75_000 });
      expect([await advance(a), await advance(b)]).toEqual(['paid', 'paid']);
      const { bank_reference } = await test.database.db.one<{ bank_reference: string }>(sql`
        select bank_reference from payments where payment_run_id = ${batch.payment_run_id} and amount_minor = 60000`);
      const back = nachaReturn(raw.toString(), bank_reference);
      expect((await answerOf(batch, back)).body.data).toMatchObject({ settled: 0, rejected: 1, changed: 0,
        unknown: 0 });
      expect((await answerOf(batch, back)).body.data.rejected).toBe(0);
      expect([await advance(a), await advance(b)]).toEqual(['paid', 'scheduled']);
      expect((await shown(`${STAFF}/royaltors/${b.royaltor}`)).bank_verified_at).toBeNull();
      await intact();
    });

  it('names a payee whose account was changed after the approval, and is approved again', async () => {
    await onDay('2026-12-01');
    const one = await owed(9_900);
    const batch = await batchOf([one], { pay_on: '2026-12-03' });
    ok(await step(`${BATCHES}/${batch.id}`, 'approve'));
    await changeBank(one.royaltor, '987654321');
    const refused = await step(runOf(batch), 'export', ann);
    expect([refused.status, refused.body.code, refused.body.message.includes(one.name)])
      .toEqual([409, 'payment_run.payee_changed', true]);
    expect((await step(`${BATCHES}/${batch.id}`, 'pay', ann)).body.code).toBe('payment_run.payee_changed');
    ok(await step(runOf(batch), 'reopen'));
    expect(await shown(`${BATCHES}/${batch.id}`)).toMatchObject({ status: 'draft', approved_by_name: null });
    expect((await shown(runOf(batch))).payments).toMatchObject([{ party_type: 'royaltor', party_name: one.name,
      bank_change: { new_last4: '4321' } }]);
    expect((await step(`${BATCHES}/${batch.id}`, 'approve')).body.code).toBe('four_eyes');
    const dan = await test.signedIn('staff_admin');
    ok(await step(`${BATCHES}/${batch.id}`, 'approve', dan));
    ok(await step(runOf(batch), 'export', ann));
    expect((await ann.get(`${runOf(batch)}/file`)).raw.toString()).toContain('987654321');
  });

  it('frees a payment that is taken out of the file, and posts the others with the amounts of the file', async () => {
    await onDay('2026-12-07');
    await postPaymentRuns(test.ports);
    const db = test.database.db;
    const rate = (on: string, value: string) => db.exec(sql`insert into exchange_rates (base, quote, on_date, rate,
      source) values ('GBP', 'USD', ${on}, ${value}, 'manual')`);
    await rate('2026-12-07', '1.20');
    const [pounds, dollars] = [await owed(10_000, 'GBP'), await owed(4_000)];
    const batch = await exported([pounds, dollars], { pay_on: '2026-12-08' });
    expect(batch.total_minor).toBe(16_000);
    await rate('2026-12-08', '1.30');
    const gone = batch.payments.find((one) => one.royaltor_name === dollars.name)!;
    ok(await step(runOf(batch), `payments/${gone.id}/cancel`, ben, { reason: 'Recalled' }));
    expect(await advance(dollars)).toBe('scheduled');
    await onDay('2026-12-08');
    expect(await movement(db, () => postPaymentRuns(test.ports))).toMatchObject({ 1000: -12_000 });
    expect(await shown(`${BATCHES}/${batch.id}`)).toMatchObject({ status: 'posted', total_minor: 12_000,
      payments: expect.arrayContaining([expect.objectContaining({ status: 'posted', amount_minor: 12_000 })]) });
    expect((await batchOf([dollars], { pay_on: '2026-12-10' })).total_minor).toBe(4_000);
    await intact();
  });

  it('is paid by printing checks, each of which is posted; a voided one is payable again', async () => {
    await onDay('2026-12-10');
    const [a, b] = [await owed(2_500), await owed(7_700)];
    const batch = await batchOf([a, b], { method: 'check', pay_on: '2026-12-10' });
    ok(await step(`${BATCHES}/${batch.id}`, 'approve'));
    expect((await step(`${BATCHES}/${batch.id}`, 'pay', ann)).body.code).toBe('royalty_payment_batch.status_conflict');
    const { data: waiting } = (await ann.get(`${BASE}/checks?state=ready`)).body;
    expect(waiting).toHaveLength(2);
    const check = (of: Owed) => waiting.find((row: { payee: string }) => row.payee === of.name);
    const print = (id: number, first_number: string) => ann.post(`${BASE}/checks/print`, { bank_account_id: account,
      on: '2026-12-10', check_ids: [id], first_number });
    expect(await movement(test.database.db, async () => ok(await print(check(a).id, '1001'))))
      .toEqual({ 1000: -2_500, 1150: 2_500 });
    expect([await advance(a), await advance(b), await postPaymentRuns(test.ports)]).toEqual(['paid', 'scheduled', 0]);
    ok(await print(check(b).id, '1002'));
    expect(await postPaymentRuns(test.ports)).toBe(1);
    expect(await shown(`${BATCHES}/${batch.id}`)).toMatchObject({ status: 'posted', total_minor: 10_200 });
    const printed = await shown(`${BASE}/checks/${check(b).id}`);
    expect(printed).toMatchObject({ payee_lines: ['1 Mill Road', 'Keene, NH 03431'],
      parts: [{ description: 'Advance', amount_minor: 7_700 }] });
    ok(await ann.put(`${BASE}/checks/${printed.id}/void`, { version: printed.version, on: '2026-12-10',
      reason: 'Lost' }));
    expect([await advance(a), await advance(b)]).toEqual(['paid', 'scheduled']);
    await intact();
  });
});

describe('the answers of a bank in Europe', () => {
  let euros = 0;
  beforeAll(async () => {
    await onDay('2026-12-14');
    const { body: { data: [row] } } = await ann.get(`${BASE}/bank_accounts?division=EU&currency=EUR`);
    euros = row.id;
    ok(await ann.put(`${BASE}/bank_accounts/${euros}/number`, { version: row.version, kind: 'iban',
      account: 'DE89370400440532013000', routing: null }));
    ok(await ann.put(`${BASE}/bank_accounts/${euros}/payment_files`, { version: 1, originator_name: 'Grand Rights',
      bic: 'COBADEFFXXX' }));
  });

  /** An advance to an author in Berlin. */
  async function owedEuros(amount_minor: number): Promise<Owed> {
    const name = `Autorin ${(names += 1)}`;
    const { parties: [party] } = await makeShow(test.database.db, [{ rate_ppm: 1_000_000, name, division: 'EU' }]);
    const id = party!.royaltor_id;
    await test.database.db.exec(sql`
      update royaltors set email = 'autorin@buehne.example', residence_country = 'DE',
        address = ${JSON.stringify({ country_code: 'DE', thoroughfare: 'Mill Road 1', premise: '', locality: 'Berlin',
          administrative_area: '', postal_code: '10115' })}
      where id = ${id}`);
    ok(await cat.put(`${STAFF}/royaltors/${id}/bank_details`, { kind: 'iban', account: 'DE02120300000000202051',
      version: await versionOf(id) }));
    ok(await ben.put(`${STAFF}/royaltors/${id}/bank_details/verify`, { version: await versionOf(id),
      note: 'Called the author' }));
    const { body: { data } } = ok(await ann.post(`${STAFF}/royalty_advances`, { currency: 'EUR', due_on: '2026-12-01',
      amount_minor, show_royaltor_id: party!.show_royaltor_id }));
    return { advance: data.id, royaltor: id, name };
  }
  const sepa = { division: 'EU', method: 'sepa', pay_on: '2026-12-16' };
  const idOf = (batch: Batch, of: Owed): string => batch.payments.find((one) => one.royaltor_name === of.name)!.number
    .replaceAll('-', '');
  const payments = async (batch: Batch) => new Map((await shown(runOf(batch))).payments.map((row: {
    party_name: string; status: string; outcome: string | null; outcome_on: string | null }) =>
    [row.party_name, [row.status, row.outcome, row.outcome_on]]));

  it('pain.002 settles one royalty payment and rejects another before the value date', async () => {
    const [a, b] = [await owedEuros(10_000), await owedEuros(20_000)];
    const batch = await exported([a, b], { ...sepa, bank_account_id: euros });
    const report = painStatus(batch.number, [[idOf(batch, a), 'ACSC'], [idOf(batch, b), 'RJCT']]);
    expect((await answerOf(batch, report)).body.data).toMatchObject({ settled: 1, rejected: 1, unknown: 0 });
    expect((await answerOf(batch, report)).body.data).toMatchObject({ settled: 0, rejected: 0 });
    expect([await advance(a), await advance(b)]).toEqual(['scheduled', 'scheduled']);
    expect((await shown(`${STAFF}/royaltors/${b.royaltor}`)).bank_verified_at).toBeNull();
    await onDay('2026-12-16');
    expect(await postPaymentRuns(test.ports)).toBe(1);
    expect(await payments(batch)).toEqual(new Map([[a.name, ['cleared', 'settled', '2026-12-14']],
      [b.name, ['void', 'rejected', '2026-12-14']]]));
    expect([await advance(a), await advance(b)]).toEqual(['paid', 'scheduled']);
    await intact();
  });

  it('camt.054 settles each royalty payment without a posting, and a return makes it payable again', async () => {
    const [a, b] = [await owedEuros(15_000), await owedEuros(25_000)];
    const batch = await exported([a, b], { ...sepa, pay_on: '2026-12-18', bank_account_id: euros });
    await onDay('2026-12-18');
    expect(await postPaymentRuns(test.ports)).toBe(1);
    const booked = camt([[idOf(batch, a), '150.00', 'DBIT'], [idOf(batch, b), '250.00', 'DBIT']]);
    expect(await movement(test.database.db, async () => expect((await answerOf(batch, booked)).body.data)
      .toMatchObject({ settled: 2, rejected: 0, changed: 0, unknown: 0 }))).toEqual({});
    expect(await payments(batch)).toEqual(new Map([a, b].map((one) => [one.name, ['cleared', 'settled',
      '2026-12-18']])));
    const back = camt([[idOf(batch, b), '250.00', 'CRDT']]);
    expect(await movement(test.database.db, async () => expect((await answerOf(batch, back)).body.data)
      .toMatchObject({ settled: 0, rejected: 1 }))).not.toEqual({});
    expect((await answerOf(batch, back)).body.data.rejected).toBe(0);
    expect([await advance(a), await advance(b)]).toEqual(['paid', 'scheduled']);
    expect((await payments(batch)).get(b.name)).toEqual(['returned', 'rejected', '2026-12-18']);
    await intact();
  });

  it('whoever is paid gets a remittance advice, by PDF, by mail, and with all of the run', async () => {
    const [a, b] = [await owedEuros(1_500), await owedEuros(2_500)];
    const batch = await batchOf([a, b], { ...sepa, pay_on: '2026-12-22', bank_account_id: euros });
    const payment = batch.payments.find((one) => one.royaltor_name === a.name)!;
    const path = `${BASE}/payments/${payment.id}`;
    expect((await ann.get(`${path}/remittance`)).body.code).toBe('payment.not_sent');
    ok(await step(`${BATCHES}/${batch.id}`, 'approve'));
    ok(await step(runOf(batch), 'export', ann));
    expect(await shown(path)).toMatchObject({ allowed: ['remit'], payee_email: 'autorin@buehne.example' });
    const pdf = await ann.get(`${path}/remittance`);
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect((await ann.post(`${path}/remittance`, { recipients: ['autorin@buehne.example'] })).status).toBe(202);
    expect((await ann.post(`${runOf(batch)}/remittances`)).body.data).toEqual({ sent: 1, without_address: [] });
    const { body_text } = await test.database.db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where entity = 'payment' and entity_id = ${payment.id}`);
    expect(body_text).toContain(`We are paying EUR 15.00 to ${a.name}, value date 22 December 2026.`);
    expect(body_text).toContain('lists the statements and the tax withheld');
  });
});

function camt(entries: readonly [string, string, string][]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08">
<BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>M</MsgId></GrpHdr><Ntfctn><Id>N</Id>${entries.map(([id, amount, mark]) => `<Ntry>
<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-12-18</Dt></BookgDt>
<NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`).join('')}
</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
}

function painStatus(message: string, payments: readonly [string, string][]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
<CstmrPmtStsRpt><GrpHdr><MsgId>A1</MsgId><CreDtTm>2026-12-14T08:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts>
<OrgnlMsgId>${message}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>
<OrgnlPmtInfId>${message}</OrgnlPmtInfId>${payments.map(([id, status]) => `<TxInfAndSts>
<OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${status === 'RJCT'
    ? '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>' : ''}</TxInfAndSts>`).join('')}
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
}

/** Our file as the bank sends it back, with the reason behind one payment. */
function nachaReturn(file: string, trace: string): string {
  return file.split('\r\n').filter((line) => /^[1568]/.test(line)).flatMap((line) => {
    if (!line.startsWith('6') || !line.endsWith(trace)) return [line];
    return [`${line.slice(0, 78)}1${line.slice(79)}`, `799R03${trace}      02100002`.padEnd(94)];
  }).filter((line) => !line.startsWith('705')).join('\n');
}
