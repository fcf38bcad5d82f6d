/** Warehouses. */
import { crud } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { warehouse, warehouseEndpoints } from './warehouse.contract.ts';

const warehouses = crud(warehouse, {
  table: 'warehouses', search: 'search_text', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  unique: { warehouses_code_key: ['code', 'Another warehouse has this code, perhaps in the trash'],
    warehouses_default: ['default_for_division', 'Another warehouse ships for this division already'] },
});

export const warehouseRoutes: Route[] = serve(warehouseEndpoints, warehouses);
