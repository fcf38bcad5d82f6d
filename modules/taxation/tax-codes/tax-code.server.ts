/** Tax rates: listed, added, ended. Issued lines name the row they were taxed by, so rows are never changed or
 * removed. */
import type { QueryOf } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import type * as z from 'zod';
import { taxCodeEndpoints, type taxRateInput, type TaxRateRow } from './tax-code.contract.ts';

const columns = sql`t.id, t.tax_code_id, c.division, c.code, c.name, c.kind, t.jurisdiction, t.level, t.rate_ppm,
  case when t.level = 'state' then coalesce((select x.taxable from taxability x where x.division = c.division
    and x.jurisdiction = t.jurisdiction and x.item_class = 'shipping' and (t.valid_to is null or x.valid_from <=
      t.valid_to)
    order by x.valid_from desc limit 1), t.taxes_shipping) else t.taxes_shipping end as taxes_shipping, t.valid_from,
      t.valid_to, t.source, exists (select 1 from invoice_tax_lines l
    where l.tax_rate_id = t.id) as used, t.version, t.created_at, t.updated_at`;
const joins = sql`join tax_codes c on c.id = t.tax_code_id`;

function list(ctx: Ctx, query: QueryOf<typeof taxCodeEndpoints.list>) {
  const code = (condition: ReturnType<typeof sql>) => sql`exists (select 1 from tax_codes x
    where x.id = t.tax_code_id and ${condition})`;
  return listPage<TaxRateRow>(ctx.db, {
    base: sql`tax_rates t`, columns, joins, conditions: compact([
      query.division !== undefined && code(sql`x.division = ${query.division}`),
      query.kind !== undefined && code(sql`x.kind = ${query.kind}`),
      query.jurisdiction !== undefined && mentions(sql`t.jurisdiction`, query.jurisdiction),
      query.on !== undefined && sql`t.valid_from <= ${query.on} and (t.valid_to is null or t.valid_to >= ${query.on})`,
      query.search !== undefined && sql`(${mentions(sql`t.jurisdiction`, query.search)}
        or ${code(mentions(sql`x.code || ' ' || x.name`, query.search))})`]),
    sorts: { jurisdiction: sql`t.jurisdiction`, rate_ppm: sql`t.rate_ppm`, valid_from: sql`t.valid_from`,
      code: sql`t.tax_code_id` },
    defaultSort: 'jurisdiction',
  }, query, taxCodeEndpoints.list.path);
}

async function find(ctx: Ctx, id: number): Promise<TaxRateRow> {
  const row = await ctx.db.maybeOne<TaxRateRow>(sql`select ${columns} from tax_rates t ${joins} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

function levelOf(jurisdiction: string): TaxRateRow['level'] {
  const parts = jurisdiction.split('-').length;
  return parts === 1 ? 'country' : parts === 2 ? 'state' : parts === 3 ? 'city' : 'district';
}

/** The rate before it ends the day before; one that starts later than another is not slipped in between. */
async function create(ctx: Ctx, body: z.output<typeof taxRateInput>): Promise<TaxRateRow> {
  if (/^US-[^-]+-/.test(body.jurisdiction)) {
    throw invalidField('jurisdiction', spell`Local rates are found by ZIP code: add this one under Local rates`);
  }
  const codeId = await codeOf(ctx, body);
  const open = await ctx.db.query<{ id: number; valid_from: string; valid_to: string | null }>(sql`
    select id, valid_from, valid_to from tax_rates where tax_code_id = ${codeId} and jurisdiction = ${body.jurisdiction}
    order by valid_from for update`);
  const later = open.find((row) => row.valid_from >= body.valid_from);
  if (later) throw invalidField('valid_from', `There is a rate from ${dateInWords(later.valid_from)} already`);
  const before = open.at(-1);
  if (before && (before.valid_to === null || before.valid_to >= body.valid_from)) {
    await ctx.db.exec(sql`update tax_rates set valid_to = ${addDays(body.valid_from, -1)}, version = version + 1
      where id = ${before.id}`);
  }
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into tax_rates (tax_code_id, jurisdiction, level, rate_ppm, taxes_shipping, valid_from, source,
      created_by_id)
    values (${codeId}, ${body.jurisdiction}, ${body.level ?? levelOf(body.jurisdiction)}, ${body.rate_ppm},
      ${body.taxes_shipping}, ${body.valid_from}, ${body.source}, ${ctx.user.user_id}) returning id`);
  if (levelOf(body.jurisdiction) === 'state') await ruleOnDelivery(ctx, codeId, body);
  const row = await find(ctx, id);
  await ctx.audit({ action: 'create', entity: 'tax_rate', entity_id: id, after: row });
  return row;
}

/** Whether a state taxes delivery is said with its rate; it is kept as a rule of that day beside the other classes. */
async function ruleOnDelivery(ctx: Ctx, codeId: number, body: z.output<typeof taxRateInput>): Promise<void> {
  await ctx.db.exec(sql`
    insert into taxability (division, jurisdiction, item_class, taxable, tax_code_id, valid_from, source)
    values (${body.division}, ${body.jurisdiction}, 'shipping', ${body.taxes_shipping},
      ${body.taxes_shipping ? codeId : null}, ${body.valid_from}, ${body.source})
    on conflict (division, jurisdiction, item_class, valid_from) do update
      set taxable = excluded.taxable, tax_code_id = excluded.tax_code_id, source = excluded.source`);
}

async function codeOf(ctx: Ctx, body: z.output<typeof taxRateInput>): Promise<number> {
  const known = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from tax_codes where division = ${body.division} and code = ${body.code}`);
  if (known) return known.id;
  if (!body.name || !body.category) {
    throw invalidField('code', 'This code is new: say its name and what kind of tax it is');
  }
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into tax_codes (division, code, name, kind) values (${body.division}, ${body.code}, ${body.name},
      ${body.category}) returning id`);
  return id;
}

async function update(ctx: Ctx, id: number, body: { valid_to?: string | null | undefined; name?: string | undefined;
  version?: number | undefined }): Promise<TaxRateRow> {
  const before = await find(ctx, id);
  if (body.version !== undefined && body.version !== before.version) throw refuse('stale');
  if (body.valid_to && body.valid_to < before.valid_from) {
    throw invalidField('valid_to', 'A rate cannot end before it starts');
  }
  if (body.valid_to !== undefined) {
    await ctx.db.exec(sql`update tax_rates set valid_to = ${body.valid_to}, version = version + 1 where id = ${id}`);
  }
  if (body.name !== undefined) {
    await ctx.db.exec(sql`update tax_codes set name = ${body.name}, version = version + 1
      where id = ${before.tax_code_id}`);
  }
  const after = await find(ctx, id);
  await ctx.audit({ action: 'update', entity: 'tax_rate', entity_id: id, before, after });
  return after;
}

export const taxCodeRoutes: Route[] = serve(taxCodeEndpoints, {
  list: (ctx, { query }) => list(ctx, query),
  create: async (ctx, { body }) => ({ data: await create(ctx, body) }),
  update: async (ctx, { params, body }) => ({ data: await update(ctx, params.id, body) }),
});
