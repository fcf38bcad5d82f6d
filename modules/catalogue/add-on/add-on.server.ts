/** Add-ons of shows. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { crud } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { containing, sql } from '#server/sql.ts';
import { addOn, addOnEndpoints, type AddOnRow } from './add-on.contract.ts';

const addOns = crud(addOn, {
  table: 'add_ons', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: { show_title: sql`s.title` },
  joins: sql`join shows s on s.id = t.show_id`,
  filter: (query) => [
    query.show_id !== undefined && sql`t.show_id = ${query.show_id}`,
    query.active !== undefined && sql`t.active = ${query.active}`,
    query.kind !== undefined && sql`t.kind = ${query.kind}`,
    query.division !== undefined && sql`${query.division} = any (t.divisions)`,
    query.search !== undefined && sql`search_fold(t.name) like search_fold(${containing(String(query.search))})`,
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
  if (values.rate_ppm != null && values.rate_ppm > 1_000_000) throw invalidField('rate_ppm', 'At most 100 %');
  if (values.available_from && values.available_to && values.available_to < values.available_from) {
    throw invalidField('available_to', 'The last day is not before the first');
  }
  if (values.divisions?.length === 0) throw invalidField('divisions', 'Choose at least one division');
  if (values.show_id !== undefined
    && !await db.maybeOne(sql`select 1 from shows where id = ${values.show_id} and deleted_at is null`)) {
    throw invalidField('show_id', 'This show does not exist');
  }
}

export const addOnRoutes: Route[] = serve(addOnEndpoints, {
  ...addOns,
  async create(ctx, { body }) {
    await check(ctx.db, body);
    return addOns.create(ctx, { body: toColumns(body) });
  },
  async update(ctx, { params, body }) {
    const before = await addOns.find(ctx.db, params.id, true) as unknown as AddOnRow;
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const after = toColumns({ ...before, ...given } as Values);
    await check(ctx.db, { ...after, show_id: undefined });
    return addOns.update(ctx, { params, body: { ...toColumns(body), rate_ppm: after.rate_ppm } });
  },
  async remove(ctx, { params }) {
    const used = await ctx.db.maybeOne(sql`
      select 1 from license_charges where add_on_id = ${params.id}
      union all select 1 from royalty_terms where match_add_on_id = ${params.id} limit 1`);
    if (used) throw refuse('in_use', 'Licences or royalty terms name this add-on. Make it inactive instead.');
    await addOns.remove(ctx, { params });
  },
});
