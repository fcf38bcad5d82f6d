/** The days of interest whose bill was credited in full are open again. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export async function freeInterestDays(ctx: WorkContext, interestInvoiceId: number): Promise<void> {
  await ctx.db.exec(sql`
    update late_interest_charges c set credited_at = ${ctx.now().toISOString()}
    where c.interest_invoice_id = ${interestInvoiceId} and c.credited_at is null
      and (select sum(net_minor) from invoice_items where invoice_id = ${interestInvoiceId})
        = (select sum(n.net_minor) from invoice_items n join invoice_items o on o.id = n.credits_item_id
          where o.invoice_id = ${interestInvoiceId})`);
}
