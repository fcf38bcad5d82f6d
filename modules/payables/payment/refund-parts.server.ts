/** Receipts and credit notes whose credit a refund gives back. None of a deposit. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface RefundPart {
  document: string;
  document_kind: string | null;
  document_id: number | null;
  /** Number the customer knows: the reference of the payment. */
  payee_number: string;
  dated_on: string;
  total_minor: number;
  amount_minor: number;
}

export function refundPartsOf(ctx: Pick<WorkContext, 'db'>, payment: number): Promise<RefundPart[]> {
  return ctx.db.query<RefundPart>(sql`
    select coalesce(d.number, t.description) as document, d.kind as document_kind, d.id as document_id,
      coalesce(nullif(r.reference, ''), d.number, t.description) as payee_number, c.opened_on as dated_on,
      (-c.original_minor)::bigint as total_minor, sum(a.amount_minor)::bigint as amount_minor
    from transactions x join open_items i on i.transaction_id = x.id join allocations a on a.debit_item_id = i.id
      join open_items c on c.id = a.credit_item_id join transactions t on t.id = c.transaction_id
      left join lateral ledger_document(c.document_type, c.document_id) d on true
      left join payments r on d.kind = 'receipt' and r.id = d.id
    where x.source_type = 'payment' and x.source_id = ${payment} and x.source_event = 'refund_due'
    group by c.id, d.number, d.kind, d.id, t.description, r.reference having sum(a.amount_minor) <> 0 order by c.id`);
}
