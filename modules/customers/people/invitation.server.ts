/**
 * Invitations into a customer (X162, XR2): 256 bits, stored as a hash, seven days, single use. The answer to the admin
 * is the same with and without an account; only the mailbox leads the one to sign in, the other to a form.
 */
import type { CustomerRole } from '#kit/auth.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import { checkNewPassword, createCustomerAccount, hashPassword, hashToken, markEmailVerified, newToken }
  from '#modules/identity/identity.public.server.ts';
import { notifyCustomer } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { oneLine } from '#server/mail.ts';
import { limit } from '#server/rate-limit.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { addMember, memberOf } from './member.server.ts';
import type { Invitation, invitationEndpoints } from './people.contract.ts';
import { adminEmails, customerName, mailPeople, ROLE_WORDS, usersLink } from './people-mail.server.ts';

const HOUR = 3600;
const DAYS = 7;
const COLUMNS = (now: string) => sql`i.id, i.email, i.role, i.created_at, i.expires_at,
  i.expires_at <= ${now}::timestamptz as expired, u.first_name || ' ' || u.last_name as invited_by`;

/** Those that wait, the ones whose week is over included: they can be sent again. */
export function invitationsOf(ctx: WorkContext, customerId: number): Promise<Invitation[]> {
  return ctx.db.query<Invitation>(sql`
    select ${COLUMNS(ctx.now().toISOString())} from customer_invitations i join users u on u.id = i.invited_by_id
    where i.customer_id = ${customerId} and i.status = 'pending' order by i.created_at desc, i.id desc`);
}

async function invitationRow(ctx: WorkContext, id: number): Promise<Invitation> {
  return ctx.db.one<Invitation>(sql`
    select ${COLUMNS(ctx.now().toISOString())} from customer_invitations i join users u on u.id = i.invited_by_id
    where i.id = ${id}`);
}

const inAWeek = (ctx: WorkContext): string => new Date(ctx.now().getTime() + DAYS * 24 * HOUR * 1000).toISOString();

async function mailInvitation(
  ctx: Ctx, customerId: number, to: { email: string; role: CustomerRole }, token: string,
): Promise<void> {
  const name = await customerName(ctx, customerId);
  const inviter = oneLine(`${ctx.user.first_name} ${ctx.user.last_name}`);
  await mailPeople(ctx, customerId, { template: 'people.invited', to: [to.email],
    subject: `${name} invites you to Grand Rights`,
    lines: [`${inviter} invites you to join ${name} as ${ROLE_WORDS[to.role]}.`,
      `The invitation is valid for ${DAYS} days.`],
    link: { label: 'Accept or decline', href: linkTo(ctx.ports.settings, `/join/${token}`) },
    after: ['If you do not know who this is, you can ignore it: no account is created until you accept.'] });
}

/** Invites, or renews the invitation that waits for the same address. */
export async function invite(
  ctx: Ctx, customerId: number, body: { email: string; role: CustomerRole },
): Promise<Invitation> {
  const email = body.email.toLowerCase();
  await limit(ctx, `invite-user:${ctx.user.user_id}`, 20, HOUR);
  const member = await ctx.db.maybeOne(sql`
    select 1 from customer_users m join users u on u.id = m.user_id
    where m.customer_id = ${customerId} and u.email = ${email}`);
  if (member) throw invalidField('email', spell`This person belongs to the organization already`);
  const token = newToken();
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into customer_invitations (customer_id, email, role, token_hash, invited_by_id, expires_at)
    values (${customerId}, ${email}, ${body.role}, ${hashToken(token)}, ${ctx.user.user_id}, ${inAWeek(ctx)})
    on conflict (customer_id, email) where status = 'pending' do update
      set role = excluded.role, token_hash = excluded.token_hash, invited_by_id = excluded.invited_by_id,
        expires_at = excluded.expires_at, version = customer_invitations.version + 1
    returning id`);
  await mailInvitation(ctx, customerId, { email, role: body.role }, token);
  await ctx.audit({ action: 'invite_user', entity: 'customer', entity_id: customerId,
    after: { email, role: body.role } });
  return invitationRow(ctx, id);
}

/** A new link; the one sent before stops working. */
export async function resendInvitation(ctx: Ctx, customerId: number, id: number): Promise<Invitation> {
  await limit(ctx, `invite-user:${ctx.user.user_id}`, 20, HOUR);
  const token = newToken();
  const row = await ctx.db.maybeOne<{ email: string; role: CustomerRole }>(sql`
    update customer_invitations set token_hash = ${hashToken(token)}, expires_at = ${inAWeek(ctx)},
      version = version + 1
    where id = ${id} and customer_id = ${customerId} and status = 'pending' returning email, role`);
  if (!row) throw refuse('not_found');
  await mailInvitation(ctx, customerId, row, token);
  await ctx.audit({ action: 'resend_invitation', entity: 'customer', entity_id: customerId, after: row });
  return invitationRow(ctx, id);
}

export async function revokeInvitation(ctx: Ctx, customerId: number, id: number): Promise<void> {
  const row = await ctx.db.maybeOne<{ email: string; role: CustomerRole }>(sql`
    update customer_invitations set status = 'revoked', decided_at = ${ctx.now().toISOString()}, version = version + 1
    where id = ${id} and customer_id = ${customerId} and status = 'pending' returning email, role`);
  if (!row) throw refuse('not_found');
  await ctx.audit({ action: 'revoke_invitation', entity: 'customer', entity_id: customerId, before: row });
}

interface Open { id: number; customer_id: number; email: string; role: CustomerRole; customer_name: string;
  invited_by: string; expires_at: string; user_id: number | null; user_role: string | null }

/** The invitation behind a link, while it can be accepted. Every other link gets the same answer. */
async function openInvitation(ctx: Ctx, token: string, lock = false): Promise<Open> {
  await limit(ctx, `invite:${ctx.ip}`, 60, HOUR);
  const row = await ctx.db.maybeOne<Open>(sql`
    select i.id, i.customer_id, i.email, i.role, i.expires_at, c.name as customer_name,
      b.first_name || ' ' || b.last_name as invited_by, u.id as user_id, u.role as user_role
    from customer_invitations i join customers c on c.id = i.customer_id and c.deleted_at is null
      join users b on b.id = i.invited_by_id left join users u on u.email = i.email and u.disabled_at is null
    where i.token_hash = ${hashToken(token)} and i.status = 'pending'
      and i.expires_at > ${ctx.now().toISOString()}::timestamptz
    ${lock ? sql`for update of i` : sql``}`);
  if (!row) throw refuse('not_found', 'This invitation is no longer valid. Ask for a new one.');
  return row;
}

export async function readInvitation(ctx: Ctx, token: string) {
  const row = await openInvitation(ctx, token);
  return { customer_name: row.customer_name, email: row.email, role: row.role, invited_by: row.invited_by,
    has_account: row.user_id !== null, expires_at: row.expires_at };
}

async function settle(ctx: Ctx, open: Open, userId: number): Promise<{ customer_id: number }> {
  const used = await ctx.db.exec(sql`
    update customer_invitations set status = 'accepted', accepted_by_id = ${userId},
      decided_at = ${ctx.now().toISOString()}, version = version + 1
    where id = ${open.id} and status = 'pending'`);
  if (used === 0) throw refuse('not_found', 'This invitation is no longer valid. Ask for a new one.');
  ctx.actor.actor_id = userId;
  await addMember(ctx, { customer_id: open.customer_id, user_id: userId, role: open.role });
  const after = await memberOf(ctx, open.customer_id, userId);
  await ctx.audit({ action: 'accept_invitation', entity: 'customer', entity_id: open.customer_id, after });
  const name = oneLine(open.customer_name);
  await mailPeople(ctx, open.customer_id, { template: 'people.joined',
    to: await adminEmails(ctx, open.customer_id, userId), subject: `${after.email} joined ${name}`,
    lines: [`${oneLine(`${after.first_name} ${after.last_name}`)} (${after.email}) accepted the invitation to ${name} `
      + `and is now ${ROLE_WORDS[after.role]}.`],
    link: usersLink(ctx, open.customer_id) });
  await notifyCustomer(ctx, open.customer_id, { kind: 'people.joined', roles: ['admin'],
    title: `${oneLine(`${after.first_name} ${after.last_name}`)} joined`,
    href: `/customer/${open.customer_id}/users` });
  return { customer_id: open.customer_id };
}

/** Accepts with a new account. The link came by mail, so the address is verified. */
export async function joinByInvitation(
  ctx: Ctx, token: string, body: BodyOf<typeof invitationEndpoints.join>,
): Promise<{ customer_id: number }> {
  checkNewPassword(body.password, body.password_confirmation, [body.first_name, body.last_name]);
  const hash = await hashPassword(body.password);
  const open = await openInvitation(ctx, token, true);
  const userId = await createCustomerAccount(ctx, { email: open.email, first_name: body.first_name,
    last_name: body.last_name, password_hash: hash, phone: null, verified: true });
  if (userId === null) throw conflict('invitation.has_account', 'This address has an account. Sign in to accept.');
  await ctx.audit({ action: 'register', entity: 'user', entity_id: userId, after: { email: open.email } });
  return settle(ctx, open, userId);
}

/** Accepts with the account of the invited address; nobody else's account may use the link. */
export async function acceptInvitation(ctx: Ctx, token: string): Promise<{ customer_id: number }> {
  const open = await openInvitation(ctx, token, true);
  if (!ctx.principal) throw refuse('unauthenticated', 'Sign in to accept this invitation.');
  if (ctx.principal.user_id !== open.user_id) {
    throw conflict('invitation.other_account',
      `This invitation is for ${open.email}. You are signed in as ${ctx.principal.email}.`);
  }
  if (open.user_role !== 'customer') {
    throw conflict('invitation.not_a_customer',
      'This address belongs to an account that is not a customer\'s. Ask for an invitation to another address.');
  }
  // The link was opened from the mailbox it was sent to.
  await markEmailVerified(ctx, open.user_id);
  return settle(ctx, open, open.user_id);
}

export async function declineInvitation(ctx: Ctx, token: string): Promise<void> {
  const open = await openInvitation(ctx, token, true);
  await ctx.db.exec(sql`
    update customer_invitations set status = 'declined', decided_at = ${ctx.now().toISOString()},
      version = version + 1 where id = ${open.id}`);
  await ctx.audit({ action: 'decline_invitation', entity: 'customer', entity_id: open.customer_id,
    before: { email: open.email, role: open.role } });
  await mailPeople(ctx, open.customer_id, { template: 'people.invitation_declined',
    to: await adminEmails(ctx, open.customer_id, null), subject: `${open.email} declined your invitation`,
    lines: [`${open.email} declined the invitation to ${oneLine(open.customer_name)}.`] });
}
