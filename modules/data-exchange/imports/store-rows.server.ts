/** A chunk becomes reports and records in the transaction that moves the checkpoint (reliability.md R10). */
import { AppError } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { acceptReportsBulk, submitReports } from '#modules/licensing/box-office/box-office.public.server.ts';
import { checkRows, type CheckedRow } from './check-rows.server.ts';
import type { ChunkCounts, SourceRow } from './import-work.server.ts';
import type { RowProblem } from './read-cell.ts';
import type { RowRules } from './read-row.ts';
import { countsOf, writeRecords, type RowRecord } from './write-records.server.ts';

/** A row that licensing refused by a rule of its own; the chunk is done again without it. */
export class RowsRefused extends Error {
  readonly problems: ReadonlyMap<number, RowProblem>;
  constructor(problems: ReadonlyMap<number, RowProblem>) {
    super('rows refused');
    this.problems = problems;
  }
}

/**
 * Checks and stores rows. `refused` names rows that licensing turned down in an earlier attempt at the same chunk.
 * Throws {@link RowsRefused} where it turns down more: the transaction must be given up and begun again.
 */
export async function storeRows(
  ctx: WorkContext, importId: number, rows: readonly SourceRow[], rules: RowRules,
  refused: ReadonlyMap<number, RowProblem>,
): Promise<ChunkCounts> {
  const checked = await checkRows(ctx.db, rows.filter((row) => !refused.has(row.row_no)), rules, importId);
  const ready = checked.filter((row) => row.input !== null);
  const made = await submit(ctx, ready);
  const left = await acceptReportsBulk(ctx, made.filter((one) => !one.held).map(({ report_id }) => ({ report_id })));
  const questions = await questionsOf(ctx, made.filter((one) => one.open_questions > 0).map((one) => one.report_id));
  for (const { report_id, reason } of left) {
    questions.set(report_id, { kind: 'no_way_to_pay', question: `Not accepted: ${reason}` });
  }
  const reportOf = new Map(ready.map((row, n) => [row, made[n]!.report_id]));
  const records = [
    ...checked.map((row) => recordOf(row, reportOf.get(row) ?? null, questions)),
    ...rows.filter((row) => refused.has(row.row_no)).map((row) => turnedDown(row, refused.get(row.row_no)!)),
  ];
  await writeRecords(ctx.db, importId, records);
  return countsOf(records);
}

async function submit(ctx: WorkContext, ready: readonly CheckedRow[]) {
  try {
    return await submitReports(ctx, ready.map((row) => row.input!));
  } catch (error) {
    const named = error instanceof AppError && error.errors ? Object.entries(error.errors) : [];
    const problems = new Map<number, RowProblem>();
    for (const [path, texts] of named) {
      const [, n, field] = /^reports\.(\d+)\.(\w+)/.exec(path) ?? [];
      const row = n === undefined ? undefined : ready[Number(n)];
      if (!row) continue;
      const reason = texts.join('; ');
      problems.set(row.row_no, { reason_code: 'not_allowed', reason, field: null, value: field ?? '' });
    }
    throw problems.size > 0 ? new RowsRefused(problems) : error;
  }
}

async function questionsOf(
  ctx: WorkContext, reportIds: readonly number[],
): Promise<Map<number, { kind: string; question: string }>> {
  if (reportIds.length === 0) return new Map();
  const rows = await ctx.db.query<{ id: number; kind: string; question: string }>(sql`
    select box_office_report_id as id, (array_agg(kind order by id))[1] as kind,
      string_agg(question, ' ' order by id) as question
    from box_office_questions where box_office_report_id = any(${[...reportIds]}::bigint[]) group by 1`);
  return new Map(rows.map((row) => [row.id, row]));
}

function recordOf(
  row: CheckedRow, reportId: number | null, questions: ReadonlyMap<number, { kind: string; question: string }>,
): RowRecord {
  const asked = reportId === null ? undefined : questions.get(reportId);
  const base = { row_no: row.row_no, cells: row.cells, hash: row.hash, entity: 'box_office_report',
    entity_id: reportId };
  if (asked) return { ...base, status: 'questioned', problem: { reason_code: asked.kind, reason: asked.question } };
  return { ...base, status: row.outcome === 'ready' ? 'imported' : row.outcome, problem: row.problem };
}

function turnedDown(source: SourceRow, problem: RowProblem): RowRecord {
  return { row_no: source.row_no, cells: source.cells, hash: '00'.repeat(32), status: 'refused', entity: null,
    entity_id: null, problem: { ...problem, field: null, value: '' } };
}
