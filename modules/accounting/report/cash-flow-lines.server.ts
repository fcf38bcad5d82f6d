/** The transactions behind one figure of the cash flows: together they are the figure. */
import { flowTitle, gather, type Contribution } from '#kernel/ledger/cash-flows.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { COUNTS, flowAccounts, plainFlows, specialFlows, type Accounts, type Span } from './cash-flows.server.ts';

export interface FlowTransaction {
  transaction_id: number;
  transaction_at: string;
  kind: string;
  number: string | null;
  description: string;
  amount_minor: number;
}
interface Part { transaction_id: number; minor: bigint }

const accountOf = (key: string): number => Number(key.split(':')[1]);

/** The result, or the change of an account, by transaction. */
async function movements(db: Queryable, span: Span, key: string): Promise<Part[]> {
  const lines = key === 'net_result' ? sql`a.class in ('income', 'expense')` : sql`a.id = ${accountOf(key)}`;
  const rows = await db.query<{ transaction_id: number; minor: number }>(sql`
    select e.transaction_id, -sum(e.base_amount_minor)::bigint as minor
    from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
      join transactions t on t.id = e.transaction_id and ${COUNTS}
    where a.division = ${span.division} and ${lines} and e.transaction_at between ${span.from} and ${span.to}
    group by 1`);
  return rows.map((row) => ({ transaction_id: row.transaction_id, minor: BigInt(row.minor) }));
}

async function partsOf(db: Queryable, span: Span, accounts: Accounts, key: string): Promise<Part[]> {
  const balance = key === 'net_result' || key.startsWith('change:');
  const direct = key.startsWith('direct:');
  const postings = [...(key === 'net_result' ? [] : await specialFlows(db, span, accounts)),
    ...(direct ? await plainFlows(db, span, accounts, { each: true }) : [])];
  const said = postings.flatMap(({ transaction_id: id, flows }) => flows.filter((flow) => flow.key === key)
    .map((flow): Part => ({ transaction_id: id!, minor: flow.minor })));
  return [...(balance ? await movements(db, span, key) : []), ...said];
}

function byTransaction(parts: readonly Part[]): Map<number, bigint> {
  const flows: Contribution[] = parts.map((part) => ({ key: String(part.transaction_id), minor: part.minor }));
  return new Map(gather(flows).map(({ key, minor }) => [Number(key), minor]));
}

/** Row of the account where it is named by its code, as the statement of all divisions does. */
function keyByCode(row: string, accounts: Accounts): string {
  const [, part, code] = /^(change|investing|financing):code:(.+)$/.exec(row) ?? [];
  const account = [...accounts.values()].find((one) => one.code === code);
  return part === undefined || !account ? row : `${part}:${account.id}`;
}

/** Null where there is no such row. Newest first. */
export async function cashFlowLines(
  db: Queryable, span: Span, asked: { row: string; page: number; per_page: number },
): Promise<{ title: string; amount_minor: number; rows: FlowTransaction[]; total: number } | null> {
  const accounts = await flowAccounts(db, span.division);
  const of = { ...asked, row: keyByCode(asked.row, accounts) };
  const title = flowTitle(of.row, documentLanguage(span.division))
    ?? (/^(change|investing|financing):\d+$/.test(of.row) ? accounts.get(accountOf(of.row))?.name : undefined);
  if (title === undefined) return null;
  const parts = byTransaction(await partsOf(db, span, accounts, of.row));
  const rows = await db.query<Omit<FlowTransaction, 'amount_minor'>>(sql`
    select t.id as transaction_id, t.transaction_at, t.kind, coalesce(t.number, (select d.number
        from ledger_source(t.id) s, ledger_document(s.source_type, s.source_id) d)) as number, t.description
    from (select id from transactions where id = any (${[...parts.keys()]}::bigint[])
      order by transaction_at desc, id desc limit ${of.per_page} offset ${(of.page - 1) * of.per_page}) x
      join transactions t on t.id = x.id order by t.transaction_at desc, t.id desc`);
  return {
    title, total: parts.size, amount_minor: Number([...parts.values()].reduce((total, minor) => total + minor, 0n)),
    rows: rows.map((row) => ({ ...row, amount_minor: Number(parts.get(row.transaction_id)!) })),
  };
}
