/** Revaluation: routes, what waits for approval, and the proposal at a month's end. */
import { addDays, dateInWords, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { DIVISIONS } from '#kernel/money/division.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { waitingRows } from '#server/approval-source.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { foreignBalances } from './foreign-balances.server.ts';
import { approveRevaluation, askForRevaluation, declineRevaluation, findRevaluation, previewRevaluation,
  REVALUATION_COLUMNS, REVALUATIONS, withdrawRevaluation } from './revalue.server.ts';
import { revaluationEndpoints, type RevaluationRow } from './revaluation.contract.ts';

/** The last day of the month that is over. */
const lastMonthEnd = (today: string): string => addDays(startOfMonth(today), -1);

export const revaluationRoutes: Route[] = serve(revaluationEndpoints, {
  list: (ctx, { query }) => listPage<RevaluationRow>(ctx.db, {
    base: sql`revaluations t`, columns: REVALUATION_COLUMNS, conditions: compact([
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.search !== undefined && sql`t.revalued_on::text like ${`${query.search.replaceAll(/[%_\\]/g, '')}%`}`,
    ]),
    sorts: { revalued_on: sql`t.revalued_on` }, defaultSort: 'revalued_on', defaultDirection: 'desc',
  }, query, revaluationEndpoints.list.path),
  preview: async (ctx, { query }) => ({ data: await previewRevaluation(ctx, query.division,
    query.on === undefined ? lastMonthEnd(await ctx.today(query.division)) : endOfMonth(query.on)) }),
  show: async (ctx, { params }) => ({ data: await findRevaluation(ctx, params.id) }),
  create: async (ctx, { body }) => ({ data: await findRevaluation(ctx, await askForRevaluation(ctx, body)) }),
  approve: async (ctx, { params, body }) => ({ data: await approveRevaluation(ctx, params.id, body.version) }),
  decline: async (ctx, { params, body }) => ({ data: await declineRevaluation(ctx, params.id, body.reason) }),
  withdraw: async (ctx, { params, body }) => ({ data: await withdrawRevaluation(ctx, params.id, body.version) }),
});

export const waitingRevaluations = (): Sql => waitingRows('revaluation', {
  from: sql`from revaluations r join divisions d on d.code = r.division where r.status = 'waiting'`,
  entity_id: sql`r.id`, division: sql`r.division`,
  title: sql`'Revaluation on ' || r.revalued_on`, detail: sql`r.division`,
  currency: sql`d.functional_currency`, amount_minor: sql`r.gain_minor`,
  asked_by_id: sql`r.requested_by_id`, asked_at: sql`r.requested_at`,
  href: sql`${`${REVALUATIONS}/`} || r.id`, params: sql`jsonb_build_object('id', r.id)`,
  approve_body: sql`jsonb_build_object('version', r.version)`, decline_body: sql`'{}'::jsonb`,
});

/** True where the division has foreign balances on the day and nobody has revalued it or asked for it. */
const isDue = (division: Sql, on: Sql): Sql => sql`not exists (select 1 from revaluations r
    where r.division = ${division} and r.revalued_on = ${on}::date and r.status in ('waiting', 'posted'))
  and exists (${foreignBalances(division, on)})`;

/** Remaining work of the revaluation at a month's end, in words; empty if there is none. */
export async function revaluationLeft(db: Queryable, division: string, on: string): Promise<string> {
  const { waits, due } = await db.one<{ waits: boolean; due: boolean }>(sql`
    select exists (select 1 from revaluations where division = ${division} and revalued_on = ${on}
      and status = 'waiting') as waits, ${isDue(sql`${division}`, sql`${on}`)} as due`);
  if (waits) return 'The revaluation waits for approval';
  return due ? 'Balances in other currencies are not revalued' : '';
}

/** The month that is over and not revalued, as a row of the home's task list. */
export function closingTasks({ division, today }: { division: string; today: string }): Sql[] {
  const on = lastMonthEnd(today);
  return [sql`select 'revaluation', 0::bigint, ${`Revalue foreign balances on ${dateInWords(on)}`},
      'Open foreign balances at that day’s rate', ${addDays(on, 10)}::date, false, 'revaluation',
      0::bigint, null::bigint, null::bigint, null, null, null where ${isDue(sql`${division}`, sql`${on}`)}`];
}

/** Tells those who may ask for it, once for each division and month. */
export function proposeRevaluations(ports: Ports): Promise<BatchRun> {
  return runBatch(ports, { job: 'propose-revaluations', items: DIVISIONS, facts: (division) => ({ division }) },
    async (ctx, division) => {
      const on = lastMonthEnd(await ctx.today(division));
      const { due } = await ctx.db.one<{ due: boolean }>(sql`
        select ${isDue(sql`${division}`, sql`${on}`)} as due`);
      if (!due) return 0;
      return notifyStaff(ctx, { kind: 'closing.due',
        title: `Revalue foreign balances of ${division} on ${dateInWords(on)}`,
        href: `${REVALUATIONS}/create?division=${division}&on=${on}`,
        key: `closing.due/revaluation/${division}/${on}` });
    });
}
