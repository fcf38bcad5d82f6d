/**
 * The mail port. Mail is written to the outbox in the transaction that causes it; a worker delivers it afterwards, at
 * least once, with the row's id as Message-ID. Without MAIL_URL the outbox is the delivery: the app shows it.
 */
import { createTransport } from 'nodemailer';
import { refuse } from '#kit/errors.ts';
import type { Queryable } from './db.ts';
import { htmlLetter, plainLetter, type Letter, type MailContact } from './mail-letter.ts';
import { sql } from './sql.ts';

export interface MailAttachment {
  filename: string;
  content_type: string;
  storage_key: string;
}

/** A paper that is drawn when its mail is delivered: the caller's transaction waits for no drawing. */
export interface DrawnAttachment {
  filename: string;
  content_type: string;
  paper: 'invoice' | 'receipt';
  record_id: number;
}

export interface Mail {
  /** Key of domain.md 6.4, e.g. `quote.sent`. */
  template: string;
  to: readonly string[];
  subject: string;
  letter: Letter;
  entity?: string;
  entity_id?: number;
  attachments?: readonly (MailAttachment | DrawnAttachment)[];
  /** A mail with a key goes out once, whoever asks again. */
  reminder_key?: string;
  /** Address for answers; without one they go to the sender. */
  reply_to?: string | null;
}

export interface Mailer {
  /** Delivers one message; null where the outbox itself is the delivery. */
  deliver: ((mail: OutgoingMail) => Promise<void>) | null;
}

export interface OutgoingMail {
  id: number; from: string; to: string[]; subject: string; text: string;
  /** Unguessable part of the Message-ID. */
  token: string;
  reply_to: string | null;
  /** A person wrote it; other mail asks not to be answered by machines (RFC 3834). */
  personal: boolean;
  /** Null for a mail of an earlier release. */
  html: string | null;
  attachments: readonly { filename: string; content_type: string; content: Buffer }[];
}

export function outboxMailer(): Mailer {
  return { deliver: null };
}

export function smtpMailer(url: string): Mailer {
  const transport = createTransport(url);
  return {
    deliver: async (mail) => {
      await transport.sendMail({ from: mail.from, to: mail.to, subject: mail.subject, text: mail.text,
        ...(mail.html === null ? {} : { html: mail.html }),
        messageId: messageIdOf(mail),
        ...(mail.reply_to === null ? {} : { replyTo: mail.reply_to }),
        ...(mail.personal ? {} : { headers: { 'Auto-Submitted': 'auto-generated' } }),
        attachments: mail.attachments.map((file) => ({ filename: file.filename, contentType: file.content_type,
          content: file.content })) });
    },
  };
}

export const messageIdOf = ({ id, token }: { id: number; token: string }): string =>
  `<outbox-${id}.${token}@grandrights>`;

/** The mail of ours that a Message-ID names; null for any other. */
export function mailNamed(messageId: string): { id: number; token: string } | null {
  const found = /^<outbox-(\d{1,15})\.([0-9a-f]{32})@grandrights>$/.exec(messageId);
  return found && { id: Number(found[1]), token: found[2]! };
}

const MOST_RECIPIENTS = 50;
const LONGEST_NAME = 120;

/**
 * A name that someone typed, as one line of a mail: no line breaks (they would be headers), no control characters and
 * no marks that turn the direction of the text, so that a name cannot dress up as something else; at most 120 letters.
 */
export function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').replace(/ {2,}/g, ' ').trim();
  const letters = Array.from(plain);
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join('')}…` : plain;
}

/**
 * The person that a customer asks where the mail names nobody: the representative of their division, and of the US for
 * an address without an organization. Null for colleagues, and where the division has no representative.
 */
async function representativeFor(db: Queryable, to: string): Promise<MailContact | null> {
  const person = await db.maybeOne<MailContact>(sql`
    select u.first_name || ' ' || u.last_name as name, u.email, u.phone
    from divisions d join users u on u.id = d.representative_id and u.disabled_at is null
    where d.code = coalesce((select c.default_division from users r join customer_users m on m.user_id = r.id
        join customers c on c.id = m.customer_id where r.email = ${to.toLowerCase()} order by m.id limit 1), 'US')
      and not exists (select 1 from users r where r.email = ${to.toLowerCase()} and r.role <> 'customer')`);
  return person && { ...person, name: oneLine(person.name) };
}

/**
 * Queues one mail in the caller's transaction. Line breaks in subject or recipients are refused (header injection).
 * A mail that says nothing of whom to ask names the representative of the customer's division. False where nobody was
 * to receive it, or its key had gone out before.
 */
export async function queueMail(db: Queryable, mail: Mail): Promise<boolean> {
  if ([mail.subject, mail.reply_to ?? '', ...mail.to].some((text) => /[\r\n]/.test(text))) {
    throw refuse('invalid', 'A subject or an address cannot hold a line break.');
  }
  if (mail.to.length > MOST_RECIPIENTS) throw refuse('invalid', `Send to at most ${MOST_RECIPIENTS} people at once.`);
  if (mail.to.length === 0) return false;
  const { contact = await representativeFor(db, mail.to[0]!) } = mail.letter;
  const letter = { ...mail.letter, contact };
  const queued = await db.exec(sql`
    insert into mail_outbox (template, recipients, subject, body_text, body_html, entity, entity_id,
      attachments, reminder_key, reply_to)
    values (${mail.template}, ${[...mail.to]}, ${mail.subject}, ${plainLetter(letter)},
      ${htmlLetter(letter, mail.subject)}, ${mail.entity ?? null}, ${mail.entity_id ?? null},
      ${JSON.stringify(mail.attachments ?? [])}, ${mail.reminder_key ?? null}, ${mail.reply_to ?? null})
    on conflict (reminder_key) do nothing`);
  return queued > 0;
}

/** Marks a mail as returned by a server; it must be named with its token and have gone to one of the addresses. */
export async function markReturned(
  db: Queryable, mail: { id: number; token: string }, addresses: readonly string[], reason: string,
): Promise<boolean> {
  return await db.exec(sql`
    update mail_outbox set bounced_at = coalesce(bounced_at, now()), bounce_text = ${reason.slice(0, 300)}
    where id = ${mail.id} and token = ${mail.token}
      and exists (select 1 from unnest(recipients) x where lower(x) = any (${[...addresses]}))`) > 0;
}

/** Claims the telling that a mail did not arrive; false where it was told before. */
export async function claimUndelivered(db: Queryable, id: number): Promise<boolean> {
  return await db.exec(sql`
    update mail_outbox set undelivered_told_at = now() where id = ${id} and undelivered_told_at is null`) > 0;
}
