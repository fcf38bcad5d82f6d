/**
 * Cash flows of a division (accounting.md 3.5): balances by period give the result and the changes; lines are read only
 * of postings that moved cash or that balances alone do not explain (kernel/ledger/cash-flows.ts).
 */
import {
  attributeCash, cashFlows, flowsOf, type CashFlows, type Contribution, type FlowAccount, type FlowLine,
} from '#kernel/ledger/cash-flows.ts';
import { FUNCTIONAL_CURRENCY, type PartyType } from '#kernel/ledger/journal.ts';
import { documentLanguage, type Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { accountMovements } from './balances.server.ts';

export interface Span {
  division: Division;
  from: string;
  to: string;
  /** Applications to documents count up to this day, where it is later than `to`: of one month of many. */
  applied_to?: string;
}
export type Accounts = ReadonlyMap<number, FlowAccount>;

/** Posted, closing entries left out; `t` is the header. */
export const COUNTS = sql`t.status in ('posted', 'reversed') and t.kind <> 'year_end_close'`;

export async function flowAccounts(db: Queryable, division: Division): Promise<Accounts> {
  const rows = await db.query<FlowAccount>(sql`
    select a.id, a.code, a.name, a.class, h.section, a.system_key, a.cash_flow_class
    from ledger_accounts a join ledger_headers h on h.id = a.ledger_header_id where a.division = ${division}
    order by a.code`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Postings about investing or financing up to the last day: few, and asked for first, so that nothing else is read. */
async function investedDocuments(db: Queryable, { division, to, applied_to = to }: Span): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct e.transaction_id as id
    from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
    where a.division = ${division} and a.cash_flow_class in ('investing', 'financing')
      and a.system_key is distinct from 'opening' and e.transaction_at <= ${applied_to}`);
  return rows.map((row) => row.id);
}

/**
 * `settles`: for a line that is applied, by the last day, to a document about investing or financing, what that was
 * about. `special`: postings whose lines the kernel must see: those, what touches investing or financing, what is not
 * realized or is written down, exchange differences on cash.
 */
const special = ({ division, from, to, applied_to = to }: Span, documents: readonly number[]): Sql => sql`
  applied as (
    select p.journal_entry_id, p.transaction_id, i.transaction_id as document_id, sign(i.original_minor) as side,
      sum(l.amount_minor) as amount
    from unnest(${[...documents]}::bigint[]) d (id) join open_items i on i.transaction_id = d.id
      join allocations l on l.debit_item_id = i.id or l.credit_item_id = i.id
      join open_items p on p.id = case l.debit_item_id when i.id then l.credit_item_id else l.debit_item_id end
    where l.allocated_at <= ${applied_to} and p.opened_on between ${from} and ${to}
    group by 1, 2, 3, 4 having sum(l.amount_minor) <> 0),
  settles as (
    select x.journal_entry_id, x.transaction_id, e.ledger_account_id, round(x.amount * abs(e.base_amount_minor)::numeric
      / sum(abs(e.base_amount_minor)) over (partition by x.journal_entry_id, x.document_id))::bigint as weight
    from applied x join journal_entries e on e.transaction_id = x.document_id and sign(e.base_amount_minor) = -x.side),
  special as (
    select e.transaction_id from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
    where a.division = ${division} and e.transaction_at between ${from} and ${to}
      and (a.cash_flow_class in ('investing', 'financing')
        or a.system_key in ('fx_unrealised', 'bad_debt', 'royaltor_advances_allowance'))
    union
    select e.transaction_id from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
    where a.division = ${division} and a.is_cash and a.currency is distinct from ${FUNCTIONAL_CURRENCY[division]}
      and e.transaction_at between ${from} and ${to} and e.amount_minor = 0
    union
    select transaction_id from settles)`;

interface SpecialLine {
  transaction_id: number;
  is_revaluation: boolean;
  ledger_account_id: number;
  party_type: PartyType | null;
  amount_minor: number;
  base_amount_minor: number;
  settles: { account_id: number; weight: number }[] | null;
}

/** Accounts that the line settled; any excess stays on the line's own account. */
function settlesOf(line: SpecialLine, accounts: Accounts): Pick<FlowLine, 'settles'> {
  if (line.settles === null) return {};
  const rest = Math.abs(line.base_amount_minor) - line.settles.reduce((total, one) => total + one.weight, 0);
  const parts = [...line.settles, ...(rest > 0 ? [{ account_id: line.ledger_account_id, weight: rest }] : [])];
  return { settles: parts.map((one) => ({ account: accounts.get(one.account_id)!, weight: BigInt(one.weight) })) };
}

export interface PostingFlows { transaction_id: number; flows: Contribution[] }

/** Cash flows of each posting that balances alone do not explain. */
export async function specialFlows(db: Queryable, span: Span, accounts: Accounts): Promise<PostingFlows[]> {
  const lines = await db.query<SpecialLine>(sql`
    with ${special(span, await investedDocuments(db, span))}
    select e.transaction_id, k.is_revaluation, e.ledger_account_id, e.party_type, e.amount_minor, e.base_amount_minor,
      (select jsonb_agg(jsonb_build_object('account_id', s.ledger_account_id, 'weight', s.weight)) from settles s
        where s.journal_entry_id = e.id) as settles
    from special x join transactions t on t.id = x.transaction_id and ${COUNTS}
      join transaction_kinds k on k.kind = t.kind join journal_entries e on e.transaction_id = t.id
    order by e.transaction_id, e.line_no`);
  const postings = Map.groupBy(lines, (line) => line.transaction_id);
  return [...postings].map(([transaction_id, of]) => ({ transaction_id, flows: flowsOf({
    is_revaluation: of[0]!.is_revaluation, lines: of.map((line) => ({
      account: accounts.get(line.ledger_account_id)!, party_type: line.party_type, amount: BigInt(line.amount_minor),
      base: BigInt(line.base_amount_minor), ...settlesOf(line, accounts) })) }) }));
}

interface CashPosting {
  /** Null: the sum of all with this one line on the other side. */
  transaction_id: number | null;
  cash: number;
  lines: { account_id: number; party_type: PartyType | null; weight: number }[];
}

/** Lines on the other side of the cash of a posting. */
const others = (posting: Sql): Sql => sql`
  journal_entries e on e.transaction_id = ${posting}.transaction_id and e.base_amount_minor <> 0
    and (e.base_amount_minor > 0) = (${posting}.cash < 0)
  join ledger_accounts a on a.id = e.ledger_account_id and not a.is_cash`;

/** The cash of all other postings; `each` tells them apart. Those with one kind of line are summed in the database. */
export async function plainFlows(
  db: Queryable, span: Span, accounts: Accounts, { each }: { each: boolean },
): Promise<(Omit<PostingFlows, 'transaction_id'> & { transaction_id: number | null })[]> {
  const line = (weight: Sql): Sql => sql`jsonb_build_object('account_id', ledger_account_id, 'party_type', party_type,
    'weight', ${weight})`;
  const rows = await db.query<CashPosting>(sql`
    with ${special(span, await investedDocuments(db, span))},
    cash as materialized (
      select e.transaction_id, sum(e.base_amount_minor)::bigint as cash
      from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
      where a.division = ${span.division} and a.is_cash and e.amount_minor <> 0
        and e.transaction_at between ${span.from} and ${span.to}
        and not exists (select 1 from special s where s.transaction_id = e.transaction_id)
      group by 1 having sum(e.base_amount_minor) <> 0),
    postings as materialized (
      select c.transaction_id, c.cash, min(e.ledger_account_id) as ledger_account_id,
        min(e.party_type collate "C") as party_type,
        min(e.ledger_account_id) = max(e.ledger_account_id) and count(e.party_type) in (0, count(*))
          and min(e.party_type collate "C") is not distinct from max(e.party_type collate "C") and not ${each} as alike
      from cash c join transactions t on t.id = c.transaction_id and ${COUNTS} join ${others(sql`c`)}
      group by 1, 2)
    select null::bigint as transaction_id, sum(cash)::bigint as cash, jsonb_build_array(${line(sql`1`)}) as lines
      from postings where alike group by ledger_account_id, party_type
    union all
    select transaction_id, cash, jsonb_agg(${line(sql`weight`)} order by ledger_account_id, party_type)
      from (select p.transaction_id, p.cash, e.ledger_account_id, e.party_type,
          sum(abs(e.base_amount_minor))::bigint as weight
        from postings p join ${others(sql`p`)} where not p.alike group by 1, 2, 3, 4) x
      group by transaction_id, cash`);
  return rows.map(({ transaction_id, cash, lines }) => {
    const bank: FlowAccount = { id: 0, code: '', name: '', class: 'asset', section: 'cash', system_key: null,
      cash_flow_class: 'cash' };
    const side = cash > 0 ? -1n : 1n;
    return { transaction_id, flows: attributeCash({ is_revaluation: false, lines: [
      { account: bank, party_type: null, amount: BigInt(cash), base: BigInt(cash) },
      ...lines.map((one) => ({ account: accounts.get(one.account_id)!, party_type: one.party_type,
        amount: side * BigInt(one.weight), base: side * BigInt(one.weight) }))] }) };
  });
}

/** Balances of the days by account, and what they do not explain: the indirect statement. */
export async function balanceFlows(db: Queryable, span: Span): Promise<{ accounts: Accounts;
  balances: Parameters<typeof cashFlows>[0]; special: PostingFlows[] }> {
  const moved = await accountMovements(db, { division: span.division, from: span.from, as_of: span.to,
    without_year_end_close: true });
  const accounts: Accounts = new Map(moved.map(({ account_id: id, code, name, class: kind, section, system_key,
    cash_flow_class }) => [id, { id, code, name, class: kind, section, system_key, cash_flow_class }]));
  const balances = moved.map((row) => ({ account: accounts.get(row.account_id)!, opening: BigInt(row.opening_minor),
    change: BigInt(row.debit_minor) - BigInt(row.credit_minor) }));
  return { accounts, balances, special: await specialFlows(db, span, accounts) };
}

export async function cashFlowReport(db: Queryable, span: Span,
  language = documentLanguage(span.division)): Promise<CashFlows> {
  const { accounts, balances, special } = await balanceFlows(db, span);
  const postings = [...special, ...await plainFlows(db, span, accounts, { each: false })];
  return cashFlows(balances, postings.flatMap((one) => one.flows), language);
}
