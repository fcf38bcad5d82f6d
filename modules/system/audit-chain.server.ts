/** The hash chain of the audit trail: linked by a job, verified by a command and a button (reliability.md 1.7). */
import type { Db, Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

const LINKS_PER_CALL = 1_000;

/** Links what was written since; `all` also looks for events that were committed very late. Answers how many. */
export async function linkAudit(db: Queryable, all = false): Promise<number> {
  for (let total = 0; ;) {
    const { made } = await db.one<{ made: number }>(sql`
      select audit_chain_extend(${LINKS_PER_CALL}::int, ${all}::boolean) as made`);
    total += made;
    if (made < LINKS_PER_CALL) return total;
  }
}

export interface ChainBreak { seq: number | null; audit_event_id: number; problem: string }

const SHOWN = 100;

/** Recomputes every link. The breaks are nothing in a sound trail; at most a hundred are answered. */
export async function verifyAudit(db: Db): Promise<{ linked: number; breaks: ChainBreak[] }> {
  await linkAudit(db, true);
  return db.tx(async (tx) => {
    await tx.exec(sql`set local statement_timeout = 0`);
    const breaks = await tx.query<ChainBreak>(sql`
      select seq, audit_event_id, problem from audit_chain_breaks order by seq nulls last limit ${SHOWN}`);
    const { linked } = await tx.one<{ linked: number }>(sql`select count(*) as linked from audit_hashes`);
    return { linked, breaks };
  });
}
