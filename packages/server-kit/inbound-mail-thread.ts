/** The thread that reads a mail; see inbound-mail.ts. */
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { parentPort, workerData } from 'node:worker_threads';
import { htmlAsText, tidied } from '#kernel/text/mail-text.ts';
import type { InboundMail, MailFile, MailReport } from './inbound-mail.ts';

const LIMITS = { maxNestingDepth: 30, maxHeadersSize: 256 * 1024, maxRfc822NestingDepth: 2 } as const;
const MOST_TEXT = 1_000_000;
const MOST_FILES = 50;
const RECIPIENTS = ['to', 'cc', 'bcc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to',
  'x-forwarded-to', 'x-rcpt-to'];
const ENDINGS: Readonly<Record<string, string>> = { 'application/pdf': 'pdf', 'image/png': 'png',
  'image/jpeg': 'jpg', 'text/csv': 'csv', 'text/plain': 'txt' };

/** Without what the database cannot store. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const header = (mail: Email, key: string): string =>
  mail.headers.filter((one) => one.key === key).map((one) => one.value).join('\n');

const messageIds = (text: string): string[] => [...text.matchAll(/<[^<>\s]{1,900}>/g)].map(([id]) => id).slice(0, 50);

/** RFC 3834: what marks a mail that nobody wrote, or that went to a list. */
function isAutomatic(mail: Email): boolean {
  const submitted = header(mail, 'auto-submitted').trim().toLowerCase();
  return (submitted !== '' && !submitted.startsWith('no')) || header(mail, 'x-autoreply') !== ''
    || header(mail, 'x-autorespond') !== '' || header(mail, 'list-id') !== ''
    || /^(bulk|junk|list|auto_reply)/i.test(header(mail, 'precedence').trim())
    || header(mail, 'return-path').trim() === '<>'
    || /^(mailer-daemon|postmaster|no-?reply)@/i.test(addressOf(mail.from));
}

const addressOf = (address: Address | undefined): string => (address?.address ?? '').trim().toLowerCase();

const textOf = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** A delivery status notification (RFC 3464); null for any other mail. */
function reportOf(mail: Email): MailReport | null {
  const status = mail.attachments.find((one) => one.mimeType === 'message/delivery-status');
  if (!status) return null;
  const failed = textOf(status).slice(0, 100_000).split(/\r?\n\r?\n/).flatMap((part) => {
    const lines = part.replace(/\r?\n[ \t]+/g, ' ');
    const field = (name: string): string => new RegExp(`^${name}:[ \\t]*(.+)$`, 'im').exec(lines)?.[1]?.trim() ?? '';
    const address = field('Final-Recipient').replace(/^[^;]*;/, '').trim().toLowerCase();
    if (address === '' || field('Action').toLowerCase() !== 'failed') return [];
    const words = field('Diagnostic-Code').replace(/^[^;]*;/, '').trim() || field('Status');
    return [{ address: clean(address), reason: clean(words).slice(0, 300) }];
  });
  const original = mail.attachments.find((one) => /^(message\/rfc822|text\/rfc822-headers|message\/rfc822-headers)$/
    .test(one.mimeType));
  const id = original ? /^message-id:\s*(<[^<>\s]+>)/im.exec(textOf(original).slice(0, 100_000))?.[1] : undefined;
  return { failed, message_id: id ?? null };
}

function fileOf(part: Attachment, place: number): MailFile {
  const content = typeof part.content === 'string' ? new TextEncoder().encode(part.content)
    : new Uint8Array(part.content instanceof ArrayBuffer ? part.content : part.content.slice());
  return { name: clean(part.filename ?? `attachment-${place + 1}.${ENDINGS[part.mimeType] ?? 'bin'}`),
    mime_type: part.mimeType, content };
}

/** Pictures inside the HTML are logos of signatures; what a report carries is evidence. */
const isFile = (part: Attachment): boolean => !part.related && !part.mimeType.startsWith('message/');

async function read(raw: Uint8Array): Promise<InboundMail | null> {
  const mail = await PostalMime.parse(raw, LIMITS);
  const address = addressOf(mail.from);
  if (mail.headers.length === 0 || address === '') return null;
  const own = mail.text?.slice(0, MOST_TEXT) ?? '';
  const text = clean(own.trim() === '' ? htmlAsText((mail.html ?? '').slice(0, MOST_TEXT)) : tidied(own));
  return {
    message_id: messageIds(clean(mail.messageId ?? ''))[0] ?? null,
    answers: messageIds(`${mail.inReplyTo ?? ''} ${mail.references ?? ''}`),
    from: { name: clean(mail.from?.name ?? '').trim(), address: clean(address) },
    recipients: clean(RECIPIENTS.map((key) => header(mail, key)).join('\n')).slice(0, 20_000),
    subject: clean(mail.subject ?? ''), text, report: reportOf(mail), automatic: isAutomatic(mail),
    files: mail.attachments.filter(isFile).slice(0, MOST_FILES).map(fileOf),
    disowned: /(?<!\w)dmarc\s*=\s*fail(?!\w)/i.test(header(mail, 'authentication-results')),
  };
}

parentPort!.postMessage(await read(workerData as Uint8Array).catch(() => null));
