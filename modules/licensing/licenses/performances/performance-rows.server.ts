/** Rows of performances in the order of the run. */
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { PerformanceRow } from './performance.contract.ts';

export const performanceColumns = sql`t.id, t.license_id, t.license_venue_id, v.name as venue_name, t.ordinal,
  t.starts_at, t.local_date, to_char(t.local_time, 'HH24:MI') as local_time, t.type, t.is_free, t.status,
  t.expected_attendance, t.unit_fee_minor, t.fee_rule, l.currency, t.cancel_reason, t.version`;
export const performanceJoins = sql`join license_venues v on v.id = t.license_venue_id
  join licenses l on l.id = t.license_id`;

export function performanceRows(db: Queryable, condition: Sql): Promise<PerformanceRow[]> {
  return db.query<PerformanceRow>(sql`
    select ${performanceColumns} from performances t ${performanceJoins} where ${condition}
    order by t.license_id, t.starts_at, t.id`);
}
