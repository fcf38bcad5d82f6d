/**
 * Becoming staff by a single-use link: email, role and groups are fixed by the invitation, never by the body. The
 * very first administrator of an empty installation comes the same way, or from ADMIN_EMAIL and ADMIN_PASSWORD.
 */
import type { BodyOf } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, Ports } from '#server/context.ts';
import { limit } from '#server/rate-limit.ts';
import { linkTo, SettingError } from '#server/settings.ts';
import { empty, sql } from '#server/sql.ts';
import { checkNewPassword, hashPassword, passwordProblem } from './password.server.ts';
import { hashToken, newToken } from './session.server.ts';
import type { sessionEndpoints } from './session.contract.ts';

interface Invite {
  id: number;
  /** An invitation of the staff office, or the link of the very first administrator. */
  kind: 'staff' | 'first';
  /** Empty for a first administrator whose address nobody knows yet. */
  email: string;
  role: string;
}

const FIRST_ADMIN_HOURS = 24;
const HOUR = 3600;

/** Locked, so that of two who open the same link at once only one becomes staff by it. */
async function findInvite(ctx: Ctx, token: string, lock = false): Promise<Invite> {
  const now = ctx.now().toISOString();
  const row = await ctx.db.maybeOne<Invite>(sql`
    select id, 'staff' as kind, email, role from staff_invites
    where token_hash = ${hashToken(token)} and accepted_at is null and revoked_at is null
      and expires_at > ${now}::timestamptz ${lock ? sql`for update` : empty}`)
    ?? await ctx.db.maybeOne<Invite>(sql`
      select id, 'first' as kind, email, facts ->> 'role' as role from mail_tokens
      where token_hash = ${hashToken(token)} and purpose = 'first_admin' and used_at is null
        and expires_at > ${now}::timestamptz and not exists (
          select 1 from users where role = 'system_admin' and disabled_at is null)
      ${lock ? sql`for update` : empty}`);
  if (!row) throw refuse('not_found', 'This invitation is no longer valid.');
  return row;
}

export async function readInvite(ctx: Ctx, token: string): Promise<{ email: string | null; role: string }> {
  await limit(ctx, `invite:${ctx.ip}`, 60, HOUR);
  const invite = await findInvite(ctx, token);
  return { email: invite.email || null, role: invite.role };
}

export async function registerStaff(
  ctx: Ctx, body: BodyOf<typeof sessionEndpoints.registerStaff>,
): Promise<{ message: string }> {
  await limit(ctx, `invite:${ctx.ip}`, 60, HOUR);
  const invite = await findInvite(ctx, body.token, true);
  const email = (invite.email || body.email || '').toLowerCase();
  if (email === '') throw invalidField('email', 'Email is required');
  checkNewPassword(body.password, body.password_confirmation, [body.first_name, body.last_name]);
  const hash = await hashPassword(body.password);
  const user = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
    values (${email}, ${body.first_name}, ${body.last_name}, ${invite.role}, ${hash}, ${ctx.now().toISOString()})
    on conflict (email) do nothing returning id`);
  if (!user) throw invalidField('email', 'This address has an account already');
  await useInvite(ctx, invite, user.id);
  await ctx.audit({ action: 'register_staff', entity: 'user', entity_id: user.id,
    after: { email, role: invite.role, invite: invite.kind === 'staff' ? invite.id : null } });
  return { message: 'Your account is ready. Sign in.' };
}

async function useInvite(ctx: Ctx, invite: Invite, userId: number): Promise<void> {
  const now = ctx.now().toISOString();
  if (invite.kind === 'first') {
    await ctx.db.exec(sql`update mail_tokens set used_at = ${now} where id = ${invite.id}`);
    return;
  }
  await ctx.db.exec(sql`
    update staff_invites set accepted_at = ${now}, accepted_user_id = ${userId}, version = version + 1
    where id = ${invite.id}`);
  await ctx.db.exec(sql`
    insert into staff_group_users (staff_group_id, user_id)
    select staff_group_id, ${userId} from staff_invite_groups where staff_invite_id = ${invite.id}`);
}

/**
 * Makes sure that an installation has an administrator: from the environment, else by a one-time link whose text is
 * answered for the operator to read. null where there is one already.
 */
export async function firstAdministrator(ports: Ports): Promise<string | null> {
  const known = await ports.db.maybeOne(sql`
    select 1 from users where role = 'system_admin' and disabled_at is null limit 1`);
  if (known) return null;
  const { admin_email, admin_password } = ports.settings;
  if (admin_email !== null && admin_password !== null) {
    const problem = passwordProblem(admin_password, [admin_email.split('@')[0]!]);
    if (problem) throw new SettingError(`ADMIN_PASSWORD: ${problem}.`);
    const hash = await hashPassword(admin_password);
    await ports.db.exec(sql`
      insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
      values (${admin_email.toLowerCase()}, 'First', 'Administrator', 'system_admin', ${hash}, now())
      on conflict (email) do nothing`);
    return `The first administrator is ${admin_email}.`;
  }
  const token = newToken();
  // The link of an earlier start stops working: one that is found in an old log makes nobody administrator.
  await ports.db.exec(sql`
    update mail_tokens set used_at = now() where purpose = 'first_admin' and used_at is null`);
  await ports.db.exec(sql`
    insert into mail_tokens (purpose, token_hash, email, facts, expires_at)
    values ('first_admin', ${hashToken(token)}, ${(admin_email ?? '').toLowerCase()},
      ${JSON.stringify({ role: 'system_admin' })},
      now() + make_interval(hours => ${FIRST_ADMIN_HOURS}))`);
  const link = linkTo(ports.settings, `/register-staff/create/${token}`);
  return `There is no administrator yet. Open this link within a day to become one:\n${link}`;
}
