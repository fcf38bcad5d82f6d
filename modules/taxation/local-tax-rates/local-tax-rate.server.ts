/** Local tax rates: listed, added, changed while unused, ended, removed; and what a draft's person says of a ZIP. */
import type { QueryOf } from '#kit/endpoint.ts';
import { conflict, invalid, invalidField, refuse } from '#kit/errors.ts';
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { zipOf } from '#kernel/tax/zip.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { localTaxRateEndpoints, type LocalRateAnswer, type LocalTaxRateInput, type LocalTaxRateRow,
  type LocalTaxStateRow } from './local-tax-rate.contract.ts';

const columns = sql`t.id, t.state, t.county, t.level, t.zip_from, t.zip_to, t.rate_ppm, t.valid_from, t.valid_to,
  t.source, t.is_seeded, exists (select 1 from invoice_tax_lines l where l.local_tax_rate_id = t.id) as used,
  t.version, t.created_at, t.updated_at`;

function list(ctx: Ctx, query: QueryOf<typeof localTaxRateEndpoints.list>) {
  const asked = zipOf(query.search);
  return listPage<LocalTaxRateRow>(ctx.db, {
    base: sql`local_tax_rates t`, columns, joins: sql``, conditions: compact([
      query.state !== undefined && sql`t.state = upper(${query.state})`,
      query.level !== undefined && sql`t.level = ${query.level}`,
      query.zip !== undefined && sql`${zipOf(query.zip) ?? ''} between t.zip_from and t.zip_to`,
      query.on !== undefined && sql`t.valid_from <= ${query.on} and (t.valid_to is null or t.valid_to >= ${query.on})`,
      query.search !== undefined && (asked !== null ? sql`${asked} between t.zip_from and t.zip_to`
        : mentions(sql`t.state || ' ' || t.county || ' ' || t.source`, query.search))]),
    sorts: { zip_from: sql`t.zip_from`, state: sql`t.state`, rate_ppm: sql`t.rate_ppm`,
      valid_from: sql`t.valid_from` }, defaultSort: 'zip_from',
  }, query, localTaxRateEndpoints.list.path);
}

async function rowOf(ctx: Pick<WorkContext, 'db'>, id: number): Promise<LocalTaxRateRow> {
  const row = await ctx.db.maybeOne<LocalTaxRateRow>(sql`
    select ${columns} from local_tax_rates t where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Writers of one state come one after the other; what may not overlap is asked for before it is written. */
async function refuseWrong(ctx: WorkContext, input: LocalTaxRateInput, own: number | null): Promise<void> {
  const state = await ctx.db.maybeOne(sql`select 1 from local_tax_states where state = ${input.state} for update`);
  if (!state) throw invalidField('state', 'Enter the two letters of the state, for example NY');
  if (input.zip_to < input.zip_from) throw invalidField('zip_to', 'The last ZIP code comes before the first');
  if (input.valid_to !== null && input.valid_to < input.valid_from) {
    throw invalidField('valid_to', 'A rate cannot end before it starts');
  }
  const other = await ctx.db.maybeOne<LocalTaxRateRow>(sql`
    select ${columns} from local_tax_rates t where t.state = ${input.state} and t.level = ${input.level}
      and t.zip_from <= ${input.zip_to} and t.zip_to >= ${input.zip_from}
      and daterange(t.valid_from, t.valid_to, '[]') && daterange(${input.valid_from}::date, ${input.valid_to}::date,
        '[]') and t.id is distinct from ${own}::bigint order by t.valid_from, t.id limit 1`);
  if (!other) return;
  const until = other.valid_to === null ? '' : ` to ${dateInWords(other.valid_to)}`;
  const text = `${other.county}, ${other.zip_from} to ${other.zip_to}, has a ${other.level} rate of ${
    other.rate_ppm / 10_000}% from ${dateInWords(other.valid_from)}${until}. End it first.`;
  throw invalid({ zip_from: [text] });
}

/** Adds a rate by the rules of the form; an import calls it for each row. */
export async function addLocalRate(ctx: WorkContext, input: LocalTaxRateInput): Promise<LocalTaxRateRow> {
  await refuseWrong(ctx, input, null);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into local_tax_rates (state, county, level, zip_from, zip_to, rate_ppm, valid_from, valid_to, source,
      created_by_id)
    values (${input.state}, ${input.county}, ${input.level}, ${input.zip_from}, ${input.zip_to}, ${input.rate_ppm},
      ${input.valid_from}, ${input.valid_to}, ${input.source}, ${ctx.actor.actor_id}) returning id`);
  const row = await rowOf(ctx, id);
  await ctx.audit({ action: 'create', entity: 'local_tax_rate', entity_id: id, after: row });
  return row;
}

type Change = { [K in keyof LocalTaxRateInput]?: LocalTaxRateInput[K] | undefined } & { version: number };

/** One that an invoice was taxed by is only ended: its other fields stay as they were printed. */
async function update(ctx: Ctx, id: number, { version, ...change }: Change): Promise<LocalTaxRateRow> {
  await ctx.db.exec(sql`select 1 from local_tax_rates where id = ${id} for update`);
  const before = await rowOf(ctx, id);
  if (before.version !== version) throw stale(before);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given };
  const fixed = ['state', 'county', 'level', 'zip_from', 'zip_to', 'rate_ppm', 'valid_from', 'source'] as const;
  const changed = fixed.filter((name) => after[name] !== before[name]);
  if (before.used && changed.length > 0) {
    throw invalidField(changed[0]!, 'Invoices were taxed by this rate. Enter its last day, and add another rate.');
  }
  await refuseWrong(ctx, after, id);
  await ctx.db.exec(sql`
    update local_tax_rates set state = ${after.state}, county = ${after.county}, level = ${after.level},
      zip_from = ${after.zip_from}, zip_to = ${after.zip_to}, rate_ppm = ${after.rate_ppm},
      valid_from = ${after.valid_from}, valid_to = ${after.valid_to}, source = ${after.source}, is_seeded = false,
      version = version + 1 where id = ${id}`);
  const row = await rowOf(ctx, id);
  await ctx.audit({ action: 'update', entity: 'local_tax_rate', entity_id: id, before, after: row });
  return row;
}

async function remove(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.exec(sql`select 1 from local_tax_rates where id = ${id} for update`);
  const before = await rowOf(ctx, id);
  if (before.used) {
    throw conflict('local_tax_rate.used', 'Invoices were taxed by this rate. Enter its last day instead.');
  }
  await ctx.db.exec(sql`delete from local_tax_rates where id = ${id}`);
  await ctx.audit({ action: 'remove', entity: 'local_tax_rate', entity_id: id, before });
}

/**
 * Keeps what a person said of a ZIP while drafting, from that day on, so that nobody is asked twice. 0 is kept too: the
 * state's rate is right there. A ZIP that somebody else answered meanwhile keeps that answer.
 */
export async function rememberLocalRate(ctx: WorkContext, answer: LocalRateAnswer, on: string): Promise<void> {
  const state = await ctx.db.maybeOne(sql`select 1 from local_tax_states where state = ${answer.state} for update`);
  if (!state) return;
  const rows = await ctx.db.query<{ valid_from: string; valid_to: string | null }>(sql`
    select valid_from, valid_to from local_tax_rates where state = ${answer.state}
      and ${answer.zip} between zip_from and zip_to order by valid_from`);
  if (rows.some((row) => row.valid_from <= on && (row.valid_to === null || row.valid_to >= on))) return;
  const next = rows.find((row) => row.valid_from > on);
  await addLocalRate(ctx, { state: answer.state, county: `ZIP ${answer.zip}`, level: 'county', zip_from: answer.zip,
    zip_to: answer.zip, rate_ppm: answer.rate_ppm, valid_from: on,
    valid_to: next ? addDays(next.valid_from, -1) : null,
    source: answer.rate_ppm === 0 ? 'Confirmed on a draft invoice: the state rate is right here'
      : 'Entered on a draft invoice' });
}

export const localTaxRateRoutes: Route[] = serve(localTaxRateEndpoints, {
  list: (ctx, { query }) => list(ctx, query),
  create: async (ctx, { body }) => ({ data: await addLocalRate(ctx, body) }),
  update: async (ctx, { params, body }) => ({ data: await update(ctx, params.id, body) }),
  remove: (ctx, { params }) => remove(ctx, params.id),
  states: async (ctx) => ({ data: await ctx.db.query<LocalTaxStateRow>(sql`
    select id, state, complete, version from local_tax_states order by state`) }),
  async updateState(ctx, { params, body }) {
    const before = await ctx.db.maybeOne<LocalTaxStateRow>(sql`
      select id, state, complete, version from local_tax_states where id = ${params.id} for update`);
    if (!before) throw refuse('not_found');
    if (before.version !== body.version) throw refuse('stale');
    const after = await ctx.db.one<LocalTaxStateRow>(sql`
      update local_tax_states set complete = ${body.complete}, version = version + 1 where id = ${params.id}
      returning id, state, complete, version`);
    await ctx.audit({ action: 'update', entity: 'local_tax_state', entity_id: params.id, before, after });
    return { data: after };
  },
});
