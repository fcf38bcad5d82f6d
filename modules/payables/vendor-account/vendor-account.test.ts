/** The account of a vendor: movements with the balance after each, what is open as of a day, and the ledger. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { approveDisbursement, makeDisbursement } from '../disbursement/disbursement.server.ts';
import { postDisbursement } from '../disbursement/post-disbursement.server.ts';

const test = testApp();
const API = '/api/admin/staff';
const ACCOUNTS = `${API}/accounting/accounts_payable/vendors`;
let ann: SignedIn;
let bob: SignedIn;
let vendor = 0;
let account = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
async function approved(more: object): Promise<{ id: number; open_item_id: number }> {
  const path = `${API}/accounting/bills`;
  const draft = data(await ann.post(path, { vendor_id: vendor, division: 'US', currency: 'USD', ...more }));
  const submitted = data(await ann.put(`${path}/${draft.id}/submit`, { version: draft.version }));
  data(await bob.put(`${path}/${draft.id}/approve`, { version: submitted.version }));
  return test.database.db.one(sql`select id, open_item_id from bills where id = ${draft.id}`);
}
const line = (net_minor: number) => [{ ledger_account_id: account, description: 'Paper', net_minor }];
const as = <T>(person: SignedIn, work: (ctx: WorkContext) => Promise<T>): Promise<T> => test.database.db.tx((tx) =>
  work(workContext(test.ports, tx, { ...SYSTEM_ACTOR, actor_id: person.user_id })));

/** Bills of 600.00 (due on October 15) and 250.00, a credit of 40.00, and 200.00 paid on the first. */
beforeAll(async () => {
  [ann, bob] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  vendor = data(await ann.post(`${API}/vendors`, { name: 'Alder Print', divisions: ['US'], default_currency: 'USD',
    payment_terms_days: 14 })).id;
  account = (await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '6200'`)).id;
  const first = await approved({ billed_on: '2026-10-01', vendor_number: 'A-77', lines: line(60_000) });
  await approved({ billed_on: '2026-11-10', vendor_number: 'A-78', lines: line(25_000) });
  await approved({ kind: 'credit', billed_on: '2026-11-12', vendor_number: 'A-79', lines: line(4_000) });
  const { payment_id } = await as(ann, (ctx) => makeDisbursement(ctx, { division: 'US', currency: 'USD',
    bank_account_id: null, method: 'ach', party_type: 'vendor', party_id: vendor, on: '2026-11-16', memo: '',
    parts: [{ open_item_id: first.open_item_id, amount_minor: 20_000 }] }));
  await as(bob, (ctx) => approveDisbursement(ctx, payment_id));
  await as(ann, (ctx) => postDisbursement(ctx, payment_id, '2026-11-16'));
});

describe('the account of a vendor', () => {
  it('shows bills, credits and payments with the balance after each, which is its part of payables', async () => {
    const { body } = await ann.get(`${ACCOUNTS}/${vendor}/transactions`);
    expect(body.data.map((row: { kind: string; reference: string; amount_minor: number; balance_minor: number }) =>
      [row.kind, row.reference, row.amount_minor, row.balance_minor])).toEqual([
      ['payment', '', -20_000, 61_000], ['credit', 'A-79', -4_000, 81_000], ['bill', 'A-78', 25_000, 85_000],
      ['bill', 'A-77', 60_000, 60_000]]);
    expect(await test.database.db.one(sql`select -sum(e.amount_minor)::int as minor from posted_entries e
      join ledger_accounts l on l.id = e.ledger_account_id
      where l.system_key = 'ap' and e.party_type = 'vendor' and e.party_id = ${vendor}`)).toEqual({ minor: 61_000 });
    expect(body.accounts).toMatchObject([{ division: 'US', currency: 'USD', opening_minor: 0, bill_minor: 85_000,
      credit_minor: -4_000, payment_minor: -20_000, check_minor: 0, closing_minor: 61_000 }]);
  });

  it('between two days it begins with what was brought forward; a filter leaves the balances', async () => {
    const { body } = await ann.get(`${ACCOUNTS}/${vendor}/transactions?from=2026-11-12&kind=credit&search=A-79`);
    expect(body.data).toMatchObject([{ kind: 'credit', balance_minor: 81_000 }]);
    expect(body.accounts).toMatchObject([{ opening_minor: 85_000, bill_minor: 0, closing_minor: 61_000 }]);
  });

  it('its statement says what was open on any day, how late, and ties to the ledger', async () => {
    const now = data(await ann.get(`${ACCOUNTS}/${vendor}/statement?as_of=2026-11-20`));
    expect(now.accounts).toMatchObject([{ open_minor: 65_000, overdue_minor: 40_000, unapplied_minor: -4_000,
      total_minor: 61_000, ledger_minor: 61_000, ties: true }]);
    expect(now.accounts[0].items).toMatchObject([
      { reference: 'A-77', original_minor: 60_000, open_minor: 40_000, days_late: 36 },
      { reference: 'A-78', open_minor: 25_000, days_late: 0 }, { open_minor: -4_000, days_late: 0 }]);
    expect(now.accounts[0].ages[2]).toEqual({ bucket: 'days_31_60', count: 1, minor: 40_000 });
    const then = data(await ann.get(`${ACCOUNTS}/${vendor}/statement?as_of=2026-10-20`));
    expect(then.accounts).toMatchObject([{ total_minor: 60_000, overdue_minor: 60_000, ties: true }]);
    const paper = await ann.get(`${ACCOUNTS}/${vendor}/statement/document?as_of=2026-11-20`);
    expect([paper.status, paper.headers['content-type']]).toEqual([200, 'application/pdf']);
  });

  it('is not read without its right, and of nobody who is not there', async () => {
    const other = await test.signedIn('staff_user', { permissions: ['vendor.show'] });
    for (const name of ['transactions', 'statement', 'statement/document']) {
      expect((await other.get(`${ACCOUNTS}/${vendor}/${name}`)).status).toBe(403);
      expect((await ann.get(`${ACCOUNTS}/999999/${name}`)).status).toBe(404);
    }
  });
});
