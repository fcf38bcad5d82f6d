/** Applications and tasks of a customer that turned out to be another one. */
import type { WorkContext } from '#server/context.ts';
import type { CustomerMerged } from '#server/customer-events.ts';
import { sql } from '#server/sql.ts';

export async function moveApplications(ctx: WorkContext, { from_customer_id: from, into_customer_id: into }:
CustomerMerged): Promise<void> {
  await ctx.db.exec(sql`update license_applications set customer_id = ${into} where customer_id = ${from}`);
  await ctx.db.exec(sql`update tasks set customer_id = ${into} where customer_id = ${from}`);
}
