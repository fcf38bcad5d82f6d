/** The house's day where a division is: what is due today is not late while it is still today there. */
import { sql, type Sql } from './sql.ts';

/** A date in SQL: the day of `now` in the time zone of `division`, a code or a column of codes. */
export function divisionDay(now: Date, division: Sql): Sql {
  return sql`(select (${now.toISOString()}::timestamptz at time zone own.timezone)::date from divisions own
    where own.code = ${division})`;
}
