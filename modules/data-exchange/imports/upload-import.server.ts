/**
 * An upload becomes an import: the file is kept, its shape is found, its columns are matched with those of the
 * template. Nothing else is written before someone says process (issue, step 5).
 */
import { invalidField } from '#kit/errors.ts';
import type { WorkContext, UploadedFile } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { templateOf } from '../import-templates/import-template.server.ts';
import { detectDateFormat, detectDecimalStyle, detectShape, type FileShape } from '../reading/csv-shape.server.ts';
import { sheetRows } from '../reading/csv-rows.server.ts';
import type { ImportMapping } from './import.contract.ts';
import { matchHeads, type FieldSet } from './import-field.contract.ts';
import { IMPORT_KINDS } from './kinds/import-kind.contract.ts';

type Template = Awaited<ReturnType<typeof templateOf>>;

/** Answers the id of the import. 422 at `file` with the reason in words where the file holds no rows. */
export async function uploadImport(ctx: WorkContext, templateId: number, file: UploadedFile): Promise<number> {
  const found = await ctx.db.maybeOne(sql`
    select 1 from import_templates where id = ${templateId} and active and deleted_at is null`);
  if (!found) throw invalidField('import_template_id', 'Choose a template');
  const template = await templateOf(ctx.db, templateId);
  const { fields } = IMPORT_KINDS[template.template.model_name];
  const shape = await detectShape(file.content, template.template.delimiter, fields);
  const mapping = await mappingFor(file.content, shape, template);
  const stored = await ctx.ports.files.put(file.content);
  const { id: fileId } = await ctx.db.one<{ id: number }>(sql`
    insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
    values (${stored.storage_key}, ${stored.sha256}, 'text/csv', ${stored.size}, ${file.filename},
      ${ctx.actor.actor_id}) returning id`);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into imports (import_template_id, file_id, status, mapping, rows_total, created_by_id)
    values (${templateId}, ${fileId}, 'uploaded', ${JSON.stringify(mapping)}, ${shape.rows_total},
      ${ctx.actor.actor_id}) returning id`);
  await ctx.audit({ action: 'create', entity: 'import', entity_id: id,
    after: { file_name: file.filename, rows_total: shape.rows_total, import_template_id: templateId } });
  return id;
}

const SAMPLES = 200;

/** Columns by the template's names and the words of the trade; date and decimal style by what the cells can only be. */
async function mappingFor(content: Buffer, shape: FileShape, { template, columns }: Template): Promise<ImportMapping> {
  const { fields } = IMPORT_KINDS[template.model_name];
  const names = Object.fromEntries(columns.map((column) => [column.field, column.column_name]));
  const matched = matchHeads(shape.header, fields, names);
  const samples = await samplesOf(content, shape, matched, fields);
  const constants: Record<string, string> = {};
  for (const column of columns) if (column.default_value) constants[column.field] = column.default_value;
  if ('currency' in fields) constants['currency'] ??= template.currency;
  return {
    encoding: shape.encoding, delimiter: shape.delimiter, header_row: shape.header_row, header: shape.header,
    columns: matched, constants,
    date_format: detectDateFormat(samples.date, template.date_format) ?? template.date_format,
    decimal_style: detectDecimalStyle(samples.amount) ?? template.decimal_style,
    amount_unit: columns.find((column) => column.field === 'gross')?.amount_unit ?? 'major',
    report_scope: template.report_scope, date_is: template.date_is, changes: 'leave', warnings: shape.warnings,
  };
}

/** Cells of the first rows that hold dates and amounts, by what their fields say. */
async function samplesOf(
  content: Buffer, shape: FileShape, matched: Readonly<Record<string, number>>, fields: FieldSet,
): Promise<Record<'date' | 'amount', string[]>> {
  const samples: Record<'date' | 'amount', string[]> = { date: [], amount: [] };
  let seen = 0;
  for await (const { row_no, cells } of sheetRows(content, shape)) {
    if (row_no <= shape.header_row) continue;
    for (const [field, at] of Object.entries(matched)) {
      const type = fields[field]?.type;
      if (type) samples[type].push(cells[at] ?? '');
    }
    seen += 1;
    if (seen >= SAMPLES) break;
  }
  return samples;
}
