/** Rules of taxability: a new one ends the one before it, nothing is rewritten. */
import type { QueryOf } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { stale } from '#server/crud.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { containing, sql } from '#server/sql.ts';
import { taxRuleEndpoints, type TaxRuleRow } from './tax-rule.contract.ts';

const columns = sql`t.id, t.division, t.jurisdiction, t.item_class, t.taxable, c.code as tax_code, t.valid_from,
  t.valid_to, t.source, t.version, t.created_at, t.updated_at`;
const joins = sql`left join tax_codes c on c.id = t.tax_code_id`;

function list(ctx: Ctx, query: QueryOf<typeof taxRuleEndpoints.list>) {
  return listPage<TaxRuleRow>(ctx.db, {
    base: sql`taxability t`, columns, joins, conditions: compact([
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.item_class !== undefined && sql`t.item_class = ${query.item_class}`,
      query.taxable !== undefined && sql`t.taxable = ${query.taxable === 'true'}`,
      query.on !== undefined && sql`t.valid_from <= ${query.on} and (t.valid_to is null or t.valid_to >= ${query.on})`,
      query.search !== undefined && sql`lower(t.jurisdiction || ' ' || replace(t.item_class, '_', ' '))
        like lower(${containing(query.search)})`]),
    sorts: { jurisdiction: sql`t.jurisdiction`, valid_from: sql`t.valid_from` }, defaultSort: 'jurisdiction',
  }, query, taxRuleEndpoints.list.path);
}

async function rowOf(ctx: Ctx, id: number): Promise<TaxRuleRow> {
  const row = await ctx.db.maybeOne<TaxRuleRow>(sql`select ${columns} from taxability t ${joins} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

async function codeId(ctx: Ctx, division: string, taxable: boolean, code: string | null): Promise<number | null> {
  if (!taxable) return null;
  if (!code) throw invalidField('tax_code', 'Choose the tax code');
  const row = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from tax_codes where division = ${division} and code = ${code.toUpperCase()} and active`);
  if (!row) throw invalidField('tax_code', `Division ${division} has no tax code ${code}`);
  return row.id;
}

export const taxRuleRoutes: Route[] = serve(taxRuleEndpoints, {
  list: (ctx, { query }) => list(ctx, query),
  async create(ctx, { body }) {
    const code = await codeId(ctx, body.division, body.taxable, body.tax_code);
    const same = await ctx.db.query<{ id: number; valid_from: string; valid_to: string | null }>(sql`
      select id, valid_from, valid_to from taxability where division = ${body.division}
        and jurisdiction = ${body.jurisdiction} and item_class = ${body.item_class} order by valid_from for update`);
    const later = same.find((row) => row.valid_from >= body.valid_from);
    if (later) throw invalidField('valid_from', `There is a rule from ${dateInWords(later.valid_from)} already`);
    const before = same.at(-1);
    if (before && (before.valid_to === null || before.valid_to >= body.valid_from)) {
      await ctx.db.exec(sql`update taxability set valid_to = ${addDays(body.valid_from, -1)}, version = version + 1
        where id = ${before.id}`);
    }
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into taxability (division, jurisdiction, item_class, taxable, tax_code_id, valid_from, source)
      values (${body.division}, ${body.jurisdiction}, ${body.item_class}, ${body.taxable}, ${code},
        ${body.valid_from}, ${body.source}) returning id`);
    const made = await rowOf(ctx, id);
    await ctx.audit({ action: 'create', entity: 'tax_rule', entity_id: id, after: made });
    return { data: made };
  },
  async update(ctx, { params, body }) {
    await ctx.db.exec(sql`select 1 from taxability where id = ${params.id} for update`);
    const before = await rowOf(ctx, params.id);
    if (before.version !== body.version) throw stale(before);
    if (body.valid_to !== null && body.valid_to < before.valid_from) {
      throw invalidField('valid_to', 'A rule cannot end before it starts');
    }
    const later = await ctx.db.query(sql`
      select 1 from taxability where division = ${before.division} and jurisdiction = ${before.jurisdiction}
        and item_class = ${before.item_class} and valid_from > ${before.valid_from}
        and (${body.valid_to}::date is null or valid_from <= ${body.valid_to})`);
    if (later.length > 0) throw invalidField('valid_to', 'The next rule begins before this day');
    await ctx.db.exec(sql`
      update taxability set valid_to = ${body.valid_to}, version = version + 1 where id = ${params.id}`);
    const after = await rowOf(ctx, params.id);
    await ctx.audit({ action: 'update', entity: 'tax_rule', entity_id: params.id, before, after });
    return { data: after };
  },
});
