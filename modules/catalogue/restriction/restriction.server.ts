/** Restrictions of a show. Two rules for the same places, people and days contradict each other: one is refused. */
import { dateInWords, diffDays } from '#kernel/calendar/calendar.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { join, mentions, name, sql } from '#server/sql.ts';
import { restrictionEndpoints, type RestrictionInput, type RestrictionRow } from './restriction.contract.ts';
import { restrictionCalendar, scopeInWords } from './restriction-calendar.ts';

const COLUMNS = ['kind', 'max_n', 'division', 'country', 'region', 'lat', 'lng', 'date_from', 'date_to', 'categories',
  'customer_classification_id', 'media', 'reason_public', 'reason_internal'] as const;
const INPUTS = [...COLUMNS, 'radius_km', 'starts_from', 'starts_before'] as const;
const ROW = sql`t.id, t.show_id, ${join(COLUMNS.map((column) => sql`t.${name(column)}`))},
  t.radius_km::float8 as radius_km, to_char(t.starts_from, 'HH24:MI') as starts_from,
  to_char(t.starts_before, 'HH24:MI') as starts_before, c.name as classification_name, t.source_license_id,
  t.version, t.created_at, t.updated_at`;
const JOINS = sql`left join customer_classifications c on c.id = t.customer_classification_id`;
const MAX_CALENDAR_DAYS = 400;

type StoredRestriction = Omit<RestrictionRow, 'scope'>;

const spoken = (row: StoredRestriction): RestrictionRow => ({ ...row, scope: scopeInWords(row) });

async function find(db: Queryable, showId: number, id: number, lock = false): Promise<RestrictionRow> {
  const row = await db.maybeOne<StoredRestriction>(sql`
    select ${ROW} from show_restrictions t ${JOINS}
    where t.id = ${id} and t.show_id = ${showId} and t.deleted_at is null ${lock ? sql`for update of t` : sql``}`);
  if (!row) throw refuse('not_found');
  return spoken(row);
}

/** Holds the show, so that two people cannot write the same rule at once. */
async function lockShow(db: Queryable, showId: number): Promise<void> {
  const show = await db.maybeOne(sql`select 1 from shows where id = ${showId} and deleted_at is null for update`);
  if (!show) throw refuse('not_found');
}

function checkFields(input: RestrictionInput): void {
  const wrong = (field: string, text: string): never => { throw invalidField(field, text); };
  if (input.kind === 'max_n' && input.max_n === null) wrong('max_n', spell`Say how many licenses may stand`);
  if (input.kind !== 'max_n' && input.max_n !== null) wrong('max_n', spell`Only a limit counts licenses`);
  if (input.date_to !== null && input.date_to < input.date_from) {
    wrong('date_to', 'The last day is not before the first');
  }
  if (input.region !== null && input.country === null) wrong('country', 'Name the country of the region');
  const point = [input.lat, input.lng, input.radius_km].filter((part) => part !== null).length;
  if (point !== 0 && point !== 3) wrong('radius_km', 'A radius needs its centre: latitude, longitude and kilometres');
  if (input.starts_from !== null && input.starts_before !== null && input.starts_before <= input.starts_from) {
    wrong('starts_before', 'The end is after the beginning');
  }
}

/**
 * Rules that differ in place, people or hours may overlap: the worst one wins. For the same ones a second rule on
 * the same days is a slip or a contradiction; a limit stands beside a clearance.
 */
async function refuseOverlap(db: Queryable, showId: number, input: RestrictionInput, self: number): Promise<void> {
  const sorted = (values: readonly string[]): string[] => [...values].sort();
  const other = await db.maybeOne<{ date_from: string; date_to: string | null; reason_public: string }>(sql`
    select date_from, date_to, reason_public from show_restrictions
    where show_id = ${showId} and deleted_at is null and id <> ${self}
      and (kind = 'max_n') = ${input.kind === 'max_n'}
      and division is not distinct from ${input.division} and country is not distinct from ${input.country}
      and region is not distinct from ${input.region} and lat is not distinct from ${input.lat}
      and lng is not distinct from ${input.lng} and radius_km is not distinct from ${input.radius_km}::numeric
      and array(select unnest(categories) order by 1) = ${sorted(input.categories)}::text[]
      and array(select unnest(media) order by 1) = ${sorted(input.media)}::text[]
      and customer_classification_id is not distinct from ${input.customer_classification_id}
      and starts_from is not distinct from ${input.starts_from}::time
      and starts_before is not distinct from ${input.starts_before}::time
      and date_from <= coalesce(${input.date_to}::date, 'infinity')
      and coalesce(date_to, 'infinity') >= ${input.date_from}::date
    order by date_from limit 1`);
  if (!other) return;
  const until = other.date_to === null ? 'on, without an end' : `to ${dateInWords(other.date_to)}`;
  throw invalidField('date_from', `Overlaps the restriction "${other.reason_public}" from `
    + `${dateInWords(other.date_from)} ${until}. Change that one, or choose other days.`);
}

async function checked(db: Queryable, showId: number, input: RestrictionInput, self: number) {
  checkFields(input);
  if (input.customer_classification_id !== null) {
    const known = await db.maybeOne(sql`select 1 from customer_classifications
      where id = ${input.customer_classification_id} and deleted_at is null`);
    if (!known) throw invalidField('customer_classification_id', 'This classification does not exist');
  }
  await refuseOverlap(db, showId, input, self);
}

/** Closes a show by a rule; `source_license_id` names the exclusive licence that made it. */
export async function createRestriction(
  ctx: WorkContext, input: RestrictionInput & { show_id: number; source_license_id?: number | null },
): Promise<RestrictionRow> {
  await lockShow(ctx.db, input.show_id);
  await checked(ctx.db, input.show_id, input, 0);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into show_restrictions (show_id, source_license_id, ${join(INPUTS.map((column) => name(column)))})
    values (${input.show_id}, ${input.source_license_id ?? null},
      ${join(INPUTS.map((column) => sql`${input[column]}`))}) returning id`);
  const after = await find(ctx.db, input.show_id, id);
  await ctx.audit({ action: 'create', entity: 'show_restriction', entity_id: id, after });
  return after;
}

export const restrictionRoutes: Route[] = serve(restrictionEndpoints, {
  async list(ctx, { params, query }) {
    const page = await listPage<RestrictionRow>(ctx.db, {
      base: sql`show_restrictions t`, columns: ROW, joins: JOINS,
      conditions: compact([sql`t.show_id = ${params.showId}`, sql`t.deleted_at is null`, query.search !== undefined
        && mentions(sql`t.reason_public`, query.search)]),
      sorts: { date_from: sql`t.date_from`, updated_at: sql`t.updated_at` }, defaultSort: 'date_from',
      defaultDirection: 'desc',
    }, query, restrictionEndpoints.list.path.replace('{showId}', String(params.showId)));
    return { ...page, data: page.data.map(spoken) };
  },
  create: async (ctx, { params, body }) =>
    ({ data: await createRestriction(ctx, { ...body, show_id: params.showId }) }),
  async update(ctx, { params, body }) {
    await lockShow(ctx.db, params.showId);
    const before = await find(ctx.db, params.showId, params.id, true);
    if (before.version !== body.version) throw stale(before);
    await checked(ctx.db, params.showId, body, params.id);
    await ctx.db.exec(sql`update show_restrictions set
      ${join(INPUTS.map((column) => sql`${name(column)} = ${body[column]}`))}, version = version + 1
      where id = ${params.id}`);
    const after = await find(ctx.db, params.showId, params.id);
    await ctx.audit({ action: 'update', entity: 'show_restriction', entity_id: params.id, before, after });
    return { data: after };
  },
  async remove(ctx, { params }) {
    const before = await find(ctx.db, params.showId, params.id, true);
    await ctx.db.exec(sql`update show_restrictions set deleted_at = now(), version = version + 1
      where id = ${params.id}`);
    await ctx.audit({ action: 'remove', entity: 'show_restriction', entity_id: params.id, before });
  },
  async calendar(ctx, { params, query }) {
    const days = diffDays(query.from, query.to);
    if (days < 0) throw invalidField('to', 'The last day is not before the first');
    if (days > MAX_CALENDAR_DAYS) throw invalidField('to', `At most ${MAX_CALENDAR_DAYS} days at once`);
    const show = await ctx.db.maybeOne(sql`select 1 from shows where id = ${params.showId} and deleted_at is null`);
    if (!show) throw refuse('not_found');
    const rules = await ctx.db.query<StoredRestriction>(sql`
      select ${ROW} from show_restrictions t ${JOINS}
      where t.show_id = ${params.showId} and t.deleted_at is null and t.date_from <= ${query.to}
        and (t.date_to is null or t.date_to >= ${query.from}) order by t.id`);
    return { data: restrictionCalendar(rules.map(spoken), query) };
  },
});
