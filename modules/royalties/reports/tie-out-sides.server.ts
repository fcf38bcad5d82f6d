/** The two sides of the tie-out as one query: what royalties say and what the ledger says, by account and royaltor. */
import { sql, type Sql } from '#server/sql.ts';
import { agentOf } from '../statements/statement-agent.server.ts';

/** Rows of account, royaltor_id, currency and both sides in both currencies; what is nothing on both is left out. */
export function tieOutOf(division: string): Sql {
  return sql`
    with ${royaltySide(division)}, ${ledgerSide(division)}, both_sides as (
      select account, royaltor_id, currency, minor as royalties, functional as royalties_functional,
        0::numeric as ledger, 0::numeric as ledger_functional from royalties
      union all select account, royaltor_id, currency, 0, 0, minor, functional from ledger)
    select account, royaltor_id, currency, sum(royalties)::bigint as royalties_minor,
      sum(ledger)::bigint as ledger_minor, sum(royalties_functional)::bigint as royalties_functional_minor,
      sum(ledger_functional)::bigint as ledger_functional_minor
    from both_sides group by account, royaltor_id, currency
    having sum(royalties) <> 0 or sum(ledger) <> 0 or sum(royalties_functional) <> 0 or sum(ledger_functional) <> 0`;
}

/**
 * Per account, royaltor and currency: the lines that were shared, the statements, the advances and the reserves. What
 * is owed by statements (2200) is the balance that the last one of each subject closed with and what the payments of
 * all of them will still take: a balance that the next statement did not carry is a difference.
 */
function royaltySide(division: string): Sql {
  return sql`
    lines as (
      select coalesce(l.part_of_id, l.id) as line, g.royaltor_id, a.show_royaltor_id, a.currency,
        sum(a.amount_minor) filter (where a.cost_on is not null) as cost,
        sum(a.amount_minor) filter (where a.due_on is not null) as due,
        sum(a.amount_minor) filter (where a.due_on is not null and not exists (select 1 from royalty_statements m
          where m.id = a.statement_id and m.issued_at is not null)) as due_open,
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
    ), issued as (
      select m.royaltor_id, m.currency, m.closing_minor, m.carried_minor, m.reserves_taken_minor,
        m.reserves_released_minor, case when m.status = 'paid' or m.payable_minor = 0 then 0
          else m.payable_minor + m.expected_wht_minor end as to_pay,
        row_number() over (partition by m.show_royaltor_id, m.cross_collateral_group_id, m.currency
          order by m.period_to desc, m.id desc) = 1 as is_last
      from royalty_statements m where m.division = ${division} and m.issued_at is not null
    ), statements as (
      select royaltor_id, currency,
        sum(to_pay + case when is_last then closing_minor - to_pay else 0 end) as owed,
        sum(reserves_taken_minor - reserves_released_minor) as reserved, sum(carried_minor) as functional
      from issued group by 1, 2
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
      select '2200' as account, royaltor_id, currency, sum(coalesce(due_open, 0)) as minor,
        sum(coalesce(due_functional, 0)) as functional from lines group by 2, 3
      union all select '2200', royaltor_id, currency, owed, functional from statements
      union all select '2200', royaltor_id, currency, owed, functional from agents
      union all select '2200', royaltor_id, currency,
        sum(case when opening_statement_id is null then opening_balance_minor else 0 end), sum(opening_carried_minor)
        from show_royaltors where payer_division = ${division} and opening_transaction_id is not null group by 2, 3
      union all ${givenBack(division)}
      union all select '2205', royaltor_id, currency, reserved, 0 from statements
      union all select '2205', g.royaltor_id, v.currency,
        coalesce(sum(v.taken_minor) filter (where v.statement_id is null and v.taken_back_on is null), 0),
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

/** Recoupments of returned advances, until a statement carries them. */
const givenBack = (division: string): Sql => sql`
  select '2200', g.royaltor_id, j.currency, sum(j.amount_minor), sum(j.carried_minor)
  from royalty_adjustments j join show_royaltors g on g.id = j.show_royaltor_id
  where j.division = ${division} and j.royalty_advance_id is not null and not exists (select 1
    from royalty_statements m where m.id = j.statement_id and m.issued_at is not null) group by 2, 3`;

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
