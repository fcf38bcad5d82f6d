/**
 * Signing up for an organisation (gaps G35): one that is known gets a request to its admins, one that is not becomes a
 * pending customer whose first person is its admin. Nobody hears of a request before the address behind it is verified.
 */
import { marketOf } from '#kernel/licensing/public-market.ts';
import type { CustomerRole } from '#kit/auth.ts';
import { refuse } from '#kit/errors.ts';
import { notifyCustomer, notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { oneLine } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import type { CUSTOMER_KINDS } from '../customer/customer.contract.ts';
import { addMember, memberOf } from './member.server.ts';
import type { JoinRequest } from './people.contract.ts';
import {
  adminEmails, customerName, mailPeople, portalLink, ROLE_WORDS, usersLink, spellerOf,
} from './people-mail.server.ts';

/** As a newcomer describes it. The country decides the division that deals with it. */
export interface Organisation {
  name: string;
  kind: (typeof CUSTOMER_KINDS)[number];
  country: string | null;
  phone: string | null;
}

/** Called by registration: the answer to the visitor is the same whatever is found. */
export async function joinOrganisation(
  ctx: WorkContext, person: { user_id: number; email: string }, asked: Organisation,
): Promise<void> {
  const organisation = asked.name;
  const known = await ctx.db.maybeOne<{ id: number }>(sql`
    select c.id from customers c
    where c.deleted_at is null and c.status <> 'inactive' and (name_key(c.name) = name_key(${organisation})
      or name_key(c.legal_name) = name_key(${organisation})
      or exists (select 1 from customer_aliases a
        where a.customer_id = c.id and name_key(a.alias) = name_key(${organisation})))
    order by c.status = 'active' desc, c.id limit 1`);
  if (known) {
    await ctx.db.exec(sql`
      insert into customer_join_requests (customer_id, user_id) values (${known.id}, ${person.user_id})
      on conflict do nothing`);
    return;
  }
  const { kind, country, phone } = asked;
  const { division } = marketOf(country ?? 'US');
  const customer = await ctx.db.one<{ id: number }>(sql`
    insert into customers (name, kind, status, divisions, default_division, default_currency, statement_email, phone,
      tax_country)
    select ${organisation}, ${kind}, 'pending', array[code], code, functional_currency, ${person.email}, ${phone},
      ${country} from divisions where code = ${division} returning id`);
  await ctx.db.exec(sql`
    insert into customer_users (customer_id, user_id, role) values (${customer.id}, ${person.user_id}, 'admin')`);
  await ctx.audit({ action: 'register', entity: 'customer', entity_id: customer.id, after: { ...asked } });
}

/** Called once the address is verified: the admins hear of the request. */
export async function announceRequests(ctx: WorkContext, userId: number): Promise<void> {
  const requests = await ctx.db.query<{ customer_id: number; email: string; name: string }>(sql`
    select r.customer_id, u.email, u.first_name || ' ' || u.last_name as name
    from customer_join_requests r join users u on u.id = r.user_id
    where r.user_id = ${userId} and r.status = 'pending'`);
  for (const request of requests) {
    const house = await customerName(ctx, request.customer_id);
    await mailPeople(ctx, request.customer_id, { template: 'people.join_request',
      to: await adminEmails(ctx, request.customer_id, userId),
      subject: `Request to join ${house}`,
      lines: [`${oneLine(request.name)} (${request.email}) asks to join ${house}.`,
        'Accept only people you know.'],
      link: usersLink(ctx, request.customer_id) });
    await notifyCustomer(ctx, request.customer_id, { kind: 'people.joined', roles: ['admin'],
      title: `${oneLine(request.name)} asks to join`, href: `/customer/${request.customer_id}/users` });
  }
  await announceCustomers(ctx, userId);
}

/** Staff hear of an organisation that signed up once its first person is verified. */
async function announceCustomers(ctx: WorkContext, userId: number): Promise<void> {
  const pending = await ctx.db.query<{ id: number; name: string }>(sql`
    select c.id, c.name from customer_users m join customers c on c.id = m.customer_id
    where m.user_id = ${userId} and c.status = 'pending' and c.deleted_at is null`);
  for (const customer of pending) {
    await notifyStaff(ctx, { kind: 'customer.registered', title: `${oneLine(customer.name)} asks for an account`,
      href: `/admin/customers/${customer.id}/information`, key: `customer.registered/${customer.id}` });
  }
}

const COLUMNS = sql`r.id, r.user_id, u.email, u.first_name, u.last_name, r.created_at`;

/** Requests of people whose address is verified, the oldest first. */
export function joinRequestsOf(ctx: WorkContext, customerId: number): Promise<JoinRequest[]> {
  return ctx.db.query<JoinRequest>(sql`
    select ${COLUMNS} from customer_join_requests r join users u on u.id = r.user_id
    where r.customer_id = ${customerId} and r.status = 'pending' and u.disabled_at is null
      and u.email_verified_at is not null order by r.created_at, r.id`);
}

/** Accepts with a role, or declines; the asker hears either way. Deciding twice finds nothing. */
export async function decideRequest(
  ctx: Ctx, customerId: number, requestId: number, body: { decision: 'accept' | 'refuse'; role: CustomerRole },
): Promise<JoinRequest> {
  const request = await ctx.db.maybeOne<JoinRequest>(sql`
    select ${COLUMNS} from customer_join_requests r join users u on u.id = r.user_id
    where r.id = ${requestId} and r.customer_id = ${customerId} and r.status = 'pending' and u.disabled_at is null
      and u.email_verified_at is not null for update of r`);
  if (!request) throw refuse('not_found');
  const status = body.decision === 'accept' ? 'accepted' : 'refused';
  await ctx.db.exec(sql`
    update customer_join_requests set status = ${status}, decided_by_id = ${ctx.user.user_id},
      decided_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${requestId}`);
  const house = await customerName(ctx, customerId);
  if (status === 'refused') {
    await ctx.audit({ action: 'refuse_join', entity: 'customer', entity_id: customerId,
      before: { email: request.email } });
    const spell = await spellerOf(ctx, customerId);
    await mailPeople(ctx, customerId, { template: 'people.join_refused', to: [request.email],
      subject: `Your request to join ${house}`,
      lines: [spell`Your request to join ${house} was declined. If this is a mistake, ask an admin of the organization
        to invite you.`] });
    return request;
  }
  await addMember(ctx, { customer_id: customerId, user_id: request.user_id, role: body.role });
  const after = await memberOf(ctx, customerId, request.user_id);
  await ctx.audit({ action: 'accept_join', entity: 'customer', entity_id: customerId, after });
  await mailPeople(ctx, customerId, { template: 'people.join_accepted', to: [request.email],
    subject: `Welcome to ${house}`,
    lines: [`You now belong to ${house} as ${ROLE_WORDS[after.role]}.`], link: portalLink(ctx, customerId) });
  return request;
}
