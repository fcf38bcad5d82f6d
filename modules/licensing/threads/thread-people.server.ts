/** People whose mail counts in a conversation. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../licenses/license-record.server.ts';

export interface Person { user_id: number | null; name: string; staff: boolean }

/** Staff who may write, admins and signers of the customer, its contacts; null for anybody else, or who has left. */
export function findPerson(db: Queryable, license: License, email: string): Promise<Person | null> {
  return db.maybeOne<Person>(sql`
    select u.id as user_id, u.first_name || ' ' || u.last_name as name, true as staff, 1 as place
    from users u where u.email = ${email} and u.disabled_at is null and (u.role in ('staff_admin', 'system_admin')
      or (u.role = 'staff_user' and exists (select 1 from staff_group_users m
        join staff_groups g on g.id = m.staff_group_id
        where m.user_id = u.id and g.permission_values && array['license.update', 'super'])))
    union all
    select u.id, u.first_name || ' ' || u.last_name, false, 2 from users u join customer_users m on m.user_id = u.id
    where u.email = ${email} and u.disabled_at is null and m.customer_id = ${license.customer_id}
      and m.role in ('admin', 'signer')
    union all
    select null, c.name, false, 3 from customer_contacts c
    where lower(c.email) = ${email} and c.active and c.customer_id = ${license.customer_id}
    order by place limit 1`);
}
