/** VAT quarters of a division. They follow its last return: a house whose quarters end in May is asked then. */
import { addDays, addMonths, endOfMonth, startOfMonth, type IsoDate } from '#kernel/calendar/calendar.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { VatDivisionCode } from './vat-return.contract.ts';

export interface VatQuarter { from: IsoDate; to: IsoDate }

/**
 * The first quarter that ended by the day and has no return; null if there is none, or the division is not registered
 * in it. Before the first return of a division, the quarter of the calendar that ends on the day.
 */
export async function vatQuarterLeft(
  db: Queryable, division: VatDivisionCode, by: IsoDate,
): Promise<VatQuarter | null> {
  const { last, covered } = await db.one<{ last: IsoDate | null; covered: boolean }>(sql`
    select max(period_to) as last, coalesce(bool_or(period_from <= ${by} and period_to >= ${by}), false) as covered
    from tax_returns where division = ${division}`);
  if (covered) return null;
  const left = last === null ? calendarQuarterTo(by) : quarterFrom(addDays(last, 1));
  return left !== null && left.to <= by && await isRegistered(db, division, left) ? left : null;
}

const quarterFrom = (from: IsoDate): VatQuarter => ({ from, to: endOfMonth(addMonths(startOfMonth(from), 2)) });

function calendarQuarterTo(day: IsoDate): VatQuarter | null {
  return day === endOfMonth(day) && Number(day.slice(5, 7)) % 3 === 0 ? quarterFrom(addMonths(startOfMonth(day), -2))
    : null;
}

/** Last day of the latest quarter of the calendar that ended before the day. */
export function calendarQuarterBefore(day: IsoDate): IsoDate {
  const monthsIn = (Number(day.slice(5, 7)) - 1) % 3;
  return addDays(addMonths(startOfMonth(day), -monthsIn), -1);
}

async function isRegistered(db: Queryable, division: VatDivisionCode, { from, to }: VatQuarter): Promise<boolean> {
  return await db.maybeOne(sql`
    select 1 from tax_registrations r join divisions d on d.code = r.division and d.home_country = r.jurisdiction
    where r.division = ${division} and r.scheme = 'vat' and r.valid_from <= ${to}
      and (r.valid_to is null or r.valid_to >= ${from}) limit 1`) !== null;
}
