/** Parsing settings of a file, changed by a person before it is processed. */
import { conflict, invalid, type FieldErrors } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { stale } from '#server/crud.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { headerOf } from '../reading/csv-shape.server.ts';
import { sheetRows } from '../reading/csv-rows.server.ts';
import type { importEndpoints, ImportMapping } from './import.contract.ts';
import { constantProblem, matchHeads, type FieldSet } from './import-field.contract.ts';
import { IMPORT_KINDS } from './kinds/import-kind.contract.ts';
import { importToChange } from './import-record.server.ts';
import { lookThrough } from './look-through.server.ts';

type Change = BodyOf<typeof importEndpoints.map>;

/** 409 once the import has been worked, 412 where somebody else changed it meanwhile, 422 at the field. */
export async function changeMapping(ctx: WorkContext, id: number, change: Change): Promise<void> {
  const found = await importToChange(ctx.db, id);
  if (found.version !== change.version) throw stale(found);
  if (found.status !== 'uploaded' && found.status !== 'previewed') {
    throw conflict('import.status_conflict', 'Rows of this import have been worked: its columns stay as they are.',
      { status: found.status });
  }
  const { fields } = IMPORT_KINDS[found.model_name];
  const { header_row = found.mapping.header_row, delimiter = found.mapping.delimiter,
    encoding = found.mapping.encoding, version: _version, ...settings } = change;
  const moved = header_row !== found.mapping.header_row || delimiter !== found.mapping.delimiter
    || encoding !== found.mapping.encoding;
  const content = await ctx.ports.files.get(found.storage_key);
  const sheet = moved ? await sheetOf(content, { ...found.mapping, header_row, delimiter, encoding })
    : { mapping: found.mapping, rows_total: found.rows_total };
  // Positions of other heads mean nothing: moved heads are matched anew.
  const columns = moved ? matchHeads(sheet.mapping.header, fields) : change.columns;
  const settled: ImportMapping = { ...sheet.mapping, ...settings, columns, chosen: chosenBy(found.mapping, change) };
  refuseWrong(settled, fields);
  const usual = { date_format: change.date_format ?? 'YYYY-MM-DD', decimal_style: change.decimal_style ?? 'point' };
  const mapping = await lookThrough(ctx.db, found.model_name, content, settled, usual);
  await ctx.db.exec(sql`
    update imports set mapping = ${JSON.stringify(mapping)}, rows_total = ${sheet.rows_total}, status = 'previewed',
      version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'map', entity: 'import', entity_id: id, before: found.mapping, after: mapping });
}

/** Settings a person chose: they differ from the cells' reading, or the cells left them open. Null undoes a choice. */
function chosenBy(before: ImportMapping, change: Change): ImportMapping['chosen'] {
  return (['date_format', 'decimal_style'] as const).filter((setting) => change[setting] !== null
    && (before.chosen.includes(setting) || change[setting] !== before[setting]));
}

async function sheetOf(
  content: Buffer, mapping: ImportMapping,
): Promise<{ mapping: ImportMapping; rows_total: number }> {
  let header: string[] | null = null;
  let rows = 0;
  for await (const row of sheetRows(content, mapping)) {
    if (row.row_no === mapping.header_row) header = headerOf(row.cells);
    if (row.row_no > mapping.header_row) rows += 1;
  }
  if (!header || rows === 0) {
    throw invalid({ header_row: [`Row ${mapping.header_row} holds no heads with rows below`] });
  }
  return { mapping: { ...mapping, header }, rows_total: rows };
}

function refuseWrong(mapping: ImportMapping, fields: FieldSet): void {
  const errors: FieldErrors = {};
  const taken = new Map<number, string>();
  for (const field of [...Object.keys(mapping.columns), ...Object.keys(mapping.constants)]) {
    if (!(field in fields)) errors[`columns.${field}`] = ['This is not a field we know'];
  }
  for (const field of Object.keys(fields)) {
    const at = mapping.columns[field];
    if (at !== undefined && at >= mapping.header.length) errors[`columns.${field}`] = ['The file has no such column'];
    if (at !== undefined && taken.has(at)) {
      errors[`columns.${field}`] = [`"${mapping.header[at]}" is read as ${taken.get(at)} already`];
    }
    if (at !== undefined) taken.set(at, field);
    const constant = mapping.constants[field];
    const problem = constant ? constantProblem(fields, field, constant) : null;
    if (problem) errors[`constants.${field}`] = [problem];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
