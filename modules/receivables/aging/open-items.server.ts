/** Open receivables on a day: items opened by then, less amounts applied by then (accounting.md 3.6). */
import type { Currency } from '#kernel/money/money.ts';
import { agingBucket, type AgingBucket } from '#kernel/receivables/aging.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface OpenItem {
  customer_id: number;
  customer_name: string;
  division: string;
  currency: Currency;
  /** Of a debit; what is on account has none. */
  bucket: AgingBucket | 'unapplied';
  open_minor: number;
  open_base_minor: number;
}

interface Row extends Omit<OpenItem, 'bucket'> { due_date: string; debit: boolean }

/** Open items of 1100 of a division or a customer, one by one; the aging and the finance page read these alone. */
export async function openReceivables(
  ctx: Pick<WorkContext, 'db'>, of: { division?: string; customer_id?: number }, asOf: string,
): Promise<OpenItem[]> {
  const rows = await ctx.db.query<Row>(sql`
    select i.party_id as customer_id, c.name as customer_name, i.division, i.currency, i.due_date,
      i.original_minor > 0 as debit, i.original_minor - coalesce(a.amount, 0)::bigint as open_minor,
      i.original_base_minor - coalesce(a.base, 0)::bigint as open_base_minor
    from open_items i join ledger_accounts l on l.id = i.ledger_account_id and l.system_key = 'ar'
      join customers c on c.id = i.party_id
      left join lateral (
        select sum(case when i.original_minor > 0 then x.amount_minor else -x.amount_minor end) as amount,
          sum(case when i.original_minor > 0 then x.debit_base_minor else -x.credit_base_minor end) as base
        from allocations x where x.allocated_at <= ${asOf}
          and (x.debit_item_id = i.id or x.credit_item_id = i.id)) a on true
    where (${of.division ?? null}::text is null or i.division = ${of.division ?? null})
      and (${of.customer_id ?? null}::bigint is null or i.party_id = ${of.customer_id ?? null})
      and i.opened_on <= ${asOf} and i.party_type = 'customer'
      and (i.original_minor <> coalesce(a.amount, 0) or i.original_base_minor <> coalesce(a.base, 0))`);
  return rows.map(({ due_date, debit, ...row }) => ({ ...row,
    bucket: debit ? agingBucket(due_date, asOf) : 'unapplied' }));
}
