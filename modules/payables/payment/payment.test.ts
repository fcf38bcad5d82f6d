/** All money in one list; one bill paid at once by two people, with its remittance advice, links and trash. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';

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
  account = (await test.database.db.one<{ id: number }>(sql`
    select id from bank_accounts where division = 'US' and currency = 'USD' and is_default`)).id;
  expense = (await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '6200'`)).id;
});

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const facts = (answer: Answer) => [answer.status, answer.body.code ?? answer.body.errors];

/** Its bank details are Cat's, verified by Bob. */
async function makeVendor(more: object = {}): Promise<{ id: number; name: string }> {
  const name = `Alder Print ${(names += 1)}`;
  const { id } = data(await ann.post(`${API}/vendors`, { name, divisions: ['US'], default_currency: 'USD',
    email: `bills${names}@alder.example`, remit_to_address: { country_code: 'US', thoroughfare: '12 Mill Road',
      premise: '', locality: 'Keene', administrative_area: 'NH', postal_code: '03431' }, ...more }));
  const version = async () => data(await ann.get(`${API}/vendors/${id}`)).version;
  data(await cat.put(`${API}/vendors/${id}/bank_details`, { kind: 'us', account: '123456789', routing: '021000021',
    version: await version() }));
  data(await bob.put(`${API}/vendors/${id}/bank_details/verify`, { version: await version(), note: 'Called' }));
  return { id, name };
}

async function makeBill(vendor_id: number, net_minor: number, more: object = {}) {
  const draft = data(await ann.post(`${BOOKS}/bills`, { vendor_id, division: 'US', currency: 'USD',
    billed_on: '2026-11-02', vendor_number: `INV-${(names += 1)}`, lines: [{ ledger_account_id: expense,
      description: 'Paper', net_minor }], ...more }));
  const asked = data(await ann.put(`${BOOKS}/bills/${draft.id}/submit`, { version: draft.version }));
  const bill = data(await bob.put(`${BOOKS}/bills/${draft.id}/approve`, { version: asked.version }));
  const { id: item } = await test.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${bill.transaction_id} and party_type = 'vendor'`);
  return { ...bill, item } as { id: number; item: number; number: string; vendor_number: string };
}
const stateOf = async (bill: { id: number }): Promise<string> => data(await ann.get(`${BOOKS}/bills/${bill.id}`)).state;

const part = (bill: { item: number }, amount_minor: number, discount_minor = 0) =>
  ({ open_item_id: bill.item, amount_minor, discount_minor, discount_reason: 'Agreed by phone' });
const pay = (party_id: number, parts: object[], more: object = {}, by = ann) =>
  by.post(`${BOOKS}/accounts_payable/payments`, { bank_account_id: account, method: 'wire', party_type: 'vendor',
    party_id, on: '2026-11-20', memo: '', parts, ...more });
async function step(id: number, status: string, by = bob, more: object = {}): Promise<Answer> {
  const { version } = data(await ann.get(`${PATH}/${id}`));
  return by.put(`${PATH}/${id}/status`, { status, version, ...more });
}
/** Posted: made by Ann, approved by Bob. */
async function paid(amount = 10_000, more: object = {}) {
  const vendor = await makeVendor();
  const bill = await makeBill(vendor.id, amount);
  const made = data(await pay(vendor.id, [part(bill, amount)], more));
  data(await step(made.id, 'approved'));
  return { vendor, bill, payment: data(await step(made.id, 'posted', ann, { reference: 'FT 4711' })) };
}

describe('one bill paid at once', () => {
  it('is made by one person, approved by another and posted on its day [R68]', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 50_000);
    const { payee, methods } = data(await ann.get(`${BOOKS}/accounts_payable/payments/payables?bank_account_id=${account
    }&party_type=vendor&party_id=${vendor.id}`));
    expect(methods).toEqual(['ach', 'wire', 'check', 'card']);
    expect(payee).toMatchObject({ name: vendor.name, held: null, last4: '6789', items: [{ open_item_id: bill.item,
      document: bill.number, document_kind: 'bill', amount_minor: 50_000 }] });
    const made = data(await pay(vendor.id, [part(bill, 49_000, 1_000)]));
    expect(made).toMatchObject({ status: 'draft', direction: 'out', party_name: vendor.name, amount_minor: 49_000,
      allowed: ['update', 'approve', 'void', 'trash'], transactions: [],
      parts: [{ document: bill.number, payee_number: bill.vendor_number, discount_minor: 1_000,
        discount_reason: 'Agreed by phone' }] });
    expect(facts(await step(made.id, 'approved', ann))).toEqual([409, 'four_eyes']);
    expect(facts(await step(made.id, 'posted'))).toEqual([409, 'payment.status']);
    expect(data(await step(made.id, 'approved'))).toMatchObject({ status: 'approved', payee_last4: '6789',
      allowed: ['update', 'post', 'void'] });
    expect(await stateOf(bill)).toBe('approved');
    const posted = data(await step(made.id, 'posted', ann, { reference: 'FT 4711' }));
    expect(posted).toMatchObject({ status: 'posted', value_on: '2026-11-20', reference: 'FT 4711',
      allowed: ['settle', 'return', 'void', 'remit'], transactions: [{ is_linked: false }] });
    expect(await stateOf(bill)).toBe('paid');
    expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);
  });

  it('goes to verified bank details only, and not by the hand of who changed them', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 7_000);
    const made = data(await pay(vendor.id, [part(bill, 7_000)]));
    expect(facts(await step(made.id, 'approved', cat))).toEqual([409, 'four_eyes']);
    const version = async () => data(await ann.get(`${API}/vendors/${vendor.id}`)).version;
    data(await step(made.id, 'approved'));
    data(await cat.put(`${API}/vendors/${vendor.id}/bank_details`, { kind: 'us', account: '987654321',
      routing: '021000021', version: await version() }));
    expect(facts(await step(made.id, 'posted', ann))).toEqual([409, 'payment.payee_changed']);
    const changed = data(await ann.get(`${PATH}/${made.id}`));
    data(await ann.put(`${PATH}/${made.id}`, { version: changed.version, on: '2026-11-19' }));
    expect(facts(await step(made.id, 'approved'))).toEqual([409, 'payment.payee']);
    data(await bob.put(`${API}/vendors/${vendor.id}/bank_details/verify`, { version: await version(),
      note: 'Called' }));
    data(await step(made.id, 'approved'));
    expect(data(await step(made.id, 'posted', ann))).toMatchObject({ status: 'posted', payee_last4: '4321' });
  });

  it('is settled, and once the bank sends it back the bill is open and the details are confirmed again', async () => {
    const { vendor, bill, payment } = await paid();
    expect(facts(await step(payment.id, 'cleared', cat))).toEqual([409, 'four_eyes']);
    expect((await step(payment.id, 'cleared', bob, { on: '2026-11-19' })).body.errors).toHaveProperty('on');
    expect(data(await step(payment.id, 'cleared'))).toMatchObject({ status: 'cleared', outcome: 'settled',
      outcome_on: '2026-11-20', allowed: ['return', 'remit'] });
    const back = data(await step(payment.id, 'returned', bob, { reason: 'Account closed' }));
    expect(back).toMatchObject({ status: 'returned', allowed: [] });
    expect(back.transactions).toHaveLength(2);
    expect(await stateOf(bill)).toBe('approved');
    expect(data(await ann.get(`${API}/vendors/${vendor.id}`)).bank_verified_at).toBeNull();
  });

  it('by check waits for the printer; withdrawn before that, it frees what it held', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 9_000);
    const made = data(await pay(vendor.id, [part(bill, 9_000)], { method: 'check' }));
    expect(made.check_id).toBeGreaterThan(0);
    expect((await pay(vendor.id, [part(bill, 9_000)])).body.code).toBe('payment.item_taken');
    data(await step(made.id, 'approved'));
    expect(facts(await step(made.id, 'posted'))).toEqual([409, 'check.state']);
    expect(data(await step(made.id, 'void', bob, { reason: 'Not this month' }))).toMatchObject({ status: 'void' });
    data(await pay(vendor.id, [part(bill, 9_000)]));
  });

  it('is asked for by eight people at once, and made once', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 6_000);
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(vendor.id, [part(bill, 6_000)])));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201, 409]));
  });
});

describe('the list of all money', () => {
  it('shows receipts and payments together, payables those that leave, found by party and reference', async () => {
    const { vendor, payment } = await paid();
    const customer_id = (await test.database.db.one<{ id: number }>(sql`
      insert into customers (name, divisions, default_division, default_currency)
      values ('Elm Street Players', '{US}', 'US', 'USD') returning id`)).id;
    const receipt = data(await ann.post(PATH, { customer_id, division: 'US', currency: 'USD', amount_minor: 4_200,
      method: 'wire', received_on: '2026-11-20' }));
    const ids = async (path: string): Promise<number[]> => (await ann.get(path)).body.data.map((row: { id: number }) =>
      row.id);
    const rows = await ids(`${PATH}?per_page=100`);
    expect(rows).toEqual(expect.arrayContaining([payment.id, receipt.id]));
    const out = await ids(`${BOOKS}/accounts_payable/payments?per_page=100`);
    expect([out.includes(payment.id), out.includes(receipt.id)]).toEqual([true, false]);
    expect(await ids(`${PATH}?search=${encodeURIComponent(vendor.name)}&vendor_id=${vendor.id}`)).toEqual([payment.id]);
    expect(await ids(`${PATH}?search=ft%204711&vendor_id=${vendor.id}`)).toEqual([payment.id]);
    expect(await ids(`${PATH}?search=elm%20street&direction=in`)).toEqual([receipt.id]);
    expect(await ids(`${PATH}?vendor_id=${vendor.id}&paid_from=2026-11-21`)).toEqual([]);
    expect(facts(await step(receipt.id, 'approved'))).toEqual([409, 'payment.kind']);
  });
});

describe('journals written by hand', () => {
  /** On goods received, which a vendor stands behind; without one on an expense. */
  async function journal(vendor: number | null, division = 'US'): Promise<number> {
    const account_of = async (code: string) => (await test.database.db.one<{ id: number }>(sql`
      select id from ledger_accounts where division = ${division} and code = ${code}`)).id;
    const draft = data(await ann.post(`${BOOKS}/transactions`, { division, transaction_at: '2026-11-18',
      description: 'Bank charge of the wire', journal_entries: [
        { ledger_account_id: await account_of('6200'), debit_minor: 500 },
        vendor === null ? { ledger_account_id: await account_of('7080'), credit_minor: 500 }
          : { ledger_account_id: await account_of('2010'), credit_minor: 500, party_type: 'vendor',
            party_id: vendor }] }));
    data(await bob.post(`${BOOKS}/transactions/${draft.id}/post`, { version: draft.version }));
    return draft.id;
  }
  const link = (payment: number, ids: number[], by = ann) => by.post(`${PATH}/${payment}/transactions`,
    { transaction_ids: ids });

  it('are linked to the payment that they concern, and unlinked; money stays as it was [R68]', async () => {
    const { vendor, payment } = await paid();
    const id = await journal(vendor.id);
    const { transaction_id: fee } = data(await ann.post(`${BOOKS}/bank_accounts/${account}/entries`, {
      direction: 'out', on: '2026-11-20', description: 'Fee of the wire',
      lines: [{ ledger_account_id: expense, amount_minor: 500 }] }));
    const found = (await ann.get(`${PATH}/${payment.id}/transactions/candidates?search=bank%20charge`)).body.data;
    expect(found.map((row: { id: number }) => row.id)).toContain(id);
    const after = data(await link(payment.id, [id, id, fee]));
    expect(after).toMatchObject({ version: payment.version, amount_minor: payment.amount_minor,
      transactions: expect.arrayContaining([expect.objectContaining({ id, is_linked: true })]) });
    expect((await ann.get(`${PATH}/${payment.id}/transactions`)).body.meta.total).toBe(3);
    const clerk = await test.signedIn('staff_user', { permissions: ['payment.show', 'payment.update'] });
    expect((await link(payment.id, [id], clerk)).status).toBe(403);
    const other = (await paid()).payment;
    expect((await link(other.id, [id])).body).toMatchObject({ code: 'payment.transaction_linked',
      payment_id: payment.id });
    expect((await ann.remove(`${PATH}/${payment.id}/transactions/${id}`)).status).toBe(204);
    expect((await ann.remove(`${PATH}/${payment.id}/transactions/${id}`)).status).toBe(404);
    const acts = (await ann.get(`${API}/activity?entity=payment&entity_id=${payment.id}`)).body.data
      .map((row: { action: string }) => row.action);
    expect(acts).toEqual(expect.arrayContaining(['link_transactions', 'unlink_transaction']));
  });

  it('that are reversed, of a document, or of nobody here are refused by the database too', async () => {
    const { vendor, payment } = await paid();
    const reversed = await journal(vendor.id);
    data(await ann.post(`${BOOKS}/transactions/${reversed}/reverse`, { reason: 'Wrong',
      transaction_at: '2026-11-18' }));
    const wrong = { 'of division UK': await journal(null, 'UK'),
      'on neither': await journal(null), 'is reversed': reversed,
      'belongs to the document': payment.transaction_id, 'that exists': 999_999 };
    for (const [words, id] of Object.entries(wrong)) {
      const answer = await link(payment.id, [id as number]);
      expect([answer.status, answer.body.errors?.transaction_ids?.[0]]).toEqual([422, expect.stringContaining(words)]);
      if (id === 999_999) continue;
      await expect(test.database.db.exec(sql`
        insert into payment_transactions (payment_id, transaction_id) values (${payment.id}, ${id as number})`))
        .rejects.toMatchObject({ constraint: 'payment_transactions_concern' });
    }
  });
});

describe('the trash', () => {
  it('takes a draft and frees what it holds; it comes back while that is free, or is deleted for good', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 8_000);
    const made = data(await pay(vendor.id, [part(bill, 5_000)]));
    data(await ann.put(`${PATH}/${made.id}`, { version: made.version, parts: [part(bill, 8_000)] }));
    expect((await ann.remove(`${PATH}/${made.id}`)).status).toBe(204);
    expect((await ann.get(`${PATH}/${made.id}`)).status).toBe(404);
    expect((await ann.get(`${PATH}/trash`)).body.data.map((row: { id: number }) => row.id)).toContain(made.id);
    await expect(test.database.db.exec(sql`update payment_parts set state = 'reserved' where payment_id = ${made.id}
      and amount_minor = 8000`)).rejects.toMatchObject({ constraint: 'payment_parts_trash' });
    const other = data(await pay(vendor.id, [part(bill, 8_000)]));
    expect(facts(await ann.put(`${PATH}/${made.id}/restore`))).toEqual([409, 'payment.item_taken']);
    expect((await ann.remove(`${PATH}/${other.id}`)).status).toBe(204);
    expect(data(await ann.put(`${PATH}/${made.id}/restore`))).toMatchObject({ status: 'draft', amount_minor: 8_000,
      parts: [{ amount_minor: 8_000 }] });
    expect((await ann.remove(`${PATH}/${made.id}/force`)).status).toBe(404);
    data(await step(made.id, 'approved'));
    expect(facts(await ann.remove(`${PATH}/${made.id}`))).toEqual([409, 'payment.status']);
    expect((await ann.remove(`${PATH}/${other.id}/force`)).status).toBe(204);
    expect(await test.database.db.query(sql`select 1 from payments where id = ${other.id}`)).toEqual([]);
    await expect(test.database.db.query(sql`select purge_payment(${made.id})`)).rejects
      .toMatchObject({ constraint: 'payments_trash' });
  });
});

describe('the remittance advice', () => {
  it('is sent once the payment is on its way, with the vendor’s own numbers, and its sending is kept', async () => {
    const vendor = await makeVendor();
    const bill = await makeBill(vendor.id, 3_000);
    const made = data(await pay(vendor.id, [part(bill, 3_000)]));
    const send = () => ann.post(`${PATH}/${made.id}/remittance`, { recipients: ['office@alder.example'] });
    expect(facts(await send())).toEqual([409, 'payment.not_sent']);
    data(await step(made.id, 'approved'));
    data(await step(made.id, 'posted'));
    const pdf = await ann.get(`${PATH}/${made.id}/remittance`);
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect((await send()).status).toBe(202);
    const mail = await test.database.db.one(sql`
      select template, recipients, body_text, jsonb_array_length(attachments) as files from mail_outbox
      where entity = 'payment' and entity_id = ${made.id}`);
    expect(mail).toMatchObject({ template: 'payment.remittance', recipients: ['office@alder.example'], files: 1,
      body_text: expect.stringContaining(`We paid USD 30.00 to ${vendor.name} on November 20, 2026.`) });
    expect(data(await ann.get(`${PATH}/${made.id}`))).toMatchObject({ remittances: [
      { recipients: 'office@alder.example' }], payee_email: expect.stringContaining('@alder.example') });
  });

  it('of a refund names the payment of the customer that it gives back', async () => {
    const customer_id = (await test.database.db.one<{ id: number }>(sql`
      insert into customers (name, divisions, default_division, default_currency)
      values ('Oak Street Players', '{US}', 'US', 'USD') returning id`)).id;
    const receipt = data(await ann.post(PATH, { customer_id, division: 'US', currency: 'USD', amount_minor: 9_000,
      method: 'wire', received_on: '2026-11-20', reference: 'Wire 77' }));
    const refund = data(await ann.post(`${PATH}/${receipt.id}/refund`, { amount_minor: 4_000, reason: 'Paid twice' }));
    expect(data(await ann.get(`${PATH}/${refund.id}`))).toMatchObject({ parts: [{ document: receipt.number,
      document_kind: 'receipt', document_id: receipt.id, payee_number: 'Wire 77', amount_minor: 4_000 }] });
    expect(facts(await ann.get(`${PATH}/${refund.id}/remittance`))).toEqual([409, 'payment.not_sent']);
    data(await step(refund.id, 'approved'));
    data(await step(refund.id, 'posted'));
    expect(data(await ann.get(`${PATH}/${refund.id}`)).allowed).toContain('remit');
    expect((await ann.get(`${PATH}/${refund.id}/remittance`)).headers['content-type']).toBe('application/pdf');
    expect((await ann.post(`${PATH}/${refund.id}/remittance`, { recipients: ['office@oak.example'] })).status)
      .toBe(202);
    expect((await test.database.db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where entity = 'payment' and entity_id = ${refund.id}`)).body_text)
      .toContain('lists what is refunded');
  });
});
