/** Calls about messages of a license, for staff and for customers. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { mimeOf } from '../documents/store-document.server.ts';
import { findCustomerLicense, findLicense, type License } from '../licenses/license-record.server.ts';
import { postMessage } from './post-message.server.ts';
import { customerMessage, customerMessages, staffMessage, staffMessages } from './thread-rows.server.ts';
import { threadEndpoints, type InboundMailRow, type ThreadFile } from './thread.contract.ts';

async function upload(ctx: Ctx, license: License): Promise<{ data: ThreadFile }> {
  if (!ctx.file) throw invalidField('file', 'Choose a file');
  const file = await keepFile(ctx, ctx.file, mimeOf(ctx.file));
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into thread_files (license_id, file_id, uploaded_by_id)
    values (${license.id}, ${file}, ${ctx.user.user_id}) returning id`);
  await ctx.audit({ action: 'upload', entity: 'license', entity_id: license.id, after: { thread_file_id: id } });
  return { data: await ctx.db.one<ThreadFile>(sql`
    select a.id, f.original_name as name, f.size_bytes from thread_files a join files f on f.id = a.file_id
    where a.id = ${id}`) };
}

async function file(ctx: Ctx, licenseId: number, fileId: number, shown: Sql): Promise<FileAnswer> {
  const row = await ctx.db.maybeOne<{ storage_key: string; original_name: string; mime_type: string }>(sql`
    select f.storage_key, f.original_name, f.mime_type from thread_files a join files f on f.id = a.file_id
    where a.id = ${fileId} and a.license_id = ${licenseId} and ${shown}`);
  if (!row) throw refuse('not_found');
  return { filename: row.original_name, content_type: row.mime_type,
    content: await ctx.ports.files.get(row.storage_key) };
}

/** 422 where a file is somebody else's, or of another message; the rows stay locked until the message has them. */
async function ownFiles(ctx: Ctx, licenseId: number, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)];
  const found = await ctx.db.query<{ id: number }>(sql`
    select id from thread_files where id = any (${wanted}::bigint[]) and license_id = ${licenseId}
      and uploaded_by_id = ${ctx.user.user_id} and thread_message_id is null order by id for update`);
  if (found.length !== wanted.length) {
    throw invalidField('file_ids', 'One of the files was sent before. Attach it again.');
  }
  return wanted;
}

async function write(
  ctx: Ctx, license: License, message: { body: string; file_ids: readonly number[] }, from_staff: boolean,
): Promise<number> {
  if (license.phase === 'draft') {
    throw conflict('license.phase_conflict', 'Send the offer first: the customer does not see this quote yet.',
      { phase: license.phase, allowed: ['send_offer'] });
  }
  const author = await ctx.db.one<{ name: string }>(sql`
    select first_name || ' ' || last_name as name from users where id = ${ctx.user.user_id}`);
  return postMessage(ctx, license, { from_staff, author_id: ctx.user.user_id, sender_name: author.name.slice(0, 200),
    sender_email: null, verified: true, body: message.body, quoted: '', refused_files: [],
    file_ids: await ownFiles(ctx, license.id, message.file_ids) });
}

export const threadRoutes = serve(threadEndpoints, {
  async list(ctx, { params, query }) {
    await findLicense(ctx.db, params.id);
    return staffMessages(ctx.db, params.id, query);
  },
  async send(ctx, { params, body }) {
    const id = await write(ctx, await findLicense(ctx.db, params.id), body, true);
    return { data: await staffMessage(ctx.db, id) };
  },
  upload: async (ctx, { params }) => upload(ctx, await findLicense(ctx.db, params.id)),
  file: (ctx, { params }) => file(ctx, params.id, params.fileId, sql`true`),
  async own(ctx, { params, query }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return customerMessages(ctx.db, params.id, params.licenseId, query);
  },
  async write(ctx, { params, body }) {
    const id = await write(ctx, await findCustomerLicense(ctx.db, params.id, params.licenseId), body, false);
    return { data: await customerMessage(ctx.db, id) };
  },
  attach: async (ctx, { params }) => upload(ctx, await findCustomerLicense(ctx.db, params.id, params.licenseId)),
  async ownFile(ctx, { params }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return file(ctx, params.licenseId, params.messageFileId, sql`not a.held
      and (a.thread_message_id is not null or a.uploaded_by_id = ${ctx.user.user_id})`);
  },
  inbound: (ctx, { query }) => listPage<InboundMailRow>(ctx.db, {
    base: sql`inbound_mails t`, joins: sql`left join licenses l on l.id = t.license_id`,
    columns: sql`t.id, t.sender_name, t.sender_email, t.subject, t.body, t.outcome, t.reason, t.size_bytes,
      t.license_id, coalesce(l.license_number, l.number) as license_number, t.received_at`,
    sorts: { received_at: sql`t.id` }, defaultSort: 'received_at', defaultDirection: 'desc',
    conditions: compact([query.outcome !== undefined && sql`t.outcome = ${query.outcome}`]),
  }, query, '/api/admin/system/inbound_mail'),
});
