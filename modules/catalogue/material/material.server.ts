/** Materials: amounts are kept in minor units per currency, the show by its id; the wire has prices and its code. */
import { invalid, invalidField, refuse } from '#kit/errors.ts';
import { field, type Fields } from '#kit/field.ts';
import type { AnyResource } from '#kit/resource.ts';
import { decimalPrice, minorOf } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { activityOf } from '#server/activity.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, type Plan, type RulesOf } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { material, materialEndpoints, PRICE_KEYS, type CurrencyPrices, type MaterialInput, type MaterialRow }
  from './material.contract.ts';

/** Fields with one amount per currency, and how their columns begin. */
const PRICED = { prices: 'price', replacement_prices: 'replacement', extra_week_prices: 'extra_week',
  shipping_cost: 'shipping' } as const;
type Priced = keyof typeof PRICED;
const PRICED_FIELDS = Object.keys(PRICED) as Priced[];
const columnOf = (name: Priced, key: (typeof PRICE_KEYS)[number]): string => `${PRICED[name]}_${key}_minor`;

/** The columns of the table: one per currency where the wire has prices, the show's id where it has the code. */
function columnFields(): Fields {
  const { show_code: _code, prices: _p, replacement_prices: _r, extra_week_prices: _e, shipping_cost: _s, ...plain } =
    material.fields;
  const amounts = PRICED_FIELDS.flatMap((name) => PRICE_KEYS.map((key) =>
    [columnOf(name, key), field.optionalMinor(name)] as const));
  return { ...plain, show_id: field.optionalRef('Show', '/api/admin/staff/shows'), ...Object.fromEntries(amounts) };
}

const stored: AnyResource = { ...material, fields: columnFields(), extra: {
  show_code: 1, show_title: 1, category_name: 1, sub_category_name: 1, used: 1, deleted_at: 1 } };

const materials = crud(stored, {
  table: 'materials', search: 'search_text', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  joins: sql`left join shows s on s.id = t.show_id join material_categories c on c.key = t.category
    left join material_sub_categories sc on sc.key = t.sub_category`,
  extra: { show_code: sql`s.show_code`, show_title: sql`s.title`, category_name: sql`c.name`,
    sub_category_name: sql`sc.name`, used: sql`t.used_at is not null` },
  filter: (query) => [
    query.category !== undefined && sql`t.category = ${query.category}`,
    query.sub_category !== undefined && sql`t.sub_category = ${query.sub_category}`,
    query.show_code !== undefined && sql`t.show_id = (select id from shows where show_code = ${query.show_code})`,
    query.active !== undefined && sql`t.active = ${query.active}`,
    query.type !== undefined && sql`t.type = ${query.type}`,
  ],
  unique: { item_numbers_pkey: ['item_number', 'Another item has this number, perhaps in the trash'] },
});

type Flat = Record<string, unknown>;
type Values = { [K in keyof MaterialInput]?: MaterialInput[K] | undefined };


/** Prices per currency out of a row's columns: `pricesOf(row, 'prices')`. */
export function pricesOf(row: Flat, name: Priced): CurrencyPrices {
  const entries = PRICE_KEYS.map((key) => {
    const minor = row[columnOf(name, key)] as number | null;
    return [key, minor === null ? null : decimalPrice(minor)];
  });
  return Object.fromEntries(entries) as CurrencyPrices;
}

function toRow(flat: Flat): MaterialRow {
  return { ...flat, ...Object.fromEntries(PRICED_FIELDS.map((name) => [name, pricesOf(flat, name)])) } as MaterialRow;
}

const TEXTS = ['description', 'instrument', 'edition', 'isbn', 'ismn', 'hs_code', 'substitution_group'] as const;

/** Text columns are never null in the table; a form sends null for an empty one. */
async function toColumns(db: Queryable, values: Values): Promise<Flat> {
  const { show_code: code, ...rest } = values;
  const flat: Flat = { ...rest };
  for (const name of TEXTS) if (flat[name] === null) flat[name] = '';
  for (const name of PRICED_FIELDS) {
    const amounts = values[name];
    delete flat[name];
    for (const key of amounts ? PRICE_KEYS : []) {
      flat[columnOf(name, key)] = amounts![key] === null ? null : minorOf(amounts![key]);
    }
  }
  if (code !== undefined) flat.show_id = code === null ? null : await showIdOf(db, code);
  return flat;
}

async function showIdOf(db: Queryable, code: string): Promise<number> {
  const show = await db.maybeOne<{ id: number }>(sql`
    select id from shows where show_code = ${code} and deleted_at is null`);
  if (!show) throw invalidField('show_code', 'This show does not exist');
  return show.id;
}

/** Rules between fields, over the rows as they would stand. */
const rulesOf: RulesOf<MaterialRow> = async (db, plans) => {
  const filed = await categoriesOf(db, plans.map(({ row }) => row.category));
  return ({ row, before }) => {
    const errors: Record<string, string[]> = {};
    if (row.serial_tracked && (row.fulfilment !== 'physical' || (row.type !== 'rental' && row.type !== 'perusal'))) {
      errors.serial_tracked = ['Only physical things that are lent are tracked copy by copy'];
    }
    if (row.type === 'digital' && row.fulfilment === 'physical') {
      errors.fulfilment = ['Digital materials are downloaded, streamed or mailed'];
    }
    if (before?.used && row.item_number !== before.item_number) {
      errors.item_number = [spell`Templates, licenses or the stock name this number: it stays`];
    }
    const subs = filed.get(row.category);
    if (!subs) errors.category = ['This category does not exist'];
    else if (row.sub_category !== null && !subs.has(row.sub_category)) {
      errors.sub_category = ['Choose a sub-category of this category'];
    }
    if (Object.keys(errors).length > 0) throw invalid(errors);
  };
};

/** The sub-categories of each of these categories that is there. */
async function categoriesOf(db: Queryable, keys: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await db.query<{ key: string; subs: string[] }>(sql`
    select c.key, array(select s.key from material_sub_categories s
      where s.category_key = c.key and s.deleted_at is null) as subs
    from material_categories c where c.deleted_at is null and c.key = any (${[...new Set(keys)]}::text[])`);
  return new Map(rows.map((row) => [row.key, new Set(row.subs)]));
}

async function check(db: Queryable, values: Values, before: MaterialRow | null): Promise<void> {
  const plan = { values, row: { ...before, ...values } as MaterialRow, before };
  (await rulesOf(db, [plan]))(plan);
}

/** Dry run of {@link createMaterial} and {@link updateMaterial}: the refusal of each; used by an import beforehand. */
export const rehearseMaterials = (db: Queryable, plans: readonly Plan[]) =>
  materials.rehearse(db, plans, toRow, rulesOf);

/** A new material; domain.md 7. The demo season, imports and the calls all come through here. */
export async function createMaterial(ctx: WorkContext, input: MaterialInput): Promise<MaterialRow> {
  await check(ctx.db, input, null);
  const { data } = await materials.create(ctx as Ctx, { body: await toColumns(ctx.db, input) });
  return toRow(data);
}

/** As the call of changing does it; imports come through here too. 412 where the version is not the stored one. */
export async function updateMaterial(
  ctx: WorkContext, id: number, body: Values & { version: number },
): Promise<MaterialRow> {
  const { version, ...values } = body;
  const before = toRow(await materials.find(ctx.db, id, true));
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  if (before.version === version) await check(ctx.db, given, before);
  const columns = await toColumns(ctx.db, values as Values);
  const { data } = await materials.update(ctx as Ctx, { params: { id }, body: { ...columns, version } });
  return toRow(data);
}

type PageOfFlat = Awaited<ReturnType<typeof materials.list>>;
const rowsOf = (page: PageOfFlat) => ({ ...page, data: (page.data as Flat[]).map(toRow) });

export const materialRoutes: Route[] = serve(materialEndpoints, {
  list: async (ctx, request) => rowsOf(await materials.list(ctx, request)),
  trash: async (ctx, request) => rowsOf(await materials.trash(ctx, request)),
  show: async (ctx, { params }) => ({ data: toRow(await materials.find(ctx.db, params.id)) }),
  create: async (ctx, { body }) => ({ data: await createMaterial(ctx, body) }),
  update: async (ctx, { params, body }) => ({ data: await updateMaterial(ctx, params.id, body) }),
  async remove(ctx, request) {
    const used = await ctx.db.maybeOne<{ by: string }>(sql`
      select 'Templates' as by from bom_template_lines l join bom_templates t on t.id = l.bom_template_id
        where l.material_id = ${request.params.id} and t.deleted_at is null
      union all
      select 'Add-ons' from add_on_materials a join add_ons o on o.id = a.add_on_id
        where a.material_id = ${request.params.id} and o.deleted_at is null
      union all
      select 'Licences' from license_materials where material_id = ${request.params.id} limit 1`);
    if (used) throw refuse('in_use', `${used.by} name this material. Make it inactive instead.`);
    await materials.remove(ctx, request);
  },
  async restore(ctx, { params }) {
    const row = toRow(await materials.find(ctx.db, params.id, true, true));
    await check(ctx.db, row, row).catch(() => {
      throw refuse('conflict', 'Its category is gone. Restore the category first.');
    });
    return { data: toRow((await materials.restore(ctx, { params })).data) };
  },
  async activity(ctx, { params, query }) {
    await materials.find(ctx.db, params.id);
    return activityOf(ctx.db, { entity: 'material', entity_id: params.id }, query,
      `${material.path}/${params.id}/activity`);
  },
});
