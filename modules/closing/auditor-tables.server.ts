/** The tables of the auditor's package: what each reads, row by row. */
import { minorToDecimal } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import { ledgerIntegrity, partyName, trialBalance } from '#modules/accounting/accounting.public.server.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';

export interface AuditMonth { division: Division; period: number; starts: string; ends: string; currency: string }
export type Cells = readonly (string | number | null)[];
export interface AuditTable {
  /** Of its files. */
  name: string;
  title: string;
  header: readonly string[];
  /** Parts of the width on paper; 0 leaves the column out there. */
  widths: readonly number[];
  /** Columns that hold amounts. */
  amounts: ReadonlySet<string>;
  rows: (db: Queryable) => AsyncIterable<Cells>;
}

const money = (minor: number): string => minorToDecimal(BigInt(minor));
const PAGE = 1_000;

/** Rows of a long query in pieces: its transaction holds the cursor. */
async function* fetched<Row>(db: Queryable, cursor: 'ledger_lines' | 'journal_lines', query: Sql):
AsyncGenerator<Row> {
  const [declare, next, close] = cursor === 'ledger_lines'
    ? [sql`declare ledger_lines cursor for ${query}`, sql`fetch 1000 from ledger_lines`, sql`close ledger_lines`]
    : [sql`declare journal_lines cursor for ${query}`, sql`fetch 1000 from journal_lines`, sql`close journal_lines`];
  await db.exec(declare);
  for (;;) {
    const rows = await db.query<Row>(next);
    yield* rows;
    if (rows.length < PAGE) break;
  }
  await db.exec(close);
}

async function* trialRows(db: Queryable, month: AuditMonth): AsyncGenerator<Cells> {
  const report = await trialBalance(db, { division: month.division, from: month.starts, as_of: month.ends });
  const cells = (row: typeof report.totals) => [row.opening_minor, row.debit_minor, row.credit_minor,
    row.closing_minor].map(money);
  for (const row of report.rows) {
    if (row.opening_minor !== 0 || row.debit_minor !== 0 || row.credit_minor !== 0) {
      yield [row.code, row.name, row.class, ...cells(row)];
    }
  }
  yield ['', 'Total', '', ...cells(report.totals)];
}

const numberOf = sql`coalesce(t.number, (select d.number from ledger_source(t.id) s,
  ledger_document(s.source_type, s.source_id) d), t.id::text)`;

interface LedgerLine { code: string; name: string; on: string; transaction_id: number; number: string; kind: string;
  description: string; memo: string; party: string; currency: string; amount: number; base: number; balance: number }

/** Every account that has a balance or a line: its opening balance, its lines, a balance after each. */
async function* ledgerRows(db: Queryable, month: AuditMonth): AsyncGenerator<Cells> {
  const trial = await trialBalance(db, { division: month.division, from: month.starts, as_of: month.ends });
  const opening = new Map(trial.rows.map((row) => [row.code, row.opening_minor]));
  const lines = fetched<LedgerLine>(db, 'ledger_lines', sql`
    select a.code, a.name, e.transaction_at as on, t.id as transaction_id, ${numberOf} as number, t.kind, t.description,
      coalesce(e.memo, '') as memo, coalesce(${partyName(sql`e`)}, '') as party, e.currency, e.amount_minor as amount,
      e.base_amount_minor as base
    from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
      join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
    where a.division = ${month.division} and e.transaction_at between ${month.starts} and ${month.ends}
    order by a.code, e.transaction_at, e.id`);
  const first = (row: { code: string; name: string }): Cells => [row.code, row.name, '', '', '', 'opening balance', '',
    '', '', month.currency, '', '', '', money(opening.get(row.code) ?? 0)];
  const still = trial.rows.filter((row) => row.opening_minor !== 0);
  let at = '';
  let balance = 0;
  for await (const line of lines) {
    if (line.code !== at) {
      while (still[0] && still[0].code < line.code) yield first(still.shift()!);
      if (still[0]?.code === line.code) still.shift();
      at = line.code;
      balance = opening.get(line.code) ?? 0;
      yield first(line);
    }
    balance += line.base;
    yield [line.code, line.name, line.on, line.transaction_id, line.number, line.kind, line.description, line.memo,
      line.party, line.currency, money(line.amount), line.base > 0 ? money(line.base) : '',
      line.base < 0 ? money(-line.base) : '', money(balance)];
  }
  for (const row of still) yield first(row);
}

interface JournalLine extends Omit<LedgerLine, 'balance'> { line_no: number; posted_at: string; posted_by: string;
  reverses_id: number | null }

async function* journalRows(db: Queryable, month: AuditMonth): AsyncGenerator<Cells> {
  const lines = fetched<JournalLine>(db, 'journal_lines', sql`
    select t.id as transaction_id, e.transaction_at as on, ${numberOf} as number, t.kind, t.description,
      t.posted_at, coalesce(u.first_name || ' ' || u.last_name, '') as posted_by, t.reverses_id, e.line_no, a.code,
      a.name, coalesce(e.memo, '') as memo, coalesce(${partyName(sql`e`)}, '') as party, e.currency,
      e.amount_minor as amount, e.base_amount_minor as base
    from transactions t join journal_entries e on e.transaction_id = t.id join ledger_accounts a
      on a.id = e.ledger_account_id left join users u on u.id = t.posted_by
    where t.division = ${month.division} and t.status in ('posted', 'reversed')
      and t.transaction_at between ${month.starts} and ${month.ends}
    order by t.transaction_at, t.id, e.line_no`);
  for await (const line of lines) {
    yield [line.transaction_id, line.on, line.number, line.kind, line.description, line.line_no, line.code, line.name,
      line.party, line.memo, line.currency, money(line.amount), line.base > 0 ? money(line.base) : '',
      line.base < 0 ? money(-line.base) : '', line.posted_at, line.posted_by, line.reverses_id];
  }
}

type OpenAccount = 'ar' | 'ap' | 'deposits';
interface OpenRow { party: string; number: string; opened_on: string; due_date: string; currency: string;
  original: number; open: number; base: number }

/** Items open at the end of the month, whatever was paid later; their sum is the control account's balance. */
async function* openRows(db: Queryable, month: AuditMonth, key: OpenAccount): AsyncGenerator<Cells> {
  const rows = await db.query<OpenRow>(sql`
    select coalesce(${partyName(sql`i`)}, '') as party, ${numberOf} as number, i.opened_on, i.due_date, i.currency,
      i.original_minor as original,
      i.original_minor - sign(i.original_minor)::bigint * coalesce(l.amount, 0) as open,
      i.original_base_minor - sign(i.original_minor)::bigint * coalesce(l.base, 0) as base
    from ledger_accounts a join open_items i on i.ledger_account_id = a.id
      join transactions t on t.id = i.transaction_id
      left join lateral (select sum(x.amount_minor)::bigint as amount,
          sum(case when x.debit_item_id = i.id then x.debit_base_minor else x.credit_base_minor end)::bigint as base
        from allocations x where i.id in (x.debit_item_id, x.credit_item_id) and x.allocated_at <= ${month.ends}) l
        on true
    where a.division = ${month.division} and a.system_key = ${key} and i.opened_on <= ${month.ends}
      and (i.original_minor <> sign(i.original_minor)::bigint * coalesce(l.amount, 0)
        or i.original_base_minor <> sign(i.original_minor)::bigint * coalesce(l.base, 0))
    order by 1, i.opened_on, i.id`);
  for (const row of rows) {
    yield [row.party, row.number, row.opened_on, row.due_date, row.currency, money(row.original), money(row.open),
      money(row.base)];
  }
  const { balance } = await db.one<{ balance: number }>(sql`
    select coalesce(sum(e.base_amount_minor), 0)::bigint as balance
    from ledger_accounts a join posted_entries e on e.ledger_account_id = a.id and not e.is_revaluation
    where a.division = ${month.division} and a.system_key = ${key} and e.transaction_at <= ${month.ends}`);
  const sum = rows.reduce((total, row) => total + row.base, 0);
  yield ['Total', '', '', '', month.currency, '', '', money(sum)];
  yield ['Control account without revaluation', '', '', '', month.currency, '', '', money(balance)];
}

interface ReconciledRow { code: string; name: string; currency: string; to_on: string | null; opening: number | null;
  closing: number | null; ledger: number; finished_by: string; finished_at: string | null }

async function* reconciliationRows(db: Queryable, month: AuditMonth): AsyncGenerator<Cells> {
  const rows = await db.query<ReconciledRow>(sql`
    select a.code, b.name, b.currency, r.to_on, r.opening_minor as opening, r.closing_minor as closing,
      (select coalesce(sum(e.amount_minor), 0)::bigint from posted_entries e where e.ledger_account_id = a.id
        and e.currency = b.currency and e.transaction_at <= coalesce(r.to_on, ${month.ends})) as ledger,
      coalesce(u.first_name || ' ' || u.last_name, '') as finished_by, r.finished_at
    from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
      left join lateral (select * from bank_reconciliations f where f.bank_account_id = b.id and f.status = 'finished'
        and f.to_on <= ${month.ends} order by f.to_on desc limit 1) r on true
      left join users u on u.id = r.finished_by_id
    where b.division = ${month.division} and b.deleted_at is null order by a.code, b.id`);
  for (const row of rows) {
    yield [row.code, row.name, row.currency, row.to_on ?? 'never', row.opening === null ? '' : money(row.opening),
      row.closing === null ? '' : money(row.closing), money(row.ledger), row.finished_by, row.finished_at];
  }
}

interface StoredReport { code: string; name: string; currency: string; to_on: string; closing: number;
  report: { proof: { ledger_minor: number; difference_minor: number };
    outstanding: { posted_on: string; text: string; amount_minor: number }[];
    unmatched: { booked_on: string; text: string; amount_minor: number }[];
    timing: { text: string; amount_minor: number }[] } }

/**
 * What stands between the bank and the ledger in the last finished reconciliation of each account (accounting.md 3.10):
 * closing balance, each item with the sign with which it is added, the ledger's balance, and what is left.
 */
async function* reconcilingRows(db: Queryable, month: AuditMonth): AsyncGenerator<Cells> {
  const accounts = await db.query<StoredReport>(sql`
    select a.code, b.name, b.currency, r.to_on, r.closing_minor as closing, r.report
    from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
      join lateral (select * from bank_reconciliations f where f.bank_account_id = b.id and f.status = 'finished'
        and f.to_on <= ${month.ends} order by f.to_on desc limit 1) r on true
    where b.division = ${month.division} and b.deleted_at is null and r.report is not null order by a.code, b.id`);
  for (const { code, name, currency, to_on, closing, report } of accounts) {
    const row = (item: string, on: string, text: string, minor: number): Cells =>
      [code, name, currency, item, on, text, money(minor)];
    yield row('Closing balance of the bank', to_on, '', closing);
    for (const { posted_on, text, amount_minor } of report.outstanding) {
      yield row(amount_minor > 0 ? 'Deposit in transit' : 'Outstanding payment', posted_on, text, amount_minor);
    }
    for (const { booked_on, text, amount_minor } of report.unmatched) {
      yield row('Bank line without an entry', booked_on, text, -amount_minor);
    }
    for (const { text, amount_minor } of report.timing) yield row('Booked on another day', '', text, amount_minor);
    yield row('Balance of the ledger', to_on, '', report.proof.ledger_minor);
    yield row('Difference', to_on, '', report.proof.difference_minor);
  }
}

/** The first violation as names and values. */
const inWords = (row: Record<string, unknown> | undefined): string => Object.entries(row ?? {})
  .filter(([, value]) => value !== null)
  .map(([key, value]) => `${key.replaceAll('_', ' ')} ${String(value)}`).join(', ');

async function* integrityRows(db: Queryable, month: AuditMonth): AsyncGenerator<Cells> {
  for (const one of await ledgerIntegrity(db, month.division)) {
    yield [one.title, one.ok ? 'passed' : 'failed', one.violations, one.ok ? '' : inWords(one.rows[0])];
  }
}

const named = (...names: string[]): ReadonlySet<string> => new Set(names);

export function auditTables(month: AuditMonth): AuditTable[] {
  const open = (name: string, title: string, key: OpenAccount): AuditTable => ({ name, title,
    header: ['Party', 'Document', 'Date', 'Due', 'Currency', 'Amount', 'Open', `Open in ${month.currency}`],
    widths: [26, 18, 11, 11, 8, 13, 13, 14], amounts: named('Amount', 'Open', `Open in ${month.currency}`),
    rows: (db) => openRows(db, month, key) });
  return [
    { name: 'trial-balance', title: 'Trial balance', rows: (db) => trialRows(db, month), widths: [9, 34, 11, 14, 14, 14,
      14], header: ['Account', 'Name', 'Class', 'Opening', 'Debit', 'Credit', 'Closing'],
    amounts: named('Opening', 'Debit', 'Credit', 'Closing') },
    { name: 'general-ledger', title: 'General ledger', rows: (db) => ledgerRows(db, month),
      header: ['Account', 'Name', 'Date', 'Transaction', 'Number', 'Kind', 'Description', 'Memo', 'Party', 'Currency',
        'Amount', 'Debit', 'Credit', 'Balance'], widths: [8, 18, 11, 0, 17, 0, 24, 0, 18, 0, 0, 13, 13, 13],
      amounts: named('Amount', 'Debit', 'Credit', 'Balance') },
    { name: 'journal', title: 'Journal', rows: (db) => journalRows(db, month),
      header: ['Transaction', 'Date', 'Number', 'Kind', 'Description', 'Line', 'Account', 'Name', 'Party', 'Memo',
        'Currency', 'Amount', 'Debit', 'Credit', 'Posted at', 'Posted by', 'Reverses'],
      widths: [0, 11, 17, 0, 24, 0, 8, 18, 18, 0, 0, 0, 13, 13, 0, 14, 0],
      amounts: named('Amount', 'Debit', 'Credit') },
    open('open-receivables', 'Open receivables', 'ar'), open('open-payables', 'Open payables', 'ap'),
    open('open-deposits', 'Deposits held', 'deposits'),
    { name: 'reconciliations', title: 'Bank reconciliations', rows: (db) => reconciliationRows(db, month),
      header: ['Account', 'Bank account', 'Currency', 'Reconciled through', 'Opening', 'Closing', 'Ledger on that day',
        'Finished by', 'Finished at'], widths: [8, 22, 8, 12, 13, 13, 13, 14, 0],
      amounts: named('Opening', 'Closing', 'Ledger on that day') },
    { name: 'reconciling-items', title: 'Bank against ledger', rows: (db) => reconcilingRows(db, month),
      header: ['Account', 'Bank account', 'Currency', 'Item', 'Date', 'Description', 'Amount'],
      widths: [8, 20, 8, 20, 11, 26, 13], amounts: named('Amount') },
    { name: 'integrity', title: 'Integrity report', rows: (db) => integrityRows(db, month),
      header: ['Check', 'Result', 'Violations', 'First'], widths: [70, 10, 10, 20], amounts: named() },
  ];
}
