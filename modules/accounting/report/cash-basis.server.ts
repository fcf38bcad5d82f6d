/**
 * Profit and loss of a division on the cash basis: what was settled in some days (kernel/ledger/cash-basis.ts).
 *
 * Documents with open items count by their applications; royalty cost by what royaltors were paid; everything else on
 * its own day. Left out: closing entries, revaluations, accrued income. A write-off is applied like any other
 * document, so it counts as income and as bad debt. Deferred income of the former books counts when it is released.
 */
import {
  deferredParts, documentBasis, royaltyBasis, type BasisDocument, type BasisLine, type Recognized, type RoyaltyPosting,
} from '#kernel/ledger/cash-basis.ts';
import { INCOME } from '#kernel/ledger/income-accounts.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { Span } from './cash-flows.server.ts';
import { partKey } from './line-parts.server.ts';

/** `each`: postings that wait for nothing one by one, as a list needs. `parts`: shows and classes told apart. */
export interface BasisChoice { each: boolean; parts: boolean }

/** Postings that count; `t` is the header, `k` its kind. */
const COUNTS = sql`t.status in ('posted', 'reversed') and not k.is_year_end_close and not k.is_revaluation
  and t.kind <> 'accrued_income'`;
const ROYALTIES = sql`('royalty_prepaid', 'royalty_payable', 'royalty_reserve', 'royalty_accrued')`;
/** An invoice that says which income its deferred income becomes; one of the former books was paid there. */
const billed = (line: Sql): Sql => sql`exists (select 1 from invoices i where i.id = ${line}.invoice_id
  and i.opening_set_id is null)`;
/** In net presentation the royaltors' share leaves the income of its invoice. */
const isShare = sql`(t.kind = 'royalty_cost' and (a.class = 'income' or a.system_key = 'deferred_income')
  and ${billed(sql`e`)})`;

interface LineRow {
  document_id: number;
  transaction_id: number;
  on: string;
  kind: string;
  account_id: number;
  is_profit: boolean;
  is_deferred: boolean;
  is_item: boolean;
  is_tax: boolean;
  part: string;
  base_minor: number;
}
/** Net of an invoice's lines by account: all of it, the part with royalties, and what was income when billed. */
interface WeightRow { document_id: number; account_id: number; net: number; shared: number; direct: number }
interface SettledRow { document_id: number; side: number; on: string; by: number; base_minor: number }

/** Documents that opened, were settled, or lost a share in the days; an invoice that deposits paid opens no item. */
async function documentIds(db: Queryable, { division, from, to }: Span): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
  with documents as materialized (
    select i.transaction_id as id from open_items i
    where i.division = ${division} and i.opened_on between ${from} and ${to}
    union
    select i.transaction_id from allocations l cross join lateral (values (l.debit_item_id), (l.credit_item_id)) x (id)
      join open_items i on i.id = x.id
    where l.allocated_at between ${from} and ${to} and i.division = ${division}
    union
    select i.transaction_id from transactions t join invoices i on i.transaction_id = t.id
    where t.division = ${division} and t.transaction_at between ${from} and ${to}
    union
    select i.transaction_id from transactions t join journal_entries e on e.transaction_id = t.id
      join invoices i on i.id = e.invoice_id and i.transaction_id is not null
    where t.division = ${division} and t.kind = 'royalty_cost' and t.transaction_at between ${from} and ${to})
  select d.id from documents d join transactions t on t.id = d.id join transaction_kinds k on k.kind = t.kind
  where ${COUNTS} and exists (select 1 from journal_entries e join ledger_accounts a on a.id = e.ledger_account_id
    where e.transaction_id = d.id and (a.class in ('income', 'expense') or a.system_key = 'deferred_income'))`);
  return rows.map((row) => row.id);
}

const keptOf = (ids: readonly number[]): Sql =>
  sql`kept as materialized (select unnest(${[...ids]}::bigint[]) as id)`;

/** Show and class of the line where they are told apart. */
const partOf = (of: BasisChoice, where = sql`true`): Sql =>
  (of.parts ? sql`case when ${where} then ${partKey(sql`e`)} else '' end` : sql`''`);

async function documentLines(db: Queryable, span: Span, ids: readonly number[], of: BasisChoice): Promise<LineRow[]> {
  const facts = sql`a.id as account_id, a.class in ('income', 'expense') as is_profit,
    a.system_key = 'deferred_income' is true as is_deferred,
    coalesce(a.is_tax or a.party_types = '{tax_authority}', false) as is_tax,
    ${partOf(of, sql`a.class in ('income', 'expense') or a.system_key = 'deferred_income'`)} as part`;
  return await db.query<LineRow>(sql`
    with ${keptOf(ids)}
    select t.id as document_id, t.id as transaction_id, t.transaction_at as on, t.kind, ${facts},
      exists (select 1 from open_items i where i.journal_entry_id = e.id) as is_item,
      e.base_amount_minor as base_minor, e.line_no
    from kept d join transactions t on t.id = d.id join journal_entries e on e.transaction_id = t.id
      join ledger_accounts a on a.id = e.ledger_account_id
    union all
    select d.id, t.id, t.transaction_at, t.kind, ${facts}, false, e.base_amount_minor, e.line_no
    from kept d join invoices i on i.transaction_id = d.id join journal_entries e on e.invoice_id = i.id
      join transactions t on t.id = e.transaction_id join ledger_accounts a on a.id = e.ledger_account_id
    where t.status in ('posted', 'reversed') and t.transaction_at <= ${span.to} and ${isShare}
    order by 1, 3, 2, line_no`);
}

/** Income that the deferred income of a document becomes: its lines, less the income recognized when billed. */
async function deferredWeights(db: Queryable, span: Span, ids: readonly number[]): Promise<WeightRow[]> {
  return await db.query<WeightRow>(sql`
    with ${keptOf(ids)},
    items as (
      select d.id as document_id, coalesce(n.account_code, ${INCOME.fees}) as code, sum(n.net_minor) as net,
        sum(n.net_minor) filter (where n.royalty_bearing) as shared
      from kept d join invoices i on i.transaction_id = d.id and i.opening_set_id is null
        join invoice_items n on n.invoice_id = i.id
      group by 1, 2)
    select x.document_id, a.id as account_id, x.net::bigint as net, coalesce(x.shared, 0)::bigint as shared,
      coalesce((select abs(sum(e.amount_minor)) from journal_entries e
        where e.transaction_id = x.document_id and e.ledger_account_id = a.id), 0)::bigint as direct
    from items x join ledger_accounts a on a.division = ${span.division} and a.code = x.code
    order by x.document_id, a.code`);
}

/** Applications up to the last day, in the base of the document's item. */
async function settlements(db: Queryable, span: Span, ids: readonly number[]): Promise<SettledRow[]> {
  const of = (own: Sql, other: Sql, base: Sql): Sql => sql`
    select i.transaction_id as document_id, sign(i.original_minor)::int as side, l.allocated_at as on,
      o.transaction_id as by, ${base} as base_minor, l.id
    from kept d join open_items i on i.transaction_id = d.id join allocations l on ${own} = i.id
      join open_items o on o.id = ${other} where l.allocated_at <= ${span.to}`;
  return await db.query<SettledRow>(sql`
    with ${keptOf(ids)}
    ${of(sql`l.debit_item_id`, sql`l.credit_item_id`, sql`l.debit_base_minor`)}
    union all
    ${of(sql`l.credit_item_id`, sql`l.debit_item_id`, sql`l.credit_base_minor`)}
    order by 3, 6`);
}

function roleOf(row: LineRow): BasisLine['role'] {
  if (row.is_item) return 'item';
  return row.is_tax ? 'tax' : row.is_profit ? 'profit' : 'other';
}

/** The line itself, or deferred income by what it becomes; of a share that is the lines with royalties. */
function partsOf(row: LineRow, weights: readonly WeightRow[]): BasisLine[] {
  const { part } = row;
  const plain: BasisLine = { account: row.account_id, part, role: roleOf(row), base: BigInt(row.base_minor) };
  if (!row.is_deferred) return [plain];
  const isLater = row.document_id !== row.transaction_id;
  const parts = deferredParts(plain.base, weights.map((one) => ({ account: one.account_id,
    weight: BigInt(isLater ? one.shared : Math.abs(one.net) - one.direct) })));
  return parts === null ? [plain] : parts.map((one) => ({ ...one, part, role: 'profit' as const }));
}

async function documents(db: Queryable, span: Span, of: BasisChoice): Promise<BasisDocument[]> {
  const ids = await documentIds(db, span);
  const lines = Map.groupBy(await documentLines(db, span, ids, of), (row) => row.document_id);
  const weights = Map.groupBy(await deferredWeights(db, span, ids), (row) => row.document_id);
  const settled = Map.groupBy(await settlements(db, span, ids), (row) => row.document_id);
  return [...lines].map(([id, rows]) => {
    const parts = rows.flatMap((row) => partsOf(row, weights.get(id) ?? []).map((part) => ({ row, part })));
    const own = parts.filter(({ row }) => row.transaction_id === id);
    const profit = own.reduce((total, { part }) => total + (part.role === 'profit' ? part.base : 0n), 0n);
    return { id, on: rows.find((row) => row.transaction_id === id)!.on, lines: own.map(({ part }) => part),
      later: parts.filter(({ row, part }) => row.transaction_id !== id && part.role === 'profit')
        .map(({ row, part: { account, part = '', base } }) => ({ on: row.on, by: row.transaction_id, account, part,
          base })),
      settled: (settled.get(id) ?? []).filter((row) => row.side > 0 === profit < 0n)
        .map((row) => ({ on: row.on, by: row.by, base: BigInt(row.base_minor) })) };
  });
}

interface RoyaltyRow {
  id: number;
  on: string;
  changes: { royaltor: number; base: number }[];
  costs: { account: number; part: string; base: number }[] | null;
}

/** Every posting on the accounts owed to royaltors up to the last day: what is paid now may be of any earlier one. */
async function royalties(db: Queryable, span: Span, of: BasisChoice): Promise<RoyaltyPosting[]> {
  const rows = await db.query<RoyaltyRow>(sql`
    with moved as (
      select e.transaction_id, e.party_id, sum(e.base_amount_minor)::bigint as base
      from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
      where a.division = ${span.division} and a.system_key in ${ROYALTIES} and e.transaction_at <= ${span.to}
      group by 1, 2),
    owed as (
      select transaction_id, jsonb_agg(jsonb_build_object('royaltor', party_id, 'base', base) order by party_id)
        as changes from moved group by 1),
    costs as (
      select transaction_id, jsonb_agg(jsonb_build_object('account', account_id, 'part', part, 'base', base)
        order by account_id, part) as costs
      from (
        select e.transaction_id, a.id as account_id, ${partOf(of)} as part, sum(e.base_amount_minor)::bigint as base
        from owed o join transactions t on t.id = o.transaction_id
          join journal_entries e on e.transaction_id = t.id
          join ledger_accounts a on a.id = e.ledger_account_id and a.class in ('income', 'expense')
        where not ${isShare} and not exists (select 1 from open_items i where i.transaction_id = t.id)
        group by 1, 2, 3) x group by 1)
    select t.id, t.transaction_at as on, o.changes, c.costs
    from owed o join transactions t on t.id = o.transaction_id join transaction_kinds k on k.kind = t.kind
      left join costs c on c.transaction_id = t.id
    where ${COUNTS} order by t.transaction_at, t.id`);
  const big = <T extends { base: number }>(one: T) => ({ ...one, base: BigInt(one.base) });
  return rows.map((row) => ({ id: row.id, on: row.on, changes: row.changes.map(big),
    costs: (row.costs ?? []).map(big) }));
}

/** Income and expense of the days that wait for no payment. */
async function atOnce(db: Queryable, span: Span, of: BasisChoice): Promise<Recognized[]> {
  const rows = await db.query<{ account: number; on: string; by: number; part: string; minor: number }>(sql`
    select e.ledger_account_id as account, t.transaction_at as on, ${of.each ? sql`t.id` : sql`0::bigint`} as by,
      ${partOf(of)} as part, sum(e.base_amount_minor)::bigint as minor
    from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
      join transactions t on t.id = e.transaction_id join transaction_kinds k on k.kind = t.kind
    where a.division = ${span.division} and a.class in ('income', 'expense')
      and e.transaction_at between ${span.from} and ${span.to} and ${COUNTS}
      and not (t.kind = 'release' and ${billed(sql`e`)})
      and not exists (select 1 from open_items i where i.transaction_id = t.id)
      and not exists (select 1 from invoices i where i.transaction_id = t.id)
      and not exists (select 1 from journal_entries r join ledger_accounts b on b.id = r.ledger_account_id
        where r.transaction_id = t.id and b.system_key in ${ROYALTIES})
    group by 1, 2, 3, 4 having sum(e.base_amount_minor) <> 0`);
  return rows.map((row) => ({ ...row, document: row.by, minor: BigInt(row.minor) }));
}

/** Recognized amounts, debits positive. */
export async function cashBasis(db: Queryable, span: Span, of: BasisChoice): Promise<Recognized[]> {
  const made = [...(await documents(db, span, of)).flatMap(documentBasis),
    ...royaltyBasis(await royalties(db, span, of))];
  return [...made.filter((one) => one.on >= span.from && one.on <= span.to), ...await atOnce(db, span, of)];
}
