/** Weekly minimums that waited for the return of another venue, once that return is a week late. */
import { runBatch } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { settleWaiting } from './answer-question.server.ts';
import { dealsOf } from './deal.server.ts';

/** Settles what need not wait any longer, each licence in a transaction of its own; nightly. Answers how many. */
export async function settleDueMinimums(ports: Ports): Promise<{ settled: number }> {
  const waiting = await ports.db.query<{ license_id: number; ids: number[] }>(sql`
    select license_id, array_agg(id order by period_to, id) as ids from box_office_reports
    where minimum_pending and status = 'accepted' group by license_id order by license_id`);
  const { done } = await runBatch(ports, { job: 'settle-minimums', items: waiting,
    facts: ({ license_id }) => ({ license_id }) }, async (ctx, { license_id, ids }) => {
    await dealsOf(ctx.db, [license_id], true);
    return settleWaiting(ctx, ids, undefined);
  });
  return { settled: done };
}
