/** Royalties as sentences that the database can contradict; the integrity report of accounting runs them. */
import { DIVISIONS } from '#kernel/money/division.ts';
import { spell } from '#kernel/text/english.ts';
import type { Invariant } from '#modules/accounting/report/integrity-types.ts';
import { sql, type Sql } from '#server/sql.ts';
import { tieOutOf } from './reports/tie-out-sides.server.ts';

const LIVE = sql`('draft', 'approved', 'posted', 'cleared')`;
const PAID = sql`('posted', 'cleared')`;

/** Of the accounts of statements, reserves and advances; the tie-out shows those of single lines besides. */
const tieOutOfAll = (): Sql => DIVISIONS.map((division) => sql`
    select ${division}::text as division, t.* from (${tieOutOf(division)}) t
    where t.account in ('2200', '2205', '1150') and (t.royalties_minor, t.royalties_functional_minor)
      is distinct from (t.ledger_minor, t.ledger_functional_minor)`)
  .reduce((all, one) => sql`${all} union all ${one}`);

export const ROYALTY_INVARIANTS: readonly Invariant[] = [
  {
    key: 'paid_once',
    title: spell`A statement, its agent's part and an advance stand in one payment that is not canceled or returned.`,
    violations: sql`
      select c.royalty_statement_id, c.royalty_advance_id, c.is_agent, array_agg(p.number order by p.id) as payments
      from royalty_payment_conversions c join payments p on p.id = c.payment_id where p.status in ${LIVE}
      group by 1, 2, 3 having count(*) > 1`,
  },
  {
    key: 'statements',
    title: 'Amounts paid and withheld on a statement equal those of its payments and never exceed the statement.',
    violations: sql`
      select m.division, m.id as royalty_statement_id, m.number, m.status, m.paid_minor, m.withheld_minor,
        coalesce(x.paid, 0)::bigint as payments_minor, coalesce(x.withheld, 0)::bigint as payments_withheld_minor
      from royalty_statements m left join (
        select s.royalty_statement_id, sum(s.paid_minor) as paid, sum(s.wht_minor) as withheld
        from royalty_payment_statements s join payments p on p.id = s.payment_id
        where p.status in ${PAID} and s.wht_base_minor > 0 group by 1) x on x.royalty_statement_id = m.id
      where (m.paid_minor, m.withheld_minor) is distinct from (coalesce(x.paid, 0), coalesce(x.withheld, 0))
        or m.paid_minor + m.withheld_minor > m.payable_minor + m.expected_wht_minor
        or (m.status = 'paid') <> (m.paid_minor > 0)`,
  },
  {
    key: 'statements_carry',
    title: 'A statement opens with what the one before it closed with, and with what the agreement brought forward.',
    violations: sql`
      select n.division, n.id as royalty_statement_id, n.number, n.opening_minor, n.before_minor + n.brought as carried
      from (select m.*, coalesce(lag(m.closing_minor + m.paid_minor + m.withheld_minor
            - case when m.payable_minor = 0 then 0 else m.payable_minor + m.expected_wht_minor end)
          over (partition by m.show_royaltor_id, m.cross_collateral_group_id, m.division, m.currency
            order by m.period_to, m.id), 0) as before_minor,
        coalesce((select sum(g.opening_balance_minor) from show_royaltors g
          where g.opening_statement_id = m.id), 0) as brought
        from royalty_statements m where m.issued_at is not null) n
      where n.opening_minor <> n.before_minor + n.brought`,
  },
  {
    key: 'royalty_documents',
    title: 'Issued statements, royaltor payments and paid advances have a posting that is not reversed.',
    violations: sql`
      select m.division, m.id as royalty_statement_id, null::bigint as payment_id, null::bigint as royalty_advance_id,
        t.id as transaction_id from royalty_statements m join transactions t on t.id = m.transaction_id
      where m.issued_at is not null and t.status <> 'posted'
      union all
      select p.division, null, p.id, null, p.transaction_id from payments p
        left join transactions t on t.id = p.transaction_id
      where p.royalty_payment_batch_id is not null
        and (p.status in ${PAID} and t.status is distinct from 'posted'
          or p.status in ('returned', 'reversed') and t.status is distinct from 'reversed')
      union all
      select a.division, null, p.id, a.id, p.transaction_id from royalty_advances a
        left join payments p on p.id = a.payment_id
      where a.status = 'paid' and a.payment_id is not null and p.status not in ${PAID}`,
  },
  {
    key: 'royalty_tie_out',
    title: 'Statement balances, reserves and unrecouped advances equal the ledger.',
    violations: tieOutOfAll(),
  },
];
