/** Delivery of queued mail; the queue itself is in mail.ts. */
import { runEach } from './batch.ts';
import type { Ports } from './context.ts';
import type { Db } from './db.ts';
import { houseSetting } from './house-settings.ts';
import type { DrawnAttachment, MailAttachment, Mailer, OutgoingMail } from './mail.ts';
import { withNote } from './mail-letter.ts';
import { sql } from './sql.ts';

interface WaitingMail {
  id: number; recipients: string[]; subject: string; body_text: string; body_html: string | null;
  attachments: (MailAttachment | DrawnAttachment)[]; template: string; token: string; reply_to: string | null;
}

/** Draws the paper that an attachment names, as PDF. */
export type DrawPaper = (paper: DrawnAttachment['paper'], recordId: number) => Promise<Buffer>;

/** Larger mail is refused by many servers; what does not fit is named in the text instead. */
const MOST_ATTACHED = 9 * 1024 * 1024;

/** Mails that a person wrote. */
const PERSONAL = new Set(['thread.message', 'customer.message', 'document.sent']);

/** Lease on one delivery: when it has expired and the mail is claimed again, the earlier process is gone. */
const CLAIM = sql`interval '5 minutes'`;

/**
 * Delivers what waits; called by the mail job. Answers how many went out. The mail server is spoken to outside any
 * transaction; one mail that cannot be delivered, or not even marked, stops no other.
 */
export async function deliverOutbox(
  ports: Pick<Ports, 'db' | 'mail' | 'log' | 'files'>, draw: DrawPaper = drawNothing,
): Promise<number> {
  const { db } = ports;
  const deliver = ports.mail.deliver;
  if (!deliver) return 0;
  const from = await houseSetting(db, 'mail_from');
  const items = await db.query<{ id: number }>(sql`
    select id from mail_outbox where sent_at is null and failed_attempts < 10 and next_attempt_at <= now()
    order by id`);
  const { done } = await runEach(ports, { job: 'deliver-mail', items, facts: ({ id }) => ({ mail_id: id }) },
    async ({ id }) => {
      const mail = await claim(db, id);
      return mail && await deliverOne({ ...ports, draw }, deliver, from, mail) ? 1 : 0;
    });
  return done;
}

/** Takes a mail up, so that no other process does; null where one was quicker. */
function claim(db: Db, id: number): Promise<WaitingMail | null> {
  return db.maybeOne<WaitingMail>(sql`
    update mail_outbox set next_attempt_at = now() + ${CLAIM}
    where id = ${id} and sent_at is null and failed_attempts < 10 and next_attempt_at <= now()
    returning id, recipients, subject, body_text, body_html, attachments, template, token, reply_to`);
}

async function deliverOne(
  { db, files, draw }: Pick<Ports, 'db' | 'files'> & { draw: DrawPaper }, deliver: NonNullable<Mailer['deliver']>,
  from: string, mail: WaitingMail,
): Promise<boolean> {
  try {
    const { attachments, note } = await attached(files, draw, mail.attachments);
    await deliver({ id: mail.id, from, to: mail.recipients, subject: mail.subject, text: `${mail.body_text}${note}`,
      html: mail.body_html === null ? null : withNote(mail.body_html, note.trim()), attachments,
      token: mail.token, reply_to: mail.reply_to, personal: PERSONAL.has(mail.template) });
  } catch (error) {
    const { message, responseCode } = error as Error & { responseCode?: number };
    // A mail server that refuses for good (SMTP 5xx) is not asked nine times more.
    const refused = responseCode !== undefined && responseCode >= 550 && responseCode <= 559;
    await db.exec(sql`
      update mail_outbox set failed_attempts = case when ${refused} then 10 else failed_attempts + 1 end,
        last_error = ${message}, bounced_at = case when ${refused} then now() end,
        bounce_text = ${refused ? message.slice(0, 300) : ''},
        next_attempt_at = now() + interval '1 minute' * power(2, failed_attempts)
      where id = ${mail.id}`);
    return false;
  }
  await db.exec(sql`update mail_outbox set sent_at = now() where id = ${mail.id}`);
  return true;
}

const drawNothing: DrawPaper = (paper) => Promise.reject(new Error(`Nobody draws a paper of the kind ${paper}`));

async function attached(
  files: Ports['files'], draw: DrawPaper, wanted: readonly (MailAttachment | DrawnAttachment)[],
): Promise<{ attachments: OutgoingMail['attachments']; note: string }> {
  const attachments = await Promise.all(wanted.map(async (one) => ({ filename: one.filename,
    content_type: one.content_type,
    content: 'paper' in one ? await draw(one.paper, one.record_id) : await files.get(one.storage_key) })));
  const size = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (size <= MOST_ATTACHED) return { attachments, note: '' };
  return { attachments: [], note: `\n\nToo large to attach, please open it in your portal: ${
    attachments.map(({ filename }) => filename).join(', ')}` };
}
