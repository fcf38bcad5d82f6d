/** Rental packages of shows. */
import { crud } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { packageEndpoints, showPackage } from './package.contract.ts';

const { list, show, create, update } = crud(showPackage, {
  table: 'show_packages', search: sql`t.name`,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  unique: { show_packages_show_id_division_name_key:
    ['name', 'This show has a package of this name in this division already'] },
});

export const packageRoutes: Route[] = serve(packageEndpoints, { list, show, create, update });
