/** The house's day where a division is: what is due today is not late while it is still today there. */
import { sql, type Sql } from './sql.ts';

/** A date in SQL: the day of `now` in the time zone of `division`, a code or a column of codes. */
export function divisionDay(now: Date, division: Sql): Sql {
  return divisionDayOf(sql`${now.toISOString()}::timestamptz`, division);
}

/** The same of any instant: an offer that ends at midnight ends on the day before. */
export function divisionDayOf(instant: Sql, division: Sql): Sql {
  return sql`(select (${instant} at time zone own.timezone)::date from divisions own where own.code = ${division})`;
}
