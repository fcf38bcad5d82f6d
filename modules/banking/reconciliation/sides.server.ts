/**
 * Both sides of a reconciliation up to a day. A bank line counts once it is matched; an entry of the ledger is
 * outstanding until a match with a bank line up to the day, or a tick, clears it.
 */
import { diffDays } from '#kernel/calendar/calendar.ts';
import {
  booksProof, finishBlocks, onlyPairs, reconciliationFigures, statementBlocks, type Figures, type FinishBlock,
  type Proof, type StatementOfAccount,
} from '#kernel/bank-reconciliation/reconciliation.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { BankSideLine, BookEntry, ReconciliationReport } from './reconciliation.contract.ts';

export interface ReconciledAccount {
  id: number;
  name: string;
  bank_name: string;
  division: Division;
  currency: Currency;
  ledger_account_id: number;
  ledger_code: string;
  bank_account_last4: string | null;
  opening_on: string | null;
  opening_transaction_id: number | null;
  closed_on: string | null;
  reconciled_to_on: string | null;
  reconciled_minor: number;
}

export function accountOf(db: Queryable, id: number): Promise<ReconciledAccount | null> {
  return db.maybeOne<ReconciledAccount>(sql`
    select b.id, b.name, n.name as bank_name, b.division, b.currency, b.ledger_account_id, a.code as ledger_code,
      b.bank_account_last4, b.opening_on, b.opening_transaction_id, b.closed_on, r.to_on as reconciled_to_on,
      r.balance_minor as reconciled_minor
    from bank_accounts b join banks n on n.id = b.bank_id join ledger_accounts a on a.id = b.ledger_account_id
      cross join lateral bank_reconciled_balance(b.id) r
    where b.id = ${id} and b.deleted_at is null`);
}

export interface Reconciled { account: ReconciledAccount; to_on: string; opening_minor: number; closing_minor: number }

export interface Sides {
  lines: BankSideLine[];
  entries: BookEntry[];
  timing: { text: string; amount_minor: number }[];
  figures: Figures;
  proof: Proof;
  blocks: FinishBlock[];
}

const LINE_TEXT = sql`coalesce(nullif(concat_ws(' ', nullif(t.name, ''), nullif(t.memo, '')), ''), t.type)`;

/** Booked lines up to the day that no finished reconciliation has: the unmatched first. */
const bankLines = (db: Queryable, of: Reconciled) => db.query<Omit<BankSideLine, 'ledger_line_id'>>(sql`
  select t.id, t.booked_on, ${LINE_TEXT} as text, t.reference, t.amount_minor, m.bank_match_id,
    (select string_agg(coalesce(x.description, ''), ', ' order by x.id) from (
      select distinct d.id, d.description from bank_match_entries p join journal_entries e on e.id = p.ledger_line_id
        join transactions d on d.id = e.transaction_id where p.bank_match_id = m.bank_match_id limit 5) x)
      as matched_with
  from bank_transactions t left join bank_match_lines m on m.bank_transaction_id = t.id and m.active
  where t.bank_account_id = ${of.account.id} and t.state = 'booked' and t.deleted_at is null
    and t.bank_reconciliation_id is null and t.booked_on <= ${of.to_on}
  order by m.bank_match_id is not null, t.booked_on, t.id`);

/** Matches with a bank line up to the day, and what the bank has of each by then. */
const clearedMatches = (of: Reconciled) => sql`
  select m.bank_match_id, sum(t.amount_minor) as at_bank
  from bank_match_lines m join bank_transactions t on t.id = m.bank_transaction_id
  where m.bank_account_id = ${of.account.id} and m.active and t.booked_on <= ${of.to_on} group by m.bank_match_id`;

/** Entries that nothing clears, and those that are ticked. What was reversed by the day without either is left out. */
const bookEntries = (db: Queryable, of: Reconciled) => db.query<BookEntry>(sql`
  with cleared as (${clearedMatches(of)}), open as (
    select e.id, e.transaction_id, e.transaction_at, e.amount_minor, t.description, e.memo,
      coalesce(t.reverses_id, t.id) as pair, k.ledger_line_id is not null as is_ticked,
      coalesce(k.is_adjustment, false) as is_adjustment, k.status as tick_status
    from journal_entries e join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
      left join bank_match_entries m on m.ledger_line_id = e.id and m.active
      left join lateral (select i.ledger_line_id, i.is_adjustment, r.status from bank_reconciliation_ticks i
        join bank_reconciliations r on r.id = i.bank_reconciliation_id
        where i.ledger_line_id = e.id and i.holds) k on true
    where e.ledger_account_id = ${of.account.ledger_account_id} and e.transaction_at <= ${of.to_on}
      and e.currency = ${of.account.currency} and e.amount_minor <> 0
      and e.transaction_id is distinct from ${of.account.opening_transaction_id}::bigint
      and not exists (select 1 from cleared c where c.bank_match_id = m.bank_match_id)
      and k.status is distinct from 'finished'
  ), undone as (
    select pair from open where not is_ticked group by pair having count(distinct transaction_id) = 2
      and sum(amount_minor) = 0)
  select id as ledger_line_id, transaction_id, transaction_at as posted_on, amount_minor, is_ticked, is_adjustment,
    coalesce(nullif(description, ''), memo, '') as text
  from open where is_ticked or pair not in (select pair from undone) order by transaction_at, id`);

/** Matches of which bank and books have different amounts by the day. */
const timingOf = (db: Queryable, of: Reconciled) => db.query<{ text: string; amount_minor: number }>(sql`
  with cleared as (${clearedMatches(of)})
  select string_agg(distinct t.description, ', ') as text,
    (coalesce(sum(e.amount_minor) filter (where e.transaction_at <= ${of.to_on}), 0) - c.at_bank)::bigint
      as amount_minor
  from cleared c join bank_match_entries m on m.bank_match_id = c.bank_match_id and m.active
    join journal_entries e on e.id = m.ledger_line_id join transactions t on t.id = e.transaction_id
  group by c.bank_match_id, c.at_bank
  having coalesce(sum(e.amount_minor) filter (where e.transaction_at <= ${of.to_on}), 0) <> c.at_bank
  order by c.bank_match_id`);

/** Ledger balance at the end of the day, in the currency of the account. */
async function ledgerBalance(db: Queryable, of: Reconciled): Promise<bigint> {
  const { sum } = await db.one<{ sum: number }>(sql`
    select coalesce(sum(e.amount_minor), 0)::bigint as sum
    from journal_entries e join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
    where e.ledger_account_id = ${of.account.ledger_account_id} and e.currency = ${of.account.currency}
      and e.transaction_at <= ${of.to_on}`);
  return BigInt(sum);
}

interface StoredStatement { id: number; from_on: string | null; to_on: string | null; opening_minor: number | null;
  closing_minor: number | null; flags: { flag: string }[] }
const asBigint = (minor: number | null): bigint | null => (minor === null ? null : BigInt(minor));

/** Statements since the last finished reconciliation, with what holds each. */
async function heldStatements(db: Queryable, of: Reconciled) {
  const rows = await db.query<StoredStatement>(sql`
    select id, from_on::text as from_on, to_on::text as to_on, opening_minor, closing_minor, flags
    from bank_statements where bank_account_id = ${of.account.id} and kind = 'statement' and taken_back_at is null`);
  const all = rows.map((row): StatementOfAccount => ({ id: row.id, from_on: row.from_on, to_on: row.to_on,
    opening: asBigint(row.opening_minor), closing: asBigint(row.closing_minor),
    flags: row.flags.map(({ flag }) => flag) }));
  const since = of.account.reconciled_to_on ?? '';
  return all.filter((one) => one.to_on !== null && one.to_on > since && (one.from_on ?? one.to_on) <= of.to_on)
    .map((one) => ({ id: one.id, blocks: statementBlocks(one, all) }));
}

/** Entries further from a line than this are not proposed. */
const PAIR_DAYS = 10;

export async function sidesOf(db: Queryable, of: Reconciled): Promise<Sides> {
  const bank = await bankLines(db, of);
  const entries = await bookEntries(db, of);
  const timing = await timingOf(db, of);
  const figures = reconciliationFigures({ opening: BigInt(of.opening_minor), closing: BigInt(of.closing_minor),
    lines: bank.map((line) => ({ amount: BigInt(line.amount_minor), matched: line.bank_match_id !== null })),
    ticked: entries.filter((one) => one.is_ticked).map((one) => BigInt(one.amount_minor)) });
  const outstanding = entries.filter((one) => !one.is_ticked);
  const proof = booksProof({ closing: BigInt(of.closing_minor), ledger: await ledgerBalance(db, of),
    outstanding: outstanding.map((one) => BigInt(one.amount_minor)), unmatched: figures.unmatched,
    timing: timing.map((one) => BigInt(one.amount_minor)) });
  const pairs = onlyPairs(bank.filter((line) => line.bank_match_id === null)
    .map((line) => ({ id: line.id, on: line.booked_on, amount: BigInt(line.amount_minor) })),
  outstanding.map((one) => ({ id: one.ledger_line_id, on: one.posted_on, amount: BigInt(one.amount_minor) })),
  PAIR_DAYS, diffDays);
  return { lines: bank.map((line) => ({ ...line, ledger_line_id: pairs.get(line.id) ?? null })), entries, timing,
    figures, proof, blocks: finishBlocks({ figures, proof, statements: await heldStatements(db, of) }) };
}

/** Items that a stored report names one by one. */
const REPORT_ITEMS = 5_000;

export function reportOf(of: Reconciled, sides: Sides): ReconciliationReport {
  const { figures, proof } = sides;
  const outstanding = sides.entries.filter((one) => !one.is_ticked);
  return {
    to_on: of.to_on, opening_minor: of.opening_minor, closing_minor: of.closing_minor,
    matched_minor: Number(figures.matched), ticked_minor: Number(figures.ticked),
    proof: { deposits_in_transit_minor: Number(proof.deposits_in_transit),
      outstanding_payments_minor: Number(proof.outstanding_payments), timing_minor: Number(proof.timing),
      unmatched_minor: Number(proof.unmatched), expected_minor: Number(proof.expected),
      ledger_minor: Number(proof.ledger), difference_minor: Number(proof.difference) },
    outstanding: outstanding.slice(0, REPORT_ITEMS).map(({ posted_on, text, amount_minor }) => (
      { posted_on, text, amount_minor })),
    outstanding_count: outstanding.length,
    unmatched: sides.lines.filter((line) => line.bank_match_id === null).slice(0, REPORT_ITEMS)
      .map(({ booked_on, text, amount_minor }) => ({ booked_on, text, amount_minor })),
    timing: sides.timing,
  };
}
