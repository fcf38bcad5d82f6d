/** VAT returns that have to be prepared, for the home and as notifications. */
import { addDays, addMonths, dateInWords, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { hrefOf } from './return-store.server.ts';
import { vatDivision, type VatDivisionCode } from './vat-return.contract.ts';

interface DueReturn { division: VatDivisionCode; from: string; to: string; due_on: string }

const isVat = (division: string): division is VatDivisionCode => vatDivision.safeParse(division).success;

/** A month and seven days after the period at HMRC (VAT Notice 700/12), the 23rd of the next month at Irish Revenue. */
export function vatDueOn(division: VatDivisionCode, to: string): string {
  const next = addMonths(startOfMonth(to), 1);
  return division === 'UK' ? addDays(endOfMonth(next), 7) : addDays(next, 22);
}

/** The quarter that has ended and has no return; null where none is open, or the division is not registered in it. */
async function openQuarter(db: Queryable, division: VatDivisionCode, today: string): Promise<DueReturn | null> {
  const last = await db.maybeOne<{ period_to: string }>(sql`
    select period_to from tax_returns where division = ${division} and state is null
    order by period_from desc limit 1`);
  const quarter = `${today.slice(0, 5)}${String(Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1)
    .padStart(2, '0')}-01`;
  const from = last ? addDays(last.period_to, 1) : addMonths(quarter, -3);
  const to = endOfMonth(addMonths(startOfMonth(from), 2));
  if (to >= today) return null;
  const registered = await db.maybeOne(sql`
    select 1 from tax_registrations r join divisions d on d.code = r.division and d.home_country = r.jurisdiction
    where r.division = ${division} and r.scheme = 'vat' and r.valid_from <= ${to}
      and (r.valid_to is null or r.valid_to >= ${from}) limit 1`);
  return registered ? { division, from, to, due_on: vatDueOn(division, to) } : null;
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
