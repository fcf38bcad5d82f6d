/** The staff home over real rows: golden figures per currency, and what a person may not read is not there. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { JournalLine } from '#kernel/ledger/journal.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { recordReceipt } from '#modules/receivables/receivables.public.server.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { BankFixtures, BASE } from '#tests/support/bank-lines.ts';
import { command, makeCustomer, makeLicense } from '#tests/support/receivables.ts';

const app = testApp();
const url = '/api/admin/staff/dashboard';
const home = async (who: Browser, query = '') => (await who.get(`${url}${query}`)).body.data;
type Staff = Awaited<ReturnType<typeof app.signedIn>>;
let staff: Staff;

async function post(kind: string, day: string, lines: JournalLine[]): Promise<void> {
  await postJournal(app.database.db, { division: 'US', kind, transaction_at: day, description: `${kind} ${day}`,
    source: null, lines });
}

const usd = (account: string, amount: bigint, party?: JournalLine['party']): JournalLine =>
  ({ account, currency: 'USD', amount, base: amount, ...(party ? { party } : {}) });

/** Income released from what was invoiced ahead, in dollars and in euros; the year 2025 closed. */
async function keepBooks(customer: number): Promise<void> {
  const party = { type: 'customer', id: customer } as const;
  const release = (day: string, minor: bigint) =>
    post('release', day, [usd('2100', minor, party), usd('4000', -minor)]);
  await release('2024-11-30', 7_000n);
  await release('2025-10-15', 80_000n);
  await release('2025-12-10', 30_000n);
  await release('2026-10-15', 100_000n);
  await post('year_end_close', '2025-12-31', [usd('4000', 117_000n), usd('3100', -117_000n)]);
  await post('royalty_cost', '2026-10-20', [usd('5000', 15_000n),
    usd('2210', -15_000n, { type: 'royaltor', id: 1 })]);
  await post('release', '2026-11-02', [
    { account: '2100', currency: 'EUR', amount: 40_000n, base: 44_000n, party },
    { account: '4000', currency: 'EUR', amount: -40_000n, base: -44_000n }]);
}

/** One licence as a draft, one sent whose offer ends in five days, one application promised two days ago. */
async function makeWork(customer: number): Promise<void> {
  const { db } = app.database;
  const draft = await makeLicense(db, 'US', 1, customer);
  const sent = await makeLicense(db, 'US', 1, customer);
  const late = await makeLicense(db, 'US', 1, customer);
  await db.exec(sql`update licenses set grand_total_minor = 12345 where id in (${draft.id}, ${late.id})`);
  await db.exec(sql`update licenses set phase = 'sent', offer_version = 1, grand_total_minor = 50000,
    offer_expires_at = '2026-11-25T17:00:00Z', license_rep_id = ${staff.user_id} where id = ${sent.id}`);
  await db.exec(sql`
    insert into tasks (kind, title, entity, entity_id, license_id, division, due_on) values
      ('call', 'Call the school', 'license', ${late.id}, ${late.id}, 'US', '2026-11-19'),
      ('write', 'Write next month', 'license', ${late.id}, ${late.id}, 'US', '2026-12-20')`);
  await db.exec(sql`
    insert into license_applications (number, customer_id, status, division, category, currency, submitted_at,
      sla_due_at) values ('A-2026-9', ${customer}, 'submitted', 'US', 'Amateur', 'USD', '2026-11-12T12:00:00Z',
      '2026-11-18T17:00:00Z')`);
}

async function issueInvoice(customer: number): Promise<void> {
  const made = await staff.post('/api/admin/staff/invoices', { customer_id: customer, division: 'US', currency: 'USD',
    items: [{ kind: 'fee', description: 'Service', item_class: 'fee', net_minor: 10_000 }] });
  const { id, version } = made.body.data;
  const issued = await staff.post(`/api/admin/staff/invoices/${id}/issue`, { version });
  expect(issued.body.data.status).toBe('issued');
}

beforeAll(async () => {
  // Without a registration no VAT return is due.
  await app.database.owner.exec(sql`delete from tax_registrations where scheme = 'vat'`);
  staff = await app.signedIn('staff_admin');
  const { customer_id: customer } = await makeLicense(app.database.db, 'US');
  await keepBooks(customer);
  await makeWork(customer);
  await issueInvoice(customer);
});

describe('A288: figures of a division', () => {
  test('twelve months against the year before, per currency, the year-end closing left out', async () => {
    const { months, currencies, today } = await home(staff);
    expect([today, currencies]).toEqual(['2026-11-20', ['USD', 'EUR']]);
    const own = (currency: string) => months.filter((row: { currency: string }) => row.currency === currency);
    expect(own('USD').map((row: { month: string }) => row.month.slice(0, 7))).toEqual(['2025-12', '2026-01', '2026-02',
      '2026-03', '2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11']);
    expect(own('USD')[0]).toMatchObject({ income_minor: 30_000, income_before_minor: 0 });
    expect(own('USD')[10]).toMatchObject({ income_minor: 100_000, royalty_minor: 15_000,
      income_before_minor: 80_000, royalty_before_minor: 0 });
    expect(own('USD')[11]).toMatchObject({ income_minor: 10_000, royalty_minor: 0, income_before_minor: 0 });
    expect(own('EUR')[11]).toMatchObject({ income_minor: 40_000 });
    const all = own('USD').reduce((sum: number, row: { income_minor: number }) => sum + row.income_minor, 0);
    expect(all).toBe(140_000);
  });

  test('receivables are those of the aging report', async () => {
    const { receivables } = await home(staff);
    const report = await staff.get('/api/admin/staff/accounting/accounts_receivable/aging?division=US');
    const row = receivables.rows.find((one: { bucket: string; currency: string }) =>
      one.bucket === 'current' && one.currency === 'USD');
    expect(row).toMatchObject({ customers: 1, minor: 10_000, largest_minor: 10_000 });
    expect(receivables.customers).toContainEqual({ currency: 'USD', count: 1 });
    expect(report.body.data.totals.find((one: { currency: string }) => one.currency === 'USD').current_minor)
      .toBe(10_000);
  });

  test('the pipeline counts licences and what they are worth', async () => {
    expect((await home(staff)).pipeline).toEqual([
      { phase: 'draft', currency: 'USD', count: 3, minor: 24_690 },
      { phase: 'sent', currency: 'USD', count: 1, minor: 50_000 }]);
  });

  test('an empty division has no figures and no work', async () => {
    expect(await home(staff, '?division=EU')).toMatchObject({ currencies: ['EUR'], months: [], pipeline: [],
      receivables: { rows: [] }, todo: { rows: [], counts: [] }, openings: { total: 0, rows: [] }, activity: [] });
  });
});

describe('A288: what needs a person', () => {
  test('tasks, promised answers and offers of the week, the latest first', async () => {
    const { todo } = await home(staff);
    expect(todo.rows.map((row: Record<string, unknown>) => [row.kind, row.due_on, row.late, row.mine])).toEqual([
      ['month_close', '2026-11-10', true, false], ['application', '2026-11-18', true, false],
      ['task', '2026-11-19', true, false], ['offer', '2026-11-25', false, true]]);
    expect(todo.counts).toEqual([{ kind: 'task', total: 1, late: 1, mine: 0 },
      { kind: 'application', total: 1, late: 1, mine: 0 }, { kind: 'offer', total: 1, late: 0, mine: 1 },
      { kind: 'month_close', total: 1, late: 1, mine: 0 }]);
  });

  test('the home shows the most urgent of each kind, and all of them when asked', async () => {
    await app.database.db.exec(sql`
      insert into tasks (kind, title, entity, entity_id, division, due_on)
      select 'call', 'Call ' || n, 'customer', n, 'PROD', '2026-11-19' from generate_series(1, 7) n`);
    const short = (await home(staff, '?division=PROD')).todo;
    expect([short.rows.length, short.counts]).toEqual([4, [{ kind: 'task', total: 7, late: 7, mine: 0 }]]);
    expect((await home(staff, '?division=PROD&all=true')).todo.rows).toHaveLength(7);
  });

  test('what waits for the reader\'s approval is one row that leads to the inbox', async () => {
    const clerk = await app.signedIn('staff_user', { permissions: ['transaction.update'] });
    expect((await home(clerk, '?division=UK')).todo).toEqual({ rows: [], counts: [] });
    const asked = await staff.put('/api/admin/staff/accounting/period_locks', { division: 'UK',
      sales_through: '2025-01-31' });
    expect(asked.status).toBe(200);
    const { todo } = await home(clerk, '?division=UK');
    expect(todo.rows).toMatchObject([{ kind: 'approval', title: '1 approval waiting for you', mine: true }]);
    expect((await home(staff, '?division=UK')).todo.rows).toEqual([]);
  });

  test('work at the bank: lines without a match, a month to reconcile, what is late between two places', async () => {
    const bank = await BankFixtures.make(app);
    const [from, to] = [await bank.account('EU', 'EUR'), await bank.account('EU', 'EUR')];
    await bank.lines(from, [{ amount: '12.00', on: '2026-10-30' }, { amount: '-3.00', on: '2026-11-03' }], 'EUR');
    const sent = await staff.post(`${BASE}/bank_transfers`, { from_bank_account_id: from, to_bank_account_id: to,
      amount_minor: 500, received_minor: null, fee_minor: 0, sent_on: '2026-11-10', received_on: null, memo: '' });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    const payer = await makeCustomer(app.database.db, 'EU');
    await command(bank.ports, (ctx) => recordReceipt(ctx, { customer_id: payer, division: 'EU', currency: 'EUR',
      amount_minor: 700, method: 'check', received_on: '2026-11-05', bank_account_id: null }));
    const shown = ({ todo }: { todo: { rows: Record<string, unknown>[] } }) => todo.rows.map((row) =>
      [row['kind'], String(row['title']).replace(/: .*/, ''), row['due_on'], row['late'], row['minor']]);
    expect(shown(await home(staff, '?division=EU'))).toEqual([
      ['deposit', 'Take to the bank', '2026-11-10', true, 700],
      ['reconciliation', expect.stringMatching(/^Reconcile Account/), '2026-11-15', true, null],
      ['transit', 'Transfer in transit', '2026-11-15', true, 500],
      ['bank_lines', 'Match 2 bank lines', null, false, null]]);
    const clerk = await app.signedIn('staff_user', { permissions: ['bank_account.list'] });
    expect((await home(clerk, '?division=EU')).todo).toBeNull();
  });

  test('[R37] each permission opens its own sections and no other', async () => {
    const sections = async (permissions: Parameters<typeof app.signedIn>[1]) => {
      const board = await home(await app.signedIn('staff_user', permissions));
      return ['months', 'receivables', 'pipeline', 'todo', 'openings', 'activity'].filter((key) => board[key] !== null);
    };
    expect(await sections({})).toEqual([]);
    expect(await sections({ permissions: ['ledger_account.list'] })).toEqual(['months']);
    expect(await sections({ permissions: ['invoice.list'] })).toEqual(['receivables']);
    expect(await sections({ permissions: ['license.list'] })).toEqual(['pipeline', 'todo', 'openings', 'activity']);
    const clerk = await app.signedIn('staff_user', { permissions: ['license_application.list'] });
    expect((await home(clerk)).todo.rows.map((row: { kind: string }) => row.kind)).toEqual(['application']);
  });

  test('[R38] [R39] customers, vendors and visitors are refused', async () => {
    expect((await (await app.signedIn('customer')).get(url)).status).toBe(403);
    expect((await (await app.signedIn('vendor')).get(url)).status).toBe(403);
    expect((await app.visitor().get(url)).status).toBe(401);
  });
});
