/**
 * Balances of a division's accounts from the balances by period (accounting.md 1.7): whole periods come from
 * ledger_balances, the days inside the period of a date from its lines. Drafts stand in journal_entries too; the few
 * of them are taken off instead of joining every line with its header.
 */
import type { FlowAccount } from '#kernel/ledger/cash-flows.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';

export interface AccountMovement {
  account_id: number;
  code: string;
  name: string;
  class: 'asset' | 'liability' | 'equity' | 'income' | 'expense';
  section: string;
  /** Signed, debit positive, functional minor units: the balance of the day before `from`; 0 without `from`. */
  opening_minor: number;
  debit_minor: number;
  credit_minor: number;
  closing_minor: number;
}

/** With what cash flows ask of an account. */
export interface LedgerMovement extends AccountMovement {
  system_key: string | null;
  cash_flow_class: FlowAccount['cash_flow_class'];
}

export interface Check {
  name: string;
  expected: number;
  actual: number;
  ok: boolean;
}

export function check(name: string, expected: number, actual: number): Check {
  return { name, expected, actual, ok: expected === actual };
}

export interface MovementQuery {
  division: Division;
  /** First day; without it everything since the first posting counts as movement. */
  from?: string | undefined;
  /** Last day; without it everything posted, later dates included. */
  as_of?: string | undefined;
  /** Only the account of this code. */
  account?: string | undefined;
  /** Leave closing entries out (profit and loss). */
  without_year_end_close?: boolean;
}

const FAR = '9999-12-31';

/** Every account of the division, with its movement; accounts without entries have zeros. */
export async function accountMovements(db: Queryable, of: MovementQuery): Promise<LedgerMovement[]> {
  const until = of.as_of ?? FAR;
  const before = of.from ?? null;
  const only = (id: Sql): Sql => (of.account === undefined ? sql`true`
    : sql`${id} = (select id from ledger_accounts where division = ${of.division} and code = ${of.account})`);
  return await db.query<LedgerMovement>(sql`
    with moved as (
      select ledger_account_id, sum(d) filter (where not early) as d, sum(c) filter (where not early) as c,
        sum(d - c) filter (where early) as o
      from (
        select b.ledger_account_id, b.base_debit_minor as d, b.base_credit_minor as c,
          coalesce(p.ends < ${before}::date, false) as early
        from ledger_balances b join periods p on p.division = b.division and p.period = b.period
        where b.division = ${of.division} and p.ends <= ${until}::date
          and (${before}::date is null or p.ends < ${before}::date or p.starts >= ${before}::date)
          and ${only(sql`b.ledger_account_id`)}
        union all
        ${insidePeriods(of.division, before, until, only)}
        ${of.without_year_end_close ? yearEnd(of.division, until, before) : sql``}
      ) x group by ledger_account_id
    )
    select a.id as account_id, a.code, a.name, a.class, h.section, a.system_key, a.cash_flow_class,
      coalesce(m.o, 0)::bigint as opening_minor,
      coalesce(m.d, 0)::bigint as debit_minor, coalesce(m.c, 0)::bigint as credit_minor,
      (coalesce(m.o, 0) + coalesce(m.d, 0) - coalesce(m.c, 0))::bigint as closing_minor
    from ledger_accounts a join ledger_headers h on h.id = a.ledger_header_id left join moved m on
      m.ledger_account_id = a.id
    where a.division = ${of.division} and (a.deleted_at is null or m.ledger_account_id is not null)
      and ${only(sql`a.id`)}
    order by a.code`);
}

/**
 * Lines of the periods that `from` or `as_of` cut in two, less those that are not posted. One range of the account
 * index per account and period: OFFSET 0 keeps the planner from joining all lines instead.
 */
function insidePeriods(division: string, before: string | null, until: string, only: (id: Sql) => Sql): Sql {
  const cut = sql`p.division = ${division} and (p.starts <= ${until}::date and p.ends > ${until}::date
      or p.starts < ${before}::date and p.ends >= ${before}::date)`;
  return sql`
    select a.id, e.d, e.c, e.early
    from periods p join ledger_accounts a on a.division = p.division, lateral (
      select sum(greatest(x.base_amount_minor, 0)) as d, sum(greatest(-x.base_amount_minor, 0)) as c,
        coalesce(x.transaction_at < ${before}::date, false) as early
      from (select base_amount_minor, transaction_at from journal_entries
        where ledger_account_id = a.id and transaction_at >= p.starts
          and transaction_at <= least(p.ends, ${until}::date) offset 0) x
      group by 3) e
    where ${cut} and ${only(sql`a.id`)}
    union all
    select e.ledger_account_id, -greatest(e.base_amount_minor, 0), -greatest(-e.base_amount_minor, 0),
      coalesce(e.transaction_at < ${before}::date, false)
    from periods p join transactions t on t.division = p.division and t.transaction_at between p.starts and p.ends
        and t.status in ('draft', 'void')
      join journal_entries e on e.transaction_id = t.id
    where ${cut} and e.transaction_at <= ${until}::date`;
}

/** Whether a closing entry moved income and expense of these days to retained earnings. */
export async function hasClosingEntry(db: Queryable, of: { division: Division; from: string; as_of: string }):
Promise<boolean> {
  return await db.maybeOne(sql`
    select 1 from transactions where division = ${of.division} and kind = 'year_end_close'
      and status in ('posted', 'reversed') and transaction_at between ${of.from} and ${of.as_of} limit 1`) !== null;
}

/** Closing entries taken off again. */
function yearEnd(division: string, until: string, before: string | null): Sql {
  return sql`
    union all
    select e.ledger_account_id, -greatest(e.base_amount_minor, 0), -greatest(-e.base_amount_minor, 0),
      coalesce(e.transaction_at < ${before}::date, false)
    from transactions t join journal_entries e on e.transaction_id = t.id
    where t.division = ${division} and t.kind = 'year_end_close' and t.status in ('posted', 'reversed')
      and t.transaction_at <= ${until}::date`;
}
