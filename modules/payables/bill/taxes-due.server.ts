/** Tax that was withheld or collected, by authority: a bill of the authority's vendor takes it into the next run. */
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { OWED_TAX } from './bill-lines.server.ts';
import type { TaxDue } from './bill.contract.ts';

/**
 * Tax owed in the ledger for the time through a day (accounting.md 2.2, events 15, 22, 23), less every bill of it, and
 * the amount on bills still pending.
 */
export function taxesDue(ctx: Pick<WorkContext, 'db'>, division: string, on: string): Promise<TaxDue[]> {
  return ctx.db.query<TaxDue>(sql`
    select a.id as ledger_account_id, a.code, a.name as account, x.jurisdiction, x.name as authority, e.currency,
      -sum(e.amount_minor)::bigint as owed_minor, coalesce(w.billed, 0)::bigint as billed_minor,
      v.id as vendor_id, v.name as vendor_name
    from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id
      join tax_authorities x on e.party_type = 'tax_authority' and x.id = e.party_id
      left join lateral (select sum(l.net_minor) as billed from bill_lines l join bills b on b.id = l.bill_id
        where l.ledger_account_id = a.id and l.jurisdiction = x.jurisdiction and b.currency = e.currency
          and b.kind = 'bill' and b.status in ('draft', 'submitted') and b.deleted_at is null) w on true
      left join lateral (select b.vendor_id from bill_lines l join bills b on b.id = l.bill_id
        where l.ledger_account_id = a.id and l.jurisdiction = x.jurisdiction and b.deleted_at is null
          and b.status <> 'void' order by b.id desc limit 1) last on true
      left join vendors v on v.id = ${currentVendor(sql`last.vendor_id`)}
    where a.id in (select id from ledger_accounts where division = ${division} and ${OWED_TAX})
      and (e.transaction_at <= ${on} or e.kind = 'tax_payment')
    group by a.id, x.id, e.currency, w.billed, v.id having sum(e.amount_minor) <> 0
    order by a.code, x.jurisdiction, e.currency`);
}
