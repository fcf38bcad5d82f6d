import { beforeAll, describe, expect, it } from 'vitest';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { remindOfVat, vatDueOn } from './vat-return-tasks.server.ts';

const test = testApp();
const BOOKS = '/api/admin/staff/accounting';
const VAT = `${BOOKS}/reports/uk_vat`;
const RETURNS = `${BOOKS}/tax_returns`;
let ann: SignedIn;
let bob: SignedIn;
let authority = 0;
let customer = 0;
const codes = new Map<string, number>();

interface Tax { on: string; net: number; vat: number; code?: string; side?: 'sale' | 'purchase' | 'reverse' }

/** A document with tax: as invoices, bills and reverse-charged bills post it. */
async function booked({ on, net, vat, code = 'STANDARD', side = 'sale' }: Tax, division: 'UK' | 'EU' = 'UK') {
  const currency = division === 'UK' ? 'GBP' : 'EUR';
  const tax = (account: string, amount: number, base: number) => ({ account, amount: BigInt(amount),
    party: { type: 'tax_authority' as const, id: authority }, tax_code_id: codes.get(`${division} ${code}`)!,
    tax_base: BigInt(base) });
  const party = { type: 'customer' as const, id: customer };
  const lines = side === 'sale'
    ? [{ account: '1100', amount: BigInt(net + vat), party }, { account: '4010', amount: BigInt(-net) },
      tax('2300', -vat, -net)]
    : side === 'purchase'
      ? [{ account: '6200', amount: BigInt(net) }, tax('1300', vat, net),
        { account: '1100', amount: BigInt(-net - vat), party }]
      : [{ account: '6200', amount: BigInt(net) }, tax('1300', vat, net), tax('2300', -vat, -net),
        { account: '1100', amount: BigInt(-net), party }];
  return test.database.db.tx((db) => postJournal(db, { division, kind: 'invoice', transaction_at: on,
    description: `${side} of ${on}`, source: null,
    lines: lines.map((line) => ({ ...line, currency, base: line.amount })) }));
}
function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
/** A payment of VAT that is owed. */
const paid = (minor: number) => test.database.db.tx((db) => postJournal(db, { division: 'UK', kind: 'tax_payment',
  transaction_at: '2026-05-07', description: 'VAT', source: null, lines: [
    { account: '2350', currency: 'GBP', amount: BigInt(minor), base: BigInt(minor),
      party: { type: 'tax_authority', id: authority } },
    { account: '1000', currency: 'GBP', amount: BigInt(-minor), base: BigInt(-minor) }] }));
const boxes = (report: { boxes: { box: string; amount_minor: number }[] }) =>
  Object.fromEntries(report.boxes.map((box) => [box.box, box.amount_minor]));
const read = async (from: string, to: string, division = 'UK') =>
  data(await ann.get(`${VAT}?division=${division}&from=${from}&to=${to}`));

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  bob = await test.signedIn('staff_admin');
  const { db, owner } = test.database;
  authority = (await owner.one<{ id: number }>(sql`insert into tax_authorities (jurisdiction, name)
    values ('GB', 'HMRC') on conflict (jurisdiction) do update set name = excluded.name returning id`)).id;
  customer = (await db.one<{ id: number }>(sql`insert into customers (name, status, divisions, default_division,
    default_currency) values ('St Bede’s', 'active', '{UK}', 'UK', 'GBP') returning id`)).id;
  for (const row of await db.query<{ id: number; division: string; code: string }>(sql`
    select id, division, code from tax_codes`)) codes.set(`${row.division} ${row.code}`, row.id);
});

describe('the VAT return of a quarter', () => {
  it('shows the worked example of accounting.md 3.8 and what stands behind box 1 [A101]', async () => {
    await booked({ on: '2026-01-15', net: 1_000_000, vat: 200_000 });
    await booked({ on: '2026-02-15', net: 100_000, vat: 20_000, side: 'reverse', code: 'REVERSE_CHARGE' });
    await booked({ on: '2026-03-31', net: 300_000, vat: 60_000, side: 'purchase' });
    const report = await read('2026-01-01', '2026-03-31');
    expect(boxes(report)).toEqual({ 1: 220_000, 2: 0, 3: 220_000, 4: 80_000, 5: 140_000, 6: 1_100_000, 7: 400_000,
      8: 0, 9: 0 });
    expect(report).toMatchObject({ net_minor: 140_000, blocked: null, checks: [{ ok: true, actual: 140_000 },
      { ok: true, actual: 140_000 }] });
    const page = (await ann.get(`${VAT}/items?division=UK&from=2026-01-01&to=2026-03-31&box=1`)).body;
    expect(page.data.map((row: { tax_minor: number }) => row.tax_minor)).toEqual([200_000, 20_000]);
    expect(page.meta.total).toBe(2);
  });

  it('has goods bought in another member state in E2, and services in ES2, by the account of their line', async () => {
    const { db } = test.database;
    const vendor = data(await ann.post('/api/admin/staff/vendors', { name: 'Berlin Press', divisions: ['EU'],
      default_currency: 'EUR', address: { country_code: 'DE', thoroughfare: 'Linden 1', premise: '',
        locality: 'Berlin', administrative_area: '', postal_code: '10115' } }));
    const line = async (code: string) => ({ description: code, net_minor: 100_000,
      tax_code_id: codes.get('EU REVERSE_CHARGE'), ledger_account_id: (await db.one<{ id: number }>(sql`
        select id from ledger_accounts where division = 'EU' and code = ${code}`)).id });
    const draft = data(await ann.post(`${BOOKS}/bills`, { vendor_id: vendor.id, division: 'EU', currency: 'EUR',
      billed_on: '2026-04-15', vendor_number: 'S-1', lines: [await line('6200'), await line('1200')] }));
    const asked = data(await ann.put(`${BOOKS}/bills/${draft.id}/submit`, { version: draft.version }));
    data(await bob.put(`${BOOKS}/bills/${draft.id}/approve`, { version: asked.version }));
    const report = await read('2026-04-01', '2026-06-30', 'EU');
    expect(boxes(report)).toMatchObject({ T1: 46_000, T2: 46_000, E2: 100_000, ES2: 100_000 });
    const goods = (await ann.get(`${VAT}/items?division=EU&from=2026-04-01&to=2026-06-30&box=E2`)).body;
    expect(goods.data).toMatchObject([{ tax_minor: 23_000, net_minor: 100_000 }]);
  });

  it('is a task from the end of its period, with its due date, and notified once', async () => {
    const tasks = async (division: string) => data(await ann.get(`/api/admin/staff/dashboard?division=${division
    }&all=true`)).todo.rows.filter((row: { kind: string }) => row.kind === 'tax_return');
    expect(await tasks('UK')).toMatchObject([{ title: 'Prepare the VAT return',
      href: '/admin/finance/taxes-vat/uk-vat?division=UK&from=2026-07-01&to=2026-09-30',
      detail: 'July 1, 2026 to September 30, 2026', due_on: '2026-11-07', currency: 'GBP' }]);
    // Irish Revenue wants it by the 23rd, HM Revenue & Customs a month and seven days after the quarter.
    expect(await tasks('EU')).toMatchObject([{ due_on: '2026-11-23', currency: 'EUR',
      detail: 'September 1, 2026 to October 31, 2026' }]);
    expect(vatDueOn('UK', '2027-01-31')).toBe('2027-03-07');
    await remindOfVat(test.ports);
    await remindOfVat(test.ports);
    const told = data(await ann.get('/api/admin/staff/notifications?kind=closing.due&per_page=50'));
    expect(told.filter((one: { title: string }) => one.title.startsWith('Prepare the VAT return of UK')))
      .toHaveLength(1);
  });

  it('covers the months that the tax authority granted, from the day after the last one', async () => {
    const { db, owner } = test.database;
    const proposed = async () => {
      const { from, to } = data(await ann.get(`${VAT}?division=EU`));
      return [from, to];
    };
    const months = (count: number) => db.exec(sql`update divisions set vat_period_months = ${count} where code = 'EU'`);
    expect(await proposed()).toEqual(['2026-09-01', '2026-10-31']);
    await months(6);
    expect(await proposed()).toEqual(['2026-01-01', '2026-06-30']);
    const quarter = data(await ann.post(RETURNS, { division: 'EU', from: '2026-01-01', to: '2026-03-31' }));
    expect(await proposed()).toEqual(['2026-01-01', '2026-03-31']);
    await months(2);
    await owner.exec(sql`alter table tax_returns disable trigger user`);
    await owner.exec(sql`update tax_returns set status = 'filed', filed_by_id = ${bob.user_id}, filed_at = now()
      where id = ${quarter.id}`);
    expect(await proposed()).toEqual(['2026-04-01', '2026-05-31']);
    await owner.exec(sql`delete from tax_returns where id = ${quarter.id}`);
    await owner.exec(sql`alter table tax_returns enable trigger user`);
    await expect(months(5)).rejects.toThrow(/check/);
  });

  it('is filed by another person, once: frozen, posted to 2350, locked for tax', async () => {
    const prepared = data(await ann.post(RETURNS, { division: 'UK', from: '2026-01-01', to: '2026-03-31' }));
    const file = (who: SignedIn) => who.put(`${RETURNS}/${prepared.id}/file`, { version: prepared.version });
    // By the person, not by a name that two may have.
    expect(prepared.prepared_by_id).toBe(ann.user_id);
    expect((await file(ann)).body.code).toBe('four_eyes');
    const both = await Promise.all([file(bob), file(bob)]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 412]);
    const filed = data(await bob.get(`${RETURNS}?division=UK`))[0];
    expect(filed).toMatchObject({ status: 'filed', net_minor: 140_000 });
    const lines = await test.database.db.query(sql`
      select a.code, e.amount_minor::int as minor from journal_entries e
        join ledger_accounts a on a.id = e.ledger_account_id
      where e.transaction_id = ${filed.transaction_id} order by a.code`);
    expect(lines).toEqual([{ code: '1300', minor: -80_000 }, { code: '2300', minor: 220_000 },
      { code: '2350', minor: -140_000 }]);
    const pay = async () => data(await ann.get('/api/admin/staff/dashboard?division=UK&all=true')).todo.rows
      .filter((row: { title: string }) => row.title === 'Pay the VAT return');
    expect(await pay()).toMatchObject([{ detail: 'Period to March 31, 2026', due_on: '2026-05-07', currency: 'GBP',
      minor: 140_000, href: '/admin/accounts-payable/invoices?taxes=UK' }]);
    await paid(100_000);
    expect(await pay()).toMatchObject([{ minor: 40_000 }]);
    await paid(40_000);
    expect(await pay()).toEqual([]);
    await expect(booked({ on: '2026-03-31', net: 100, vat: 20 })).rejects.toThrow();
    expect(boxes(await read('2026-01-01', '2026-03-31'))).toMatchObject({ 1: 220_000, 5: 140_000 });
    const withdrawn = await ann.put(`${RETURNS}/${filed.id}/withdraw`, { version: filed.version, reason: 'x' });
    expect(withdrawn.body.code).toBe('tax_return.filed');
    await expect(test.database.owner.exec(sql`
      update tax_returns set net_minor = 1 where id = ${filed.id}`)).rejects.toThrow(/never changes/);
  });

  it('takes what comes late into the next return, and leaves the filed one', async () => {
    await test.database.owner.exec(sql`
      select ledger_set_lock('UK', 'tax', null, 'Late bill', ${ann.user_id}::bigint, ${bob.user_id}::bigint)`);
    await booked({ on: '2026-03-31', net: 200_000, vat: 40_000 });
    await booked({ on: '2026-04-10', net: 50_000, vat: 10_000 });
    expect(boxes(await read('2026-01-01', '2026-03-31'))).toMatchObject({ 1: 220_000 });
    const next = await read('2026-04-01', '2026-06-30');
    expect(boxes(next)).toMatchObject({ 1: 50_000, 6: 250_000 });
    expect(next.late).toEqual({ items: 1, tax_minor: 40_000, may_correct: true });
  });

  it('refuses to file what was posted into since it was prepared, and withdraws it', async () => {
    const prepared = data(await ann.post(RETURNS, { division: 'UK', from: '2026-04-01', to: '2026-06-30' }));
    expect((await read('2026-04-01', '2026-06-30')).has_changed).toBe(false);
    await booked({ on: '2026-06-30', net: 1_000, vat: 200 });
    expect((await read('2026-04-01', '2026-06-30')).has_changed).toBe(true);
    const refused = await bob.put(`${RETURNS}/${prepared.id}/file`, { version: prepared.version });
    expect([refused.status, refused.body.code]).toEqual([409, 'tax_return.changed']);
    expect(refused.body.message).toMatch(/Box 1, [^:]+: from GBP 500\.00 to GBP 502\.00/);
    expect(refused.body.message).not.toContain('Box 4');
    expect((await bob.put(`${RETURNS}/${prepared.id}/withdraw`, { version: prepared.version,
      reason: 'A late invoice' })).status).toBe(204);
    expect(boxes(await read('2026-04-01', '2026-06-30'))).toMatchObject({ 1: 50_200 });
  });

  it('refuses a gap, an overlap, a period that has not ended and a division that is not registered', async () => {
    const prepare = (division: string, from: string, to: string) => ann.post(RETURNS, { division, from, to });
    for (const [from, to] of [['2026-05-01', '2026-07-31'], ['2026-03-01', '2026-05-31'],
      ['2026-04-01', '2026-12-31']]) {
      const answer = await prepare('UK', from!, to!);
      expect([answer.status, answer.body.code], from).toEqual([409, 'tax_return.not_ready']);
      if (from !== '2026-04-01') expect(answer.body.message).toContain('Choose April 1, 2026 as the first day');
    }
    await test.database.owner.exec(sql`delete from tax_registrations where division = 'EU' and scheme = 'vat'`);
    expect((await prepare('EU', '2026-07-01', '2026-09-30')).body.message).toMatch(/not registered/);
  });

  it('is not prepared while the accounts of VAT hold what no return and no document explains', async () => {
    const own = { currency: 'GBP' as const, party: { type: 'tax_authority' as const, id: authority } };
    await test.database.db.tx((db) => postJournal(db, { division: 'UK', kind: 'tax_return',
      transaction_at: '2026-06-15', description: 'By hand', source: null, lines: [
        { account: '2300', amount: 5_000n, base: 5_000n, ...own },
        { account: '2350', amount: -5_000n, base: -5_000n, ...own }] }));
    const found = await read('2026-04-01', '2026-06-30');
    expect(found.checks).toMatchObject([{ ok: true }, { name: 'accounts_hold_unfiled', ok: false }]);
    const refused = await ann.post(RETURNS, { division: 'UK', from: '2026-04-01', to: '2026-06-30' });
    expect(refused.body.code).toBe('tax_return.differs');
    expect(refused.body.message).toMatch(
      /No document made this entry .*: [\w -]+ of June 15, 2026 \(debit of GBP 50\.00\)/);
  });

  it('has files: boxes with items, Making Tax Digital with HMRC’s names, lists of the EU [X100]', async () => {
    const query = 'from=2026-01-01&to=2026-03-31';
    const file = async (rest: string) => {
      const answer = await ann.get(`${VAT}/export?${rest}&${query}`);
      return { status: answer.status, text: answer.raw.toString() };
    };
    const csv = await file('division=UK&kind=return');
    expect(csv.text).toContain('1 VAT due on sales and other outputs,2200.00');
    expect(csv.text).toContain('Sales,2026-01-15');
    expect(JSON.parse((await file('division=UK&kind=mtd')).text)).toMatchObject({ vatDueSales: 2200, netVatDue: 1400,
      totalValueSalesExVAT: 11_000, finalised: true });
    expect((await file('division=EU&kind=oss')).text).toContain('Member state');
    const months = await ann.get(`${VAT}/export?division=EU&kind=oss&from=2026-02-01&to=2026-03-31`);
    expect(months.body.errors.from[0]).toMatch(/covers a quarter/);
    expect((await file('division=EU&kind=ec_list')).text).toContain('VAT number');
    expect((await file('division=EU&kind=mtd')).status).toBe(422);
  });
});
