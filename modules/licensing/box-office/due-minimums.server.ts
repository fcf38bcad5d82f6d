/** Weekly minimums that waited for the return of another venue, once that return is a week late. */
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { settleWaiting } from './answer-question.server.ts';
import { dealsOf } from './deal.server.ts';

/** Settles what need not wait any longer, each licence in a transaction of its own; nightly. Answers how many. */
export async function settleDueMinimums(ports: Ports): Promise<{ settled: number }> {
  const waiting = await ports.db.query<{ license_id: number; ids: number[] }>(sql`
    select license_id, array_agg(id order by period_to, id) as ids from box_office_reports
    where minimum_pending and status = 'accepted' group by license_id order by license_id`);
  let settled = 0;
  for (const { license_id, ids } of waiting) {
    try {
      settled += await ports.db.tx(async (tx) => {
        const ctx = workContext(ports, tx, SYSTEM_ACTOR);
        await dealsOf(tx, [license_id], true);
        return settleWaiting(ctx, ids, undefined);
      });
    } catch (error) {
      ports.log('error', 'weekly minimum not settled', { license_id, error: String(error) });
    }
  }
  return { settled };
}
