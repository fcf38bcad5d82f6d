/**
 * A new address counts when its own mailbox has opened the link sent there; the old one is told at once and again when
 * it has happened. No answer tells whether the new address has an account: only its mailbox hears (reliability.md 1.3).
 */
import type { Ctx } from '#server/context.ts';
import { invalidField } from '#kit/errors.ts';
import { queueMail } from '#server/mail.ts';
import { limit } from '#server/rate-limit.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { greetingOf } from './mail-people.server.ts';
import { hashToken, newToken } from '../session/session.server.ts';
import type { PersonRow } from './person.server.ts';

const HOUR = 3600;
const VALID_SECONDS = 24 * HOUR;

/** Takes back the address that waits, if one does. */
export async function cancelEmailChange(ctx: Ctx, userId: number): Promise<void> {
  await ctx.db.exec(sql`
    update email_changes set cancelled_at = ${ctx.now().toISOString()}
    where user_id = ${userId} and used_at is null and cancelled_at is null`);
}

/** `email` in lower case, other than the person's own. */
export async function requestEmailChange(ctx: Ctx, person: PersonRow, email: string): Promise<void> {
  await limit(ctx, `email-change:${person.id}`, 5, HOUR);
  await limit(ctx, `email-change-to:${email}`, 5, HOUR);
  await cancelEmailChange(ctx, person.id);
  const token = newToken();
  await ctx.db.exec(sql`
    insert into email_changes (user_id, email, token_hash, requested_by_id, created_at, expires_at)
    values (${person.id}, ${email}, ${hashToken(token)}, ${ctx.user.user_id}, ${ctx.now().toISOString()},
      ${new Date(ctx.now().getTime() + VALID_SECONDS * 1000).toISOString()})`);
  const taken = await ctx.db.maybeOne(sql`select 1 from users where email = ${email}`);
  const { settings } = ctx.ports;
  await queueMail(ctx.db, { template: 'account.new_address', to: [email], subject: 'Confirm your new email address',
    letter: taken
      ? { paragraphs: ['Someone tried to use this address for another account at Grand Rights. It already has an '
        + 'account, so nothing was changed.'], link: { label: 'Sign in', href: linkTo(settings, '/login') } }
      : { paragraphs: ['Please confirm within 24 hours that your account should use this address.'],
        link: { label: 'Confirm this address', href: linkTo(settings, `/verify-email/${token}`) },
        after: ['If you did not expect this, you can ignore it.'] } });
  await queueMail(ctx.db, { template: 'account.address_asked', to: [person.email],
    subject: 'Your email address is about to change',
    letter: { greeting: await greetingOf(ctx.db, [person.email]),
      paragraphs: [`Someone asked to change the address of your account to ${email}. It changes when that mailbox `
        + 'confirms it.', 'If this was not you, choose a new password now.'],
      link: { label: 'Choose a new password', href: linkTo(settings, '/forgot-password') } } });
}

/**
 * Uses the token of a change; false where it is none of ours. Links to the old mailbox that would choose a new
 * password stop working: the mailbox may be somebody else's by now.
 */
export async function confirmEmailChange(ctx: Ctx, token: string): Promise<boolean> {
  const now = ctx.now().toISOString();
  const change = await ctx.db.maybeOne<{ user_id: number; email: string }>(sql`
    update email_changes set used_at = ${now} where token_hash = ${hashToken(token)} and used_at is null
      and cancelled_at is null and expires_at > ${now}::timestamptz returning user_id, email`);
  if (!change) return false;
  const person = await ctx.db.one<{ email: string; disabled_at: string | null }>(sql`
    select email, disabled_at from users where id = ${change.user_id} for update`);
  const taken = await ctx.db.maybeOne(sql`
    select 1 from users where email = ${change.email} and id <> ${change.user_id}`);
  if (taken || person.disabled_at !== null) {
    throw invalidField('token', 'This address cannot be used any more. Ask for another change.');
  }
  await ctx.db.exec(sql`
    update users set email = ${change.email}, email_verified_at = ${now}, version = version + 1
    where id = ${change.user_id}`);
  await ctx.db.exec(sql`
    update mail_tokens set used_at = ${now} where user_id = ${change.user_id} and used_at is null`);
  await ctx.audit({ action: 'change_email', entity: 'user', entity_id: change.user_id,
    before: { email: person.email }, after: { email: change.email } });
  await queueMail(ctx.db, { template: 'account.address_changed', to: [person.email],
    subject: 'Your email address was changed',
    letter: { paragraphs: [`Your account now has the address ${change.email}. Use it to sign in from now on.`,
      'If this was not you, tell us right away.'] } });
  return true;
}
