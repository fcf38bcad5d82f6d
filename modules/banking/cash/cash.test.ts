// cspell:ignore NTRFX
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#kernel/calendar/calendar.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { command, makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
let staff: Browser;
let bank: { id: number; ledger_account_id: number };
beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  const { body: { data: { id } } } = await staff.post(`${BASE}/banks`, { name: 'First Harbor' });
  const answer = await staff.post(`${BASE}/bank_accounts`, { bank_id: id, division: 'US', currency: 'USD',
    name: 'Operating', is_default: true });
  bank = answer.body.data;
  for (const [on, direction, minor] of [['2025-08-01', 'in', 100_000], ['2026-09-10', 'out', 30_000],
    ['2026-11-02', 'in', 5_000]] as const) await entry(on, direction, minor);
});

async function entry(on: string, direction: 'in' | 'out', amount_minor: number): Promise<void> {
  const { id } = await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '3100'`);
  const answer = await staff.post(`${BASE}/bank_accounts/${bank.id}/entries`, { on, direction, description: 'Capital',
    lines: [{ ledger_account_id: id, amount_minor }] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}
const shown = async () => (await staff.get(`${BASE}/bank_accounts/${bank.id}`)).body.data;
const cash = async () => (await staff.get(`${BASE}/bank_accounts/${bank.id}/cash`)).body.data;
const statement = (closing: string): string => ':20:A\n:25:1\n:28C:1\n:60F:C261101USD0,\n:61:261101C40,NTRFX\n'
  + `:61:261101D3,NTRFX\n:62F:C261101USD${closing}\n`;

describe('a bank account at a glance', () => {
  it('has the balance of the ledger over a year, which is that of the trial balance', async () => {
    const { months, ledger_minor: ledger } = await cash();
    expect(months).toHaveLength(12);
    expect(months[0]).toMatchObject({ month: '2025-12-01', balance_minor: 100_000 });
    expect(months.at(-3)).toMatchObject({ month: '2026-09-01', out_minor: 30_000, balance_minor: 70_000 });
    expect(months.at(-1)).toMatchObject({ in_minor: 5_000, balance_minor: 75_000 });
    const trial = await staff.get(`${BASE}/trial_balance?division=US`);
    const row = trial.body.data.rows.find((one: { account_id: number }) => one.account_id === bank.ledger_account_id);
    const { balance_minor: balance } = await shown();
    expect([row.closing_minor, balance, ledger]).toEqual([75_000, 75_000, 75_000]);
  });

  it('has what the bank says: the last closing balance with entries by hand since, and lines without a match',
    async () => {
      expect(await shown()).toMatchObject({ bank_balance_minor: null, unmatched_count: 0, last_statement_on: null });
      const content = statement('37,');
      const answer = await staff.post(`${BASE}/bank_statements`, undefined, { multipart: {
        fields: { bank_account_id: String(bank.id), sha256: sha256(Buffer.from(content)) },
        file: { field: 'file', name: 'a.sta', type: 'application/octet-stream', content: Buffer.from(content) } } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      expect(await shown()).toMatchObject({ bank_balance_minor: 3_700, unmatched_count: 2,
        last_statement_on: '2026-11-01' });
      const line = await staff.post(`${BASE}/bank_transactions`, { bank_account_id: bank.id, booked_on: '2026-11-02',
        amount_minor: 5_000, name: 'Owner' });
      expect(await shown()).toMatchObject({ bank_balance_minor: 8_700, unmatched_count: 3 });
      const home = (await staff.get('/api/admin/staff/dashboard?division=US')).body.data.cash;
      expect(home.find((one: { bank_account_id: number }) => one.bank_account_id === bank.id)).toMatchObject({
        ledger_minor: 75_000, bank_minor: 8_700, unmatched_count: 3, last_statement_on: '2026-11-01' });
      await staff.remove(`${BASE}/bank_transactions/${line.body.data.id}`);
      expect(await shown()).toMatchObject({ bank_balance_minor: 3_700, unmatched_count: 2 });
    });

  it('expects what is owed to a vendor in the week it is due', async () => {
    const { today } = await cash();
    const due_date = addDays(today, 9);
    await command(test.ports, async (ctx) => {
      const { id } = await ctx.db.one<{ id: number }>(sql`insert into vendors (name) values ('Alder') returning id`);
      const line = { currency: 'USD' as const, amount: 4_000n, base: 4_000n };
      await postJournal(ctx.db, { division: 'US', kind: 'bill', transaction_at: addDays(today, -2),
        description: 'Bill', source: { type: 'bill', id: 900_000, event: 'approved', attempt: 1 },
        lines: [{ ...line, account: '6200' }, { ...line, account: '2000', amount: -4_000n, base: -4_000n,
          party: { type: 'vendor', id }, due_date }] });
    });
    const { forecast } = await cash();
    expect(forecast.map((week: { out_minor: number }) => week.out_minor)).toEqual([0, 4_000, 0, 0]);
  });

  it('expects open invoices in the week they are due, what is overdue in the first', async () => {
    const customer = await makeCustomer(test.database.db, 'US');
    const { today } = await cash();
    const due = (days: number) => sql`${today}::date + ${days}::integer`;
    for (const [days, minor] of [[-10, 100], [3, 1_000], [9, 20_000], [40, 300_000]] as const) {
      await test.database.db.exec(sql`
        insert into invoices (kind, status, division, currency, customer_id, billing_name, billing_address,
          invoice_number, total_minor, net_minor, issued_on, tax_point_on, due_on)
        select 'invoice', 'issued', 'US', 'USD', ${customer}, c.name, c.billing_address, ${`INV-${days}`}, ${minor},
          ${minor}, ${due(-20)}, ${due(-20)}, ${due(days)} from customers c where c.id = ${customer}`);
    }
    const { forecast } = await cash();
    expect(forecast.map((week: { in_minor: number }) => week.in_minor)).toEqual([1_100, 20_000, 0, 0]);
    expect(forecast.at(-1).balance_minor).toBe(75_000 + 21_100 - 4_000);
  });

  it('is on the home of whoever may list bank accounts', async () => {
    const clerk = await test.signedIn('staff_user', { permissions: ['venue.list'] });
    expect((await clerk.get('/api/admin/staff/dashboard?division=US')).body.data.cash).toBeNull();
  });
});
