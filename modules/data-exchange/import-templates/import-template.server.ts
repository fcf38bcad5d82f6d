/** Import templates with their columns. */
import { invalid, refuse, type FieldErrors } from '#kit/errors.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { constantProblem, type FieldSet } from '../imports/import-field.contract.ts';
import { IMPORT_KINDS, IMPORT_MODELS, type ImportModel } from '../imports/kinds/import-kind.contract.ts';
import { csvStream } from '#server/csv.ts';
import { importTemplateEndpoints as endpoints, type TemplateColumn, type TemplateRow }
  from './import-template.contract.ts';

const COLUMNS = sql`t.id, t.name, t.model_name, t.delimiter, t.date_format, t.decimal_style, t.report_scope, t.date_is,
  t.currency, t.active, t.version, t.created_at, t.updated_at,
  (select count(*) from import_template_columns c where c.import_template_id = t.id) as columns_count,
  (select count(*) from imports i where i.import_template_id = t.id) as imports_count`;

/** A template with its columns, as imports start from it. */
export async function templateOf(
  db: Queryable, id: number, lock = false,
): Promise<{ template: TemplateRow; columns: TemplateColumn[] }> {
  if (lock) await db.query(sql`select 1 from import_templates where id = ${id} for update`);
  const template = await db.maybeOne<TemplateRow>(sql`
    select ${COLUMNS} from import_templates t where t.id = ${id} and t.deleted_at is null`);
  if (!template) throw refuse('not_found');
  const columns = await db.query<TemplateColumn>(sql`
    select field, column_name, amount_unit, default_value from import_template_columns
    where import_template_id = ${id} order by sort, id`);
  return { template, columns };
}

export const importTemplateRoutes: Route[] = serve(endpoints, {
  list: (ctx, { query }) => listPage<TemplateRow>(ctx.db, {
    base: sql`import_templates t`, columns: COLUMNS,
    conditions: compact([
      sql`t.deleted_at is null`, sql`t.model_name = any(${[...IMPORT_MODELS]}::text[])`,
      query.model_name !== undefined && sql`t.model_name = ${query.model_name}`,
      query.active !== undefined && sql`t.active = ${query.active}`,
      query.search !== undefined && mentions(sql`t.name`, query.search),
    ]),
    sorts: { name: sql`t.name collate "und-x-icu"`, updated_at: sql`t.updated_at` },
    defaultSort: 'name',
  }, query, endpoints.list.path),

  async create(ctx, { body }) {
    await refuseTakenName(ctx.db, body.name, null);
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into import_templates (name, model_name, delimiter, date_format, decimal_style, report_scope, date_is,
        currency, created_by_id)
      values (${body.name}, ${body.model_name}, ${body.delimiter}, ${body.date_format}, ${body.decimal_style},
        ${body.report_scope}, ${body.date_is}, ${body.currency}, ${ctx.actor.actor_id}) returning id`);
    await writeColumns(ctx.db, id, ownColumns(body.model_name, body.currency));
    const { template } = await templateOf(ctx.db, id);
    await ctx.audit({ action: 'create', entity: 'import_template', entity_id: id, after: template });
    return { data: template };
  },

  async download(ctx, { params }) {
    const { template, columns } = await templateOf(ctx.db, params.id);
    const example = columns.map((column) => exampleOf(column, template));
    return { filename: `${template.name}.csv`, content_type: 'text/csv; charset=utf-8',
      content: csvStream(columns.map((column) => column.column_name), [example]) };
  },

  async maps(ctx, { params }) {
    return { data: await templateOf(ctx.db, params.id) };
  },

  async saveMaps(ctx, { params, body }) {
    const before = await templateOf(ctx.db, params.id, true);
    if (before.template.version !== body.version) throw stale(before.template);
    refuseWrongColumns(IMPORT_KINDS[before.template.model_name].fields, body.columns);
    const next = { ...before.template, ...Object.fromEntries(
      Object.entries(body).filter(([key, value]) => key !== 'columns' && value !== undefined)) } as TemplateRow;
    if (next.name !== before.template.name) await refuseTakenName(ctx.db, next.name, params.id);
    await ctx.db.exec(sql`
      update import_templates set name = ${next.name}, active = ${next.active}, delimiter = ${next.delimiter},
        date_format = ${next.date_format}, decimal_style = ${next.decimal_style}, report_scope = ${next.report_scope},
        date_is = ${next.date_is}, currency = ${next.currency}, version = version + 1 where id = ${params.id}`);
    await ctx.db.exec(sql`delete from import_template_columns where import_template_id = ${params.id}`);
    await writeColumns(ctx.db, params.id, body.columns);
    const after = await templateOf(ctx.db, params.id);
    await ctx.audit({ action: 'map_columns', entity: 'import_template', entity_id: params.id, before, after });
    return { data: after };
  },
});

/** Fields that few files have: a fresh template leaves them out. */
const RARE: readonly string[] = ['time', 'period_from', 'address_line'];

/** Columns of our own names. */
function ownColumns(model: ImportModel, currency: string): TemplateColumn[] {
  const starts: Record<string, string> = { currency, tax_included: 'no', payer_division: 'US', country_code: 'US' };
  return Object.entries(IMPORT_KINDS[model].fields).filter(([field]) => !RARE.includes(field))
    .map(([field, facts]) => ({
      field, column_name: facts.label, amount_unit: field === 'gross' ? 'major' : null,
      default_value: facts.constant ? starts[field] ?? null : null,
    }));
}

async function writeColumns(db: Queryable, id: number, columns: readonly TemplateColumn[]): Promise<void> {
  await db.exec(sql`
    insert into import_template_columns (import_template_id, field, column_name, amount_unit, default_value, sort)
    select ${id}, u.field, u.column_name, u.amount_unit, u.default_value, u.n
    from unnest(${columns.map((c) => c.field)}::text[], ${columns.map((c) => c.column_name)}::text[],
      ${columns.map((c) => c.amount_unit)}::text[], ${columns.map((c) => c.default_value)}::text[])
      with ordinality u (field, column_name, amount_unit, default_value, n)`);
}

async function refuseTakenName(db: Queryable, name: string, own: number | null): Promise<void> {
  const taken = await db.maybeOne(sql`select 1 from import_templates
    where lower(name) = lower(${name}) and deleted_at is null and id is distinct from ${own}`);
  if (taken) throw invalid({ name: [`There is a template "${name}" already`] });
}

function refuseWrongColumns(fields: FieldSet, columns: readonly TemplateColumn[]): void {
  const errors: FieldErrors = {};
  columns.forEach((column, n) => {
    const label = fields[column.field]?.label;
    if (label === undefined) errors[`columns.${n}.field`] = ['This is not a field we know'];
    const twice = columns.findIndex((other) => other.field === column.field);
    if (twice !== n) errors[`columns.${n}.field`] = [`${label ?? column.field} is read from two columns`];
    const head = column.column_name.toLowerCase();
    const sameHead = columns.findIndex((other) => other.column_name.toLowerCase() === head);
    if (sameHead !== n) errors[`columns.${n}.column_name`] = [`"${column.column_name}" feeds two fields`];
    const problem = column.default_value ? constantProblem(fields, column.field, column.default_value) : null;
    if (problem) errors[`columns.${n}.default_value`] = [problem];
  });
  for (const [field, facts] of Object.entries(fields)) {
    if (facts.required && !facts.constant && !columns.some((column) => column.field === field)) {
      errors.columns = [`${facts.label} is required`];
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function exampleOf(column: TemplateColumn, template: TemplateRow): string {
  const facts = IMPORT_KINDS[template.model_name].fields[column.field];
  if (facts?.type === 'date' && facts.required) return exampleDate(template);
  if (column.field === 'currency') return template.currency;
  if (column.amount_unit === 'minor') return '4126050';
  const text = facts?.example ?? column.default_value ?? '';
  return facts?.type === 'amount' && template.decimal_style === 'comma' ? text.replace('.', ',') : text;
}

function exampleDate(template: TemplateRow): string {
  return { 'YYYY-MM-DD': '2026-11-15', 'MM/DD/YYYY': '11/15/2026', 'DD/MM/YYYY': '15/11/2026',
    'DD.MM.YYYY': '15.11.2026' }[template.date_format];
}
