/** Contributions of reports to the weeks of their licenses, and the charges of those weeks with them. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { ChargedWeek } from './takings.ts';

/** In place of what was stored of the same reports. */
export async function storeWeeks(
  db: Queryable, reports: readonly { report_id: number; license_id: number; weeks: readonly ChargedWeek[] }[],
): Promise<void> {
  const rows = reports.flatMap(({ report_id, license_id, weeks }) =>
    weeks.map((week) => ({ report_id, license_id, week })));
  if (rows.length === 0) return;
  await db.exec(sql`delete from box_office_weeks
    where box_office_report_id = any(${reports.map((one) => one.report_id)}::bigint[])`);
  await db.exec(sql`
    insert into box_office_weeks (box_office_report_id, license_id, week_on, base_minor, performances_held,
      charged_minor)
    select * from unnest(${rows.map((row) => row.report_id)}::bigint[], ${rows.map((row) => row.license_id)}::bigint[],
      ${rows.map((row) => row.week.week_on)}::date[], ${rows.map((row) => Number(row.week.base_minor))}::bigint[],
      ${rows.map((row) => row.week.performances)}::int[],
      ${rows.map((row) => Number(row.week.charged_minor))}::bigint[])`);
}
