/**
 * Scheduled batches are posted on their day of payment, each in a transaction of its own: what one of them meets stands
 * at it, and the others go on. A batch that was posted or cancelled meanwhile is left alone.
 */
import { AppError } from '#kit/errors.ts';
import { actorWhoAsked } from '#server/audit.ts';
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
  let posted = 0;
  for (const { id, scheduled_by_id } of due) {
    try {
      posted += await ports.db.tx(async (tx) => {
        const asked = { entity: 'royalty_payment_batch', entity_id: id };
        return postScheduled(workContext(ports, tx, await actorWhoAsked(tx, scheduled_by_id, asked)), id);
      }) ? 1 : 0;
    } catch (error) {
      await fail(ports, id, error);
    }
  }
  return posted;
}

async function fail(ports: Ports, id: number, error: unknown): Promise<void> {
  const known = error instanceof AppError;
  ports.log('error', 'scheduled batch not paid', { batch: id,
    error: known ? error.message : (error as Error).stack });
  const failure = known ? error.message : 'Something went wrong. We try again every hour.';
  await ports.db.exec(sql`
    update royalty_payment_batches set failure = ${failure.slice(0, 1000)} where id = ${id} and status = 'scheduled'`);
}
