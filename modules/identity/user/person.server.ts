/** A person's row for those who change it, and who may: nobody changes someone whose rights they do not hold. */
import type { Role } from '#kit/auth.ts';
import { refuse } from '#kit/errors.ts';
import { grants, type Permission } from '#kit/permission.ts';
import type { WorkContext } from '#server/context.ts';
import type { Principal } from '#server/principal.ts';
import { linkTo, type Settings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import type { Account } from './user.contract.ts';

export interface PersonRow extends Omit<Account, 'avatar_url'> {
  disabled_at: string | null;
  /** Union of the groups' values; empty for everyone but a staff_user. */
  permissions: string[];
}

/** The values that a person's groups give, as an expression over `t` of users. */
export const PERMISSIONS_OF = sql`case when t.role = 'staff_user' then coalesce((
  select array_agg(distinct value order by value) from staff_group_users gu
    join staff_groups g on g.id = gu.staff_group_id, unnest(g.permission_values) value
  where gu.user_id = t.id), '{}') else '{}' end`;

/** The address that waits for its mailbox, as an expression over `t` of users. */
export const pendingEmail = (now: Date) => sql`(select c.email from email_changes c where c.user_id = t.id
  and c.used_at is null and c.cancelled_at is null and c.expires_at > ${now.toISOString()}::timestamptz)`;

export async function findPerson({ db, now }: WorkContext, id: number, lock = false): Promise<PersonRow> {
  // The lock first and alone: whatever waited for it is read afterwards.
  if (lock) await db.maybeOne(sql`select 1 from users where id = ${id} for update`);
  const row = await db.maybeOne<PersonRow>(sql`
    select t.id, t.email, t.first_name, t.last_name, t.role, t.phone, t.language, t.email_verified_at,
      t.avatar_file_name, t.disabled_at, t.version, t.created_at, t.updated_at, ${pendingEmail(now())} as pending_email,
      ${PERMISSIONS_OF} as permissions
    from users t where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Address of a picture, as part of an answer; nothing without a picture. */
export function avatarOf(settings: Settings, row: { id: number; avatar_file_name: string | null }):
{ avatar_url?: string } {
  return row.avatar_file_name === null ? {}
    : { avatar_url: linkTo(settings, `/api/users/${row.id}/avatars/${row.avatar_file_name}`) };
}

export function accountOf(settings: Settings, row: PersonRow): Account {
  return { ...row, ...avatarOf(settings, row) };
}

/** Whether the caller passes a permission of the staff area: staff_admin and system_admin always (SPEC.md 6). */
export function passes(caller: Principal, permission: Permission): boolean {
  if (caller.role === 'system_admin' || caller.role === 'staff_admin') return true;
  return caller.role === 'staff_user' && grants(caller.permissions, permission);
}

/**
 * Whether the caller holds every right of `whom` (reliability.md 2.1): whoever changes another one's address or puts
 * someone into a group could otherwise take over rights that nobody gave them.
 */
export function holdsRightsOf(caller: Principal, whom: { role: Role; permissions: readonly string[] }): boolean {
  if (caller.role === 'system_admin') return true;
  if (caller.role === 'staff_admin') return whom.role !== 'system_admin';
  if (caller.role !== 'staff_user' || whom.role === 'staff_admin' || whom.role === 'system_admin') return false;
  return caller.permissions.has('super') || whom.permissions.every((value) => caller.permissions.has(value));
}

/** 403 in words where the caller would change someone above them. */
export function refuseAbove(caller: Principal, whom: PersonRow): void {
  if (holdsRightsOf(caller, whom)) return;
  throw refuse('forbidden', `${whom.first_name} ${whom.last_name} has rights that you do not have. `
    + 'Ask someone who has them.');
}
