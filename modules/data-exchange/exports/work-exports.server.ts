/**
 * The background work of exports. The rows are read in one snapshot of the database, page by page, and written to a
 * file on the way: memory stays flat whatever the list's length. Progress is told at every page; a cancelled export
 * ends at the next one, and what a kill left half done begins anew.
 */
import { Readable } from 'node:stream';
import { AppError, conflict } from '#kit/errors.ts';
import { headingOf } from '#kit/heading.ts';
import { principalOfPerson } from '#modules/identity/identity.public.server.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { actorWhoAsked, SYSTEM_ACTOR, type AuditActor } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports } from '#server/context.ts';
import type { Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { workbook, workbookRows } from '#server/write-workbook.ts';
import { csvStream } from '#server/csv.ts';
import { cellOf, type Cell } from './export-cells.ts';
import { EXPORT_KEEP_DAYS, type ExportFormat } from './export-job.contract.ts';
import { asPerson, listOf, pagesOf, valueIn, type ExportRequest } from './export-list.server.ts';
import { keepContent, type KeptFile } from './keep-content.server.ts';

export const WORK_EXPORTS = 'work-exports';

interface StoredExport extends ExportRequest {
  id: number;
  title: string;
  headers: string[];
  format: ExportFormat;
  requested_by_id: number;
}

/** An export that was at work and has told nothing for so long was left by a process that is gone. */
const SILENT = '3 minutes';

/** Works every export that waits; `work-exports` of apps/server/src/jobs.ts. */
export async function workExports(ports: Ports, routes: readonly Route[]): Promise<void> {
  await expireExports(ports);
  for (;;) {
    const next = await ports.db.maybeOne<StoredExport>(sql`
      update exports set status = 'running', rows_done = 0, started_at = ${now(ports)} where id = (
        select id from exports where status = 'waiting'
          or (status = 'running' and updated_at < now() - ${SILENT}::interval)
        order by id limit 1 for update skip locked)
      returning id, model_name, title, columns, headers, filter, format, requested_by_id`);
    if (next === null) return;
    await runEach(ports, { job: WORK_EXPORTS, items: [next], facts: ({ id }) => ({ export_id: id }) },
      (one) => workExport(ports, routes, one));
  }
}

const now = (ports: Ports): string => ports.clock.now().toISOString();

async function workExport(ports: Ports, routes: readonly Route[], at: StoredExport): Promise<void> {
  try {
    const rows = await makeFile(ports, routes, at);
    if (rows !== null) await tell(ports, at, `Your export of ${at.title} is ready`, counted(rows));
  } catch (error) {
    const known = error instanceof AppError;
    if (!known) ports.log('error', 'export failed', { export: at.id, error: (error as Error).stack });
    const failure = known ? error.message : 'Something went wrong while the file was made. Export the list again.';
    const failed = await ports.db.exec(sql`
      update exports set status = 'failed', failure = ${failure.slice(0, 1000)}, finished_at = ${now(ports)}
      where id = ${at.id} and status = 'running'`);
    if (failed > 0) await tell(ports, at, `Your export of ${at.title} could not be made`, failure);
  }
}

const counted = (rows: number): string => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;

async function tell(ports: Ports, at: StoredExport, title: string, body: string): Promise<void> {
  await notifyStaff(workContext(ports, ports.db, SYSTEM_ACTOR), { kind: 'export.finished', title, body,
    href: '/admin/exports', to: [at.requested_by_id], key: `export.finished/${at.id}` });
}

/** Makes and keeps the file; answers its rows, null where the export was cancelled meanwhile. */
async function makeFile(ports: Ports, routes: readonly Route[], at: StoredExport): Promise<number | null> {
  const principal = await principalOfPerson(ports.db, at.requested_by_id);
  if (!principal) throw conflict('export.person_gone', 'The person who requested it can no longer sign in.');
  const list = listOf(routes, principal, at);
  const actor = await actorWhoAsked(ports.db, at.requested_by_id, { entity: 'export', entity_id: at.id });
  const progress = new Progress(ports, at);
  try {
    const kept = await keepContent(ports, (write) => ports.db.read(async (tx) => {
      // One state of the list from the first page to the last.
      await tx.exec(sql`set transaction isolation level repeatable read`);
      await write(contentOf(at, cellsOf(pagesOf(asPerson(ports, tx, principal, actor), list), at, progress)));
    }));
    return await finish(ports, { ...at, actor }, progress.rows, kept) ? progress.rows : null;
  } catch (error) {
    if (error instanceof Cancelled) return null;
    throw error;
  }
}

async function finish(
  ports: Ports, at: StoredExport & { actor: AuditActor }, rows: number, kept: KeptFile,
): Promise<boolean> {
  const done = await ports.db.tx(async (tx) => {
    const touched = await tx.exec(sql`
      update exports set status = 'done', storage_key = ${kept.storage_key}, sha256 = ${kept.sha256},
        size_bytes = ${kept.size}, row_count = ${rows}, rows_done = ${rows}, rows_total = ${rows},
        total_is_exact = true, finished_at = ${now(ports)},
        expires_at = ${now(ports)}::timestamptz + make_interval(days => ${EXPORT_KEEP_DAYS})
      where id = ${at.id} and status = 'running'`);
    if (touched === 0) return false;
    await workContext(ports, tx, at.actor).audit({ action: 'complete',
      entity: 'export', entity_id: at.id, after: { model_name: at.model_name, rows, format: at.format } });
    return true;
  });
  if (!done) await ports.files.remove(kept.storage_key);
  return done;
}

class Cancelled extends Error {}

class Progress {
  rows = 0;
  readonly #ports: Ports;
  readonly #export: StoredExport;

  constructor(ports: Ports, at: StoredExport) {
    this.#ports = ports;
    this.#export = at;
  }

  /** Told beside the transaction that reads, so that everybody sees it. */
  async add(rows: number, total: number, exact: boolean): Promise<void> {
    this.rows += rows;
    const { format, columns } = this.#export;
    const limit = format === 'xlsx' ? workbookRows(columns.length) : Number.MAX_SAFE_INTEGER;
    if (Math.max(total, this.rows) > limit) {
      throw conflict('export.too_long', `A workbook of ${columns.length} columns holds ${
        limit.toLocaleString('en-US')} rows. Filter the list, choose fewer columns or export it as CSV.`);
    }
    const touched = await this.#ports.db.exec(sql`
      update exports set rows_done = ${this.rows}, rows_total = ${Math.max(total, this.rows)},
        total_is_exact = ${exact} where id = ${this.#export.id} and status = 'running'`);
    if (touched === 0) throw new Cancelled();
  }
}

async function* cellsOf(
  pages: ReturnType<typeof pagesOf>, at: StoredExport, progress: Progress,
): AsyncGenerator<Cell[]> {
  for await (const { rows, meta } of pages) {
    await progress.add(rows.length, meta.total, meta.total_is_exact);
    for (const row of rows) {
      const currency = typeof row['currency'] === 'string' ? row['currency'] : undefined;
      yield at.columns.map((column) => cellOf(column, valueIn(row, column), currency));
    }
  }
}

function contentOf(at: StoredExport, rows: AsyncGenerator<Cell[]>): NodeJS.ReadableStream {
  const header = at.columns.map((column, place) => at.headers[place] ?? headingOf(column));
  if (at.format === 'xlsx') return Readable.from(workbook(at.title, header, rows), { objectMode: false });
  async function* texts(): AsyncGenerator<string[]> {
    for await (const row of rows) yield row.map((cell) => cell.text);
  }
  return csvStream(header, texts());
}

/** Deletes expired export files; the row stays as a record of the export. */
async function expireExports(ports: Ports): Promise<void> {
  const over = (columns: Sql) => sql`select ${columns} from exports
    where status = 'done' and expires_at < ${now(ports)} order by id limit 100`;
  const items = await ports.db.query<{ id: number; storage_key: string }>(over(sql`id, storage_key`));
  await runEach(ports, { job: WORK_EXPORTS, items, facts: ({ id }) => ({ export_id: id }) },
    async ({ id, storage_key }) => {
      await ports.files.remove(storage_key);
      await ports.db.exec(sql`
        update exports set status = 'expired', storage_key = null where id = ${id} and status = 'done'`);
    });
}
