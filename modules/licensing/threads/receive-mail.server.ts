/**
 * Mail that comes in: once for each Message-ID, placed by the secret part of the address it was sent to, or by the mail
 * of ours that it answers. The sender is who it says only where the address is that person's own; anybody else is shown
 * as unverified. What a machine wrote is no message, and a returned mail is told to staff.
 */
import { createHash } from 'node:crypto';
import { MIB, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { AppError } from '#kit/errors.ts';
import { splitReply } from '#kernel/text/mail-text.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { readMail, UnreadableMail, type InboundMail, type MailFile } from '#server/inbound-mail.ts';
import { mailNamed, markReturned, oneLine, queueMail } from '#server/mail.ts';
import { refuseUnreadable } from '#server/readable-file.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { checkType, safeName } from '#server/upload.ts';
import { mimeOf } from '../documents/store-document.server.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { MESSAGE_FILES } from './thread.contract.ts';
import { findPerson, type Person } from './thread-people.server.ts';
import { postMessage, type RefusedFile } from './post-message.server.ts';
import { tellOfUndelivered } from './undelivered.server.ts';

export type MailOutcome = 'placed' | 'unplaced' | 'automatic' | 'bounce' | 'duplicate' | 'unreadable';

const MOST_FILES = 20;
const LONGEST = 50_000;

interface Place { license_id: number; email: string }

interface CheckedFiles { kept: MailFile[]; refused: RefusedFile[] }

const megabytes = (bytes: number): number => Math.max(1, Math.round(bytes / MIB));

async function problemOf(name: string, { content }: MailFile): Promise<string | null> {
  if (content.length > UPLOAD_LIMIT) {
    return `It has ${megabytes(content.length)} MB; a file can have up to ${UPLOAD_LIMIT / MIB} MB.`;
  }
  if (!MESSAGE_FILES.some((type) => name.toLowerCase().endsWith(`.${type}`))) {
    return `Files of this type are not kept; we keep ${MESSAGE_FILES.join(', ')}.`;
  }
  const file = { field: 'file', filename: name, content_type: '', content: Buffer.from(content) };
  try {
    checkType(file, { field: 'file', types: MESSAGE_FILES, max_bytes: UPLOAD_LIMIT });
    await refuseUnreadable(file, 'file');
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Object.values(error.errors ?? {}).flat()[0] ?? error.message;
  }
}

/** Before any transaction: files are opened to see whether they can be. */
async function checkFiles(files: readonly MailFile[]): Promise<CheckedFiles> {
  const checked: CheckedFiles = { kept: [], refused: [] };
  for (const [place, file] of files.entries()) {
    const name = safeName(file.name);
    const reason = place >= MOST_FILES ? `A message can have up to ${MOST_FILES} files.` : await problemOf(name, file);
    if (reason === null) checked.kept.push({ ...file, name });
    else checked.refused.push({ name, size_bytes: file.content.length, reason });
  }
  return checked;
}

/** The conversation that an address of ours names; an address in Cc, or one that a server noted, is as good. */
function byAddress(ctx: WorkContext, mail: InboundMail): Promise<Place | null> {
  const tokens = [...mail.recipients.matchAll(/\+([0-9a-f]{32})@/gi)].map(([, token]) => token!.toLowerCase());
  return ctx.db.maybeOne<Place>(sql`
    select license_id, email from thread_addresses where token = any (${tokens}) order by id limit 1`);
}

/** The conversation of the mail of ours that is answered, where who answers is who got it. */
async function byAnswer(ctx: WorkContext, mail: InboundMail): Promise<Place | null> {
  for (const named of mail.answers.map(mailNamed)) {
    const place = named && await ctx.db.maybeOne<Place>(sql`
      select m.license_id, lower(o.recipients[1]) as email
      from mail_outbox o join thread_messages m on m.id = o.entity_id
      where o.id = ${named.id} and o.token = ${named.token} and o.entity = 'thread_message'
        and lower(o.recipients[1]) = ${mail.from.address}`);
    if (place) return place;
  }
  return null;
}

async function returnedMail(ctx: WorkContext, mail: InboundMail): Promise<string> {
  const named = mail.report?.message_id ? mailNamed(mail.report.message_id) : null;
  if (!named || !mail.report || mail.report.failed.length === 0) return 'It returns no mail of ours, or none for good.';
  const addresses = mail.report.failed.map(({ address }) => address);
  const marked = await markReturned(ctx.db, named, addresses, mail.report.failed[0]!.reason);
  return marked ? `The mail to ${addresses.join(', ')} did not arrive.` : 'It returns no mail of ours.';
}

async function storeFiles(
  ctx: WorkContext, licenseId: number, files: readonly MailFile[], person: Person | null,
): Promise<number[]> {
  const ids: number[] = [];
  for (const { name, content } of files) {
    const file = await keepFile(ctx, { filename: name, content: Buffer.from(content) }, mimeOf({ filename: name }));
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into thread_files (license_id, file_id, uploaded_by_id, held)
      values (${licenseId}, ${file}, ${person?.user_id ?? null}, ${person === null}) returning id`);
    ids.push(id);
  }
  return ids;
}

/** Tells a known sender which files were not kept, and where they can be uploaded. */
async function tellOfRefused(
  ctx: WorkContext, place: Place, id: number, title: string, refused: readonly RefusedFile[], href: string,
): Promise<void> {
  await queueMail(ctx.db, { template: 'thread.files_refused', to: [place.email], entity: 'license',
    entity_id: place.license_id, reminder_key: `thread.files_refused/${id}`,
    subject: oneLine(`Attachment not kept: ${title}`), letter: {
      paragraphs: [`We have your message about ${title}, but not all of its attachments:`,
        refused.map(({ name, reason }) => `${name}: ${reason}`).join('\n'),
        `Upload a file of up to ${UPLOAD_LIMIT / MIB} MB with a message in the portal.`],
      link: { label: 'Open the messages', href: linkTo(ctx.ports.settings, href) } } });
}

async function placeMail(ctx: WorkContext, place: Place, mail: InboundMail, files: CheckedFiles): Promise<number> {
  const license = await findLicense(ctx.db, place.license_id);
  const known = mail.from.address === place.email && !mail.disowned;
  const person = known ? await findPerson(ctx.db, license, place.email) : null;
  const { reply, quoted } = splitReply(mail.text.slice(0, LONGEST));
  const id = await postMessage(ctx, license, {
    from_staff: person?.staff ?? false, author_id: person?.user_id ?? null, verified: person !== null,
    sender_name: person?.name ?? oneLine(mail.from.name || mail.from.address),
    sender_email: mail.from.address.slice(0, 254), body: reply, quoted, refused_files: files.refused,
    file_ids: await storeFiles(ctx, license.id, files.kept, person) });
  if (person !== null && files.refused.length > 0) {
    await tellOfRefused(ctx, place, id, license.title_on_license, files.refused, person.staff
      ? `/admin/quotes/${license.id}/messages` : `/customer/${license.customer_id}/productions/${license.id}/messages`);
  }
  return id;
}

interface Placed { outcome: 'placed' | 'unplaced' | 'automatic' | 'bounce'; reason: string; license_id: number | null;
  message_id: number | null }

async function handle(ctx: WorkContext, mail: InboundMail, files: CheckedFiles): Promise<Placed> {
  const nowhere = { license_id: null, message_id: null };
  if (mail.report) return { ...nowhere, outcome: 'bounce', reason: await returnedMail(ctx, mail) };
  if (mail.automatic) return { ...nowhere, outcome: 'automatic', reason: 'A machine or a mailing list sent it.' };
  const place = await byAddress(ctx, mail) ?? await byAnswer(ctx, mail);
  if (!place) return { ...nowhere, outcome: 'unplaced', reason: 'It names no conversation.' };
  return { outcome: 'placed', reason: '', license_id: place.license_id,
    message_id: await placeMail(ctx, place, mail, files) };
}

async function keepMail(ctx: WorkContext, mail: InboundMail, placed: Placed,
  of: { key: string; size: number; refused: readonly RefusedFile[] }): Promise<number> {
  const { outcome } = placed;
  return (await ctx.db.one<{ id: number }>(sql`
    insert into inbound_mails (message_key, sender_name, sender_email, subject, body, outcome, reason, size_bytes,
      license_id, thread_message_id, refused_files, received_at)
    values (${of.key}, ${oneLine(mail.from.name)}, ${mail.from.address.slice(0, 254)}, ${mail.subject.slice(0, 500)},
      ${outcome === 'placed' ? '' : mail.text.slice(0, 5000)}, ${outcome}, ${placed.reason}, ${of.size},
      ${placed.license_id}, ${placed.message_id}, ${JSON.stringify(outcome === 'unplaced' ? of.refused : [])},
      ${ctx.now().toISOString()}) returning id`)).id;
}

/** Files of a mail that waits for a person to place it. */
async function keepFilesOf(ctx: WorkContext, mailId: number, files: readonly MailFile[]): Promise<void> {
  for (const { name, content } of files) {
    const file = await keepFile(ctx, { filename: name, content: Buffer.from(content) }, mimeOf({ filename: name }));
    await ctx.db.exec(sql`insert into inbound_mail_files (inbound_mail_id, file_id) values (${mailId}, ${file})`);
  }
}

/** Takes a raw mail; the same one again changes nothing. */
export async function receiveMail(ports: Ports, raw: Buffer): Promise<MailOutcome> {
  let mail: InboundMail;
  try {
    mail = await readMail(raw);
  } catch (error) {
    if (error instanceof UnreadableMail) return 'unreadable';
    throw error;
  }
  const key = (mail.message_id ?? createHash('sha256').update(raw).digest('hex')).slice(0, 1000);
  if (await ports.db.maybeOne(sql`select 1 from inbound_mails where message_key = ${key}`)) return 'duplicate';
  const files = mail.automatic || mail.report ? { kept: [], refused: [] } : await checkFiles(mail.files);
  const outcome = await ports.db.tx(async (tx): Promise<MailOutcome> => {
    const ctx = workContext(ports, tx, SYSTEM_ACTOR);
    // A second delivery of the mail waits here until the first is stored, and finds it.
    await tx.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`inbound_mail/${key}`}, 0))`);
    if (await tx.maybeOne(sql`select 1 from inbound_mails where message_key = ${key}`)) return 'duplicate';
    const placed = await handle(ctx, mail, files);
    const id = await keepMail(ctx, mail, placed, { key, size: raw.length, refused: files.refused });
    if (placed.outcome === 'unplaced') await keepFilesOf(ctx, id, files.kept);
    return placed.outcome;
  });
  if (outcome === 'bounce') await tellOfUndelivered(ports);
  return outcome;
}
