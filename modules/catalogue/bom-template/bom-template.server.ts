/** BOM templates: written as drafts, approved, copied by licences; trash, restore, purge. */
import { conflict, invalid, invalidField, refuse } from '#kit/errors.ts';
import { field } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import { activityOf } from '#server/activity.ts';
import { declineDraft, declineOf } from '#server/approval-source.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { join, name, sql } from '#server/sql.ts';
import { bomTemplate, bomTemplateEndpoints, type BomLineInput, type BomTemplateInput,
  type BomTemplateRow } from './bom-template.contract.ts';
import { previewLines } from './explode-template.server.ts';

/** Lines with what their materials are called, in their order. */
const LINES = sql`coalesce((select jsonb_agg(jsonb_build_object('material_id', l.material_id, 'qty_rule', l.qty_rule,
    'quantity', l.quantity, 'factor_ppm', l.factor_ppm, 'constant', l.constant, 'optional', l.optional,
    'ship_group', l.ship_group, 'lead_days', l.lead_days, 'substitution_group', l.substitution_group,
    'substitution_rank', l.substitution_rank, 'note', l.note, 'item_number', m.item_number, 'name', m.name,
    'type', m.type, 'available', m.active and m.deleted_at is null) order by l.sort, l.id)
  from bom_template_lines l join materials m on m.id = l.material_id where l.bom_template_id = t.id), '[]')`;

const { show_code: _code, lines: _lines, ...plain } = bomTemplate.fields;
const stored = { ...bomTemplate,
  fields: { ...plain, show_id: field.ref('Show', '/api/admin/staff/shows') },
  extra: { lines: 1, show_code: 1, show_title: 1, classification_name: 1, template_version: 1, approved: 1,
    approved_at: 1, approved_by_name: 1, line_count: 1, declined: 1, copy_count: 1, deleted_at: 1 } };

const templates = crud(stored, {
  table: 'bom_templates', search: 'search_text', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  joins: sql`join shows s on s.id = t.show_id left join users u on u.id = t.approved_by_id
    left join customer_classifications c on c.id = t.customer_classification_id`,
  extra: {
    lines: LINES, show_code: sql`s.show_code`, show_title: sql`s.title`, classification_name: sql`c.name`,
    approved: sql`t.approved_at is not null`, approved_by_name: sql`u.first_name || ' ' || u.last_name`,
    declined: declineOf('bom_template', sql`t.id`, sql`t.version`),
    line_count: sql`(select count(*) from bom_template_lines l where l.bom_template_id = t.id)`,
    copy_count: sql`(select count(*) from license_boms b where b.source_bom_template_id = t.id)`,
  },
  filter: (query) => [
    query.show_code !== undefined && sql`t.show_id = (select id from shows where show_code = ${query.show_code})`,
    query.category !== undefined && sql`t.category = ${query.category}`,
    query.division !== undefined && sql`(t.division is null or t.division = ${query.division})`,
    query.approved !== undefined && sql`(t.approved_at is not null) = ${query.approved}`,
  ],
});

type Values = { [K in keyof BomTemplateInput]?: BomTemplateInput[K] | undefined };

async function toColumns(db: Queryable, { show_code: code, lines: _all, ...rest }: Values) {
  const columns: Record<string, unknown> = rest.notes === null ? { ...rest, notes: '' } : { ...rest };
  if (code !== undefined) {
    const show = await db.maybeOne<{ id: number }>(sql`
      select id from shows where show_code = ${code} and deleted_at is null`);
    if (!show) throw invalidField('show_code', 'This show does not exist');
    columns.show_id = show.id;
  }
  return columns;
}

function checkRange(values: Values): void {
  const { cast_min: least, cast_max: most } = values;
  if (least != null && most != null && most < least) {
    throw invalidField('cast_max', 'Largest cast is at least the smallest cast');
  }
}

/** Every material once, of this show or of none, and there. */
async function checkLines(db: Queryable, showId: number, lines: readonly BomLineInput[]): Promise<void> {
  const found = await db.query<{ id: number; show_id: number | null; name: string }>(sql`
    select id, show_id, name from materials where id = any (${lines.map((line) => line.material_id)})
      and deleted_at is null`);
  const errors: Record<string, string[]> = {};
  for (const [index, line] of lines.entries()) {
    const row = found.find((one) => one.id === line.material_id);
    const at = `lines.${index}.material_id`;
    if (!row) errors[at] = ['This material does not exist'];
    else if (row.show_id !== null && row.show_id !== showId) errors[at] = [`${row.name} belongs to another show`];
    else if (lines.findIndex((other) => other.material_id === line.material_id) < index) {
      errors[at] = [`${row.name} stands in a line above already`];
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

async function replaceLines(db: Queryable, id: number, lines: readonly BomLineInput[]): Promise<void> {
  await db.exec(sql`delete from bom_template_lines where bom_template_id = ${id}`);
  await db.exec(sql`
    insert into bom_template_lines (bom_template_id, material_id, qty_rule, quantity, factor_ppm, constant, optional,
      ship_group, lead_days, substitution_group, substitution_rank, note, sort)
    select ${id}, l.material_id, l.qty_rule, l.quantity, l.factor_ppm, l.constant, l.optional, l.ship_group,
      l.lead_days, l.substitution_group, l.substitution_rank, l.note, l.sort
    from jsonb_to_recordset(${JSON.stringify(lines.map((line, sort) => ({ ...line, sort })))}::jsonb)
      as l (material_id bigint, qty_rule text, quantity int, factor_ppm bigint, constant int, optional boolean,
        ship_group text, lead_days int, substitution_group text, substitution_rank int, note text, sort int)`);
}

const find = async (db: Queryable, id: number, lock = false, trashed = false): Promise<BomTemplateRow> =>
  await templates.find(db, id, lock, trashed);

/** A new draft; the demo season comes through here too. */
export async function createBomTemplate(ctx: WorkContext, input: BomTemplateInput): Promise<BomTemplateRow> {
  checkRange(input);
  const columns = await toColumns(ctx.db, input);
  await checkLines(ctx.db, columns.show_id as number, input.lines);
  const names = Object.keys(columns).filter((key) => columns[key] !== undefined);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bom_templates (${join(names.map(name))})
    values (${join(names.map((key) => sql`${columns[key]}`))}) returning id`);
  await replaceLines(ctx.db, id, input.lines);
  const row = await find(ctx.db, id);
  await ctx.audit({ action: 'create', entity: 'bom_template', entity_id: id, after: row });
  await tellApprovers(ctx, row);
  return row;
}

type Change = Values & { version: number };

/** Whether a save says what is stored already, to the line. */
function saysNothingNew(
  before: BomTemplateRow, columns: Record<string, unknown>, lines: readonly BomLineInput[] | undefined,
): boolean {
  const same = (stored: object, given: object): boolean => Object.entries(given)
    .every(([key, value]) => value === undefined || (stored as Record<string, unknown>)[key] === value);
  return same(before, columns) && (lines === undefined || lines.length === before.lines.length
    && lines.every((line, at) => same(before.lines[at]!, line)));
}

/**
 * An edit clears the approval; the first one after an approval begins the next version. A save without an edit leaves
 * both as they are.
 */
async function update(ctx: Ctx, id: number, body: Change): Promise<BomTemplateRow> {
  const before = await find(ctx.db, id, true);
  if (before.version !== body.version) throw stale(before);
  const { version: _version, ...values } = body;
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
  checkRange({ ...before, ...given });
  const columns = await toColumns(ctx.db, given);
  const showId = (columns.show_id as number | undefined) ?? before.show_id;
  if (before.copy_count > 0 && showId !== before.show_id) {
    throw invalidField('show_code', spell`Licenses copied this template: it stays with its show`);
  }
  if (saysNothingNew(before, columns, given.lines)) return before;
  await checkLines(ctx.db, showId, given.lines ?? before.lines);
  if (given.lines) await replaceLines(ctx.db, id, given.lines);
  const sets = Object.entries(columns).map(([key, value]) => sql`${name(key)} = ${value}`);
  await ctx.db.exec(sql`
    update bom_templates set ${join([...sets, sql`approved_at = null`, sql`approved_by_id = null`,
      sql`template_version = template_version + case when approved_at is null then 0 else 1 end`,
      sql`version = version + 1`])} where id = ${id}`);
  const after = await find(ctx.db, id);
  await ctx.audit({ action: 'update', entity: 'bom_template', entity_id: id, before, after });
  await tellApprovers(ctx, after);
  return after;
}

async function approve(ctx: Ctx, id: number, version: number | undefined): Promise<BomTemplateRow> {
  const before = await find(ctx.db, id, true);
  if (version !== undefined && before.version !== version) throw stale(before);
  if (before.approved) throw conflict('bom_template.approved', 'This version is already approved.');
  if (before.lines.length === 0) throw conflict('bom_template.empty', 'Add a line first: nobody would get anything.');
  const gone = before.lines.find((line) => !line.available);
  if (gone) {
    throw conflict('bom_template.unavailable', `${gone.name} is inactive or in the trash. Take it off the template.`);
  }
  await ctx.db.exec(sql`
    update bom_templates set approved_at = ${ctx.now().toISOString()}, approved_by_id = ${ctx.user.user_id},
      version = version + 1 where id = ${id}`);
  await ctx.db.exec(sql`
    insert into bom_template_versions (bom_template_id, template_version, snapshot, approved_by_id, approved_at)
    values (${id}, ${before.template_version}, ${JSON.stringify(before.lines)}, ${ctx.user.user_id},
      ${ctx.now().toISOString()})`);
  const after = await find(ctx.db, id);
  await ctx.audit({ action: 'approve', entity: 'bom_template', entity_id: id, before, after });
  await notifyAsker(ctx, await writerOf(ctx.db, id), { title: `BOM template approved: ${before.name}`,
    href: hrefOf(id) });
  return after;
}

const hrefOf = (id: number): string => `/admin/templates/bom/${id}`;

/** Author of the version that waits. */
async function writerOf(db: Queryable, id: number): Promise<number | null> {
  const row = await db.maybeOne<{ actor_id: number | null }>(sql`
    select actor_id from audit_events where entity = 'bom_template' and entity_id = ${id}
      and action in ('create', 'update') order by id desc limit 1`);
  return row?.actor_id ?? null;
}

/** Once for each version and again after a decline; a template without lines cannot be approved. */
async function tellApprovers(ctx: WorkContext, row: BomTemplateRow): Promise<void> {
  if (row.lines.length === 0) return;
  const { declines } = await ctx.db.one<{ declines: number }>(sql`
    select count(*)::int as declines from approval_declines where entity = 'bom_template' and entity_id = ${row.id}`);
  await notifyApprovers(ctx, bomTemplateEndpoints.approve, { title: `BOM template awaits approval: ${row.name}`,
    href: hrefOf(row.id), key: `approval/bom_template/${row.id}/${row.template_version}/${declines}` });
}

/** Sends the reason to the author; an edit puts the template up for approval again. */
async function decline(ctx: Ctx, id: number, version: number, reason: string): Promise<BomTemplateRow> {
  const before = await find(ctx.db, id, true);
  if (before.version !== version) throw stale(before);
  if (before.approved) throw conflict('bom_template.approved', 'This version is already approved.');
  await declineDraft(ctx, { entity: 'bom_template', id, version, reason });
  await notifyAsker(ctx, await writerOf(ctx.db, id), { title: `BOM template declined: ${before.name}`, body: reason,
    href: hrefOf(id) });
  return find(ctx.db, id);
}

async function purge(ctx: Ctx, id: number): Promise<void> {
  const before = await find(ctx.db, id, true, true);
  if (before.copy_count > 0) {
    throw refuse('in_use', spell`Licenses copied this template and are compared with it. It stays in the trash.`);
  }
  await ctx.db.exec(sql`delete from bom_template_lines where bom_template_id = ${id}`);
  await ctx.db.exec(sql`delete from bom_templates where id = ${id}`);
  await ctx.audit({ action: 'purge', entity: 'bom_template', entity_id: id, before });
}

export const bomTemplateRoutes: Route[] = serve(bomTemplateEndpoints, {
  list: templates.list,
  trash: templates.trash,
  show: async (ctx, { params }) => ({ data: await find(ctx.db, params.id) }),
  showTrashed: async (ctx, { params }) => ({ data: await find(ctx.db, params.id, false, true) }),
  create: async (ctx, { body }) => ({ data: await createBomTemplate(ctx, body) }),
  update: async (ctx, { params, body }) => ({ data: await update(ctx, params.id, body as Change) }),
  remove: templates.remove,
  restore: async (ctx, request) => {
    await templates.restore(ctx, request);
    return { data: await find(ctx.db, request.params.id) };
  },
  approve: async (ctx, { params, body }) => ({ data: await approve(ctx, params.id, body.version) }),
  decline: async (ctx, { params, body }) => ({ data: await decline(ctx, params.id, body.version, body.reason) }),
  purge: (ctx, { params }) => purge(ctx, params.id),
  preview: async (ctx, { params, body }) => {
    const row = await find(ctx.db, params.id);
    return { data: previewLines(row.lines, body) };
  },
  versions: (ctx, { params, query }) => listPage(ctx.db, {
    base: sql`bom_template_versions t`,
    columns: sql`t.id, t.template_version, u.first_name || ' ' || u.last_name as approved_by_name, t.approved_at,
      jsonb_array_length(t.snapshot) as line_count, t.snapshot as lines`,
    joins: sql`join users u on u.id = t.approved_by_id`,
    conditions: [sql`t.bom_template_id = ${params.id}`], sorts: { template_version: sql`t.template_version` },
    defaultSort: 'template_version', defaultDirection: 'desc',
  }, query, `${bomTemplate.path}/${params.id}/versions`),
  async activity(ctx, { params, query }) {
    await find(ctx.db, params.id);
    return activityOf(ctx.db, { entity: 'bom_template', entity_id: params.id }, query,
      `${bomTemplate.path}/${params.id}/activity`);
  },
});
