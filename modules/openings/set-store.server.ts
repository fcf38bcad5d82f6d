/** Stored sets of opening balances, as pages and verbs read them. */
import { imbalances, carrierOf, type OpeningKind, type TrialLine } from '#kernel/ledger/opening-sets.ts';
import type { Currency } from '#kernel/money/money.ts';
import { conflict, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import type { ListSpec } from '#server/list.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { FileSettings, SetFacts } from './opening-kind.server.ts';
import { KIND_LABELS, type OpeningControl, type OpeningSetDetail, type OpeningSetRow } from './opening-set.contract.ts';

const nameOf = (column: Sql): Sql => sql`
  (select concat_ws(' ', first_name, last_name) from users where id = ${column})`;
const COLUMNS = sql`t.id, t.division, t.kind, t.as_of, t.status, f.original_name as file_name, t.row_count,
  t.problem_count, ${nameOf(sql`t.created_by_id`)} as created_by_name, t.created_at,
  ${nameOf(sql`t.posted_by_id`)} as posted_by_name, t.posted_at,
  t.status = 'posted' and t.reversal_asked_at is not null as reversal_asked, t.version, t.updated_at`;
const JOINS = sql`join files f on f.id = t.file_id`;
export const SET_LIST: Omit<ListSpec, 'conditions'> = { base: sql`opening_sets t`, columns: COLUMNS, joins: JOINS,
  sorts: { as_of: sql`t.as_of`, kind: sql`t.kind`, updated_at: sql`t.updated_at` },
  defaultSort: 'updated_at', defaultDirection: 'desc' };

export interface StoredSet extends SetFacts {
  status: OpeningSetRow['status'];
  reading: FileSettings;
  row_count: number;
  problem_count: number;
  created_by_id: number | null;
  reversal_asked_by_id: number | null;
  reversal_reason: string | null;
  version: number;
  updated_at: string;
}

async function readSet(db: Queryable, id: number): Promise<StoredSet> {
  const row = await db.maybeOne<StoredSet>(sql`
    select s.id, s.division, s.kind, s.as_of, d.functional_currency as functional, s.status, s.reading, s.row_count,
      s.problem_count, s.created_by_id, s.reversal_asked_by_id, s.reversal_reason, s.version, s.updated_at
    from opening_sets s join divisions d on d.code = s.division where s.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

const STATUS_WORDS = { draft: 'not posted', posted: 'posted', reversed: 'reversed' } as const;

/** One at a time for each kind of a division; the row is locked, then read. 409 in another state, 412 when changed. */
export async function lockSet(ctx: WorkContext, id: number, status: StoredSet['status'], version: number | null):
Promise<StoredSet> {
  const { division, kind } = await readSet(ctx.db, id);
  await ctx.db.exec(sql`
    select pg_advisory_xact_lock(hashtextextended(${`opening_sets ${division} ${kind}`}, 0))`);
  await ctx.db.exec(sql`select 1 from opening_sets where id = ${id} for update`);
  const set = await readSet(ctx.db, id);
  if (version !== null && set.version !== version) throw stale(set);
  if (set.status !== status) {
    throw conflict('opening_set.status', `${nameOfSet(set)} is ${STATUS_WORDS[set.status]}.`);
  }
  return set;
}

export const nameOfSet = (set: { kind: OpeningKind; division: string }): string =>
  `${KIND_LABELS[set.kind]} of ${set.division}`;

/** A set moves until the first close: 409 where a period that ends on its day or later is closed. */
export async function refuseAfterClose(db: Queryable, set: { division: string; as_of: string }): Promise<void> {
  const closed = await db.maybeOne<{ period: number }>(sql`
    select min(period) as period from periods where division = ${set.division} and ends >= ${set.as_of}
      and state = 'closed' having min(period) is not null`);
  if (!closed) return;
  throw conflict('opening_set.closed', `${Math.floor(closed.period / 100)}-${String(closed.period % 100)
    .padStart(2, '0')} of ${set.division} is closed. Opening balances are posted and reversed before the first close.`);
}

/** Balance of 3999 in a division, in its currency. */
async function openingBalance(db: Queryable, division: string): Promise<number> {
  const { left } = await db.one<{ left: number }>(sql`
    select coalesce(sum(b.base_debit_minor - b.base_credit_minor), 0)::bigint as left from ledger_balances b
      join ledger_accounts a on a.id = b.ledger_account_id and a.system_key = 'opening'
    where a.division = ${division}`);
  return left;
}

/** Accounts that documents bring: trial balance (posted, else the draft that is looked at) against documents. */
export async function controlsOf(db: Queryable, division: string, draft: number | null = null):
Promise<OpeningControl[]> {
  const rows = await db.query<{ account: string; account_name: string; is_bank: boolean; trial: number | null;
    documents: number }>(sql`
    with trial as (
      select l.account_code as code, sum(l.base_minor)::bigint as minor from opening_lines l
      where l.is_carried and l.opening_set_id = coalesce((select id from opening_sets where division = ${division}
        and kind = 'ledger' and status = 'posted'), ${draft}::bigint) group by 1
    ), documents as (
      select a.id, sum(e.base_amount_minor)::bigint as minor from transactions t
        join journal_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.ledger_account_id
      where t.division = ${division} and t.kind = 'opening' and t.status in ('posted', 'reversed') group by 1
    )
    select a.code as account, a.name as account_name, a.is_bank, trial.minor as trial,
      coalesce(documents.minor, 0)::bigint as documents
    from ledger_accounts a left join trial on trial.code = a.code left join documents on documents.id = a.id
    where a.division = ${division} and (trial.code is not null or documents.id is not null)
    order by a.code`);
  return rows.flatMap((row) => {
    const kind = carrierOf({ code: row.account, is_bank: row.is_bank });
    return kind === null || (row.trial === null && row.documents === 0) ? [] : [{ account: row.account,
      account_name: row.account_name, kind, trial_minor: row.trial, documents_minor: row.documents,
      difference_minor: (row.trial ?? 0) - row.documents }];
  });
}

type Total = OpeningSetDetail['totals'][number];

const totalsOf = (db: Queryable, set: StoredSet): Promise<Total[]> => db.query<Total>(sql`
  select l.account_code as account, coalesce(a.name, '') as account_name, l.currency, count(*)::int as line_count,
    sum(l.amount_minor)::bigint as amount_minor, sum(l.base_minor)::bigint as base_minor, l.is_carried
  from opening_lines l left join ledger_accounts a on a.division = ${set.division} and a.code = l.account_code
  where l.opening_set_id = ${set.id} and l.account_code is not null and l.amount_minor is not null
  group by l.account_code, a.name, l.currency, l.is_carried order by l.account_code, l.currency`);

/** Totals carry what an imbalance needs: amounts by currency, carried or not. */
function offOf(set: StoredSet, totals: readonly Total[]): OpeningSetDetail['imbalances'] {
  if (set.kind !== 'ledger') return [];
  return imbalances(totals.map((total): TrialLine => ({ account: total.account, is_carried: total.is_carried,
    currency: total.currency as Currency, amount: BigInt(total.amount_minor), base: BigInt(total.base_minor) })),
  set.functional).map(({ currency, by_minor }) => ({ currency, by_minor: Number(by_minor) }));
}

/** Amount that posting a draft adds to 3999: carried lines of a trial balance, the other side of documents. */
function movesOpening(set: StoredSet, totals: readonly Total[]): number {
  const own = set.kind === 'ledger' ? totals.filter((total) => total.is_carried || total.account === '3999') : totals;
  const sum = own.reduce((all, total) => all + total.base_minor, 0);
  return set.kind === 'ledger' ? sum : -sum;
}

async function blockedBy(db: Queryable, set: StoredSet, off: OpeningSetDetail['imbalances']): Promise<string | null> {
  if (set.status !== 'draft') return null;
  if (set.problem_count > 0) {
    return set.problem_count === 1 ? 'One row cannot be posted. Correct the file and upload it again.'
      : `${set.problem_count} rows cannot be posted. Correct the file and upload it again.`;
  }
  if (off.length > 0) return 'The trial balance does not balance. Correct the file and upload it again.';
  const other = await db.maybeOne(sql`
    select 1 from opening_sets where division = ${set.division} and kind = ${set.kind} and status = 'posted'`);
  if (other) return `${nameOfSet(set)} is posted already. Reverse that set first.`;
  const closed = await db.maybeOne(sql`
    select 1 from periods where division = ${set.division} and ends >= ${set.as_of} and state = 'closed'`);
  return closed ? 'A later period is closed. Opening balances are posted before the first close.' : null;
}

export async function findSet(db: Queryable, id: number): Promise<OpeningSetDetail> {
  const set = await readSet(db, id);
  const row = await db.one<OpeningSetRow & Pick<OpeningSetDetail, 'transaction_id' | 'reversal_asked_by_id'
    | 'reversal_asked_by_name' | 'reversal_asked_at' | 'reversal_reason' | 'reversed_by_name' | 'reversed_at'>>(sql`
    select ${COLUMNS}, t.transaction_id, t.reversal_asked_by_id,
      ${nameOf(sql`t.reversal_asked_by_id`)} as reversal_asked_by_name, t.reversal_asked_at, t.reversal_reason,
      ${nameOf(sql`t.reversed_by_id`)} as reversed_by_name, t.reversed_at
    from opening_sets t ${JOINS} where t.id = ${id}`);
  const totals = await totalsOf(db, set);
  const off = offOf(set, totals);
  const opening = await openingBalance(db, set.division);
  const used = new Set(Object.values(set.reading.columns));
  return { ...row, functional_currency: set.functional, date_format: set.reading.date_format,
    decimal_style: set.reading.decimal_style, totals, imbalances: off,
    unused: set.reading.header.filter((head, at) => head !== '' && !used.has(at)),
    controls: await controlsOf(db, set.division, set.kind === 'ledger' && set.status === 'draft' ? id : null),
    opening_minor: opening,
    opening_after_minor: set.status === 'draft' ? opening + movesOpening(set, totals) : opening,
    blocked: await blockedBy(db, set, off) };
}
