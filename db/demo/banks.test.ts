/** Banks of the demo season: their accounts, two years of statements, and the last two weeks that are left to do. */
import { describe, expect, it } from 'vitest';
import { addDays, addMonths } from '#kernel/calendar/calendar.ts';
import { localDate } from '#server/clock.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';

const test = testApp({ season: true });

describe('the banks of the season', () => {
  it('three banks, six accounts, three currencies; two years of statements leave two weeks to work on', async () => {
    const { db } = test.ports;
    const ann = await test.signedIn('staff_admin');
    const today = localDate(test.clock.now(), 'America/New_York');
    expect(await db.query(sql`select name from banks where deleted_at is null order by name`)).toEqual([
      { name: 'Harbor National Bank' }, { name: 'Liffey Bank' }, { name: 'Southwark & Borough Bank' }]);
    const accounts = await db.query<{ currency: string; is_main: boolean; from_on: string; to_on: string;
      waiting: number; waiting_from: string | null }>(sql`
      select b.currency, b.currency = d.functional_currency as is_main,
        (select min(from_on)::text from bank_statements s where s.bank_account_id = b.id) as from_on,
        (select max(to_on)::text from bank_statements s where s.bank_account_id = b.id) as to_on,
        count(t.id)::int as waiting, min(t.booked_on)::text as waiting_from
      from bank_accounts b join divisions d on d.code = b.division
        left join bank_transactions t on t.bank_account_id = b.id and not exists (
          select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active)
      where b.deleted_at is null and b.closed_on is null group by b.id, d.functional_currency order by b.id`);
    expect(accounts.length).toBe(6);
    expect([...new Set(accounts.map((one) => one.currency))].sort()).toEqual(['EUR', 'GBP', 'USD']);
    const main = accounts.filter((one) => one.is_main);
    expect(main.filter((one) => one.from_on > addMonths(today, -24) || one.to_on < addDays(today, -7)
      || one.waiting === 0)).toEqual([]);
    expect(accounts.filter((one) => one.waiting_from !== null && one.waiting_from <= addDays(today, -14))).toEqual([]);
    for (const division of ['US', 'EU', 'UK', 'PROD']) {
      const run = await ann.post('/api/admin/staff/accounting/bank_rules/dry_run', { division, rule: null,
        rule_id: null });
      expect(run.status, JSON.stringify(run.body)).toBe(200);
      expect(run.body.data.rules.filter((one: { line_count: number }) => one.line_count === 0), division).toEqual([]);
    }
    const below = await db.query(sql`
      select bank_account_id, min(held) as lowest from (select bank_account_id, sum(sum(amount_minor)) over (
          partition by bank_account_id order by booked_on) as held from bank_transactions
        where state = 'booked' and deleted_at is null group by bank_account_id, booked_on) days
      group by 1 having min(held) < 0`);
    expect(below, 'the bank never lent').toEqual([]);
  });

  it('statements of every bank account say what the ledger says but for the last two weeks', async () => {
    const { db } = test.ports;
    expect(await db.query(sql`select id from bank_statements where flags @> '[{"flag": "gap"}]'
      or flags @> '[{"flag": "balance_mismatch"}]'`)).toEqual([]);
    const accounts = await db.query<{ statements: number; at_bank: number; in_ledger: number; news: number }>(sql`
      select (select count(*)::int from bank_statements s where s.bank_account_id = b.id) as statements,
        (select s.closing_minor from bank_statements s where s.bank_account_id = b.id order by to_on desc limit 1)
          as at_bank,
        (select sum(e.amount_minor)::bigint from posted_entries e where e.ledger_account_id = b.ledger_account_id
          and e.transaction_at <= (select max(s.to_on) from bank_statements s where s.bank_account_id = b.id)
          and not exists (select 1 from bank_match_entries m where m.ledger_line_id = e.id and m.posted_by_match))
          as in_ledger,
        (select coalesce(sum(t.amount_minor), 0)::bigint from bank_transactions t where t.bank_account_id = b.id
          and t.bank_reference not like 'GR%') as news
      from bank_accounts b where b.deleted_at is null`);
    expect(accounts.length).toBe(6);
    expect(accounts.filter((one) => one.statements === 0 || one.at_bank !== one.in_ledger + one.news)).toEqual([]);
    const { open } = await db.one<{ open: number }>(sql`select count(*)::int as open from bank_transactions t
      where t.bank_reference not like 'GR%'`);
    expect(open, 'lines that the ledger does not know yet').toBeGreaterThan(8);
  });

  it('every bank account is reconciled but for the last two weeks, from statements in four formats', async () => {
    const { db } = test.ports;
    const open = await db.query(sql`
      select b.id from bank_accounts b where b.deleted_at is null and exists (select 1 from bank_transactions t
        where t.bank_account_id = b.id and t.bank_reconciliation_id is null
          and t.booked_on <= ${addDays(localDate(test.clock.now(), 'America/New_York'), -14)}::date)`);
    expect(open).toEqual([]);
    const { formats, finished, waiting } = await db.one<Record<string, number>>(sql`
      select (select count(distinct format)::int from bank_statement_files) as formats,
        (select count(*)::int from bank_reconciliations where status = 'finished') as finished,
        (select count(*)::int from bank_transactions t where not exists (
          select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active)) as waiting`);
    expect(formats).toBe(4);
    expect(finished).toBeGreaterThan(40);
    expect(waiting, 'lines to work on').toBeGreaterThan(8);
  });

  it('no bank account is ever overdrawn', async () => {
    const overdrawn = await test.ports.db.query(sql`
      select division, code, currency, min(held) as lowest from (
        select a.division, a.code, e.currency, sum(sum(e.amount_minor)) over (
          partition by a.division, a.code, e.currency order by t.transaction_at) as held
        from journal_entries e join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
        join ledger_accounts a on a.id = e.ledger_account_id and a.is_cash
        group by a.division, a.code, e.currency, t.transaction_at) days
      group by 1, 2, 3 having min(held) < 0 order by 1, 2, 3`);
    expect(overdrawn).toEqual([]);
  });
});
