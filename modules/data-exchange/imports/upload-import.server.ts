/**
 * An upload becomes an import: the file is kept, its shape is found, its columns are matched with those of the
 * template. Nothing else is written before someone says process (issue, step 5).
 */
import { invalidField } from '#kit/errors.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { WorkContext, UploadedFile } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { templateOf } from '../import-templates/import-template.server.ts';
import { asText } from '../reading/workbook-text.server.ts';
import { detectShape, type FileShape } from '../reading/csv-shape.server.ts';
import type { ImportMapping } from './import.contract.ts';
import { matchHeads } from './import-field.contract.ts';
import { IMPORT_KINDS } from './kinds/import-kind.contract.ts';
import { lookThrough } from './look-through.server.ts';

type Template = Awaited<ReturnType<typeof templateOf>>;

/** Answers the id of the import. 422 at `file` with the reason in words where the file holds no rows. */
export async function uploadImport(ctx: WorkContext, templateId: number, file: UploadedFile): Promise<number> {
  const found = await ctx.db.maybeOne(sql`
    select 1 from import_templates where id = ${templateId} and active and deleted_at is null`);
  if (!found) throw invalidField('import_template_id', 'Choose a template');
  const template = await templateOf(ctx.db, templateId);
  const { fields } = IMPORT_KINDS[template.template.model_name];
  const { content, note } = await asText(file.content);
  const shape = await detectShape(content, template.template.delimiter, fields);
  const mapping = await mappingFor(ctx, content, shape, template, note);
  const fileId = await keepFile(ctx, { filename: file.filename, content }, 'text/csv');
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into imports (import_template_id, file_id, status, mapping, rows_total, created_by_id)
    values (${templateId}, ${fileId}, 'uploaded', ${JSON.stringify(mapping)}, ${shape.rows_total},
      ${ctx.actor.actor_id}) returning id`);
  await ctx.audit({ action: 'create', entity: 'import', entity_id: id,
    after: { file_name: file.filename, rows_total: shape.rows_total, import_template_id: templateId } });
  return id;
}

/** Columns by the template's names and the words of the trade; how dates and numbers are written by the cells. */
async function mappingFor(
  ctx: WorkContext, content: Buffer, shape: FileShape, { template, columns }: Template, sheetNote: string | null,
): Promise<ImportMapping> {
  const { model_name: model } = template;
  const { fields } = IMPORT_KINDS[model];
  const names = Object.fromEntries(columns.map((column) => [column.field, column.column_name]));
  const constants: Record<string, string> = {};
  for (const column of columns) if (column.default_value) constants[column.field] = column.default_value;
  if ('currency' in fields) constants['currency'] ??= template.currency;
  const mapping: ImportMapping = {
    encoding: shape.encoding, delimiter: shape.delimiter, header_row: shape.header_row, header: shape.header,
    columns: matchHeads(shape.header, fields, names), constants, date_format: null, decimal_style: null, chosen: [],
    readings: [], samples: [], encoding_samples: [], sheet_note: sheetNote,
    amount_unit: columns.find((column) => column.field === 'gross')?.amount_unit ?? 'major',
    report_scope: template.report_scope, date_is: template.date_is, changes: 'leave', warnings: [],
  };
  const seen = await lookThrough(ctx.db, model, content, mapping, template);
  const seats = seatsIn(seen);
  return seats === null ? seen : lookThrough(ctx.db, model, content, { ...mapping, columns: seats }, template);
}

/** A column "Capacity" that holds numbers of seats is no percentage. */
function seatsIn({ columns, samples }: ImportMapping): ImportMapping['columns'] | null {
  const { capacity_percent: at, capacity, ...others } = columns;
  if (at === undefined || capacity !== undefined) return null;
  const cells = samples[at] ?? [];
  const seats = cells.length > 0 && cells.every((cell) => /^\d{1,3}([.,' ]?\d{3})*$/.test(cell)
    && Number(cell.replace(/\D/g, '')) > MOST_PERCENT);
  return seats ? { ...others, capacity: at } : null;
}
/** More than this is no percentage of a house: people stand, but not on one another. */
const MOST_PERCENT = 150;
