/** Days on which a kind of posting cannot be made: a closed period, a lock. Asked before a document is dated so. */
import { AppError, invalidField } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { asLedgerCall } from './ledger-error.server.ts';

/** 422 at `field` where the posting itself would be refused on that day. */
export async function refuseClosedDay(
  db: Queryable, of: { division: string; kind: string; on: string; field: string; actor_id: number | null },
): Promise<void> {
  try {
    await asLedgerCall(db.exec(sql`
      select ledger_ask_day(${of.division}::text, ${of.kind}::text, ${of.on}::date, ${of.actor_id}::bigint)`));
  } catch (error) {
    if (error instanceof AppError && error.code === 'period_locked') throw invalidField(of.field, error.message);
    throw error;
  }
}
