/** Backup withholding of US vendors: from the setting to the payment, its way back, the run, the check and the 1099. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { postPaymentRuns } from '../run/settle-run.server.ts';

const test = testApp();
const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const PATH = `${BOOKS}/payments`;
let ann: SignedIn;
let bob: SignedIn;
let cat: SignedIn;
let account = 0;
let expense = 0;
let names = 0;

beforeAll(async () => {
  [ann, bob, cat] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin'),
    await test.signedIn('staff_admin')];
  for (const one of [ann, bob, cat]) await one.confirm();
  ({ account, expense } = await test.database.db.one<{ account: number; expense: number }>(sql`
    select (select id from bank_accounts where division = 'US' and currency = 'USD' and is_default) as account,
      (select id from ledger_accounts where division = 'US' and code = '6200') as expense`));
});

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const facts = (answer: Answer) => [answer.status, answer.body.code ?? answer.body.errors];

const ADDRESS = { country_code: 'US', thoroughfare: '12 Mill Road', premise: '', locality: 'Keene',
  administrative_area: 'NH', postal_code: '03431' };
const NO_TIN = { tax_1099_category: 'nec', backup_withholding_reason: 'no_tin',
  backup_withholding_from: '2026-11-01' };

/** Without a W-9; its bank details are Cat's, verified by Bob. */
async function makeVendor(more: object = NO_TIN): Promise<{ id: number; name: string }> {
  const name = `Maple Stage ${(names += 1)}`;
  const { id } = data(await ann.post(`${API}/vendors`, { name, divisions: ['US'], default_currency: 'USD',
    email: `bills${names}@maple.example`, address: ADDRESS, remit_to_address: ADDRESS, ...more }));
  const version = async () => data(await ann.get(`${API}/vendors/${id}`)).version;
  data(await cat.put(`${API}/vendors/${id}/bank_details`, { kind: 'us', account: '123456789', routing: '021000021',
    version: await version() }));
  data(await bob.put(`${API}/vendors/${id}/bank_details/verify`, { version: await version(), note: 'Called' }));
  return { id, name };
}
async function setVendor(id: number, change: object): Promise<Answer> {
  const { version } = data(await ann.get(`${API}/vendors/${id}`));
  return ann.put(`${API}/vendors/${id}`, { ...change, version });
}

async function makeBill(vendor_id: number, net_minor: number) {
  const draft = data(await ann.post(`${BOOKS}/bills`, { vendor_id, division: 'US', currency: 'USD',
    billed_on: '2026-11-02', vendor_number: `M-${(names += 1)}`, duplicate_confirmed: true,
    lines: [{ ledger_account_id: expense, description: 'Scenery', net_minor }] }));
  const asked = data(await ann.put(`${BOOKS}/bills/${draft.id}/submit`, { version: draft.version }));
  const bill = data(await bob.put(`${BOOKS}/bills/${draft.id}/approve`, { version: asked.version }));
  const { id: item } = await test.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${bill.transaction_id} and party_type = 'vendor'`);
  return { ...bill, item } as { id: number; item: number; number: string; vendor_number: string };
}
const showBill = async (bill: { id: number }) => data(await ann.get(`${BOOKS}/bills/${bill.id}`));
const part = (bill: { item: number }, amount_minor: number, discount_minor = 0) =>
  ({ open_item_id: bill.item, amount_minor, discount_minor, discount_reason: 'Agreed by phone' });
const pay = (party_id: number, parts: object[], more: object = {}) =>
  ann.post(`${BOOKS}/accounts_payable/payments`, { bank_account_id: account, method: 'wire', party_type: 'vendor',
    party_id, on: '2026-11-20', memo: '', parts, ...more });
async function step(id: number, status: string, by = bob, more: object = {}): Promise<Answer> {
  const { version } = data(await ann.get(`${PATH}/${id}`));
  return by.put(`${PATH}/${id}/status`, { status, version, ...more });
}
async function paid(amount: number, more: object = {}) {
  const vendor = await makeVendor();
  const bill = await makeBill(vendor.id, amount);
  const made = data(await pay(vendor.id, [part(bill, amount)], more));
  data(await step(made.id, 'approved'));
  return { vendor, bill, payment: data(await step(made.id, 'posted', ann)) };
}

const linesOf = async (transaction: number) => (await test.database.db.query<{ line: string }>(sql`
  select a.code || ' ' || e.amount_minor as line from journal_entries e
    join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = ${transaction} order by e.line_no`))
  .map((row) => row.line);
const owedToIrs = async (): Promise<number> => (data(await ann.get(
  `${BOOKS}/bills/taxes_due?division=US&on=2026-12-31`)).find((row: { code: string }) => row.code === '2320')
  ?.owed_minor ?? 0);
const wrong = async () => (await ledgerIntegrity(test.database.db)).filter((check) => !check.ok);

describe('the setting of a vendor', () => {
  it('has a reason and a first day, and a 1099 that reports it', async () => {
    const { id } = await makeVendor({});
    expect((await setVendor(id, { backup_withholding_reason: 'no_tin' })).body.errors)
      .toHaveProperty('backup_withholding_from');
    expect((await setVendor(id, { backup_withholding_from: '2026-11-01' })).body.errors)
      .toHaveProperty('backup_withholding_from');
    const on = { backup_withholding_reason: 'b_notice', backup_withholding_from: '2026-11-01' };
    expect((await setVendor(id, on)).body.errors).toHaveProperty('tax_1099_category');
    expect((await setVendor(id, { ...on, tax_1099_category: 'nec', tax_form_type: 'w8ben' })).body.errors)
      .toHaveProperty('backup_withholding_reason');
    expect(data(await setVendor(id, { ...on, tax_1099_category: 'nec' }))).toMatchObject(on);
    const audit = await test.database.db.one<{ after: object }>(sql`
      select after from audit_events where entity = 'vendor' and entity_id = ${id} order by id desc limit 1`);
    expect(audit.after).toMatchObject({ backup_withholding_reason: 'b_notice' });
  });
});

describe('a payment to a vendor without a taxpayer number', () => {
  it('pays 76%, owes the IRS 24%, and settles the whole bill', async () => {
    const before = await owedToIrs();
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 123_456);
    const { payee } = data(await ann.get(`${BOOKS}/accounts_payable/payments/payables?bank_account_id=${account
    }&party_type=vendor&party_id=${vendor.id}`));
    expect(payee.withholding).toEqual({ rate_ppm: 240_000, from: '2026-11-01' });
    const made = data(await pay(vendor.id, [part(bill, 123_456)]));
    expect(made).toMatchObject({ amount_minor: 93_827, withheld_minor: 29_629 });
    data(await step(made.id, 'approved'));
    const posted = data(await step(made.id, 'posted', ann));
    expect(await linesOf(posted.transaction_id)).toEqual(['2000 123456', '1000 -93827', '2320 -29629']);
    expect(await showBill(bill)).toMatchObject({ state: 'paid', open_minor: 0,
      settlements: [{ amount_minor: 123_456, withheld_minor: 29_629 }] });
    expect(await owedToIrs() - before).toBe(29_629);
    expect(await wrong()).toEqual([]);
    const advice = await ann.get(`${PATH}/${made.id}/remittance`);
    expect(advice.status).toBe(200);
  });

  it('gives the tax back with the payment, whether it is returned or reversed', async () => {
    for (const [status, more] of [['returned', { reason: 'Account closed' }], ['void', { reason: 'Twice' }]] as const) {
      const before = await owedToIrs();
      const { bill, payment } = await paid(100_000);
      expect(await owedToIrs() - before).toBe(24_000);
      data(await step(payment.id, status, bob, more));
      expect(await owedToIrs()).toBe(before);
      expect(await showBill(bill)).toMatchObject({ state: 'approved', open_minor: 100_000 });
    }
    expect(await wrong()).toEqual([]);
  });

  it('is not withheld from before the first day, by card, or from another vendor', async () => {
    const vendor = await makeVendor({ ...NO_TIN, backup_withholding_from: '2026-11-21' });
    const bill = await makeBill(vendor.id, 10_000);
    expect(data(await pay(vendor.id, [part(bill, 3_000)]))).toMatchObject({ amount_minor: 3_000, withheld_minor: 0 });
    const withheld = await makeVendor();
    const other = await makeBill(withheld.id, 10_000);
    expect(data(await pay(withheld.id, [part(other, 4_000)], { method: 'card' })))
      .toMatchObject({ amount_minor: 4_000, withheld_minor: 0 });
    const plain = await makeVendor({ tax_1099_category: 'nec' });
    const third = await makeBill(plain.id, 10_000);
    expect(data(await pay(plain.id, [part(third, 10_000)]))).toMatchObject({ withheld_minor: 0 });
  });

  it('is worked out again where the setting changed after it was made', async () => {
    const vendor = await makeVendor({ tax_1099_category: 'nec' });
    const bill = await makeBill(vendor.id, 50_000);
    const made = data(await pay(vendor.id, [part(bill, 50_000)]));
    data(await setVendor(vendor.id, NO_TIN));
    expect(facts(await step(made.id, 'approved'))).toEqual([409, 'payment.withholding_changed']);
    const seen = data(await ann.get(`${PATH}/${made.id}`));
    expect(data(await ann.put(`${PATH}/${made.id}`, { version: seen.version, on: '2026-11-20' })))
      .toMatchObject({ amount_minor: 38_000, withheld_minor: 12_000 });
    data(await step(made.id, 'approved'));
    data(await setVendor(vendor.id, { backup_withholding_reason: 'none', backup_withholding_from: null }));
    expect(facts(await step(made.id, 'posted', ann))).toEqual([409, 'payment.withholding_changed']);
    data(await setVendor(vendor.id, NO_TIN));
    data(await step(made.id, 'posted', ann));
    expect((await setVendor(vendor.id, { tax_1099_category: 'none', backup_withholding_reason: 'none',
      backup_withholding_from: null })).body.errors).toHaveProperty('tax_1099_category');
  });

  it('and its tax are the sum of its parts, in the database too', async () => {
    const vendor = await makeVendor();
    await fc.assert(fc.asyncProperty(fc.array(fc.record({ gross: fc.integer({ min: 10, max: 500_000 }),
      share: fc.integer({ min: 1, max: 100 }), discount: fc.integer({ min: 0, max: 9 }) }), { minLength: 1,
      maxLength: 3 }), async (bills) => {
      const parts = [];
      for (const { gross, share, discount } of bills) {
        const bill = await makeBill(vendor.id, gross);
        parts.push(part(bill, Math.max(1, Math.floor((gross - discount) * share / 100)), discount));
      }
      const made = data(await pay(vendor.id, parts));
      const sum = parts.reduce((all, one) => all + one.amount_minor, 0);
      expect(made.amount_minor + made.withheld_minor).toBe(sum);
      expect(made.withheld_minor).toBe(Math.floor((sum * 24 + 50) / 100));
      data(await step(made.id, 'approved'));
      data(await step(made.id, 'posted', ann));
    }), { numRuns: 6 });
    const made = data(await pay(vendor.id, [part(await makeBill(vendor.id, 1_000), 1_000)]));
    await expect(test.database.db.exec(sql`update payments set withheld_minor = 239 where id = ${made.id}`))
      .rejects.toThrow('not the sum of its parts');
    expect(await wrong()).toEqual([]);
  }, 120_000);
});

describe('a payment run', () => {
  it('pays the net, names the tax in the file, and posts both on its day', async () => {
    const before = await owedToIrs();
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 100_000);
    const other = await makeVendor({ tax_1099_category: 'nec' });
    const second = await makeBill(other.id, 7_000);
    const today = test.clock.now().toISOString().slice(0, 10);
    const run = data(await ann.post(`${BOOKS}/payment_runs`, { bank_account_id: account, method: 'wire',
      due_by: '2026-12-31', value_on: today, parts: [part(bill, 100_000), part(second, 7_000)] }));
    expect(run).toMatchObject({ total_minor: 83_000, withheld_minor: 24_000 });
    const act = async (what: string, by = bob) => {
      const { version } = data(await ann.get(`${BOOKS}/payment_runs/${run.id}`));
      return by.put(`${BOOKS}/payment_runs/${run.id}/${what}`, { version });
    };
    data(await setVendor(vendor.id, { backup_withholding_reason: 'none', backup_withholding_from: null }));
    expect(facts(await act('approve'))).toEqual([409, 'payment.withholding_changed']);
    data(await setVendor(vendor.id, NO_TIN));
    data(await act('approve'));
    data(await setVendor(vendor.id, { backup_withholding_reason: 'none', backup_withholding_from: null }));
    expect(facts(await act('export', ann))).toEqual([409, 'payment.withholding_changed']);
    data(await setVendor(vendor.id, NO_TIN));
    data(await act('export', ann));
    const file = (await ann.get(`${BOOKS}/payment_runs/${run.id}/file`)).raw.toString();
    expect(file).toContain('760.00');
    expect(file).toContain('TAX WITHHELD 240.00');
    await postPaymentRuns(test.ports);
    expect(data(await ann.get(`${BOOKS}/payment_runs/${run.id}`))).toMatchObject({ status: 'posted' });
    expect((await showBill(bill)).state).toBe('paid');
    expect(await owedToIrs() - before).toBe(24_000);
    expect(await wrong()).toEqual([]);
  });
});

describe('a check', () => {
  it('is over the net, with the tax beside its documents', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 50_000);
    const check = data(await ann.post(`${BOOKS}/checks`, { bank_account_id: account, party_type: 'vendor',
      party_id: vendor.id, on: '2026-11-20', parts: [{ open_item_id: bill.item, amount_minor: 50_000 }] }));
    expect(check).toMatchObject({ amount_minor: 38_000, withheld_minor: 12_000, parts: [{ amount_minor: 50_000 }] });
    expect((await ann.get(`${BOOKS}/checks/${check.id}/download`)).status).toBe(200);
  });
});

describe('the year', () => {
  it('has the tax on box 4, below the threshold too, and by payee in the report of tax withheld', async () => {
    const { vendor } = await paid(1_000);
    const found = data(await ann.get(`${BOOKS}/reports/year_end_forms?division=US&year=2026`));
    expect(found.checks).toMatchObject([{ ok: true }, { ok: true }]);
    const row = found.forms.find((one: { form: string }) => one.form === '1099_nec').rows
      .find((one: { name: string }) => one.name === vendor.name);
    expect(Object.fromEntries(row.boxes.map((box: { box: string; amount_minor: number }) =>
      [box.box, box.amount_minor]))).toEqual({ 1: 1_000, 4: 240 });
    const report = data(await ann.get(`${BOOKS}/reports/withholding?division=US&year=2026`));
    expect(report.lines.find((line: { vendor_id: number }) => line.vendor_id === vendor.id)).toMatchObject({
      royaltor_id: null, document: '1099-NEC', gross_minor: 1_000, withheld_minor: 240, paid_minor: 760 });
    expect(report.totals[0].withheld_minor).toBe(await owedToIrs());
  });

  it('has a rate by date, one for all vendors; without one nothing is paid', async () => {
    const rule = { division: 'US', income_kind: 'vendor', rate_ppm: 280_000, description: 'Law of 2027',
      valid_from: '2026-11-10' };
    const rules = `${BOOKS}/wht_rules`;
    expect((await ann.post(rules, { ...rule, form: 'w9' })).body.errors).toHaveProperty('form');
    expect((await ann.post(rules, { ...rule, division: 'UK' })).body.errors).toHaveProperty('income_kind');
    const made = data(await ann.post(rules, rule));
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 10_000);
    expect(data(await pay(vendor.id, [part(bill, 1_000)]))).toMatchObject({ amount_minor: 720, withheld_minor: 280 });
    data(await ann.put(`${rules}/${made.id}`, { version: made.version, valid_to: '2026-11-11' }));
    expect(data(await pay(vendor.id, [part(bill, 1_000)]))).toMatchObject({ withheld_minor: 240 });
    await test.database.db.exec(sql`
      update wht_rules set valid_to = '2026-11-01' where income_kind = 'vendor' and payer_division = 'US'
        and valid_to is null`);
    expect(facts(await pay(vendor.id, [part(bill, 1_000)]))).toEqual([409, 'payment.no_withholding_rule']);
  });
});
