/** One division pays a bill of another (accounting.md event 27): both books, the bill, its payment, the way back. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { ledgerIntegrity } from '../report/integrity.server.ts';

const test = testApp();
const db = () => test.database.db;
const API = '/api/admin/staff';
const BASE = `${API}/accounting`;
const ENTRIES = `${BASE}/intercompany_entries`;
let ann: SignedIn;
let ben: SignedIn;
let vendor = 0;
const accounts = new Map<string, number>();
const at = (account: string): number => accounts.get(account)!;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** A bill of the UK in dollars, carried at 0.75 pounds a dollar; on the day that it is paid a dollar is 0.80. */
async function makeBill(net_minor = 10_000, division = 'UK'): Promise<{ id: number; number: string; version: number }> {
  const draft = data(await ann.post(`${BASE}/bills`, { vendor_id: vendor, division, currency: 'USD',
    billed_on: '2026-02-02', vendor_number: `INV-${division}-${net_minor}`, duplicate_confirmed: true,
    lines: [{ ledger_account_id: at(`${division} 6200`), description: 'Hosting', net_minor }] }));
  const asked = data(await ann.put(`${BASE}/bills/${draft.id}/submit`, { version: draft.version }));
  return data(await ben.put(`${BASE}/bills/${draft.id}/approve`, { version: asked.version }));
}
const ask = (bill: { id: number }, body: object = {}) => ann.post(ENTRIES, { creditor: 'US', debtor: 'UK',
  currency: 'USD', dated_on: '2026-02-10', amount_minor: 10_000, creditor_account_id: at('US 1000'),
  debtor_account_id: at('UK 2000'), bill_id: bill.id, description: 'Paid from the US bank', ...body });
const approve = (row: { id: number; version: number }) =>
  ben.put(`${ENTRIES}/${row.id}/approve`, { version: row.version });
const reverse = (row: { id: number; version: number }, on = '2026-02-12') =>
  ann.put(`${ENTRIES}/${row.id}/reverse`, { version: row.version, reason: 'Not ours', reversed_on: on });
const billOf = async (bill: { id: number }) => data(await ann.get(`${BASE}/bills/${bill.id}`));
const linesOf = (id: number) => db().query(sql`
  select a.code, e.amount_minor, e.base_amount_minor as base_minor, e.party_type as party from journal_entries e
    join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = ${id} order by e.line_no`);

async function expectSound(): Promise<void> {
  await db().query(sql`select ledger_chain_extend()`);
  expect((await ledgerIntegrity(db())).filter((one) => !one.ok)).toEqual([]);
}

/** Aging of the UK in pounds, which agrees with the control account. */
async function owed(): Promise<number> {
  const aging = data(await ann.get(`${BASE}/accounts_payable/aging?division=UK&as_of=2026-02-28`));
  expect(aging.checks.filter((one: { ok: boolean }) => !one.ok)).toEqual([]);
  return aging.rows.reduce((all: number, row: { total_base_minor: number }) => all + row.total_base_minor, 0);
}

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  ben = await test.signedIn('staff_admin');
  for (const row of await db().query<{ id: number; key: string }>(sql`
    select id, division || ' ' || code as key from ledger_accounts`)) accounts.set(row.key, row.id);
  await test.database.owner.exec(sql`
    insert into exchange_rates (base, quote, on_date, rate, source)
    values ('USD', 'GBP', '2026-02-01', '0.75', 'manual'), ('USD', 'GBP', '2026-02-09', '0.8', 'manual')`);
  vendor = data(await ann.post(`${API}/vendors`, { name: 'Alder Hosting', divisions: ['US', 'UK'],
    default_currency: 'USD' })).id;
}, 900_000);

describe('a bill that another division pays [event 27]', () => {
  it('is paid by an entry that a second person approves, in both books, once', async () => {
    const bill = await makeBill();
    const row = data(await ask(bill));
    expect(row).toMatchObject({ status: 'waiting', bill_id: bill.id, bill_number: bill.number, vendor_id: vendor,
      vendor_name: 'Alder Hosting', payment_id: null });
    expect((await ann.put(`${ENTRIES}/${row.id}/approve`, { version: row.version })).body.code).toBe('four_eyes');
    expect(await billOf(bill)).toMatchObject({ state: 'approved', open_minor: 10_000 });
    const answers = await Promise.all([approve(row), approve(row), approve(row)]);
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409, 409]);
    const done = data(await ann.get(`${ENTRIES}/${row.id}`));
    expect(await linesOf(done.creditor_transaction_id)).toEqual([
      { code: '1500', amount_minor: 10_000, base_minor: 10_000, party: 'division' },
      { code: '1000', amount_minor: -10_000, base_minor: -10_000, party: null }]);
    expect(await linesOf(done.debtor_transaction_id)).toEqual([
      { code: '2500', amount_minor: -10_000, base_minor: -8_000, party: 'division' },
      { code: '2000', amount_minor: 10_000, base_minor: 8_000, party: 'vendor' }]);
    const paid = await billOf(bill);
    expect(paid).toMatchObject({ state: 'paid', open_minor: 0, settlements: [{ on: '2026-02-10', amount_minor: 10_000,
      document_type: 'intercompany_entry', document_id: row.id, number: row.number }] });
    // Carried at 75.00 pounds and paid with 80.00: a loss of 5.00, as with any payment.
    const { fx } = await db().one<{ fx: number }>(sql`
      select sum(e.base_amount_minor)::bigint as fx from posted_entries e
      where e.ledger_account_id = ${at('UK 7000')}`);
    expect(fx).toBe(500);
    expect(await owed()).toBe(0);
    await expectSound();
  });

  it('has a payment of the division that owed it, which no bank of that division settles or returns', async () => {
    const [entry] = data(await ann.get(`${ENTRIES}?status=posted`));
    const payment = data(await ann.get(`${BASE}/payments/${entry.payment_id}`));
    expect(payment).toMatchObject({ number: entry.payment_number, direction: 'out', kind: 'vendor', status: 'cleared',
      method: 'set_off', division: 'UK', party_id: vendor, account: '2500 Due to divisions', bank_account_id: null,
      reference: entry.number, amount_minor: 10_000, applied_minor: 10_000, withheld_minor: 0, paid_on: '2026-02-10',
      intercompany: { id: entry.id, number: entry.number }, allowed: ['remit'],
      parts: [{ document: entry.bill_number, amount_minor: 10_000 }] });
    for (const status of ['returned', 'void', 'cleared']) {
      const refused = await ben.put(`${BASE}/payments/${payment.id}/status`, { status, version: payment.version,
        on: '2026-02-11', reason: 'Bounced' });
      expect([refused.status, refused.body.code]).toEqual([409, 'payment.paid_elsewhere']);
    }
    const moves = data(await ann.get(`${BASE}/accounts_payable/vendors/${vendor}/transactions`));
    expect(moves.filter((one: { kind: string }) => one.kind === 'payment')).toMatchObject([
      { number: payment.number, payment_id: payment.id, amount_minor: -10_000 }]);
  });

  it('is open again once the entry is reversed, and its payment stands reversed', async () => {
    const [entry] = data(await ann.get(`${ENTRIES}?status=posted`));
    const answers = await Promise.all([reverse(entry), reverse(entry)]);
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409]);
    expect(await billOf({ id: entry.bill_id })).toMatchObject({ state: 'approved', open_minor: 10_000,
      settlements: [] });
    expect(data(await ann.get(`${BASE}/payments/${entry.payment_id}`))).toMatchObject({ status: 'reversed',
      applied_minor: 0, returned_on: '2026-02-12', reversal_reason: 'Not ours' });
    expect(await db().query(sql`
      select state from payment_parts where payment_id = ${entry.payment_id}`)).toEqual([{ state: 'released' }]);
    expect(await owed()).toBe(7_500);
    await expectSound();
  });

  it('is part paid by less, and refuses more than is open, at the amount', async () => {
    const bill = await makeBill(10_001);
    expect((await ask(bill, { amount_minor: 10_002 })).body.errors).toEqual({
      amount_minor: [`Only USD 100.01 is open on ${bill.number}. Enter that or less`] });
    data(await approve(data(await ask(bill, { amount_minor: 4_000 }))));
    expect(await billOf(bill)).toMatchObject({ state: 'part_paid', open_minor: 6_001 });
    const void_ = await ben.put(`${BASE}/bills/${bill.id}/void`, { version: (await billOf(bill)).version,
      reason: 'Wrong' });
    expect(void_.status).toBe(409);
    await expectSound();
  });

  it('refuses the approval with its number where it was paid, or put on hold, meanwhile', async () => {
    const bill = await makeBill(10_002);
    const rows = [data(await ask(bill, { amount_minor: 10_002 })), data(await ask(bill, { amount_minor: 10_002 }))];
    const answers = await Promise.all(rows.map(approve));
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409]);
    const refused = answers.find((one) => one.status === 409)!;
    expect(refused.body).toMatchObject({ code: 'intercompany.bill_not_payable',
      message: expect.stringContaining(`Nothing is open on ${bill.number}`) });
    const held = await makeBill(10_003);
    const waiting = data(await ask(held));
    data(await ann.put(`${BASE}/bills/${held.id}/hold`, { version: held.version, reason: 'Disputed' }));
    expect((await approve(waiting)).body.message).toContain(`${held.number} is on hold: Disputed`);
    expect((await ask(held)).body.errors).toHaveProperty('bill_id');
    await expectSound();
  });

  it('is refused at its field: another division, currency, account or day, a customer beside it, a settlement',
    async () => {
      const bill = await makeBill(10_004);
      const errorsOf = async (body: object) => Object.keys((await ask(bill, body)).body.errors ?? {});
      expect(await errorsOf({ debtor: 'PROD', debtor_account_id: at('PROD 2000') })).toEqual(['bill_id']);
      expect(await errorsOf({ currency: 'GBP', creditor: 'EU', creditor_account_id: at('EU 6200') }))
        .toEqual(['creditor_account_id']);
      expect(await errorsOf({ bill_id: null })).toEqual(['bill_id']);
      expect(await errorsOf({ debtor_account_id: at('UK 6200') })).toEqual(['bill_id']);
      expect(await errorsOf({ creditor_account_id: at('US 6200') })).toEqual(['creditor_account_id']);
      expect(await errorsOf({ dated_on: '2026-02-01' })).toEqual(['dated_on']);
      expect(await errorsOf({ kind: 'settlement' })).toEqual(['bill_id']);
    });

  it('is refused where tax is withheld from the vendor: the division pays by itself', async () => {
    const bill = await makeBill(10_005, 'US');
    await test.database.owner.exec(sql`
      update vendors set tax_1099_category = 'nec', backup_withholding_reason = 'no_tin',
        backup_withholding_from = '2026-01-01'
      where id = ${vendor}`);
    const refused = await ask(bill, { creditor: 'PROD', creditor_account_id: at('PROD 1000'), debtor: 'US',
      debtor_account_id: at('US 2000') });
    expect(refused.body.errors).toEqual({ bill_id: [`Tax is withheld from payments to Alder Hosting. Pay ${bill.number
    } from a bank account of division US`] });
  });
});

describe('the database', () => {
  it('keeps a bill that is not of the debtor, its vendor or the currency out of an entry', async () => {
    const [entry] = data(await ann.get(`${ENTRIES}?status=reversed`));
    const change = (set: ReturnType<typeof sql>) => test.database.owner.exec(sql`
      insert into intercompany_entries (number, kind, dated_on, description, currency, amount_minor, creditor,
        creditor_account_id, debtor, debtor_account_id, requested_by_id, vendor_id, bill_id)
      select number || 'x', kind, dated_on, description, currency, amount_minor, creditor, creditor_account_id, debtor,
        debtor_account_id, requested_by_id, ${set} from intercompany_entries where id = ${entry.id}`);
    const other = await makeBill(10_006, 'PROD');
    await expect(change(sql`vendor_id, ${other.id}`)).rejects.toThrow('pays no bill of its debtor');
    await expect(change(sql`null, bill_id`)).rejects.toThrow('pays no bill of its debtor');
  });
});

describe('the year-end forms', () => {
  it('report what the other division paid, once, by the division that owed it', async () => {
    await test.database.owner.exec(sql`
      update vendors set tax_1099_category = 'nec', tax_form_type = 'w9', backup_withholding_reason = 'none',
        backup_withholding_from = null where id = ${vendor}`);
    const bill = await makeBill(250_000, 'PROD');
    data(await approve(data(await ask(bill, { debtor: 'PROD', debtor_account_id: at('PROD 2000'),
      amount_minor: 250_000 }))));
    const reported = async (division: string) => data(await ann.get(
      `${BASE}/reports/year_end_forms?division=${division}&year=2026`)).forms.flatMap(
      (one: { form: string; rows: { name: string; boxes: { box: string; amount_minor: number }[] }[] }) =>
        one.rows.map((row) => [one.form, row.name, row.boxes[0]?.amount_minor]));
    expect(await reported('PROD')).toEqual([['1099_nec', 'Alder Hosting', 250_000]]);
    expect(await reported('US')).toEqual([]);
  });
});
