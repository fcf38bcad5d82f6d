/** Permissions that one person may give another: nobody grants those they do not hold (reliability.md 2.1). */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import type { Principal } from '#server/principal.ts';
import { sql } from '#server/sql.ts';
import { holdsRightsOf } from '../user/person.server.ts';
import type { StaffRole } from './staff.contract.ts';

/** Whether the caller may make someone this. */
export function mayGrantRole(caller: Principal, role: StaffRole): boolean {
  return holdsRightsOf(caller, { role, permissions: [] });
}

export function refuseRole(caller: Principal, role: StaffRole): void {
  if (!mayGrantRole(caller, role)) throw invalidField('role', 'Nobody gives a role above their own');
}

export function refuseValues(caller: Principal, values: readonly string[], field: string): void {
  if (holdsRightsOf(caller, { role: 'staff_user', permissions: values })) return;
  throw invalidField(field, 'Nobody gives rights that they do not hold themselves');
}

/** The groups by id, all of them there and none with a right that the caller lacks. */
export async function grantableGroups(ctx: Ctx, ids: readonly number[], field = 'staff_group_ids'): Promise<number[]> {
  const wanted = [...new Set(ids)];
  const groups = await ctx.db.query<{ id: number; permission_values: string[] }>(sql`
    select id, permission_values from staff_groups where id = any (${wanted}::bigint[]) order by id for share`);
  if (groups.length !== wanted.length) throw invalidField(field, 'One of these groups does not exist any more');
  refuseValues(ctx.user, groups.flatMap((group) => group.permission_values), field);
  return wanted;
}

export async function joinGroups(ctx: WorkContext, userId: number, groups: readonly number[]): Promise<void> {
  await ctx.db.exec(sql`
    insert into staff_group_users (staff_group_id, user_id)
    select x, ${userId} from unnest(${[...groups]}::bigint[]) x on conflict do nothing`);
}

/** Locks every administrator's row, so that two of them cannot remove each other at once and leave nobody. */
export async function keepSystemAdministrator(ctx: WorkContext, leaving: number): Promise<void> {
  const admins = await ctx.db.query<{ id: number }>(sql`
    select id from users where role = 'system_admin' and disabled_at is null order by id for update`);
  if (admins.length === 1 && admins[0]!.id === leaving) {
    throw conflict('staff.last_system_admin',
      'This is the last system administrator. Make someone else system administrator first.');
  }
}

export function refuseOneself(ctx: Ctx, id: number, text: string): void {
  if (id === ctx.user.user_id) throw refuse('forbidden', text);
}
