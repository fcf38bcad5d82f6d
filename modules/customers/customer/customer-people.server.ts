/** People of a customer: attach, remove, change role. The last admin stays (gaps G84). */
import type { CustomerRole } from '#kit/auth.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { given, listPage } from '#server/list.ts';
import { containing, sql } from '#server/sql.ts';

export interface CustomerUser {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  role: CustomerRole;
  disabled: boolean;
  email_verified: boolean;
  created_at: string;
}

const MEMBERS = sql`(select cu.id, cu.customer_id, cu.role as customer_role, cu.created_at, u.id as user_id, u.email,
  u.first_name, u.last_name, u.disabled_at, u.email_verified_at
  from customer_users cu join users u on u.id = cu.user_id) t`;
const COLUMNS = sql`t.user_id as id, t.email, t.first_name, t.last_name, t.customer_role as role,
  t.disabled_at is not null as disabled, t.email_verified_at is not null as email_verified, t.created_at`;

export function customerUsers(ctx: WorkContext, customerId: number, args: ListArgs) {
  return listPage<CustomerUser>(
    ctx.db,
    {
      base: MEMBERS,
      columns: COLUMNS,
      conditions: given([
        sql`t.customer_id = ${customerId}`,
        args.search !== undefined &&
          sql`
      (t.email ilike ${containing(args.search)}
        or t.first_name || ' ' || t.last_name ilike ${containing(args.search)})`,
      ]),
      sorts: { last_name: sql`t.last_name collate "und-x-icu"`, email: sql`t.email` },
      defaultSort: 'last_name',
    },
    args,
    `/api/admin/staff/customers/${customerId}/users`,
  );
}

async function memberOf(ctx: WorkContext, customerId: number, userId: number): Promise<CustomerUser> {
  const row = await ctx.db.maybeOne<CustomerUser>(sql`
    select ${COLUMNS} from ${MEMBERS} where t.customer_id = ${customerId} and t.user_id = ${userId}`);
  if (!row) throw refuse('not_found');
  return row;
}

export async function attachUser(
  ctx: WorkContext, input: { customer_id: number; user_id: number; role: CustomerRole },
): Promise<CustomerUser> {
  const user = await ctx.db.maybeOne<{ role: string }>(sql`
    select role from users where id = ${input.user_id} and disabled_at is null`);
  if (!user) throw invalidField('user_id', 'This person does not exist');
  if (user.role !== 'customer') throw invalidField('user_id', 'Only customer accounts can belong to a customer');
  const added = await ctx.db.exec(sql`
    insert into customer_users (customer_id, user_id, role)
    values (${input.customer_id}, ${input.user_id}, ${input.role}) on conflict (customer_id, user_id) do nothing`);
  if (added === 0) throw invalidField('user_id', 'This person belongs to the customer already');
  const after = await memberOf(ctx, input.customer_id, input.user_id);
  await ctx.audit({ action: 'attach_user', entity: 'customer', entity_id: input.customer_id, after });
  return after;
}

/** Locks the customer's memberships, so that two removals at once cannot both leave it without an admin. */
async function keepAnAdmin(ctx: WorkContext, customerId: number, leaving: number): Promise<void> {
  const admins = await ctx.db.query<{ user_id: number }>(sql`
    select user_id from customer_users where customer_id = ${customerId} and role = 'admin' order by id for update`);
  if (admins.length === 1 && admins[0]!.user_id === leaving) {
    throw conflict('customer.last_admin', 'A customer keeps at least one admin. Make someone else admin first.');
  }
}

export async function removeUser(ctx: WorkContext, customerId: number, userId: number): Promise<void> {
  const before = await memberOf(ctx, customerId, userId);
  await keepAnAdmin(ctx, customerId, userId);
  await ctx.db.exec(sql`delete from customer_users where customer_id = ${customerId} and user_id = ${userId}`);
  await ctx.audit({ action: 'remove_user', entity: 'customer', entity_id: customerId, before });
}

export async function changeUserRole(
  ctx: WorkContext, input: { customer_id: number; user_id: number; role: CustomerRole },
): Promise<CustomerUser> {
  const before = await memberOf(ctx, input.customer_id, input.user_id);
  if (before.role === 'admin' && input.role !== 'admin') await keepAnAdmin(ctx, input.customer_id, input.user_id);
  await ctx.db.exec(sql`
    update customer_users set role = ${input.role}, version = version + 1
    where customer_id = ${input.customer_id} and user_id = ${input.user_id}`);
  const after = await memberOf(ctx, input.customer_id, input.user_id);
  await ctx.audit({ action: 'change_user_role', entity: 'customer', entity_id: input.customer_id, before, after });
  return after;
}

/** People who can be attached: accounts with the role, without those the customer has already. */
export function attachablePeople(ctx: Ctx, query: ListArgs & { excluded_from_customer?: number | undefined }) {
  return listPage<{ id: number; email: string; first_name: string; last_name: string; role: string }>(ctx.db, {
    base: sql`users t`, columns: sql`t.id, t.email, t.first_name, t.last_name, t.role`,
    conditions: given([
      sql`t.role = 'customer'`, sql`t.disabled_at is null`,
      query.excluded_from_customer !== undefined && sql`not exists (select 1 from customer_users cu
        where cu.user_id = t.id and cu.customer_id = ${query.excluded_from_customer})`,
      query.search !== undefined && sql`(t.email ilike ${containing(query.search)}
        or t.first_name || ' ' || t.last_name ilike ${containing(query.search)})`,
    ]),
    sorts: { last_name: sql`t.last_name collate "und-x-icu"`, email: sql`t.email` }, defaultSort: 'last_name',
  }, query, '/api/admin/users');
}
