/**
 * Exchange gains and losses: what is on the two accounts, by account, party and document (accounting.md 3.7).
 * Closing entries are left out, as in profit and loss.
 */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { partyName } from '../revaluation/foreign-balances.server.ts';
import { accountMovements, check, type Check } from './balances.server.ts';
import { COUNTS, type Span } from './cash-flows.server.ts';

export interface RealizedRow {
  id: number;
  transaction_id: number;
  transaction_at: string;
  description: string;
  account: string | null;
  party_name: string | null;
  document: string | null;
  currency: string | null;
  /** In the foreign currency, where a document was settled. */
  settled_minor: number | null;
  /** Units of the division's currency per foreign one: of the document, and of what settled it. */
  document_rate: string | null;
  settlement_rate: string | null;
  gain_minor: number;
}
export interface UnrealizedRow {
  ledger_account_id: number;
  account: string;
  account_name: string;
  party_type: string | null;
  party_id: number | null;
  party_name: string | null;
  currency: string;
  gain_minor: number;
}

/** Lines of account 7000, newest first, with the application that made each. */
async function realized(db: Queryable, { division, from, to }: Span, of: { page: number; per_page: number }) {
  return db.query<RealizedRow & { total: number; total_minor: number }>(sql`
    with lines as (
      select e.id, e.transaction_id, e.transaction_at, e.base_amount_minor,
        coalesce(t.reverses_id, t.id) as original_id, t.description, count(*) over () as total,
        (-sum(e.base_amount_minor) over ())::bigint as total_minor
      from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
        join transactions t on t.id = e.transaction_id and ${COUNTS}
      where a.division = ${division} and a.system_key = 'fx_realised' and e.transaction_at between ${from} and ${to}
      order by e.transaction_at desc, e.id desc limit ${of.per_page} offset ${(of.page - 1) * of.per_page})
    select l.id, l.transaction_id, l.transaction_at, l.description, s.account, ${partyName(sql`s`)} as party_name,
      coalesce((select n.number from ledger_document(x.document_type, x.document_id) n limit 1),
        (select n.number from ledger_source(l.original_id) o, ledger_document(o.source_type, o.source_id) n limit 1))
        as document,
      coalesce(x.currency, s.currency) as currency, x.amount_minor as settled_minor,
      trim_scale(round(x.document_base::numeric / x.amount_minor, 6))::text as document_rate,
      trim_scale(round(x.settlement_base::numeric / x.amount_minor, 6))::text as settlement_rate,
      -l.base_amount_minor as gain_minor, l.total, l.total_minor
    from lines l
      left join lateral (
        select p.amount_minor, i.currency, i.document_type, i.document_id,
          case when i.id = d.id then p.debit_base_minor else p.credit_base_minor end as document_base,
          case when i.id = d.id then p.credit_base_minor else p.debit_base_minor end as settlement_base
        from allocations p join open_items d on d.id = p.debit_item_id join open_items c on c.id = p.credit_item_id
          join open_items i on i.id = case when c.document_type = 'bill' then c.id else d.id end
        where p.fx_transaction_id = l.original_id and p.reverses_id is null limit 1) x on true
      left join lateral (
        select a.code as account, e.party_type, e.party_id, e.currency from journal_entries e
          join ledger_accounts a on a.id = e.ledger_account_id join divisions d on d.code = a.division
        where e.transaction_id = l.transaction_id and e.id <> l.id and e.currency <> d.functional_currency
        order by e.party_id nulls last, e.line_no limit 1) s on true
    order by l.transaction_at desc, l.id desc`);
}

/** Effect of postings on account 7010 on the accounts on their other side. */
const unrealized = (db: Queryable, { division, from, to }: Span): Promise<UnrealizedRow[]> => db.query(sql`
  select x.ledger_account_id, x.account, x.account_name, x.party_type, x.party_id, ${partyName(sql`x`)} as party_name,
    x.currency, x.gain_minor
  from (
    select a.id as ledger_account_id, a.code as account, a.name as account_name, e.party_type, e.party_id, e.currency,
      sum(e.base_amount_minor)::bigint as gain_minor
    from (select distinct l.transaction_id from ledger_accounts f join journal_entries l on l.ledger_account_id = f.id
        where f.division = ${division} and f.system_key = 'fx_unrealised'
          and l.transaction_at between ${from} and ${to}) m
      join transactions t on t.id = m.transaction_id and ${COUNTS}
      join journal_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.ledger_account_id
    where a.system_key is distinct from 'fx_unrealised'
    group by a.id, e.party_type, e.party_id, e.currency having sum(e.base_amount_minor) <> 0) x
  order by x.account, x.currency, x.party_type, x.party_id`);

export interface ExchangeReport {
  realized: RealizedRow[];
  total: number;
  realized_minor: number;
  unrealized: UnrealizedRow[];
  unrealized_minor: number;
  checks: Check[];
}

export async function exchangeReport(db: Queryable, span: Span, of: { page: number; per_page: number }):
Promise<ExchangeReport> {
  const rows = await realized(db, span, of);
  const others = await unrealized(db, span);
  const moved = await accountMovements(db, { division: span.division, from: span.from, as_of: span.to,
    without_year_end_close: true });
  const keyed = await db.query<{ id: number; system_key: string }>(sql`
    select id, system_key from ledger_accounts where division = ${span.division}
      and system_key in ('fx_realised', 'fx_unrealised')`);
  const onAccount = (key: string): number => {
    const id = keyed.find((row) => row.system_key === key)?.id;
    const row = moved.find((one) => one.account_id === id);
    return row ? row.credit_minor - row.debit_minor : 0;
  };
  const unrealizedTotal = others.reduce((sum, row) => sum + row.gain_minor, 0);
  const realizedTotal = rows[0]?.total_minor ?? (of.page > 1 ? onAccount('fx_realised') : 0);
  return {
    realized: rows.map(({ total: _total, total_minor: _sum, ...row }) => row), total: rows[0]?.total ?? 0,
    realized_minor: realizedTotal, unrealized: others, unrealized_minor: unrealizedTotal,
    checks: [check('realized_equals_account', onAccount('fx_realised'), realizedTotal),
      check('unrealized_equals_account', onAccount('fx_unrealised'), unrealizedTotal)],
  };
}
