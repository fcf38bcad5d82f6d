/** The lines of one account between two days with a running balance (accounting.md 3.2). */
import type { Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { accountMovements, check, type AccountMovement, type Check } from './balances.server.ts';
import { hasParts, partsAre, type PartFilter } from './line-parts.server.ts';

export interface GeneralLedgerRow {
  id: number;
  transaction_id: number;
  transaction_at: string;
  kind: string;
  /** Of the transaction, else of the document that posted it. */
  number: string | null;
  description: string;
  memo: string | null;
  party_type: string | null;
  party_id: number | null;
  currency: string;
  amount_minor: number;
  base_amount_minor: number;
  debit_minor: number;
  credit_minor: number;
  /** Running balance in functional currency after this line. */
  balance_minor: number;
  source_type: string | null;
  source_id: number | null;
  invoice_id: number | null;
  license_id: number | null;
  show_id: number | null;
  payment_id: number | null;
}

export interface GeneralLedger {
  account: { id: number; code: string; name: string; class: string };
  opening_minor: number;
  debit_minor: number;
  credit_minor: number;
  closing_minor: number;
  rows: GeneralLedgerRow[];
  total: number;
  checks: Check[];
}

export interface LedgerQuery extends PartFilter {
  division: Division;
  account: string;
  from?: string | undefined;
  as_of?: string | undefined;
  /** As a profit and loss counts them. */
  without_year_end_close?: boolean;
  page?: number;
  per_page?: number;
}

/** The movement of the account; from its lines where only those of a show or a class of customer count. */
async function movementOf(db: Queryable, of: LedgerQuery): Promise<AccountMovement | undefined> {
  const moved = (await accountMovements(db, of)).find((row) => row.code === of.account);
  if (!moved || !hasParts(of)) return moved;
  const sums = await db.one<Pick<AccountMovement, 'opening_minor' | 'debit_minor' | 'credit_minor'>>(sql`
    select coalesce(sum(x.base_amount_minor) filter (where x.early), 0)::bigint as opening_minor,
      coalesce(sum(greatest(x.base_amount_minor, 0)) filter (where not x.early), 0)::bigint as debit_minor,
      coalesce(sum(greatest(-x.base_amount_minor, 0)) filter (where not x.early), 0)::bigint as credit_minor
    from (select e.base_amount_minor, coalesce(e.transaction_at < ${of.from ?? null}::date, false) as early
      from journal_entries e join transactions h on h.id = e.transaction_id and ${counts(of)}
      where e.ledger_account_id = ${moved.account_id} and ${partsAre(sql`e`, of)}
        and e.transaction_at <= coalesce(${of.as_of ?? null}::date, '9999-12-31')) x`);
  return { ...moved, ...sums, closing_minor: sums.opening_minor + sums.debit_minor - sums.credit_minor };
}

/** Headers whose lines count; `h` is the header. */
const counts = (of: LedgerQuery): Sql => sql`h.status in ('posted', 'reversed') and ${of.without_year_end_close === true
  ? sql`h.kind <> 'year_end_close'` : sql`true`}`;

/** Null where the division has no such account. `page` counts from 1; rows by date, then by id. */
export async function generalLedger(db: Queryable, of: LedgerQuery): Promise<GeneralLedger | null> {
  const moved = await movementOf(db, of);
  if (!moved) return null;
  const perPage = of.per_page ?? 50;
  const skipped = ((of.page ?? 1) - 1) * perPage;
  const lines = sql`journal_entries x join transactions h on h.id = x.transaction_id and ${counts(of)}
    where x.ledger_account_id = ${moved.account_id} and x.transaction_at >= coalesce(${of.from ?? null}::date,
      '0001-01-01')
      and x.transaction_at <= coalesce(${of.as_of ?? null}::date, '9999-12-31') and ${partsAre(sql`x`, of)}`;
  const sums = await db.one<{ total: number; moved: number }>(sql`
    select count(*) as total, coalesce(sum(x.base_amount_minor), 0)::bigint as moved from ${lines}`);
  const before = skipped === 0 ? 0 : (await db.one<{ moved: number }>(sql`
    select coalesce(sum(y.base_amount_minor), 0)::bigint as moved from (select x.base_amount_minor from ${lines}
      order by x.transaction_at, x.id limit ${skipped}) y`)).moved;
  const rows = await db.query<GeneralLedgerRow>(sql`
    select e.id, e.transaction_id, e.transaction_at, t.kind, coalesce(t.number, (select d.number
        from ledger_source(t.id) s, ledger_document(s.source_type, s.source_id) d)) as number, t.description, e.memo,
      e.party_type, e.party_id, e.currency, e.amount_minor, e.base_amount_minor,
      greatest(e.base_amount_minor, 0) as debit_minor, greatest(-e.base_amount_minor, 0) as credit_minor,
      (${moved.opening_minor + before}::bigint + sum(e.base_amount_minor) over (order by e.transaction_at,
        e.id))::bigint as balance_minor, t.source_type, t.source_id, e.invoice_id, e.license_id, e.show_id, e.payment_id
    from (select x.* from ${lines} order by x.transaction_at, x.id limit ${perPage} offset ${skipped}) e
    join transactions t on t.id = e.transaction_id order by e.transaction_at, e.id`);
  return {
    account: { id: moved.account_id, code: moved.code, name: moved.name, class: moved.class },
    opening_minor: moved.opening_minor, debit_minor: moved.debit_minor, credit_minor: moved.credit_minor,
    closing_minor: moved.closing_minor,
    rows, total: sums.total, checks: sums.total === 0 ? []
      : [check('lines_end_at_closing_balance', moved.closing_minor, moved.opening_minor + sums.moved)],
  };
}
