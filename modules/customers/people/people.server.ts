/**
 * Calls about a customer's people: of its own admins, of staff, and of whoever holds an invitation. Addresses of people
 * and the audit are the house's; a customer's are read at the counter.
 */
import { CUSTOMER_ROLES, type CustomerRole } from '#kit/auth.ts';
import { refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import { withCounterRole, type WorkContext } from '#server/context.ts';
import { listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { acceptInvitation, declineInvitation, invitationsOf, invite, joinByInvitation, readInvitation, resendInvitation,
  revokeInvitation } from './invitation.server.ts';
import { decideRequest, joinRequestsOf } from './join-request.server.ts';
import { changeUserRole, customerUsers, memberOf, removeUser } from './member.server.ts';
import { declineCustomer, mergeCustomer } from './pending-customer.server.ts';
import { customerPeopleEndpoints, invitationEndpoints, peopleEndpoints, type PeopleEvent } from './people.contract.ts';

/** Audit names of the events that change the membership. */
const ACTIONS = ['attach_user', 'remove_user', 'change_user_role', 'invite_user', 'revoke_invitation',
  'resend_invitation', 'accept_invitation', 'decline_invitation', 'accept_join', 'refuse_join'];

interface AuditRow { id: number; created_at: string; actor: string | null; action: string;
  before: Facts | null; after: Facts | null }
interface Facts { email?: string; first_name?: string; last_name?: string; role?: string }

/** Staff are named as the house: the customer sees who of its own people did it. */
async function userEvents(ctx: WorkContext, customerId: number, args: ListArgs) {
  const page = await listPage<AuditRow>(ctx.db, {
    base: sql`audit_events t`, columns: sql`t.id, t.created_at, t.action, t.before, t.after,
      case when u.role = 'customer' then u.first_name || ' ' || u.last_name else 'Grand Rights' end as actor`,
    joins: sql`left join users u on u.id = t.actor_id`, sorts: { id: sql`t.id` }, defaultSort: 'id',
    defaultDirection: 'desc',
    conditions: [sql`t.entity = 'customer'`, sql`t.entity_id = ${customerId}`, sql`t.action = any (${ACTIONS})`],
  }, args, `/api/customers/${customerId}/user_events`);
  return { ...page, data: page.data.map(eventOf) };
}

const roleOf = (facts: Facts | null): CustomerRole | null => CUSTOMER_ROLES.find((one) => one === facts?.role) ?? null;

function eventOf({ before, after, ...row }: AuditRow): PeopleEvent {
  const who = after ?? before ?? {};
  const name = [who.first_name, who.last_name].filter(Boolean).join(' ');
  return { ...row, person: name || who.email || '', role_before: roleOf(before), role_after: roleOf(after) };
}

export const peopleRoutes: Route[] = serve(peopleEndpoints, {
  users: (ctx, { params, query }) => withCounterRole(ctx, (house) =>
    customerUsers(house, params.id, query, `/api/customers/${params.id}/users`)),
  invite: async (ctx, { params, body }) => ({ data: await invite(ctx, params.id, body) }),
  changeRole: async (ctx, { params, body }) =>
    ({ data: await changeUserRole(ctx, { customer_id: params.id, user_id: params.userId, role: body.role }) }),
  detach: (ctx, { params }) => removeUser(ctx, params.id, params.userId),
  invitations: async (ctx, { params }) => ({ data: await invitationsOf(ctx, params.id) }),
  resend: async (ctx, { params }) => ({ data: await resendInvitation(ctx, params.id, params.invitationId) }),
  revoke: (ctx, { params }) => revokeInvitation(ctx, params.id, params.invitationId),
  joinRequests: async (ctx, { params }) => ({ data: await withCounterRole(ctx, (house) =>
    joinRequestsOf(house, params.id)) }),
  decide: async (ctx, { params, body }) => ({ data: await decideRequest(ctx, params.id, params.requestId, body) }),
  userEvents: (ctx, { params, query }) => withCounterRole(ctx, (house) => userEvents(house, params.id, query)),
});

async function knownCustomer(ctx: WorkContext, id: number): Promise<void> {
  const row = await ctx.db.maybeOne(sql`select 1 from customers where id = ${id} and deleted_at is null`);
  if (!row) throw refuse('not_found');
}

interface Account { phone: string | null; version: number; last_seen_at: string | null;
  houses: { id: number; name: string; number: string; role: CustomerRole }[] }

async function personOf(ctx: WorkContext, customerId: number, userId: number) {
  const person = await memberOf(ctx, customerId, userId);
  const account = await ctx.db.one<Account>(sql`
    select u.phone, u.version, (select max(s.last_seen_at) from sessions s where s.user_id = u.id) as last_seen_at,
      coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'number', c.number, 'role', m.role)
        order by c.name) from customer_users m join customers c on c.id = m.customer_id
        where m.user_id = u.id and c.deleted_at is null), '[]') as houses
    from users u where u.id = ${userId}`);
  return { ...person, ...account };
}

export const customerPeopleRoutes: Route[] = serve(customerPeopleEndpoints, {
  show: async (ctx, { params }) => ({ data: await personOf(ctx, params.id, params.userId) }),
  async invitations(ctx, { params }) {
    await knownCustomer(ctx, params.id);
    return { data: await invitationsOf(ctx, params.id) };
  },
  async invite(ctx, { params, body }) {
    await knownCustomer(ctx, params.id);
    return { data: await invite(ctx, params.id, body) };
  },
  resend: async (ctx, { params }) => ({ data: await resendInvitation(ctx, params.id, params.invitationId) }),
  revoke: (ctx, { params }) => revokeInvitation(ctx, params.id, params.invitationId),
  async joinRequests(ctx, { params }) {
    await knownCustomer(ctx, params.id);
    return { data: await joinRequestsOf(ctx, params.id) };
  },
  decide: async (ctx, { params, body }) => ({ data: await decideRequest(ctx, params.id, params.requestId, body) }),
  decline: async (ctx, { params, body }) => ({ data: await declineCustomer(ctx, params.id, body) }),
  merge: async (ctx, { params, body }) => ({ data: await mergeCustomer(ctx, params.id, body) }),
});

export const invitationRoutes: Route[] = serve(invitationEndpoints, {
  read: async (ctx, { params }) => ({ data: await readInvitation(ctx, params.token) }),
  join: async (ctx, { params, body }) => ({ data: await joinByInvitation(ctx, params.token, body) }),
  accept: async (ctx, { params }) => ({ data: await acceptInvitation(ctx, params.token) }),
  decline: (ctx, { params }) => declineInvitation(ctx, params.token),
});
