/** History of an order beside its transitions: what happens while its status stays. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { OrderNote } from './sales-order.contract.ts';

export async function noteOnOrder(
  ctx: WorkContext, order: { id: number; status: string }, event: OrderNote, note: string,
): Promise<void> {
  await ctx.db.exec(sql`
    insert into sales_order_events (sales_order_id, event, from_status, to_status, note, actor_id, occurred_at)
    values (${order.id}, ${event}, ${order.status}, ${order.status}, ${note}, ${ctx.actor.actor_id},
      ${ctx.now().toISOString()})`);
}
