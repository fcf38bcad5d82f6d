/** Items of accounts payable as they were open at the end of a day: opened by then, less what was applied by then. */
import type { Currency } from '#kernel/money/money.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';

export interface OpenPayable {
  id: number;
  transaction_id: number;
  document_type: string | null;
  document_id: number | null;
  division: string;
  party_type: string;
  party_id: number;
  party_name: string;
  currency: Currency;
  opened_on: string;
  due_date: string;
  /** Owed by the house; false: a credit, or a payment that is applied to nothing. */
  owed: boolean;
  /** Positive: owed by the house. */
  original_minor: number;
  open_minor: number;
  open_base_minor: number;
}

/** `where` is a condition on the open item `i`. */
export function openPayables(ctx: Pick<WorkContext, 'db'>, where: Sql, asOf: string): Promise<OpenPayable[]> {
  return ctx.db.query<OpenPayable>(sql`
    select i.id, i.transaction_id, i.document_type, i.document_id, i.division, i.party_type,
      coalesce(v.id, i.party_id) as party_id,
      coalesce(v.name, c.name, r.name, concat_ws(' ', u.first_name, u.last_name)) as party_name, i.currency,
      i.opened_on, i.due_date, i.original_minor < 0 as owed, (-i.original_minor)::bigint as original_minor,
      coalesce(a.amount, 0)::bigint - i.original_minor as open_minor,
      coalesce(a.base, 0)::bigint - i.original_base_minor as open_base_minor
    from open_items i join ledger_accounts l on l.id = i.ledger_account_id and l.system_key = 'ap'
      left join vendors v on i.party_type = 'vendor' and v.id = ${currentVendor(sql`i.party_id`)}
      left join customers c on i.party_type = 'customer' and c.id = i.party_id
      left join royaltors r on i.party_type = 'royaltor' and r.id = i.party_id
      left join users u on i.party_type = 'staff' and u.id = i.party_id
      left join lateral (
        select sum(case when i.original_minor > 0 then x.amount_minor else -x.amount_minor end) as amount,
          sum(case when i.original_minor > 0 then x.debit_base_minor else -x.credit_base_minor end) as base
        from allocations x where x.allocated_at <= ${asOf}
          and (x.debit_item_id = i.id or x.credit_item_id = i.id)) a on true
    where ${where} and i.opened_on <= ${asOf}
      and (i.original_minor <> coalesce(a.amount, 0) or i.original_base_minor <> coalesce(a.base, 0))
    order by i.opened_on, i.id`);
}
