/** VAT quarters of a division. They follow its last return: a house whose quarters end in May is asked then. */
import { addDays, addMonths, endOfMonth, type IsoDate } from '#kernel/calendar/calendar.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { VatDivisionCode } from './vat-return.contract.ts';

/**
 * Last day of the first quarter that ended by the day and has no return; null if there is none. Before the first return
 * of a division, the quarter of the calendar that ends on the day.
 */
export async function vatQuarterLeft(db: Queryable, division: VatDivisionCode, by: IsoDate): Promise<IsoDate | null> {
  const { last, covered } = await db.one<{ last: IsoDate | null; covered: boolean }>(sql`
    select max(period_to) as last, coalesce(bool_or(period_from <= ${by} and period_to >= ${by}), false) as covered
    from tax_returns where division = ${division}`);
  if (covered) return null;
  if (last === null) return Number(by.slice(5, 7)) % 3 === 0 ? by : null;
  const next = endOfMonth(addMonths(addDays(last, 1), 2));
  return next <= by ? next : null;
}
