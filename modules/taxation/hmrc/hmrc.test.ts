import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { BOXES, HmrcDouble, REFUSALS } from '#tests/support/hmrc-double.ts';

const double = await new HmrcDouble().start();
const test = testApp({ env: { HMRC_CLIENT_ID: double.clientId, HMRC_CLIENT_SECRET: double.clientSecret,
  HMRC_ENVIRONMENT: 'sandbox', HMRC_URL: double.url, HMRC_PUBLIC_IP: '203.0.113.6', TRUST_PROXY: '127.0.0.1' } });
const BOOKS = '/api/admin/staff/accounting';
const RETURNS = `${BOOKS}/tax_returns`;
const HMRC = `${BOOKS}/hmrc`;
const browser = { user_agent: 'Mozilla/5.0 (X11; Linux x86_64)', device_id: 'beec798b-b366-47fa-b1f8-92cede14a1ce',
  screens: [{ width: 1920, height: 1080, scaling: 1, depth: 24 }], window: { width: 1256, height: 803 },
  utc_offset_minutes: 0 };
const SPAN = ['2026-01-01', '2026-03-31'] as const;
const FROM_OUTSIDE = { headers: { 'x-forwarded-for': '198.51.100.7' } };
let ann: SignedIn;
let bob: SignedIn;
let authority = 0;
let customer = 0;
let standard = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
function sale(on: string, net: number, vat: number) {
  const line = (account: string, amount: number, more: object = {}) =>
    ({ account, amount: BigInt(amount), base: BigInt(amount), currency: 'GBP' as const, ...more });
  return test.database.db.tx((db) => postJournal(db, { division: 'UK', kind: 'invoice', transaction_at: on,
    description: `Sale of ${on}`, source: null, lines: [
      line('1100', net + vat, { party: { type: 'customer', id: customer } }), line('4010', -net),
      line('2300', -vat, { party: { type: 'tax_authority', id: authority }, tax_code_id: standard,
        tax_base: BigInt(-net) })] }));
}
const connection = async () => data(await ann.get(`${HMRC}/connection`));
async function connect(who = bob) {
  const { url } = data(await who.post(`${HMRC}/authorize`, {}));
  const { state, code, back } = double.grant(url);
  expect(back).toMatch(/^https?:\/\/[^/]+\/admin\/finance\/taxes-vat\/uk-vat$/);
  return who.post(`${HMRC}/connection`, { state, code });
}
const prepared = async () => data(await ann.post(RETURNS, { division: 'UK', from: SPAN[0], to: SPAN[1] }));
const file = (row: { id: number; version: number }, who = bob) => who.call('PUT',
  `${RETURNS}/${row.id}/file_with_hmrc`, { body: { version: row.version, browser, declared: true }, ...FROM_OUTSIDE });
const submissions = async (id: number) => data(await ann.get(`${RETURNS}/${id}/submissions`));
const withdraw = (row: { id: number; version: number }) =>
  ann.put(`${RETURNS}/${row.id}/withdraw`, { version: row.version, reason: 'Anew' });
const current = async () => data(await ann.get(`${RETURNS}?division=UK`))[0];
const posted = () => double.calls(/\/returns$/).length;
const later = (seconds: number) => {
  test.clock.set(new Date(test.clock.now().getTime() + seconds * 1000).toISOString());
};
/** The stored end of the token or of the authorization is over. */
const over = (column: 'access_expires_at' | 'valid_until') => test.database.owner.exec(column === 'valid_until'
  ? sql`update hmrc_connections set granted_at = '2025-05-01', valid_until = '2026-11-01'`
  : sql`update hmrc_connections set access_expires_at = '2026-11-20'`);

beforeAll(async () => {
  [ann, bob] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  const { db, owner } = test.database;
  authority = (await owner.one<{ id: number }>(sql`insert into tax_authorities (jurisdiction, name)
    values ('GB', 'HMRC') on conflict (jurisdiction) do update set name = excluded.name returning id`)).id;
  customer = (await db.one<{ id: number }>(sql`insert into customers (name, status, divisions, default_division,
    default_currency) values ('St Bede’s', 'active', '{UK}', 'UK', 'GBP') returning id`)).id;
  standard = (await db.one<{ id: number }>(sql`
    select id from tax_codes where division = 'UK' and code = 'STANDARD'`)).id;
  await owner.exec(sql`update tax_registrations set number = 'GB123456782' where division = 'UK' and scheme = 'vat'`);
  await sale('2026-02-10', 1_000_050, 200_010);
});
beforeEach(() => {
  double.obligations = [
    { start: '2026-01-01', end: '2026-03-31', due: '2026-05-07', status: 'O', periodKey: '#001' },
    { start: '2026-04-01', end: '2026-06-30', due: '2026-08-07', status: 'O', periodKey: '26A2' }];
  double.returns.clear();
  double.faults.length = 0;
});
afterAll(() => double.stop());

describe('the double', () => {
  const published = join(process.env.SHARED_DATA ?? '../shared/data', 'tax/hmrc-vat-api-1.0.yaml');
  it.skipIf(!existsSync(published))('refuses with the codes, statuses and box names that HMRC publishes', () => {
    const text = readFileSync(published, 'utf8').replaceAll('\r\n', '\n');
    for (const [code, [, message]] of Object.entries(REFUSALS)) {
      expect(text, code).toContain(`code: ${code}`);
      expect(text, code).toContain(`message: ${message}`);
    }
    const required = /VATReturnDeclaration:\n\s+title:.*\n\s+required:\n((?:\s+- \w+\n)+)/.exec(text)![1]!;
    expect(required.match(/\w+/g)).toEqual(['periodKey', ...BOXES, 'finalised']);
  });
});

describe('the authorization of HMRC', () => {
  it('is granted at HMRC, taken with its state by the person who asked, once, and never shown', async () => {
    expect(await connection()).toMatchObject({ state: 'not_connected', environment: 'sandbox' });
    const { url } = data(await bob.post(`${HMRC}/authorize`, {}));
    const { state, code } = double.grant(url);
    const foreign = await ann.post(`${HMRC}/connection`, { state, code });
    expect([foreign.status, foreign.body.code]).toEqual([409, 'hmrc.state_unknown']);
    expect(data(await bob.post(`${HMRC}/connection`, { state, code }))).toMatchObject({ state: 'connected',
      valid_until: '2028-05-20T00:00:00Z' });
    const again = await bob.post(`${HMRC}/connection`, { state, code });
    expect(again.body.code).toBe('hmrc.state_unknown');
    const kept = await test.database.owner.query(sql`
      select encode(access_token_encrypted, 'escape') as a, (select jsonb_agg(e.after)::text from audit_events e
        where e.entity = 'hmrc_connection') as audit from hmrc_connections`);
    expect(JSON.stringify(kept)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  it('is over after fifteen minutes on the way', async () => {
    const { url } = data(await bob.post(`${HMRC}/authorize`, {}));
    const { state, code } = double.grant(url);
    later(16 * 60);
    expect((await bob.post(`${HMRC}/connection`, { state, code })).body.code).toBe('hmrc.state_unknown');
  });

  it('is renewed when its token ends, by one of many who ask at once', async () => {
    double.liabilities = [{ type: 'VAT Return Debit Charge', originalAmount: 463872, outstandingAmount: 0.1,
      due: '2026-05-07', taxPeriod: { from: '2026-01-01', to: '2026-03-31' } }];
    double.payments = [{ amount: 5.7, received: '2026-05-06' }, { amount: 50 }];
    await over('access_expires_at');
    const ask = () => ann.post(`${HMRC}/account`, { browser }, FROM_OUTSIDE);
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(data(second!)).toEqual(data(first!));
    expect(data(first!)).toMatchObject({ liabilities: [{ original_minor: 46_387_200, outstanding_minor: 10 }],
      payments: [{ amount_minor: 570, received_on: '2026-05-06' }, { amount_minor: 5000, received_on: null }] });
    expect(data(first!).obligations.map((one: { is_open: boolean }) => one.is_open)).toEqual([true, true]);
    expect(JSON.stringify(first!.body)).not.toContain('26A2');
    double.endAccess();
    expect((await ask()).status).toBe(200);
    expect(double.fraudFaults).toEqual([]);
  });

  it('that was withdrawn at HMRC is said in words, and a new one is asked for', async () => {
    double.revoke();
    const refused = await ann.post(`${HMRC}/account`, { browser });
    expect([refused.status, refused.body.code]).toEqual([409, 'hmrc.not_connected']);
    expect(refused.body.message).toMatch(/no longer accepted by HMRC. Connect to HMRC again/);
    expect(await connection()).toMatchObject({ state: 'revoked' });
    data(await connect());
    await over('valid_until');
    double.revoke();
    expect((await ann.post(`${HMRC}/account`, { browser })).body.message).toMatch(/keeps one for 18 months/);
    data(await connect());
  });
});

describe('filing with HMRC', () => {
  it('refuses in words what HMRC refuses, posts nothing, and the return can be withdrawn', async () => {
    const row = await prepared();
    expect((await file(row, ann)).body.code).toBe('four_eyes');
    double.today = '2026-03-31';
    const early = await file(row);
    expect([early.status, early.body.message]).toEqual([409,
      'For HMRC the period has not ended yet. File it after its last day.']);
    double.today = '2026-11-20';
    double.obligations = [double.obligations[1]!];
    expect((await file(row)).body.code).toBe('hmrc.no_obligation');
    expect(await current()).toMatchObject({ status: 'prepared', at_hmrc: null });
    expect(await submissions(row.id)).toMatchObject([{ state: 'refused' }]);
    expect((await withdraw(row)).status).toBe(204);
  });

  it('refuses a return of other figures that HMRC has, unsent', async () => {
    const row = await prepared();
    Object.assign(double.obligations[0]!, { status: 'F' });
    double.returns.set('#001', Object.fromEntries([...BOXES.map((name) => [name, 0]), ['periodKey', '#001']]));
    const before = posted();
    const refused = await file(row);
    expect([refused.body.code, refused.body.boxes]).toEqual(['hmrc.differs', [1, 3, 5, 6]]);
    expect(posted()).toBe(before);
    await withdraw(row);
  });

  it('says that nothing was sent where HMRC does not answer before', async () => {
    const row = await prepared();
    double.faults.push({ on: 'GET /organisations/vat/123456782/obligations', fault: 'unavailable' });
    expect((await file(row)).body.code).toBe('hmrc.unreachable');
    expect(await current()).toMatchObject({ at_hmrc: null });
    await withdraw(row);
  });

  it('asks HMRC first, and withdraws what did not arrive', async () => {
    const row = await prepared();
    const before = posted();
    double.faults.push({ on: 'POST /organisations', fault: 'cut_before' });
    expect((await file(row)).body.code).toBe('hmrc.no_answer');
    expect((await file(row)).body.code).toBe('hmrc.being_sent');
    expect(await current()).toMatchObject({ status: 'prepared', at_hmrc: 'sent' });
    for (const refused of [await withdraw(row), await bob.put(`${RETURNS}/${row.id}/file`, { version: row.version })]) {
      expect(refused.body.code).toBe('hmrc.sent');
    }
    later(61);
    double.faults.push({ on: 'GET /organisations/vat/123456782/obligations', fault: 'unavailable' });
    expect((await file(row)).body.code).toBe('hmrc.unreachable');
    expect(posted()).toBe(before);
    expect((await withdraw(row)).status).toBe(204);
  });

  it('reads back an answer that was lost and files once, with what was sent and not what came later', async () => {
    const row = await prepared();
    const before = posted();
    // Taken by HMRC; its answer is lost, and so is the answer to the question that follows.
    double.faults.push({ on: 'POST /organisations', fault: 'cut_after' },
      { on: 'GET /organisations/vat/123456782/returns', fault: 'unavailable' });
    expect((await file(row)).body.code).toBe('hmrc.no_answer');
    await sale('2026-03-30', 10_000, 2000);
    const both = await Promise.all([file(row), file(row)]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 412]);
    expect(posted()).toBe(before + 1);
    expect(double.returns.get('#001')).toEqual({ periodKey: '#001', vatDueSales: 2000.1, vatDueAcquisitions: 0,
      totalVatDue: 2000.1, vatReclaimedCurrPeriod: 0, netVatDue: 2000.1, totalValueSalesExVAT: 10_000,
      totalValuePurchasesExVAT: 0, totalValueGoodsSuppliedExVAT: 0, totalAcquisitionsExVAT: 0 });
    const filed = await current();
    expect(filed).toMatchObject({ status: 'filed', net_minor: 200_010, receipt: '', at_hmrc: 'accepted' });
    expect(await submissions(row.id)).toMatchObject([{ state: 'accepted', is_read_back: true }]);
    const next = data(await ann.get(`${BOOKS}/reports/uk_vat?division=UK&from=2026-04-01&to=2026-06-30`));
    expect(next).toMatchObject({ late: { items: 1, tax_minor: 2000 }, checks: [{ ok: true }, { ok: true }] });
  });

  it('sends again what did not arrive, and finishes what died after HMRC’s answer, with the receipt', async () => {
    const row = data(await ann.post(RETURNS, { division: 'UK', from: '2026-04-01', to: '2026-06-30' }));
    const { owner } = test.database;
    await owner.exec(sql`create function tg_dies() returns trigger language plpgsql as
      $$ begin raise exception 'the server died'; end $$`);
    await owner.exec(sql`create trigger dies before insert on tax_return_items for each row
      execute function tg_dies()`);
    const before = posted();
    double.faults.push({ on: 'POST /organisations', fault: 'cut_before' });
    expect((await file(row)).body.code).toBe('hmrc.no_answer');
    later(61);
    expect((await file(row)).status).toBe(500);
    await owner.exec(sql`drop trigger dies on tax_return_items`);
    expect(await current()).toMatchObject({ status: 'prepared', at_hmrc: 'accepted' });
    const filed = data(await file(row));
    expect(filed).toMatchObject({ status: 'filed', receipt: '256660290587', net_minor: 2000 });
    expect(posted()).toBe(before + 1);
    expect(await submissions(row.id)).toMatchObject([{ state: 'accepted', is_read_back: false, environment: 'sandbox',
      form_bundle_number: '256660290587', processing_date: '2026-11-20T08:20:27.895+0000',
      charge_ref_number: 'aCxFaNx0FZsCvyWF' }, { state: 'not_received' }]);
    await expect(owner.exec(sql`update hmrc_submissions set period_key = '26A9'`)).rejects.toThrow(/never changes/);
    const [postings] = await owner.query(sql`
      select count(*)::int as n from transactions where source_type = 'tax_return' and source_id = ${row.id}`);
    expect(postings).toEqual({ n: 1 });
  });
});
