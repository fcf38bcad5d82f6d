/**
 * I11: what royalties say is owed, waits, is prepaid, advanced or reserved, against the accounts of the ledger, per
 * royaltor and currency. Revaluation is no part of the sub-ledger and stands outside (accounting.md 2.2, row 20).
 */
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { tieOutEndpoints, type tieOutRow } from './tie-out.contract.ts';
import type * as z from 'zod';

type Row = z.infer<typeof tieOutRow>;

/** Both sides per account; rows that agree are left out on request. */
export async function tieOut(db: Queryable, division: string, onlyDifferences = false): Promise<Row[]> {
  const rows = await db.query<Omit<Row, 'difference_minor'>>(sql`
    with lines as (
      select coalesce(l.part_of_id, l.id) as line, g.royaltor_id, a.show_royaltor_id, a.currency,
        sum(a.amount_minor) filter (where a.cost_on is not null) as cost,
        sum(a.amount_minor) filter (where a.due_on is not null) as due,
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
        sum(m.reserves_taken_minor - m.reserves_released_minor) as reserved
      from royalty_statements m where m.division = ${division} and m.issued_at is not null group by 1, 2
    ), agents as (
      select y.royaltor_id, y.currency, sum(p.agent) as owed from (
        select g.agent_royaltor_id as royaltor_id, m.currency, m.id, m.agent_minor - coalesce((select sum(x.paid_minor)
          from royalty_payment_statements x join payments z on z.id = x.payment_id where x.royalty_statement_id = m.id
            and z.royaltor_id = g.agent_royaltor_id and z.royaltor_id <> m.royaltor_id
            and z.status in ('posted', 'cleared')), 0) as agent
        from royalty_statements m join show_royaltors g on g.id = m.show_royaltor_id
        where m.division = ${division} and m.issued_at is not null and m.agent_minor > 0) p
        join lateral (select p.royaltor_id, p.currency) y on true group by 1, 2
    ), royalties as (
      select '2200' as account, royaltor_id, currency, sum(coalesce(due, 0)) as minor from lines group by 2, 3
      union all select '2200', royaltor_id, currency, moved from statements
      union all select '2200', royaltor_id, currency, owed from agents
      union all select '2205', royaltor_id, currency, reserved from statements
      union all select '2210', royaltor_id, currency,
        sum(case when net then coalesce(cost, 0) - coalesce(due, 0)
          else greatest(coalesce(cost, 0) - coalesce(due, 0), 0) end) from lines group by 2, 3
      union all select '1140', royaltor_id, currency,
        sum(case when net then 0 else greatest(coalesce(due, 0) - coalesce(cost, 0), 0) end) from lines group by 2, 3
      union all select '1150', g.royaltor_id, a.currency, sum(a.unrecouped_minor)
        from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id
        where a.division = ${division} group by 2, 3
    ), ledger as (
      select c.code as account, b.party_id as royaltor_id, b.currency,
        sum(case when c.code in ('1140', '1150') then b.debit_minor - b.credit_minor
          else b.credit_minor - b.debit_minor end) as minor
      from party_balances b join ledger_accounts c on c.id = b.ledger_account_id
      where b.party_type = 'royaltor' and c.division = ${division}
        and c.code in ('2200', '2205', '2210', '1140', '1150') group by 1, 2, 3
    ), both_sides as (
      select account, royaltor_id, currency, sum(minor) as royalties, 0::numeric as ledger
      from royalties group by 1, 2, 3
      union all select account, royaltor_id, currency, 0, minor from ledger)
    select x.account, x.royaltor_id, r.name as royaltor_name, x.currency, sum(x.royalties)::bigint as royalties_minor,
      sum(x.ledger)::bigint as ledger_minor
    from both_sides x join royaltors r on r.id = x.royaltor_id
    group by x.account, x.royaltor_id, r.name, x.currency
    having sum(x.royalties) <> 0 or sum(x.ledger) <> 0
    order by x.account, r.name collate "und-x-icu", x.royaltor_id, x.currency`);
  const all = rows.map((row) => ({ ...row, difference_minor: row.ledger_minor - row.royalties_minor }));
  return onlyDifferences ? all.filter((row) => row.difference_minor !== 0) : all;
}

export const tieOutRoutes: readonly Route[] = serve(tieOutEndpoints, {
  async report(ctx, { query }) {
    const all = await tieOut(ctx.db, query.division);
    const rows = query.only_differences === 'true' ? all.filter((row) => row.difference_minor !== 0) : all;
    return { data: { division: query.division, rows,
      differences: all.filter((row) => row.difference_minor !== 0).length } };
  },
});
