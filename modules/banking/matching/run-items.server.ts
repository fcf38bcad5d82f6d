/**
 * Payment runs that the bank books as one debit: one item stands for all of their postings that nothing clears yet. The
 * bank debits what it was told to pay, and credits what comes back later; or it takes that off before. So a run of
 * which payments came back is offered twice, with them and without.
 */
import type { OpenItem } from '#kernel/bank-matching/open-item.ts';
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import type { Queryable } from '#server/db.ts';
import type { ItemSearch, LineSearch, MatchAccount } from '#server/open-items.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import { OPEN } from './ledger-items.server.ts';

/** All payments that were sent; those that did not come back. */
export const RUN_KINDS = ['payment_run', 'payment_run_net'] as const;
export type RunKind = (typeof RUN_KINDS)[number];
export const isRunKind = (kind: string): kind is RunKind => (RUN_KINDS as readonly string[]).includes(kind);

const DAYS = 10;
const LIMIT = 100;

/** Lines of the payments of runs `n` on the account. A payment in another currency is at the bank by its exchange. */
const runLines = (account: Pick<MatchAccount, 'ledger_account_id'>, runs: Sql): Sql => sql`
  select p.payment_run_id as run_id, e.id, e.amount_minor, p.status = 'returned' as came_back,
    exists (select 1 from bank_match_entries b join journal_entries o on o.id = b.ledger_line_id and b.active
      join transactions r on r.id = o.transaction_id where r.reverses_id = t.id) as is_credited
  from payments p join transactions t on t.reverses_id is null and (t.id = p.transaction_id
      or (t.source_type = 'payment' and t.source_id = p.id and t.source_event = 'exchanged'))
    join journal_entries e on e.transaction_id = t.id and e.ledger_account_id = ${account.ledger_account_id}
  where p.payment_run_id in (${runs}) and p.direction = 'out' and p.status in ('posted', 'cleared', 'returned')
    and e.amount_minor < 0 and ${OPEN}`;

/** Without what came back, unless the bank has credited it already: then it has debited it too. */
const ofKind = (kind: RunKind): Sql => (kind === 'payment_run' ? sql`true` : sql`(not came_back or is_credited)`);

export async function runLineIds(
  db: Queryable, account: Pick<MatchAccount, 'ledger_account_id'>, of: { kind: RunKind; id: number },
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from (${runLines(account, sql`${of.id}::bigint`)}) x where ${ofKind(of.kind)} order by id`);
  return rows.map((row) => row.id);
}

interface OpenRun { id: number; number: string; value_on: string; all_minor: number; all_count: number;
  net_minor: number; net_count: number }

/** Posted runs with at least two payments to match; a single one is offered as its entry. */
const openRuns = (db: Queryable, account: MatchAccount, condition: Sql): Promise<OpenRun[]> =>
  db.query<OpenRun>(sql`
  select n.id, n.number, n.value_on::text as value_on, -sum(x.amount_minor)::bigint as all_minor,
    count(*)::int as all_count, -coalesce(sum(x.amount_minor) filter (where ${ofKind('payment_run_net')}), 0)::bigint
      as net_minor, (count(*) filter (where ${ofKind('payment_run_net')}))::int as net_count
  from payment_runs n join (${runLines(account, sql`select n.id from payment_runs n
    where n.bank_account_id = ${account.bank_account_id} and n.status = 'posted' and n.method <> 'check'
      and ${condition}`)}) x on x.run_id = n.id
  group by n.id having count(*) > 1 order by n.value_on desc, n.id desc limit ${LIMIT}`);

const payments = (count: number): string => (count === 1 ? '1 payment' : `${count} payments`);

function item(account: MatchAccount, of: { kind: RunKind; id: number; number: string; label: string; on: string;
  minor: number; refusal?: string }): OpenItem {
  return { kind: of.kind, id: of.id, label: of.label, direction: 'out', currency: account.currency,
    open_minor: BigInt(of.minor), converted_minor: null, bank_account_id: account.bank_account_id,
    document_on: of.on, due_on: null, party: null, pool: null, refusal: of.refusal ?? null,
    references: [{ type: 'number', value: of.number, label: 'payment run' }] };
}

function asItems(run: OpenRun, account: MatchAccount): OpenItem[] {
  const back = run.all_count - run.net_count;
  const of = { id: run.id, number: run.number, on: run.value_on };
  return [item(account, { ...of, kind: 'payment_run', minor: run.all_minor, label: `${run.number}, ${
    payments(run.all_count)}${back > 0 ? `, ${back} of them returned` : ''}` }),
  ...(back > 0 && run.net_count > 1 ? [item(account, { ...of, kind: 'payment_run_net', minor: run.net_minor,
    label: `${run.number}, ${payments(run.net_count)} without ${back} returned` })] : [])];
}

interface Waiting { id: number; number: string; status: string; value_on: string; minor: number; count: number }

/** Runs that are not posted: found by their number, with the reason why nothing can be matched with them yet. */
async function waitingRuns(db: Queryable, account: MatchAccount, text: string): Promise<OpenItem[]> {
  const rows = await db.query<Waiting>(sql`
    select n.id, n.number, n.status, n.value_on::text as value_on, sum(p.amount_minor)::bigint as minor,
      count(*)::int as count
    from payment_runs n join payments p on p.payment_run_id = n.id and p.status in ('draft', 'approved')
    where n.bank_account_id = ${account.bank_account_id} and n.status in ('draft', 'approved', 'exported')
      and n.method <> 'check' and ${matches(sql`n.search_text`, text)}
    group by n.id order by n.value_on, n.id limit ${LIMIT}`);
  return rows.map((row) => item(account, { kind: 'payment_run', id: row.id, number: row.number, on: row.value_on,
    minor: row.minor, label: `${row.number}, ${payments(row.count)}`, refusal: row.status === 'exported'
      ? `It is posted on ${dateInWords(row.value_on)}, its value date` : 'It is not exported yet' }));
}

const namedIn = (search: LineSearch): string[] =>
  [...search.numbers, ...search.references].map((one) => one.toLowerCase());

function conditionOf(search: ItemSearch): Sql | null {
  switch (search.by) {
    case 'ids': return null;
    case 'days': return sql`n.value_on between ${addDays(search.from, -DAYS)} and ${addDays(search.to, DAYS)}`;
    case 'line': return search.direction === 'in' ? null
      : sql`(n.value_on between ${addDays(search.booked_on, -DAYS)} and ${addDays(search.booked_on, DAYS)}
        or lower(n.number) = any (${namedIn(search)}::text[]))`;
    case 'text': return search.direction === 'in' ? null
      : search.text === '' ? sql`true` : matches(sql`n.search_text`, search.text);
  }
}

/** Runs up to a day that nothing clears yet. */
export const runsUpTo = async (db: Queryable, account: MatchAccount, day: string): Promise<OpenItem[]> =>
  (await openRuns(db, account, sql`n.value_on <= ${day}`)).flatMap((run) => asItems(run, account));

/** Runs of the account for a line or for what a person types. */
export async function runItems(db: Queryable, account: MatchAccount, search: ItemSearch): Promise<OpenItem[]> {
  const condition = conditionOf(search);
  if (condition === null) return [];
  const found = (await openRuns(db, account, condition)).flatMap((run) => asItems(run, account));
  if (search.by !== 'text') return found;
  const waiting = search.text === '' ? [] : await waitingRuns(db, account, search.text);
  return [...found, ...waiting].filter(({ open_minor: minor }) =>
    (search.from_minor === null || minor >= BigInt(search.from_minor))
    && (search.to_minor === null || minor <= BigInt(search.to_minor)));
}
