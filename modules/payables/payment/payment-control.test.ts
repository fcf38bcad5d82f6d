/** Controls of payments and runs: days, discounts, payees and bank details are as two people saw them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const PATH = `${BOOKS}/payments`;
const RUNS = `${BOOKS}/payment_runs`;
let ann: SignedIn;
let bob: SignedIn;
let cat: SignedIn;
let account = 0;
let expense = 0;
let names = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const facts = (answer: Answer) => [answer.status, answer.body.code ?? answer.body.errors];

beforeAll(async () => {
  [ann, bob, cat] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin'),
    await test.signedIn('staff_admin')];
  for (const one of [ann, bob, cat]) await one.confirm();
  const [row] = data(await ann.get(`${BOOKS}/bank_accounts?division=US&currency=USD`));
  account = row.id;
  data(await ann.put(`${BOOKS}/bank_accounts/${account}/number`, { version: row.version, kind: 'us',
    account: '7445678999', routing: '231380104' }));
  data(await ann.put(`${BOOKS}/bank_accounts/${account}/payment_files`, { version: 1, originator_name: 'Grand Rights',
    company_id: '1123456789', destination_routing: '231380104', destination_name: 'First Bank', balanced: false }));
  expense = (await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '6200'`)).id;
});

const versionOf = async (path: string): Promise<number> => data(await ann.get(path)).version;
const addressAt = (thoroughfare: string) => ({ country_code: 'US', thoroughfare, premise: '', locality: 'Keene',
  administrative_area: 'NH', postal_code: '03431' });
/** Its bank details are Cat's, verified by Bob. */
async function makeVendor(): Promise<{ id: number; name: string }> {
  const name = `Alder Print ${(names += 1)}`;
  const { id } = data(await ann.post(`${API}/vendors`, { name, divisions: ['US'], default_currency: 'USD',
    remit_to_address: addressAt('12 Mill Road') }));
  const path = `${API}/vendors/${id}`;
  data(await cat.put(`${path}/bank_details`, { kind: 'us', account: '123456789', routing: '021000021',
    version: await versionOf(path) }));
  data(await bob.put(`${path}/bank_details/verify`, { version: await versionOf(path), note: 'Called' }));
  return { id, name };
}
interface Bill { item: number; number: string }
async function makeBill(vendor_id: number, net_minor: number, more: object = {}): Promise<Bill> {
  const draft = data(await ann.post(`${BOOKS}/bills`, { vendor_id, division: 'US', currency: 'USD',
    billed_on: '2026-11-02', vendor_number: `INV-${(names += 1)}`, lines: [{ ledger_account_id: expense,
      description: 'Paper', net_minor }], ...more }));
  const asked = data(await ann.put(`${BOOKS}/bills/${draft.id}/submit`, { version: draft.version }));
  const bill = data(await bob.put(`${BOOKS}/bills/${draft.id}/approve`, { version: asked.version }));
  const { id: item } = await test.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${bill.transaction_id} and party_type = 'vendor'`);
  return { item, number: bill.number };
}
const part = (bill: Bill, amount_minor: number, discount_minor = 0, discount_reason = '') =>
  ({ open_item_id: bill.item, amount_minor, discount_minor, discount_reason });
const pay = (party_id: number, parts: object[], more: object = {}) =>
  ann.post(`${BOOKS}/accounts_payable/payments`, { bank_account_id: account, method: 'wire', party_type: 'vendor',
    party_id, on: '2026-11-20', memo: '', parts, ...more });
const step = async (id: number, status: string, by = bob, more: object = {}): Promise<Answer> =>
  by.put(`${PATH}/${id}/status`, { status, version: await versionOf(`${PATH}/${id}`), ...more });
const ask = (parts: object[], more: object = {}) => ann.post(RUNS, { bank_account_id: account, method: 'ach',
  due_by: '2026-12-31', value_on: '2026-11-24', parts, ...more });
const act = async (id: number, what: string, by = bob, more: object = {}): Promise<Answer> =>
  by.put(`${RUNS}/${id}/${what}`, { version: await versionOf(`${RUNS}/${id}`), ...more });

const moveRun = (id: number, day: string) => test.database.db.exec(sql`
  update payment_runs set value_on = ${day} where id = ${id}`);
const movePayment = (id: number, day: string) => test.database.db.exec(sql`
  update payments set paid_on = ${day} where id = ${id}`);

describe('a document of a later day than the value date', () => {
  it('is in no run, and in none that exists is approved or exported', async () => {
    const vendor = await makeVendor();
    const bills = [await makeBill(vendor.id, 10_000), await makeBill(vendor.id, 2_500, { billed_on: '2026-12-05' })];
    const parts = [part(bills[0]!, 10_000), part(bills[1]!, 2_500)];
    expect((await ask(parts, { value_on: '2026-12-02' })).body.errors).toEqual({
      value_on: [`${bills[1]!.number} is dated December 5, 2026. Enter that day or later`] });
    const run = data(await ask(parts, { value_on: '2026-12-07' }));
    await moveRun(run.id, '2026-12-02');
    const refused = await act(run.id, 'approve');
    expect([...facts(refused), refused.body.message]).toEqual([409, 'payment.dated_later',
      `${bills[1]!.number} is dated December 5, 2026, and the money arrives on December 2, 2026. Choose a later value `
        + 'date, or leave it out.']);
    await moveRun(run.id, '2026-12-07');
    data(await act(run.id, 'approve'));
    await moveRun(run.id, '2026-12-02');
    expect(facts(await act(run.id, 'export', ann))).toEqual([409, 'payment.dated_later']);
  });

  it('is in no single payment', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 10_000, { billed_on: '2026-12-05' });
    expect((await pay(vendor.id, [part(bill, 10_000)], { on: '2026-12-02' })).body.errors).toEqual({
      on: [`${bill.number} is dated December 5, 2026. Enter that day or later`] });
    const made = data(await pay(vendor.id, [part(bill, 10_000)], { on: '2026-12-05' }));
    expect((await ann.put(`${PATH}/${made.id}`, { version: made.version, on: '2026-12-04' })).body.errors)
      .toHaveProperty('on');
    await movePayment(made.id, '2026-12-04');
    expect(facts(await step(made.id, 'approved'))).toEqual([409, 'payment.dated_later']);
  });
});

describe('a discount above the early-payment discount', () => {
  it('needs a reason on a single payment, which is kept', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 100_000, { discount_ppm: 20_000, discount_days: 20 });
    const less = (discount: number, reason = '', on = '2026-11-20') =>
      pay(vendor.id, [part(bill, 100_000 - discount, discount, reason)], { on });
    const refusals = [await less(2_001), await less(40_000), await less(2_000, ' ', '2026-11-23')];
    expect(refusals.map((one) => one.body.errors['parts.0.discount_reason'][0])).toEqual([
      `A discount of USD 20.00 is open on ${bill.number} on November 20, 2026. Give a reason for USD 20.01`,
      `A discount of USD 20.00 is open on ${bill.number} on November 20, 2026. Give a reason for USD 400.00`,
      `No discount is open on ${bill.number} on November 23, 2026. Give a reason for USD 20.00`]);
    const made = data(await less(2_000, '', '2026-11-22'));
    const change = async (reason: string) => ann.put(`${PATH}/${made.id}`, {
      version: await versionOf(`${PATH}/${made.id}`), parts: [part(bill, 60_000, 40_000, reason)] });
    expect((await change('')).body.errors).toHaveProperty(['parts.0.discount_reason']);
    expect(data(await change('Half the paper was wet')).parts).toMatchObject([{ discount_minor: 40_000,
      discount_reason: 'Half the paper was wet' }]);
    expect(data(await pay(vendor.id, [part(await makeBill(vendor.id, 5_000), 5_000, 0, 'None')])).parts)
      .toMatchObject([{ discount_minor: 0, discount_reason: '' }]);
  });

  it('needs a reason in a run, which the approver reads beside the discount of the payee', async () => {
    const [a, b] = [await makeVendor(), await makeVendor()];
    const [first, second] = [await makeBill(a.id, 10_000), await makeBill(b.id, 100_000)];
    const refused = await ask([part(first, 10_000), part(second, 60_000, 40_000)]);
    expect(Object.keys(refused.body.errors)).toEqual(['parts.1.discount_reason']);
    const run = data(await ask([part(first, 10_000), part(second, 60_000, 40_000, 'Half of it was late')]));
    const own = run.payments.find((one: { party_id: number }) => one.party_id === b.id);
    expect(own.parts).toMatchObject([{ discount_minor: 40_000, discount_reason: 'Half of it was late' }]);
    data(await act(run.id, 'approve'));
  });
});

describe('the early-payment discount', () => {
  it('goes by the day of a single payment, approved and posted', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 100_000, { discount_ppm: 20_000, discount_days: 17 });
    const proposed = async (more = '') => data(await ann.get(`${BOOKS}/accounts_payable/payments/payables?${
      new URLSearchParams({ bank_account_id: String(account), party_type: 'vendor', party_id: String(vendor.id) })}${
      more}`)).payee.items[0].discount_minor;
    expect([await proposed(), await proposed('&on=2026-11-19'), await proposed('&on=2026-11-20')])
      .toEqual([0, 2_000, 0]);
    const parts = [part(bill, 98_000, 2_000)];
    expect((await pay(vendor.id, parts)).status).toBe(422);
    const made = data(await pay(vendor.id, parts, { on: '2026-11-19' }));
    expect(await proposed(`&on=2026-11-19&payment_id=${made.id}`)).toBe(2_000);
    await movePayment(made.id, '2026-11-20');
    const late = await step(made.id, 'approved');
    expect([...facts(late), late.body.message]).toEqual([409, 'payment.discount_ended',
      expect.stringContaining(`that of ${bill.number} ended on November 19, 2026`)]);
    await movePayment(made.id, '2026-11-19');
    data(await step(made.id, 'approved'));
    expect(facts(await step(made.id, 'posted', ann))).toEqual([409, 'payment.discount_ended']);
    data(await step(made.id, 'posted', ann, { on: '2026-11-19' }));
  });

  it('goes by the value date of a run, whose file may come too late for it', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 12_100, { discount_ppm: 20_000, discount_days: 26 });
    const proposed = async (more: string) => {
      const { payees } = data(await ann.get(`${RUNS}/payables?bank_account_id=${account}&due_by=2026-12-31${more}`));
      return payees.find((one: { party_id: number }) => one.party_id === vendor.id).items[0].discount_minor;
    };
    // Thanksgiving settles on the day after, a Saturday on the Monday.
    expect([await proposed('&value_on=2026-11-26'), await proposed('&value_on=2026-11-28')]).toEqual([242, 0]);
    const parts = [part(bill, 11_858, 242)];
    expect(Object.keys((await ask(parts, { value_on: '2026-11-28' })).body.errors))
      .toEqual(['parts.0.discount_reason']);
    const run = data(await ask(parts, { value_on: '2026-11-27' }));
    expect([await proposed(`&value_on=2026-11-27&run_id=${run.id}`), await proposed(`&value_on=2026-11-30&run_id=${
      run.id}`)]).toEqual([242, 0]);
    await moveRun(run.id, '2026-11-30');
    expect(facts(await act(run.id, 'approve'))).toEqual([409, 'payment.discount_ended']);
    await moveRun(run.id, '2026-11-27');
    data(await act(run.id, 'approve'));
    const { version } = data(await ann.get(`${RUNS}/${run.id}`));
    const before = test.clock.now();
    test.clock.set('2026-11-27T15:00:00Z');
    const late = await (await test.signedIn('staff_admin')).put(`${RUNS}/${run.id}/export`, { version });
    expect([...facts(late), late.body.message]).toEqual([409, 'payment.discount_ended',
      expect.stringContaining(`that of ${bill.number} ended on November 28, 2026`)]);
    test.clock.set(before.toISOString());
    data(await act(run.id, 'export', ann));
  });
});

describe('the payee', () => {
  const rename = async (id: number, more: object) => data(await cat.put(`${API}/vendors/${id}`, {
    version: await versionOf(`${API}/vendors/${id}`), ...more }));

  it('has the name that was approved in the file of a run', async () => {
    const vendor = await makeVendor();
    const run = data(await ask([part(await makeBill(vendor.id, 3_300), 3_300)]));
    data(await act(run.id, 'approve'));
    await rename(vendor.id, { legal_name: 'A. Cat' });
    const refused = await act(run.id, 'export', ann);
    expect([...facts(refused), refused.body.payee]).toEqual([409, 'payment_run.payee_changed', vendor.name]);
    data(await act(run.id, 'reopen', ann));
    data(await act(run.id, 'approve'));
    data(await act(run.id, 'export', ann));
  });

  it('has the name and address that were approved on a check', async () => {
    const vendor = await makeVendor();
    const path = `${BOOKS}/bank_accounts/${account}`;
    data(await ann.put(path, { version: await versionOf(path), next_check_number: 1001 }));
    const run = data(await ask([part(await makeBill(vendor.id, 4_400), 4_400)], { method: 'check' }));
    data(await act(run.id, 'approve'));
    const { id } = await test.database.db.one<{ id: number }>(sql`
      select id from checks where payment_id = ${run.payments[0].id}`);
    const print = () => ann.post(`${BOOKS}/checks/print`, { bank_account_id: account, on: '2026-11-20',
      check_ids: [id], first_number: '1001' });
    await rename(vendor.id, { remit_to_address: addressAt('PO Box 9') });
    const refused = await print();
    expect([...facts(refused), refused.body.payee]).toEqual([409, 'payment_run.payee_changed', vendor.name]);
    await rename(vendor.id, { remit_to_address: addressAt('12 Mill Road'), legal_name: 'A. Cat' });
    expect(facts(await print())).toEqual([409, 'payment_run.payee_changed']);
    await rename(vendor.id, { legal_name: null });
    data(await print());
  });

  it('has the name and address that were approved on the check of a single payment', async () => {
    const vendor = await makeVendor();
    const path = `${BOOKS}/bank_accounts/${account}`;
    const { next_check_number: next, version } = data(await ann.get(path));
    const first = next ?? 1001;
    if (next === null) data(await ann.put(path, { version, next_check_number: first }));
    const made = data(await pay(vendor.id, [part(await makeBill(vendor.id, 4_700), 4_700)], { method: 'check' }));
    data(await step(made.id, 'approved'));
    const print = () => ann.post(`${BOOKS}/checks/print`, { bank_account_id: account, on: '2026-11-20',
      check_ids: [made.check_id], first_number: String(first) });
    await rename(vendor.id, { remit_to_address: addressAt('PO Box 9') });
    const refused = await print();
    expect([...facts(refused), refused.body.payee]).toEqual([409, 'payment.payee_changed', vendor.name]);
    await rename(vendor.id, { remit_to_address: addressAt('12 Mill Road'), legal_name: 'A. Cat' });
    expect(facts(await print())).toEqual([409, 'payment.payee_changed']);
    data(await ann.put(`${PATH}/${made.id}`, { version: await versionOf(`${PATH}/${made.id}`), on: '2026-11-19' }));
    data(await step(made.id, 'approved'));
    expect(data(await print())).toMatchObject([{ payee: 'A. Cat', state: 'printed' }]);
  });

  it('of a single payment is the one who was approved', async () => {
    const vendor = await makeVendor();
    const made = data(await pay(vendor.id, [part(await makeBill(vendor.id, 7_000), 7_000)]));
    data(await step(made.id, 'approved'));
    await rename(vendor.id, { legal_name: 'A. Cat' });
    expect(facts(await step(made.id, 'posted', ann))).toEqual([409, 'payment.payee_changed']);
    data(await ann.put(`${PATH}/${made.id}`, { version: await versionOf(`${PATH}/${made.id}`), on: '2026-11-19' }));
    data(await step(made.id, 'approved'));
    data(await step(made.id, 'posted', ann));
  });
});

describe('bank details', () => {
  it('are those of who changed them until a payment to them has settled, no other', async () => {
    const vendor = await makeVendor();
    const due = async () => {
      const amount = 7_000 + (names += 1);
      return [part(await makeBill(vendor.id, amount), amount)];
    };
    /** Approved, posted and settled after each entry of the audit trail, whose times are those of the database. */
    const settled = async (method: string, approved_at: string | null): Promise<void> => {
      const made = data(await pay(vendor.id, await due(), { method }));
      const before = test.clock.now();
      test.clock.set(new Date(Math.max(Date.now(), before.getTime()) + 3_600_000).toISOString());
      const dan = await test.signedIn('staff_admin');
      const decide = async (status: string, version: number) => data(await dan.put(`${PATH}/${made.id}/status`,
        { status, version, on: '2026-11-20' }));
      const approved = await decide('approved', made.version);
      if (approved_at !== null) {
        await test.database.db.exec(sql`update payments set approved_at = ${approved_at} where id = ${made.id}`);
      }
      await decide('cleared', (await decide('posted', approved.version)).version);
      test.clock.set(before.toISOString());
    };
    const byCat = async () => (await step(data(await pay(vendor.id, await due())).id, 'approved', cat)).status;
    await settled('card', null);
    expect(await byCat()).toBe(409);
    await settled('wire', '2020-01-01');
    expect(await byCat()).toBe(409);
    await settled('wire', null);
    expect(await byCat()).toBe(200);
  });

  it('in doubt since another payment came back are not paid to', async () => {
    const vendor = await makeVendor();
    const [first, second] = [data(await pay(vendor.id, [part(await makeBill(vendor.id, 9_000), 9_000)])),
      data(await pay(vendor.id, [part(await makeBill(vendor.id, 7_000), 7_000)]))];
    for (const { id } of [first, second]) data(await step(id, 'approved'));
    data(await step(first.id, 'posted', ann));
    data(await step(first.id, 'returned', bob, { reason: 'Account closed' }));
    expect(facts(await step(second.id, 'posted', ann))).toEqual([409, 'payment.payee']);
    const path = `${API}/vendors/${vendor.id}`;
    data(await bob.put(`${path}/bank_details/verify`, { version: await versionOf(path), note: 'Called' }));
    data(await step(second.id, 'posted', ann));
  });
});
