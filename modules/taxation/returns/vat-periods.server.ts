/** VAT periods of a division. They follow its last return: a house whose quarters end in May is asked then. */
import { addDays, type IsoDate } from '#kernel/calendar/calendar.ts';
import { vatPeriodAround, vatPeriodFrom, type VatDays, type VatPeriodMonths } from '#kernel/tax/vat-period.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { VatDivisionCode } from './vat-return.contract.ts';

/** Months of a return of the division, as its tax authority granted them. */
export async function vatMonths(db: Queryable, division: VatDivisionCode): Promise<VatPeriodMonths> {
  return (await db.one<{ months: VatPeriodMonths }>(sql`
    select vat_period_months as months from divisions where code = ${division}`)).months;
}

/**
 * The first period that ended by the day and has no return; null if there is none, or the division is not registered
 * in it. Before the first return of a division, the period of the calendar that ends on the day.
 */
export async function vatPeriodLeft(
  db: Queryable, division: VatDivisionCode, by: IsoDate,
): Promise<VatDays | null> {
  const { last, covered } = await db.one<{ last: IsoDate | null; covered: boolean }>(sql`
    select max(period_to) as last, coalesce(bool_or(period_from <= ${by} and period_to >= ${by}), false) as covered
    from tax_returns where division = ${division}`);
  if (covered) return null;
  const months = await vatMonths(db, division);
  const around = vatPeriodAround(by, months);
  const left = last !== null ? vatPeriodFrom(addDays(last, 1), months) : around.to === by ? around : null;
  return left !== null && left.to <= by && await isRegistered(db, division, left) ? left : null;
}

async function isRegistered(db: Queryable, division: VatDivisionCode, { from, to }: VatDays): Promise<boolean> {
  return await db.maybeOne(sql`
    select 1 from tax_registrations r join divisions d on d.code = r.division and d.home_country = r.jurisdiction
    where r.division = ${division} and r.scheme = 'vat' and r.valid_from <= ${to}
      and (r.valid_to is null or r.valid_to >= ${from}) limit 1`) !== null;
}
