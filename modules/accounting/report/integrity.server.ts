/**
 * The integrity report: every invariant of the ledger with what breaks it, which is nothing (accounting.md 1.7).
 * Each is one query that returns the violations, so that it can be read, run by hand and trusted.
 */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { Invariant } from './integrity-types.ts';
import { ROYALTY_INVARIANTS } from '#modules/royalties/royalty-invariants.public.server.ts';
import { STOCK_INVARIANTS } from '#modules/stock/stock-invariants.public.server.ts';
import { SALES_TAX_INVARIANTS } from '#modules/taxation/sales-tax-invariants.public.server.ts';
import { DOCUMENT_INVARIANTS } from './integrity-documents.server.ts';
import { RETURN_INVARIANTS } from './integrity-returns.server.ts';
import { SUB_LEDGER_INVARIANTS } from './integrity-sub-ledger.server.ts';

const POSTED = sql`t.status in ('posted', 'reversed')`;

export const INVARIANTS: readonly Invariant[] = [
  {
    key: 'balanced', title: 'Every posted transaction sums to zero in functional currency and has two lines or more.',
    violations:
      sql`select t.division, t.id as transaction_id, coalesce(sum(e.base_amount_minor), 0)::bigint as by_minor,
        count(e.id) as lines
      from transactions t left join journal_entries e on e.transaction_id = t.id where ${POSTED}
      group by t.id having coalesce(sum(e.base_amount_minor), 0) <> 0 or count(e.id) < 2`,
  },
  {
    key: 'currency_balanced',
      title: 'Every foreign currency of a posting sums to zero, except where exchange is the point.',
    violations: sql`select t.division, t.id as transaction_id, e.currency, sum(e.amount_minor)::bigint as by_minor
      from transactions t join transaction_kinds k on k.kind = t.kind and not k.currency_may_differ
        join divisions d on d.code = t.division
        join journal_entries e on e.transaction_id = t.id and e.currency <> d.functional_currency where ${POSTED}
      group by t.id, e.currency having sum(e.amount_minor) <> 0`,
  },
  {
    key: 'functional_lines', title: 'A line in functional currency has the same amount twice.',
    violations: sql`select t.division, t.id as transaction_id, e.line_no from transactions t
      join divisions d on d.code = t.division
      join journal_entries e on e.transaction_id = t.id and e.currency = d.functional_currency
        and e.amount_minor <> e.base_amount_minor where ${POSTED}`,
  },
  {
    key: 'parties', title: 'A line on an account that asks for a party names one of its kinds.',
    violations: sql`select t.division, t.id as transaction_id, e.line_no, a.code as account from transactions t
      join journal_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.ledger_account_id
      where ${POSTED} and a.party_types is not null and (e.party_type is null or e.party_type <> all
        (a.party_types))`,
  },
  {
    key: 'periods', title: 'Every line lies in the period of its date, in its header\'s division.',
    violations: sql`select e.division, e.transaction_id, e.line_no from journal_entries e
      join transactions t on t.id = e.transaction_id
      left join periods p on p.division = e.division and p.period = e.period
        and e.transaction_at between p.starts and p.ends
      where p.id is null or e.division <> t.division or e.transaction_at <> t.transaction_at`,
  },
  {
    key: 'balances', title: 'Balances by period equal the posted lines.',
    violations: sql`select * from balance_drift`,
  },
  {
    key: 'party_balances', title: 'Party balances by period equal the posted lines.',
    violations: sql`select * from party_drift`,
  },
  {
    key: 'folded', title: 'Entries waiting to be added to balances are posted and wait once.',
    violations: sql`select q.transaction_id from ledger_fold_queue q
      left join transactions t on t.id = q.transaction_id and t.status in ('posted', 'reversed')
      group by q.transaction_id having count(*) <> 1 or count(t.id) <> 1`,
  },
  {
    key: 'reversals',
      title: 'A reversed transaction has its mirror, and every account, currency and party of the pair sums to zero.',
    violations: sql`select t.division, t.id as transaction_id, null::bigint as reversed_id from transactions t
        where t.status = 'reversed' and not exists (select 1 from transactions m where m.reverses_id = t.id)
      union all
      select m.division, m.id, o.id from transactions m join transactions o on o.id = m.reverses_id
      where o.status <> 'reversed' or o.division <> m.division or exists (
        select 1 from journal_entries e where e.transaction_id in (m.id, o.id)
        group by e.ledger_account_id, e.currency, e.party_type, e.party_id
        having sum(e.amount_minor) <> 0 or sum(e.base_amount_minor) <> 0)`,
  },
  {
    key: 'attempts', title: 'A later attempt of a source event follows a reversed one.',
    violations: sql`select t.division, t.id as transaction_id from transactions t
      where t.source_attempt > 1 and not exists (select 1 from transactions f where f.source_type = t.source_type
        and f.source_id = t.source_id and f.source_event = t.source_event
        and f.source_attempt = t.source_attempt - 1 and f.status = 'reversed')`,
  },
  {
    key: 'intercompany', title: 'A posting between divisions has an equal side in exactly two of them.',
    violations: sql`select t.intercompany_group_id as group_id, count(distinct t.division) as divisions,
        sum(e.amount_minor)::bigint as by_minor
      from transactions t left join (journal_entries e join ledger_accounts a on a.id = e.ledger_account_id
        and a.system_key in ('due_from', 'due_to')) on e.transaction_id = t.id
      where t.intercompany_group_id is not null and ${POSTED}
      group by t.intercompany_group_id
      having count(distinct t.division) <> 2 or coalesce(sum(e.amount_minor), 0) <> 0`,
  },
  {
    key: 'intercompany_entries', title: 'An intercompany entry has its amount in both divisions, reversed together.',
    violations: sql`select i.number, i.creditor, i.debtor from intercompany_entries i
      where i.status in ('posted', 'reversed') and 2 <> (
        select count(*) from transactions t join journal_entries e on e.transaction_id = t.id
          join ledger_accounts a on a.id = e.ledger_account_id join divisions o on o.id = e.party_id
        where t.status = i.status and e.party_type = 'division' and e.currency = i.currency and e.amount_minor
            = case when (i.kind = 'charge') = (a.system_key = 'due_from') then i.amount_minor else -i.amount_minor end
          and (t.id, a.system_key, o.code) in ((i.creditor_transaction_id, 'due_from', i.debtor),
            (i.debtor_transaction_id, 'due_to', i.creditor)))
      union all
      select t.description, t.division, null from transactions t
      where t.source_type = 'intercompany_entry' and ${POSTED} and not exists (select 1 from intercompany_entries i
        where i.id = t.source_id and t.id in (i.creditor_transaction_id, i.debtor_transaction_id))`,
  },
  {
    key: 'headers',
      title: 'The chart is a tree: class and division of an account and a header are those of its parent.',
    violations:
      sql`select h.division, h.code, h.class from ledger_headers h join ledger_headers p on p.id = h.parent_id
        where (h.division, h.class) is distinct from (p.division, p.class)
      union all
      select a.division, a.code, a.class from ledger_accounts a join ledger_headers h on h.id = a.ledger_header_id
        where (a.division, a.class) is distinct from (h.division, h.class)`,
  },
  {
    key: 'cash_flow_classes', title: 'Every account has a cash-flow class that fits what it is.',
    violations: sql`select a.division, a.code, a.name, a.cash_flow_class from ledger_accounts a
      where a.cash_flow_class is null or a.is_cash <> (a.cash_flow_class = 'cash')
        or a.class = 'equity' and a.cash_flow_class <> 'financing'`,
  },
  {
    key: 'numbers', title: 'Gapless series have no gap.',
    violations: sql`select s.division, s.kind, s.scope, s.next - s.first as expected, count(u.n) as taken
      from number_series s left join number_uses u on u.number_series_id = s.id and u.n >= s.first and u.n < s.next
      group by s.id having count(u.n) <> s.next - s.first`,
  },
  {
    key: 'chain', title: 'The hash chain of the ledger is intact: no posting was changed, removed or added.',
    violations: sql`select * from ledger_chain_breaks`,
  },
  {
    key: 'chain_complete', title: 'Every posting is in the chain or waits for it.',
    violations: sql`select t.division, t.id as transaction_id from transactions t
      where ${POSTED} and not exists (select 1 from ledger_chain c where c.transaction_id = t.id)
        and not exists (select 1 from ledger_chain_queue q where q.transaction_id = t.id)`,
  },
  {
    key: 'bank_accounts', title: 'Every bank account has its ledger account, and a closed one is empty.',
    violations: sql`select a.division, a.code, null::bigint as balance_minor from ledger_accounts a
        where a.is_bank and not exists (select 1 from bank_accounts b where b.ledger_account_id = a.id)
      union all
      select a.division, a.code, sum(l.debit_minor - l.credit_minor)::bigint
      from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
        join ledger_balances l on l.ledger_account_id = a.id where b.closed_on is not null
      group by a.id, l.currency having sum(l.debit_minor - l.credit_minor) <> 0`,
  },
  {
    key: 'transfers', title: 'The balance of Transfers in transit equals the transfers that have not arrived.',
    violations: sql`select x.division, x.currency, sum(x.ledger)::bigint as ledger_minor,
        sum(x.waiting)::bigint as transfers_minor
      from (
        select e.division, e.currency, sum(e.amount_minor) as ledger, 0 as waiting from transactions t
          join journal_entries e on e.transaction_id = t.id
          join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'transit'
        where t.source_type = 'bank_transfer' and t.status = 'posted' group by e.division, e.currency
        union all
        select t.division, b.currency, 0, sum(t.amount_minor) from bank_transfers t
          join bank_accounts b on b.id = t.from_bank_account_id where t.status = 'in_transit'
        group by t.division, b.currency) x
      group by x.division, x.currency having sum(x.ledger) <> sum(x.waiting)`,
  },
  {
    key: 'undeposited', title: 'The balance of Undeposited funds equals the receipts that are not deposited.',
    violations: sql`select x.division, x.currency, sum(x.ledger)::bigint as ledger_minor,
        sum(x.waiting)::bigint as receipts_minor
      from (
        select e.division, e.currency, sum(e.amount_minor) as ledger, 0 as waiting from posted_entries e
          join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'undeposited'
          join transactions t on t.id = e.transaction_id left join transactions o on o.id = t.reverses_id
        where coalesce(o.source_type, t.source_type) in ('payment', 'deposit', 'deposit_slip')
        group by e.division, e.currency
        union all
        select division, currency, 0, sum(amount_minor) from undeposited_receipts group by division, currency) x
      group by x.division, x.currency having sum(x.ledger) <> sum(x.waiting)`,
  },
  {
    key: 'card_clearing', title: 'The balance of Card clearing equals the card payments not yet paid out.',
    violations: sql`select x.division, x.currency, sum(x.ledger)::bigint as ledger_minor,
        sum(x.held)::bigint as processor_minor
      from (
        select e.division, e.currency, sum(e.amount_minor) as ledger, 0 as held from posted_entries e
          join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'card_clearing'
          join transactions t on t.id = e.transaction_id left join transactions o on o.id = t.reverses_id
        where coalesce(o.source_type, t.source_type) in ('payment', 'processor_payout')
          and t.source_event is distinct from 'returned_fee'
        group by e.division, e.currency
        union all
        select p.division, p.currency, 0, -sum(p.amount_minor + p.fee_minor) from processor_payouts p
          where p.status = 'posted' group by p.division, p.currency
        union all
        select p.division, p.currency, 0, -sum(p.fee_minor) from processor_payouts p
          where p.status = 'returned' group by p.division, p.currency
        union all
        select p.division, p.currency, 0, sum(p.amount_minor) from payments p
          join ledger_accounts a on a.id = p.ledger_account_id and a.system_key = 'card_clearing'
        where p.direction = 'in' and p.status in ('posted', 'cleared') group by p.division, p.currency
        union all
        select p.division, p.currency, 0, -sum(p.amount_minor) from payments p
          join ledger_accounts a on a.id = p.ledger_account_id and a.system_key = 'card_clearing'
        where p.direction = 'out' and p.status in ('posted', 'cleared') group by p.division, p.currency
        union all
        select d.division, d.currency, 0, -sum(d.fee_minor) from processor_disputes d
        group by d.division, d.currency) x
      group by x.division, x.currency having sum(x.ledger) <> sum(x.held)`,
  },
  {
    key: 'deposit_slips', title: 'A deposit has on the bank account what its receipts add up to.',
    violations: sql`select s.division, s.id, s.number, t.status, coalesce(max(l.amount), 0)::bigint as ledger_minor,
        coalesce(sum(p.amount_minor), 0)::bigint as receipts_minor
      from deposit_slips s join bank_accounts b on b.id = s.bank_account_id
        join transactions t on t.id = s.transaction_id
        left join deposit_slip_items i on i.deposit_slip_id = s.id left join payments p on p.id = i.payment_id
        left join lateral (select sum(e.amount_minor) as amount from journal_entries e
          where e.transaction_id = s.transaction_id and e.ledger_account_id = b.ledger_account_id) l on true
      where s.status in ('deposited', 'taken_back') group by s.id, t.status
      having coalesce(max(l.amount), 0) <> coalesce(sum(p.amount_minor), 0)
        or t.status <> case s.status when 'deposited' then 'posted' else 'reversed' end`,
  },
  {
    key: 'reconciled',
    title: 'A bank account’s ledger balance equals its last reconciled balance plus items not yet at the bank.',
    violations: sql`select b.division, a.code, r.to_on, x.ledger_minor, (r.closing_minor + x.open_minor)::bigint
        as reconciled_minor
      from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
        join lateral (select f.to_on, f.closing_minor from bank_reconciliations f
          where f.bank_account_id = b.id and f.status = 'finished' order by f.to_on desc limit 1) r on true
        join lateral (
          select coalesce(sum(e.amount_minor), 0)::bigint as ledger_minor,
            (coalesce(sum(e.amount_minor) filter (where m.at_bank is null and k.ledger_line_id is null
              and e.transaction_id is distinct from b.opening_transaction_id), 0)
            + coalesce((select sum(c.in_ledger - c.at_bank) from (
              select p.bank_match_id, (select sum(l.amount_minor) from bank_match_entries q
                  join journal_entries l on l.id = q.ledger_line_id
                  where q.bank_match_id = p.bank_match_id) as in_ledger,
                sum(t.amount_minor) as at_bank
              from bank_match_lines p join bank_transactions t on t.id = p.bank_transaction_id
                and t.bank_reconciliation_id is not null
              where p.bank_account_id = b.id and p.active group by p.bank_match_id) c), 0))::bigint as open_minor
          from posted_entries e
            left join lateral (select 1 as at_bank from bank_match_entries q
              join bank_match_lines p on p.bank_match_id = q.bank_match_id and p.active
              join bank_transactions t on t.id = p.bank_transaction_id and t.bank_reconciliation_id is not null
              where q.ledger_line_id = e.id and q.active limit 1) m on true
            left join lateral (select i.ledger_line_id from bank_reconciliation_ticks i
              join bank_reconciliations f on f.id = i.bank_reconciliation_id and f.status = 'finished'
              where i.ledger_line_id = e.id and i.holds) k on true
          where e.ledger_account_id = b.ledger_account_id and e.currency = b.currency) x on true
      where x.ledger_minor <> r.closing_minor + x.open_minor`,
  },
  {
    key: 'reconciled_lines',
    title: 'Opening balance and lines of a finished reconciliation give its closing balance.',
    violations: sql`select b.division, f.id, f.to_on, f.closing_minor,
        (f.opening_minor + l.sum_minor + k.sum_minor)::bigint as reached_minor
      from (select r.*, lag(r.closing_minor) over (partition by r.bank_account_id order by r.to_on) as before_minor
          from bank_reconciliations r where r.status = 'finished') f
        join bank_accounts b on b.id = f.bank_account_id
        cross join lateral (select coalesce(sum(t.amount_minor), 0) as sum_minor from bank_transactions t
          where t.bank_reconciliation_id = f.id) l
        cross join lateral (select coalesce(sum(e.amount_minor), 0) as sum_minor from bank_reconciliation_ticks i
          join journal_entries e on e.id = i.ledger_line_id where i.bank_reconciliation_id = f.id and i.holds) k
      where f.opening_minor + l.sum_minor + k.sum_minor <> f.closing_minor
        or f.opening_minor <> coalesce(f.before_minor, b.opening_minor)`,
  },
  ...SUB_LEDGER_INVARIANTS, ...DOCUMENT_INVARIANTS, ...ROYALTY_INVARIANTS, ...STOCK_INVARIANTS,
  ...RETURN_INVARIANTS, ...SALES_TAX_INVARIANTS,
];

export interface IntegrityResult {
  key: string;
  title: string;
  ok: boolean;
  /** Number of rows that break it, exact. */
  violations: number;
  /** The first of them, at most 20. */
  rows: Record<string, unknown>[];
}

const SHOWN = 20;

/**
 * Runs every invariant; in a repeatable-read transaction all of them see one moment. With a division, what breaks them
 * there and what belongs to none.
 */
export async function ledgerIntegrity(db: Queryable, division?: string): Promise<IntegrityResult[]> {
  const results: IntegrityResult[] = [];
  const there = division === undefined ? sql`` : sql`where coalesce(to_jsonb(v) ->> 'division', ${division})
    = ${division}`;
  for (const { key, title, violations } of INVARIANTS) {
    const found = await db.query<{ violation: Record<string, unknown>; total: number }>(sql`
      select to_jsonb(v) as violation, count(*) over () as total from (${violations}) v ${there} limit ${SHOWN}`);
    const total = found[0]?.total ?? 0;
    results.push({ key, title, ok: total === 0, violations: total, rows: found.map((row) => row.violation) });
  }
  return results;
}
