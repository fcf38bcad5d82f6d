/** Automatic steps of perusals: they follow their sales order, end on their day and announce it beforehand. */
import type { Facts } from '#kernel/licensing/machine.ts';
import { decide } from '#kernel/licensing/machine.ts';
import { PERUSAL_MACHINE, type PerusalEvent } from '#kernel/licensing/perusal-machine.ts';
import type { SalesOrderStatus } from '#kernel/licensing/sales-order-machine.ts';
import { conflict } from '#kit/errors.ts';
import { runBatch } from '#server/batch.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { lockPerusal, type PerusalRecord } from './perusal-rows.server.ts';
import { tellDue, tellEnded, tellExpiring, tellShipped } from './tell-of-perusal.server.ts';

/** One transition; refused with what is possible instead. The record in memory moves with it. */
export async function stepPerusal(
  ctx: WorkContext, perusal: PerusalRecord, event: PerusalEvent, facts: Facts, sets?: Sql,
): Promise<void> {
  const decision = decide(PERUSAL_MACHINE, perusal.status, event, facts);
  if (decision.refused) {
    const { code, message, allowed, unmet } = decision.refused;
    throw conflict(code, message, { allowed, unmet });
  }
  await ctx.db.exec(sql`
    update perusals set status = ${decision.next}, version = version + 1${sets ? sql`, ${sets}` : sql``}
    where id = ${perusal.id}`);
  perusal.status = decision.next;
}

/** Perusal event for each state of the order that ships it. */
const MEANS: Partial<Record<SalesOrderStatus, PerusalEvent>> = {
  partially_shipped: 'ship', shipped: 'ship', delivered: 'ship', on_hire: 'ship', return_due: 'due', overdue: 'due',
  returned: 'return', closed: 'close', cancelled: 'close',
};

/** Called in the transaction in which an order of kind perusal has moved, its row locked. */
export async function followPerusal(ctx: WorkContext, order: { id: number; status: SalesOrderStatus }): Promise<void> {
  const found = await ctx.db.maybeOne<{ id: number; due: string | null; back: string | null; lost: boolean }>(sql`
    select t.id, o.return_due_on as due, o.returned_on as back,
      exists (select 1 from sales_order_lines l where l.sales_order_id = o.id and l.qty_lost > 0) as lost
    from perusals t join sales_orders o on o.id = t.sales_order_id where o.id = ${order.id}`);
  const meant = MEANS[order.status];
  if (!found || !meant) return;
  const perusal = await lockPerusal(ctx.db, found.id, null);
  const event = meant === 'return' && found.lost ? 'charge_lost' : meant;
  const possible = PERUSAL_MACHINE.edges.some((edge) => edge.from === perusal.status && edge.event === event);
  if (!possible) return;
  await stepPerusal(ctx, perusal, event, { by_post: true, reason_given: true },
    sql`due_back_on = ${found.due}, returned_on = ${found.back}`);
  if (event === 'ship') await tellShipped(ctx, perusal, found.due);
  if (event === 'due' && found.due !== null) await tellDue(ctx, perusal, found.due);
}

/** Days before the end on which the reader is told. */
const WARN_DAYS = 2;

/** Ends what is over and warns of what is about to; one transaction each. Answers how many ended. */
export async function followPerusals(ports: Ports): Promise<number> {
  const now = ports.clock.now().toISOString();
  const rows = await ports.db.query<{ id: number; over: boolean; last_day: string }>(sql`
    select t.id, t.expires_at <= ${now} as over,
      ((t.expires_at - interval '1 second') at time zone d.timezone)::date::text as last_day
    from perusals t join divisions d on d.code = t.division
    where t.status = 'active' and t.expires_at <= ${now}::timestamptz + make_interval(days => ${WARN_DAYS})
    order by t.expires_at, t.id`);
  const run = await runBatch(ports, { job: 'follow-perusals', items: rows, facts: ({ id }) => ({ perusal_id: id }) },
    async (ctx, { id, over, last_day }) => {
      const perusal = await lockPerusal(ctx.db, id, null);
      if (perusal.status !== 'active') return 0;
      if (!over) {
        await tellExpiring(ctx, perusal, last_day);
        return 0;
      }
      await stepPerusal(ctx, perusal, 'expire', {});
      await ctx.audit({ action: 'expire', entity: 'perusal', entity_id: id, before: { status: 'active' },
        after: { status: 'expired' } });
      await tellEnded(ctx, perusal, 'The time to read it is over. Ask us if you need more.');
      return 1;
    });
  return run.done;
}
