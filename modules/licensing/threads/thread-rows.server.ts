/** Messages of a license as lists show them. */
import type { ListArgs } from '#kit/endpoint.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import type { MessageRow, PortalMessage } from './thread.contract.ts';

const shared = sql`t.id, t.body, t.quoted, t.sender_name as author_name, t.from_staff, t.by_mail, t.verified,
  t.refused_files, t.created_at,
  coalesce((select json_agg(json_build_object('id', a.id, 'name', f.original_name, 'size_bytes', f.size_bytes)
    order by a.id) from thread_files a join files f on f.id = a.file_id
    where a.thread_message_id = t.id), '[]') as files`;

/** Each person's mail is one of its own. */
const staffColumns = sql`${shared}, t.sender_email,
  coalesce((select json_agg(json_build_object('email', o.recipients[1], 'state', case
      when o.bounced_at is not null then 'returned' when o.sent_at is not null then 'sent'
      when o.failed_attempts >= 10 then 'failed' else 'waiting' end,
      'reason', coalesce(nullif(o.bounce_text, ''), o.last_error, '')) order by o.id)
    from mail_outbox o where o.entity = 'thread_message' and o.entity_id = t.id), '[]') as deliveries`;

function page<Row>(
  db: Queryable, columns: Sql, licenseId: number, query: ListArgs, path: string,
): Promise<Page<Row>> {
  return listPage<Row>(db, {
    base: sql`thread_messages t`, columns, sorts: { created_at: sql`t.created_at` }, defaultSort: 'created_at',
    defaultDirection: 'desc', conditions: compact([sql`t.license_id = ${licenseId}`,
      query.search !== undefined && matches(sql`t.search_text`, query.search)]),
  }, query, path);
}

export const staffMessages = (db: Queryable, licenseId: number, query: ListArgs): Promise<Page<MessageRow>> =>
  page(db, staffColumns, licenseId, query, `/api/admin/staff/licenses/${licenseId}/messages`);

export const customerMessages = (
  db: Queryable, customerId: number, licenseId: number, query: ListArgs,
): Promise<Page<PortalMessage>> =>
  page(db, shared, licenseId, query, `/api/customers/${customerId}/licenses/${licenseId}/messages`);

export const staffMessage = (db: Queryable, id: number): Promise<MessageRow> =>
  db.one<MessageRow>(sql`select ${staffColumns} from thread_messages t where t.id = ${id}`);

export const customerMessage = (db: Queryable, id: number): Promise<PortalMessage> =>
  db.one<PortalMessage>(sql`select ${shared} from thread_messages t where t.id = ${id}`);
