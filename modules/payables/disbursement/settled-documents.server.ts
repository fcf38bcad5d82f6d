/** The documents that payments settle fit the day on which the money arrives. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface ValueDayCheck {
  payment_ids: readonly number[];
  /** Value date of the payments. */
  on: string;
  /** Form field of that day; null: 409, since no form is open. */
  field: string | null;
}

/** Refuses a document of a later day than the money that settles it: such a payment could never be posted. */
export async function refuseLaterDocument(ctx: WorkContext, { payment_ids: ids, on, field }: ValueDayCheck):
Promise<void> {
  const later = await ctx.db.maybeOne<{ document: string; opened_on: string }>(sql`
    select coalesce(d.number, t.description) as document, i.opened_on
    from open_items i join transactions t on t.id = i.transaction_id
      left join lateral ledger_document(i.document_type, i.document_id) d on true
    where i.opened_on > ${on}::date and i.id in (
      select x.open_item_id from payment_parts x where x.payment_id = any (${ids}::bigint[]) and x.state = 'reserved'
      union all select w.id from payable_items w where w.refund_id = any (${ids}::bigint[]))
    order by i.opened_on desc, i.id limit 1`);
  if (!later) return;
  const day = dateInWords(later.opened_on);
  if (field !== null) throw invalidField(field, `${later.document} is dated ${day}. Enter that day or later`);
  throw conflict('payment.dated_later', `${later.document} is dated ${day}, and the money arrives on ${dateInWords(on)
  }. Choose a later value date, or leave it out.`, { document: later.document });
}
