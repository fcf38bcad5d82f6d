/** Sales orders. */
import { refuse } from '#kit/errors.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import { refreshChecklist } from '#modules/licensing/licensing.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, type Sql, sql, where } from '#server/sql.ts';
import { draftOrder, updateOrder } from './draft-order.server.ts';
import { moveOrder } from './move-order.server.ts';
import { orderLicense } from './order-license.server.ts';
import { orderDocument } from './order-documents.server.ts';
import { ORDER_COLUMNS, ORDER_JOINS, orderDetail } from './order-rows.server.ts';
import { PIECES_OUT } from './pieces-out.server.ts';
import { salesOrderEndpoints, type OrderHold, type SalesOrderDetail, type SalesOrderRow }
  from './sales-order.contract.ts';

type Query = Partial<QueryOf<typeof salesOrderEndpoints.list>> & { page: number; per_page: number };

const HOLDS: Record<OrderHold, Sql> = { reserved: sql`l.qty_reserved > 0`, picked: sql`l.qty_picked > 0`,
  out: sql`l.return_required and ${PIECES_OUT} > 0` };

const hasLine = ({ material_id, holds }: Query): Sql => sql`exists (select 1 from sales_order_lines l
  ${where([sql`l.sales_order_id = t.id`, ...compact([
    material_id !== undefined && sql`l.material_id = ${material_id}`,
    holds !== undefined && HOLDS[holds]])])})`;

function list(ctx: Ctx, query: Query, path: string) {
  return listPage<SalesOrderRow>(ctx.db, {
    base: sql`sales_orders t`, joins: ORDER_JOINS, columns: ORDER_COLUMNS,
    conditions: compact([
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.customer_id !== undefined && sql`t.customer_id = ${query.customer_id}`,
      query.license_id !== undefined && sql`t.license_id = ${query.license_id}`,
      query.warehouse_id !== undefined && sql`t.warehouse_id = ${query.warehouse_id}`,
      (query.material_id !== undefined || query.holds !== undefined) && hasLine(query),
      query.due_back === true && sql`t.status in ('shipped', 'delivered', 'on_hire', 'return_due', 'overdue',
        'partially_returned') and t.return_due_on is not null`,
      query.search !== undefined && sql`(${matches(sql`t.search_text`, query.search)}
        or exists (select 1 from customers x where x.id = t.customer_id
          and ${matches(sql`x.search_text`, query.search)}))`]),
    sorts: { updated_at: sql`t.updated_at`, number: sql`t.id`, ship_on: sql`t.ship_on`,
      return_due_on: sql`t.return_due_on` },
    defaultSort: query.due_back === true ? 'return_due_on' : 'updated_at',
    defaultDirection: query.due_back === true ? 'asc' : 'desc',
  }, query, path);
}

/** The order after a change; the checklist of its licence follows what is on order. */
async function answered(ctx: Ctx, id: number): Promise<{ data: SalesOrderDetail }> {
  const data = await orderDetail(ctx.db, id);
  if (data.license_id !== null) await refreshChecklist(ctx, data.license_id);
  return { data };
}

export const salesOrderRoutes: Route[] = serve(salesOrderEndpoints, {
  list: (ctx, { query }) => list(ctx, query, salesOrderEndpoints.list.path),
  async ofCustomer(ctx, { params, query }) {
    if (!await ctx.db.maybeOne(sql`select 1 from customers where id = ${params.id} and deleted_at is null`)) {
      throw refuse('not_found');
    }
    return list(ctx, { ...query, customer_id: params.id }, `/api/admin/staff/customers/${params.id}/sales_orders`);
  },
  async ofLicense(ctx, { params }) {
    const ids = await orderLicense(ctx, params.licenseId);
    await refreshChecklist(ctx, params.licenseId);
    return { data: await ctx.db.query<SalesOrderRow>(sql`
      select ${ORDER_COLUMNS} from sales_orders t ${ORDER_JOINS} where t.id = any (${ids}::bigint[]) order by t.id`) };
  },
  show: async (ctx, { params }) => ({ data: await orderDetail(ctx.db, params.id) }),
  create: async (ctx, { body }) => answered(ctx, await draftOrder(ctx, body)),
  async update(ctx, { params, body }) {
    await updateOrder(ctx, params.id, body);
    return answered(ctx, params.id);
  },
  async status(ctx, { params, body }) {
    await moveOrder(ctx, params.id, body);
    return answered(ctx, params.id);
  },
  document: (ctx, { params, query }) => orderDocument(ctx, params.id, query.type),
});
