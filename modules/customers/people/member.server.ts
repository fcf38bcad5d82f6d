/**
 * Members of a customer and their roles: attach, detach, change the role. The last admin stays (gaps G84), even when
 * many removals come at once; a customer's admin must still be one when the request is processed.
 */
import type { CustomerRole } from '#kit/auth.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { mentions, sql } from '#server/sql.ts';
import type { CustomerUser } from './people.contract.ts';
import { customerName, mailPeople, portalLink, ROLE_WORDS, spellerOf } from './people-mail.server.ts';

const MEMBERS = sql`(select cu.id, cu.customer_id, cu.role as customer_role, cu.created_at, u.id as user_id, u.email,
  u.first_name, u.last_name, u.disabled_at, u.email_verified_at
  from customer_users cu join users u on u.id = cu.user_id) t`;
const COLUMNS = sql`t.user_id as id, t.email, t.first_name, t.last_name, t.customer_role as role,
  t.disabled_at is not null as disabled, t.email_verified_at is not null as email_verified, t.created_at`;

export function customerUsers(ctx: WorkContext, customerId: number, args: ListArgs, path: string) {
  return listPage<CustomerUser>(
    ctx.db,
    {
      base: MEMBERS,
      columns: COLUMNS,
      conditions: compact([
        sql`t.customer_id = ${customerId}`,
        args.search !== undefined &&
          sql`
      (${mentions(sql`t.email`, args.search)}
        or ${mentions(sql`t.first_name || ' ' || t.last_name`, args.search)})`,
      ]),
      sorts: { last_name: sql`t.last_name collate "und-x-icu"`, email: sql`t.email` },
      defaultSort: 'last_name',
    },
    args,
    path,
  );
}

export async function memberOf(ctx: WorkContext, customerId: number, userId: number): Promise<CustomerUser> {
  const row = await ctx.db.maybeOne<CustomerUser>(sql`
    select ${COLUMNS} from ${MEMBERS} where t.customer_id = ${customerId} and t.user_id = ${userId}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Adds a membership without asking; false where the person belongs already. */
export async function addMember(
  ctx: WorkContext, input: { customer_id: number; user_id: number; role: CustomerRole },
): Promise<boolean> {
  const added = await ctx.db.exec(sql`
    insert into customer_users (customer_id, user_id, role)
    values (${input.customer_id}, ${input.user_id}, ${input.role}) on conflict (customer_id, user_id) do nothing`);
  // Closes the pending request of a person who asked to join and came in another way.
  await ctx.db.exec(sql`
    update customer_join_requests set status = 'accepted', decided_at = ${ctx.now().toISOString()},
      decided_by_id = ${ctx.actor.actor_id}, version = version + 1
    where customer_id = ${input.customer_id} and user_id = ${input.user_id} and status = 'pending'`);
  return added > 0;
}

/** Staff attach a person who has an account; the person is told by mail. */
export async function attachUser(
  ctx: WorkContext, input: { customer_id: number; user_id: number; role: CustomerRole },
): Promise<CustomerUser> {
  const user = await ctx.db.maybeOne<{ role: string }>(sql`
    select role from users where id = ${input.user_id} and disabled_at is null`);
  if (!user) throw invalidField('user_id', 'This person does not exist');
  if (user.role !== 'customer') throw invalidField('user_id', 'Only customer accounts can belong to a customer');
  if (!(await addMember(ctx, input))) {
    throw invalidField('user_id', 'This person belongs to the customer already');
  }
  const after = await memberOf(ctx, input.customer_id, input.user_id);
  await ctx.audit({ action: 'attach_user', entity: 'customer', entity_id: input.customer_id, after });
  const name = await customerName(ctx, input.customer_id);
  await mailPeople(ctx, input.customer_id, { template: 'people.added', to: [after.email],
    subject: `You now belong to ${name}`,
    lines: [`You were added to ${name} as ${ROLE_WORDS[input.role]}.`], link: portalLink(ctx, input.customer_id) });
  return after;
}

/**
 * Locks the customer's memberships in one order, so that of two removals at once the second sees what the first left.
 * Where the caller belongs to the customer, they must still be its admin now: they may have been removed meanwhile.
 */
async function lockAdmins(ctx: Ctx, customerId: number): Promise<number[]> {
  const members = await ctx.db.query<{ user_id: number; role: CustomerRole }>(sql`
    select user_id, role from customer_users where customer_id = ${customerId} order by id for update`);
  const admins = members.filter((one) => one.role === 'admin').map((one) => one.user_id);
  if (ctx.user.role === 'customer' && !admins.includes(ctx.user.user_id)) throw refuse('forbidden');
  return admins;
}

function keepAnAdmin(admins: readonly number[], leaving: number): void {
  if (admins.length === 1 && admins[0] === leaving) {
    throw conflict('customer.last_admin', 'A customer keeps at least one admin. Make someone else admin first.');
  }
}

export async function removeUser(ctx: Ctx, customerId: number, userId: number): Promise<void> {
  const admins = await lockAdmins(ctx, customerId);
  const before = await memberOf(ctx, customerId, userId);
  keepAnAdmin(admins, userId);
  await ctx.db.exec(sql`delete from customer_users where customer_id = ${customerId} and user_id = ${userId}`);
  await ctx.audit({ action: 'remove_user', entity: 'customer', entity_id: customerId, before });
  if (userId === ctx.user.user_id) return;
  const name = await customerName(ctx, customerId);
  const spell = await spellerOf(ctx, customerId);
  await mailPeople(ctx, customerId, { template: 'people.removed', to: [before.email],
    subject: `You no longer belong to ${name}`,
    lines: [spell`You were removed from ${name}. You keep your account, but it no longer shows this organization's
      licenses and invoices.`, spell`If this is a mistake, ask an admin of the organization.`] });
}

export async function changeUserRole(
  ctx: Ctx, input: { customer_id: number; user_id: number; role: CustomerRole },
): Promise<CustomerUser> {
  const admins = await lockAdmins(ctx, input.customer_id);
  const before = await memberOf(ctx, input.customer_id, input.user_id);
  if (before.role === input.role) return before;
  if (before.role === 'admin') keepAnAdmin(admins, input.user_id);
  await ctx.db.exec(sql`
    update customer_users set role = ${input.role}, version = version + 1
    where customer_id = ${input.customer_id} and user_id = ${input.user_id}`);
  const after = await memberOf(ctx, input.customer_id, input.user_id);
  await ctx.audit({ action: 'change_user_role', entity: 'customer', entity_id: input.customer_id, before, after });
  if (input.user_id === ctx.user.user_id) return after;
  const name = await customerName(ctx, input.customer_id);
  await mailPeople(ctx, input.customer_id, { template: 'people.role_changed', to: [after.email],
    subject: `Your role at ${name} changed`,
    lines: [`At ${name} you are now ${ROLE_WORDS[after.role]}.`], link: portalLink(ctx, input.customer_id) });
  return after;
}

/** People who can be attached: accounts with the role, without those the customer has already. */
export function attachablePeople(ctx: Ctx, query: ListArgs & { excluded_from_customer?: number | undefined }) {
  return listPage<{ id: number; email: string; first_name: string; last_name: string; role: string }>(ctx.db, {
    base: sql`users t`, columns: sql`t.id, t.email, t.first_name, t.last_name, t.role`,
    conditions: compact([
      sql`t.role = 'customer'`, sql`t.disabled_at is null`,
      query.excluded_from_customer !== undefined && sql`not exists (select 1 from customer_users cu
        where cu.user_id = t.id and cu.customer_id = ${query.excluded_from_customer})`,
      query.search !== undefined && sql`(${mentions(sql`t.email`, query.search)}
        or ${mentions(sql`t.first_name || ' ' || t.last_name`, query.search)})`,
    ]),
    sorts: { last_name: sql`t.last_name collate "und-x-icu"`, email: sql`t.email` }, defaultSort: 'last_name',
  }, query, '/api/admin/users');
}
