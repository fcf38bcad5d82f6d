/** Parcels of a production. Drafts are plans of the house, so a customer sees an order once it is released. */
import { refuse } from '#kit/errors.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { licenseParcelEndpoints, type LicenseParcel } from './license-parcels.contract.ts';
import { PIECES_OUT } from './pieces-out.server.ts';

export const licenseParcelRoutes: Route[] = serve(licenseParcelEndpoints, {
  async list(ctx, { params }) {
    const license = await ctx.db.maybeOne(sql`
      select 1 from licenses where id = ${params.licenseId} and customer_id = ${params.id} and deleted_at is null`);
    if (!license) throw refuse('not_found');
    return { data: await ctx.db.query<LicenseParcel>(sql`
      select t.id, t.number, t.status, t.carrier, t.tracking, t.shipped_on, t.delivered_on, t.return_due_on,
        t.ship_to_name, t.ship_to,
        coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'description', l.description,
            'quantity', l.quantity - l.qty_cancelled, 'qty_shipped', l.qty_shipped,
            'outstanding', case when l.return_required then ${PIECES_OUT} else 0 end) order by l.sort, l.id)
          from sales_order_lines l where l.sales_order_id = t.id and l.quantity > l.qty_cancelled), '[]') as lines
      from sales_orders t
      where t.license_id = ${params.licenseId} and t.customer_id = ${params.id}
        and t.status not in ('draft', 'cancelled')
      order by t.shipped_on nulls last, t.id`) };
  },
});
