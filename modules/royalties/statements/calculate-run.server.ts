/**
 * Calculating the statements of a period (domain.md 3.5, 3.6). Again for the same period replaces what is draft or
 * calculated; what is approved or issued stays. Nothing is posted before issue. work-runs.server.ts goes on with
 * what is too much for a request.
 */
import { conflict } from '#kit/errors.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { calculateStatement } from '#kernel/royalties/statement.ts';
import type { Statement } from '#kernel/royalties/statement-types.ts';
import type { Division } from '#kernel/money/division.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { followRun } from './follow-statements.server.ts';
import { isEmpty, statementFigures } from './statement-figures.server.ts';
import { assemble, subjectsOf, type Assembled, type Period, type Subject } from './statement-subjects.server.ts';
import { writeStatementLines } from './statement-lines.server.ts';

/** The job's name in apps/server/src/jobs.ts. */
export const WORK_STATEMENT_RUNS = 'work-statement-runs';

export interface RunInput {
  division: Division;
  currency: string;
  period_from: string;
  period_to: string;
  royaltor_ids?: readonly number[] | undefined;
}

/** Subjects that a request calculates itself; more are calculated in the background, so many per transaction. */
export const AT_ONCE = 40;

interface Started { run_id: number; subjects: Subject[] }

/** Calculates the whole period here and now. Two calculations of one period wait for each other. */
export async function calculateRun(ctx: WorkContext, input: RunInput): Promise<{ run_id: number; statements: number }> {
  const { run_id, subjects } = await start(ctx, input);
  return { run_id, statements: await calculateAll(ctx, run_id, input, subjects) };
}

/** Calculates a small run at once; of a large one the background goes on with what this writes down. */
export async function requestRun(ctx: WorkContext, input: RunInput): Promise<{ run_id: number }> {
  const { run_id, subjects } = await start(ctx, input);
  if (subjects.length <= AT_ONCE) {
    await calculateAll(ctx, run_id, input, subjects);
    return { run_id };
  }
  await ctx.db.exec(sql`
    update royalty_statement_runs set status = 'draft', work = 'calculate', work_done = 0,
      work_total = ${subjects.length}, work_cursor = 0, work_royaltor_ids = ${input.royaltor_ids ?? null}::bigint[],
      work_by_id = ${ctx.actor.actor_id}, version = version + 1 where id = ${run_id}`);
  await ctx.audit({ action: 'start_calculation', entity: 'royalty_statement_run', entity_id: run_id,
    after: { ...input, subjects: subjects.length } });
  ctx.afterCommit(() => ctx.ports.wake(WORK_STATEMENT_RUNS));
  return { run_id };
}

async function start(ctx: WorkContext, input: RunInput): Promise<Started> {
  await lockBooks(ctx.db, input);
  const run_id = await openRun(ctx, input);
  await clearRun(ctx, run_id, input.royaltor_ids);
  return { run_id, subjects: await subjectsOf(ctx.db, input, input.royaltor_ids) };
}

interface Books { division: string; currency: string }

const booksKey = ({ division, currency }: Books): Sql => sql`7231971, hashtext(${`${division} ${currency}`})`;

/** Statements of one division and currency are calculated by one at a time. */
export async function lockBooks(db: Queryable, books: Books): Promise<void> {
  await db.exec(sql`select pg_advisory_xact_lock(${booksKey(books)})`);
}

/** The same for whoever can come again; false while somebody else holds them. */
export async function tryLockBooks(db: Queryable, books: Books): Promise<boolean> {
  return (await db.one<{ held: boolean }>(sql`select pg_try_advisory_xact_lock(${booksKey(books)}) as held`)).held;
}

async function calculateAll(
  ctx: WorkContext, runId: number, input: RunInput, subjects: readonly Subject[],
): Promise<number> {
  const today = await ctx.today(input.division);
  for (const subject of subjects) await calculateOne(ctx, runId, subject, input, today);
  return finishCalculation(ctx, runId, input);
}

/** The statement of one subject; none where it has one for the period already or nothing to state. */
export async function calculateOne(
  ctx: WorkContext, runId: number, subject: Subject, period: Period, today: string,
): Promise<void> {
  if (await isStated(ctx, subject, period)) return;
  const assembled = await assemble(ctx.db, subject, period, today);
  const statement = calculateStatement(assembled.input);
  if (isEmpty(statement)) return;
  const id = await insertStatement(ctx, runId, subject, period, statement, assembled);
  await stamp(ctx, id, assembled);
  await writeStatementLines(ctx, id, statement, subject);
}

/** The totals of the run, which may be approved now; answers the number of its statements. */
export async function finishCalculation(ctx: WorkContext, runId: number, input: RunInput): Promise<number> {
  await followRun(ctx, input);
  const totals = await ctx.db.one<{ statements: number }>(sql`
    update royalty_statement_runs r set status = 'calculated', calculated_by_id = ${ctx.actor.actor_id},
      calculated_at = ${ctx.now().toISOString()}, version = version + 1, work = null, failure = null,
      statement_count = m.n, net_minor = m.net, pay_minor = m.pay
    from (select count(*) as n, coalesce(sum(net_minor), 0) as net, coalesce(sum(payable_minor), 0) as pay
      from royalty_statements where royalty_statement_run_id = ${runId} and status <> 'void') m
    where r.id = ${runId} returning r.statement_count as statements`);
  await ctx.audit({ action: 'calculate', entity: 'royalty_statement_run', entity_id: runId,
    after: { ...input, statements: totals.statements } });
  if (totals.statements > 0) {
    await notifyStaff(ctx, { kind: 'statement.ready',
      title: `${totals.statements} statements to ${dateInWords(input.period_to)} wait for approval`,
      body: `${input.division}, ${input.currency}`, href: `/admin/sales-and-royalties/statement-runs/${runId}` });
  }
  return totals.statements;
}

async function openRun(ctx: WorkContext, input: RunInput): Promise<number> {
  const known = await ctx.db.maybeOne<{ id: number; work: string | null }>(sql`
    select id, work from royalty_statement_runs where division = ${input.division} and currency = ${input.currency}
      and period_from = ${input.period_from} and period_to = ${input.period_to} and status in ('draft', 'calculated')
    for update`);
  if (known?.work) {
    throw conflict('royalty_statement_run.status_conflict', 'The statements of this period are being calculated.',
      { allowed: [] });
  }
  if (known) return known.id;
  return (await ctx.db.one<{ id: number }>(sql`
    insert into royalty_statement_runs (division, currency, period_from, period_to)
    values (${input.division}, ${input.currency}, ${input.period_from}, ${input.period_to}) returning id`)).id;
}

/** Draft and calculated statements of the run are made anew, all or those of some royaltors. */
async function clearRun(ctx: WorkContext, runId: number, royaltorIds: readonly number[] | undefined): Promise<void> {
  const old = await ctx.db.query<{ id: number }>(sql`
    select id from royalty_statements where royalty_statement_run_id = ${runId} and status in ('draft', 'calculated')
      and (${royaltorIds ?? null}::bigint[] is null or royaltor_id = any(${royaltorIds ?? null}::bigint[]))
    for update`);
  const ids = old.map((row) => row.id);
  await setFree(ctx, ids);
  await ctx.db.exec(sql`delete from royalty_statements where id = any(${ids}::bigint[])`);
}

/** Accruals and corrections of these statements wait for another one again. */
export async function setFree(ctx: WorkContext, statementIds: readonly number[]): Promise<void> {
  if (statementIds.length === 0) return;
  const ids = [...statementIds];
  await ctx.db.exec(sql`update royalty_accruals set statement_id = null where statement_id = any(${ids}::bigint[])`);
  await ctx.db.exec(sql`update royalty_adjustments set statement_id = null where statement_id = any(${ids}::bigint[])`);
}

/** It has a statement that covers part of the period, or one to a later day is issued: what is due goes on the next. */
async function isStated(ctx: WorkContext, subject: Subject, period: Period): Promise<boolean> {
  const rows = await ctx.db.query(sql`
    select 1 from royalty_statements where show_royaltor_id is not distinct from ${subject.show_royaltor_id}
      and cross_collateral_group_id is not distinct from ${subject.group_id} and division = ${period.division}
      and currency = ${period.currency} and (status <> 'void' and period_to >= ${period.period_from}
        and period_from <= ${period.period_to} or issued_at is not null and period_to > ${period.period_to})`);
  return rows.length > 0;
}

async function insertStatement(
  ctx: WorkContext, runId: number, subject: Subject, period: Period, s: Statement, assembled: Assembled,
): Promise<number> {
  const figures = statementFigures(s, assembled);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into royalty_statements (royalty_statement_run_id, royaltor_id, show_royaltor_id, cross_collateral_group_id,
      division, currency, period_from, period_to, status, calculated_by_id, ${figures.columns})
    values (${runId}, ${subject.royaltor_id}, ${subject.show_royaltor_id}, ${subject.group_id}, ${period.division},
      ${period.currency}, ${period.period_from}, ${period.period_to}, 'calculated', ${ctx.actor.actor_id},
      ${figures.values})
    returning id`);
  return id;
}

async function stamp(ctx: WorkContext, statementId: number, assembled: Assembled): Promise<void> {
  await ctx.db.exec(sql`
    update royalty_accruals set statement_id = ${statementId} where id = any(${assembled.accrual_ids}::bigint[])`);
  await ctx.db.exec(sql`
    update royalty_adjustments set statement_id = ${statementId}
    where id = any(${assembled.adjustment_ids}::bigint[])`);
}
