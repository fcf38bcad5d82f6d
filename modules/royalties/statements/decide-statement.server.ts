/** Approve, issue, void: by the kernel's machine, by a second person, posted once (domain.md 1.4, 3.5; X59-X66). */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { decide } from '#kernel/licensing/machine.ts';
import { STATEMENT_MACHINE, type StatementEvent, type StatementStatus } from '#kernel/licensing/small-machines.ts';
import { notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import { declineDraft } from '#server/approval-source.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql, type Sql } from '#server/sql.ts';
import { lockBooks, setFree, WORK_STATEMENT_RUNS } from './calculate-run.server.ts';
import { followLater } from './follow-statements.server.ts';
import {
  issueOne, lockStatements, refuseOutOfOrder, storeStatementDocuments, type StatementRecord,
} from './issue-statement.server.ts';

function refuseStatementEvent(statement: { status: StatementStatus }, event: StatementEvent,
  facts: Record<string, boolean> = { another_person: true }): void {
  const decision = decide(STATEMENT_MACHINE, statement.status, event, facts);
  if (!decision.refused) return;
  if (decision.refused.unmet.some((item) => item.guard === 'another_person')) {
    throw refuse('four_eyes', decision.refused.message);
  }
  throw conflict(decision.refused.code, decision.refused.message, { allowed: decision.refused.allowed });
}

async function only(ctx: WorkContext, id: number, version: number): Promise<StatementRecord> {
  await lockBooksOf(ctx, sql`royalty_statements`, id);
  const [statement] = await lockStatements(ctx, { id });
  if (!statement) throw refuse('not_found');
  if (statement.version !== version) throw stale(statement);
  const working = await ctx.db.query(sql`
    select 1 from royalty_statement_runs where id = ${statement.royalty_statement_run_id} and work is not null`);
  if (working.length > 0) {
    throw conflict('royalty_statement_run.status_conflict', 'The run of this statement is being worked. Wait until it '
      + 'is done.', { allowed: [] });
  }
  return statement;
}

/** The books before the rows, as whoever calculates does: what one of them decides moves the later statements. */
async function lockBooksOf(ctx: WorkContext, table: Sql, id: number): Promise<void> {
  const books = await ctx.db.maybeOne<{ division: string; currency: string }>(sql`
    select division, currency from ${table} where id = ${id}`);
  if (!books) throw refuse('not_found');
  await lockBooks(ctx.db, books);
}

export async function approveStatement(ctx: WorkContext, id: number, version: number): Promise<void> {
  const statement = await only(ctx, id, version);
  await approve(ctx, statement);
  await settleRun(ctx, statement.royalty_statement_run_id);
  await tellOfStatement(ctx, statement, 'approved', '');
}

async function tellOfStatement(
  ctx: WorkContext, statement: StatementRecord, decision: string, reason: string,
): Promise<void> {
  await notifyAsker(ctx, statement.calculated_by_id, { title: `Royalty statement ${decision}`, body: reason,
    href: `/admin/sales-and-royalties/statements/${statement.id}` });
}

async function approve(ctx: WorkContext, statement: StatementRecord): Promise<void> {
  refuseStatementEvent(statement, 'approve', { another_person: ctx.actor.actor_id === null
    || statement.calculated_by_id !== ctx.actor.actor_id });
  await ctx.db.exec(sql`
    update royalty_statements set status = 'approved', approved_by_id = ${ctx.actor.actor_id},
      approved_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${statement.id}`);
  await ctx.audit({ action: 'approve', entity: 'royalty_statement', entity_id: statement.id });
}

export async function voidStatement(ctx: WorkContext, id: number, version: number, reason: string): Promise<void> {
  const statement = await only(ctx, id, version);
  refuseStatementEvent(statement, 'void');
  await setFree(ctx, [id]);
  await ctx.db.exec(sql`
    update royalty_statements set status = 'void', voided_at = ${ctx.now().toISOString()}, void_reason = ${reason},
      version = version + 1 where id = ${id}`);
  await followLater(ctx, statement);
  await settleRun(ctx, statement.royalty_statement_run_id);
  await ctx.audit({ action: 'void', entity: 'royalty_statement', entity_id: id, after: { reason } });
  await tellOfStatement(ctx, statement, 'voided', reason);
}

export async function issueStatement(ctx: WorkContext, id: number, version: number): Promise<void> {
  const statement = await only(ctx, id, version);
  await issue(ctx, statement, await ctx.today(statement.division));
  await storeStatementDocuments(ctx, [statement]);
  await settleRun(ctx, statement.royalty_statement_run_id);
}

interface Run { id: number; division: string; period_to: string; status: string; work: string | null; version: number;
  updated_at: string;
  calculated_by_id: number | null }

async function lockRun(ctx: WorkContext, id: number, version: number): Promise<Run> {
  await lockBooksOf(ctx, sql`royalty_statement_runs`, id);
  const run = await ctx.db.maybeOne<Run>(sql`
    select id, division, period_to, status, work, version, updated_at, calculated_by_id from royalty_statement_runs
    where id = ${id} for update`);
  if (!run) throw refuse('not_found');
  if (run.work !== null) {
    throw conflict('royalty_statement_run.status_conflict', 'This run is being worked. Wait until it is done.',
      { allowed: [] });
  }
  if (run.version !== version) throw stale(run);
  return run;
}

/** All calculated statements of a run. 409 where none is left to approve. */
export async function approveRun(ctx: WorkContext, id: number, version: number): Promise<void> {
  const run = await lockRun(ctx, id, version);
  if (run.status !== 'calculated') throw runConflict(run, 'approved');
  const statements = (await lockStatements(ctx, { run_id: id })).filter((one) => one.status === 'calculated');
  for (const statement of statements) await approve(ctx, statement);
  if (statements.length === 0 && run.calculated_by_id === ctx.actor.actor_id) throw refuse('four_eyes');
  await settleRun(ctx, id);
  await tellCalculator(ctx, run, 'approved', '');
}

/** Declines a run; its calculator gets the reason, and a recalculated run waits for approval again. */
export async function declineRun(ctx: WorkContext, id: number, version: number, reason: string): Promise<void> {
  const run = await lockRun(ctx, id, version);
  if (run.status !== 'calculated') throw runConflict(run, 'declined');
  if (run.calculated_by_id !== null && run.calculated_by_id === ctx.actor.actor_id) throw refuse('four_eyes');
  await declineDraft(ctx, { entity: 'royalty_statement_run', id, version, reason });
  await tellCalculator(ctx, run, 'declined', reason);
}

async function tellCalculator(ctx: WorkContext, run: Run, decision: string, reason: string): Promise<void> {
  await notifyAsker(ctx, run.calculated_by_id, { title: `Statement run to ${dateInWords(run.period_to)} ${decision}`,
    body: reason, href: `/admin/sales-and-royalties/statement-runs/${run.id}` });
}

/** Statements that a request issues itself: each is drawn as a PDF. More are issued in the background. */
export const ISSUED_AT_ONCE = 8;

/** All approved statements of a run, here and now: numbers, documents, postings. */
export async function issueRun(ctx: WorkContext, id: number, version: number, on?: string): Promise<void> {
  const run = await lockRun(ctx, id, version);
  if (run.status !== 'approved') throw runConflict(run, 'issued');
  await issueSome(ctx, id, on ?? await ctx.today(run.division), Infinity);
}

/** Issues a small run at once; a large one goes on in the background on the same day. */
export async function requestIssue(ctx: WorkContext, id: number, version: number): Promise<void> {
  const run = await lockRun(ctx, id, version);
  if (run.status !== 'approved') throw runConflict(run, 'issued');
  const on = await ctx.today(run.division);
  const { n } = await ctx.db.one<{ n: number }>(sql`
    select count(*) as n from royalty_statements where royalty_statement_run_id = ${id} and status = 'approved'`);
  if (n <= ISSUED_AT_ONCE) {
    await issueSome(ctx, id, on, Infinity);
    return;
  }
  await ctx.db.exec(sql`
    update royalty_statement_runs set work = 'issue', work_done = 0, work_total = ${n}, work_on = ${on}, failure = null,
      work_by_id = ${ctx.actor.actor_id}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'start_issue', entity: 'royalty_statement_run', entity_id: id, after: { statements: n } });
  ctx.afterCommit(() => ctx.ports.wake(WORK_STATEMENT_RUNS));
}

/** The next approved statements of a run, at most so many; answers how many it issued. */
export async function issueSome(ctx: WorkContext, runId: number, on: string, most: number): Promise<number> {
  const approved = (await lockStatements(ctx, { run_id: runId })).filter((one) => one.status === 'approved');
  const some = approved.slice(0, most);
  await refuseOutOfOrder(ctx, some);
  for (const statement of some) await issue(ctx, statement, on);
  await storeStatementDocuments(ctx, some);
  await settleRun(ctx, runId);
  return some.length;
}

function runConflict(run: Run, wanted: string): Error {
  const allowed = { draft: ['calculate'], calculated: ['calculate', 'approve'], approved: ['issue'] }[run.status] ?? [];
  return conflict('royalty_statement_run.status_conflict', `A run that is ${run.status} cannot be ${wanted}.`,
    { allowed });
}

/** The run's state follows its statements: the least advanced one that is not void. */
async function settleRun(ctx: WorkContext, runId: number | null): Promise<void> {
  if (runId === null) return;
  await ctx.db.exec(sql`
    update royalty_statement_runs r set version = r.version + 1, statement_count = m.n, net_minor = m.net,
      pay_minor = m.pay, status = case when m.open > 0 then r.status when m.approved > 0 then 'approved'
        when m.issued > 0 then 'issued' else r.status end,
      approved_by_id = case when m.open = 0 and r.approved_by_id is null then m.approver else r.approved_by_id end,
      approved_at = case when m.open = 0 and m.n > 0 then coalesce(r.approved_at, ${ctx.now().toISOString()})
        else r.approved_at end,
      issued_at = case when m.open + m.approved = 0 and m.issued > 0
        then coalesce(r.issued_at, ${ctx.now().toISOString()}) else r.issued_at end
    from (select count(*) filter (where status <> 'void') as n,
        count(*) filter (where status in ('draft', 'calculated')) as open,
        count(*) filter (where status = 'approved') as approved,
        count(*) filter (where issued_at is not null) as issued,
        coalesce(sum(net_minor) filter (where status <> 'void'), 0) as net,
        coalesce(sum(payable_minor) filter (where status <> 'void'), 0) as pay,
        (array_agg(approved_by_id order by approved_at desc nulls last))[1] as approver
      from royalty_statements where royalty_statement_run_id = ${runId}) m
    where r.id = ${runId}`);
}

async function issue(ctx: WorkContext, statement: StatementRecord, on: string): Promise<void> {
  refuseStatementEvent(statement, 'issue');
  await issueOne(ctx, statement, on);
}
