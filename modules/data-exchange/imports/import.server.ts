/** Imports over the API. */
import { refuse } from '#kit/errors.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { importEndpoints as endpoints, type ImportRecord, type ImportRow } from './import.contract.ts';
import { changeMapping } from './change-mapping.server.ts';
import { addAlias } from './aliases.server.ts';
import { confirmProposals } from './confirm-proposals.server.ts';
import { decideSecondReturns, downloadRecords, problemGroups } from './import-problems.server.ts';
import { IMPORT_COLUMNS, IMPORT_JOINS, importDetail, storedImport } from './import-record.server.ts';
import { refuseTemplateWithoutRights, refuseWithoutRights } from './import-rights.server.ts';
import { previewImport } from './preview-import.server.ts';
import { answerImport, cancelImport, processImport } from './start-import.server.ts';
import { uploadImport } from './upload-import.server.ts';

export const importRoutes: Route[] = serve(endpoints, {
  list: (ctx, { query }) => listPage<ImportRow>(ctx.db, {
    base: sql`imports t`, columns: IMPORT_COLUMNS, joins: IMPORT_JOINS,
    conditions: compact([
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.model_name !== undefined && sql`t.import_template_id in (
        select id from import_templates where model_name = ${query.model_name})`,
      query.search !== undefined && sql`t.file_id in (select id from files
        where ${mentions(sql`original_name`, query.search)})`,
    ]),
    sorts: { created_at: sql`t.created_at`, rows_total: sql`t.rows_total` },
    defaultSort: 'created_at', defaultDirection: 'desc',
  }, query, endpoints.list.path),

  show: async (ctx, { params }) => ({ data: await importDetail(ctx.db, params.id) }),

  async create(ctx, { body }) {
    if (!ctx.file) throw refuse('bad_request');
    await refuseTemplateWithoutRights(ctx, body.import_template_id);
    const id = await uploadImport(ctx, body.import_template_id, ctx.file);
    return { data: await importDetail(ctx.db, id) };
  },

  preview: async (ctx, { params }) => ({ data: await previewImport(ctx, params.id) }),

  async map(ctx, { params, body }) {
    const found = await storedImport(ctx.db, params.id);
    if (found && body.changes === 'apply') refuseWithoutRights(ctx, found.model_name, body.changes);
    await changeMapping(ctx, params.id, body);
    return { data: await importDetail(ctx.db, params.id) };
  },

  async process(ctx, { params }) {
    const found = await storedImport(ctx.db, params.id);
    if (found) refuseWithoutRights(ctx, found.model_name, found.mapping.changes);
    await processImport(ctx, params.id);
    return { data: await importDetail(ctx.db, params.id) };
  },

  async cancel(ctx, { params }) {
    await cancelImport(ctx, params.id);
    return { data: await importDetail(ctx.db, params.id) };
  },

  async answer(ctx, { params, body }) {
    await answerImport(ctx, params.id, body.note);
    return { data: await importDetail(ctx.db, params.id) };
  },

  problems: async (ctx, { params }) => ({ data: await problemGroups(ctx.db, params.id) }),

  async alias(ctx, { params, body }) {
    await addAlias(ctx, params.id, body);
    return { data: await importDetail(ctx.db, params.id) };
  },

  async decide(ctx, { params, body }) {
    await decideSecondReturns(ctx, params.id, body);
    return { data: await importDetail(ctx.db, params.id) };
  },

  async confirm(ctx, { params, body }) {
    await confirmProposals(ctx, params.id, body);
    return { data: await importDetail(ctx.db, params.id) };
  },

  async records(ctx, { params, query }) {
    if (!await storedImport(ctx.db, params.id)) throw refuse('not_found');
    return listPage<ImportRecord>(ctx.db, {
      base: sql`import_records t`,
      columns: sql`t.id, t.row_no, t.status, t.cells, t.reason_code, t.reason, t.field, t.value, r.id as report_id,
        r.license_id, l.customer_id, l.title_on_license as title, v.name as venue_name, r.period_to, r.currency,
        r.gross_minor, t.entity, t.entity_id, t.label, t.proposed_id, t.decision, w.type as show_type`,
      joins: sql`left join box_office_reports r on r.id = t.entity_id and t.entity = 'box_office_report'
        left join licenses l on l.id = r.license_id left join license_venues v on v.id = r.license_venue_id
        left join shows w on w.id = t.entity_id and t.entity = 'show'`,
      conditions: compact([
        sql`t.import_id = ${params.id}`,
        query.status !== undefined && sql`t.status = ${query.status}`,
        query.reason_code !== undefined && sql`t.reason_code = ${query.reason_code}`,
        query.search !== undefined && sql`(${mentions(sql`t.reason`, query.search)}
          or ${mentions(sql`t.value`, query.search)} or ${mentions(sql`t.label`, query.search)})`,
      ]),
      sorts: { row_no: sql`t.row_no` }, defaultSort: 'row_no',
    }, query, endpoints.records.path.replace('{id}', String(params.id)));
  },

  download: (ctx, { params, query }) => downloadRecords(ctx, params.id, query.status),
});
