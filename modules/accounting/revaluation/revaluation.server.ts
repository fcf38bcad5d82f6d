/** Revaluation: routes, what waits for approval, and the proposal at a month's end. */
import { addDays, bookPeriodInWords, dateInWords, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { RATE_AGE_DAYS } from '#kernel/ledger/revaluation.ts';
import { DIVISIONS } from '#kernel/money/division.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { waitingRows } from '#server/approval-source.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { hasPostings } from '../period/earlier-open.server.ts';
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
  title: sql`'Revaluation on ' || to_char(r.revalued_on, 'Mon FMDD, YYYY')`, detail: sql`r.division`,
  currency: sql`d.functional_currency`, amount_minor: sql`r.gain_minor`,
  asked_by_id: sql`r.requested_by_id`, asked_at: sql`r.requested_at`,
  href: sql`${`${REVALUATIONS}/`} || r.id`, params: sql`jsonb_build_object('id', r.id)`,
  approve_body: sql`jsonb_build_object('version', r.version)`, decline_body: sql`'{}'::jsonb`,
});

/**
 * True where a foreign balance of the day differs from the rate of the day, or that rate is missing: before the first
 * revaluation, and again when a late posting or a corrected rate changes what was posted. As the kernel's `gainOf`.
 */
const differs = (division: Sql, on: Sql): Sql => sql`exists (
  with b as materialized (${foreignBalances(division, on)}),
    r as materialized (
      select c.currency, x.rate, x.on_date from (select distinct b.currency from b) c
        join divisions d on d.code = ${division}
        cross join lateral rate_on(c.currency, d.functional_currency, ${on}::date) x)
  select 1 from b join r on r.currency = b.currency
  where r.rate is null or r.on_date < ${on}::date - ${RATE_AGE_DAYS}::int
    or round(b.balance_minor * r.rate) <> b.carried_minor)`;

/** True where the month can take a revaluation, none waits, and balances differ. */
const isDue = (division: Sql, on: Sql): Sql => sql`not exists (select 1 from revaluations r
    where r.division = ${division} and r.revalued_on = ${on}::date and r.status = 'waiting')
  and not exists (select 1 from periods p where p.division = ${division} and p.ends = ${on}::date
    and p.state = 'closed')
  and ${differs(division, on)}`;

/** Remaining work of the revaluation at a month's end, in words; empty if there is none. */
export async function revaluationLeft(db: Queryable, division: string, on: string): Promise<string> {
  const { waits, posted, due } = await db.one<{ waits: boolean; posted: boolean; due: boolean }>(sql`
    select coalesce(bool_or(status = 'waiting'), false) as waits, coalesce(bool_or(status = 'posted'), false) as posted,
      ${differs(sql`${division}`, sql`${on}`)} as due
    from revaluations where division = ${division} and revalued_on = ${on} and status in ('waiting', 'posted')`);
  if (waits) return 'The revaluation waits for approval';
  if (!due) return '';
  return posted ? 'Balances or rates have changed since the revaluation'
    : 'Balances in other currencies are not revalued';
}

const createHref = (division: string, on: string): string =>
  `${REVALUATIONS}/create?division=${division}&on=${on}`;

/** Days after a month's end by which it is revalued and closed. */
const DAYS_TO_CLOSE = 10;

interface OpenMonth { period: number; ends: string; earlier: number }

/** The latest month with postings up to it that is over, not closed and not asked to be; how many are before it. */
const openMonth = (division: Sql, today: Sql): Sql => sql`
  select p.period, p.ends, count(*) over () - 1 as earlier from periods p
  where p.division = ${division} and p.state <> 'closed' and p.ends < ${today}::date and p.period % 100 <= 12
    and ${hasPostings(sql`p`)}
    and not exists (select 1 from period_requests r where r.division = p.division and r.period = p.period
      and r.state = 'closed')
  order by p.period desc limit 1`;

const closeHref = (division: string): string => `/admin/accounting/close?division=${division}&period=`;

/** On the home's task list: the last month that is over, where it is not closed, and where it is not revalued. */
export function closingTasks({ division, today }: { division: string; today: string }): Sql[] {
  const on = lastMonthEnd(today);
  return [sql`select ${todoColumns({ kind: 'revaluation', id: sql`0`,
    title: sql`${`Revalue foreign balances on ${dateInWords(on)}`}`,
    detail: sql`'Open foreign balances at that day’s rate'`, due_on: sql`${addDays(on, DAYS_TO_CLOSE)}`,
    href: sql`${createHref(division, on)}` })}
    where ${isDue(sql`${division}`, sql`${on}`)}`,
  sql`select ${todoColumns({ kind: 'month_close', id: sql`m.period`,
    title: sql`'Close ' || month_words(date_trunc('month', m.ends)::date)`,
    detail: sql`case m.earlier when 0 then '' when 1 then 'One earlier month is open too'
      else m.earlier || ' earlier months are open too' end`, due_on: sql`m.ends + ${DAYS_TO_CLOSE}::int`,
    href: sql`${closeHref(division)}::text || m.period` })}
    from (${openMonth(sql`${division}`, sql`${today}`)}) m`];
}

/** Tells those who may ask for it, once for each division and month: what is to be revalued, and closed. */
export function proposeRevaluations(ports: Ports): Promise<BatchRun> {
  return runBatch(ports, { job: 'propose-revaluations', items: DIVISIONS, facts: (division) => ({ division }) },
    async (ctx, division) => {
      const today = await ctx.today(division);
      const on = lastMonthEnd(today);
      const month = await ctx.db.maybeOne<OpenMonth>(openMonth(sql`${division}`, sql`${today}`));
      const toClose = month === null ? 0 : await notifyStaff(ctx, { kind: 'closing.due',
        title: `Close ${bookPeriodInWords(month.period)} of ${division}`,
        href: `${closeHref(division)}${month.period}`, key: `closing.due/month/${division}/${month.period}` });
      const { due } = await ctx.db.one<{ due: boolean }>(sql`
        select ${isDue(sql`${division}`, sql`${on}`)} as due`);
      if (!due) return toClose;
      return toClose + await notifyStaff(ctx, { kind: 'closing.due',
        title: `Revalue foreign balances of ${division} on ${dateInWords(on)}`,
        href: createHref(division, on), key: `closing.due/revaluation/${division}/${on}` });
    });
}
