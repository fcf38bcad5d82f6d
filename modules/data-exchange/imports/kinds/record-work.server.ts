/**
 * Imports of records: shows, venues, materials, royaltors, agreements, stock counts. A kind says how a row is read,
 * what is known already and how one is made; reading, asking, writing row by row behind a savepoint and keeping what
 * became of each row are here, once.
 */
import { createHash } from 'node:crypto';
import { AppError } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import type { Plan } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { Turns } from '#server/turns.ts';
import type { FieldSet } from '../import-field.contract.ts';
import type { ImportMapping } from '../import.contract.ts';
import { NO_RETURN, type ImportSession, type ImportWork, type JudgedRow, type SourceRow }
  from '../import-work.server.ts';
import { cellRulesOf } from '../import-record.server.ts';
import { fail, refuseRagged, Unreadable, type RowProblem } from '../read-cell.ts';
import { countsOf, writeRecords, type RowRecord } from '../write-records.server.ts';
import { Cells } from './cells.ts';
import { changedValues, differences, differenceWords, type Difference, type Facts, type Paths }
  from './differences.ts';

/** A record that is there, or will be once its row is written. */
export interface ExistingRecord {
  id: number | null;
  label: string;
  /** The row that was to make it is left out. */
  leftOut?: boolean;
}

export interface Note { code: string; text: string }

export type Verdict<K extends ExistingRecord = ExistingRecord> =
  | { outcome: 'ready'; known: K; note?: Note | null }
  /** `adds`: the row brings the record names that it does not have yet; those are compared nowhere. */
  | { outcome: 'duplicate'; known: K; note?: Note | null; adds?: boolean }
  | { outcome: 'refused'; problem: RowProblem };

/** Updates an existing record from a row that differs, if the person who imports wants that. */
export interface RecordChange<R, K extends ExistingRecord = ExistingRecord> {
  paths: Paths;
  /** The row in the fields of the resource. */
  said(read: R): Facts;
  /** Whether the row means this very record; left out: every row that is one. */
  means?(read: R, known: K): boolean;
  now(db: Queryable, ids: readonly number[]): Promise<readonly Stored[]>;
  /** By the resource's own rules of changing; throws an AppError where they refuse. */
  update(ctx: WorkContext, id: number, values: Record<string, unknown> & { version: number }): Promise<unknown>;
}
export type Stored = Facts & { id: number; version: number };

export interface RecordKind<R, B, K extends ExistingRecord = ExistingRecord> {
  /** Singular, as audit names it. */
  entity: string;
  fields: FieldSet;
  /** One row as facts; leaves through {@link fail}. */
  read(cells: Cells): R;
  /** Texts that tell the row apart: "Savoy Hall", "Boston, MA". */
  words(read: R): { title: string; detail: string };
  /** Known records that these rows may be about, added to those that earlier rows of the file made known. */
  book(db: Queryable, reads: readonly R[], before: B | null): Promise<B>;
  /** New, there already, or to be asked about; a new one is written into the book. */
  judge(read: R, row: SourceRow, book: B): Verdict<K>;
  /** Makes the record; throws an AppError where a rule of the product refuses it. Answers its id. */
  write(ctx: WorkContext, read: R, verdict: Verdict<K>, book: B): Promise<number>;
  /** A row that is a record we have: what it adds to it, such as another name. */
  merge?(ctx: WorkContext, read: R, known: K, book: B): Promise<void>;
  changing?: RecordChange<R, K>;
  /** Dry run of writing or changing these by the resource's own rules; left out: nothing is reported beforehand. */
  rehearse?(db: Queryable, plans: readonly Plan[]): Promise<readonly (AppError | null)[]>;
  /** A new record as {@link rehearse} reads it; left out: the row's own facts. */
  planned?(read: R, known: K): Facts;
}

/** Rows of one transaction: each is some statements, and nobody should wait long for its locks. */
const CHUNK = 200;

interface Row<R, K extends ExistingRecord> {
  source: SourceRow;
  hash: string;
  read: R | null;
  verdict: Verdict<K>;
  /** Fields whose own cells are filled. */
  given: readonly string[];
  /** Differences from the record that it is. */
  differences: Difference[];
  /** These as values of the resource. */
  changes: Facts;
  /** It is a record that is there and says the same of it. */
  unchanged: boolean;
}

export function recordWork<R, B, K extends ExistingRecord>(kind: RecordKind<R, B, K>): ImportWork {
  return { chunk: CHUNK, open: (mapping, importId) => sessionOf(kind, mapping, importId) };
}

function sessionOf<R, B, K extends ExistingRecord>(
  kind: RecordKind<R, B, K>, mapping: ImportMapping, importId: number,
): ImportSession {
  let book: B | null = null;
  /** Records the file has spoken of already: a later row does not undo an earlier one. */
  const said = new Set<number>();
  const judgeAll = async (db: Queryable, rows: readonly SourceRow[]): Promise<Row<R, K>[]> => {
    const turns = new Turns();
    const read: (ReturnType<typeof readOne<R, B, K>> & { source: SourceRow })[] = [];
    for (const source of rows) {
      read.push({ source, ...readOne(kind, source, mapping) });
      if (turns.due()) await turns.give();
    }
    const known = await kind.book(db, read.flatMap((one) => (one.read === null ? [] : [one.read])), book);
    book = known;
    const judged: Row<R, K>[] = [];
    for (const { source, read: facts, problem } of read) {
      judged.push({ source, hash: rowHash(source.cells, mapping), read: facts,
        verdict: facts === null ? { outcome: 'refused', problem: problem! } : judgeOne(kind, facts, source, known),
        given: Object.keys(kind.fields).filter((field) => (source.cells[mapping.columns[field] ?? -1] ?? '') !== ''),
        differences: [], changes: {}, unchanged: false });
      if (turns.due()) await turns.give();
    }
    await compare(db, kind, judged, said);
    await rehearse(db, kind, judged, mapping.changes === 'apply');
    return judged;
  };
  return {
    judge: async (db, rows) => (await judgeAll(db, rows)).map((row) => shownRow(kind, row)),
    async store(ctx, rows) {
      const judged = await judgeAll(ctx.db, rows);
      const records: RowRecord[] = [];
      for (const row of judged) records.push(await storeOne(ctx, kind, row, book!, mapping.changes === 'apply'));
      for (const { status, entity_id: id } of records) if (status === 'imported' && id !== null) said.add(id);
      await writeRecords(ctx.db, importId, records);
      return countsOf(records);
    },
    async resume(db, rows, left) {
      if (book === null) for (const id of await writtenBy(db, importId)) said.add(id);
      for (const { source, verdict } of await judgeAll(db, rows)) {
        if (verdict.outcome === 'ready' && left.has(source.row_no)) verdict.known.leftOut = true;
      }
    },
  };
}

function readOne<R, B, K extends ExistingRecord>(
  kind: RecordKind<R, B, K>, source: SourceRow, mapping: ImportMapping,
): { read: R; problem: null } | { read: null; problem: RowProblem } {
  const rules = cellRulesOf(mapping);
  try {
    if (source.cut_off) fail('cut_off', 'The file ends inside this row', null, '');
    refuseRagged(source.cells, rules.width);
    return { read: kind.read(new Cells(source.cells, rules, kind.fields)), problem: null };
  } catch (error) {
    if (error instanceof Unreadable) return { read: null, problem: error.problem };
    throw error;
  }
}

function judgeOne<R, B, K extends ExistingRecord>(
  kind: RecordKind<R, B, K>, read: R, source: SourceRow, book: B,
): Verdict<K> {
  try {
    return kind.judge(read, source, book);
  } catch (error) {
    if (error instanceof Unreadable) return { outcome: 'refused', problem: error.problem };
    throw error;
  }
}

/** Records that rows of this import made or changed. */
async function writtenBy(db: Queryable, importId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select entity_id as id from import_records
    where import_id = ${importId} and status = 'imported' and entity_id is not null`);
  return rows.map((row) => row.id);
}

/** A row that is a record that is there; what each says otherwise, and whether anything is new in it at all. */
async function compare<R, B, K extends ExistingRecord>(
  db: Queryable, kind: RecordKind<R, B, K>, rows: readonly Row<R, K>[], said: Set<number>,
): Promise<void> {
  const pairs = rows.flatMap((row) => {
    const { verdict, read } = row;
    return verdict.outcome === 'duplicate' && read !== null && verdict.known.id !== null
      ? [{ row, verdict, read, id: verdict.known.id }] : [];
  });
  if (pairs.length === 0) return;
  const ids = [...new Set(pairs.map((pair) => pair.id))];
  const now = new Map((await kind.changing?.now(db, ids) ?? []).map((record) => [record.id, record]));
  for (const { row, verdict, read, id } of pairs) {
    const found = differencesOf(kind, row.given, read, now.get(id));
    const compared = kind.changing?.means?.(read, verdict.known) ?? true;
    if (found.length === 0) {
      row.unchanged = !said.has(id) && nothingNew(row) && !verdict.adds;
    } else if (compared && said.has(id)) {
      verdict.note = { code: 'said_before', text: joined(`An earlier row of this file is ${verdict.known.label}, too, `
        + `and counts. Not imported: ${differenceWords(found)}`, verdict.note?.text)! };
    } else if (compared) {
      row.differences = found;
      row.changes = changedValues(kind.changing!.paths, found, kind.changing!.said(read), now.get(id)!);
      said.add(id);
    }
  }
}

function differencesOf<R, B, K extends ExistingRecord>(
  { changing, fields }: RecordKind<R, B, K>, given: readonly string[], read: R, now: Stored | undefined,
): Difference[] {
  return changing && now ? differences(changing.paths, fields, given, changing.said(read), now) : [];
}

/** Notes of rows that leave everything as it is. */
const NOTHING_NEW: ReadonlySet<string> = new Set(['zip_repaired', 'count_agrees']);

function nothingNew<R, K extends ExistingRecord>({ verdict, source }: Row<R, K>): boolean {
  const note = verdict.outcome === 'duplicate' ? verdict.note ?? null : null;
  // Said to be the same under another name: that name is added.
  return source.decision !== 'same' && (note === null || NOTHING_NEW.has(note.code));
}

/** Reports refusals by the resource's own rules before the import, in the same words as the import. */
async function rehearse<R, B, K extends ExistingRecord>(
  db: Queryable, kind: RecordKind<R, B, K>, rows: readonly Row<R, K>[], apply: boolean,
): Promise<void> {
  const planned = rows.flatMap((row) => {
    const { verdict, read } = row;
    if (verdict.outcome === 'refused' || read === null) return [];
    if (verdict.outcome === 'ready') {
      return [{ row, plan: { id: null, values: kind.planned?.(read, verdict.known) ?? read as Facts } }];
    }
    return apply && row.differences.length > 0 ? [{ row, plan: { id: verdict.known.id, values: row.changes } }] : [];
  });
  const refusals = planned.length === 0 ? [] : await kind.rehearse?.(db, planned.map(({ plan }) => plan)) ?? [];
  planned.forEach(({ row }, at) => {
    const error = refusals[at];
    if (error) leaveOut(row, refusal(error, kind.fields));
  });
  for (const row of rows) {
    const { verdict } = row;
    if (verdict.outcome === 'duplicate' && verdict.known.leftOut) leaveOut(row, firstLeftOut(verdict.known));
  }
}

function leaveOut<R, K extends ExistingRecord>(row: Row<R, K>, problem: RowProblem): void {
  if (row.verdict.outcome === 'ready') row.verdict.known.leftOut = true;
  row.verdict = { outcome: 'refused', problem };
  row.differences = [];
}

const firstLeftOut = (known: ExistingRecord): RowProblem => ({ reason_code: 'first_left_out', field: null, value: '',
  reason: `It is the same as ${known.label}, whose row was left out: put that one right first` });

/** The same row is the same in whatever file it comes. */
function rowHash(cells: readonly string[], mapping: ImportMapping): string {
  const constants = Object.entries(mapping.constants).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify([cells.slice(0, mapping.header.length), constants])).digest('hex');
}

function shownRow<R, B, K extends ExistingRecord>(kind: RecordKind<R, B, K>, row: Row<R, K>): JudgedRow {
  const { verdict } = row;
  const words = row.read === null ? { title: row.source.cells.filter((cell) => cell !== '').slice(0, 3).join(' · '),
    detail: '' } : kind.words(row.read);
  const problem = verdict.outcome === 'refused' ? verdict.problem : null;
  const note = verdict.outcome === 'refused' ? null : verdict.note ?? null;
  const there = verdict.outcome === 'duplicate' ? isThere(verdict.known) : null;
  return { row_no: row.source.row_no, hash: row.hash, outcome: verdict.outcome, problem, repair: note?.code ?? null,
    changed: row.differences.length > 0,
    shown: { ...NO_RETURN, row_no: row.source.row_no, title: words.title.slice(0, 200),
      detail: words.detail.slice(0, 200),
      outcome: row.unchanged ? 'unchanged' : row.differences.length > 0 ? 'differs' : verdict.outcome,
      reason: problem?.reason ?? joined(differenceWords(row.differences), note?.text) ?? there } };
}

const isThere = (known: ExistingRecord): string => `Is ${known.label}`;

const joined = (...texts: readonly (string | undefined)[]): string | null =>
  texts.filter((text) => text !== undefined && text !== '').join('. ') || null;

/** A savepoint around every row: one that a rule of the product refuses leaves nothing, and the others stay. */
async function storeOne<R, B, K extends ExistingRecord>(
  ctx: WorkContext, kind: RecordKind<R, B, K>, row: Row<R, K>, book: B, apply: boolean,
): Promise<RowRecord> {
  const { source, verdict } = row;
  const base = { row_no: source.row_no, cells: source.cells, hash: row.hash, entity: kind.entity };
  const left = (problem: RowProblem): RowRecord => ({ ...base, status: 'refused', problem, entity_id: null });
  if (verdict.outcome === 'refused' || row.read === null) {
    return left((verdict as { problem: RowProblem }).problem);
  }
  if (verdict.outcome === 'duplicate' && verdict.known.id === null) {
    return left(firstLeftOut(verdict.known));
  }
  const changes = row.differences.length > 0 && kind.changing ? kind.changing : null;
  const changed = changes !== null && apply;
  await ctx.db.exec(sql`savepoint import_row`);
  try {
    if (verdict.outcome === 'ready') verdict.known.id = await kind.write(ctx, row.read, verdict, book);
    else {
      if (changed) await changeOne(ctx, changes, row.read, verdict.known.id!, row.differences);
      await kind.merge?.(ctx, row.read, verdict.known, book);
    }
    await ctx.db.exec(sql`release savepoint import_row`);
  } catch (error) {
    await ctx.db.exec(sql`rollback to savepoint import_row`);
    if (!(error instanceof AppError)) throw error;
    return left(refusal(error, kind.fields));
  }
  return { ...base, status: verdict.outcome === 'ready' || changed ? 'imported' : 'duplicate',
    problem: toldOf(row, verdict.note ?? null, changed), entity_id: verdict.known.id, label: verdict.known.label };
}

/** Read anew: an earlier row of the chunk may have given the record another name, and so another version. */
async function changeOne<R, K extends ExistingRecord>(
  ctx: WorkContext, changing: RecordChange<R, K>, read: R, id: number, found: readonly Difference[],
): Promise<void> {
  const now = (await changing.now(ctx.db, [id]))[0]!;
  const values = changedValues(changing.paths, found, changing.said(read), now);
  await changing.update(ctx, id, { ...values, version: now.version });
}

function toldOf<R, K extends ExistingRecord>(
  row: Row<R, K>, note: Note | null, changed: boolean,
): RowRecord['problem'] {
  if (row.unchanged && row.verdict.outcome === 'duplicate') {
    return { reason_code: 'unchanged', reason: note?.text ?? isThere(row.verdict.known) };
  }
  if (row.differences.length === 0) return note && { reason_code: note.code, reason: note.text };
  return { reason_code: changed ? 'changed' : 'changes_left',
    reason: joined(differenceWords(row.differences), note?.text)! };
}

function refusal(error: AppError, fields: FieldSet): RowProblem {
  const [field, texts] = Object.entries(error.errors ?? {})[0] ?? [null, [error.message]];
  const name = field?.split('.').toReversed().find((part) => part in fields) ?? null;
  return { reason_code: 'not_allowed', reason: texts[0] ?? error.message, field: name, value: '' };
}
