/**
 * The background work of imports. Every chunk is one transaction: it holds the row of the import, checks that nobody
 * else moved it, writes reports, postings and records, and moves the checkpoint. A kill loses at most the open chunk;
 * the next worker goes on after the checkpoint (reliability.md R10, I8).
 */
import { AppError } from '#kit/errors.ts';
import { actorWhoAsked, SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import type { Queryable, Tx } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { answerAsReported } from '#modules/licensing/box-office/box-office.public.server.ts';
import { sheetRows } from '../reading/csv-rows.server.ts';
import { SIMILAR_PERSON, type ChunkCounts, type ImportSession, type SourceRow } from './import-work.server.ts';
import { storedImport, type StoredImport } from './import-record.server.ts';
import { ownCells } from './own-cells.ts';
import type { RowProblem } from './read-cell.ts';
import { WORK_IMPORTS } from './start-import.server.ts';
import { RowsRefused } from './store-rows.server.ts';
import { IMPORT_WORKS } from './works.server.ts';

const ANSWERS = 500;

/** Works every import that waits; `work-imports` of apps/server/src/jobs.ts. */
export async function workImports(ports: Ports): Promise<void> {
  const items = await ports.db.query<{ id: number }>(sql`
    select id from imports where status = 'processing' order by started_at, id`);
  await runEach(ports, { job: WORK_IMPORTS, items, facts: ({ id }) => ({ import_id: id }) },
    ({ id }) => workImport(ports, id));
}

/** One import up to its end, its cancellation or the first fault; a fault is told at the import. */
export async function workImport(ports: Ports, id: number): Promise<void> {
  const found = await storedImport(ports.db, id);
  if (found?.status !== 'processing') return;
  try {
    if (found.task === 'file') await workFile(ports, found);
    else if (found.task === 'left') await workLeft(ports, found);
    else await workAnswers(ports, found);
  } catch (error) {
    await fail(ports, id, error);
  }
}

async function fail(ports: Ports, id: number, error: unknown): Promise<void> {
  const known = error instanceof AppError;
  const failure = known ? error.message : 'Something went wrong while the rows were worked. Process the import again.';
  if (!known) ports.log('error', 'import failed', { import: id, error: (error as Error).stack });
  await ports.db.exec(sql`
    update imports set status = 'failed', failure = ${failure.slice(0, 1000)},
      finished_at = ${ports.clock.now().toISOString()}, version = version + 1
    where id = ${id} and status = 'processing'`);
  const at = await storedImport(ports.db, id);
  if (at) await tellOwner(ports, ports.db, at, failure, true);
}

/** `null` from a chunk: the import was cancelled, or somebody else works it. */
type HeldImport = StoredImport | null;

async function held(tx: Tx, at: StoredImport): Promise<HeldImport> {
  const now = await storedImport(tx, at.id, 'skip');
  const same = now?.status === 'processing' && now.task === at.task && now.rows_done === at.rows_done
    && now.task_cursor === at.task_cursor;
  return same ? now : null;
}

async function context(ports: Ports, tx: Tx, at: StoredImport): Promise<WorkContext> {
  return workContext(ports, tx, await actorWhoAsked(tx, at.task_by_id ?? at.created_by_id,
    { entity: 'import', entity_id: at.id }));
}

async function* ownRows(content: Buffer, { mapping }: StoredImport): AsyncGenerator<SourceRow> {
  for await (const row of sheetRows(content, mapping)) {
    if (row.row_no > mapping.header_row) yield { ...row, cells: ownCells(row.cells, mapping.header.length) };
  }
}

async function workFile(ports: Ports, start: StoredImport): Promise<void> {
  const content = await ports.files.get(start.storage_key);
  const at = { ...start };
  const size = IMPORT_WORKS[start.model_name].chunk;
  const session = await Session.upTo(ports, at, content);
  let chunk: SourceRow[] = [];
  let passed = 0;
  for await (const row of ownRows(content, start)) {
    passed += 1;
    if (passed <= start.rows_done) continue;
    chunk.push(row);
    if (chunk.length < size) continue;
    if (!await fileChunk(ports, at, chunk, session)) return;
    chunk = [];
  }
  if (chunk.length > 0 && !await fileChunk(ports, at, chunk, session)) return;
  await finish(ports, at);
}

/** The session of a file; a transaction that is begun again asks for one that knows only what is committed. */
class Session {
  #open: ImportSession;
  readonly #renew: () => Promise<ImportSession>;

  constructor(open: ImportSession, renew: () => Promise<ImportSession>) {
    this.#open = open;
    this.#renew = renew;
  }

  static async upTo(ports: Ports, at: StoredImport, content: Buffer): Promise<Session> {
    const renew = (): Promise<ImportSession> => resumed(ports, at, content);
    return new Session(await renew(), renew);
  }

  async attempt(first: boolean): Promise<ImportSession> {
    if (!first) this.#open = await this.#renew();
    return this.#open;
  }
}

/** A session that has seen the rows that are done: what they left out is left out for the rows to come, too. */
async function resumed(ports: Ports, at: StoredImport, content: Buffer): Promise<ImportSession> {
  const work = IMPORT_WORKS[at.model_name];
  const session = work.open(at.mapping, at.id);
  if (at.rows_done === 0 || !session.resume) return session;
  const refused = await ports.db.query<{ row_no: number }>(sql`
    select row_no from import_records where import_id = ${at.id} and status = 'refused'`);
  const left = new Set(refused.map((row) => row.row_no));
  let chunk: SourceRow[] = [];
  let seen = 0;
  for await (const row of ownRows(content, at)) {
    chunk.push(row);
    seen += 1;
    if (chunk.length === work.chunk || seen === at.rows_done) {
      await session.resume(ports.db, chunk, left);
      chunk = [];
    }
    if (seen === at.rows_done) break;
  }
  return session;
}

async function fileChunk(
  ports: Ports, at: StoredImport, rows: readonly SourceRow[], session: Session,
): Promise<boolean> {
  let first = true;
  const done = await inChunk(ports, at, async (tx, refused) => {
    const open = await session.attempt(first);
    first = false;
    const counts = await open.store(await context(ports, tx, at), rows, refused);
    await tx.exec(sql`
      update imports set rows_done = rows_done + ${rows.length}, ${added(counts)} where id = ${at.id}`);
  });
  if (done) at.rows_done += rows.length;
  return done;
}

function added(counts: ChunkCounts) {
  return sql`rows_imported = rows_imported + ${counts.imported}, rows_duplicate = rows_duplicate + ${counts.duplicate},
    rows_questioned = rows_questioned + ${counts.questioned}, rows_refused = rows_refused + ${counts.refused}`;
}

/** One transaction; begun again without the rows that licensing turns down. */
async function inChunk(
  ports: Ports, at: StoredImport, work: (tx: Tx, refused: ReadonlyMap<number, RowProblem>) => Promise<void>,
): Promise<boolean> {
  const refused = new Map<number, RowProblem>();
  for (;;) {
    try {
      return await ports.db.tx(async (tx) => {
        if (!await held(tx, at)) return false;
        await work(tx, refused);
        return true;
      });
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      for (const [rowNo, problem] of error.problems) refused.set(rowNo, problem);
    }
  }
}

/** The rows that were left out, once more: titles may be known by now, decisions taken. */
async function workLeft(ports: Ports, start: StoredImport): Promise<void> {
  const at = { ...start };
  for (;;) {
    const rows = await ports.db.query<SourceRow>(sql`
      select row_no, cells, reason_code = 'cut_off' as cut_off, decision,
        -- A person who was asked about is no record of the row's own kind, though the numbers may agree.
        case when reason_code is distinct from ${SIMILAR_PERSON} then coalesce(decision_target_id, proposed_id) end
          as target_id
      from import_records
      where import_id = ${at.id} and status = 'refused' and row_no > ${at.task_cursor}
      order by row_no limit ${IMPORT_WORKS[at.model_name].chunk}`);
    if (rows.length === 0) return finish(ports, at);
    const cursor = rows.at(-1)!.row_no;
    const done = await inChunk(ports, at, async (tx, refused) => {
      // Rows that were left out: everything else of the file is in the database.
      const session = IMPORT_WORKS[at.model_name].open(at.mapping, at.id);
      const counts = await session.store(await context(ports, tx, at), rows, refused);
      const change = { ...counts, refused: counts.refused - rows.length };
      await tx.exec(sql`update imports set task_cursor = ${cursor}, task_done = task_done + ${rows.length},
        ${added(change)} where id = ${at.id}`);
    });
    if (!done) return;
    at.task_cursor = cursor;
  }
}

/** Every open question of the import's reports answered "as reported". */
async function workAnswers(ports: Ports, start: StoredImport): Promise<void> {
  const at = { ...start };
  for (;;) {
    const reports = await ports.db.query<{ id: number }>(sql`
      select id from box_office_reports where import_id = ${at.id} and open_questions > 0 and not held
        and id > ${at.task_cursor}
      order by id limit ${ANSWERS}`);
    if (reports.length === 0) return finish(ports, at);
    const cursor = reports.at(-1)!.id;
    const done = await inChunk(ports, at, async (tx) => {
      await answerAsReported(await context(ports, tx, at), { report_ids: reports.map((one) => one.id),
        note: at.task_input?.note ?? '' });
      await tx.exec(sql`update imports set task_cursor = ${cursor}, task_done = task_done + ${reports.length}
        where id = ${at.id}`);
    });
    if (!done) return;
    at.task_cursor = cursor;
  }
}

interface Counts { task: string; rows_imported: number; rows_duplicate: number; rows_questioned: number;
  rows_refused: number }

function wordsOf(counts: Counts): string {
  const parts = [[counts.rows_imported, 'imported'], [counts.rows_questioned, 'with a question'],
    [counts.rows_refused, 'skipped'], [counts.rows_duplicate, 'known before']] as const;
  return parts.filter(([n]) => n > 0).map(([n, words]) => `${n.toLocaleString('en-US')} ${words}`).join(', ');
}

/** Notifies the person who started it, who has gone on to other work meanwhile. */
async function tellOwner(ports: Ports, db: Queryable, at: StoredImport, body: string, failed = false): Promise<void> {
  await notifyStaff(workContext(ports, db, SYSTEM_ACTOR), { kind: 'import.finished',
    title: failed ? `Your import ${at.id} ended early` : `Your import ${at.id} is done`, body,
    href: `/admin/imports/history/${at.id}`, to: [at.task_by_id ?? at.created_by_id] });
}

async function finish(ports: Ports, at: StoredImport): Promise<void> {
  await ports.db.tx(async (tx) => {
    if (!await held(tx, at)) return;
    await tx.exec(sql`
      update imports set status = 'completed', finished_at = ${ports.clock.now().toISOString()}, version = version + 1
      where id = ${at.id}`);
    const counts = await tx.one<Counts>(sql`
      select task, rows_imported, rows_duplicate, rows_questioned, rows_refused from imports where id = ${at.id}`);
    const ctx = await context(ports, tx, at);
    await ctx.audit({ action: 'complete', entity: 'import', entity_id: at.id, after: counts });
    await tellOwner(ports, tx, at, wordsOf(counts));
  });
}
