/** Filed sales tax returns against the ledger, and credits with the states: used once, never beyond what there is. */
import { sql } from '#server/sql.ts';

export const SALES_TAX_INVARIANTS = [
  {
    key: 'credits_of_sales_tax', title: 'Returns of a state use no more credit than earlier ones left.',
    violations: sql`
      select division, state, id as tax_return_id, left_minor from (
        select t.*, sum(case when carries_credit then -net_minor else 0 end - credit_minor)
          over (partition by division, state order by period_from)::bigint as left_minor
        from tax_returns t where state is not null and status = 'filed') x
      where left_minor < 0`,
  },
  {
    key: 'sales_tax_of_returns',
    title: 'Filed sales tax returns leave on sales tax payable what they say: a credit, or nothing once billed.',
    // Tax of the return's lines, less the tax that its own posting and its bill take off the account.
    violations: sql`
      select division, state, tax_return_id, left_minor, expected_minor from (
        select t.division, t.state, t.id as tax_return_id,
          (select coalesce(sum(i.tax_minor), 0) from tax_return_items i
            where i.tax_return_id = t.id and i.source = 'sales_line')
          - (select coalesce(sum(e.base_amount_minor), 0) from journal_entries e
              join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'sales_tax'
            where e.transaction_id in (t.transaction_id, b.transaction_id)) as left_minor,
          case when t.net_minor > 0 then t.credit_minor else t.net_minor + t.credit_minor end as expected_minor
        from tax_returns t left join bills b on b.tax_return_id = t.id and b.status <> 'void'
          and b.deleted_at is null
        where t.state is not null and t.status = 'filed' and (t.net_minor <= 0 or b.transaction_id is not null)) x
      where left_minor <> expected_minor`,
  },
] as const;
