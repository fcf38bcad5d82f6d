/** Records that reference a record and so keep it out of the trash (db/migrations/baseline/75-records-in-use.sql). */
import { refuse } from '#kit/errors.ts';
import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

type UsedTable = 'customers' | 'venues' | 'vendors' | 'royaltors';

const AND = new Intl.ListFormat('en-GB');

/** 409 that names what uses the record and what to do instead. */
export async function refuseInUse(db: Queryable, table: UsedTable, id: number, instead: string): Promise<void> {
  const { uses } = await db.one<{ uses: string[] }>(sql`select record_uses(${table}::text, ${id}::bigint) as uses`);
  if (uses.length === 0) return;
  const noun = table.slice(0, -1);
  throw refuse('in_use', `This ${noun} has ${AND.format(uses)}. ${instead}`, { uses });
}
