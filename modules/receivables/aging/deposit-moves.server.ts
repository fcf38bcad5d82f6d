/**
 * Deposits on the statement of account. They are the customer's own money until they are used, so they stand beside the
 * balance and never in it; gross, as they were paid.
 */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { DepositLine } from './aging.contract.ts';

export interface DepositMove extends Omit<DepositLine, 'balance_minor'> {
  division: string;
  currency: string;
}

/** Amounts received, applied, refunded and kept of a customer's deposits up to a day, in date order. */
export function depositMoves(ctx: Pick<WorkContext, 'db'>, customerId: number, to: string): Promise<DepositMove[]> {
  return ctx.db.query<DepositMove>(sql`
    select * from (
      select d.division, d.currency, t.transaction_at as on, 'received' as kind, p.number,
        d.amount_minor::bigint as amount_minor, t.id as transaction_id
      from deposits d join licenses l on l.id = d.license_id join transactions t on t.id = d.transaction_id
        left join payments p on p.id = d.payment_id
      where l.customer_id = ${customerId} and d.status in ('held', 'settled')
      union all
      select d.division, d.currency, coalesce(t.transaction_at, x.created_at::date),
        case when x.type = 'apply' then 'applied' when x.type <> 'refund' then 'kept'
          when p.status = 'posted' then 'refunded' else 'refund_due' end,
        coalesce(i.invoice_number, p.number), -x.amount_minor::bigint, coalesce(t.id, 0)
      from deposit_dispositions x join deposits d on d.id = x.deposit_id join licenses l on l.id = d.license_id
        left join transactions t on t.id = x.transaction_id left join invoices i on i.id = x.invoice_id
        left join payments p on p.id = x.payment_id
      where l.customer_id = ${customerId} and d.status in ('held', 'settled')) m
    where m.on <= ${to} order by m.on, m.kind = 'received' desc, m.transaction_id`);
}
