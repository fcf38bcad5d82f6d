/** The daily job: hire, openings and fees become income on their day, without anybody asking (accounting.md 2.1). */
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runBatch } from '#server/batch.ts';
import { workContext, type Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { releaseDue } from './release-income.server.ts';

/**
 * Releases what is due in every division by its own calendar, each invoice in a transaction of its own: one that is
 * refused is logged and waits for tomorrow, the others go on. Answers how many rows became income.
 */
export async function releaseIncomeDue(ports: Ports): Promise<{ released: number; failed: number }> {
  const clock = workContext(ports, ports.db, SYSTEM_ACTOR);
  const divisions = await ports.db.query<{ code: string }>(sql`select code from divisions order by code`);
  const run = { released: 0, failed: 0 };
  for (const { code } of divisions) {
    const today = await clock.today(code);
    const due = await ports.db.query<{ id: number }>(sql`
      select distinct i.id from release_schedule r join invoice_items t on t.id = r.invoice_item_id
        join invoices i on i.id = t.invoice_id
      where r.division = ${code} and r.status = 'planned' and r.performance_id is null and r.on_date <= ${today}
      order by i.id`);
    const one = await runBatch(ports, { job: 'release-income', items: due, facts: ({ id }) => ({ invoice_id: id }) },
      (ctx, { id }) => releaseDue(ctx, { invoice_id: id, up_to: today }));
    run.released += one.done;
    run.failed += one.failed;
  }
  return run;
}
