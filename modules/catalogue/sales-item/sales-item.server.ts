/** Sales items. */
import { invalidField } from '#kit/errors.ts';
import { crud } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { salesItem, salesItemEndpoints } from './sales-item.contract.ts';

const items = crud(salesItem, {
  table: 'sales_items', search: 'search_text', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: { show_title: sql`(select s.title from shows s where s.id = t.show_id)` },
  unique: { item_numbers_pkey: ['item_number', 'Another item has this number, perhaps in the trash'] },
});

type Values = { show_id?: number | null | undefined; description?: string | null | undefined };

async function checked<T extends Values>(db: Queryable, values: T): Promise<T> {
  if (values.show_id != null
    && !await db.maybeOne(sql`select 1 from shows where id = ${values.show_id} and deleted_at is null`)) {
    throw invalidField('show_id', 'This show does not exist');
  }
  return values.description === null ? { ...values, description: '' } : values;
}

export const salesItemRoutes: Route[] = serve(salesItemEndpoints, {
  ...items,
  create: async (ctx, { body }) => items.create(ctx, { body: await checked(ctx.db, body) }),
  update: async (ctx, { params, body }) => items.update(ctx, { params, body: await checked(ctx.db, body) }),
});
