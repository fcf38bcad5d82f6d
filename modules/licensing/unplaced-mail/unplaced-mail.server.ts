/**
 * Mail that named no conversation, decided by staff. Its sender was never checked, so that the message is shown as
 * unverified and nothing follows from it, whoever it says it is from.
 */
import { splitReply } from '#kernel/text/mail-text.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { lockLicense } from '../licenses/license-record.server.ts';
import { postMessage } from '../threads/post-message.server.ts';
import { unplacedMailEndpoints, type UnplacedMail } from './unplaced-mail.contract.ts';

const columns = sql`t.id, t.sender_name, t.sender_email, t.subject, t.body, t.outcome, t.reason, t.license_id,
  coalesce(l.license_number, l.number) as license_number, l.phase as license_phase, l.customer_id,
  u.first_name || ' ' || u.last_name as decided_by_name, t.decided_at, t.received_at`;
const joins = sql`left join licenses l on l.id = t.license_id left join users u on u.id = t.decided_by_id`;
/** Placed by a person; what found its conversation by itself stands there alone. */
const decidable = sql`(t.outcome in ('unplaced', 'dismissed')
  or (t.outcome = 'placed' and t.decided_by_id is not null))`;

async function shown(ctx: Ctx, id: number): Promise<{ data: UnplacedMail }> {
  return { data: await ctx.db.one<UnplacedMail>(sql`
    select ${columns} from inbound_mails t ${joins} where t.id = ${id}`) };
}

type WaitingMail = Pick<UnplacedMail, 'id' | 'sender_name' | 'sender_email' | 'subject' | 'body' | 'outcome'>;

/** Under lock: two people decide a mail once. */
async function waitingMail(ctx: Ctx, id: number): Promise<WaitingMail> {
  const mail = await ctx.db.maybeOne<WaitingMail>(sql`
    select id, sender_name, sender_email, subject, body, outcome from inbound_mails t
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
  const body = mail.subject === '' ? reply : `${mail.subject}\n\n${reply}`;
  const messageId = await postMessage(ctx, license, { from_staff: false, author_id: null, verified: false,
    sender_name: mail.sender_name || mail.sender_email || 'Unknown sender',
    sender_email: mail.sender_email || 'unknown sender', body, quoted, refused_files: [], file_ids: [] });
  await ctx.db.exec(sql`
    update inbound_mails set outcome = 'placed', reason = '', body = '', license_id = ${licenseId},
      thread_message_id = ${messageId}, decided_by_id = ${ctx.user.user_id}, decided_at = ${ctx.now().toISOString()}
    where id = ${id}`);
  await ctx.audit({ action: 'place', entity: 'inbound_mail', entity_id: id, after: { license_id: licenseId,
    sender: mail.sender_email, message_id: messageId } });
}

export const unplacedMailRoutes = serve(unplacedMailEndpoints, {
  list: (ctx, { query }) => listPage<UnplacedMail>(ctx.db, {
    base: sql`inbound_mails t`, columns, joins, sorts: { received_at: sql`t.id` }, defaultSort: 'received_at',
    defaultDirection: 'desc', conditions: compact([decidable,
      query.outcome !== undefined && sql`t.outcome = ${query.outcome}`,
      query.search !== undefined && mentions(sql`t.subject || ' ' || t.sender_name || ' ' || t.sender_email`,
        query.search)]),
  }, query, unplacedMailEndpoints.list.path),
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
