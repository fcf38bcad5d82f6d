/** Checks dated ahead: recorded as received, posted on their day by the job, once, or given back before. */
import { AppError, conflict, invalidField } from '#kit/errors.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { divisionDay } from '#server/division-day.ts';
import { sql } from '#server/sql.ts';
import { lockPayment } from './payment-store.server.ts';
import { postPlanned } from './record-receipt.server.ts';

/**
 * Posts every check whose day has come in its division, each in a transaction of its own. One whose invoice takes it no
 * more (paid meanwhile, credited) is posted on account: the money is there all the same. A failure is logged and waits
 * for the next run; the others go on.
 */
export async function postDatedChecks(ports: Ports): Promise<{ posted: number; failed: number }> {
  const due = await ports.db.query<{ id: number }>(sql`
    select p.id from payments p where p.status = 'draft' and p.direction = 'in' and p.deleted_at is null
      and p.paid_on <= ${divisionDay(ports.clock.now(), sql`p.division`)} order by p.paid_on, p.id`);
  const { done, failed } = await runEach(ports, { job: 'post-dated-checks', items: due,
    facts: ({ id }) => ({ payment_id: id }) }, async ({ id }) => await postOne(ports, id) ? 1 : 0);
  return { posted: done, failed };
}

async function postOne(ports: Ports, id: number): Promise<boolean> {
  const work = (plain: boolean) => ports.db.tx((tx) => postPlanned(workContext(ports, tx, SYSTEM_ACTOR), id, plain));
  try {
    return await work(false);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    ports.log('info', 'check posted on account', { payment_id: id, error: error.message });
    return work(true);
  }
}

/** A check that has not posted yet is given back: nothing was booked. */
export async function withdrawPlanned(ctx: WorkContext, paymentId: number, reason: string): Promise<void> {
  if (reason.trim() === '') throw invalidField('reason', 'Reason is required');
  const payment = await lockPayment(ctx, paymentId);
  if (payment.status !== 'draft') {
    throw conflict('payment.posted', `Receipt ${payment.number} is ${payment.status}. Return it instead.`);
  }
  await ctx.db.exec(sql`
    update payments set status = 'void', reversal_reason = ${reason}, version = version + 1 where id = ${paymentId}`);
  await ctx.audit({ action: 'void', entity: 'payment', entity_id: paymentId, after: { reason } });
}
