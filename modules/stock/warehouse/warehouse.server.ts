/** Warehouses. One with goods in it stays. */
import { refuse } from '#kit/errors.ts';
import { crud } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { warehouse, warehouseEndpoints } from './warehouse.contract.ts';

const warehouses = crud(warehouse, {
  table: 'warehouses', search: 'search_text', trash: true,
  extra: { item_count: sql`(select count(*) from stock_balances b where b.warehouse_id = t.id)` },
  sorts: { name: sql`t.name collate "und-x-icu"` },
  unique: { warehouses_code_key: ['code', 'Another warehouse has this code, perhaps in the trash'],
    warehouses_default: ['default_for_division', 'Another warehouse ships for this division already'] },
});

export const warehouseRoutes: Route[] = serve(warehouseEndpoints, {
  ...warehouses,
  async remove(ctx, { params }) {
    const used = await ctx.db.maybeOne(sql`
      select 1 from stock_balances where warehouse_id = ${params.id}
        and on_hand + picked + on_hire + quarantine + damaged > 0
      union all select 1 from sales_orders where warehouse_id = ${params.id}
        and status not in ('closed', 'cancelled') limit 1`);
    if (used) throw refuse('in_use', 'There is stock in this warehouse or an open order. Make it inactive instead.');
    await warehouses.remove(ctx, { params });
  },
});
