/**
 * The background work of statement runs. Every chunk is one transaction: it holds the row of the run, calculates or
 * issues the next statements and moves the checkpoint. A kill loses at most the open chunk; the next worker goes on
 * after it, and a statement that is there is never made again (reliability.md I8).
 */
import { AppError } from '#kit/errors.ts';
import type { Division } from '#kernel/money/division.ts';
import { actorWhoAsked } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { calculateOne, finishCalculation, tryLockBooks } from './calculate-run.server.ts';
import { issueSome, ISSUED_AT_ONCE } from './decide-statement.server.ts';
import { subjectsOf } from './statement-subjects.server.ts';

/** Statements of one transaction. */
const CALCULATED = 25;

interface Run {
  id: number; division: Division; currency: string; period_from: string; period_to: string;
  work: 'calculate' | 'issue'; work_cursor: number; work_royaltor_ids: number[] | null;
  /** Day of issue; null of a calculation. */
  work_on: string | null;
  work_by_id: number | null;
}

/** Works every run that waits; `work-statement-runs` of apps/server/src/jobs.ts. */
export async function workStatementRuns(ports: Ports): Promise<void> {
  const items = await ports.db.query<{ id: number }>(sql`
    select id from royalty_statement_runs where work is not null order by id`);
  await runEach(ports, { job: 'work-statement-runs', items, facts: ({ id }) => ({ run_id: id }) }, async ({ id }) => {
    try {
      while (await workChunk(ports, id));
    } catch (error) {
      await fail(ports, id, error);
    }
  });
}

/** The next chunk of a run; false when nothing is left, or while somebody else works it. */
export async function workChunk(ports: Ports, id: number): Promise<boolean> {
  const books = await ports.db.maybeOne<Pick<Run, 'division' | 'currency'>>(sql`
    select division, currency from royalty_statement_runs where id = ${id}`);
  if (!books) return false;
  return ports.db.tx(async (tx) => {
    // The books before the run, in the order in which a request takes them. Who holds them goes on with the run, or
    // leaves it to the next look: waiting would end in the time limit of a lock, and so in a run that failed.
    if (!await tryLockBooks(tx, books)) return false;
    const run = await tx.maybeOne<Run>(sql`
      select id, division, currency, period_from, period_to, work, work_cursor, work_royaltor_ids, work_on, work_by_id
      from royalty_statement_runs where id = ${id} and work is not null for update skip locked`);
    if (!run) return false;
    const ctx = workContext(ports, tx, await actorWhoAsked(tx, run.work_by_id,
      { entity: 'royalty_statement_run', entity_id: id }));
    return run.work === 'calculate' ? calculateChunk(ctx, run) : issueChunk(ctx, run);
  });
}

async function calculateChunk(ctx: WorkContext, run: Run): Promise<boolean> {
  const royaltor_ids = run.work_royaltor_ids ?? undefined;
  const left = (await subjectsOf(ctx.db, run, royaltor_ids))
    .filter((subject) => subject.agreements[0]!.id > run.work_cursor);
  const chunk = left.slice(0, CALCULATED);
  const today = await ctx.today(run.division);
  for (const subject of chunk) await calculateOne(ctx, run.id, subject, run, today);
  if (left.length <= chunk.length) {
    const { division, currency, period_from, period_to } = run;
    await finishCalculation(ctx, run.id, { division, currency, period_from, period_to, royaltor_ids });
    return false;
  }
  await ctx.db.exec(sql`
    update royalty_statement_runs set work_cursor = ${chunk.at(-1)!.agreements[0]!.id},
      work_done = least(work_done + ${chunk.length}, work_total) where id = ${run.id}`);
  return true;
}

async function issueChunk(ctx: WorkContext, run: Run): Promise<boolean> {
  const issued = await issueSome(ctx, run.id, run.work_on ?? await ctx.today(run.division), ISSUED_AT_ONCE);
  await ctx.db.exec(sql`
    update royalty_statement_runs set work_done = least(work_done + ${issued}, work_total),
      work = case when ${issued} < ${ISSUED_AT_ONCE} then null else work end where id = ${run.id}`);
  return issued === ISSUED_AT_ONCE;
}

async function fail(ports: Ports, id: number, error: unknown): Promise<void> {
  const known = error instanceof AppError;
  if (!known) ports.log('error', 'statement run failed', { run: id, error: (error as Error).stack });
  const failure = known ? error.message : 'Something went wrong. What is done stays; try again.';
  await ports.db.exec(sql`
    update royalty_statement_runs set work = null, failure = ${failure.slice(0, 1000)}, version = version + 1
    where id = ${id}`);
}
