/**
 * Mail that named no conversation, decided by staff. Its sender was never checked, so that the message is shown as
 * unverified and nothing follows from it, whoever it says it is from.
 */
import { splitReply } from '#kernel/text/mail-text.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { lockLicense } from '../licenses/license-record.server.ts';
import { postMessage } from '../threads/post-message.server.ts';
import { unplacedMailEndpoints, type UnplacedMail } from './unplaced-mail.contract.ts';

const columns = sql`t.id, t.sender_name, t.sender_email, t.subject, t.body, t.outcome, t.reason, t.license_id,
  coalesce(l.license_number, l.number) as license_number, l.phase as license_phase, l.customer_id,
  u.first_name || ' ' || u.last_name as decided_by_name, t.decided_at, t.received_at, t.refused_files,
  coalesce((select json_agg(json_build_object('id', a.id, 'name', f.original_name, 'size_bytes', f.size_bytes)
    order by a.id) from inbound_mail_files a join files f on f.id = a.file_id
    where a.inbound_mail_id = t.id), '[]') as files`;
const joins = sql`left join licenses l on l.id = t.license_id left join users u on u.id = t.decided_by_id`;
/** Placed by a person; what found its conversation by itself stands there alone. */
const decidable = sql`(t.outcome in ('unplaced', 'dismissed')
  or (t.outcome = 'placed' and t.decided_by_id is not null))`;

async function shown(ctx: Ctx, id: number): Promise<{ data: UnplacedMail }> {
  return { data: await ctx.db.one<UnplacedMail>(sql`
    select ${columns} from inbound_mails t ${joins} where t.id = ${id}`) };
}

type WaitingMail = Pick<UnplacedMail, 'id' | 'sender_name' | 'sender_email' | 'subject' | 'body' | 'outcome'
  | 'refused_files'>;

/** Under lock: two people decide a mail once. */
async function waitingMail(ctx: Ctx, id: number): Promise<WaitingMail> {
  const mail = await ctx.db.maybeOne<WaitingMail>(sql`
    select id, sender_name, sender_email, subject, body, outcome, refused_files from inbound_mails t
    where id = ${id} and ${decidable} for update`);
  if (!mail) throw refuse('not_found');
  if (mail.outcome !== 'unplaced') {
    throw conflict('inbound_mail.decided', `Somebody ${mail.outcome} this email already.`);
  }
  return mail;
}

async function place(ctx: Ctx, id: number, licenseId: number): Promise<void> {
  const found = await ctx.db.maybeOne(sql`select 1 from licenses where id = ${licenseId} and deleted_at is null`);
  if (!found) throw invalidField('license_id', 'Choose the production');
  const license = await lockLicense(ctx.db, licenseId, null);
  const mail = await waitingMail(ctx, id);
  const { reply, quoted } = splitReply(mail.body);
  const files = await ctx.db.query<{ id: number }>(sql`
    insert into thread_files (license_id, file_id, held)
    select ${licenseId}, file_id, true from inbound_mail_files where inbound_mail_id = ${id} order by id returning id`);
  const body = mail.subject === '' ? reply : `${mail.subject}\n\n${reply}`;
  const messageId = await postMessage(ctx, license, { from_staff: false, author_id: null, verified: false,
    sender_name: mail.sender_name || mail.sender_email || 'Unknown sender',
    sender_email: mail.sender_email || 'unknown sender', body, quoted, refused_files: mail.refused_files,
    file_ids: files.map((one) => one.id) });
  await ctx.db.exec(sql`
    update inbound_mails set outcome = 'placed', reason = '', body = '', license_id = ${licenseId},
      thread_message_id = ${messageId}, decided_by_id = ${ctx.user.user_id}, decided_at = ${ctx.now().toISOString()}
    where id = ${id}`);
  await ctx.audit({ action: 'place', entity: 'inbound_mail', entity_id: id, after: { license_id: licenseId,
    sender: mail.sender_email, message_id: messageId } });
}

async function file(ctx: Ctx, id: number, fileId: number): Promise<FileAnswer> {
  const row = await ctx.db.maybeOne<{ storage_key: string; original_name: string; mime_type: string }>(sql`
    select f.storage_key, f.original_name, f.mime_type
    from inbound_mail_files a join files f on f.id = a.file_id join inbound_mails t on t.id = a.inbound_mail_id
    where a.id = ${fileId} and t.id = ${id} and ${decidable}`);
  if (!row) throw refuse('not_found');
  return { filename: row.original_name, content_type: row.mime_type,
    content: await ctx.ports.files.get(row.storage_key) };
}

export const unplacedMailRoutes = serve(unplacedMailEndpoints, {
  list: (ctx, { query }) => listPage<UnplacedMail>(ctx.db, {
    base: sql`inbound_mails t`, columns, joins, sorts: { received_at: sql`t.id` }, defaultSort: 'received_at',
    defaultDirection: 'desc', conditions: compact([decidable,
      query.outcome !== undefined && sql`t.outcome = ${query.outcome}`,
      query.search !== undefined && mentions(sql`t.subject || ' ' || t.sender_name || ' ' || t.sender_email`,
        query.search)]),
  }, query, unplacedMailEndpoints.list.path),
  file: (ctx, { params }) => file(ctx, params.id, params.fileId),
  async place(ctx, { params, body }) {
    await place(ctx, params.id, body.license_id);
    return shown(ctx, params.id);
  },
  async dismiss(ctx, { params, body }) {
    const mail = await waitingMail(ctx, params.id);
    await ctx.db.exec(sql`
      update inbound_mails set outcome = 'dismissed', reason = ${body.reason}, decided_by_id = ${ctx.user.user_id},
        decided_at = ${ctx.now().toISOString()} where id = ${params.id}`);
    await ctx.audit({ action: 'dismiss', entity: 'inbound_mail', entity_id: params.id,
      after: { reason: body.reason, sender: mail.sender_email } });
    return shown(ctx, params.id);
  },
});
