/** Starting and stopping the work of an import; the work itself happens in the background. */
import { conflict, invalid } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { importToChange, type StoredImport } from './import-record.server.ts';
import { missingFields } from './preview-import.server.ts';

/** The job's name in apps/server/src/jobs.ts. */
export const WORK_IMPORTS = 'work-imports';

function wrongStatus(found: StoredImport, text: string): Error {
  return conflict('import.status_conflict', text, { status: found.status });
}

/**
 * The whole file, what a stopped or failed import has left of it, or once the file is done the rows that were left out.
 * 422 where a needed column is not mapped, 409 while it works and where nothing is left.
 */
export async function processImport(ctx: WorkContext, id: number): Promise<void> {
  const found = await importToChange(ctx.db, id);
  if (found.status === 'processing') throw wrongStatus(found, 'This import is being worked.');
  const missing = missingFields(found.model_name, found.mapping);
  if (missing.length > 0) {
    throw invalid(Object.fromEntries(missing.map(({ field, text }) => [`columns.${field}`, [text]])));
  }
  if (found.rows_done < found.rows_total) {
    return begin(ctx, found, 'process', sql`task = 'file', started_at = coalesce(started_at, ${now(ctx)})`);
  }
  const { left } = await ctx.db.one<{ left: number }>(sql`
    select count(*) as left from import_records where import_id = ${id} and status = 'refused'`);
  if (left === 0) throw wrongStatus(found, 'Every row of this import is done.');
  await begin(ctx, found, 'process_left',
    sql`task = 'left', task_cursor = 0, task_done = 0, task_total = ${left}`);
}

/** Every open question of the import's reports "as reported". 409 while it works and where none is open. */
export async function answerImport(ctx: WorkContext, id: number, note: string): Promise<void> {
  const found = await importToChange(ctx.db, id);
  if (found.status === 'processing') throw wrongStatus(found, 'This import is being worked. Answer when it is done.');
  const { waiting } = await ctx.db.one<{ waiting: number }>(sql`
    select count(*) as waiting from box_office_reports where import_id = ${id} and open_questions > 0
      and not held`);
  if (waiting === 0) throw wrongStatus(found, 'No question of this import is open.');
  await begin(ctx, found, 'answer', sql`task = 'answers', task_cursor = 0, task_done = 0, task_total = ${waiting},
    task_input = ${JSON.stringify({ note })}`);
}

/** Stops after the open chunk; what is imported stays. */
export async function cancelImport(ctx: WorkContext, id: number): Promise<void> {
  const found = await importToChange(ctx.db, id);
  if (!['uploaded', 'previewed', 'processing'].includes(found.status)) {
    throw wrongStatus(found, 'This import has ended already.');
  }
  await ctx.db.exec(sql`update imports set status = 'cancelled', finished_at = ${now(ctx)}, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'cancel', entity: 'import', entity_id: id, before: { status: found.status } });
}

function now(ctx: WorkContext): string {
  return ctx.now().toISOString();
}

async function begin(ctx: WorkContext, found: StoredImport, action: string, change: Sql): Promise<void> {
  await ctx.db.exec(sql`
    update imports set status = 'processing', failure = null, finished_at = null, task_by_id = ${ctx.actor.actor_id},
      version = version + 1, ${change} where id = ${found.id}`);
  await ctx.audit({ action, entity: 'import', entity_id: found.id, before: { status: found.status } });
  ctx.afterCommit(() => ctx.ports.wake(WORK_IMPORTS));
}
