/** One import as the database keeps it, and as people read it. */
import { refuse } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { importMapping, type ImportDetail, type ImportMapping, type ImportRow } from './import.contract.ts';
import type { ImportModel } from './kinds/import-kind.contract.ts';
import type { CellRules } from './read-cell.ts';
import type { RowRules } from './read-row.ts';

export const IMPORT_COLUMNS = sql`t.id, t.import_template_id, p.name as template_name, p.model_name,
  f.original_name as file_name,
  f.size_bytes as file_size, t.status, t.task, t.rows_total, t.rows_done, t.rows_imported, t.rows_duplicate,
  t.rows_questioned, t.rows_refused,
  case t.task when 'file' then t.rows_done else t.task_done end as task_done,
  case t.task when 'file' then t.rows_total else t.task_total end as task_total, t.failure,
  nullif(btrim(coalesce(u.first_name, '') || ' ' || coalesce(u.last_name, '')), '') as created_by_name,
  t.created_at, t.started_at, t.finished_at, t.version`;
export const IMPORT_JOINS = sql`join import_templates p on p.id = t.import_template_id join files f on f.id = t.file_id
  left join users u on u.id = t.created_by_id`;

export interface StoredImport {
  id: number;
  model_name: ImportModel;
  status: ImportRow['status'];
  task: ImportRow['task'];
  mapping: ImportMapping;
  storage_key: string;
  rows_total: number;
  rows_done: number;
  task_cursor: number;
  task_done: number;
  task_total: number;
  task_input: { note: string } | null;
  task_by_id: number | null;
  created_by_id: number | null;
  version: number;
}

/** Fields of an import that processing needs; `lock` locks the row, null if another worker holds it. */
export async function storedImport(
  db: Queryable, id: number, lock: 'none' | 'wait' | 'skip' = 'none',
): Promise<StoredImport | null> {
  const locking = { none: sql``, wait: sql`for update of t`, skip: sql`for update of t skip locked` }[lock];
  const found = await db.maybeOne<StoredImport>(sql`
    select t.id, p.model_name, t.status, t.task, t.mapping, f.storage_key, t.rows_total, t.rows_done, t.task_cursor,
      t.task_done, t.task_total, t.task_input, t.task_by_id, t.created_by_id, t.version
    from imports t join files f on f.id = t.file_id join import_templates p on p.id = t.import_template_id
    where t.id = ${id} ${locking}`);
  // Files that were uploaded before a setting came have none.
  return found && { ...found, mapping: importMapping.parse(found.mapping) };
}

export async function importToChange(db: Queryable, id: number): Promise<StoredImport> {
  const found = await storedImport(db, id, 'wait');
  if (!found) throw refuse('not_found');
  return found;
}

export async function importDetail(db: Queryable, id: number): Promise<ImportDetail> {
  const row = await db.maybeOne<Omit<ImportDetail, 'open_questions' | 'changes'>>(sql`
    select ${IMPORT_COLUMNS}, t.mapping from imports t ${IMPORT_JOINS} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  const open_questions = await db.query<{ kind: string; count: number }>(sql`
    select q.kind, count(*) as count from box_office_reports r
    join box_office_questions q on q.box_office_report_id = r.id and q.answered_at is null
    where r.import_id = ${id} and r.open_questions > 0 group by q.kind order by q.kind`);
  const changes = await db.one<ImportDetail['changes']>(sql`
    select count(*) filter (where status = 'imported') as applied,
      count(*) filter (where status = 'duplicate') as "left"
    from import_records where import_id = ${id} and reason_code in ('changed', 'changes_left')`);
  return { ...row, open_questions, changes };
}

/** The rules of reading rows, from the frozen mapping. */
export function rulesOf(mapping: ImportMapping): RowRules {
  return { ...cellRulesOf(mapping), report_scope: mapping.report_scope, date_is: mapping.date_is };
}

/** Parsing rules of the cells. A setting nobody has decided yet holds up every row (preview-import.server.ts). */
export function cellRulesOf(mapping: ImportMapping): CellRules {
  return { columns: mapping.columns, constants: mapping.constants, width: mapping.header.length,
    date_format: mapping.date_format ?? 'YYYY-MM-DD', decimal_style: mapping.decimal_style ?? 'point',
    amount_unit: mapping.amount_unit };
}
