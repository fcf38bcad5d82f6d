/** Sales tax returns that have to be prepared or paid, for the home and as notifications. */
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { hrefOf } from '../returns/return-store.server.ts';
import { openPeriods } from './sales-tax-return.server.ts';
import { usDivision, type UsDivision } from './sales-tax.contract.ts';
import { stateName } from './state-name.ts';

/** Days before the due date from which people are told. */
const AHEAD = 10;

const isUs = (division: string): division is UsDivision => usDivision.safeParse(division).success;

/** As rows of the home's task list: periods without a return, and filed returns without a bill. */
export async function salesTaxTasks(db: Queryable, { division, today }: { division: string; today: string }):
Promise<Sql[]> {
  if (!isUs(division)) return [];
  const open = (await openPeriods(db, division, today)).filter((of) => of.due_on <= addDays(today, AHEAD));
  const prepare = sql`select 'tax_return', -x.place, x.title, x.detail, x.due_on, false, 'tax_return', 0::bigint,
      null::bigint, null::bigint, null, null, null
    from unnest(${open.map((of) => `Prepare the sales tax return of ${stateName(of.state)}`)}::text[],
      ${open.map((of) => `${dateInWords(of.from)} to ${dateInWords(of.to)}`)}::text[],
      ${open.map((of) => of.due_on)}::date[]) with ordinality x (title, detail, due_on, place)`;
  return [prepare, sql`select 'tax_return', t.id, 'Pay the sales tax return of ' || right(t.state, 2), '', t.due_on,
      false, 'tax_return', t.id, null::bigint, null::bigint, null, 'USD', t.net_minor::bigint
    from tax_returns t where t.division = ${division} and t.status = 'filed' and t.net_minor > 0
      and not exists (select 1 from bills b where b.tax_return_id = t.id and b.deleted_at is null
        and b.status <> 'void')`];
}

/** Tells those who may prepare it, once for each state and period. */
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
      return told;
    });
}
