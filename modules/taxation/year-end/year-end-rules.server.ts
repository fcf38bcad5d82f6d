/** Thresholds and layouts of year-end forms: data of a tax year, never removed. */
import { FORM_BOXES, FORM_TITLES, withheldBox, type YearEndForm } from '#kernel/tax/year-end-forms.ts';
import { isLayoutKey } from '#kernel/tax/year-end-layout.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { stale } from '#server/crud.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { LayoutRow, ThresholdRow, yearEndEndpoints } from './year-end.contract.ts';

export function thresholdsOf(db: Queryable): Promise<ThresholdRow[]> {
  return db.query<ThresholdRow>(sql`
    select id, form, box, from_year, threshold_minor, source, version from year_end_thresholds
    order by form, box, from_year desc`);
}

const thresholdRow = async (db: Queryable, id: number): Promise<ThresholdRow | undefined> =>
  (await thresholdsOf(db)).find((one) => one.id === id);

export async function enterThreshold(
  ctx: Ctx, body: BodyOf<typeof yearEndEndpoints.enterThreshold>,
): Promise<ThresholdRow> {
  const boxes: readonly string[] = FORM_BOXES[body.form].filter((box) => box !== withheldBox(body.form));
  if (!boxes.includes(body.box)) {
    throw invalidField('box', `${FORM_TITLES[body.form]} has the boxes ${boxes.join(', ')}`);
  }
  const made = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into year_end_thresholds (form, box, from_year, threshold_minor, source, created_by_id)
    values (${body.form}, ${body.box}, ${body.from_year}, ${body.threshold_minor}, ${body.source},
      ${ctx.user.user_id})
    on conflict (form, box, from_year) do nothing returning id`);
  if (!made) throw invalidField('from_year', 'The box has a threshold from this year already: correct that one');
  const row = (await thresholdRow(ctx.db, made.id))!;
  await ctx.audit({ action: 'create', entity: 'year_end_threshold', entity_id: made.id, after: row });
  return row;
}

export async function changeThreshold(
  ctx: Ctx, id: number, body: BodyOf<typeof yearEndEndpoints.changeThreshold>,
): Promise<ThresholdRow> {
  await ctx.db.exec(sql`select 1 from year_end_thresholds where id = ${id} for update`);
  const before = await thresholdRow(ctx.db, id);
  if (!before) throw refuse('not_found');
  if (before.version !== body.version) throw stale(before);
  await ctx.db.exec(sql`
    update year_end_thresholds set threshold_minor = ${body.threshold_minor}, source = ${body.source},
      version = version + 1 where id = ${id}`);
  const after = (await thresholdRow(ctx.db, id))!;
  await ctx.audit({ action: 'update', entity: 'year_end_threshold', entity_id: id, before, after });
  return after;
}

const layouts = (db: Queryable, condition: Sql): Promise<LayoutRow[]> => db.query<LayoutRow>(sql`
  select l.id, l.form, l.tax_year, l.revision, l.columns, u.first_name || ' ' || u.last_name as confirmed_by_name,
    l.confirmed_at, l.version
  from year_end_layouts l left join users u on u.id = l.confirmed_by_id where ${condition}`);

const layoutRow = async (db: Queryable, id: number): Promise<LayoutRow> =>
  (await layouts(db, sql`l.id = ${id}`))[0]!;

/** The last revision of the year, else that of the year nearest before it, else the first one there is. */
export async function layoutOf(db: Queryable, form: YearEndForm, year: number): Promise<LayoutRow | null> {
  const [row] = await layouts(db, sql`l.form = ${form}
    order by l.tax_year <= ${year} desc, abs(l.tax_year - ${year}), l.revision desc limit 1`);
  return row ?? null;
}

/** The layout of the year itself: taken over from another year, unverified, where it has none. */
export async function ownLayout(ctx: Ctx, form: YearEndForm, year: number): Promise<LayoutRow> {
  const known = await layoutOf(ctx.db, form, year);
  if (!known) throw conflict('year_end_filing.not_ready', `No year has a layout of ${FORM_TITLES[form]}.`);
  if (known.tax_year === year) return known;
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into year_end_layouts (form, tax_year, revision, columns, created_by_id)
    values (${form}, ${year}, 1, ${JSON.stringify(known.columns)}::jsonb, ${ctx.user.user_id}) returning id`);
  return layoutRow(ctx.db, id);
}

async function lockedLayout(ctx: Ctx, id: number, version: number): Promise<LayoutRow> {
  await ctx.db.exec(sql`select 1 from year_end_layouts where id = ${id} for update`);
  const [row] = await layouts(ctx.db, sql`l.id = ${id}`);
  if (!row) throw refuse('not_found');
  if (row.version !== version) throw stale(row);
  return row;
}

/** A new revision for the year named, unverified; prepared forms keep the one they were prepared with. */
export async function changeLayout(
  ctx: Ctx, id: number, body: BodyOf<typeof yearEndEndpoints.changeLayout>,
): Promise<LayoutRow> {
  const before = await lockedLayout(ctx, id, body.version);
  const latest = (await layoutOf(ctx.db, before.form, before.tax_year))!;
  if (latest.id !== id) throw stale(latest);
  const known = new Set(before.columns.map((column) => column.key));
  const keys = body.columns.map((column) => column.key);
  if (keys.some((key) => !known.has(key) && !isLayoutKey(key)) || new Set(keys).size !== keys.length) {
    throw invalidField('columns', 'A column is unknown or named twice');
  }
  const made = await ctx.db.one<{ id: number }>(sql`
    insert into year_end_layouts (form, tax_year, revision, columns, created_by_id)
    select ${before.form}, ${body.tax_year}, coalesce(max(revision), 0) + 1, ${JSON.stringify(body.columns)}::jsonb,
      ${ctx.user.user_id} from year_end_layouts where form = ${before.form} and tax_year = ${body.tax_year}
    returning id`);
  const after = await layoutRow(ctx.db, made.id);
  await ctx.audit({ action: 'update', entity: 'year_end_layout', entity_id: made.id, before, after });
  return after;
}

export async function confirmLayout(ctx: Ctx, id: number, version: number): Promise<LayoutRow> {
  const before = await lockedLayout(ctx, id, version);
  if (before.confirmed_at !== null) {
    throw conflict('year_end_layout.confirmed', `The layout was confirmed by ${before.confirmed_by_name} before.`);
  }
  await ctx.db.exec(sql`
    update year_end_layouts set confirmed_by_id = ${ctx.user.user_id}, confirmed_at = ${ctx.now().toISOString()},
      version = version + 1 where id = ${id}`);
  const after = await layoutRow(ctx.db, id);
  await ctx.audit({ action: 'confirm', entity: 'year_end_layout', entity_id: id, before, after });
  return after;
}
