/**
 * Statements follow each other in time: what one closes with is the opening of the next. Whatever changes one of them,
 * before it is issued, is calculated on into those after it; one that was approved and comes out otherwise is to be
 * approved again. The caller holds the books of the division and currency.
 */
import { calculateStatement } from '#kernel/royalties/statement.ts';
import type { Statement } from '#kernel/royalties/statement-types.ts';
import type { Division } from '#kernel/money/division.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { statementFigures } from './statement-figures.server.ts';
import { writeStatementLines } from './statement-lines.server.ts';
import { assemble, subjectFor, type StatementOf } from './statement-subjects.server.ts';

/** A statement, or the place of one in time. */
export interface Followed extends Omit<StatementOf, 'royaltor_id'> {
  division: Division;
  currency: string;
  period_to: string;
}

interface Later extends StatementOf, Followed {
  id: number;
  royalty_statement_run_id: number | null;
  period_from: string;
  snapshot: Comparable;
}

interface Comparable {
  steps: readonly { step: string; amount_minor: number | bigint }[];
  recoupments: readonly { advance_id: number; amount_minor: number | bigint }[];
  reserves_released: readonly { reserve_id: number; part: number; amount_minor: number | bigint }[];
}

/** Calculates the statements of the same subject after this one again that are not issued, the earliest first. */
export async function followLater(ctx: WorkContext, of: Followed): Promise<void> {
  await follow(ctx, of, sql`show_royaltor_id is not distinct from ${of.show_royaltor_id}
    and cross_collateral_group_id is not distinct from ${of.cross_collateral_group_id}`);
}

/** The same for all that a calculated period is followed by. */
export async function followRun(
  ctx: WorkContext, of: Pick<Followed, 'division' | 'currency' | 'period_to'>,
): Promise<void> {
  await follow(ctx, of, sql`true`);
}

async function follow(
  ctx: WorkContext, of: Pick<Followed, 'division' | 'currency' | 'period_to'>, subject: Sql,
): Promise<void> {
  const later = await ctx.db.query<Later>(sql`
    select id, royalty_statement_run_id, royaltor_id, show_royaltor_id, cross_collateral_group_id, division, currency,
      period_from, period_to, snapshot from royalty_statements
    where ${subject} and division = ${of.division} and currency = ${of.currency} and period_to > ${of.period_to}
      and status in ('draft', 'calculated', 'approved')
    order by period_to, id for update`);
  for (const statement of later) await calculateAgain(ctx, statement);
}

async function calculateAgain(ctx: WorkContext, statement: Later): Promise<void> {
  const subject = await subjectFor(ctx.db, statement);
  const today = await ctx.today(statement.division);
  const assembled = await assemble(ctx.db, subject, statement, today, statement.id);
  const now = calculateStatement(assembled.input);
  if (figuresOf(now) === figuresOf(statement.snapshot)) return;
  const figures = statementFigures(now, assembled);
  await ctx.db.exec(sql`
    update royalty_statements set (${figures.columns}) = (select ${figures.values}), status = 'calculated',
      approved_by_id = null, approved_at = null, version = version + 1 where id = ${statement.id}`);
  await ctx.db.exec(sql`delete from royalty_statement_lines where royalty_statement_id = ${statement.id}`);
  await writeStatementLines(ctx, statement.id, now, subject);
  await reopenRun(ctx, statement.royalty_statement_run_id);
  await ctx.audit({ action: 'follow', entity: 'royalty_statement', entity_id: statement.id,
    after: { opening_minor: Number(now.opening_minor), payable_minor: Number(now.payment_minor) } });
}

function figuresOf({ steps, recoupments, reserves_released }: Comparable | Statement): string {
  return JSON.stringify([steps.map((one) => [one.step, Number(one.amount_minor)]),
    recoupments.map((one) => [one.advance_id, Number(one.amount_minor)]),
    reserves_released.map((one) => [one.reserve_id, one.part, Number(one.amount_minor)])]);
}

/** The totals of its run, which has something to approve again. */
async function reopenRun(ctx: WorkContext, runId: number | null): Promise<void> {
  await ctx.db.exec(sql`
    update royalty_statement_runs r set net_minor = m.net, pay_minor = m.pay, version = r.version + 1,
      status = case when r.status = 'approved' and not exists (select 1 from royalty_statement_runs o
        where o.id <> r.id and o.division = r.division and o.currency = r.currency and o.period_from = r.period_from
          and o.period_to = r.period_to and o.status in ('draft', 'calculated')) then 'calculated' else r.status end
    from (select coalesce(sum(net_minor), 0) as net, coalesce(sum(payable_minor), 0) as pay
      from royalty_statements where royalty_statement_run_id = ${runId} and status <> 'void') m
    where r.id = ${runId}`);
}
