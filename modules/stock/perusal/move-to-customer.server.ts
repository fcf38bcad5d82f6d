/** Scripts asked for and orders of a customer that turned out to be another one. */
import type { WorkContext } from '#server/context.ts';
import type { CustomerMerged } from '#server/customer-events.ts';
import { sql } from '#server/sql.ts';

export async function moveOrders(ctx: WorkContext, { from_customer_id: from, into_customer_id: into }: CustomerMerged):
Promise<void> {
  await ctx.db.exec(sql`update sales_orders set customer_id = ${into}, version = version + 1
    where customer_id = ${from}`);
  await ctx.db.exec(sql`update perusals set customer_id = ${into}, version = version + 1 where customer_id = ${from}`);
}
