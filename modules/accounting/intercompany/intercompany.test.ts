import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { giveForeignAccount, makeCustomer } from '#tests/support/receivables.ts';
import { postJournal } from '../accounting.public.server.ts';
import { ledgerIntegrity } from '../report/integrity.server.ts';

const test = testApp();
const db = () => test.database.db;
const BASE = '/api/admin/staff/accounting';
const ENTRIES = `${BASE}/intercompany_entries`;
let ann: SignedIn;
let ben: SignedIn;
const accounts = new Map<string, number>();
const at = (account: string): number => accounts.get(account)!;

/** US pays USD 100.00 of a cost of the UK, at 0.80 pounds a dollar. */
const share = () => ({ creditor: 'US', debtor: 'UK', currency: 'USD', dated_on: '2026-02-10', amount_minor: 10_000,
  creditor_account_id: at('US 1000'), debtor_account_id: at('UK 6200'), description: 'Share of hosting' });
const ask = (body: object = {}, who = ann) => who.post(ENTRIES, { ...share(), ...body });
const approve = (row: { id: number; version: number }, who = ben) =>
  who.put(`${ENTRIES}/${row.id}/approve`, { version: row.version });
async function posted(body: object = {}) {
  const asked = await ask(body);
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  const done = await approve(asked.body.data);
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  return done.body.data;
}
const balances = async (asOf = '2026-12-31') => (await ann.get(`${ENTRIES}/balances?as_of=${asOf}`)).body.data;
const linesOf = (id: number) => db().query(sql`
  select a.code, e.amount_minor, e.base_amount_minor as base_minor, o.code as party from journal_entries e
    join ledger_accounts a on a.id = e.ledger_account_id
    left join divisions o on e.party_type = 'division' and o.id = e.party_id
  where e.transaction_id = ${id} order by e.line_no`);

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  ben = await test.signedIn('staff_admin');
  for (const row of await db().query<{ id: number; key: string }>(sql`
    select id, division || ' ' || code as key from ledger_accounts`)) accounts.set(row.key, row.id);
  await test.database.owner.exec(sql`
    insert into exchange_rates (base, quote, on_date, rate, source)
    values ('USD', 'GBP', '2026-02-09', '0.8', 'manual'),
      ('GBP', 'USD', '2026-02-28', '1.3', 'manual')`);
}, 900_000);

describe('an entry between divisions', () => {
  it('is posted in both books by a second person, once, at each division’s own rate', async () => {
    const asked = (await ask()).body.data;
    expect(asked).toMatchObject({ status: 'waiting', number: expect.stringMatching(/^IC-US-2026-\d{6}$/),
      creditor_base_minor: 10_000, debtor_base_minor: 8_000, creditor_transaction_id: null });
    expect((await balances()).pairs).toEqual([]);
    expect((await approve(asked, ann)).body.code).toBe('four_eyes');
    const answers = await Promise.all([approve(asked), approve(asked), approve(asked)]);
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409, 409]);
    const { data } = (await ann.get(`${ENTRIES}/${asked.id}`)).body;
    expect(await linesOf(data.creditor_transaction_id)).toEqual([
      { code: '1500', amount_minor: 10_000, base_minor: 10_000, party: 'UK' },
      { code: '1000', amount_minor: -10_000, base_minor: -10_000, party: null }]);
    expect(await linesOf(data.debtor_transaction_id)).toEqual([
      { code: '2500', amount_minor: -10_000, base_minor: -8_000, party: 'US' },
      { code: '6200', amount_minor: 10_000, base_minor: 8_000, party: null }]);
    const { document } = (await ann.get(`${BASE}/transactions/${data.debtor_transaction_id}`)).body.data;
    expect(document).toMatchObject({ kind: 'intercompany_entry', id: asked.id, number: data.number });
  });

  it('agrees in the balances, with the exchange difference between the two books', async () => {
    expect(await balances('2026-02-28')).toMatchObject({ agrees: true, unmatched: [], pairs: [
      // 80.00 pounds at 1.30 are 104.00 dollars against 100.00
      { division: 'US', other: 'UK', currency: 'USD', balance_minor: 10_000, other_balance_minor: 10_000,
        difference_minor: 0, base_minor: 10_000, other_base_minor: 8_000, exchange_minor: -400 }] });
    expect((await balances('2026-02-09')).pairs).toEqual([]);
    expect((await balances('2026-06-30')).pairs[0].exchange_minor).toBeNull();
  });

  it('is refused at its field: one division twice, an account of documents or of another currency, a day to come',
    async () => {
      const errorsOf = async (body: object) => (await ask(body)).body.errors;
      expect(await errorsOf({ debtor: 'US' })).toEqual({ debtor: ['Choose two divisions'] });
      expect(await errorsOf({ debtor_account_id: at('US 6200') })).toEqual({
        debtor_account_id: ['Choose an account of division UK'] });
      expect(await errorsOf({ debtor_account_id: at('UK 2000') })).toEqual({
        bill_id: ['Choose the bill that is paid'] });
      expect(await errorsOf({ debtor_account_id: at('UK 2200') })).toEqual({
        debtor_account_id: ['Account 2200 is kept by documents. Choose another account'] });
      expect(await errorsOf({ creditor_account_id: at('US 1050') })).toEqual({
        creditor_account_id: ['Account 1050 is kept by documents. Choose another account'] });
      expect(await errorsOf({ debtor_account_id: at('UK 1000') })).toEqual({
        debtor_account_id: ['Account 1000 is kept in GBP. Choose an account in USD'] });
      expect(Object.keys(await errorsOf({ dated_on: '2026-12-31' }))).toEqual(['dated_on']);
      expect(Object.keys(await errorsOf({ amount_minor: 0, description: ' ' }))).toEqual(
        ['amount_minor', 'description']);
      expect((await ask({ debtor: 'EU', debtor_account_id: at('EU 6200') })).body.code).toBe('fx.no_rate');
    });

  it('is declined by another person and withdrawn by the one who asked, and posts nothing', async () => {
    const first = (await ask()).body.data;
    expect((await ann.put(`${ENTRIES}/${first.id}/decline`, { reason: 'Mine' })).body.code).toBe('four_eyes');
    expect((await ben.put(`${ENTRIES}/${first.id}/withdraw`, { version: first.version })).body.code)
      .toBe('intercompany.not_yours');
    const declined = await ben.put(`${ENTRIES}/${first.id}/decline`, { reason: 'Charged before' });
    expect(declined.body.data).toMatchObject({ status: 'declined', decline_reason: 'Charged before',
      debtor_transaction_id: null });
    expect((await approve(declined.body.data)).body.code).toBe('intercompany.decided');
    const second = (await ask()).body.data;
    expect((await ann.put(`${ENTRIES}/${second.id}/withdraw`, { version: second.version })).body.data.status)
      .toBe('withdrawn');
  });

  it('clears an invoice whose customer paid the other division [event 27], and goes back after that', async () => {
    // US collects 100.00 for the UK: US Dr 1000, Cr 2500; UK Dr 1500, Cr 1100 of the customer.
    const customer = await makeCustomer(db(), 'UK');
    await db().exec(sql`update customers set default_currency = 'USD' where id = ${customer}`);
    await giveForeignAccount(test.ports, 'UK', 'USD');
    const INVOICES = '/api/admin/staff/invoices';
    const draft = (await ann.post(INVOICES, { customer_id: customer, license_id: null, division: 'UK', currency: 'USD',
      items: [{ kind: 'fee', description: 'Consulting', item_class: 'performing_licence', net_minor: 10_000 }] })).body
      .data;
    const issued = await ann.post(`${INVOICES}/${draft.id}/issue`, { version: draft.version,
      confirmed_total_minor: draft.total_minor, issued_on: '2026-02-10' });
    expect(issued.status, JSON.stringify(issued.body)).toBe(200);
    const total = issued.body.data.total_minor as number;
    const collected = { creditor: 'UK', debtor: 'US', amount_minor: total, creditor_account_id: at('UK 1100'),
      debtor_account_id: at('US 1000'), description: 'Paid into the US bank' };
    expect((await ask(collected)).body.errors).toEqual({ customer_id: ['Choose the customer who paid'] });
    expect((await ask({ customer_id: customer })).body.errors).toHaveProperty('customer_id');
    expect((await ask({ ...collected, kind: 'settlement' })).body.errors).toHaveProperty('creditor_account_id');
    const row = await posted({ ...collected, customer_id: customer });
    expect(row).toMatchObject({ customer_id: customer, customer_name: expect.stringContaining('Players') });
    expect((await linesOf(row.debtor_transaction_id)).map((line) => [(line as { code: string }).code,
      (line as { amount_minor: number }).amount_minor])).toEqual([['2500', -total], ['1000', total]]);
    const [due, receivable] = await db().query<{ code: string; party_type: string; amount_minor: number }>(sql`
      select a.code, e.party_type, e.amount_minor from journal_entries e join ledger_accounts a
        on a.id = e.ledger_account_id where e.transaction_id = ${row.creditor_transaction_id} order by e.line_no`);
    expect([due, receivable]).toEqual([{ code: '1500', party_type: 'division', amount_minor: total },
      { code: '1100', party_type: 'customer', amount_minor: -total }]);
    const receipt = await db().one<{ id: number; number: string }>(sql`
      select id, number from payments where transaction_id = ${row.creditor_transaction_id}`);
    const returned = await ann.put(`${BASE}/payments/${receipt.id}/status`, { status: 'returned', version: 1,
      on: '2026-02-11', reason: 'Bounced' });
    expect(returned.body.code, JSON.stringify(returned.body)).toBe('payment.collected_elsewhere');
    const applied = await ann.post(`${INVOICES}/${draft.id}/payments`, { payment_id: receipt.id, amount_minor: total,
      received_on: '2026-02-10' });
    expect(applied.status, JSON.stringify(applied.body)).toBeLessThan(300);
    expect((await ann.get(`${INVOICES}/${draft.id}`)).body.data).toMatchObject({ status: 'paid', balance_minor: 0 });
    await db().query(sql`select ledger_chain_extend()`);
    expect((await ledgerIntegrity(db())).filter((one) => !one.ok)).toEqual([]);
    const reverse = () => ann.put(`${ENTRIES}/${row.id}/reverse`, { version: row.version, reason: 'Not theirs',
      reversed_on: '2026-02-12' });
    const used = await reverse();
    expect([used.status, used.body.code]).toEqual([409, 'intercompany.receipt_used']);
    expect(used.body.message).toContain(receipt.number);
    expect((await ann.remove(`${INVOICES}/${draft.id}/payments/${receipt.id}`)).status).toBeLessThan(300);
    expect((await reverse()).status).toBe(200);
    expect((await ann.get(`${BASE}/payments/${receipt.id}`)).body.data.status).toBe('reversed');
    await db().query(sql`select ledger_chain_extend()`);
    expect((await ledgerIntegrity(db())).filter((one) => !one.ok)).toEqual([]);
  });

  it('is taken off by a settlement', async () => {
    await posted({ kind: 'settlement', amount_minor: 4_000 });
    expect((await balances()).pairs).toMatchObject([{ balance_minor: 6_000, other_balance_minor: 6_000 }]);
    await posted({ kind: 'settlement', amount_minor: 6_000 });
    expect((await balances()).pairs).toEqual([]);
  });

  it('is reversed in both books at once, and never on one side alone', async () => {
    const row = await posted({ amount_minor: 7_000 });
    const alone = await ann.post(`${BASE}/transactions/${row.debtor_transaction_id}/reverse`, { reason: 'Mistake',
      transaction_at: '2026-02-12' });
    expect(alone.body.code).toBe('posted_document');
    expect((await ann.put(`${ENTRIES}/${row.id}/reverse`, { version: row.version, reason: 'Mistake',
      reversed_on: '2026-02-09' })).body.errors).toEqual({ reversed_on: ['Enter February 10, 2026 or a later date'] });
    const reverse = () => ann.put(`${ENTRIES}/${row.id}/reverse`, { version: row.version, reason: 'Charged twice',
      reversed_on: '2026-03-02' });
    const answers = await Promise.all([reverse(), reverse()]);
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409]);
    const { data } = (await ann.get(`${ENTRIES}/${row.id}`)).body;
    expect(data).toMatchObject({ status: 'reversed', reversed_on: '2026-03-02', reversal_reason: 'Charged twice' });
    expect((await balances('2026-03-01')).pairs).toMatchObject([{ balance_minor: 7_000 }]);
    expect((await balances('2026-03-02'))).toMatchObject({ pairs: [], unmatched: [] });
  });

  it('is found by division, type, status and number', async () => {
    const found = async (query: string) => (await ann.get(`${ENTRIES}?${query}`)).body.data
      .map((one: { status: string; kind: string }) => `${one.kind} ${one.status}`).toSorted();
    expect(await found('division=PROD')).toEqual([]);
    expect(await found('division=UK&status=reversed')).toEqual(['charge reversed',
      'charge reversed']);
    expect(await found('kind=settlement')).toEqual(['settlement posted', 'settlement posted']);
    const { data: [one] } = (await ann.get(`${ENTRIES}?sort_by=number`)).body;
    expect((await found(`search=${one.number}`)).length).toBe(1);
    const { data: hits } = (await ann.get(`/api/admin/staff/search/all?search=${one.number}`)).body;
    expect(hits.groups.map((group: { entity: string }) => group.entity)).toContain('intercompany_entry');
  });
});

describe('a line in one division only', () => {
  it('is listed as unmatched, makes the balances differ and keeps the close checklist open', async () => {
    const left = async (division: string) => (await ann.get(
      `${BASE}/close_checklist?division=${division}&period=202604`)).body.data.items
     .find((one: { key: string }) => one.key === 'intercompany');
    expect(await left('PROD')).toMatchObject({ state: 'done', detail: '' });
    const { id: us } = await db().one<{ id: number }>(sql`select id from divisions where code = 'US'`);
    const { transaction_id } = await postJournal(db(), { division: 'PROD', kind: 'bank_entry',
      transaction_at: '2026-04-02', description: 'Paid for US', source: null, lines: [
        { account: '1500', currency: 'USD', amount: 5_000n, base: 5_000n, party: { type: 'division', id: us } },
        { account: '4400', currency: 'USD', amount: -5_000n, base: -5_000n }] });
    const seen = await balances('2026-04-30');
    expect(seen).toMatchObject({ agrees: false, more_unmatched: 0, pairs: [{ division: 'PROD', other: 'US',
      balance_minor: 5_000, other_balance_minor: 0, difference_minor: 5_000 }], unmatched: [{ transaction_id,
      division: 'PROD', other: 'US', account: '1500', amount_minor: 5_000 }] });
    expect(await left('PROD')).toMatchObject({ state: 'open', detail: 'Books of PROD and US differ in USD' });
    expect(await left('EU')).toMatchObject({ state: 'done' });
    await ask({ creditor: 'US', debtor: 'PROD', debtor_account_id: at('PROD 6200'), dated_on: '2026-04-03' });
    expect((await left('US')).detail).toBe('Books of PROD and US differ in USD · 1 entry waits for approval');
  });
});

describe('the database', () => {
  it('keeps an entry as it was decided, and lets none be posted without both sides', async () => {
    const row = await posted();
    const change = (set: ReturnType<typeof sql>) => test.database.owner.exec(sql`
      update intercompany_entries set ${set} where id = ${row.id}`);
    await expect(change(sql`amount_minor = 5`)).rejects.toThrow('is not changed');
    await expect(change(sql`status = 'reversed', creditor_reversal_id = creditor_transaction_id,
      debtor_reversal_id = debtor_transaction_id, reversed_on = '2026-03-01', reversed_by_id = decided_by_id`))
      .rejects.toThrow('has a posting in each');
    const waiting = (await ask()).body.data;
    await expect(test.database.owner.exec(sql`update intercompany_entries set status = 'posted',
      decided_by_id = ${ben.user_id}, decided_at = now(),
      creditor_transaction_id = ${row.debtor_transaction_id}, debtor_transaction_id = ${row.creditor_transaction_id}
      where id = ${waiting.id}`)).rejects.toThrow('has a posting in each');
  });

  it('finds every invariant whole', async () => {
    await db().query(sql`select ledger_chain_extend()`);
    expect((await ledgerIntegrity(db())).filter((one) => !one.ok)).toEqual([]);
  });
});

it('moves money from one bank account to the other, from which royalties are then paid (decision 0039)', async () => {
  const row = await posted({ creditor: 'US', debtor: 'PROD', creditor_account_id: at('US 1000'),
    debtor_account_id: at('PROD 1000'), description: 'Lent for the royalties of the quarter' });
  const sides = await Promise.all([row.creditor_transaction_id, row.debtor_transaction_id].map(linesOf));
  expect(sides).toMatchObject([[{ code: '1500', amount_minor: 10_000, party: 'PROD' },
    { code: '1000', amount_minor: -10_000 }], [{ code: '2500', amount_minor: -10_000, party: 'US' },
    { code: '1000', amount_minor: 10_000 }]]);
});
