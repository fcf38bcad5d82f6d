/**
 * I11: what royalties say is owed, waits, is prepaid, advanced or reserved, against the accounts of the ledger, per
 * royaltor and currency, in that currency and in the division's own. Revaluation is no part of the sub-ledger and
 * stands outside (accounting.md 2.2, row 20).
 */
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { agentOf } from '../statements/statement-agent.server.ts';
import { tieOutEndpoints, type TieOutRow as Row } from './tie-out.contract.ts';

/** Both sides per account; rows that agree are left out on request. */
export async function tieOut(db: Queryable, division: string, onlyDifferences = false): Promise<Row[]> {
  const rows = await db.query<Omit<Row, 'difference_minor' | 'functional_difference_minor'>>(sql`
    with ${royaltySide(division)}, ${ledgerSide(division)}, both_sides as (
      select account, royaltor_id, currency, minor as royalties, functional as royalties_functional,
        0::numeric as ledger, 0::numeric as ledger_functional from royalties
      union all select account, royaltor_id, currency, 0, 0, minor, functional from ledger)
    select x.account, x.royaltor_id, r.name as royaltor_name, x.currency, sum(x.royalties)::bigint as royalties_minor,
      sum(x.ledger)::bigint as ledger_minor, sum(x.royalties_functional)::bigint as royalties_functional_minor,
      sum(x.ledger_functional)::bigint as ledger_functional_minor
    from both_sides x join royaltors r on r.id = x.royaltor_id
    group by x.account, x.royaltor_id, r.name, x.currency
    having sum(x.royalties) <> 0 or sum(x.ledger) <> 0 or sum(x.royalties_functional) <> 0
      or sum(x.ledger_functional) <> 0
    order by x.account, r.name collate "und-x-icu", x.royaltor_id, x.currency`);
  const all = rows.map((row) => ({ ...row, difference_minor: row.ledger_minor - row.royalties_minor,
    functional_difference_minor: row.ledger_functional_minor - row.royalties_functional_minor }));
  return onlyDifferences ? all.filter(differs) : all;
}

function differs(row: Row): boolean {
  return row.difference_minor !== 0 || row.functional_difference_minor !== 0;
}

/** Per account, royaltor and currency: the lines that were shared, the statements, the advances and the reserves. */
function royaltySide(division: string): Sql {
  return sql`
    lines as (
      select coalesce(l.part_of_id, l.id) as line, g.royaltor_id, a.show_royaltor_id, a.currency,
        sum(a.amount_minor) filter (where a.cost_on is not null) as cost,
        sum(a.amount_minor) filter (where a.due_on is not null) as due,
        coalesce(sum(a.functional_minor) filter (where a.cost_on is not null), 0)
          - coalesce(sum(a.functional_minor) filter (where a.due_on is not null), 0) as gap_functional,
        sum(a.functional_minor) filter (where a.due_on is not null and not exists (select 1 from royalty_statements m
          where m.id = a.statement_id and m.issued_at is not null)) as due_functional,
        case when (select count(distinct o.royalty_presentation) from show_royaltors o where o.show_id = g.show_id
          and o.role <> 'house' and o.status <> 'draft' and o.deleted_at is null) = 1
          then g.royalty_presentation else s.royalty_presentation end = 'net' as net
      from royalty_accruals a join royalty_allocations l on l.id = a.royalty_allocation_id
        join show_royaltors g on g.id = a.show_royaltor_id join shows s on s.id = g.show_id
      where a.division = ${division}
      group by 1, 2, 3, 4, s.royalty_presentation, g.royalty_presentation, g.show_id
    ), statements as (
      select m.royaltor_id, m.currency,
        sum(m.adjustments_minor + m.top_up_minor - m.recouped_minor - m.reserves_taken_minor
          + m.reserves_released_minor - m.paid_minor - m.withheld_minor
          + case when m.payable_minor > 0 or m.paid_minor > 0 then m.vat_minor - m.agent_minor else 0 end) as moved,
        sum(m.reserves_taken_minor - m.reserves_released_minor) as reserved, sum(m.carried_minor) as functional
      from royalty_statements m where m.division = ${division} and m.issued_at is not null group by 1, 2
    ), agents as (
      select p.royaltor_id, p.currency, sum(p.agent) as owed, sum(p.functional) as functional from (
        select ${agentOf(sql`m`)} as royaltor_id, m.currency, m.agent_carried_minor as functional,
          m.agent_minor - coalesce((select sum(x.paid_minor)
            from royalty_payment_statements x join payments z on z.id = x.payment_id
            where x.royalty_statement_id = m.id and x.wht_base_minor = 0 and z.status in ('posted', 'cleared')), 0)
            as agent
        from royalty_statements m
        where m.division = ${division} and m.issued_at is not null and m.agent_minor > 0) p group by 1, 2
    ), royalties as (
      select '2200' as account, royaltor_id, currency, sum(coalesce(due, 0)) as minor,
        sum(coalesce(due_functional, 0)) as functional from lines group by 2, 3
      union all select '2200', royaltor_id, currency, moved, functional from statements
      union all select '2200', royaltor_id, currency, owed, functional from agents
      union all select '2200', royaltor_id, currency, sum(opening_balance_minor), sum(opening_carried_minor)
        from show_royaltors where payer_division = ${division} and opening_transaction_id is not null group by 2, 3
      union all select '2205', royaltor_id, currency, reserved, 0 from statements
      union all select '2205', g.royaltor_id, v.currency, 0,
        sum(v.taken_functional_minor - v.released_functional_minor)
        from royalty_reserves v join show_royaltors g on g.id = v.show_royaltor_id
        where v.division = ${division} group by 2, 3
      union all select '2210', royaltor_id, currency,
        sum(case when net then coalesce(cost, 0) - coalesce(due, 0)
          else greatest(coalesce(cost, 0) - coalesce(due, 0), 0) end),
        sum(case when net or coalesce(cost, 0) > coalesce(due, 0) then gap_functional else 0 end)
        from lines group by 2, 3
      union all select '1140', royaltor_id, currency,
        sum(case when net then 0 else greatest(coalesce(due, 0) - coalesce(cost, 0), 0) end),
        sum(case when net or coalesce(cost, 0) >= coalesce(due, 0) then 0 else -gap_functional end)
        from lines group by 2, 3
      union all select '1150', g.royaltor_id, a.currency, sum(a.unrecouped_minor),
        sum(a.paid_functional_minor - a.recouped_functional_minor)
        from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id
        where a.division = ${division} group by 2, 3
    )`;
}

/** The accounts of the ledger, owed and held as positive amounts, without what revaluation added. */
function ledgerSide(division: string): Sql {
  return sql`
    accounts as (
      select id, code, case when code in ('1140', '1150') then 1 else -1 end as sign from ledger_accounts
      where division = ${division} and code in ('2200', '2205', '2210', '1140', '1150')
    ), ledger as (
      select c.code as account, b.party_id as royaltor_id, b.currency, sum(b.debit_minor - b.credit_minor) * c.sign
        as minor, sum(b.base_debit_minor - b.base_credit_minor) * c.sign as functional
      from party_balances b join accounts c on c.id = b.ledger_account_id
      where b.party_type = 'royaltor' group by 1, 2, 3, c.sign
      union all select c.code, e.party_id, e.currency, 0, -sum(e.base_amount_minor) * c.sign
      from journal_entries e join accounts c on c.id = e.ledger_account_id
        join transactions t on t.id = e.transaction_id join transaction_kinds k on k.kind = t.kind
      where e.party_type = 'royaltor' and k.is_revaluation and t.status in ('posted', 'reversed')
      group by 1, 2, 3, c.sign
    )`;
}

export const tieOutRoutes: readonly Route[] = serve(tieOutEndpoints, {
  async report(ctx, { query }) {
    const all = await tieOut(ctx.db, query.division);
    const different = all.filter(differs);
    return { data: { division: query.division, currency: FUNCTIONAL_CURRENCY[query.division],
      rows: query.only_differences === 'true' ? different : all, differences: different.length } };
  },
});
