/** Items for codes on labels. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { StockItem } from './movement.contract.ts';

const COPY = sql`json_build_object('id', c.id, 'material_id', c.material_id, 'warehouse_id', c.warehouse_id,
  'warehouse_code', w.code, 'barcode', c.barcode, 'location', c.location, 'condition', c.condition,
  'updated_at', to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** A copy by its barcode, else a material or a sales item by its number; null: no such thing is kept in stock. */
export async function stockItemOf(db: Queryable, code: string): Promise<StockItem | null> {
  return db.maybeOne<StockItem>(sql`
    select x.* from (
      select m.id as material_id, null::bigint as sales_item_id, m.item_number, m.name, m.serial_tracked,
        ${COPY} as copy
      from material_copies c join materials m on m.id = c.material_id join warehouses w on w.id = c.warehouse_id
      where c.barcode = ${code} and m.deleted_at is null
      union all
      select m.id, null, m.item_number, m.name, m.serial_tracked, null from materials m
      where m.item_number = ${code} and m.fulfilment = 'physical' and m.type <> 'service' and m.deleted_at is null
      union all
      select null, s.id, s.item_number, s.name, false, null from sales_items s
      where s.item_number = ${code} and s.stocked and s.deleted_at is null) x limit 1`);
}
