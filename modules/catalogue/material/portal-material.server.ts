/** Materials that customers may buy, with the show they belong to and what they cost in each currency. */
import { compact, listPage, type Page } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { subCategoryPage } from '../material-category/material-category.server.ts';
import { portalMaterialEndpoints, type portalMaterialRow } from './material.contract.ts';
import { pricesOf } from './material.server.ts';
import type * as z from 'zod';

type Row = z.infer<typeof portalMaterialRow>;

/** Prices stand beside the row; the show of a title that is no longer licensed stays hidden with its materials. */
export const portalMaterialRoutes: Route[] = serve(portalMaterialEndpoints, {
  async list(ctx, { params, query }) {
    const page = await listPage<Record<string, unknown>>(ctx.db, {
      base: sql`materials t`,
      columns: sql`t.id, t.item_number, t.name, t.description, t.category, t.sub_category, sc.name as sub_category_name,
        t.type, t.format, t.instrument, t.edition, t.price_usd_minor, t.price_eur_minor, t.price_gbp_minor,
        t.shipping_usd_minor, t.shipping_eur_minor, t.shipping_gbp_minor,
        case when s.id is null then null else jsonb_build_object('id', s.id, 'show_code', s.show_code,
          'title', s.title, 'type', s.type) end as show`,
      joins: sql`left join shows s on s.id = t.show_id left join material_sub_categories sc on sc.key = t.sub_category`,
      conditions: compact([
        sql`t.sellable_in_portal and t.active and t.deleted_at is null`,
        sql`(t.show_id is null or exists (select 1 from shows x join customers cu on cu.id = ${params.id}
          where x.id = t.show_id and x.active and x.deleted_at is null and x.divisions && cu.divisions))`,
        query.show_id !== undefined && sql`t.show_id = ${query.show_id}`,
        query.sub_category !== undefined && sql`t.sub_category = ${query.sub_category}`,
        query.type !== undefined && sql`t.type = ${query.type}`,
        query.search !== undefined && matches(sql`t.search_text`, query.search),
      ]),
      sorts: { name: sql`t.name collate "und-x-icu"`, item_number: sql`t.item_number` }, defaultSort: 'name',
    }, query, `/api/customers/${params.id}/materials`);
    const data = page.data.map((row) =>
      ({ ...row, prices: pricesOf(row, 'prices'), shipping_cost: pricesOf(row, 'shipping_cost') }) as unknown as Row);
    return { ...page, data } as Page<Row>;
  },
  subCategories: (ctx, { params, query }) =>
    subCategoryPage(ctx.db, query, `/api/customers/${params.id}/material_sub_categories`),
});
