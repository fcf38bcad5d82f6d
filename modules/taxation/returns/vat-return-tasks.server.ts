/** VAT returns that have to be prepared, for the home and as notifications. */
import { addDays, addMonths, dateInWords, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { hrefOf } from './return-store.server.ts';
import { calendarQuarterBefore, vatQuarterLeft } from './vat-quarter.server.ts';
import { vatDivision, type VatDivisionCode } from './vat-return.contract.ts';

interface DueReturn { division: VatDivisionCode; from: string; to: string; due_on: string }

const isVat = (division: string): division is VatDivisionCode => vatDivision.safeParse(division).success;

/** A month and seven days after the period at HMRC (VAT Notice 700/12), the 23rd of the next month at Irish Revenue. */
export function vatDueOn(division: VatDivisionCode, to: string): string {
  const next = addMonths(startOfMonth(to), 1);
  return division === 'UK' ? addDays(endOfMonth(next), 7) : addDays(next, 22);
}

/** The quarter that has ended and has no return, as the close checklist asks for it; null where none is open. */
async function openQuarter(db: Queryable, division: VatDivisionCode, today: string): Promise<DueReturn | null> {
  const left = await vatQuarterLeft(db, division, addDays(today, -1))
    ?? await vatQuarterLeft(db, division, calendarQuarterBefore(today));
  return left && { division, ...left, due_on: vatDueOn(division, left.to) };
}

/** As rows of the home's task list; a prepared return waits among the approvals. */
export async function vatReturnTasks(db: Queryable, { division, today }: { division: string; today: string }):
Promise<Sql[]> {
  const open = isVat(division) ? await openQuarter(db, division, today) : null;
  if (open === null) return [];
  return [sql`select 'tax_return', 0::bigint, 'Prepare the VAT return',
    ${`${dateInWords(open.from)} to ${dateInWords(open.to)}`}, ${open.due_on}::date, false, 'vat_return', 0::bigint,
    null::bigint, null::bigint, null, (select functional_currency from divisions where code = ${open.division}), null`];
}

/** Tells those who may prepare it, once for each period. */
export function remindOfVat(ports: Ports): Promise<BatchRun> {
  return runBatch(ports, { job: 'remind-of-vat', items: vatDivision.options, facts: (division) => ({ division }) },
    async (ctx, division) => {
      const open = await openQuarter(ctx.db, division, await ctx.today(division));
      if (open === null) return 0;
      return notifyStaff(ctx, { kind: 'closing.due',
        title: `Prepare the VAT return of ${division}, due on ${dateInWords(open.due_on)}`,
        href: hrefOf({ division, state: null, period_from: open.from, period_to: open.to }),
        key: `closing.due/vat/${division}/${open.to}` });
    });
}
