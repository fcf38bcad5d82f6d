/**
 * Lists as CSV. Lists and columns are named here one by one; cells cannot start a formula; rows are read page by page,
 * so memory stays flat whatever the list's length (reliability.md 2.4).
 */
import { grants } from '#kit/permission.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import { writeAudit } from '#server/audit.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { empty, join, name, sql, type Sql } from '#server/sql.ts';
import { csvStream } from '#server/csv.ts';
import { EXPORT_MODELS, exportEndpoints, type ExportModel } from './export.contract.ts';
import { EXPORT_KEEP_DAYS } from './export-job.contract.ts';
import { exportFile } from './export-job.server.ts';
import { keepContent } from './keep-content.server.ts';

interface Source {
  from: Sql;
  /** Beside the page's own condition. */
  where: Sql;
  /** Columns that are not a column of `t` under the same name. */
  columns: Record<string, Sql>;
}

/** Minor units as decimal text: 123450 is 1234.50. */
const money = (column: Sql): Sql => sql`trim(to_char(${column} / 100.0, '999999999990.00'))`;
const live = sql`t.deleted_at is null`;

const SOURCES: Record<ExportModel, Source> = {
  licenses: { from: sql`licenses t join customers c on c.id = t.customer_id`, where: live, columns: {
    title: sql`t.title_on_license`, customer: sql`c.name`, royalty_total: money(sql`t.royalty_total_minor`),
    grand_total: money(sql`t.grand_total_minor`), paid: money(sql`t.paid_minor`),
    balance: money(sql`t.balance_minor`) } },
  customers: { from: sql`customers t`, where: live, columns: { divisions: sql`array_to_string(t.divisions, ' ')`,
    currency: sql`t.default_currency`, city: sql`t.billing_address ->> 'locality'`,
    country: sql`t.billing_address ->> 'country_code'` } },
  shows: { from: sql`shows t`, where: live, columns: { divisions: sql`array_to_string(t.divisions, ' ')` } },
  invoices: { from: sql`invoices t join customers c on c.id = t.customer_id`, where: sql`true`, columns: {
    number: sql`coalesce(t.invoice_number, t.reference)`, customer: sql`c.name`, net: money(sql`t.net_minor`),
    tax: money(sql`t.tax_minor`), total: money(sql`t.total_minor`), paid: money(sql`t.paid_minor`),
    balance: money(sql`t.balance_minor`) } },
  box_office_reports: {
    from: sql`box_office_reports t join licenses l on l.id = t.license_id join customers c on c.id = l.customer_id
      left join license_venues v on v.id = t.license_venue_id`,
    where: sql`true`, columns: {
      license: sql`coalesce(l.license_number, l.number)`, title: sql`l.title_on_license`, customer: sql`c.name`,
      venue: sql`v.name`, gross: money(sql`t.gross_minor`), net: money(sql`t.net_minor`),
      performances: sql`t.performances_held`, attendance: sql`t.paid_admissions`, earned: money(sql`t.earned_minor`),
      due: money(sql`t.due_minor`) } },
  royalty_statements: { from: sql`royalty_statements t join royaltors r on r.id = t.royaltor_id`, where: sql`true`,
    columns: { royaltor: sql`r.name`, opening: money(sql`t.opening_minor`), earnings: money(sql`t.earnings_minor`),
      recouped: money(sql`t.recouped_minor`), payable: money(sql`t.payable_minor`), paid: money(sql`t.paid_minor`),
      closing: money(sql`t.closing_minor`) } },
  transactions: { from: sql`transactions t`, where: live, columns: { total: money(sql`t.total_minor`) } },
};

/** `show_code` as the column of `t`; the name comes from the contract's list, never from the caller. */
function columnOf(model: ExportModel, column: string): Sql {
  return SOURCES[model].columns[column] ?? name(`t.${column}`);
}

const PAGE = 1000;

async function* rowsOf(
  ctx: Ctx, model: ExportModel, columns: readonly string[], filter: Sql,
): AsyncGenerator<unknown[]> {
  const source = SOURCES[model];
  const cells = join(columns.map((column) => sql`(${columnOf(model, column)})::text`));
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await ctx.db.query<{ id: number; cells: (string | null)[] }>(sql`
      select t.id, array[${cells}] as cells from ${source.from}
      where ${source.where} ${filter} and t.id < ${before} order by t.id desc limit ${PAGE}`);
    for (const row of page) yield row.cells;
    if (page.length < PAGE) return;
    before = page.at(-1)!.id;
  }
}

/** Makes the file and keeps it for its requester, who can take it again by its id (S115, A345). */
async function keepExport(
  ctx: Ctx, model: ExportModel, columns: readonly string[], phase: string | null,
): Promise<number> {
  const filter = phase === null ? empty : sql`and t.phase = ${phase}`;
  let rows = 0;
  async function* counted(): AsyncGenerator<unknown[]> {
    for await (const row of rowsOf(ctx, model, columns, filter)) {
      rows += 1;
      yield row;
    }
  }
  const kept = await keepContent(ctx.ports, (write) => write(csvStream(columns, counted())));
  const now = ctx.now().toISOString();
  return ctx.ports.db.tx(async (tx) => {
    const { id } = await tx.one<{ id: number }>(sql`
      insert into exports (model_name, title, columns, filter, format, status, rows_done, rows_total, row_count,
        storage_key, sha256, size_bytes, requested_by_id, created_at, finished_at, expires_at)
      values (${model}, ${model.replaceAll('_', ' ')}, ${[...columns]},
        ${JSON.stringify(phase === null ? {} : { phase })}, 'csv', 'done', ${rows}, ${rows}, ${rows},
        ${kept.storage_key}, ${kept.sha256}, ${kept.size},
        ${ctx.user.user_id}, ${now}, ${now}, ${now}::timestamptz + make_interval(days => ${EXPORT_KEEP_DAYS}))
      returning id`);
    await writeAudit(tx, ctx.actor, { action: 'export', entity: 'export', entity_id: id,
      after: { model_name: model, columns, phase, rows } });
    return id;
  });
}

export const exportRoutes: Route[] = serve(exportEndpoints, {
  async csv(ctx, { query }) {
    const { permission, columns: known } = EXPORT_MODELS[query.model_name];
    if (ctx.user.role === 'staff_user' && !grants(ctx.user.permissions, permission)) throw refuse('forbidden');
    if (query.phase !== undefined && query.model_name !== 'licenses') {
      throw invalidField('phase', spell`Only licenses have a phase`);
    }
    const columns = query.columns ?? [...known];
    const wrong = columns.find((column) => !(known as readonly string[]).includes(column));
    if (wrong !== undefined) throw invalidField('columns', `${query.model_name} has no column "${wrong.slice(0, 60)}"`);
    if (columns.length === 0) throw invalidField('columns', 'Choose the columns');
    const id = await keepExport(ctx, query.model_name, columns, query.phase ?? null);
    ctx.header('X-Export-Id', String(id));
    return { ...await exportFile(ctx, id), filename: `${query.model_name}.csv` };
  },
});
