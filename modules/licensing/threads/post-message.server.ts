/**
 * A message of staff or of the customer, typed on screen or sent by mail: stored, mailed on, told in the app, and on
 * the work list until staff have answered.
 */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { REPLY_LINE } from '#kernel/text/mail-text.ts';
import { signerEmails } from '#modules/customers/customers.public.server.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import { notifyCustomer, notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { oneLine, queueMail, type MailAttachment } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { writeLicenseEvent } from '../licenses/phase/license-event.server.ts';
import type { License } from '../licenses/license-record.server.ts';
import { askStaff, closeTasks } from '../licenses/phase/notify.server.ts';
import { staffPlace } from '../licenses/phase/tell.server.ts';

export interface RefusedFile { name: string; size_bytes: number; reason: string }

export interface NewMessage {
  from_staff: boolean;
  author_id: number | null;
  sender_name: string;
  /** By mail: the address of the sender. */
  sender_email: string | null;
  verified: boolean;
  body: string;
  quoted: string;
  refused_files: readonly RefusedFile[];
  /** Rows of thread_files that the message takes along. */
  file_ids: readonly number[];
}

/** Address that this person answers to; null while no mail comes in. */
export async function replyAddress(ctx: WorkContext, licenseId: number, email: string): Promise<string | null> {
  const inbound = ctx.ports.settings.mail_in;
  if (inbound === null) return null;
  const address = email.toLowerCase();
  await ctx.db.exec(sql`
    insert into thread_addresses (license_id, email) values (${licenseId}, ${address}) on conflict do nothing`);
  const { token } = await ctx.db.one<{ token: string }>(sql`
    select token from thread_addresses where license_id = ${licenseId} and email = ${address}`);
  return `${inbound.local}+${token}@${inbound.domain}`;
}

async function store(ctx: WorkContext, license: License, message: NewMessage): Promise<number> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into thread_messages (license_id, author_id, from_staff, by_mail, sender_name, sender_email, verified, body,
      quoted, refused_files, created_at)
    values (${license.id}, ${message.author_id}, ${message.from_staff}, ${message.sender_email !== null},
      ${message.sender_name}, ${message.sender_email}, ${message.verified}, ${message.body}, ${message.quoted},
      ${JSON.stringify(message.refused_files)}, ${ctx.now().toISOString()}) returning id`);
  if (message.file_ids.length > 0) {
    await ctx.db.exec(sql`
      update thread_files set thread_message_id = ${id} where id = any (${[...message.file_ids]}::bigint[])`);
  }
  return id;
}

const attachments = (ctx: WorkContext, id: number): Promise<MailAttachment[]> => ctx.db.query<MailAttachment>(sql`
  select f.original_name as filename, f.mime_type as content_type, f.storage_key
  from thread_files a join files f on f.id = a.file_id where a.thread_message_id = ${id} order by a.id`);

/** One mail for each person: every address for answers is its person's own. */
async function mailOut(
  ctx: WorkContext, license: License, id: number, message: NewMessage, to: readonly string[], href: string,
): Promise<void> {
  const files = await attachments(ctx, id);
  for (const email of to) {
    const reply_to = await replyAddress(ctx, license.id, email);
    await queueMail(ctx.db, { template: 'thread.message', to: [email], entity: 'thread_message', entity_id: id,
      subject: oneLine(`${message.sender_name}: ${license.title_on_license}, ${numbersInWords(license)}`),
      reply_to, attachments: files,
      letter: { above: reply_to === null ? null : REPLY_LINE, greeting: await greetingOf(ctx.db, [email]),
        paragraphs: [`${message.sender_name} wrote about ${license.title_on_license}:`, message.body],
        link: { label: 'Open the messages', href: linkTo(ctx.ports.settings, href) },
        after: reply_to === null ? [] : ['You can also answer this mail.'],
        contact: await contactOf(ctx.db, license.license_rep_id, license.division) } });
  }
}

const opening = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);

async function tellOfAnswer(ctx: WorkContext, license: License, id: number, message: NewMessage): Promise<void> {
  const href = `/customer/${license.customer_id}/productions/${license.id}/messages`;
  await mailOut(ctx, license, id, message, await signerEmails(ctx, license.customer_id), href);
  await notifyCustomer(ctx, license.customer_id, { kind: 'message.answered', body: opening(message.body), href,
    title: `${message.sender_name} wrote about ${license.title_on_license}`, key: `message.answered/${id}` });
  await closeTasks(ctx, license.id, ['message_unanswered']);
}

async function tellOfQuestion(ctx: WorkContext, license: License, id: number, message: NewMessage): Promise<void> {
  const href = `${staffPlace(license)}/messages`;
  const rep = await contactOf(ctx.db, license.license_rep_id, license.division);
  if (rep?.email) await mailOut(ctx, license, id, message, [rep.email], href);
  await notifyStaff(ctx, { kind: 'message.received', body: opening(message.body), href, to: [license.license_rep_id],
    title: `${message.sender_name} wrote about ${license.title_on_license}`, key: `message.received/${id}` });
  await askStaff(ctx, license, { kind: 'message_unanswered',
    title: `${numbersInWords(license)}: answer the message of ${message.sender_name}` });
}

/** Stores the message and does what follows from it; mail of an unverified sender is only shown. Answers its id. */
export async function postMessage(ctx: WorkContext, license: License, message: NewMessage): Promise<number> {
  const id = await store(ctx, license, message);
  await writeLicenseEvent(ctx, { license_id: license.id, event: message.verified ? 'message' : 'unverified_message',
    details: { message_id: id, by_mail: message.sender_email !== null } });
  await ctx.audit({ action: 'message', entity: 'license', entity_id: license.id,
    after: { message_id: id, from_staff: message.from_staff, sender: message.sender_email ?? message.sender_name,
      verified: message.verified } });
  if (!message.verified) {
    await notifyStaff(ctx, { kind: 'message.received', to: [license.license_rep_id],
      title: `Mail of an unverified sender about ${license.title_on_license}`, body: message.sender_email ?? '',
      href: `${staffPlace(license)}/messages`, key: `message.received/${id}` });
  } else if (message.from_staff) await tellOfAnswer(ctx, license, id, message);
  else await tellOfQuestion(ctx, license, id, message);
  return id;
}
