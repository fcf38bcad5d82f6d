import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { approveDisbursement, makeDisbursement } from '../disbursement/disbursement.server.ts';
import { postDisbursement } from '../disbursement/post-disbursement.server.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { sql } from '#server/sql.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { command } from '#tests/support/receivables.ts';

const test = testApp();
const API = '/api/admin/staff';
const PATH = `${API}/accounting/bills`;
let ann: SignedIn;
let bob: SignedIn;
let vendor = 0;
const accounts = new Map<string, number>();
const codes = new Map<string, number>();

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  bob = await test.signedIn('staff_admin');
  vendor = await makeVendor();
  for (const row of await test.database.db.query<{ id: number; division: string; code: string }>(sql`
    select id, division, code from ledger_accounts`)) accounts.set(`${row.division} ${row.code}`, row.id);
  for (const row of await test.database.db.query<{ id: number; division: string; code: string }>(sql`
    select id, division, code from tax_codes`)) codes.set(`${row.division} ${row.code}`, row.id);
  await test.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', '2026-10-01', 1.1, 'manual')`);
});

async function makeVendor(more: object = {}): Promise<number> {
  const name = `Vendor ${Math.random().toString(36).slice(2)}`;
  return data(await ann.post(`${API}/vendors`, { name, divisions: ['US'], default_currency: 'USD',
    payment_terms_days: 14, ...more })).id;
}
function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
let amount = 10_000;
const line = (more: object = {}) => ({ ledger_account_id: accounts.get('US 6200')!, description: 'Paper',
  net_minor: amount += 1, ...more });
const body = (more: object = {}) => ({ vendor_id: vendor, division: 'US', currency: 'USD', billed_on: '2026-10-05',
  lines: [line()], ...more });
const draft = async (more: object = {}, who = ann) => data(await who.post(PATH, body(more)));
const step = (who: SignedIn, bill: { id: number; version: number }, name: string, more: object = {}) =>
  who.put(`${PATH}/${bill.id}/${name}`, { version: bill.version, ...more });
async function submitted(more: object = {}) {
  return data(await step(ann, await draft(more), 'submit'));
}
async function approved(more: object = {}) {
  return data(await step(bob, await submitted(more), 'approve'));
}
const linesOf = async (transaction: number) => (await test.database.db.query<{ code: string; party: string | null;
  amount: number }>(sql`select a.code, e.party_type as party, e.amount_minor as amount from journal_entries e
    join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = ${transaction} order by e.line_no`))
  .map((row) => [row.code, ...(row.party ? [row.party] : []), row.amount].join(' '));
const uk = (more: object) => ({ division: 'UK', currency: 'GBP', lines: [line({
  ledger_account_id: accounts.get('UK 6200'), net_minor: 100_000, ...more })] });

describe('a bill', () => {
  it('is entered with its document as a form and posts when another person approves it [R67]', async () => {
    const bill = data(await ann.call('POST', PATH, { multipart: { fields: { vendor_id: String(vendor), division: 'US',
      currency: 'USD', billed_on: '2026-10-01', vendor_number: 'A-77', lines: JSON.stringify([
        line({ net_minor: 60_000 })]) },
    file: { field: 'file', name: 'bill.pdf', type: 'application/pdf', content: PAPER } } }));
    expect(bill).toMatchObject({ state: 'draft', due_on: '2026-10-15', total_minor: 60_000, open_minor: 0,
      file: { name: 'bill.pdf' } });
    expect(bill.number).toMatch(/^BL-US-2026-\d{6}$/);
    expect((await ann.get(`${PATH}/${bill.id}/file`)).status).toBe(200);
    const waiting = data(await step(ann, bill, 'submit'));
    const posted = data(await step(bob, waiting, 'approve'));
    expect(posted).toMatchObject({ state: 'approved', open_minor: 60_000 });
    expect(await linesOf(posted.transaction_id)).toEqual(['6200 60000', '2000 vendor -60000']);
    expect(await test.database.db.one(sql`select document_type, document_id, due_date from open_items
      where transaction_id = ${posted.transaction_id}`)).toEqual({ document_type: 'bill', document_id: bill.id,
      due_date: '2026-10-15' });
    expect((await ann.put(`${PATH}/${bill.id}`, { version: posted.version, memo: 'Other' })).body.code)
      .toBe('bill.status');
  });

  it('is never approved by who entered, last changed or submitted it; the database holds it too', async () => {
    const cat = await test.signedIn('system_admin');
    const changed = data(await bob.put(`${PATH}/${(await draft()).id}`, { version: 1, memo: 'Checked' }));
    const waiting = data(await step(cat, changed, 'submit'));
    for (const who of [ann, bob, cat]) expect((await step(who, waiting, 'approve')).body.code).toBe('four_eyes');
    await expect(test.database.db.exec(sql`update bills set status = 'approved', approved_by_id = ${bob.user_id},
      approved_at = now(), version = version + 1 where id = ${waiting.id}`)).rejects.toThrow('bills_four_eyes');
  });

  it('is a draft again once it is changed or declined, with the reason', async () => {
    const waiting = await submitted();
    const changed = data(await ann.put(`${PATH}/${waiting.id}`, { version: waiting.version,
      lines: [line({ net_minor: 5 })] }));
    expect(changed).toMatchObject({ state: 'draft', total_minor: 5 });
    expect((await step(bob, changed, 'approve')).body.code).toBe('bill.status');
    const again = data(await step(ann, changed, 'submit'));
    expect(data(await step(bob, again, 'decline', { reason: 'Wrong account' })))
      .toMatchObject({ state: 'draft', decline_reason: 'Wrong account' });
  });

  it('above the limit needs an administrator; all unpaid bills of the vendor count together', async () => {
    const other = await makeVendor();
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.updateStatus'] });
    const [one, two] = [await submitted({ vendor_id: other, lines: [line({ net_minor: 1_300_000 })] }),
      await submitted({ vendor_id: other, lines: [line({ net_minor: 1_300_001 })] })];
    const refused = await step(clerk, one, 'approve');
    expect(refused.body).toMatchObject({ code: 'bill.over_limit', unpaid_minor: 2_600_001 });
    data(await step(ann, two, 'recall'));
    expect(data(await step(clerk, one, 'approve')).state).toBe('approved');
  });

  it('that looks like another is asked about: same number, or same date and amount', async () => {
    const first = await draft({ vendor_number: 'INV 0042', lines: [line({ net_minor: 777 })] });
    const sameNumber = await ann.post(PATH, body({ vendor_number: 'inv-0042' }));
    expect(sameNumber.body).toMatchObject({ code: 'bill.likely_duplicate', bills: [{ id: first.id }] });
    const sameAmount = body({ lines: [line({ net_minor: 777 })] });
    expect((await ann.post(PATH, sameAmount)).body.code).toBe('bill.likely_duplicate');
    expect(data(await ann.post(PATH, { ...sameAmount, duplicate_confirmed: true })).total_minor).toBe(777);
  });

  it('dated in a closed period is refused at its date', async () => {
    await test.database.owner.exec(sql`update periods set purchase_locked_through = ends
      where division = 'US' and period = 202603`);
    const refused = await ann.post(PATH, body({ billed_on: '2026-03-31' }));
    expect([refused.status, refused.body.errors?.billed_on])
      .toEqual([422, ['Purchases are locked through March 31, 2026. Choose a later date.']]);
  });

  it('on hold waits: it is not approved until it is released', async () => {
    const held = data(await step(ann, await submitted(), 'hold', { reason: 'Goods damaged' }));
    expect((await step(bob, held, 'approve')).body.code).toBe('bill.on_hold');
    const free = data(await step(ann, held, 'release'));
    expect(data(await step(bob, free, 'approve')).state).toBe('approved');
  });

  it('on hold is in no payment, and one that a payment reserves is not held; the database holds both', async () => {
    const pay = (bill: { total_minor: number; transaction_id: number }) => command(test.ports, async (ctx) =>
      makeDisbursement(ctx, { division: 'US', currency: 'USD', bank_account_id: null, method: 'check',
        party_type: 'vendor', party_id: vendor, on: '2026-10-20', memo: '', parts: [{
          amount_minor: bill.total_minor, open_item_id: (await ctx.db.one<{ id: number }>(sql`
            select id from open_items where transaction_id = ${bill.transaction_id}`)).id }] }));
    const reserved = await approved();
    await pay(reserved);
    expect((await step(ann, reserved, 'hold', { reason: 'Goods damaged' })).body.code).toBe('bill.settled');
    await expect(test.database.db.exec(sql`update bills set hold_reason = 'Goods damaged', held_at = now()
      where id = ${reserved.id}`)).rejects.toMatchObject({ constraint: 'bills_on_hold' });
    const held = await approved();
    const [{ id: bank }] = data(await ann.get(`${API}/accounting/bank_accounts?division=US&currency=USD`));
    const counted = async (due_by: string) => data(await ann.get(
      `${API}/accounting/payment_runs/payables?bank_account_id=${bank}&due_by=${due_by}`)).on_hold;
    const before = await counted('2027-12-31');
    data(await step(ann, held, 'hold', { reason: 'Goods damaged' }));
    await expect(pay(held)).rejects.toThrow('on hold');
    // The form of a payment run counts what is due and kept back.
    expect([await counted('2027-12-31'), await counted('2026-10-01')]).toEqual([
      { count: before.count + 1, total_minor: before.total_minor + held.total_minor }, { count: 0, total_minor: 0 }]);
  });

  it('is voided by reversing its posting while nothing is settled on it', async () => {
    const bill = await approved();
    const gone = data(await step(ann, bill, 'void', { reason: 'Entered twice', on: '2026-10-20' }));
    expect(gone).toMatchObject({ state: 'void', open_minor: 0, voided_on: '2026-10-20' });
    expect(await linesOf(gone.reversal_id)).toEqual([`6200 ${-bill.total_minor}`,
      `2000 vendor ${bill.total_minor}`]);
  });

  it('in euros is carried at the rate of its day', async () => {
    const bill = await approved({ currency: 'EUR', lines: [line({ net_minor: 10_000 })] });
    expect(Number(bill.functional_rate)).toBe(1.1);
    expect((await test.database.db.one<{ base: number }>(sql`select original_base_minor as base from open_items
      where transaction_id = ${bill.transaction_id}`)).base).toBe(-11_000);
  });
});

describe('tax on a bill', () => {
  it('of a UK vendor is input tax; under reverse charge it is in boxes 1, 4, 6 and 7', async () => {
    const plain = await approved(uk({ tax_code_id: codes.get('UK STANDARD') }));
    expect(plain).toMatchObject({ tax_minor: 20_000, total_minor: 120_000 });
    expect(await linesOf(plain.transaction_id)).toEqual(['6200 100000', '1300 tax_authority 20000',
      '2000 vendor -120000']);
    const reverse = await approved(uk({ net_minor: 100_100, tax_code_id: codes.get('UK REVERSE_CHARGE') }));
    expect(reverse.total_minor).toBe(100_100);
    expect(reverse.boxes).toEqual([{ box: '1', amount_minor: 20_020 }, { box: '4', amount_minor: 20_020 },
      { box: '6', amount_minor: 100_100 }, { box: '7', amount_minor: 100_100 }]);
  });

  it('is reduced in proportion where a discount is taken: 2% off 1,000.00 and 200.00 VAT', async () => {
    const own = await makeVendor();
    const bill = await approved({ ...uk({ tax_code_id: codes.get('UK STANDARD') }), vendor_id: own });
    const { open_item_id } = await test.database.db.one<{ open_item_id: number }>(sql`
      select open_item_id from bills where id = ${bill.id}`);
    const { payment_id } = await command(test.ports, (ctx) => makeDisbursement(ctx, { division: 'UK', currency: 'GBP',
      bank_account_id: null, method: 'bacs', party_type: 'vendor', party_id: own, on: '2026-10-12', memo: '',
      parts: [{ open_item_id, amount_minor: 117_600, discount_minor: 2_400, discount_reason: 'Agreed' }] }));
    await command(test.ports, (ctx) => approveDisbursement(ctx, payment_id));
    const { transaction_id } = await command(test.ports, (ctx) => postDisbursement(ctx, payment_id, '2026-10-12'));
    expect(await linesOf(transaction_id)).toEqual(['2000 vendor 120000', '1000 -117600', '1300 tax_authority -400',
      '7080 -2000']);
    expect(await test.database.db.one(sql`select tax_base_minor as base from journal_entries
      where transaction_id = ${transaction_id} and tax_code_id is not null`)).toEqual({ base: -2_000 });
  });

  it('owed as US use tax is accrued to the state beside the expense', async () => {
    const bill = await approved({ lines: [line({ net_minor: 10_000, tax_code_id: codes.get('US USE'),
      jurisdiction: 'US-NY', rate_ppm: 60_000 })] });
    expect(await linesOf(bill.transaction_id)).toEqual(['6200 10600', '2340 tax_authority -600',
      '2000 vendor -10000']);
  });

  it('far off its rate, or an account that bills cannot use, is refused at the line', async () => {
    const refused = await ann.post(PATH, body(uk({ tax_code_id: codes.get('UK STANDARD'), tax_minor: 5_000 })));
    expect(refused.body.errors['lines.0.tax_minor']).toEqual(['Tax at 20% is 200.00']);
    const bank = await ann.post(PATH, body({ lines: [line({ ledger_account_id: accounts.get('US 1000') })] }));
    expect(Object.keys(bank.body.errors)).toEqual(['lines.0.ledger_account_id']);
  });
});

describe('a vendor credit', () => {
  it('is applied to a bill and taken off again', async () => {
    const bill = await approved({ lines: [line({ net_minor: 50_000 })] });
    const credit = await approved({ kind: 'credit', lines: [line({ net_minor: 6_000 })] });
    expect(credit.number).toMatch(/^VC-/);
    const apply = (amount_minor: number) => ann.post(`${PATH}/${bill.id}/credits`, { credit_id: credit.id,
      amount_minor });
    expect((await apply(6_001)).body.errors.amount_minor).toEqual(['At most USD 60.00 can be applied']);
    const after = data(await apply(6_000));
    expect(after).toMatchObject({ state: 'part_paid', open_minor: 44_000 });
    expect(after.settlements).toMatchObject([{ amount_minor: 6_000, document_type: 'vendor_credit',
      number: credit.number }]);
    expect((await step(ann, after, 'void', { reason: 'No' })).body.code).toBe('bill.settled');
    expect((await ann.remove(`${PATH}/${bill.id}/credits/${after.settlements[0].application_id}`)).status).toBe(204);
    expect(data(await ann.get(`${PATH}/${bill.id}`))).toMatchObject({ state: 'approved', open_minor: 50_000 });
  });
});

it('drafts go to the trash, come back, and are deleted for good from there; approved bills never', async () => {
  const bill = await draft();
  const one = `${PATH}/${bill.id}`;
  expect((await ann.remove(one)).status).toBe(204);
  expect(data(await ann.get(`${PATH}/trash`)).map((row: { id: number }) => row.id)).toContain(bill.id);
  data(await ann.put(`${one}/restore`));
  expect((await ann.remove(`${one}/force`)).status).toBe(404);
  await ann.remove(one);
  expect((await ann.remove(`${one}/force`)).status).toBe(204);
  expect((await ann.remove(`${PATH}/${(await approved()).id}`)).body.code).toBe('posted_document');
});

it('lists what is payable, and nothing of it breaks the ledger: open items equal the control account', async () => {
  const payable = data(await ann.get(`${API}/accounting/accounts_payable/invoices?per_page=100`));
  expect(payable.length).toBeGreaterThan(3);
  expect(payable.every((row: { state: string }) => ['approved', 'part_paid'].includes(row.state))).toBe(true);
  for (const division of ['US', 'UK']) {
    const aging = data(await ann.get(`${API}/accounting/accounts_payable/aging?division=${division}`));
    expect(aging.checks).toMatchObject([{ ok: true }]);
    const owed = aging.rows.reduce((all: number, row: { total_minor: number; unapplied_minor: number }) =>
      all + row.total_minor - row.unapplied_minor, 0);
    expect(owed).toBeGreaterThan(0);
    expect(aging.outflow.reduce((all: number, week: { minor: number }) => all + week.minor, 0)).toBe(owed);
  }
  expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);
});

describe('tax that is owed to an authority', () => {
  const due = async () => data(await ann.get(`${PATH}/taxes_due?division=US&on=2026-10-31`))
    .filter((row: { code: string }) => row.code === '2320');
  const line2320 = (more: object = {}) => ({ ledger_account_id: accounts.get('US 2320')!,
    description: 'Withheld through October 31', net_minor: 30_000, jurisdiction: 'US', ...more });

  it('is a bill of its vendor, which takes it off the tax account and into the next run', async () => {
    await command(test.ports, async (ctx) => {
      const party = { type: 'tax_authority' as const, id: await taxAuthority(ctx, 'US') };
      const of = (account: string, minor: bigint, more: object = {}) => ({ account, currency: 'USD' as const,
        amount: minor, base: minor, ...more });
      await postJournal(ctx.db, { division: 'US', kind: 'bill', transaction_at: '2026-10-10',
        description: 'Withheld', source: { type: 'bill', id: 900_001, event: 'approved', attempt: 1 },
        lines: [of('6200', 30_000n), of('2320', -30_000n, { party })] });
    });
    expect(await due()).toMatchObject([{ code: '2320', jurisdiction: 'US', currency: 'USD', owed_minor: 30_000,
      billed_minor: 0, vendor_id: null }]);
    const irs = await makeVendor();
    const nobody = await ann.post(PATH, body({ vendor_id: irs, lines: [line2320({ jurisdiction: null })] }));
    expect(nobody.body.errors).toEqual({ 'lines.0.jurisdiction': ['Enter the country or state it is owed to'] });
    const mixed = await ann.post(PATH, body({ vendor_id: irs, lines: [line2320(), line({
      tax_code_id: codes.get('US USE'), jurisdiction: 'US-NY', rate_ppm: 60_000 })] }));
    expect(mixed.body.errors).toMatchObject({ 'lines.1.tax_code_id': [expect.stringContaining('bill of its own')] });
    const bill = await draft({ vendor_id: irs, billed_on: '2026-11-05', lines: [line2320()] });
    expect(await due()).toMatchObject([{ owed_minor: 30_000, billed_minor: 30_000, vendor_id: irs }]);
    const done = data(await step(bob, data(await step(ann, bill, 'submit')), 'approve'));
    expect(await linesOf(done.transaction_id)).toEqual(['2320 tax_authority 30000', '2000 vendor -30000']);
    expect(await due()).toEqual([]);
    const { body: { data: [bank] } } = await ann.get(`${API}/accounting/bank_accounts?division=US&currency=USD`);
    const run = data(await ann.get(
      `${API}/accounting/payment_runs/payables?bank_account_id=${bank.id}&due_by=2026-11-30`));
    expect(run.payees.find((one: { party_id: number }) => one.party_id === irs).items)
      .toMatchObject([{ document: done.number, amount_minor: 30_000 }]);
    expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);
  });
});
