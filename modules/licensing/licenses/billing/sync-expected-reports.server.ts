/** Follow-up when a run is fixed, moves or is called off: the box-office reports that it owes. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { expectReports } from '../../box-office/box-office.public.server.ts';

/** The schedule of reports is made anew; what was sent in or estimated stays. */
export async function scheduleReports(ctx: WorkContext, licenseId: number): Promise<void> {
  await dropExpectedReports(ctx, licenseId);
  await expectReports(ctx, licenseId);
}

export async function dropExpectedReports(ctx: WorkContext, licenseId: number): Promise<void> {
  await ctx.db.exec(sql`
    delete from box_office_reports where license_id = ${licenseId} and status = 'expected' and source = 'schedule'`);
}
