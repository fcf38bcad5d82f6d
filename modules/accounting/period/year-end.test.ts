/** Closing entries of fiscal years: prepared by one person, posted by another, taken back on their own day. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { postJournal } from '../accounting.public.server.ts';
import { resultHref } from '../report/statement-links.ts';
import { balanceSheet, profitAndLoss } from '../report/statements.server.ts';

const test = testApp();
const BOOKS = '/api/admin/staff/accounting';
let ann: SignedIn;
let bob: SignedIn;

const post = (on: string, debit: string, credit: string, minor: number) => test.database.db.tx((db) =>
  postJournal(db, { division: 'PROD', kind: 'bank_entry', transaction_at: on, description: 'Entry', source: null,
    lines: [{ account: debit, currency: 'USD', amount: BigInt(minor), base: BigInt(minor) },
      { account: credit, currency: 'USD', amount: BigInt(-minor), base: BigInt(-minor) }] }));
const close = (of: SignedIn, ends = '2025-12-31') => of.post(`${BOOKS}/fiscal_years/close`,
  { division: 'PROD', ends });
const postDraft = async (of: SignedIn, id: number) => {
  const { version } = (await of.get(`${BOOKS}/transactions/${id}`)).body.data;
  return of.post(`${BOOKS}/transactions/${id}/post`, { version });
};
const year = async () => (await ann.get(`${BOOKS}/fiscal_years?division=PROD`)).body.data
  .find((one: { ends: string }) => one.ends === '2025-12-31');
const sheet = () => balanceSheet(test.database.db, { division: 'PROD', as_of: '2026-03-31' });

beforeAll(async () => {
  [ann, bob] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  await post('2025-05-10', '1000', '4000', 100_000);
  await post('2025-06-10', '6200', '1000', 90_000);
  await post('2026-02-10', '1000', '4000', 700);
});

describe('the closing entry of a fiscal year', () => {
  let id = 0;

  it('is prepared from the books, once, for a year that is over; nobody writes its lines', async () => {
    expect(await year()).toMatchObject({ starts: '2025-01-01', result_minor: 10_000, closed_minor: 0,
      state: 'computed', transaction_id: null });
    expect([(await close(ann, '2025-11-30')).status, (await close(ann, '2026-12-31')).status]).toEqual([422, 422]);
    const { status, body } = await close(ann);
    expect(status, JSON.stringify(body)).toBe(201);
    id = body.data.transaction_id;
    const { data } = (await ann.get(`${BOOKS}/transactions/${id}`)).body;
    expect(data).toMatchObject({ kind: 'year_end_close', status: 'draft', transaction_at: '2025-12-31' });
    expect(data.journal_entries.map((one: { debit_minor: number; credit_minor: number }) =>
      one.debit_minor - one.credit_minor)).toEqual([100_000, -90_000, -10_000]);
    expect((await close(bob)).body.code).toBe('year_end.waiting');
    const [line] = data.journal_entries;
    const changed = await ann.remove(`${BOOKS}/journal_entries/${line.id}`);
    expect([changed.status, changed.body.code]).toEqual([409, 'year_end.computed']);
    // It waits in the inbox of everybody else, and goes to the trash where one of them declines it.
    const waiting = async (who: SignedIn) => (await who.get('/api/admin/staff/approvals?kind=closing_entry')).body.data;
    expect(await waiting(ann)).toEqual([]);
    expect(await waiting(bob)).toMatchObject([{ entity_id: id, title: 'Closing entry of 2025', division: 'PROD',
      amount_minor: 10_000, currency: 'USD' }]);
    const decline = (who: SignedIn) => who.put(`${BOOKS}/fiscal_years/entries/${id}/decline`, { reason: 'Too early' });
    expect((await decline(ann)).body.code).toBe('four_eyes');
    expect((await decline(bob)).status).toBe(200);
    expect([(await decline(bob)).status, await waiting(bob)]).toEqual([404, []]);
    id = (await close(ann)).body.data.transaction_id;
  });

  it('is posted by another person, and not where the books have changed since', async () => {
    const own = await postDraft(ann, id);
    expect([own.status, own.body.code]).toEqual([409, 'four_eyes']);
    await post('2025-07-01', '6200', '1000', 1);
    expect((await postDraft(bob, id)).body.code).toBe('year_end.changed');
    await post('2025-07-01', '1000', '6200', 1);
    expect((await postDraft(bob, id)).status).toBe(200);
    const told = (await ann.get('/api/admin/staff/notifications?kind=approval.decided&per_page=50')).body.data;
    expect(told.map((one: { title: string }) => one.title)).toEqual(
      ['Posted', 'Declined'].map((done) => `${done}: Closing entry of PROD for the year to December 31, 2025`));
    expect(await year()).toMatchObject({ result_minor: 10_000, closed_minor: 10_000, state: 'closed',
      transaction_id: id });
    expect((await close(ann)).body.code).toBe('year_end.nothing');
  });

  it('leaves the result of the year and the equity as they were; retained earnings carry it', async () => {
    const closed = await sheet();
    expect([closed.brought_forward_minor, closed.equity[0]!.rows.map((row) => [row.code, row.amount_minor]),
      closed.total_equity_minor, closed.checks.every((one) => one.ok)])
      .toEqual([0, [['3100', 10_000]], 10_700, true]);
    const result = await profitAndLoss(test.database.db, { division: 'PROD', from: '2025-01-01', to: '2025-12-31' });
    expect(result.net_profit_minor).toBe(10_000);
  });

  it('leads from what it left of the result to figures that sum to it', async () => {
    const at = async () => {
      const report = await balanceSheet(test.database.db, { division: 'PROD', as_of: '2025-12-31' });
      return { report, href: resultHref({ division: 'PROD', minor: report.current_result_minor, to: report.as_of,
        from: report.fiscal_year_from, has_closing_entry: report.has_closing_entry }) };
    };
    expect((await at()).href).toBeNull();
    await post('2025-08-01', '1000', '4000', 300);
    const { report, href } = await at();
    expect(report.current_result_minor).toBe(300);
    expect(href).toBe('/admin/accounting/trial-balance?division=PROD&from=2025-01-01&as_of=2025-12-31');
    const { data } = (await ann.get(`${BOOKS}/trial_balance?${href!.split('?')[1]}`)).body;
    const results = data.rows.filter((row: { class: string }) => ['income', 'expense'].includes(row.class));
    expect(results.reduce((sum: number, row: { credit_minor: number; debit_minor: number }) =>
      sum + row.credit_minor - row.debit_minor, 0)).toBe(300);
    await post('2025-08-01', '4000', '1000', 300);
  });

  it('is taken back on its own day while that is open; then it can be prepared again', async () => {
    const wrong = await bob.post(`${BOOKS}/transactions/${id}/reverse`, { reason: 'late bill',
      transaction_at: '2026-01-05' });
    expect(wrong.status).toBe(422);
    expect((await bob.post(`${BOOKS}/transactions/${id}/reverse`, { reason: 'late bill' })).status).toBe(200);
    expect(await year()).toMatchObject({ closed_minor: 0, state: 'computed' });
    expect((await sheet()).brought_forward_minor).toBe(10_000);
    const again = (await close(bob)).body.data.transaction_id;
    expect((await postDraft(ann, again)).status).toBe(200);
    await test.database.db.query(sql`
      select ledger_set_period('PROD', 202512, 'closed', ${ann.user_id}::bigint, ${bob.user_id}::bigint)`);
    const late = await bob.post(`${BOOKS}/transactions/${again}/reverse`, { reason: 'too late' });
    expect([late.status, late.body.code]).toEqual([409, 'period_locked']);
  });

  it('the database refuses to post a draft by its author, whoever calls', async () => {
    await post('2024-05-10', '1000', '4000', 500);
    const { body } = await close(ann, '2024-12-31');
    await expect(test.database.db.query(sql`select ledger_draft_post(${body.data.transaction_id}::bigint, 1,
      ${ann.user_id}::bigint)`)).rejects.toThrow(/ACCT_FOUR_EYES/);
  });
});
