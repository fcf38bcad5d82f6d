/** What names a record, so that it cannot go to the trash (db/migrations/baseline/75-records-in-use.sql). */
import { refuse } from '#kit/errors.ts';
import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

type UsedTable = 'customers' | 'venues' | 'vendors' | 'royaltors';

const inWords = (words: readonly string[]): string => (words.length < 2 ? words.join('')
  : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`);

/** 409 that names what uses the record and what to do instead. */
export async function refuseInUse(db: Queryable, table: UsedTable, id: number, instead: string): Promise<void> {
  const { uses } = await db.one<{ uses: string[] }>(sql`select record_uses(${table}::text, ${id}::bigint) as uses`);
  if (uses.length === 0) return;
  const noun = table.slice(0, -1);
  throw refuse('in_use', `This ${noun} has ${inWords(uses)}. ${instead}`, { uses });
}
