/** Calendar-driven steps of orders: delivered after some days, on hire or done, due back, overdue. */
import { addDays, dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { notifyCustomer } from '#modules/notifications/notifications.public.server.ts';
import { runBatch } from '#server/batch.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { followPerusal } from '../perusal/follow-perusal.server.ts';
import { lockOrder } from './order-rows.server.ts';
import { cancelOrder, outstandingOf, step } from './move-order.server.ts';
import { prepaidOf } from './prepaid-order.server.ts';

/** domain.md 1.3: a carrier's word, or so many days; no carrier speaks to us yet. */
const DAYS_TO_ARRIVE = 5;

/** Every open order, one transaction each: what one refuses stops no other. Answers how many moved. */
export async function followOrders(ports: Ports): Promise<number> {
  const rows = await ports.db.query<{ id: number }>(sql`
    select id from sales_orders where status in ('shipped', 'delivered', 'on_hire', 'return_due') order by id`);
  const called = await callOffUnpaid(ports);
  const { done } = await runBatch(ports, { job: 'follow-orders', items: rows,
    facts: ({ id }) => ({ sales_order_id: id }) }, (ctx, { id }) => followOrder(ctx, id));
  return called + done;
}

/** Cancels shop orders not paid in time: the books go back to the shelf, and the customer is notified. */
async function callOffUnpaid(ports: Ports): Promise<number> {
  const rows = await ports.db.query<{ id: number; division: string; due_on: string }>(sql`
    select o.id, o.division, p.due_on from sales_orders o
      join sales_order_invoices x on x.sales_order_id = o.id and x.reason = 'prepaid'
      join invoices p on p.id = x.invoice_id and p.status = 'proforma'
    where o.status = 'released' order by o.id`);
  const { done } = await runBatch(ports, { job: 'follow-orders', items: rows,
    facts: ({ id }) => ({ sales_order_id: id }) }, async (ctx, { id, division, due_on }) => {
      if (due_on >= await ctx.today(division)) return 0;
      const { order } = await lockOrder(ctx.db, id, null);
      if (order.status !== 'released' || !(await prepaidOf(ctx.db, id))?.open) return 0;
      const day = dateFor(documentLanguage(division), due_on);
      await cancelOrder(ctx, id, `Not paid by ${day}`);
      await notifyCustomer(ctx, order.customer_id, { kind: 'order.shipped', title: `Your order ${order.number} was `
        + 'called off', body: `It was not paid by ${day}. Order again whenever you like.`,
      href: `/customer/${order.customer_id}/orders/${order.id}` });
      return 1;
    });
  return done;
}

async function followOrder(ctx: WorkContext, id: number): Promise<number> {
  const { order, lines } = await lockOrder(ctx.db, id, null);
  const today = await ctx.today(order.division);
  const before = order.status;
  const { shipped_on } = await ctx.db.one<{ shipped_on: string | null }>(sql`
    select shipped_on from sales_orders where id = ${id}`);
  const out = lines.some((line) => outstandingOf(line) > 0);
  if (order.status === 'shipped' && shipped_on !== null && addDays(shipped_on, DAYS_TO_ARRIVE) <= today) {
    await step({ ctx, order }, 'deliver', {}, sql`delivered_on = ${today}`);
  }
  if (order.status === 'delivered') {
    await (out ? step({ ctx, order }, 'has_rental', { rental_outstanding: true })
      : step({ ctx, order }, 'no_return_lines', { nothing_to_return: true },
        sql`closed_at = ${ctx.now().toISOString()}`));
  }
  const due = order.return_due_on;
  if (order.status === 'on_hire' && due !== null && due <= today) await step({ ctx, order }, 'due', {});
  if (order.status === 'return_due' && due !== null && due < today) await step({ ctx, order }, 'late', {});
  if (order.status === before) return 0;
  await ctx.db.exec(sql`update sales_orders set version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'follow', entity: 'sales_order', entity_id: id, before: { status: before },
    after: { status: order.status } });
  if (order.kind === 'perusal') await followPerusal(ctx, order);
  return 1;
}
