/** Add-ons of shows. */
import { invalidField, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { Queryable } from '#server/db.ts';
import type { Ctx } from '#server/context.ts';
import { crud, stale } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { addOn, addOnEndpoints, type AddOnMaterial, type AddOnRow } from './add-on.contract.ts';

const addOns = crud(addOn, {
  table: 'add_ons', trash: true, search: sql`t.name`,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: { show_title: sql`s.title`, show_code: sql`s.show_code` },
  joins: sql`join shows s on s.id = t.show_id`,
  filter: (query) => [
    query.show_id !== undefined && sql`t.show_id = ${query.show_id}`,
    query.active !== undefined && sql`t.active = ${query.active}`,
    query.kind !== undefined && sql`t.kind = ${query.kind}`,
    query.division !== undefined && sql`${query.division} = any (t.divisions)`,
  ],
  unique: { add_ons_show_id_key_key: ['key', 'This show has an add-on with this key already'] },
});

type Values = { [K in keyof AddOnRow]?: AddOnRow[K] | undefined };

/** Text columns are never null; a share of the stream belongs to one pricing model only. */
function toColumns(values: Values): Values {
  const texts = (['description', 'terms_text', 'mandatory_program_text'] as const)
    .filter((key) => values[key] === null).map((key) => [key, '']);
  const share = values.pricing_model !== undefined && values.pricing_model !== 'percent_stream_gross'
    ? { rate_ppm: null } : {};
  return { ...values, ...share, ...Object.fromEntries(texts) };
}

async function check(db: Queryable, values: Values): Promise<void> {
  if (values.pricing_model === 'percent_stream_gross' && values.rate_ppm == null) {
    throw invalidField('rate_ppm', 'Say which share of the stream gross');
  }
  if (values.rate_ppm != null && values.rate_ppm > 1_000_000) throw invalidField('rate_ppm', 'At most 100%');
  if (values.available_from && values.available_to && values.available_to < values.available_from) {
    throw invalidField('available_to', 'The last day is not before the first');
  }
  if (values.divisions?.length === 0) throw invalidField('divisions', 'Choose at least one division');
  if (values.show_id !== undefined
    && !await db.maybeOne(sql`select 1 from shows where id = ${values.show_id} and deleted_at is null`)) {
    throw invalidField('show_id', 'This show does not exist');
  }
}

function materialsOf(db: Queryable, addOnId: number): Promise<AddOnMaterial[]> {
  return db.query<AddOnMaterial>(sql`
    select m.id, m.item_number, m.name, m.active, (select count(*) from material_files f
      where f.material_id = m.id and f.removed_at is null)::int as files
    from add_on_materials a join materials m on m.id = a.material_id
    where a.add_on_id = ${addOnId} order by m.item_number, m.id`);
}

/** Downloads of the add-on's show; 422 where one is not, 412 at an old version. */
async function setMaterials(
  ctx: Ctx, addOnId: number, body: { version: number; material_ids: number[] },
): Promise<AddOnMaterial[]> {
  const row = await addOns.find(ctx.db, addOnId, true);
  if (row.version !== body.version) throw stale(row);
  const ids = [...new Set(body.material_ids)];
  const fitting = await ctx.db.query<{ id: number }>(sql`
    select id from materials where id = any (${ids}) and fulfilment = 'download' and deleted_at is null
      and show_id = ${row.show_id}`);
  if (fitting.length < ids.length) {
    throw invalidField('material_ids', 'Choose materials of this show that are downloaded');
  }
  const before = await materialsOf(ctx.db, addOnId);
  await ctx.db.exec(sql`delete from add_on_materials where add_on_id = ${addOnId} and material_id <> all (${ids})`);
  await ctx.db.exec(sql`insert into add_on_materials (add_on_id, material_id)
    select ${addOnId}::bigint, m from unnest(${ids}::bigint[]) m on conflict do nothing`);
  await ctx.db.exec(sql`update add_ons set version = version + 1 where id = ${addOnId}`);
  const after = await materialsOf(ctx.db, addOnId);
  const named = (rows: readonly AddOnMaterial[]) => rows.map((material) => material.item_number);
  await ctx.audit({ action: 'update', entity: 'add_on', entity_id: addOnId, before: { materials: named(before) },
    after: { materials: named(after) } });
  return after;
}

export const addOnRoutes: Route[] = serve(addOnEndpoints, {
  ...addOns,
  async materials(ctx, { params }) {
    await addOns.find(ctx.db, params.id);
    return { data: await materialsOf(ctx.db, params.id) };
  },
  setMaterials: async (ctx, { params, body }) => ({ data: await setMaterials(ctx, params.id, body) }),
  async create(ctx, { body }) {
    await check(ctx.db, body);
    return addOns.create(ctx, { body: toColumns(body) });
  },
  async update(ctx, { params, body }) {
    const before = await addOns.find(ctx.db, params.id, true);
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const after = toColumns({ ...before, ...given } as Values);
    await check(ctx.db, { ...after, show_id: undefined });
    return addOns.update(ctx, { params, body: { ...toColumns(body), rate_ppm: after.rate_ppm } });
  },
  async remove(ctx, { params }) {
    const used = await ctx.db.maybeOne(sql`
      select 1 from license_charges where add_on_id = ${params.id}
      union all select 1 from royalty_terms where match_add_on_id = ${params.id} limit 1`);
    if (used) throw refuse('in_use', spell`Licenses or royalty terms name this add-on. Make it inactive instead.`);
    await addOns.remove(ctx, { params });
  },
});
