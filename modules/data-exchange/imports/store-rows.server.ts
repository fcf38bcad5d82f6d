/** A chunk becomes reports and records in the transaction that moves the checkpoint (reliability.md R10). */
import { AppError } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { acceptReportsBulk, submitReports } from '#modules/licensing/box-office/box-office.public.server.ts';
import { checkRows, type CheckedRow, type SourceRow } from './check-rows.server.ts';
import type { RowProblem, RowRules } from './read-row.ts';

export interface ChunkCounts {
  imported: number;
  duplicate: number;
  questioned: number;
  refused: number;
}

interface Outcome {
  row: CheckedRow;
  status: 'imported' | 'duplicate' | 'questioned' | 'refused';
  report_id: number | null;
  reason_code: string | null;
  reason: string | null;
}

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
  await acceptReportsBulk(ctx, made.map(({ report_id }) => ({ report_id })));
  const questions = await questionsOf(ctx, made.filter((one) => one.open_questions > 0).map((one) => one.report_id));
  const reportOf = new Map(ready.map((row, n) => [row, made[n]!.report_id]));
  const outcomes = [
    ...checked.map((row) => outcomeOf(row, reportOf.get(row) ?? null, questions)),
    ...rows.filter((row) => refused.has(row.row_no)).map((row) => turnedDown(row, refused.get(row.row_no)!)),
  ];
  await writeRecords(ctx, importId, outcomes);
  const count = (status: Outcome['status']): number => outcomes.filter((one) => one.status === status).length;
  return { imported: count('imported') + count('questioned'), duplicate: count('duplicate'),
    questioned: count('questioned'), refused: count('refused') };
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

function outcomeOf(
  row: CheckedRow, reportId: number | null, questions: ReadonlyMap<number, { kind: string; question: string }>,
): Outcome {
  const asked = reportId === null ? undefined : questions.get(reportId);
  if (asked) {
    return { row, status: 'questioned', report_id: reportId, reason_code: asked.kind, reason: asked.question };
  }
  return { row, status: row.outcome === 'ready' ? 'imported' : row.outcome, report_id: reportId,
    reason_code: row.problem?.reason_code ?? null, reason: row.problem?.reason ?? null };
}

function turnedDown(source: SourceRow, problem: RowProblem): Outcome {
  const row: CheckedRow = { row_no: source.row_no, cells: source.cells, hash: '00'.repeat(32), read: null, place: null,
    outcome: 'refused', problem, input: null };
  return { row, status: 'refused', report_id: null, reason_code: problem.reason_code, reason: problem.reason };
}

async function writeRecords(ctx: WorkContext, importId: number, outcomes: readonly Outcome[]): Promise<void> {
  const of = <T>(pick: (one: Outcome) => T): T[] => outcomes.map(pick);
  const kept = (one: Outcome): boolean => one.status === 'refused' || one.status === 'questioned';
  await ctx.db.exec(sql`
    insert into import_records as r (import_id, row_no, status, row_hash, cells, reason_code, reason, field, value,
      entity, entity_id)
    select ${importId}, u.row_no, u.status, decode(u.hash, 'hex'),
      case when u.cells is null then null else array(select e from jsonb_array_elements_text(u.cells)
        with ordinality x (e, n) order by n) end,
      u.reason_code, u.reason, u.field, u.value, case when u.report_id is null then null else 'box_office_report' end,
      u.report_id
    from unnest(${of((one) => one.row.row_no)}::int[], ${of((one) => one.status)}::text[],
      ${of((one) => one.row.hash)}::text[], ${of((one) => (kept(one) ? JSON.stringify(one.row.cells) : null))}::jsonb[],
      ${of((one) => one.reason_code)}::text[], ${of((one) => one.reason)}::text[],
      ${of((one) => one.row.problem?.field ?? null)}::text[], ${of((one) => one.row.problem?.value ?? null)}::text[],
      ${of((one) => one.report_id)}::bigint[])
      u (row_no, status, hash, cells, reason_code, reason, field, value, report_id)
    on conflict (import_id, row_no) do update set status = excluded.status, cells = excluded.cells,
      reason_code = excluded.reason_code, reason = excluded.reason, field = excluded.field, value = excluded.value,
      entity = excluded.entity, entity_id = excluded.entity_id`);
}
