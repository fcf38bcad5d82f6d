/** Balances, movements, copies and codes. */
import type { QueryOf } from '#kit/endpoint.ts';
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { COUNT_CAP, compact, listPage, pageOf } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, mentions, sql, type Sql, where } from '#server/sql.ts';
import { PIECES_OUT } from '../sales-order/pieces-out.server.ts';
import { enterMovements } from './enter-movements.server.ts';
import { stockEndpoints, type BalanceRow, type CopyRow, type MaterialStockRow, type MovementRow,
  type ShelfRow } from './movement.contract.ts';
import { stockItemOf } from './stock-items.server.ts';

const ITEM = sql`left join materials m on m.id = t.material_id left join sales_items s on s.id = t.sales_item_id`;
const itemMatches = (search: string) => sql`(exists (select 1 from materials x where x.id = t.material_id
    and ${matches(sql`x.search_text`, search)})
  or exists (select 1 from sales_items x where x.id = t.sales_item_id
    and ${matches(sql`x.search_text`, search)}))`;
/** Pieces out with customers that come back so early that they are on the shelf again by the day (domain.md 4). */
const expectedBy = (day: Sql) => sql`coalesce((select sum(${PIECES_OUT})
  from sales_order_lines l join sales_orders o on o.id = l.sales_order_id
  where l.material_id = t.material_id and o.warehouse_id = t.warehouse_id and l.return_required
    and o.status in ('shipped', 'partially_shipped', 'delivered', 'on_hire', 'return_due', 'partially_returned')
    and o.return_due_on + (select w.return_lead_days from warehouses w where w.id = t.warehouse_id) <= ${day}),
  0)::int`;

const ITEM_NUMBER = sql`coalesce((select x.item_number from materials x where x.id = t.material_id),
  (select x.item_number from sales_items x where x.id = t.sales_item_id))`;
const REORDER = sql`coalesce((select x.reorder_point from materials x where x.id = t.material_id),
  (select x.reorder_point from sales_items x where x.id = t.sales_item_id))`;

const stockMatches = (warehouseId: number, query: { search?: string | undefined; low?: boolean | undefined }): Sql[] =>
  compact([sql`t.warehouse_id = ${warehouseId}`, query.search !== undefined && itemMatches(query.search),
    query.low === true && sql`t.on_hand - t.reserved <= ${REORDER}`]);

async function stock(ctx: Ctx, warehouseId: number, query: QueryOf<typeof stockEndpoints.stock>) {
  const warehouse = await ctx.db.maybeOne<{ division: string }>(sql`
    select division from warehouses where id = ${warehouseId} and deleted_at is null`);
  if (!warehouse) throw refuse('not_found');
  const expected = expectedBy(sql`${query.at ?? await ctx.today(warehouse.division)}::date`);
  return listPage<BalanceRow>(ctx.db, {
    base: sql`stock_balances t`, joins: ITEM,
    columns: sql`t.id, t.warehouse_id, t.material_id, t.sales_item_id, coalesce(m.item_number, s.item_number)
      as item_number, coalesce(m.name, s.name) as name, coalesce(m.serial_tracked, false) as serial_tracked, t.on_hand,
      t.reserved, t.picked, t.on_hire, t.quarantine, t.damaged, ${REORDER} as reorder_point,
      t.on_hand - t.reserved + ${expected} as available, ${expected} as expected_back, t.updated_at`,
    conditions: stockMatches(warehouseId, query),
    sorts: { item_number: ITEM_NUMBER,
      on_hand: sql`t.on_hand`, updated_at: sql`t.updated_at` },
    defaultSort: 'item_number',
  }, query, `/api/admin/staff/warehouses/${warehouseId}/stock`);
}

/** One row for each warehouse that has or had some, the fullest first. */
async function ofMaterial(ctx: Ctx, materialId: number): Promise<MaterialStockRow[]> {
  if (!await ctx.db.maybeOne(sql`select 1 from materials where id = ${materialId} and deleted_at is null`)) {
    throw refuse('not_found');
  }
  const today = sql`(${ctx.now().toISOString()}::timestamptz at time zone d.timezone)::date`;
  return ctx.db.query<MaterialStockRow>(sql`
    select t.id, t.warehouse_id, w.name as warehouse_name, t.on_hand, t.reserved, t.picked, t.on_hire, t.quarantine,
      t.damaged, t.on_hand - t.reserved + ${expectedBy(today)} as available,
      (select min(o.return_due_on) from sales_order_lines l join sales_orders o on o.id = l.sales_order_id
        where l.material_id = t.material_id and o.warehouse_id = t.warehouse_id and l.return_required
          and ${PIECES_OUT} > 0) as next_back_on
    from stock_balances t join warehouses w on w.id = t.warehouse_id join divisions d on d.code = w.division
    where t.material_id = ${materialId} and w.deleted_at is null order by t.on_hand desc, w.id`);
}

/** Read by two statements, as it shows several rows of one balance: a copy each. */
async function shelf(ctx: Ctx, warehouseId: number, query: QueryOf<typeof stockEndpoints.shelf>) {
  const warehouse = await ctx.db.maybeOne<{ code: string }>(sql`
    select code from warehouses where id = ${warehouseId} and deleted_at is null`);
  if (!warehouse) throw refuse('not_found');
  const from = sql`stock_balances t left join material_copies k on k.material_id = t.material_id
    and k.warehouse_id = t.warehouse_id and k.location = 'on_hand'
    ${where([...stockMatches(warehouseId, query), sql`t.on_hand > 0`])}`;
  const { counted } = await ctx.db.one<{ counted: number }>(sql`
    select count(*)::int as counted from (select 1 from ${from} limit ${COUNT_CAP + 1}) n`);
  const rows = await ctx.db.query<ShelfRow>(sql`
    select coalesce(-k.id, t.id) as id, ${warehouse.code} as warehouse_code,
      coalesce(k.barcode, ${ITEM_NUMBER}) as code,
      case when k.id is not null then ${ITEM_NUMBER} end as copy_of_code,
      coalesce((select x.name from materials x where x.id = t.material_id),
        (select x.name from sales_items x where x.id = t.sales_item_id)) as name,
      case when k.id is null then t.on_hand else 1 end as counted
    from ${from} order by ${ITEM_NUMBER} ${query.sort_direction === 'desc' ? sql`desc` : sql`asc`}, t.id, k.barcode
    limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`);
  return pageOf(rows, counted, query, `/api/admin/staff/warehouses/${warehouseId}/shelf`);
}

const MOVEMENT_COLUMNS = sql`t.id, t.batch_id, t.kind, t.warehouse_id, w.code as warehouse_code, t.material_id,
  t.sales_item_id, coalesce(m.item_number, s.item_number) as item_number, coalesce(m.name, s.name) as name,
  c.barcode, t.quantity, t.from_location, t.to_location, o.id as sales_order_id, o.number as sales_order_number,
  t.reason, nullif(concat_ws(' ', u.first_name, u.last_name), '') as actor_name, t.occurred_at`;
const MOVEMENT_JOINS = sql`join warehouses w on w.id = t.warehouse_id ${ITEM}
  left join material_copies c on c.id = t.material_copy_id left join sales_order_lines l on l.id = t.sales_order_line_id
  left join sales_orders o on o.id = l.sales_order_id left join users u on u.id = t.actor_id`;

function movements(ctx: Ctx, query: QueryOf<typeof stockEndpoints.movements>) {
  return listPage<MovementRow>(ctx.db, {
    base: sql`stock_movements t`, joins: MOVEMENT_JOINS, columns: MOVEMENT_COLUMNS,
    conditions: compact([
      query.warehouse_id !== undefined && sql`t.warehouse_id = ${query.warehouse_id}`,
      query.material_id !== undefined && sql`t.material_id = ${query.material_id}`,
      query.sales_item_id !== undefined && sql`t.sales_item_id = ${query.sales_item_id}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.place !== undefined && sql`${query.place} in (t.from_location, t.to_location)`,
      query.from !== undefined && sql`t.occurred_at >= ${query.from}::date`,
      query.to !== undefined && sql`t.occurred_at < ${query.to}::date + 1`,
      query.search !== undefined && itemMatches(query.search)]),
    sorts: { id: sql`t.id` }, defaultSort: 'id', defaultDirection: 'desc',
  }, query, stockEndpoints.movements.path);
}

function copies(ctx: Ctx, materialId: number, query: QueryOf<typeof stockEndpoints.copies>) {
  return listPage<CopyRow>(ctx.db, {
    base: sql`material_copies t`, joins: sql`join warehouses w on w.id = t.warehouse_id`,
    columns: sql`t.id, t.material_id, t.warehouse_id, w.code as warehouse_code, t.barcode, t.location, t.condition,
      t.updated_at`,
    conditions: compact([sql`t.material_id = ${materialId}`,
      query.location !== undefined && sql`t.location = ${query.location}`,
      query.search !== undefined && mentions(sql`t.barcode`, query.search)]),
    sorts: { barcode: sql`t.barcode`, updated_at: sql`t.updated_at` }, defaultSort: 'barcode',
  }, query, `/api/admin/staff/materials/${materialId}/copies`);
}

export const stockRoutes: Route[] = serve(stockEndpoints, {
  stock: (ctx, { params, query }) => stock(ctx, params.id, query),
  ofMaterial: async (ctx, { params }) => ({ data: await ofMaterial(ctx, params.id) }),
  shelf: (ctx, { params, query }) => shelf(ctx, params.id, query),
  movements: (ctx, { query }) => movements(ctx, query),
  async enter(ctx, { body }) {
    const batch = await enterMovements(ctx, body);
    const rows = await ctx.db.query<MovementRow>(sql`select ${MOVEMENT_COLUMNS} from stock_movements t ${MOVEMENT_JOINS}
      where t.batch_id = ${batch} order by t.id`);
    return { data: { batch_id: batch, movements: rows } };
  },
  copies: (ctx, { params, query }) => copies(ctx, params.id, query),
  async scan(ctx, { query }) {
    const item = await stockItemOf(ctx.db, query.code);
    if (!item) throw refuse('not_found', `Nothing in stock has the code ${query.code}.`);
    return { data: item };
  },
});
