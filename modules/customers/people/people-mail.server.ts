/** Mails about people of a customer: every change of who belongs and what they may do is told to those it concerns. */
import type { CustomerRole } from '#kit/auth.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { spellIn, type Speller } from '#kernel/text/english.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { MailLink } from '#server/mail-letter.ts';
import { oneLine, queueMail } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';

export const ROLE_WORDS: Record<CustomerRole, string> = {
  admin: 'admin (applies, signs, pays and manages users)', signer: 'signer (applies, signs and pays)',
  member: 'member (reads and prepares applications)',
};

interface PeopleMail {
  template: string;
  to: readonly string[];
  subject: string;
  lines: readonly string[];
  /** In the portal or on a page for guests, with the words of its button. */
  link?: MailLink;
  after?: readonly string[];
}

/** Names inside subject and lines come through {@link oneLine}; the callers pass them so. */
export async function mailPeople(ctx: WorkContext, customerId: number, mail: PeopleMail): Promise<void> {
  const { division } = await ctx.db.one<{ division: string }>(sql`
    select default_division as division from customers where id = ${customerId}`);
  await queueMail(ctx.db, { template: mail.template, to: mail.to, subject: mail.subject,
    letter: { greeting: await greetingOf(ctx.db, mail.to), paragraphs: mail.lines, link: mail.link, after: mail.after,
      contact: await contactOf(ctx.db, null, division) },
    entity: 'customer', entity_id: customerId });
}

export const portalLink = (ctx: WorkContext, customerId: number): MailLink =>
  ({ label: 'Open the portal', href: linkTo(ctx.ports.settings, `/customer/${customerId}`) });

export const usersLink = (ctx: WorkContext, customerId: number): MailLink =>
  ({ label: 'See your users', href: linkTo(ctx.ports.settings, `/customer/${customerId}/users`) });

/** Spells the mails to a customer's people in the English of its division. */
export async function spellerOf(ctx: WorkContext, customerId: number): Promise<Speller> {
  const { default_division } = await ctx.db.one<{ default_division: string }>(sql`
    select default_division from customers where id = ${customerId}`);
  return spellIn(documentLanguage(default_division));
}

/** Name of the customer as a line of a mail. */
export async function customerName(ctx: WorkContext, customerId: number): Promise<string> {
  const row = await ctx.db.one<{ name: string }>(sql`select name from customers where id = ${customerId}`);
  return oneLine(row.name);
}

/** Addresses of the customer's admins, without one of them where it is their own doing. */
export async function adminEmails(ctx: WorkContext, customerId: number, without: number | null): Promise<string[]> {
  const rows = await ctx.db.query<{ email: string }>(sql`
    select u.email from customer_users m join users u on u.id = m.user_id
    where m.customer_id = ${customerId} and m.role = 'admin' and u.disabled_at is null
      and u.id is distinct from ${without} order by u.id limit 50`);
  return rows.map((row) => row.email);
}

/** A mail to the customer's admins, with the way to the portal. */
export async function mailAdmins(
  ctx: WorkContext, customerId: number, mail: Pick<PeopleMail, 'template' | 'subject' | 'lines'>,
): Promise<void> {
  await mailPeople(ctx, customerId, { ...mail, to: await adminEmails(ctx, customerId, null),
    link: portalLink(ctx, customerId) });
}

/** Addresses of everyone who belongs to the customer. */
export async function memberEmails(ctx: WorkContext, customerId: number): Promise<string[]> {
  const rows = await ctx.db.query<{ email: string }>(sql`
    select u.email from customer_users m join users u on u.id = m.user_id
    where m.customer_id = ${customerId} and u.disabled_at is null and u.email_verified_at is not null
    order by u.id limit 50`);
  return rows.map((row) => row.email);
}
