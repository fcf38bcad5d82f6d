/**
 * Accounts by mail: registration, verification, password reset and change. No answer and no work done tells whether
 * an address has an account (reliability.md 1.3).
 */
import { announceRequests, joinOrganisation } from '#modules/customers/customers.public.server.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { AppError, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import type { MailLink } from '#server/mail-letter.ts';
import { oneLine, queueMail } from '#server/mail.ts';
import { limit } from '#server/rate-limit.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { createCustomerAccount, markEmailVerified } from '../user/customer-account.server.ts';
import { greetingOf } from '../user/mail-people.server.ts';
import { confirmEmailChange } from '../user/email-change.server.ts';
import { checkNewPassword, hashPassword, verifyPassword } from './password.server.ts';
import { tellOfChange } from '../two-factor/security-mail.server.ts';
import { issueToken, useToken, type TokenPurpose } from './mail-token.server.ts';
import { hashToken } from './session.server.ts';
import type { sessionEndpoints } from './session.contract.ts';

const HOUR = 3600;
const RESET_SECONDS = HOUR;
const VERIFY_SECONDS = 24 * HOUR;

type Body<K extends keyof typeof sessionEndpoints> = BodyOf<(typeof sessionEndpoints)[K]>;

export async function register(ctx: Ctx, body: Body<'register'>): Promise<{ message: string }> {
  const email = body.email.toLowerCase();
  await limit(ctx, `register-ip:${ctx.ip}`, 5, HOUR);
  await limit(ctx, `register:${email}`, 3, HOUR);
  checkNewPassword(body.password, body.password_confirmation, [body.first_name, body.last_name, email.split('@')[0]!]);
  const hash = await hashPassword(body.password);
  const created = await createCustomerAccount(ctx, { email, first_name: body.first_name, last_name: body.last_name,
    password_hash: hash, phone: body.phone ?? null, verified: false });
  if (created !== null) {
    await ctx.audit({ action: 'register', entity: 'user', entity_id: created, after: { email } });
    await joinOrganisation(ctx, { user_id: created, email }, { name: body.organisation,
      kind: body.kind ?? 'other', country: body.country ?? null, phone: body.phone ?? null });
    const token = await issueToken(ctx, 'email_verification', { id: created, email }, VERIFY_SECONDS);
    await queueMail(ctx.db, {
      template: 'account.verify', to: [email], subject: 'Verify your email address',
      letter: { greeting: oneLine(body.first_name),
        paragraphs: ['Welcome to Grand Rights. Please verify your email address within 24 hours.'],
        link: verifyLink(ctx, token, body.next) },
    });
  } else {
    await queueMail(ctx.db, {
      template: 'account.exists',
      to: [email],
      subject: 'You already have an account',
      letter: { paragraphs: ['Someone, probably you, tried to register with this address. It already has an account.'],
        link: { label: 'Sign in', href: linkTo(ctx.ports.settings, '/login') },
        after: [`Forgot your password? Choose a new one: ${linkTo(ctx.ports.settings, '/forgot-password')}`] },
    });
  }
  return { message: 'Check your mail.' };
}

/** The place that the person wanted goes along: the mail may be opened in another browser. */
function verifyLink(ctx: Ctx, token: string, next: string | undefined): MailLink {
  const place = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  return { label: 'Verify this address', href: linkTo(ctx.ports.settings, `/verify-email/${token}${place}`) };
}

export async function verifyEmail(ctx: Ctx, body: Body<'verifyEmail'>): Promise<void> {
  await limit(ctx, `verify-ip:${ctx.ip}`, 6, 60);
  if (await confirmEmailChange(ctx, body.token)) return;
  const token = await useToken(ctx, 'email_verification', body.token);
  if (!token) throw invalidField('token', 'This link is no longer valid. Ask for a new one.');
  await markEmailVerified(ctx, token.user_id);
  await ctx.audit({ action: 'verify_email', entity: 'user', entity_id: token.user_id });
  await announceRequests(ctx, token.user_id);
}

/**
 * Mail to an address that has nothing to reset or to verify: the same work and the same answer as for one that has,
 * and the person at that address learns why no link came.
 */
async function tellUnknown(ctx: Ctx, purpose: TokenPurpose, email: string, seconds: number): Promise<void> {
  await issueToken(ctx, purpose, { id: null, email }, seconds);
  await queueMail(ctx.db, {
    template: 'account.unknown', to: [email], subject: 'No link to send',
    letter: { paragraphs: ['Someone, probably you, asked for a link for this address, but no account here needs one. '
      + 'You may have registered with another address, or your address is verified already.'],
    link: { label: 'Sign in', href: linkTo(ctx.ports.settings, '/login') } },
  });
}

export async function resendVerification(ctx: Ctx, body: Body<'resendVerification'>): Promise<{ message: string }> {
  const email = body.email.toLowerCase();
  await limit(ctx, `verify-mail:${email}`, 6, 60);
  await limit(ctx, `verify-mail-ip:${ctx.ip}`, 20, HOUR);
  const user = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from users where email = ${email} and email_verified_at is null and disabled_at is null`);
  if (user) {
    const token = await issueToken(ctx, 'email_verification', { id: user.id, email }, VERIFY_SECONDS);
    await queueMail(ctx.db, {
      template: 'account.verify', to: [email], subject: 'Verify your email address',
      letter: { greeting: await greetingOf(ctx.db, [email]),
        paragraphs: ['Please verify your email address within 24 hours.'], link: verifyLink(ctx, token, body.next) },
    });
  } else await tellUnknown(ctx, 'email_verification', email, VERIFY_SECONDS);
  return { message: 'Check your mail.' };
}

export async function forgotPassword(ctx: Ctx, body: Body<'forgotPassword'>): Promise<{ message: string }> {
  const email = body.email.toLowerCase();
  await limit(ctx, `reset:${email}`, 3, HOUR);
  await limit(ctx, `reset-ip:${ctx.ip}`, 20, HOUR);
  const user = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from users where email = ${email} and disabled_at is null`);
  if (user) {
    const token = await issueToken(ctx, 'password_reset', { id: user.id, email }, RESET_SECONDS);
    await queueMail(ctx.db, {
      template: 'account.reset', to: [email], subject: 'Choose a new password',
      letter: { greeting: await greetingOf(ctx.db, [email]),
        paragraphs: ['You can choose a new password. The link is valid for one hour.'],
        link: { label: 'Choose a new password',
          href: linkTo(ctx.ports.settings, `/password-reset/${token}?email=${encodeURIComponent(email)}`) },
        after: ['If you did not ask for this, you can ignore it: your password has not changed.'] },
    });
  } else await tellUnknown(ctx, 'password_reset', email, RESET_SECONDS);
  return { message: 'If that address has an account, a reset link is on its way.' };
}

/** Asked before anybody chooses a password for nothing. Whose link it is, is not told. */
export async function readPasswordReset(ctx: Ctx, token: string): Promise<{ expires_at: string }> {
  await limit(ctx, `reset-look:${ctx.ip}`, 60, HOUR);
  const link = await ctx.db.maybeOne<{ expires_at: string }>(sql`
    select expires_at from mail_tokens
    where token_hash = ${hashToken(token)} and purpose = 'password_reset' and used_at is null
      and expires_at > ${ctx.now().toISOString()}::timestamptz and user_id is not null`);
  if (!link) throw refuse('not_found', 'This link no longer works.');
  return link;
}

export async function resetPassword(ctx: Ctx, body: Body<'resetPassword'>): Promise<{ message: string }> {
  await limit(ctx, `reset-use:${ctx.ip}`, 20, HOUR);
  checkNewPassword(body.password, body.password_confirmation, [body.email.split('@')[0]!]);
  const token = await useToken(ctx, 'password_reset', body.token);
  const text = 'This password reset token is invalid.';
  if (!token || token.email !== body.email.toLowerCase()) {
    throw new AppError('invalid', { status: 422, message: text, errors: { email: [text] } });
  }
  const person = await ctx.db.one<{ verified: boolean }>(sql`
    select email_verified_at is not null as verified from users where id = ${token.user_id}`);
  await setPassword(ctx, token.user_id, body.password);
  // The link came by mail, so it verifies the address as well.
  if (!person.verified) await announceRequests(ctx, token.user_id);
  return { message: 'Your password has been reset.' };
}

export async function changePassword(ctx: Ctx, id: number, body: Body<'changePassword'>): Promise<{ message: string }> {
  if (id !== ctx.user.user_id) throw refuse('not_found');
  await limit(ctx, `confirm:${id}`, 5, 60);
  const row = await ctx.db.one<{ password_hash: string | null }>(sql`
    select password_hash from users where id = ${id} for update`);
  if (!(await verifyPassword(body.current_password, row.password_hash))) {
    throw invalidField('current_password', 'The current password is not right');
  }
  checkNewPassword(body.password, body.password_confirmation, [ctx.user.first_name, ctx.user.last_name]);
  const epoch = await setPassword(ctx, id, body.password);
  // This session goes on; every other device has to sign in again.
  await ctx.db.exec(sql`update sessions set epoch = ${epoch} where id = ${ctx.user.session_id}`);
  return { message: 'Your password has been changed.' };
}

/** The database ends the person's open links with it (trigger users_end_links). */
async function setPassword(ctx: Ctx, userId: number, password: string): Promise<number> {
  const hash = await hashPassword(password);
  const row = await ctx.db.one<{ session_epoch: number }>(sql`
    update users set password_hash = ${hash}, session_epoch = session_epoch + 1, version = version + 1,
      email_verified_at = coalesce(email_verified_at, ${ctx.now().toISOString()})
    where id = ${userId} returning session_epoch`);
  await ctx.audit({ action: 'change_password', entity: 'user', entity_id: userId });
  await tellOfChange(ctx, userId, 'Your password was changed', 'A new password was chosen for your account.');
  return row.session_epoch;
}
