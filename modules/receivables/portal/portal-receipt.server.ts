/** The customer's payments, one by one, with the receipt. */
import { refuse } from '#kit/errors.ts';
import { withCounterRole, type Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { receiptDocument } from '../documents/receipt-document.server.ts';
import { portalReceiptEndpoints, type PortalReceipt } from './portal-receipt.contract.ts';

type Stored = Omit<PortalReceipt, 'settled' | 'given_back_minor' | 'left_minor'> & { unapplied_minor: number };

async function show(ctx: Ctx, customerId: number, id: number): Promise<PortalReceipt> {
  const found = await ctx.db.maybeOne<Stored>(sql`
    select p.id, p.number, p.division, p.currency, p.amount_minor, p.paid_on, p.method, p.reference, p.returned_on,
      p.unapplied_minor, (select json_build_object('id', d.id, 'license_title', l.title_on_license) from deposits d
        join licenses l on l.id = d.license_id where d.payment_id = p.id) as deposit
    from payments p where p.id = ${id} and p.customer_id = ${customerId} and p.direction = 'in' and p.kind = 'receipt'
      and p.posted_at is not null`);
  if (!found) throw refuse('not_found');
  const settled = await ctx.db.query<PortalReceipt['settled'][number]>(sql`
    select i.id as invoice_id, i.invoice_number as number, l.title_on_license as license_title,
      sum(a.amount_minor)::bigint as settled_minor
    from payment_allocations a join invoices i on i.id = a.invoice_id left join licenses l on l.id = i.license_id
    where a.payment_id = ${id} group by i.id, l.id having sum(a.amount_minor) > 0 order by i.id`);
  const { unapplied_minor, ...receipt } = found;
  const isBack = receipt.returned_on !== null;
  const left_minor = isBack || receipt.deposit !== null ? 0 : unapplied_minor;
  const used = settled.reduce((all, one) => all + one.settled_minor, left_minor);
  return { ...receipt, settled, left_minor,
    given_back_minor: isBack || receipt.deposit !== null ? 0 : receipt.amount_minor - used };
}

export const portalReceiptRoutes: Route[] = serve(portalReceiptEndpoints, {
  show: async (ctx, { params }) => ({ data: await show(ctx, params.id, params.receiptId) }),
  async document(ctx, { params }) {
    const { id } = await show(ctx, params.id, params.receiptId);
    return withCounterRole(ctx, (house) => receiptDocument(house, id));
  },
});
