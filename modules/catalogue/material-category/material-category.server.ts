/** Categories and sub-categories of materials, and the words that selects are filled with. */
import type * as z from 'zod';
import type { ListArgs, ResponseIn } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { crud } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import {
  categoryUtilityEndpoints, materialCategory, materialCategoryEndpoints, materialSubCategory,
  materialSubCategoryEndpoints, type subCategoryOptions, type subCategoryQuery,
} from './material-category.contract.ts';

const NAME_AND_KEY = sql`t.name || ' ' || t.key`;
const byWords = (search: unknown) =>
  mentions(sql`${NAME_AND_KEY}`, String(search));

/** Counted up to a thousand: enough to say that it is in use, cheap at a million materials. */
const COUNT_CAP = 1000;
const IN_USE = 'Materials are filed under it, some perhaps in the trash. Make it inactive instead.';

const categories = crud(materialCategory, {
  table: 'material_categories', trash: true, search: NAME_AND_KEY,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: { material_count: sql`(select count(*) from (select 1 from materials m where m.category = t.key
    limit ${COUNT_CAP}) m)` },
  filter: (query) => [
    query.active !== undefined && sql`t.active = ${query.active}`,
  ],
  unique: { material_categories_key_key: ['key', 'Another category has this key'] },
});

const subCategories = crud(materialSubCategory, {
  table: 'material_sub_categories', trash: true, search: NAME_AND_KEY,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  joins: sql`join material_categories c on c.key = t.category_key`,
  extra: {
    category_name: sql`c.name`,
    material_count: sql`(select count(*) from (select 1 from materials m where m.category = t.category_key
      and m.sub_category = t.key limit ${COUNT_CAP}) m)`,
  },
  filter: (query) => [
    query.active !== undefined && sql`t.active = ${query.active}`,
    query.category_key !== undefined && sql`t.category_key = ${query.category_key}`,
  ],
  unique: { material_sub_categories_key_key: ['key', 'Another sub-category has this key'] },
});

async function idOf(db: Queryable, key: string): Promise<number> {
  const row = await db.maybeOne<{ id: number }>(sql`
    select id from material_sub_categories where key = ${key} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row.id;
}

async function checkCategory(db: Queryable, key: string | undefined): Promise<void> {
  if (key === undefined) return;
  const found = await db.maybeOne(sql`select 1 from material_categories where key = ${key} and deleted_at is null`);
  if (!found) throw invalidField('category_key', 'This category does not exist');
}

/** Active sub-categories as options; also what the portal offers. */
export function subCategoryPage(
  db: Queryable, query: z.output<typeof subCategoryQuery>, path: string,
): Promise<ResponseIn<{ response: typeof subCategoryOptions }>> {
  return listPage(db, {
    base: sql`material_sub_categories t`, columns: sql`t.id, t.key, t.name, t.category_key`,
    conditions: compact([sql`t.active and t.deleted_at is null`,
      query.category_key !== undefined && sql`t.category_key = ${query.category_key}`,
      query.search !== undefined && byWords(query.search)]),
    sorts: { sort: sql`t.sort`, name: sql`t.name collate "und-x-icu"` }, defaultSort: 'sort',
  }, query, path);
}

type CategoryPage = ResponseIn<typeof categoryUtilityEndpoints.categories>;

const categoryPage = (db: Queryable, query: ListArgs): Promise<CategoryPage> =>
  listPage(db, {
    base: sql`material_categories t`, columns: sql`t.id, t.key, t.name`,
    conditions: compact([sql`t.active and t.deleted_at is null`, query.search !== undefined && byWords(query.search)]),
    sorts: { sort: sql`t.sort`, name: sql`t.name collate "und-x-icu"` }, defaultSort: 'sort',
  }, query, categoryUtilityEndpoints.categories.path);

export const materialCategoryRoutes: Route[] = [
  ...serve(materialCategoryEndpoints, {
    ...categories,
    async remove(ctx, { params }) {
      const row = await categories.find(ctx.db, params.id, true);
      const used = await ctx.db.maybeOne<{ kind: string }>(sql`
        select 'material' as kind where exists (select 1 from materials where category = ${row.key})
        union all
        select 'sub' where exists (select 1 from material_sub_categories
          where category_key = ${row.key} and deleted_at is null)
        order by kind desc limit 1`);
      if (used) throw refuse('in_use', used.kind === 'sub' ? 'It has sub-categories. Remove those first.' : IN_USE);
      await categories.remove(ctx, { params });
    },
  }),
  ...serve(materialSubCategoryEndpoints, {
    list: subCategories.list,
    trash: subCategories.trash,
    restore: async (ctx, { params }) => {
      const row = await subCategories.find(ctx.db, params.id, true, true);
      await checkCategory(ctx.db, row.category_key as string);
      return subCategories.restore(ctx, { params });
    },
    show: async (ctx, { params }) => subCategories.show(ctx, { params: { id: await idOf(ctx.db, params.key) } }),
    create: async (ctx, { body }) => {
      await checkCategory(ctx.db, body.category_key);
      return subCategories.create(ctx, { body });
    },
    update: async (ctx, { params, body }) => {
      const id = await idOf(ctx.db, params.key);
      const before = await subCategories.find(ctx.db, id, true);
      if (body.category_key !== undefined && body.category_key !== before.category_key) {
        await checkCategory(ctx.db, body.category_key);
        if (before.material_count) {
          throw invalidField('category_key', 'Materials are filed under it: it stays in its category');
        }
      }
      return subCategories.update(ctx, { params: { id }, body });
    },
    remove: async (ctx, { params }) => {
      const id = await idOf(ctx.db, params.key);
      const row = await subCategories.find(ctx.db, id, true);
      if (row.material_count) throw refuse('in_use', IN_USE);
      await subCategories.remove(ctx, { params: { id } });
    },
  }),
  ...serve(categoryUtilityEndpoints, {
    categories: (ctx, { query }) => categoryPage(ctx.db, query),
    subCategories: (ctx, { query }) => subCategoryPage(ctx.db, query, categoryUtilityEndpoints.subCategories.path),
  }),
];
