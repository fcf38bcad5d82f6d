/**
 * Scheduled batches are posted on their day of payment, each in a transaction of its own: what one of them meets stands
 * at it, and the others go on. A batch that was posted or cancelled meanwhile is left alone.
 */
import { AppError } from '#kit/errors.ts';
import { actorWhoAsked } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports } from '#server/context.ts';
import { divisionDay } from '#server/division-day.ts';
import { sql } from '#server/sql.ts';
import { postScheduled } from './decide-batch.server.ts';

/** Posts what is due; answers how many batches it posted. `pay-scheduled-batches` of apps/server/src/jobs.ts. */
export async function payScheduledBatches(ports: Ports): Promise<number> {
  const due = await ports.db.query<{ id: number; scheduled_by_id: number | null }>(sql`
    select b.id, b.scheduled_by_id from royalty_payment_batches b
    where b.status = 'scheduled' and b.pay_on <= ${divisionDay(ports.clock.now(), sql`b.division`)}
    order by b.pay_on, b.id`);
  const { done } = await runEach(ports, { job: 'pay-scheduled-batches', items: due,
    facts: ({ id }) => ({ batch: id }) }, async ({ id, scheduled_by_id }) => {
    try {
      return await ports.db.tx(async (tx) => {
        const asked = { entity: 'royalty_payment_batch', entity_id: id };
        return postScheduled(workContext(ports, tx, await actorWhoAsked(tx, scheduled_by_id, asked)), id);
      }) ? 1 : 0;
    } catch (error) {
      await noteFailure(ports, id, error);
      throw error;
    }
  });
  return done;
}

/** Says at the batch why it is not paid yet; the job logs the failure itself. */
async function noteFailure(ports: Ports, id: number, error: unknown): Promise<void> {
  const failure = error instanceof AppError ? error.message : 'Something went wrong. We try again every hour.';
  await ports.db.exec(sql`
    update royalty_payment_batches set failure = ${failure.slice(0, 1000)} where id = ${id} and status = 'scheduled'`);
}
