/** Source of a transaction: its number, its document, and the people who may reverse it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
const MONEY = '/api/admin/staff';
let staff: SignedIn, other: SignedIn, customer = 0;
const accounts = new Map<string, number>();

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  other = await test.signedIn('staff_admin');
  customer = await makeCustomer(test.database.db, 'US');
  for (const row of (await staff.get(`${BASE}/ledger_accounts?division=US&per_page=100`)).body.data) {
    accounts.set(row.code, row.id);
  }
});

async function draft(description: string, minor = 500) {
  const made = await staff.post(`${BASE}/transactions`, { division: 'US', transaction_at: '2026-11-02', description,
    journal_entries: [{ ledger_account_id: accounts.get('6200'), debit_minor: minor, memo: description },
      { ledger_account_id: accounts.get('1010'), credit_minor: minor }] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
}

async function posted(description: string) {
  const { id, version } = await draft(description);
  return (await staff.post(`${BASE}/transactions/${id}/post`, { version })).body.data;
}

async function invoiced(net_minor = 100_000) {
  const made = await staff.post(`${MONEY}/invoices`, { customer_id: customer, division: 'US', currency: 'USD',
    items: [{ kind: 'fee', description: 'Service', item_class: 'fee', net_minor }] });
  const { id, version } = made.body.data;
  return (await staff.post(`${MONEY}/invoices/${id}/issue`, { version })).body.data;
}

const received = async (amount_minor: number) => (await staff.post(`${BASE}/payments`, { customer_id: customer,
  division: 'US', currency: 'USD', amount_minor, method: 'wire', received_on: '2026-11-20' })).body.data;

const ofSource = (type: string, id: number, event: string) => test.database.db.one<{ id: number }>(sql`
  select id from transactions where source_type = ${type} and source_id = ${id} and source_event = ${event}`);
const shown = async (id: number) => (await staff.get(`${BASE}/transactions/${id}`)).body.data;
const reverse = (id: number) => staff.post(`${BASE}/transactions/${id}/reverse`, { reason: 'No longer',
  transaction_at: '2026-11-20' });

describe('what a document posted', () => {
  it('is not reversed in the ledger: 409 with the way and the page of an invoice', async () => {
    const invoice = await invoiced();
    const { id } = await ofSource('invoice', invoice.id, 'issued');
    expect(await shown(id)).toMatchObject({ is_reversible: false,
      document: { kind: 'invoice', id: invoice.id, number: invoice.number } });
    const answer = await reverse(id);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'posted_document', way: 'Credit the invoice.',
      href: `/admin/accounts-receivable/invoices/${invoice.id}`,
      message: `This entry belongs to Invoice ${invoice.number}. Credit the invoice.` });
    expect(await shown(id)).toMatchObject({ status: 'posted' });
    expect((await staff.remove(`${BASE}/transactions/${id}`)).body.code).toBe('posted_document');
    const bulk = await staff.post(`${MONEY}/invoices/${invoice.id}/credit_notes`, { reason: 'Wrong customer' });
    expect(bulk.status, JSON.stringify(bulk.body)).toBe(201);
    const note = await ofSource('invoice', bulk.body.data.id, 'issued');
    expect((await reverse(note.id)).body).toMatchObject({ code: 'posted_document',
      way: 'A credit note stays. Invoice the amount again.' });
  });

  it('is taken back by the return of the receipt, and its mirror is not reversed here either', async () => {
    const receipt = await received(60_000);
    const { id } = await ofSource('payment', receipt.id, 'received');
    expect((await reverse(id)).body).toMatchObject({ way: 'Return the receipt, or take it off the invoice.',
      href: `/admin/accounts-receivable/payments/${receipt.id}` });
    const back = await staff.put(`${BASE}/payments/${receipt.id}/status`, { status: 'returned', reason: 'Not covered',
      version: receipt.version });
    expect(back.status, JSON.stringify(back.body)).toBe(200);
    const original = await shown(id);
    expect(original.status).toBe('reversed');
    const mirror = await shown(original.reversed_by_id);
    expect(mirror).toMatchObject({ is_reversible: false, document: { kind: 'receipt', number: receipt.number },
      description: `Reversal: ${original.description}` });
    expect((await reverse(mirror.id)).body.code).toBe('posted_document');
  });

  it('never stands behind a journal: that one is reversed, and its reversal too', async () => {
    const journal = await posted('Paper for the office');
    expect(journal).toMatchObject({ is_reversible: true, document: null });
    const mirror = (await reverse(journal.id)).body.data;
    expect(mirror).toMatchObject({ is_reversible: true, reverses_number: journal.number,
      description: `Reversal of ${journal.number}: Paper for the office` });
    expect((await reverse(mirror.id)).status).toBe(200);
  });
});

describe('numbers', () => {
  it('of journals are gapless and come with posting; a draft has none', async () => {
    const saved = await draft('Not yet');
    expect(saved.number).toBeNull();
    const one = await posted('First of two');
    const two = await posted('Second of two');
    expect(one.number).toMatch(/^JE-US-2026-\d{6}$/);
    expect(Number(two.number.slice(-6))).toBe(Number(one.number.slice(-6)) + 1);
    const found = (query: string) => staff.get(`${BASE}/transactions?division=US&${query}`);
    expect((await found(`search=${one.number}`)).body.data.map((row: { id: number }) => row.id)).toEqual([one.id]);
    expect((await staff.get(`${BASE}/integrity`)).body.data.invariants
      .find((row: { key: string }) => row.key === 'numbers').ok).toBe(true);
  });

  it('of documents find what they posted, and stand in lists, lines and the general ledger', async () => {
    const invoice = await invoiced(33_300);
    const { id } = await ofSource('invoice', invoice.id, 'issued');
    const list = await staff.get(`${BASE}/transactions?division=US&search=${invoice.number}`);
    expect(list.body.data.map((row: { id: number }) => row.id)).toContain(id);
    const lines = await staff.get(`${BASE}/journal_entries?search=${invoice.number}&per_page=100`);
    const ours = lines.body.data.filter((row: { transaction_id: number }) => row.transaction_id === id);
    expect(ours.length).toBeGreaterThan(1);
    expect(ours.every((row: { number: string }) => row.number === invoice.number)).toBe(true);
    const book = await staff.get(`${BASE}/general_ledger?division=US&account=1100&per_page=100`);
    expect(book.body.data.rows.find((row: { transaction_id: number }) => row.transaction_id === id))
      .toMatchObject({ number: invoice.number });
  });
});

describe('lines of the journal', () => {
  it('are those in the books: no drafts, voids or trash unless they are asked for', async () => {
    const saved = await draft('Only a draft', 12_345);
    const voided = await draft('Void at once', 23_456);
    await staff.post(`${BASE}/transactions/${voided.id}/void`, { version: voided.version });
    const trashed = await draft('In the trash', 34_567);
    await staff.remove(`${BASE}/transactions/${trashed.id}`);
    const kept = await posted('In the books');
    const own = [saved.id, voided.id, trashed.id, kept.id];
    for (const path of [`journal_entries?ledger_account_id=${accounts.get('6200')}`,
      `ledger_accounts/${accounts.get('6200')}/journals?`]) {
      const of = async (query: string) => (await staff.get(`${BASE}/${path}&per_page=100${query}`)).body.data
        .map((row: { transaction_id: number }) => row.transaction_id).filter((id: number) => own.includes(id));
      expect(await of(''), path).toEqual([kept.id]);
      expect(await of('&status=draft'), path).toEqual([saved.id]);
      expect(await of('&status=void'), path).toEqual([voided.id]);
      expect(await of('&transaction_at_from=2026-11-03'), path).toEqual([]);
      expect(await of('&transaction_at_to=2026-11-02'), path).toEqual([kept.id]);
    }
    const draftLines = await staff.get(`${BASE}/journal_entries?transaction_id=${saved.id}`);
    expect(draftLines.body.data.map((row: { status: string }) => row.status)).toEqual(['draft', 'draft']);
  });
});

describe('what SPEC names', () => {
  it('lists come with their lines, accounts by their header', async () => {
    const rows = (await staff.get(`${BASE}/transactions?division=US&with=journal_entries&per_page=5`)).body.data;
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row.journal_entries.reduce((sum: number, line: { debit_minor: number }) => sum + line.debit_minor, 0))
        .toBe(row.total_minor);
    }
    expect((await staff.get(`${BASE}/transactions?division=US&per_page=5`)).body.data[0].journal_entries)
      .toBeUndefined();
    expect((await staff.get(`${BASE}/transactions?with=everything`)).status).toBe(422);
    const all = (await staff.get(`${BASE}/ledger_accounts?division=US&per_page=100`)).body.data;
    const header = all.find((row: { code: string }) => row.code === '1000').ledger_header_id;
    const below = (await staff.get(`${BASE}/ledger_accounts?ledger_header=${header}&per_page=100`)).body.data;
    expect(below.map((row: { code: string }) => row.code)).toEqual(['1000', '1001', '1002', '1010', '1020', '1050']);
  });

  it('a journal may say its state and direction, if they are so', async () => {
    const body = { division: 'US', transaction_at: '2026-11-02', description: 'Fee', journal_entries: [
      { ledger_account_id: accounts.get('6100'), debit_minor: 5 },
      { ledger_account_id: accounts.get('1010'), credit_minor: 5 }] };
    const said = await staff.post(`${BASE}/transactions`, { ...body, status: 'draft', direction: 'out' });
    expect(said.body.data, JSON.stringify(said.body)).toMatchObject({ status: 'draft', direction: 'out' });
    const wrong = await staff.post(`${BASE}/transactions`, { ...body, direction: 'in' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['direction']]);
    const early = await staff.post(`${BASE}/transactions`, { ...body, status: 'posted' });
    expect([early.status, Object.keys(early.body.errors)]).toEqual([422, ['status']]);
  });

  it('reports take the days under both names', async () => {
    const sheet = async (query: string) =>
      (await staff.get(`${BASE}/reports/balance_sheet?division=US&${query}`)).body.data;
    expect(await sheet('to=2026-11-30')).toEqual(await sheet('as_of=2026-11-30'));
    expect((await sheet('from=2026-11-01&to=2026-11-30')).fiscal_year_from).toBe('2026-11-01');
    const book = async (query: string) =>
      (await staff.get(`${BASE}/general_ledger?division=US&account=1010&${query}`)).body.data;
    expect(await book('to=2026-11-01')).toEqual(await book('as_of=2026-11-01'));
    expect((await staff.get(`${BASE}/integrity?division=US`)).body.data.violations).toBe(0);
  });
});

it('the bank lock holds a journal that moves cash, and says so', async () => {
  const wish = { division: 'US', bank_through: '2026-10-31', reason: 'Reconciled' };
  await staff.put(`${BASE}/period_locks`, wish);
  expect((await other.put(`${BASE}/period_locks`, wish)).status).toBe(200);
  const made = await staff.post(`${BASE}/transactions`, { division: 'US', transaction_at: '2026-10-30',
    description: 'Fee', journal_entries: [{ ledger_account_id: accounts.get('6100'), debit_minor: 5 },
      { ledger_account_id: accounts.get('1010'), credit_minor: 5 }] });
  const { id, version } = made.body.data;
  expect((await staff.post(`${BASE}/transactions/${id}/post`, { version })).body).toMatchObject({
    code: 'period_locked', message: 'Bank accounts are locked through October 31, 2026. Choose a later date.' });
});
