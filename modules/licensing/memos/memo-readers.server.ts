/** People who can be named in the memos of a record: staff who may open it (U25). */
import type { ListArgs } from '#kit/endpoint.ts';
import { invalidField } from '#kit/errors.ts';
import { mentionedIds } from '#kit/mentions.ts';
import type { Permission } from '#kit/permission.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { mentions, sql } from '#server/sql.ts';
import type { MemoReader } from './memo.contract.ts';

/** Over `t` of users: administrators, and whose group gives the permission; nobody whose account is closed. */
const mayOpen = (permission: Permission) => sql`t.disabled_at is null
  and (t.role in ('staff_admin', 'system_admin') or (t.role = 'staff_user' and exists (
    select 1 from staff_group_users m join staff_groups g on g.id = m.staff_group_id
    where m.user_id = t.id and g.permission_values && array[${permission}::text, 'super'])))`;

export function listReaders(db: Queryable, permission: Permission, query: ListArgs, path: string) {
  const name = sql`t.first_name || ' ' || t.last_name`;
  return listPage<MemoReader>(db, {
    base: sql`users t`, columns: sql`t.id, ${name} as name, t.email`, defaultSort: 'name',
    sorts: { name: sql`(${name}) collate "und-x-icu"` },
    conditions: compact([mayOpen(permission), query.search !== undefined
      && sql`(${mentions(sql`${name}`, query.search)}
        or ${mentions(sql`t.email`, query.search)})`]),
  }, query, path);
}

/** Those whom a memo names, each of whom may open the record; 422 at `body` where one may not, or is nobody. */
export async function mentionedReaders(db: Queryable, permission: Permission, body: string): Promise<number[]> {
  const ids = mentionedIds(body);
  if (ids.length === 0) return [];
  if (ids.length > 50) throw invalidField('body', 'Name at most 50 people in one memo');
  const found = await db.query<{ id: number }>(sql`
    select t.id from users t where t.id = any (${ids}) and ${mayOpen(permission)}`);
  const known = new Set(found.map((row) => row.id));
  const wrong = ids.find((id) => !known.has(id));
  if (wrong !== undefined) {
    throw invalidField('body', `@[${wrong}] is nobody who may open this record. Choose people from the list after @.`);
  }
  return ids;
}
