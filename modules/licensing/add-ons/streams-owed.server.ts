/** Streams that are paid by a share of what they took, and whether anybody said what that was (domain.md 2.7). */
import { sql, type Sql } from '#server/sql.ts';

const sold = (licenseId: Sql): Sql => sql`license_charges c
  where c.license_id = ${licenseId} and c.add_on_id is not null and c.share_ppm is not null and c.quantity > 0`;

/** Whether the licence of this id has such a stream. */
export const streamSold = (licenseId: Sql): Sql => sql`exists (select 1 from ${sold(licenseId)})`;

/** Whether it has one of which no report is in force: one that was taken back tells nothing. */
export const streamOwed = (licenseId: Sql): Sql => sql`exists (select 1 from ${sold(licenseId)}
  and not exists (select 1 from stream_reports s
    where s.license_id = c.license_id and s.add_on_id = c.add_on_id and s.withdrawn_at is null))`;

/** The day to report it by, over `l` and its terms `lt`: as long after the last night as for the box office. */
export const STREAM_DUE_ON = sql`l.last_performance_on + coalesce(lt.report_due_days, 7)`;
