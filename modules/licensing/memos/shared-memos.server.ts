/** Memos that are not internal, as the customer of the record reads them (domain.md 8: internal or shared). */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { SharedMemo } from './memo.contract.ts';

/** More were never read on one page. */
const MOST = 50;

/** The latest first, with colleagues by name. */
export function sharedMemos(db: Queryable, entity: 'license' | 'license_application', id: number) {
  return db.query<SharedMemo>(sql`
    select t.id, memo_text(t.body) as body, u.first_name || ' ' || u.last_name as author_name, t.created_at
    from memos t join users u on u.id = t.author_id
    where t.entity = ${entity} and t.entity_id = ${id} and not t.internal
    order by t.created_at desc, t.id desc limit ${MOST}`);
}
