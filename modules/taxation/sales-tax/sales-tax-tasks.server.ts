/** Sales tax returns that have to be prepared or paid, for the home and as notifications. */
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { hrefOf, taxesDueHref } from '../returns/return-store.server.ts';
import { openPeriods } from './sales-tax-return.server.ts';
import { nexusReached } from './sales-tax-report.server.ts';
import { usDivision, type UsDivision } from './sales-tax.contract.ts';
import { stateName } from './state-name.ts';

/** Days before the due date from which people are told. */
const AHEAD = 10;

const nexusHref = (division: UsDivision): string => `/admin/finance/taxes-vat/us-sales-use-tax?division=${division}`;

const isUs = (division: string): division is UsDivision => usDivision.safeParse(division).success;

/** As rows of the home's task list: periods without a return, filed ones without a bill, states to register in. */
export async function salesTaxTasks(db: Queryable, { division, today }: { division: string; today: string }):
Promise<Sql[]> {
  if (!isUs(division)) return [];
  const open = (await openPeriods(db, division, today)).filter((of) => of.due_on <= addDays(today, AHEAD));
  const prepare = sql`select ${todoColumns({ kind: 'tax_return', id: sql`-x.place`, title: sql`x.title`,
    detail: sql`x.detail`, due_on: sql`x.due_on`, href: sql`x.href` })}
    from unnest(${open.map((of) => `Prepare the sales tax return of ${stateName(of.state)}`)}::text[],
      ${open.map((of) => `${dateInWords(of.from)} to ${dateInWords(of.to)}`)}::text[],
      ${open.map((of) => of.due_on)}::date[],
      ${open.map((of) => hrefOf({ ...of, period_from: of.from, period_to: of.to }))}::text[])
      with ordinality x (title, detail, due_on, href, place)`;
  const reached = await nexusReached(db, division, today);
  const register = sql`select ${todoColumns({ kind: 'tax_return', id: sql`-100 - x.place`, title: sql`x.title`,
    detail: sql`'Sales have reached the economic nexus threshold of the state'`, href: sql`${nexusHref(division)}` })}
    from unnest(${reached.map(({ state }) => `Register for sales tax in ${stateName(state)}`)}::text[])
      with ordinality x (title, place)`;
  const unpaid = await db.query<{ id: number; state: string; due_on: string; net_minor: number }>(sql`
    select t.id, t.state, t.due_on, t.net_minor from tax_returns t
    where t.division = ${division} and t.status = 'filed' and t.net_minor > 0
      and not exists (select 1 from bills b where b.tax_return_id = t.id and b.deleted_at is null
        and b.status <> 'void')`);
  return [prepare, register, sql`select ${todoColumns({ kind: 'tax_return', id: sql`x.id`, title: sql`x.title`,
    due_on: sql`x.due_on`, entity_id: sql`x.id`, currency: sql`'USD'`, minor: sql`x.net_minor`,
    href: sql`${taxesDueHref(division)}` })}
    from unnest(${unpaid.map((of) => of.id)}::bigint[],
      ${unpaid.map((of) => `Pay the sales tax return of ${stateName(of.state)}`)}::text[],
      ${unpaid.map((of) => of.due_on)}::date[], ${unpaid.map((of) => of.net_minor)}::bigint[])
      x (id, title, due_on, net_minor)`];
}

/** Tells those who may prepare it, once for each state and period; and once of a state to register in. */
export function remindOfSalesTax(ports: Ports): Promise<BatchRun> {
  return runBatch(ports, { job: 'remind-of-sales-tax', items: usDivision.options, facts: (division) => ({ division }) },
    async (ctx, division) => {
      const today = await ctx.today(division);
      let told = 0;
      for (const of of await openPeriods(ctx.db, division, today)) {
        if (of.due_on > addDays(today, AHEAD)) continue;
        told += await notifyStaff(ctx, { kind: 'closing.due',
          title: `Prepare the ${stateName(of.state)} sales tax return of ${division}, due on ${dateInWords(of.due_on)}`,
          href: hrefOf({ ...of, period_from: of.from, period_to: of.to }),
          key: `closing.due/sales_tax/${division}/${of.state}/${of.to}` });
      }
      for (const { state, rule } of await nexusReached(ctx.db, division, today)) {
        told += await notifyStaff(ctx, { kind: 'closing.due', href: nexusHref(division),
          title: `Register ${division} for sales tax in ${stateName(state)}: its economic nexus threshold is reached`,
          key: `closing.due/nexus/${division}/${state}/${rule.valid_from}` });
      }
      return told;
    });
}
