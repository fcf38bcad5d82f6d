/** The numbers of a licence as rows tell them. */
import { sql, type Sql } from '#server/sql.ts';

/** The number that is valid now with the former beside it, as numbersInWords of the kernel; `of`: an alias. */
export function numbersOf(of: Sql): Sql {
  return sql`coalesce(${of}.license_number || ' (formerly ' || ${of}.number || ')', ${of}.number)`;
}
